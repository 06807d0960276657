// Reads numbers from a page's message; and the arithmetic that several lessons share, on typed arrays.

const BITS = 10, BLOCK = 32; // as in utils/alive/weights.py

/**
 * The numbers of a base64 string (little-endian): kind "f4" is float32, "f2" float16, "blocks" as `in_blocks` writes
 * them.
 *
 * @param {string} text
 * @param {string} kind
 * @returns {Float32Array<ArrayBuffer>}
 */
export function numbers(text, kind) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let n = 0; n < bytes.length; n++) bytes[n] = letters.charCodeAt(n);
  if (kind === "f4") return new Float32Array(bytes.buffer);
  if (kind !== "f2") return blocks(bytes);
  const halves = new Uint16Array(bytes.buffer), row = new Float32Array(halves.length);
  for (let n = 0; n < row.length; n++) row[n] = half(halves[n]);
  return row;
}

/**
 * Weights in blocks of BLOCK integers of BITS bits, which share the size of the largest.
 *
 * @param {Uint8Array} bytes
 */
function blocks(bytes) {
  const view = new DataView(bytes.buffer);
  const count = view.getUint32(0, true);
  const middle = 2 ** (BITS - 1);
  if (bytes.length !== 4 + Math.ceil(count / BLOCK) * (2 + (BLOCK * BITS) / 8))
    throw new Error(`${count} weights do not fill ${bytes.length} bytes`);
  const row = new Float32Array(count);
  // `bits` has the bits that are read and not used yet; `have` is their number.
  let at = 4, size = 0, bits = 0, have = 0;
  for (let n = 0; n < row.length; n++) {
    if (n % BLOCK === 0) {
      size = half(view.getUint16(at, true)) / (middle - 1);
      at += 2;
    }
    for (; have < BITS; have += 8) bits = (bits << 8) | bytes[at++];
    have -= BITS;
    row[n] = ((bits >> have) - middle) * size;
    bits &= (1 << have) - 1;
  }
  return row;
}

const POWERS = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent - 15));

/**
 * The value of a float16 given by its 16 bits: 1 of sign, 5 of exponent, 10 of fraction.
 *
 * @param {number} bits
 */
function half(bits) {
  const exponent = (bits >> 10) & 31, fraction = bits & 1023;
  let size = (1 + fraction / 1024) * POWERS[exponent];
  if (exponent === 0) size = fraction * 2 ** -24;
  if (exponent === 31) size = fraction ? NaN : Infinity;
  return bits & 0x8000 ? -size : size;
}

/**
 * Cuts one array of weights into parts: `take(12)` gives the next 12; `end()` throws unless all are taken.
 *
 * @param {Float32Array<ArrayBuffer>} weights
 */
export function cutter(weights) {
  let at = 0;
  /** @param {number} count */
  const take = (count) => {
    if (at + count > weights.length) throw new Error(`${weights.length} weights are too few`);
    return weights.subarray(at, (at += count));
  };
  const end = () => {
    if (at !== weights.length) throw new Error(`${weights.length} weights, but the layers take ${at}`);
  };
  return { take, end };
}

/**
 * The largest difference of two arrays, divided by the largest size in `expected` (at least 1); NaN if any is NaN.
 *
 * @param {Alive.Row} computed
 * @param {Float32Array} expected
 */
export function difference(computed, expected) {
  let most = 0, size = 1;
  expected.forEach((value, i) => {
    const distance = Math.abs(value - computed[i]);
    most = distance <= most ? most : distance; // comparisons with NaN are false, so that NaN becomes and stays `most`
    size = Math.max(size, Math.abs(value));
  });
  return computed.length === expected.length ? most / size : NaN;
}

/**
 * softmax(scores / temperature) of each row of `width` scores, in place.
 *
 * @template {Alive.Numbers} T
 * @param {T} scores
 * @param {number} width
 * @returns {T}
 */
export function softmax(scores, width, temperature = 1) {
  for (let from = 0; from < scores.length; from += width) {
    let most = -Infinity, sum = 0;
    for (let j = from; j < from + width; j++) most = Math.max(most, scores[j]);
    for (let j = from; j < from + width; j++) sum += scores[j] = Math.exp((scores[j] - most) / temperature);
    for (let j = from; j < from + width; j++) scores[j] /= sum;
  }
  return scores;
}

/**
 * y = W x + b with W (out, in) row by row; `bias` may be null. Four rows at a time, because each addition to one sum
 * waits for the one before it; row by row takes three times as long.
 *
 * @param {Alive.Row} x
 * @param {Alive.Dense} layer
 */
export function linear(x, { out, weight, bias }) {
  const width = x.length, y = new Float32Array(out);
  if (bias) y.set(bias);
  let o = 0, at = 0;
  for (; o + 3 < out; o += 4, at += 4 * width) {
    let a = y[o], b = y[o + 1], c = y[o + 2], d = y[o + 3];
    for (let i = 0, n = at; i < width; i++, n++) {
      const v = x[i];
      a += weight[n] * v; b += weight[n + width] * v; c += weight[n + 2 * width] * v; d += weight[n + 3 * width] * v;
    }
    y[o] = a; y[o + 1] = b; y[o + 2] = c; y[o + 3] = d;
  }
  for (; o < out; o++) {
    let sum = y[o];
    for (let i = 0; i < width; i++) sum += weight[at++] * x[i];
    y[o] = sum;
  }
  return y;
}

/**
 * The indices of the `count` largest numbers, largest first.
 *
 * @param {Alive.Row} values
 * @param {number} count
 */
export const largest = (values, count) =>
  Array.from(values, (_, i) => i).sort((a, b) => values[b] - values[a]).slice(0, count);

/** @type {(value: number, low: number, high: number) => number} */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
