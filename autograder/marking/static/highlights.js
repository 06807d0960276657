// Words that belong to items, and words that differ from a near-copy, highlighted in the shown answers.
// The highlights are the browser's (CSS Custom Highlight API): the text itself stays as it is.

const HAN = /[\u3400-\u9fff]/;
// What follows of a word or a number, in letters other than Chinese signs; no word has more letters than LONGEST.
const REST = /^[^\P{L}\u3400-\u9fff]*\d*/u;
const LONGEST = 40;

/**
 * Each letter without case and accent. The length stays, so that places in the result are places in the text.
 *
 * @param {string} text
 */
export function folded(text) {
  return [...text]
    .map((sign) => (sign.normalize("NFD")[0] + " ".repeat(sign.length)).slice(0, sign.length))
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
 * The words of an element's text that begin like one of the wanted ones; in Chinese, the signs themselves.
 *
 * @param {Element} element
 * @param {string[]} words
 */
export function places(element, words) {
  const wanted = words.map((word) => folded(word.trim())).filter(Boolean);
  return found(element, (text) => wanted.flatMap((word) => [...beginnings(text, word)]));
}

/**
 * Where words that begin with `word` stand in a text: start and end.
 *
 * @param {string} text
 * @param {string} word
 * @returns {Generator<[number, number]>}
 */
function* beginnings(text, word) {
  const alone = word.length < 3 || /\d$/.test(word); // "ne" does not begin "net", nor 17 begin 170
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const inside = at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]) && !HAN.test(word) && !HAN.test(text[at - 1]);
    const end = at + word.length;
    const rest = HAN.test(word.slice(-1)) ? 0 : (REST.exec(text.slice(end, end + LONGEST))?.[0].length ?? 0);
    if (!inside && !(alone && rest)) yield [at, end + rest];
  }
}

/**
 * The words of an element's text that do not stand in another element's.
 *
 * @param {Element} element
 * @param {Element} other
 */
export function differences(element, other) {
  const known = new Set(segments(folded(other.textContent)).map(([, , word]) => word));
  return found(element, (text) => segments(text).filter(([, , word]) => !known.has(word)));
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
 * The ranges of an element's text that `spans` finds in each folded piece of it.
 *
 * @param {Element} element
 * @param {(text: string) => Iterable<[number, number, ...unknown[]]>} spans
 */
function found(element, spans) {
  const ranges = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    for (const [start, end] of spans(folded(node.data))) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, Math.min(end, node.length));
      ranges.push(range);
    }
  }
  return ranges;
}
