// The answers, one below the other, and near-copies side by side. A student's text comes as HTML that the server has
// cleaned; no script in it could run, because of the page's security policy.

import { differences, highlight, matches } from "./highlights.js";
import { get, grader, points, say, settings } from "./server.js";
import { freeHeight } from "./sight.js";
import { copiesOf, filters, isTaken, ordered, state } from "./state.js";

const list = document.getElementById("answers");
/** @type {<K extends keyof Marking.Elements>(id: K) => Marking.Elements[K]} */
const field = (id) => document.getElementById(id);

/**
 * A new element with these properties and children.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {NoInfer<Partial<HTMLElementTagNameMap[T]>>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** The answers that pass the filter and the search, in the order of the page. */
export function shown() {
  const words = field("search").value.trim().toLowerCase();
  const filtered = ordered(field("odd").value).filter(filters[field("filter").value]);
  return words ? filtered.filter((answer) => plainText(answer).toLowerCase().includes(words)) : filtered;
}

/** @type {Map<string, string>} */
const texts = new Map(); // by HTML; finding the text anew for each letter of a search would be slow
/** @param {Marking.Answer} answer */
function plainText(answer) {
  const text = texts.get(answer.html) ?? element("div", { innerHTML: answer.html }).textContent;
  texts.set(answer.html, text);
  return text;
}

/** @param {Marking.Choose} choose */
export function showAll(choose) {
  const answers = shown();
  list.replaceChildren(...grouped(answers).map((copies) => sideBySide(copies.map((answer) => card(answer, choose)))));
  if (!answers.length) list.append(element("p", { className: "none", textContent: say("No answers to show.") }));
  showProgress();
  showCurrent();
}

/**
 * Groups of answers, in their order: near-copies that follow each other are one group.
 *
 * @param {Marking.Answer[]} answers
 */
function grouped(answers) {
  /** @type {Marking.Answer[][]} */
  const groups = [];
  for (const answer of answers) {
    const last = groups.at(-1);
    if (last?.[0].group === answer.group) last.push(answer);
    else groups.push([answer]);
  }
  return groups;
}

/** @param {HTMLElement[]} cards */
function sideBySide(cards) {
  if (cards.length === 1) return cards[0];
  const group = element("div", { className: "together" }, ...cards);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", say("near-copies"));
  return group;
}

/**
 * @param {Marking.Answer} answer
 * @param {Marking.Choose} choose
 */
export function showOne(answer, choose) {
  document.getElementById(idOf(answer))?.replaceWith(card(answer, choose));
  if (answer.student === state.at) showCurrent({ scroll: false });
  showProgress();
}

/** @param {Marking.Answer} answer */
const idOf = (answer) => `answer-${state.answers.indexOf(answer)}`;

// A text that is too long for its box scrolls, so it takes the focus, for people who scroll by keyboard.
export const reachable = new ResizeObserver((sizes) => {
  for (const { target } of sizes) {
    const text = /** @type {HTMLElement} */ (target);
    if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
    else text.removeAttribute("tabindex");
  }
});

/**
 * @param {Marking.Answer} answer
 * @param {Marking.Choose} choose
 */
function card(answer, choose) {
  const title = element("h2", {}, say("Answer {number}", { number: state.answers.indexOf(answer) + 1 }));
  if (field("names").checked) title.append(` · ${answer.name || answer.student}`);
  const text = element("div", { className: "text", lang: answer.language, innerHTML: answer.html });
  if (!text.textContent.trim() && !text.querySelector("img"))
    text.replaceChildren(element("i", { textContent: say("(empty)") }));
  reachable.observe(text);
  const made = element(
    "article",
    { id: idOf(answer), tabIndex: -1 },
    element("div", { className: "meta" }, title, ...labels(answer)),
    text,
  );
  made.classList.toggle("done", !answer.open);
  made.classList.toggle("taken", isTaken(answer));
  const cut = say("Characters in all: {letters}; the rest is in formgrader.", { letters: answer.letters });
  if (answer.letters > 8000) made.append(element("p", { className: "note", textContent: cut }));
  if (answer.changed)
    made.append(
      element(
        "details",
        { className: "former" },
        element("summary", {
          textContent: `${say("The answer has changed since it was marked.")} ${say("The answer that was marked")}`,
        }),
        element("div", { textContent: answer.former }),
      ),
    );
  made.addEventListener("click", () => state.at === answer.student || choose(answer));
  return made;
}

/**
 * Labels on a card: an answer's language and mark, and what a grader has to know of them.
 *
 * @param {Marking.Answer} answer
 */
function labels(answer) {
  const chips = [element("span", { className: "language", textContent: answer.language })];
  /** @type {(className: string, textContent: string) => void} */
  const add = (className, textContent) => chips.push(element("span", { className, textContent }));
  if (answer.unsaved) add("warning", say("NOT SAVED"));
  if (!answer.open && answer.score !== null) add("score", `${points(answer.score)} / ${points(answer.most)}`);
  if (!answer.open && !answer.elsewhere) add("items", numbers(answer) || say("no item"));
  if (answer.elsewhere)
    add(
      "warning",
      answer.score === null
        ? say("its mark was removed in formgrader")
        : say("marked in formgrader: {score}", { score: points(answer.score) }),
    );
  if (answer.changed) add("warning", say("The answer has changed since it was marked."));
  if (answer.appeal) add("warning", say("The student asks: {reason}", { reason: answer.appeal }));
  if (copiesOf(answer).length > 1) add("copies", say("near-copy"));
  if (answer.odd === "empty") add("odd", say("(empty)"));
  if (answer.odd === "long") add("odd", say("far longer than others"));
  if (answer.odd === "apart") add("odd", say("unlike all others"));
  if (answer.marker && answer.marker !== grader()) add("marker", say("for {marker}", { marker: answer.marker }));
  for (const note of answer.notes ?? []) add("note", `${say("Note for markers")} · ${note}`);
  if (isTaken(answer)) add("warning", say("open on another grader's screen"));
  if (answer.by) add("by", say("by {by}", { by: answer.by }));
  if (answer.comment) add("said", answer.comment);
  return chips;
}

/** @param {Marking.Answer} answer */
function numbers(answer) {
  const given = state.rubric.items
    .map((item, index) => (answer.items.includes(item.id) ? index + 1 : 0))
    .filter(Boolean);
  if (!answer.adjustment) return given.join(" ");
  return `${given.join(" ")} ${answer.adjustment > 0 ? "+" : "−"}${points(Math.abs(answer.adjustment))}`;
}

export function showProgress() {
  const asked = state.answers.filter((answer) => answer.asked);
  const marked = asked.filter((answer) => !answer.open && !answer.saving).length;
  field("count").textContent = say("{marked} of {all} marked", { marked, all: asked.length });
  field("progress").value = asked.length ? marked / asked.length : 0;
  const countInMenu = document.querySelector("nav [aria-current] small");
  if (countInMenu && !state.second) countInMenu.textContent = `${marked}/${asked.length}`;
}

/**
 * Point out the answer in hand: scroll it to the middle of the free height, highlight the rubric's words in it and its
 * differences from near-copies, and show the student's figures.
 */
export function showCurrent({ scroll = true } = {}) {
  for (const last of list.querySelectorAll("[aria-current]")) last.removeAttribute("aria-current");
  const answer = state.answers.find((other) => other.student === state.at);
  const current = answer && document.getElementById(idOf(answer));
  highlight("differs", []);
  for (let number = 0; number < 9; number++) highlight(`item-${number + 1}`, []);
  if (!answer || !current) return;
  current.setAttribute("aria-current", "true");
  if (scroll) current.scrollIntoView({ block: current.offsetHeight > freeHeight(current) ? "start" : "center" });
  showWords(current, answer);
  showDifferences(answer);
  showFigures(current, answer);
}

/**
 * @param {HTMLElement} current
 * @param {Marking.Answer} answer
 */
function showWords(current, answer) {
  const text = /** @type {HTMLElement} */ (current.querySelector(".text"));
  state.rubric.items.slice(0, 9).forEach((item, index) => {
    const words = item.words[answer.language] || item.words[settings.language] || "";
    highlight(`item-${index + 1}`, matches(text, words.split(/,\s+|[、，;；]\s*/)));
  });
}

/** @param {Marking.Answer} answer */
function showDifferences(answer) {
  const copies = copiesOf(answer).flatMap((copy) => document.getElementById(idOf(copy))?.querySelector(".text") ?? []);
  /** @param {number} index */
  const other = (index) => copies[index ? 0 : 1]; // each copy is compared with the first, and the first with the second
  if (copies.length > 1) highlight("differs", copies.flatMap((copy, index) => differences(copy, other(index))));
}

/**
 * @param {HTMLElement} current
 * @param {Marking.Answer} answer
 */
async function showFigures(current, answer) {
  if (!settings.figures || current.querySelector(".figures")) return;
  const box = element(
    "details",
    { className: "figures", open: true },
    element("summary", { textContent: say("The student's own figures") }),
  );
  current.append(box);
  const outputs = await get("figures", { student: answer.student }).catch(() => []);
  box.append(...outputs.map(figure));
  if (!outputs.length) box.append(element("p", { textContent: say("The submission has none.") }));
}

/** @param {{ picture: string, text: string }} output */
function figure({ picture, text }) {
  if (!picture) return element("pre", { textContent: text });
  return element("img", { src: `data:image/png;base64,${picture}`, alt: say("The student's own figures") });
}
