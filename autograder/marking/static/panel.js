// The panel beside the answers: the rubric's items, the points, the comment, and comments used before.

import { element } from "./cards.js";
import { points, say, settings } from "./server.js";
import { commentsUsed, most, state, toggle, worth } from "./state.js";

const items = document.getElementById("items");
const comment = document.getElementById("comment");
const offered = document.getElementById("offered");
const adjustment = document.getElementById("adjustment");
const MOST_OFFERED = 6;

/** @param {Marking.ShownItem} item */
export function textOf(item) {
  return item.html[settings.language] || Object.values(item.html).find(Boolean) || item.id;
}

export function showPanel() {
  items.replaceChildren(...state.rubric.items.map(row));
  adjustment.value = String(state.draft.adjustment);
  if (comment.value !== state.draft.comment) comment.value = state.draft.comment;
  showTotal();
  offer("");
}

/**
 * @param {Marking.ShownItem} item
 * @param {number} index
 * @returns {HTMLElement}
 */
function row(item, index) {
  const box = element("input", { type: "checkbox", checked: state.draft.items.includes(item.id) });
  box.addEventListener("change", () => {
    toggle(item.id);
    showTotal();
  });
  const key = index < 9 ? element("kbd", { className: `item-${index + 1}`, textContent: String(index + 1) }) : "";
  const change = element("b", { textContent: (item.points > 0 ? "+" : "") + points(item.points) });
  return element("label", { className: "item" }, box, key, change, element("span", { innerHTML: textOf(item) }));
}

export function showTotal() {
  document.getElementById("total").textContent = say("Mark: {score} of {most}", {
    score: points(worth(state.draft, most())),
    most: points(most()),
  });
  for (const [index, box] of [...items.querySelectorAll("input")].entries()) {
    box.checked = state.draft.items.includes(state.rubric.items[index].id);
  }
}

adjustment.addEventListener("change", () => {
  state.draft.adjustment = Number(adjustment.value) || 0;
  showTotal();
});

/** @param {number} step */
export function adjust(step) {
  state.draft.adjustment += step;
  adjustment.value = String(state.draft.adjustment);
  showTotal();
}

// ---- the comment: comments used before are offered while the grader types ----

comment.addEventListener("input", (event) => {
  state.draft.comment = comment.value;
  if (!(/** @type {InputEvent} */ (event).isComposing)) offer(comment.value);
});
comment.addEventListener("focus", () => offer(comment.value));
comment.addEventListener("blur", () => offer(null));

/**
 * Offer the comments used before that contain the typed text; hide the list if `typed` is null.
 *
 * @param {string | null} typed
 */
function offer(typed) {
  const search = typed?.trim().toLowerCase() ?? "";
  /** @param {string} used */
  const fits = (used) => used !== typed && used.toLowerCase().includes(search);
  const comments =
    typed === null || document.activeElement !== comment ? [] : commentsUsed().filter(fits).slice(0, MOST_OFFERED);
  offered.replaceChildren(...comments.map(option));
  offered.hidden = !comments.length;
  comment.setAttribute("aria-expanded", String(Boolean(comments.length)));
  comment.removeAttribute("aria-activedescendant");
}

/**
 * @param {string} text
 * @param {number} index
 */
function option(text, index) {
  const made = element("div", { id: `offered-${index}`, role: "option", textContent: text });
  made.setAttribute("role", "option");
  made.addEventListener("mousedown", (event) => {
    event.preventDefault();
    take(text);
  });
  return made;
}

/** @param {string} text */
function take(text) {
  comment.value = state.draft.comment = text;
  offer(text);
}

/**
 * Move among the offered comments; return whether there are any.
 *
 * @param {number} step 1 for the next, -1 for the one before
 */
export function choose(step) {
  const options = [...offered.children];
  if (!options.length) return false;
  const before = options.findIndex((item) => item.getAttribute("aria-selected") === "true");
  // If none is selected yet (before is -1), a step back leads to the last one.
  const next = (before + step + options.length + (before < 0 && step < 0 ? 1 : 0)) % options.length;
  options.forEach((item, index) => item.setAttribute("aria-selected", String(index === next)));
  comment.setAttribute("aria-activedescendant", options[next].id);
  return true;
}

// Take the offered comment that is selected; return whether one was selected.
export function takeChosen() {
  const chosen = offered.querySelector("[aria-selected=true]");
  if (chosen) take(chosen.textContent);
  return Boolean(chosen);
}

export function writeComment() {
  comment.focus();
  comment.select();
}
