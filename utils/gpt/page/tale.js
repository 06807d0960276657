// The text that a model writes: its letters, one of them selected; its names, each in a colour; how many of its
// sentences have the grammar's form.
import { make } from "../../alive/js/page.js";

/**
 * The names in a text, which are its capitalised words: {name, number, again, from, to}. `number` counts the different
 * names, `again` says that the name occurred before, the letters are text.slice(from, to). A word at the text's end is
 * left out, because it may be unfinished.
 *
 * @param {string} text
 * @returns {Gpt.Person[]}
 */
export function names(text) {
  /** @type {string[]} */
  const known = [];
  return [...text.matchAll(/[A-Z][a-z]*/g)]
    .filter((match) => match.index + match[0].length < text.length)
    .map((match) => {
      const again = known.includes(match[0]);
      if (!again) known.push(match[0]);
      return {
        name: match[0],
        number: known.indexOf(match[0]),
        again,
        from: match.index,
        to: match.index + match[0].length,
      };
    });
}

/**
 * How many of a text's sentences have the grammar's form: {good, of}. A last sentence without its full stop is not
 * counted. `sentence` is a regular expression of the form.
 *
 * @param {string} text
 * @param {string} sentence
 */
export function judged(text, sentence) {
  const form = new RegExp(`^(?:${sentence})$`);
  const sentences = text.split(".").slice(0, -1).map((line) => line.trim());
  return { good: sentences.filter((line) => form.test(line)).length, of: sentences.length };
}

/** @type {Record<string, string>} */
const SIGNS = { " ": "␣", "\n": "⏎" };

/**
 * A letter as the page shows it: a blank and a line end have signs.
 *
 * @type {(letter: string) => string}
 */
export const sign = (letter) => SIGNS[letter] ?? letter;

/**
 * Adds a section for a text to the page. `pointed(index)` is called with the letter that is selected by pointer or by
 * arrow keys. Returns {element, show(text, ...), light(index, weights, ...),
 * judgement()}, the last in words: names, and sentences of the right form.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Gpt.TaleOptions} options
 */
export function tale(page, parent, { name, people, sentence, pointed }) {
  const { say } = page;
  const element = page.section("tale", say("writes", { name }), parent);
  const sheet = make(element, "div", {
    class: "letters",
    tabindex: 0,
    role: "slider",
    "aria-label": say("letters", { name }),
    "aria-valuemin": 1,
    lang: "",
  });
  const peopleLine = make(element, "p", { class: "cast" });
  let selected = 0;
  let count = 1;
  /** @param {Event} event */
  const select = (event) => {
    /** @type {any} */
    const letter = event.target;
    if (letter.dataset.position) pointed(Number(letter.dataset.position));
  };
  sheet.addEventListener("pointerover", select);
  sheet.addEventListener("click", select);
  sheet.addEventListener("keydown", (event) => {
    const [before, after, last] = [selected - 1, selected + 1, count - 1];
    /** @type {Record<string, number>} */
    const targets = { ArrowRight: after, ArrowDown: after, ArrowLeft: before, ArrowUp: before, Home: 0, End: last };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    pointed(Math.max(0, Math.min(last, target)), true);
  });

  /**
   * Shows a text. Its first `given` letters are the beginning that the model continues; `forced[index]` is a letter
   * that was chosen by hand.
   *
   * @param {string} text
   * @param {number} given
   * @param {(number | undefined)[]} forced
   */
  function show(text, given, forced) {
    const occurrences = names(text);
    /** @type {Map<number, Gpt.Person>} */
    const nameAt = new Map();
    for (const person of occurrences) for (let n = 0; n < person.name.length; n++) nameAt.set(person.from + n, person);
    sheet.replaceChildren();
    count = text.length;
    Array.from(text).forEach((letter, index) => {
      const person = nameAt.get(index);
      const kind = person
        ? ` name ${person.number < people ? `n${person.number}` : "more"} ${person.again ? "again" : "first"}`
        : "";
      const chosen = index >= given && forced[index] !== undefined && index === forced.length - 1;
      make(
        sheet,
        "span",
        { "data-position": index, class: `${index < given ? "given" : ""}${chosen ? " forced" : ""}${kind}` },
        letter === "\n" ? "⏎" : letter,
      );
    });
    sheet.setAttribute("aria-label", `${say("letters", { name })}: ${text}`); // a slider's children are not read
    peopleLine.replaceChildren();
    const different = [...new Map(occurrences.map((person) => [person.name, person])).values()];
    make(peopleLine, "span", {}, say("cast", { count: different.length, people }));
    different.forEach((person, n) =>
      make(peopleLine, "span", { class: `name ${n < people ? `n${n}` : "more"}` }, person.name),
    );
    make(peopleLine, "span", {}, say("formed", judged(text, sentence)));
  }
  /**
   * Marks the letter at an index and darkens all letters by their weights (null: no letter is marked or darkened).
   * Letters after `until` are shown as not yet written.
   *
   * @param {number} index
   * @param {Alive.Row | null} weights
   * @param {number} until
   * @param {string} words
   */
  function light(index, weights, until, words) {
    selected = index;
    sheet.querySelectorAll("span").forEach((letter, n) => {
      letter.style.setProperty("--weight", weights && weights[n] ? Math.sqrt(weights[n]).toFixed(3) : "0");
      letter.classList.toggle("at", weights !== null && n === index);
      letter.classList.toggle("later", n > until);
    });
    sheet.setAttribute("aria-valuemax", count);
    sheet.setAttribute("aria-valuenow", index + 1);
    sheet.setAttribute("aria-valuetext", words);
    element.classList.toggle("explored", weights !== null);
  }
  const judgement = () => {
    const said = Array.from(peopleLine.children, ({ textContent }) => textContent);
    return [say("writes", { name }), ...said].join(" ");
  };
  return { element, show, light, judgement, focus: () => sheet.focus() };
}
