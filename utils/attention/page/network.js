// Runs a trained network of the lesson: convolutions, ReLU and one attention layer, on typed arrays.
//
// A signal is a Float32Array of (channels, T), row by row. Layers are those of `utils/attention/exporting.py`:
//   {kind: "conv", in, out, kernel}      y_o = b_o + Σ_i Σ_k w_oik x_i,t+k-padding, zeros beyond the ends
//   {kind: "relu"}
//   {kind: "attention", in, key, out}    s_ij = q_i · k_j,  A = softmax of each row,  y_i = Σ_j A_ij v_j
import { cutter, numbers, softmax } from "../../alive/js/numbers.js";

/**
 * A network of the message, its weights cut into the layers' arrays.
 *
 * @param {Attention.Spec} spec
 * @returns {Attention.Network}
 */
export function load(spec) {
  const { take, end } = cutter(numbers(spec.weights, "f2"));
  /** @type {(layer: { in: number, out: number, kernel: number }) => Attention.Remembering} */
  const conv = (layer) => ({ ...layer, weight: take(layer.out * layer.in * layer.kernel), bias: take(layer.out) });
  /** @type {Attention.Layer[]} */
  const layers = spec.layers.map((layer) => {
    if (layer.kind === "conv") return conv(layer);
    if (layer.kind !== "attention") return layer;
    /** @param {number} out */
    const projection = (out) => conv({ in: layer.in, out, kernel: 1 });
    return { ...layer, query: projection(layer.key), keys: projection(layer.key), value: projection(layer.out) };
  });
  end();
  const reach = layers.reduce((sum, layer) => sum + (layer.kind === "conv" ? (layer.kernel - 1) / 2 : 0), 0);
  const codes = numbers(spec.encoding, "f4");
  return { ...spec, layers, reach, codes, attends: layers.some((layer) => layer.kind === "attention") };
}

/**
 * x (in, T) -> (out, T), for an even T. A convolution is local: its outputs change only near the inputs that change. So
 * a layer keeps its last input and output, and computes only the columns within reach of inputs that differ.
 *
 * @param {Float32Array} x
 * @param {number} T
 * @param {Attention.Remembering} layer
 */
function conv(x, T, layer) {
  const { last } = layer, margin = (layer.kernel - 1) >> 1;
  let from = 0, to = T; // the columns to compute: from an even one up to, but not including, another even one
  if (last && last.x.length === x.length) {
    /** @param {number} t */
    const same = (t) => {
      for (let at = t; at < x.length; at += T) if (x[at] !== last.x[at]) return false;
      return true;
    };
    while (from < T && same(from)) from++;
    while (to > from && same(to - 1)) to--;
    if (from === T) return last.y.subarray(0, layer.out * T);
    from = Math.max(0, from - margin) & ~1;
    to = Math.min(T, (to + margin + 1) & ~1);
  }
  const y = last && to - from < T ? last.y.slice() : zeros(layer.out, T);
  convolve(x, T, layer, from, to, y);
  layer.last = { x: x.slice(), y };
  return y.subarray(0, layer.out * T);
}

/**
 * Zeros for (out, T), with `out` rounded up to fours: `convolve` writes four rows at a time.
 *
 * @type {(out: number, T: number) => Float32Array}
 */
const zeros = (out, T) => new Float32Array(4 * Math.ceil(out / 4) * T);

/**
 * Writes the columns `from` to `to` of the convolution of x (in, T) into y, from `zeros`. Four outputs at two positions
 * at a time: their eight sums stay in the processor's registers, which takes a third of the time of plain loops.
 *
 * @param {Float32Array | Float64Array} x
 * @param {number} T
 * @param {Attention.Conv} layer
 * @param {number} start
 * @param {number} end
 * @param {Float32Array} y
 */
function convolve(x, T, { in: I, out: O, kernel: K, weight, bias }, start, end, y) {
  const wide = T + K - 1, padded = new Float64Array(I * wide), size = I * K;
  for (let i = 0; i < I; i++) padded.set(x.subarray(i * T, (i + 1) * T), i * wide + ((K - 1) >> 1));
  const four = new Float64Array(4 * size); // the weights of four outputs, side by side
  const first = new Float64Array(y.length / T);
  if (bias) first.set(bias);
  for (let o = 0; o < O; o += 4) {
    for (let r = 0; r < 4; r++)
      for (let n = 0; n < size; n++) four[4 * n + r] = o + r < O ? weight[(o + r) * size + n] : 0;
    for (let t = start, to = o * T + start; t < end; t += 2, to += 2) {
      let a = first[o], b = first[o + 1], c = first[o + 2], d = first[o + 3], e = a, f = b, g = c, h = d;
      for (let i = 0, n = 0, from = t; i < I; i++, from += wide) {
        let u = padded[from];
        for (let at = from + 1; at <= from + K; at++, n += 4) {
          const v = padded[at], wa = four[n], wb = four[n + 1], wc = four[n + 2], wd = four[n + 3];
          a += wa * u; b += wb * u; c += wc * u; d += wd * u;
          e += wa * v; f += wb * v; g += wc * v; h += wd * v;
          u = v;
        }
      }
      y[to] = a; y[to + T] = b; y[to + 2 * T] = c; y[to + 3 * T] = d;
      y[to + 1] = e; y[to + T + 1] = f; y[to + 2 * T + 1] = g; y[to + 3 * T + 1] = h;
    }
  }
}

/**
 * The product of W (O, n) and x (n, T): a convolution of width 1.
 *
 * @param {Float32Array} weight
 * @param {Float32Array | Float64Array} x
 * @param {number} T
 */
function product(weight, x, T) {
  const layer = { in: x.length / T, out: (weight.length * T) / x.length, kernel: 1, weight, bias: null };
  const y = zeros(layer.out, T);
  convolve(x, T, layer, 0, T, y);
  return y.subarray(0, layer.out * T);
}

/**
 * A table of rows of `width` numbers -> its transpose.
 *
 * @template {Float32Array | Float64Array} A
 * @param {A} table
 * @param {number} width
 * @returns {A}
 */
function transposed(table, width) {
  /** @type {any} */
  const turned = table.slice();
  const height = table.length / width;
  for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) turned[j * height + i] = table[i * width + j];
  return turned;
}

/**
 * The weights (T, T) that scores become, by the formula or by a mistake of the lesson's catalogue.
 *
 * @param {Float64Array<ArrayBuffer>} scores
 * @param {number} T
 * @param {string} mistake
 * @param {number} temperature
 */
function weigh(scores, T, mistake, temperature) {
  if (mistake === "softmax_missing") return scores.slice();
  if (mistake === "softmax_over_queries") return transposed(softmax(transposed(scores, T), T, temperature), T);
  return softmax(scores.slice(), T, temperature);
}

/**
 * @param {Float32Array} x
 * @param {number} T
 * @param {Attention.Attending} layer
 * @param {number} temperature
 * @param {string} mistake
 */
function attend(x, T, layer, temperature, mistake) {
  const query = conv(x, T, layer.query), key = conv(x, T, layer.keys), value = conv(x, T, layer.value);
  const scores = new Float64Array(product(transposed(query, T), key, T)); // s_ij = q_i · k_j
  if (mistake === "scaled_by_key_dim") scores.forEach((s, n) => { scores[n] = s / Math.sqrt(layer.key); });
  if (mistake === "masked_future") scores.forEach((_, n) => { if (n % T > Math.floor(n / T)) scores[n] = -Infinity; });
  const weights = weigh(scores, T, mistake, temperature);
  const turned = mistake === "attention_transposed_in_output" ? weights : transposed(weights, T); // y_i = Σ_j A_ij v_j
  return { y: product(value, turned, T), inside: { query, key, scores, weights, size: layer.key } };
}

/** @param {Float32Array} x */
function relu(x) {
  const y = new Float32Array(x.length);
  for (let n = 0; n < y.length; n++) y[n] = x[n] > 0 ? x[n] : 0;
  return y;
}

/**
 * x (C, T) -> {y (T), inside: the attention layer's queries, keys, scores and weights, or null without one}.
 *
 * @param {Attention.Network} network
 * @param {Float32Array} x
 * @param {number} T
 * @param {Attention.Options} options
 * @returns {{ y: Float32Array, inside: Attention.Inside | null }}
 */
export function run(network, x, T, { temperature = 1, mistake = "" } = {}) {
  let inside = null;
  for (const layer of network.layers)
    if (layer.kind === "conv") x = conv(x, T, layer);
    else if (layer.kind === "relu") x = relu(x);
    else ({ y: x, inside } = attend(x, T, layer, temperature, mistake));
  return { y: x, inside };
}
