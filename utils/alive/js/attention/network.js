// What a trained network of the lesson says: convolutions, ReLU and one attention layer on typed arrays.
//
// A signal is a Float32Array of (channels, T), row by row. Layers are those of `utils/shapes1d/exporting.py`:
//   {kind: "conv", in, out, kernel}      y_o = b_o + Σ_i Σ_k w_oik x_i,t+k-padding, zeros beyond the ends
//   {kind: "relu"}
//   {kind: "attention", in, key, out}    s_ij = q_i · k_j,  A = softmax of each row,  y_i = Σ_j A_ij v_j
import { cutter, numbers, softmax } from "../numbers.js";

/** A network of the message, its weights cut into the layers' arrays. */
export function load(spec) {
  const { take, end } = cutter(numbers(spec.weights, "f2"));
  const conv = (layer) => ({ ...layer, weight: take(layer.out * layer.in * layer.kernel), bias: take(layer.out) });
  const layers = spec.layers.map((layer) => {
    if (layer.kind === "conv") return conv(layer);
    if (layer.kind !== "attention") return layer;
    const part = (out) => conv({ in: layer.in, out, kernel: 1 });
    return { ...layer, query: part(layer.key), keys: part(layer.key), value: part(layer.out) };
  });
  end();
  const reach = layers.reduce((sum, layer) => sum + (layer.kind === "conv" ? (layer.kernel - 1) / 2 : 0), 0);
  const codes = numbers(spec.encoding, "f4");
  return { ...spec, layers, reach, codes, attends: layers.some((layer) => layer.kind === "attention") };
}

/** x (in, T) -> (out, T). Four outputs at a time, because each number of x that is read then serves four sums. */
function conv(x, T, { in: I, out: O, kernel: K, weight, bias }) {
  const wide = T + K - 1, padded = new Float32Array(I * wide), y = new Float32Array(O * T), size = I * K;
  for (let i = 0; i < I; i++) padded.set(x.subarray(i * T, (i + 1) * T), i * wide + ((K - 1) >> 1));
  const rows = [0, 1, 2, 3].map(() => new Float64Array(T)), [a, b, c, d] = rows;
  for (let o = 0; o < O; o += 4) {
    const most = Math.min(4, O - o), of = (r, n) => (r < most ? weight[(o + r) * size + n] : 0);
    rows.forEach((row, r) => row.fill(r < most ? bias[o + r] : 0));
    for (let n = 0; n < size; n++) {
      const from = Math.floor(n / K) * wide + (n % K), wa = of(0, n), wb = of(1, n), wc = of(2, n), wd = of(3, n);
      for (let t = 0; t < T; t++) {
        const v = padded[from + t];
        a[t] += wa * v; b[t] += wb * v; c[t] += wc * v; d[t] += wd * v;
      }
    }
    for (let r = 0; r < most; r++) y.set(rows[r], (o + r) * T);
  }
  return y;
}

/** scores (T, T), s_ij = q_i · k_j of queries and keys (d, T). */
function compare(query, key, T) {
  const scores = new Float64Array(T * T);
  for (let from = 0; from < query.length; from += T)
    for (let i = 0; i < T; i++) {
      const q = query[from + i], row = i * T;
      for (let j = 0; j < T; j++) scores[row + j] += q * key[from + j];
    }
  return scores;
}

function transposed(table, T) {
  return table.map((_, n) => table[(n % T) * T + Math.floor(n / T)]);
}

/** The weights (T, T) that scores become, by the formula or by a mistake of the lesson's catalogue. */
function weigh(scores, T, mistake, temperature) {
  if (mistake === "softmax_missing") return scores.slice();
  if (mistake === "softmax_over_queries") return transposed(softmax(transposed(scores, T), T, temperature), T);
  const weights = softmax(scores.slice(), T, temperature);
  if (mistake !== "hard_attention") return weights;
  for (let from = 0; from < weights.length; from += T) {
    const row = weights.subarray(from, from + T), best = row.indexOf(Math.max(...row));
    row.fill(0)[best] = 1;
  }
  return weights;
}

/** y_i = Σ_j A_ij v_j: weights (T, T), values (E, T) -> (E, T). */
function mix(weights, value, T) {
  const y = new Float32Array(value.length);
  for (let from = 0; from < value.length; from += T)
    for (let i = 0; i < T; i++) {
      let sum = 0;
      for (let j = 0, row = i * T; j < T; j++) sum += weights[row + j] * value[from + j];
      y[from + i] = sum;
    }
  return y;
}

function attend(x, T, layer, temperature, mistake) {
  const query = conv(x, T, layer.query), key = conv(x, T, layer.keys), value = conv(x, T, layer.value);
  const scores = compare(query, key, T);
  if (mistake === "scaled_by_key_dim") scores.forEach((s, n) => { scores[n] = s / Math.sqrt(layer.key); });
  if (mistake === "masked_future") scores.forEach((_, n) => { if (n % T > Math.floor(n / T)) scores[n] = -Infinity; });
  const weights = weigh(scores, T, mistake, temperature);
  const used = mistake === "attention_transposed_in_output" ? transposed(weights, T) : weights;
  return { y: mix(used, value, T), inside: { query, key, scores, weights, size: layer.key } };
}

/** x (C, T) -> {y (T), inside: the attention layer's queries, keys, scores and weights, or null without one}. */
export function run(network, x, T, { temperature = 1, mistake = "" } = {}) {
  let inside = null;
  for (const layer of network.layers)
    if (layer.kind === "conv") x = conv(x, T, layer);
    else if (layer.kind === "relu") x = x.map((v) => Math.max(0, v));
    else ({ y: x, inside } = attend(x, T, layer, temperature, mistake));
  return { y: x, inside };
}
