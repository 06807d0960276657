// The field for a French sentence: words that complete the one being written, and words near one that is unknown.
import { button, make } from "../../alive/js/page.js";
import { completions, near, normal } from "./words.js";

const OFFERED = 6; // words at a time

/**
 * `changed(text)` is called after each letter. The offered words are a listbox of the field: arrow keys choose one,
 * Enter writes it, Escape sends the list away.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {{ known: Map<string, number>, text: string, changed: (text: string) => void }} options
 */
export function field(page, parent, { known, text, changed }) {
  const { say } = page;
  const label = make(parent, "label", { class: "french" });
  make(label, "span", {}, say("sentence"));
  const input = make(label, "input", {
    type: "text",
    value: text,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    lang: "fr",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "offered",
    "aria-expanded": "false",
  });
  const help = make(parent, "p", { class: "choices near" }), why = make(help, "span", { role: "status" });
  const list = make(help, "span", { class: "choices", role: "listbox", id: "offered", "aria-label": say("near") });
  let chosen = -1;

  /** The word at the caret: {from, to, word} in the field's text. */
  function atCaret() {
    const to = input.selectionStart ?? input.value.length, [before] = /\p{L}*$/u.exec(input.value.slice(0, to)) ?? [""];
    const [after] = /^\p{L}*/u.exec(input.value.slice(to)) ?? [""];
    return { from: to - before.length, to: to + after.length, word: before + after };
  }
  /**
   * The first word that the vocabulary lacks: {from, to, word}, or undefined.
   *
   * @returns {Seq2seq.Piece | undefined}
   */
  function strange() {
    const words = [...input.value.matchAll(/[\p{L}\p{Mn}]+/gu)].map(({ 0: word, index }) => ({
      from: index,
      to: index + word.length,
      word,
    }));
    return words.find(({ word }) =>
      normal(word)
        .split(" ")
        .some((piece) => !known.has(piece)),
    );
  }
  /**
   * @param {Seq2seq.Piece} piece
   * @param {string} word
   */
  function put({ from, to }, word) {
    const rest = input.value.slice(to), space = /^\s/.test(rest) ? "" : " ";
    input.value = input.value.slice(0, from) + word + space + rest;
    input.focus();
    input.setSelectionRange(from + word.length + 1, from + word.length + 1);
    changed(input.value);
    offer(false);
  }
  /**
   * Offers completions of the word at the caret while one `writes`; else words near the first unknown one.
   *
   * @param {boolean} writes
   */
  function offer(writes) {
    const current = atCaret(), lacking = strange();
    const begun = writes && current.word ? completions(normal(current.word), known, OFFERED) : [];
    let target = current, words = begun;
    why.textContent = begun.length ? say("complete", { word: current.word }) : "";
    if (!begun.length && lacking) {
      target = lacking;
      words = near(normal(lacking.word), [...known.keys()], OFFERED);
      why.textContent = say("unknown", { word: lacking.word });
    }
    list.replaceChildren();
    words.forEach((word, n) =>
      button(list, word, () => put(target, word), {
        lang: "fr",
        role: "option",
        id: `offered-${n}`,
        tabindex: -1,
        "aria-selected": false,
      }),
    );
    choose(-1);
  }
  /** @param {number} n */
  function choose(n) {
    chosen = n;
    [...list.children].forEach((option, m) => option.setAttribute("aria-selected", m === n));
    input.setAttribute("aria-expanded", list.children.length > 0);
    if (n < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `offered-${n}`);
  }
  input.addEventListener("input", () => { changed(input.value); offer(true); });
  input.addEventListener("keydown", (event) => {
    const count = list.children.length, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!count) return;
    if (step) choose((chosen + step + count + (chosen < 0 && step < 0 ? 1 : 0)) % count);
    else if (event.key === "Enter" && chosen >= 0) list.querySelectorAll("button")[chosen].click();
    else if (event.key === "Escape") { list.replaceChildren(); why.textContent = ""; choose(-1); }
    else return;
    event.preventDefault();
  });
  /** @param {string} sentence */
  const write = (sentence) => { input.value = sentence; changed(sentence); offer(false); };
  return { label, write };
}
