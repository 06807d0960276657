// French words as typed: their normal form, as in utils/seq2seq/normalise.py, and words of the vocabulary that
// are near.

/**
 * Lower case without accents, a space before each of `.!?`, and a space for everything else that is not a letter.
 *
 * @param {string} text
 */
export const normal = (text) => text.toLowerCase().trim().normalize("NFD").replace(/\p{Mn}/gu, "")
  .replace(/([.!?])/g, " $1").replace(/[^a-zA-Z.!?]+/g, " ").trim();

/**
 * The number of letters to insert, delete or replace to make one word of the other.
 *
 * @param {string} word
 * @param {string} other
 */
export function distance(word, other) {
  let before = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= word.length; i++) {
    const now = [i];
    for (let j = 1; j <= other.length; j++)
      now[j] = Math.min(before[j] + 1, now[j - 1] + 1, before[j - 1] + (word[i - 1] === other[j - 1] ? 0 : 1));
    before = now;
  }
  return before[other.length];
}

/**
 * The first `count` words of a vocabulary that begin with a part of a word and are longer, in the vocabulary's order.
 *
 * @type {(begun: string, vocabulary: Map<string, number>, count: number) => string[]}
 */
export const completions = (begun, vocabulary, count) =>
  begun && !begun.includes(" ")
    ? [...vocabulary.keys()].filter((word) => word.startsWith(begun) && word !== begun).slice(0, count)
    : [];

/**
 * The `count` words of a vocabulary that are nearest to a word: those that begin with it, then those spelt alike.
 *
 * @param {string} word
 * @param {string[]} vocabulary
 * @param {number} count
 */
export function near(word, vocabulary, count) {
  /** @param {string} other */
  const far = (other) => (other.startsWith(word) ? 0 : distance(word, other)) + other.length / 100;
  return vocabulary.filter((other) => other !== word).map((other) => ({ other, off: far(other) }))
    .sort((a, b) => a.off - b.off).slice(0, count).map(({ other }) => other);
}
