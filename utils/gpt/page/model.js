// The lesson's language model, letter by letter, with the keys and values of all positions kept.
//
// x = embedding; each block: x ← x + attention(norm1(x)), x ← x + outer(gelu(inner(norm2(x))));
// logits = output(norm(x)); norm(x) = gain x / √(mean of squares + ε).
// In each head: scores = rotate(q_i, i) · rotate(k_t, t) / √d for t ≤ i, weights = softmax over t,
// and the heads' sums of values go side by side through `proj`.
import { cutter, linear, numbers, softmax } from "../../alive/js/numbers.js";

const ERF = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429]; // Abramowitz and Stegun 1964, 7.1.26

/**
 * A model of the message, its weights cut into the layers' arrays.
 *
 * @param {Gpt.Spec} spec
 * @returns {Gpt.Model}
 */
export function load(spec) {
  const { take, end } = cutter(numbers(spec.weights, "f2")), { letters: V, width: E, hidden: F, layers } = spec;
  /** @type {(from: number, out: number, biased?: boolean) => Alive.Dense} */
  const dense = (from, out, biased) => ({ out, weight: take(out * from), bias: biased ? take(out) : null });
  const embedding = take(V * E), blocks = Array.from({ length: layers }, () => ({
    norm1: take(E), query: dense(E, E), key: dense(E, E), value: dense(E, E), proj: dense(E, E),
    norm2: take(E), inner: dense(E, F, true), outer: dense(F, E, true),
  }));
  const model = { ...spec, size: E / spec.heads, embedding, blocks, norm: take(E), output: dense(E, V) };
  end();
  return model;
}

/**
 * What a norm divides x by.
 *
 * @type {(x: Float32Array, epsilon: number) => number}
 */
export const rootOf = (x, epsilon) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / x.length + epsilon);

/**
 * x times the norm's gain, divided by `root`, by default that of x itself.
 *
 * @param {Float32Array} x
 * @param {Float32Array} gain
 * @param {number} epsilon
 */
export function normed(x, gain, epsilon, root = rootOf(x, epsilon)) {
  return x.map((v, i) => (gain[i] * v) / root);
}

/**
 * x times the normal distribution's share below x.
 *
 * @param {number} x
 */
function gelu(x) {
  const z = Math.abs(x) / Math.SQRT2, t = 1 / (1 + 0.3275911 * z);
  const tail = ERF.reduceRight((sum, c) => (sum + c) * t, 0) * Math.exp(-z * z);
  return 0.5 * x * (x < 0 ? tail : 2 - tail);
}

/**
 * Turns the pairs of components of each head, of `size` components, by a position times their speeds.
 *
 * @param {Float32Array} x
 * @param {number} position
 * @param {number} size
 */
export function rotate(x, position, size) {
  const y = new Float32Array(x.length);
  for (let i = 0; i < x.length; i += 2) {
    const angle = position * 10000 ** (-(i % size) / size), cos = Math.cos(angle), sin = Math.sin(angle);
    y[i] = x[i] * cos - x[i + 1] * sin;
    y[i + 1] = x[i] * sin + x[i + 1] * cos;
  }
  return y;
}

/**
 * The product of q and k in one head.
 *
 * @param {Float32Array} q
 * @param {Float32Array} k
 * @param {number} from
 * @param {number} size
 */
export function dot(q, k, from, size) {
  let sum = 0;
  for (let c = from; c < from + size; c++) sum += q[c] * k[c];
  return sum;
}

/**
 * The attention of position `i` in a layer: the heads' sums side by side, and each head's weights and scores.
 *
 * @param {Gpt.Model} model
 * @param {Gpt.Layer} layer
 * @param {number} i
 * @param {Set<number>} off
 * @param {string} mistake
 */
function looked(model, layer, i, off, mistake) {
  const { heads, size } = model;
  const { queries, keys, values } = layer;
  const sums = new Float32Array(model.width);
  const looks = [];
  const scores = [];
  const seen = mistake === "attention_no_mask" ? keys.length : i + 1;
  const scale = mistake === "attention_no_scale" ? 1 : Math.sqrt(size);
  for (let h = 0; h < heads; h++) {
    const line = new Float64Array(seen);
    for (let t = 0; t < seen; t++) line[t] = dot(queries[i], keys[t], h * size, size) / scale;
    const weights = softmax(line.slice(), seen);
    scores.push(line);
    looks.push(weights);
    if (off.has(h)) continue;
    for (let t = 0; t < seen; t++)
      for (let c = h * size; c < (h + 1) * size; c++) sums[c] += weights[t] * values[t][c];
  }
  return { sums, looks, scores };
}

/**
 * The memory (keys, values, …) before any letter is read. `start`: so many letters come together, the others one by
 * one.
 *
 * @type {(model: Gpt.Model, start: number) => Gpt.Known}
 */
export const memory = (model, start) => ({
  start,
  logits: [],
  layers: model.blocks.map(() => ({
    raw: [], queries: [], keys: [], values: [], looks: [], scores: [], sums: [], thoughts: [],
  })),
});

/**
 * The position by which a letter is turned: its index, or 0 for a letter that is read alone if the offset is forgotten.
 *
 * @type {(known: Gpt.Known, index: number, mistake: string) => number}
 */
export const position = ({ start }, index, mistake) => (mistake === "step_no_offset" && index >= start ? 0 : index);

/**
 * Reads new letters after those of `known`, which grows: `logits` gets a row for each letter, and each of `layers` the
 * queries (raw and turned), keys, values, looks and scores of each position, the heads' sums of values side by side,
 * and what the feed-forward part adds. `off[l]`: a set of the heads of layer l that add nothing.
 *
 * @param {Gpt.Model} model
 * @param {Gpt.Known} known
 * @param {number[]} letters
 * @param {Gpt.ReadOptions} options
 */
export function read(model, known, letters, { off = [], mistake = "" } = {}) {
  const { width: E, size, epsilon } = model, from = known.logits.length;
  const streams = Array.from(letters, (letter) => model.embedding.slice(letter * E, (letter + 1) * E));
  model.blocks.forEach((block, l) => {
    const layer = known.layers[l], silent = off[l] ?? new Set();
    streams.forEach((x, n) => {
      const copy = normed(x, block.norm1, epsilon);
      const turn = position(known, from + n, mistake);
      const value = linear(copy, block.value);
      const raw = linear(copy, block.query);
      layer.raw.push(raw);
      layer.queries.push(rotate(raw, turn, size));
      layer.keys.push(rotate(linear(copy, block.key), turn, size));
      layer.values.push(mistake === "attention_values_turned" ? rotate(value, turn, size) : value);
    });
    streams.forEach((x, n) => {
      const { sums, looks, scores } = looked(model, layer, from + n, silent, mistake);
      layer.looks.push(looks);
      layer.scores.push(scores);
      linear(sums, block.proj).forEach((v, i) => { x[i] += v; });
      const thought = linear(linear(normed(x, block.norm2, epsilon), block.inner).map(gelu), block.outer);
      thought.forEach((v, i) => { x[i] += v; });
      layer.sums.push(sums);
      layer.thoughts.push(thought);
    });
  });
  streams.forEach((x) => known.logits.push(linear(normed(x, model.norm, epsilon), model.output)));
  return known;
}

/**
 * The losses of letters from the second on, in nats, of a text read at once.
 *
 * @param {Gpt.Model} model
 * @param {number[]} letters
 * @param {Gpt.ReadOptions} options
 */
export function losses(model, letters, options) {
  const { logits } = read(model, memory(model, letters.length), letters, options);
  return letters
    .slice(1)
    .map((letter, n) => -Math.log(softmax(Float64Array.from(logits[n]), logits[n].length)[letter]));
}
