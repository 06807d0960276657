// The panel beside the answers: the rubric's items, points, the comment with those used before.

import { element } from "./cards.js";
import { points, say, settings } from "./server.js";
import { commentsUsed, most, state, toggle, worth } from "./state.js";

const items = document.getElementById("items");
const comment = document.getElementById("comment");
const offered = document.getElementById("offered");
const adjustment = document.getElementById("adjustment");
const OFFERED = 6;

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
 * @param {number} place
 * @returns {HTMLElement}
 */
function row(item, place) {
  const box = element("input", { type: "checkbox", checked: state.draft.items.includes(item.id) });
  box.addEventListener("change", () => {
    toggle(item.id);
    showTotal();
  });
  const key = place < 9 ? element("kbd", { className: `item-${place + 1}`, textContent: String(place + 1) }) : "";
  const worthIt = element("b", { textContent: (item.points > 0 ? "+" : "") + points(item.points) });
  return element("label", { className: "item" }, box, key, worthIt, element("span", { innerHTML: textOf(item) }));
}

export function showTotal() {
  document.getElementById("total").textContent = say("mark", {
    score: points(worth(state.draft, most())),
    most: points(most()),
  });
  for (const [place, box] of [...items.querySelectorAll("input")].entries()) {
    box.checked = state.draft.items.includes(state.rubric.items[place].id);
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

// ---- the comment: those used before are offered while one types ----

comment.addEventListener("input", (event) => {
  state.draft.comment = comment.value;
  if (!(/** @type {InputEvent} */ (event).isComposing)) offer(comment.value);
});
comment.addEventListener("focus", () => offer(comment.value));
comment.addEventListener("blur", () => offer(null));

/**
 * Offer comments that contain what is typed; none where it is null.
 *
 * @param {string | null} typed
 */
function offer(typed) {
  const wanted = typed?.trim().toLowerCase() ?? "";
  /** @param {string} used */
  const fits = (used) => used !== typed && used.toLowerCase().includes(wanted);
  const known =
    typed === null || document.activeElement !== comment ? [] : commentsUsed().filter(fits).slice(0, OFFERED);
  offered.replaceChildren(...known.map(option));
  offered.hidden = !known.length;
  comment.setAttribute("aria-expanded", String(Boolean(known.length)));
  comment.removeAttribute("aria-activedescendant");
}

/**
 * @param {string} text
 * @param {number} place
 */
function option(text, place) {
  const made = element("div", { id: `offered-${place}`, role: "option", textContent: text });
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
  const next = (before + step + options.length + (before < 0 && step < 0 ? 1 : 0)) % options.length;
  options.forEach((item, place) => item.setAttribute("aria-selected", String(place === next)));
  comment.setAttribute("aria-activedescendant", options[next].id);
  return true;
}

// Take the offered comment that was moved to; return whether there was one.
export function takeChosen() {
  const chosen = offered.querySelector("[aria-selected=true]");
  if (chosen) take(chosen.textContent);
  return Boolean(chosen);
}

export function writeComment() {
  comment.focus();
  comment.select();
}
