// A text that a model writes: its letters, one of them pointed at; its names, each in a colour; what the grammar says.
import { make } from "../../alive/js/page.js";

/** Names in a text by its places: {name, number, again, from, to}; the last word, which may go on, is none. */
export function names(text) {
  const known = [];
  return [...text.matchAll(/[A-Z][a-z]*/g)].filter((one) => one.index + one[0].length < text.length).map((one) => {
    const again = known.includes(one[0]);
    if (!again) known.push(one[0]);
    return { name: one[0], number: known.indexOf(one[0]), again, from: one.index, to: one.index + one[0].length };
  });
}

/** How many of a text's sentences have the grammar's form: {good, of}; a last one without its full stop is not counted. */
export function judged(text, sentence) {
  const form = new RegExp(`^(?:${sentence})$`), sentences = text.split(".").slice(0, -1).map((one) => one.trim());
  return { good: sentences.filter((one) => form.test(one)).length, of: sentences.length };
}

/** A letter as the page shows it: a blank and a line end have signs. */
export const sign = (letter) => ({ " ": "␣", "\n": "⏎" })[letter] ?? letter;

/**
 * A text in a part of its own. `pointed(place)` is told the letter under the pointer, or at the arrow keys.
 * Returns {part, show(text, ...), light(place, weights, ...)}.
 */
export function tale(page, parent, { name, people, sentence, pointed }) {
  const { say } = page, part = page.section("tale", say("writes", { name }), parent);
  const sheet = make(part, "div", { class: "letters", tabindex: 0, role: "slider", "aria-label": say("letters", { name }), "aria-valuemin": 1, lang: "" });
  const cast = make(part, "p", { class: "cast" });
  let at = 0, count = 1;
  sheet.addEventListener("pointerover", ({ target }) => { if (target.dataset.place) pointed(Number(target.dataset.place)); });
  sheet.addEventListener("click", ({ target }) => { if (target.dataset.place) pointed(Number(target.dataset.place)); });
  sheet.addEventListener("keydown", (event) => {
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    pointed(Math.max(0, Math.min(count - 1, to)), true);
  });

  /** Shows a text whose first `given` letters are the beginning; `forced[place]` was chosen by hand. */
  function show(text, given, forced) {
    const told = names(text), found = new Map(told.flatMap((one) => Array.from(one.name, (_, n) => [one.from + n, one])));
    sheet.replaceChildren();
    count = text.length;
    Array.from(text).forEach((letter, place) => {
      const one = found.get(place), kind = one ? ` name ${one.number < people ? `n${one.number}` : "more"} ${one.again ? "again" : "first"}` : "";
      const chosen = place >= given && forced[place] !== undefined && place === forced.length - 1;
      make(sheet, "span", { "data-place": place, class: `${place < given ? "given" : ""}${chosen ? " forced" : ""}${kind}` }, letter === "\n" ? "⏎" : letter);
    });
    cast.replaceChildren();
    const all = [...new Map(told.map((one) => [one.name, one])).values()];
    make(cast, "span", {}, say("cast", { count: all.length, people }));
    all.forEach((one, n) => make(cast, "span", { class: `name ${n < people ? `n${n}` : "more"}` }, one.name));
    make(cast, "span", {}, say("formed", judged(text, sentence)));
  }
  /** Marks the letter at a place, and darkens all by their weights (null: none); those after `until` are not yet written. */
  function light(place, weights, until, words) {
    at = place;
    Array.from(sheet.children).forEach((one, n) => {
      one.style.setProperty("--weight", weights && weights[n] ? Math.sqrt(weights[n]).toFixed(3) : 0);
      one.classList.toggle("at", weights !== null && n === place);
      one.classList.toggle("later", n > until);
    });
    sheet.setAttribute("aria-valuemax", count);
    sheet.setAttribute("aria-valuenow", place + 1);
    sheet.setAttribute("aria-valuetext", words);
    part.classList.toggle("explored", weights !== null);
  }
  return { part, show, light, focus: () => sheet.focus() };
}
