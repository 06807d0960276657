// Highlights, in answers, the words of the rubric's items, and the words by which near-copies differ.
// The highlights are the browser's (CSS Custom Highlight API): the page's elements stay as they are.

const HAN = /[\u3400-\u9fff]/;
// The end of a word or a number, in letters other than Chinese characters. A longer word than LONGEST is cut.
const REST = /^[^\P{L}\u3400-\u9fff]*\d*/u;
const LONGEST = 40;

/**
 * A text without case and accents. Its length stays, so that an index in the result is the same index in the text.
 *
 * @param {string} text
 */
export function folded(text) {
  return [...text]
    .map((letter) => (letter.normalize("NFD")[0] + " ".repeat(letter.length)).slice(0, letter.length))
    .join("")
    .toLowerCase();
}

/**
 * @param {string} name
 * @param {Range[]} ranges
 */
export function highlight(name, ranges) {
  if (!("highlights" in CSS)) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

/**
 * The ranges of an element's words that begin with one of `words`; in Chinese, the ranges of `words` themselves.
 *
 * @param {Element} element
 * @param {string[]} words
 */
export function matches(element, words) {
  const beginnings = words.map((word) => folded(word.trim())).filter(Boolean);
  return ranges(element, (text) => beginnings.flatMap((beginning) => [...wordsWith(text, beginning)]));
}

/**
 * The words of a text that begin with `beginning`: their starts and ends.
 *
 * @param {string} text
 * @param {string} beginning
 * @returns {Generator<[number, number]>}
 */
function* wordsWith(text, beginning) {
  const wholeWord = beginning.length < 3 || /\d$/.test(beginning); // "ne" must not match "net", nor 17 match 170
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    // Chinese has no spaces, so that a match may follow a letter directly.
    const inside = at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]) && !HAN.test(beginning) && !HAN.test(text[at - 1]);
    const end = at + beginning.length;
    const rest = HAN.test(beginning.slice(-1)) ? 0 : (REST.exec(text.slice(end, end + LONGEST))?.[0].length ?? 0);
    if (!inside && !(wholeWord && rest)) yield [at, end + rest];
  }
}

/**
 * The ranges of an element's words that another element does not contain.
 *
 * @param {Element} element
 * @param {Element} other
 */
export function differences(element, other) {
  const known = new Set(segments(folded(other.textContent)).map(([, , word]) => word));
  return ranges(element, (text) => segments(text).filter(([, , word]) => !known.has(word)));
}

/**
 * The words of a text: start, end and word.
 *
 * @param {string} text
 * @returns {[number, number, string][]}
 */
function segments(text) {
  const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].filter(
    (segment) => segment.isWordLike,
  );
  return words.map((word) => [word.index, word.index + word.segment.length, word.segment]);
}

/**
 * The ranges in an element's text nodes. `spans` returns starts and ends in the folded text of one node.
 *
 * @param {Element} element
 * @param {(text: string) => Iterable<[number, number, ...unknown[]]>} spans
 */
function ranges(element, spans) {
  const all = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    for (const [start, end] of spans(folded(node.data))) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, Math.min(end, node.length));
      all.push(range);
    }
  }
  return all;
}
