// What the three memories of the lesson keep and bring back, with the student's trained vectors: `softmax` keeps all
// keys and values, `table` adds to a table, `delta` corrects a table.
import { cutter, largest, linear, numbers, softmax } from "../../alive/js/numbers.js";

const FADING = 0.9; // the factor of the mistake `write_fades`

/**
 * The vectors of a message's memory: a key and a query for each guest, a value for each room, and the output layer.
 *
 * @param {Recall.Spec} spec
 * @returns {Recall.Memory}
 */
export function load(spec) {
  const { guests, rooms, size } = spec;
  const { take, end } = cutter(numbers(spec.weights, "f2"));
  const [keys, queries, values] = [guests, guests, rooms].map((count) => take(count * size));
  const output = { out: rooms, weight: take(rooms * size), bias: take(rooms) };
  end();
  return { ...spec, keys, queries, values, output };
}

/**
 * Vector number `n` of those one after the other in `vectors`.
 *
 * @param {Float32Array} vectors
 * @param {number} n
 * @param {number} size
 */
export const vector = (vectors, n, size) => vectors.subarray(n * size, (n + 1) * size);

/** @type {(a: Alive.Row, b: Alive.Row) => number} */
export function dot(a, b) {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}

/**
 * Whether all pairs are kept, and read by a softmax.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Options} options
 */
export const keepsAll = ({ kind }, { mistake }) =>
  kind === "softmax" || (kind === "table" && mistake === "read_all_softmax");

/**
 * The scores of all pairs for a guest, before the softmax; of a table with the mistake `read_all_softmax` unscaled.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 * @param {number} guest
 */
export function scores({ kind, keys, queries, size }, told, guest) {
  const query = vector(queries, guest, size), scale = kind === "softmax" ? Math.sqrt(size) : 1;
  return Float32Array.from(told, (pair) => dot(query, vector(keys, pair.guest, size)) / scale);
}

/**
 * How much of each told value comes back for a guest, one number for each pair.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 * @param {number} guest
 * @param {Recall.Options} options
 */
export function shares(memory, told, guest, options) {
  const { kind, keys, queries, size } = memory, { mistake, strength } = options;
  if (keepsAll(memory, options)) return softmax(scores(memory, told, guest), told.length);
  const query = vector(queries, guest, size).slice();
  if (mistake === "read_scaled") query.forEach((q, c) => { query[c] = q / Math.sqrt(size); });
  const found = new Float32Array(told.length), last = told.length - 1;
  const step = mistake === "delta_sign" ? -strength : strength;
  // From the last pair back: a correction with key k takes the part of the query along k away from all earlier pairs.
  for (let t = last; t >= 0; t--) {
    const key = vector(keys, told[t].guest, size), along = dot(query, key);
    if (kind === "table") {
      found[t] = along;
      if (mistake === "write_fades") found[t] *= FADING ** (last - t);
      if (mistake === "write_replaces" && t < last) found[t] = 0;
      continue;
    }
    found[t] = step * along;
    if (mistake !== "delta_only_adds") for (let c = 0; c < size; c++) query[c] -= found[t] * key[c];
  }
  return found;
}

/**
 * How shares are shown: with so many digits, and their bars in units of `unit`. A memory whose vectors are tiny brings
 * back tiny parts of all values, of which the largest is shown with two digits.
 *
 * @param {Alive.Row} found the shares
 * @returns {{ digits: number, unit: number }}
 */
export function scaleOf(found) {
  let most = 0;
  for (let t = 0; t < found.length; t++) most = Math.max(most, Math.abs(found[t]));
  return most > 0 && most < 0.05 ? { digits: 1 - Math.floor(Math.log10(most)), unit: most } : { digits: 2, unit: 1 };
}

/**
 * The table after all pairs, (size, size) row by row; null for a memory that keeps all pairs.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 * @param {Recall.Options} options
 */
export function tableOf(memory, told, options) {
  if (keepsAll(memory, options)) return null;
  const { kind, keys, values, size } = memory, { mistake, strength } = options;
  const table = new Float32Array(size * size), step = mistake === "delta_sign" ? -strength : strength;
  for (const { guest, room } of told) {
    const key = vector(keys, guest, size), value = vector(values, room, size);
    if (kind === "table") {
      if (mistake === "write_replaces") table.fill(0);
      if (mistake === "write_fades") table.forEach((number, n) => { table[n] = FADING * number; });
      write(table, key, value, 1);
    } else {
      const believed = mistake === "delta_only_adds" ? new Float32Array(size) : read(table, key);
      write(table, key, value.map((v, c) => v - believed[c]), step);
    }
  }
  return table;
}

/**
 * Adds `factor` times the product of a key (rows) and a value (columns).
 *
 * @param {Float32Array} table
 * @param {Float32Array} key
 * @param {Float32Array} value
 * @param {number} factor
 */
function write(table, key, value, factor) {
  const { length } = value;
  key.forEach((k, i) => {
    for (let j = 0; j < length; j++) table[i * length + j] += factor * k * value[j];
  });
}

/**
 * The product of a key and a table.
 *
 * @param {Float32Array} table
 * @param {Float32Array} key
 */
function read(table, key) {
  const { length } = key, value = new Float32Array(length);
  key.forEach((k, i) => {
    for (let j = 0; j < length; j++) value[j] += k * table[i * length + j];
  });
  return value;
}

/**
 * The scores of all rooms for a guest, of whom `table` (or the pairs, if it is null) has been told.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 * @param {Float32Array | null} table
 * @param {number} guest
 * @param {Recall.Options} options
 */
export function rooms(memory, told, table, guest, options) {
  const { values, output, size } = memory;
  let returned = new Float32Array(size);
  if (table) {
    returned = read(table, vector(memory.queries, guest, size));
    if (options.mistake === "read_scaled") returned = returned.map((y) => y / Math.sqrt(size));
  } else {
    const weights = shares(memory, told, guest, options);
    told.forEach(({ room }, t) => {
      const value = vector(values, room, size);
      for (let c = 0; c < size; c++) returned[c] += weights[t] * value[c];
    });
  }
  return linear(returned, output);
}

/**
 * What a memory answers for each guest it was told of: the room told last, the room answered, and how sure it is.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 * @param {Recall.Options} options
 * @returns {Recall.Known}
 */
export function remember(memory, told, options) {
  const table = tableOf(memory, told, options), latest = new Map(told.map(({ guest, room }) => [guest, room]));
  /** @type {Recall.Known["answers"]} */
  const answers = new Map();
  latest.forEach((right, guest) => {
    const found = rooms(memory, told, table, guest, options), [room] = largest(found, 1);
    answers.set(guest, { right, room, sure: softmax(found, found.length)[room] });
  });
  return { table, answers };
}

/**
 * The share of guests whose room is answered rightly.
 *
 * @param {Recall.Known} known
 */
export function rightShare({ answers }) {
  let right = 0;
  for (const answer of answers.values()) right += Number(answer.room === answer.right);
  return right / answers.size;
}
