// What each part of the model adds to the stream of one position, and so to the logits of the next letter; and what
// each part of the first layer adds to the scores of the second.
//
// stream = embedding + Σ heads of each layer + Σ feed-forward parts; logits = output(norm(stream)). With the norm's
// divisor held, logits are linear in the stream: they are the sum of what the parts add.
import { largest, linear } from "../../alive/js/numbers.js";
import { total } from "../../alive/js/stages.js";
import { dot, normed, position, rootOf, rotate } from "./model.js";

/**
 * What has been added to the stream of position `i`, in the model's order: the embedding (layer -1), and in each layer
 * its heads and (head -1) its feed-forward part.
 *
 * @param {Gpt.Model} model
 * @param {Gpt.Known} known
 * @param {number[]} letters
 * @param {number} i
 * @returns {Gpt.Added[]}
 */
export function added(model, known, letters, i) {
  const { width: E, size } = model, from = letters[i] * E;
  const embedding = { layer: -1, head: -1, vector: model.embedding.slice(from, from + E) };
  const layers = model.blocks.flatMap((block, layer) => {
    const { sums, thoughts } = known.layers[layer];
    const heads = Array.from({ length: model.heads }, (_, head) => {
      const own = Float32Array.from(sums[i], (v, c) => (Math.floor(c / size) === head ? v : 0));
      return { layer, head, vector: linear(own, block.proj) };
    });
    return [...heads, { layer, head: -1, vector: thoughts[i] }];
  });
  return [embedding, ...layers];
}

/**
 * What each part adds to the logits; together they are the logits.
 *
 * @param {Gpt.Model} model
 * @param {Gpt.Added[]} parts
 */
export function toLogits(model, parts) {
  const { norm, output, epsilon, width } = model, root = rootOf(total(parts, width), epsilon);
  return parts.map(({ vector }) => linear(normed(vector, norm, epsilon, root), output));
}

/**
 * For each head of the second layer: the place `t` where it looks most from position `i`; and by part of the first
 * layer (embedding, heads, feed-forward), how much it adds, through the keys, to the lead of that place: its score
 * minus the mean score of all places. With the norms' divisors held, the parts add up to the lead.
 *
 * @param {Gpt.Model} model
 * @param {Gpt.Known} known
 * @param {number[]} letters
 * @param {number} i
 * @param {string} mistake
 */
export function feeds(model, known, letters, i, mistake = "") {
  const { size, width, epsilon, heads } = model, { norm1, key } = model.blocks[1], { queries, looks } = known.layers[1];
  const scale = mistake === "attention_no_scale" ? 1 : Math.sqrt(size);
  const places = Array.from(looks[i][0], (_, t) => {
    const parts = added(model, known, letters, t).filter(({ layer }) => layer < 1);
    const root = rootOf(total(parts, width), epsilon), turn = position(known, t, mistake);
    return parts.map(({ vector }) => rotate(linear(normed(vector, norm1, epsilon, root), key), turn, size));
  });
  return Array.from({ length: heads }, (_, h) => {
    const t = largest(looks[i][h], 1)[0];
    const leads = places[t].map((_, n) => {
      const scores = places.map((keys) => dot(queries[i], keys[n], h * size, size) / scale);
      return scores[t] - scores.reduce((sum, score) => sum + score, 0) / scores.length;
    });
    return { t, leads };
  });
}
