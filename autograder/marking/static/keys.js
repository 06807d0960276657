// The page's keys. Single letters can be switched off, because speech control and screen readers use them themselves.

import { adjust, choose, showPanel, showTotal, takeChosen, writeComment } from "./panel.js";
import { state, toggle } from "./state.js";

const KEYS_OFF = "attention-workbook-keys-off";
const off = document.getElementById("keys-off");
const comment = document.getElementById("comment");
off.checked = localStorage.getItem(KEYS_OFF) === "yes";
off.addEventListener("change", () => localStorage.setItem(KEYS_OFF, off.checked ? "yes" : "no"));

export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    const composing = event.isComposing || event.keyCode === 229; // an input method has the keys
    if (composing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const used = event.target === comment ? inComment(event, actions) : elsewhere(event, actions);
    if (used) event.preventDefault();
  });
}

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

function elsewhere(event, actions) {
  const { target, key } = event;
  if (key === "Escape" && target !== document.body) {
    target.blur();
    return true;
  }
  const typing = target.matches("textarea, select, input:not([type=checkbox])");
  const ownKey = key === "Enter" && target.matches("button, a, summary"); // Enter presses what has the focus
  if (typing || ownKey || (off.checked && key.length === 1)) return false;
  const work = single(key, actions);
  work?.();
  return Boolean(work);
}

function single(key, actions) {
  if (/^[1-9]$/.test(key)) return () => give([state.rubric.items[key - 1]?.id], true);
  return {
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
  }[key];
}

// Give these items, or turn one over.
function give(ids, turn = false) {
  if (turn && ids[0]) toggle(ids[0]);
  if (!turn) {
    state.draft.items = ids;
    showPanel();
  }
  showTotal();
}
