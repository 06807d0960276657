// The dialog in which the rubric is changed. It shows which marks a change moves, before the change is applied.

import { element } from "./cards.js";
import { points, put, say, told } from "./server.js";
import { most, state } from "./state.js";

const dialog = document.getElementById("rubric");
const editor = document.getElementById("editor");
const effect = document.getElementById("effect");
const apply = document.getElementById("apply");
/** @type {Record<string, string>} */
const LANGUAGES = { en: "English", fr: "français", zh: "中文" };
/** @typedef {(items: Marking.Item[]) => unknown} Use */
/** @type {Marking.Item[]} */
let items = []; // as they are in the dialog
/** @type {Record<string, number>} */
let uses = {}; // how many answers have each item
/** @type {Use} */
let use = () => {}; // what is done with the items when the grader says so
let seen = ""; // the items whose effect was told last

/** @param {Use} change */
export function openEditor(change) {
  use = change;
  items = structuredClone(state.rubric.items).map(({ html, ...item }) => item);
  dialog.showModal();
  show();
  ask();
}

function show() {
  editor.replaceChildren(...items.map(fieldsOf));
  editor.querySelector("input")?.focus();
}

/**
 * @param {Marking.Item} item
 * @param {number} place
 */
function fieldsOf(item, place) {
  const number = field(say("item_points"), String(item.points), (value) => (item.points = Number(value) || 0), {
    type: "number",
    step: "0.25",
  });
  const texts = told.languages.map((name) =>
    field(`${say("item_text")} (${LANGUAGES[name] ?? name})`, item.text[name], (value) => (item.text[name] = value), {
      lang: name,
    }),
  );
  const words = told.languages.map((name) =>
    field(
      `${say("item_words")} (${LANGUAGES[name] ?? name})`,
      item.words[name],
      (value) => (item.words[name] = value),
      { lang: name },
    ),
  );
  const legend = element("legend", {}, `${place + 1} · ${item.id} `, element("small", { textContent: used(item) }));
  const row = element(
    "div",
    { className: "row" },
    number,
    button(say("split"), () => split(place)),
    button(say("delete"), () => items.splice(place, 1)),
  );
  const more = element("details", {}, element("summary", { textContent: say("item_words") }), ...words);
  return element("fieldset", {}, legend, row, ...texts, more);
}

/** @param {Marking.Item} item */
function used(item) {
  return uses[item.id] ? say("in_use", { count: uses[item.id] }) : "";
}

function showUses() {
  for (const [place, count] of editor.querySelectorAll("legend small").entries())
    count.textContent = used(items[place]);
}

/**
 * @param {string} label
 * @param {string | undefined} value
 * @param {(value: string) => void} changed
 * @param {Partial<HTMLInputElement>} properties
 * @returns {HTMLElement}
 */
function field(label, value, changed, properties) {
  const input = element("input", { value: value ?? "", ...properties });
  input.addEventListener("change", () => {
    changed(input.value);
    ask();
  });
  return element("label", {}, label, " ", input);
}

/**
 * @param {string} text
 * @param {() => void} work
 */
function button(text, work) {
  const made = element("button", { type: "button", textContent: text });
  made.addEventListener("click", () => {
    work();
    show();
    ask();
  });
  return made;
}

/**
 * Halve an item: every mark that had it has both parts, until a grader says otherwise.
 *
 * @param {number} place
 */
function split(place) {
  const item = items[place];
  item.points /= 2;
  const text = Object.fromEntries(
    Object.entries(item.text).map(([name, line]) => [name, line && `${line} ${say("part")}`]),
  );
  items.splice(place + 1, 0, {
    id: fresh(item.id),
    points: item.points,
    text,
    words: { ...item.words },
    split_from: item.id,
    since: 0,
  });
}

/** @param {string} name */
function fresh(name) {
  const known = new Set(items.map((item) => item.id));
  let number = 2;
  while (known.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

// Ask the server which marks the items in the dialog would move, and show its answer. An answer is not shown if the
// items have changed since it was asked for.
async function ask() {
  const asked = JSON.stringify(items);
  const outdated = () => asked !== JSON.stringify(items);
  effect.textContent = "…";
  effect.classList.remove("failed");
  try {
    const { moves, uses: found } = await put("rubric", { items, revision: state.rubric.revision, sure: false });
    if (outdated()) return;
    uses = found;
    showUses();
    const total = items.filter((item) => item.points > 0).reduce((sum, item) => sum + item.points, 0);
    const differs =
      Math.abs(total - most()) > 1e-6 ? ` ${say("total_differs", { total: points(total), most: points(most()) })}` : "";
    effect.textContent = (moves ? say("moves", { count: moves }) : say("no_moves")) + differs;
    effect.classList.toggle("failed", moves > 0);
    seen = asked;
  } catch (error) {
    if (outdated()) return;
    effect.textContent = failed(error);
    effect.classList.add("failed");
  }
}

/** @param {unknown} error */
const failed = (error) => say("failed", { why: /** @type {Error} */ (error).message });

document.getElementById("add").addEventListener("click", () => {
  const empty = Object.fromEntries(told.languages.map((name) => [name, ""]));
  items.push({ id: fresh("item"), points: 0, text: { ...empty, [told.language]: "…" }, words: { ...empty } });
  show();
  ask();
  const text = editor.querySelector(`fieldset:last-child input[lang="${told.language}"]`);
  /** @type {HTMLInputElement} */ (text).select();
});
document.getElementById("cancel").addEventListener("click", () => dialog.close());
// Enter in a field is Apply: the first one tells what moves, the next one does it.
editor.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || !target.matches("input")) return;
  event.preventDefault();
  apply.click();
  target.focus();
});
apply.addEventListener("click", async () => {
  /** @type {HTMLElement} */ (document.activeElement).blur(); // a field that is being typed in takes its value
  if (seen !== JSON.stringify(items)) return await ask(); // what it moves is told first
  try {
    await use(items);
    dialog.close();
  } catch (error) {
    effect.textContent = failed(error);
  }
});
