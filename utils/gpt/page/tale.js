// A text that a model writes: its letters, one of them pointed at; its names, each in a colour; what the grammar says.
import { make } from "../../alive/js/page.js";

/**
 * The names in a text, its capitalised words, each from its first letter to behind its last:
 * {name, number, again, from, to}. A word at the text's end may be unfinished, and is left out.
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
 * How many of a text's sentences have the grammar's form: {good, of}; a last one without its full stop is not counted.
 *
 * @param {string} text
 * @param {string} sentence
 */
export function judged(text, sentence) {
  const form = new RegExp(`^(?:${sentence})$`), sentences = text.split(".").slice(0, -1).map((said) => said.trim());
  return { good: sentences.filter((said) => form.test(said)).length, of: sentences.length };
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
 * A text in a part of its own. `pointed(place)` is told the letter under the pointer, or at the arrow keys.
 * Returns {element, show(text, ...), light(place, weights, ...)}.
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
  const cast = make(element, "p", { class: "cast" });
  let at = 0;
  let count = 1;
  /** @param {Event} event */
  const follow = (event) => {
    /** @type {any} */
    const letter = event.target;
    if (letter.dataset.place) pointed(Number(letter.dataset.place));
  };
  sheet.addEventListener("pointerover", follow);
  sheet.addEventListener("click", follow);
  sheet.addEventListener("keydown", (event) => {
    const [before, after] = [at - 1, at + 1];
    /** @type {Record<string, number>} */
    const places = { ArrowRight: after, ArrowDown: after, ArrowLeft: before, ArrowUp: before, Home: 0, End: count - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    pointed(Math.max(0, Math.min(count - 1, to)), true);
  });

  /**
   * Shows a text whose first `given` letters are the beginning; `forced[place]` was chosen by hand.
   *
   * @param {string} text
   * @param {number} given
   * @param {(number | undefined)[]} forced
   */
  function show(text, given, forced) {
    const told = names(text);
    /** @type {Map<number, Gpt.Person>} */
    const found = new Map();
    for (const person of told) for (let n = 0; n < person.name.length; n++) found.set(person.from + n, person);
    sheet.replaceChildren();
    count = text.length;
    Array.from(text).forEach((letter, place) => {
      const person = found.get(place);
      const kind = person
        ? ` name ${person.number < people ? `n${person.number}` : "more"} ${person.again ? "again" : "first"}`
        : "";
      const chosen = place >= given && forced[place] !== undefined && place === forced.length - 1;
      make(
        sheet,
        "span",
        { "data-place": place, class: `${place < given ? "given" : ""}${chosen ? " forced" : ""}${kind}` },
        letter === "\n" ? "⏎" : letter,
      );
    });
    cast.replaceChildren();
    const all = [...new Map(told.map((person) => [person.name, person])).values()];
    make(cast, "span", {}, say("cast", { count: all.length, people }));
    all.forEach((person, n) => make(cast, "span", { class: `name ${n < people ? `n${n}` : "more"}` }, person.name));
    make(cast, "span", {}, say("formed", judged(text, sentence)));
  }
  /**
   * Marks the letter at a place, and darkens all by their weights (null: none); those after `until` are not yet
   * written.
   *
   * @param {number} place
   * @param {Alive.Row | null} weights
   * @param {number} until
   * @param {string} words
   */
  function light(place, weights, until, words) {
    at = place;
    sheet.querySelectorAll("span").forEach((letter, n) => {
      letter.style.setProperty("--weight", weights && weights[n] ? Math.sqrt(weights[n]).toFixed(3) : "0");
      letter.classList.toggle("at", weights !== null && n === place);
      letter.classList.toggle("later", n > until);
    });
    sheet.setAttribute("aria-valuemax", count);
    sheet.setAttribute("aria-valuenow", place + 1);
    sheet.setAttribute("aria-valuetext", words);
    element.classList.toggle("explored", weights !== null);
  }
  return { element, show, light, focus: () => sheet.focus() };
}
