// Writing: the next letter is drawn from the likeliest ones, with dice that belong to a seed and a position.
import { largest, softmax } from "../../alive/js/numbers.js";
import { memory, read } from "./model.js";

/**
 * Probabilities of the next letter at a temperature: softmax(logits / temperature).
 *
 * @param {Float32Array} logits
 * @param {Gpt.DrawOptions} options
 */
export function probabilities(logits, { temperature = 1, mistake = "" } = {}) {
  return softmax(
    Float64Array.from(logits),
    logits.length,
    mistake === "nucleus_temperature_multiplied" ? 1 / temperature : temperature,
  );
}

/**
 * Probabilities of the next letter: of the likeliest ones that together have `topP`; the others are 0.
 *
 * @param {Float32Array} logits
 * @param {Gpt.DrawOptions} options
 */
export function nucleus(logits, { topP = 1, mistake = "", ...warmth } = {}) {
  const p = probabilities(logits, { mistake, ...warmth }), kept = new Float64Array(p.length);
  /** @type {Iterable<number>} */
  const order = mistake === "nucleus_not_sorted" ? p.map((_, n) => n) : largest(p, p.length);
  let before = 0;
  for (const n of order) {
    if (before < topP) kept[n] = p[n];
    before += p[n];
  }
  const all = kept.reduce((sum, share) => sum + share, 0);
  return kept.map((share) => share / all);
}

/**
 * A pseudo-random number in [0, 1): the same for the same seed and position (a mixer of bits, as in mulberry32).
 *
 * @param {number} seed
 * @param {number} position
 */
export function dice(seed, position) {
  let a = (seed * 0x9e3779b1 + position * 0x6d2b79f5) | 0;
  a = Math.imul(a ^ (a >>> 15), a | 1);
  a ^= a + Math.imul(a ^ (a >>> 7), a | 61);
  return ((a ^ (a >>> 14)) >>> 0) / 2 ** 32;
}

/**
 * The letter drawn by a number in [0, 1]: the first one whose probability, added to those before it, exceeds the
 * number.
 *
 * @param {Alive.Row} p
 * @param {number} thrown
 */
export function chosen(p, thrown) {
  let sum = 0, last = 0;
  for (let n = 0; n < p.length; n++) {
    if (p[n] === 0) continue;
    last = n;
    sum += p[n];
    if (sum > thrown) return n;
  }
  return last;
}

/**
 * Writes after a beginning until the line end or `longest` letters. A generator: after each letter it yields {letters,
 * known}, so that a page can show a part and go on later. `forced`: letters chosen by hand, by position.
 *
 * @param {Gpt.Model} model
 * @param {number[]} start
 * @param {Gpt.WriteOptions} options
 * @returns {Generator<Gpt.Step, void>}
 */
export function* writing(model, start, { seed = 0, forced = [], longest, end, ...options }) {
  const letters = [...start];
  let known = read(model, memory(model, start.length), letters, options);
  yield { letters, known };
  while (letters.length < longest) {
    const position = letters.length, logits = known.logits[known.logits.length - 1];
    const letter = forced[position] ?? chosen(nucleus(logits, options), dice(seed, position));
    letters.push(letter);
    // Without a mask each letter changes what all before it see, so that all is read again.
    if (options.mistake === "attention_no_mask") known = read(model, memory(model, start.length), letters, options);
    else read(model, known, [letter], options);
    yield { letters, known };
    if (letter === end) return;
  }
}

/**
 * The whole text: the last {letters, known} of `writing`.
 *
 * @param {Gpt.Model} model
 * @param {number[]} start
 * @param {Gpt.WriteOptions} options
 * @returns {Gpt.Step}
 */
export function written(model, start, options) {
  /** @type {any} */
  let last;
  for (const step of writing(model, start, options)) last = step;
  return last;
}
