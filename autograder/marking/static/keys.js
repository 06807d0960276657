// The page's keys. Single letters can be switched off, because speech control and screen readers use them themselves.

import { adjust, choose, showPanel, showTotal, takeChosen, writeComment } from "./panel.js";
import { state, toggle } from "./state.js";

const KEYS_OFF = "attention-workbook-keys-off";
const off = document.getElementById("keys-off");
const comment = document.getElementById("comment");
off.checked = localStorage.getItem(KEYS_OFF) === "yes";
off.addEventListener("change", () => localStorage.setItem(KEYS_OFF, off.checked ? "yes" : "no"));

/** @param {Marking.Actions} actions */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    // An input method, for instance for Chinese, gets these keys; some browsers say so by the key code 229 alone.
    const composing = event.isComposing || event.keyCode === 229;
    if (composing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const used = event.target === comment ? inComment(event, actions) : elsewhere(event, actions);
    if (used) event.preventDefault();
  });
}

/**
 * Do what a key does in the comment; return whether it did anything.
 *
 * @param {KeyboardEvent} event
 * @param {Marking.Actions} actions
 */
function inComment(event, actions) {
  if (event.key === "Enter" && !event.shiftKey) {
    if (takeChosen()) return true;
    comment.blur();
    actions.save();
    return true;
  }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") return choose(event.key === "ArrowDown" ? 1 : -1);
  if (event.key === "Escape") comment.blur();
  return event.key === "Escape";
}

/**
 * Do what a key does outside the comment; return whether it did anything.
 *
 * @param {KeyboardEvent} event
 * @param {Marking.Actions} actions
 */
function elsewhere(event, actions) {
  const { key } = event;
  const target = /** @type {HTMLElement} */ (event.target);
  if (key === "Escape" && target !== document.body) {
    target.blur();
    return true;
  }
  const typing = target.matches("textarea, select, input:not([type=checkbox])");
  const ownKey = key === "Enter" && target.matches("button, a, summary"); // Enter presses a button that has the focus
  if (typing || ownKey || (off.checked && key.length === 1)) return false;
  const work = workOf(key, actions);
  work?.();
  return Boolean(work);
}

/**
 * The function that a key calls; undefined for other keys.
 *
 * @param {string} key
 * @param {Marking.Actions} actions
 * @returns {(() => void) | undefined}
 */
function workOf(key, actions) {
  if (/^[1-9]$/.test(key)) return () => turn(state.rubric.items[Number(key) - 1]);
  /** @type {Record<string, () => void>} */
  const work = {
    Enter: actions.save,
    g: actions.copies,
    u: actions.undo,
    j: () => actions.move(1),
    k: () => actions.move(-1),
    a: () => give(state.rubric.items.filter((item) => item.points > 0).map((item) => item.id)),
    0: () => give([]),
    ".": actions.again,
    "+": () => adjust(0.5),
    "-": () => adjust(-0.5),
    c: writeComment,
    r: actions.rubric,
    n: () => document.getElementById("names").click(),
    "/": () => document.getElementById("search").focus(),
    "?": () => document.getElementById("keys").showModal(),
  };
  return work[key];
}

/**
 * Give an item, or take it away.
 *
 * @param {Marking.Item} [item] undefined if the key's number is larger than the number of items
 */
function turn(item) {
  if (item) toggle(item.id);
  showTotal();
}

/**
 * Give these items and no others.
 *
 * @param {string[]} ids
 */
function give(ids) {
  state.draft.items = ids;
  showPanel();
}
