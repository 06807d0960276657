// The captioning Transformer: a decoder whose words look at the words before them, and at the cells of the picture.
//
// Each layer: x = norm(x + f(x)) for f = attention among the words, attention on the picture, feed-forward.
// Y_i = softmax(Q_i K_iᵀ / √d) V_i for each head i of width d, joined and projected.
import { cutter, linear, numbers } from "../../alive/js/numbers.js";

const NORM = 1e-5; // added to a variance, as in torch.nn.LayerNorm

/**
 * The model of the message, its weights cut into the layers' arrays.
 *
 * @param {Captioning.Spec} spec
 * @returns {Captioning.Model}
 */
export function load(spec) {
  const { take, end } = cutter(numbers(spec.weights, "blocks"));
  const { width: E, wide: F, features: D, vocabulary: V } = spec;
  /** @type {(from: number, out: number) => Alive.Dense} */
  const dense = (from, out) => ({ out, weight: take(out * from), bias: take(out) });
  const attention = () => ({ key: dense(E, E), query: dense(E, E), value: dense(E, E), proj: dense(E, E) });
  const norm = () => ({ weight: take(E), bias: take(E) });
  const layer = () => ({
    self: attention(), cross: attention(), first: dense(E, F), second: dense(F, E), norms: [norm(), norm(), norm()],
  });
  const model = {
    ...spec, projection: dense(D, E), embedding: take(V * E), positions: take(spec.longest * E),
    layers: Array.from({ length: spec.depth }, layer), output: dense(E, V),
  };
  end();
  return model;
}

/** @param {Float32Array} x */
export const meanOf = (x) => x.reduce((sum, v) => sum + v, 0) / x.length;

/**
 * What a norm multiplies x − mean by.
 *
 * @param {Float32Array} x
 */
export function scaleOf(x) {
  const mean = meanOf(x);
  return 1 / Math.sqrt(x.reduce((sum, v) => sum + (v - mean) ** 2, 0) / x.length + NORM);
}

/**
 * @param {Float32Array} x
 * @param {Captioning.Norm} norm
 */
function normed(x, { weight, bias }) {
  const mean = meanOf(x), scale = scaleOf(x);
  return x.map((v, i) => (v - mean) * scale * weight[i] + bias[i]);
}
/** @type {() => Record<Captioning.Kind, Float32Array<ArrayBuffer>[]>} */
const pair = () => ({ self: [], cross: [] });
/** @type {(x: Float32Array<ArrayBuffer>, y: Float32Array) => Float32Array<ArrayBuffer>} */
const plus = (x, y) => x.map((v, i) => v + y[i]);

/**
 * Attention of rows x on `keys` and `values`. `sees(i)` is how many of them row i sees. Returns {rows, looks, queries,
 * sums}: new rows, and for each row the weights of every head, its query, and the heads' sums of values side by side.
 *
 * @param {Float32Array[]} x
 * @param {Captioning.Attention} layer
 * @param {Float32Array[]} keys
 * @param {Float32Array[]} values
 * @param {(i: number) => number} sees
 * @param {{ heads: number, mistake: string }} options
 */
function attend(x, layer, keys, values, sees, { heads, mistake }) {
  const E = keys[0].length, H = mistake === "heads_ignored" ? 1 : heads, d = E / H;
  const scale = mistake === "scale_missing" ? 1 : 1 / Math.sqrt(d);
  const queries = x.map((row) => linear(row, layer.query));
  const scored = queries.map((query, i) => Array.from({ length: H }, (_, h) => keys.map((key, j) => {
    if (j >= sees(i)) return -Infinity;
    let score = 0;
    for (let c = h * d; c < (h + 1) * d; c++) score += query[c] * key[c];
    return score * scale;
  })));
  const looks = mistake === "softmax_over_queries" ? overRows(scored) : scored.map((row) => row.map(softmaxed));
  const sums = looks.map((row) => {
    const context = new Float32Array(E);
    row.forEach((weights, h) => weights.forEach((weight, j) => {
      if (weight) for (let c = h * d; c < (h + 1) * d; c++) context[c] += weight * values[j][c];
    }));
    return context;
  });
  return { rows: sums.map((context) => linear(context, layer.proj)), looks, queries, sums };
}

/** @param {number[]} scores */
function softmaxed(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((s) => Math.exp(s - most));
  const all = powers.reduce((a, b) => a + b, 0);
  return powers.map((p) => p / all);
}

/**
 * The mistake: for each key, the weights of all rows sum to 1.
 *
 * @param {number[][][]} scored
 */
function overRows(scored) {
  const result = scored.map((row) => row.map((scores) => scores.slice()));
  scored[0].forEach((scores, h) => scores.forEach((_, j) =>
    softmaxed(scored.map((row) => row[h][j])).forEach((weight, i) => { result[i][h][j] = weight; })));
  return result;
}

/**
 * The memory: the features of the picture's cells, projected; and each layer's keys and values of them, computed once
 * for a caption.
 *
 * @param {Captioning.Model} model
 * @param {Float32Array[]} features
 * @returns {Captioning.Memory}
 */
export function remember(model, features) {
  const memory = features.map((cell) => linear(cell, model.projection));
  const layers = model.layers.map(({ cross }) => ({
    keys: memory.map((row) => linear(row, cross.key)), values: memory.map((row) => linear(row, cross.value)),
  }));
  return { layers, past: model.layers.map(() => ({ keys: [], values: [] })), rows: [] };
}

/**
 * Reads words (numbers, the first is <START>) and returns for each position {scores, self, cross, queries, streams,
 * sums, thoughts}: scores of the next word; for each layer and head where it looks; and for each layer its queries, the
 * streams that they are computed from, the heads' sums of values, and what the feed-forward part adds. `memory` keeps
 * the positions read before, unless a mistake lets a later word change earlier ones.
 *
 * @param {Captioning.Model} model
 * @param {Captioning.Memory} memory
 * @param {number[]} words
 * @param {string} mistake
 */
export function read(model, memory, words, mistake = "") {
  const ahead = mistake === "no_causal_mask" || mistake === "softmax_over_queries";
  if (ahead) Object.assign(memory, { past: model.layers.map(() => ({ keys: [], values: [] })), rows: [] });
  const from = memory.rows.length, fresh = words.slice(from), options = { heads: model.heads, mistake };
  let x = fresh.map((word, i) => entered(model, word, from + i, mistake));
  /** @type {Captioning.Look[]} */
  const looks = fresh.map(() => (
    { self: [], cross: [], queries: pair(), streams: pair(), sums: pair(), thoughts: [] }));
  model.layers.slice(0, mistake === "one_layer_only" ? 1 : undefined).forEach((layer, n) => {
    const past = memory.past[n], { keys, values } = memory.layers[n];
    past.keys.push(...x.map((row) => linear(row, layer.self.key)));
    past.values.push(...x.map((row) => linear(row, layer.self.value)));
    /** @param {number} i */
    const sees = (i) => (mistake === "no_causal_mask" ? past.keys.length : from + i + 1);
    x.forEach((row, i) => looks[i].streams.self.push(row));
    const own = attend(x, layer.self, past.keys, past.values, sees, options);
    x = x.map((row, i) => normed(plus(row, own.rows[i]), layer.norms[0]));
    x.forEach((row, i) => looks[i].streams.cross.push(row));
    const seen = attend(x, layer.cross, keys, values, () => keys.length, options);
    x = x.map((row, i) => normed(plus(row, seen.rows[i]), layer.norms[1]));
    x = x.map((row, i) => {
      const thought = linear(linear(row, layer.first).map((v) => Math.max(0, v)), layer.second);
      looks[i].thoughts.push(thought);
      return normed(plus(row, thought), layer.norms[2]);
    });
    looks.forEach((look, i) => {
      look.self.push(own.looks[i]);
      look.cross.push(seen.looks[i]);
      look.queries.self.push(own.queries[i]);
      look.queries.cross.push(seen.queries[i]);
      look.sums.self.push(own.sums[i]);
      look.sums.cross.push(seen.sums[i]);
    });
  });
  memory.rows.push(...x.map((row, i) => ({ scores: linear(row, model.output), ...looks[i] })));
  return memory.rows;
}

/**
 * @param {Captioning.Model} model
 * @param {number} word
 * @param {number} position
 * @param {string} mistake
 */
function entered({ embedding, positions, width: E }, word, position, mistake) {
  const vector = embedding.slice(word * E, (word + 1) * E);
  return mistake === "no_positions" ? vector : plus(vector, positions.subarray(position * E, (position + 1) * E));
}

/**
 * Writes a caption, word by word the likeliest, except where `forced` has a word. Returns {words, rows, keys, values}.
 *
 * @param {Captioning.Model} model
 * @param {Float32Array[]} features
 * @param {Captioning.WriteOptions} options
 * @returns {Captioning.Written}
 */
export function write(model, features, { forced = [], mistake = "", most = model.longest - 1 } = {}) {
  const memory = remember(model, features);
  /** @type {number[]} */
  const words = [];
  while (words.length < most) {
    const rows = read(model, memory, [model.start, ...words], mistake), { scores } = rows[rows.length - 1];
    const word = forced[words.length] ?? scores.indexOf(Math.max(...scores));
    words.push(word);
    if (word === model.end) break;
  }
  const all = { self: memory.past, cross: memory.layers };
  /** @type {(name: "keys" | "values") => Record<Captioning.Kind, Float32Array[][]>} */
  const those = (name) => (
    { self: all.self.map((layer) => layer[name]), cross: all.cross.map((layer) => layer[name]) });
  return { words, rows: memory.rows, keys: those("keys"), values: those("values") };
}
