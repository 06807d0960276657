// The dialog in which the rubric is changed. It shows which marks a change moves, before the change is applied.

import { element } from "./cards.js";
import { points, put, say, settings } from "./server.js";
import { most, state } from "./state.js";

const dialog = document.getElementById("rubric");
const editor = document.getElementById("editor");
const effect = document.getElementById("effect");
const apply = document.getElementById("apply");
/** @type {Record<string, string>} */
const LANGUAGES = { en: "English", fr: "français", zh: "中文" };
const nameOf = (/** @type {string} */ language) => LANGUAGES[language] ?? language;
/** @typedef {(items: Marking.Item[]) => unknown} ChangeRubric */
/** @type {Marking.Item[]} */
let items = []; // the rubric's items as the dialog shows them, not yet applied
/** @type {Record<string, number>} */
let answersWith = {}; // the number of answers that have each item, by the item's id
/** @type {ChangeRubric} */
let changeRubric = () => {}; // sends the items to the server; called by the button Apply
let itemsWithKnownEffect = ""; // the items, as JSON, whose effect on marks the dialog shows

/** @param {ChangeRubric} change */
export function openEditor(change) {
  changeRubric = change;
  items = structuredClone(state.rubric.items).map(({ html, ...item }) => item);
  dialog.showModal();
  showItems();
  askForEffect();
}

function showItems() {
  editor.replaceChildren(...items.map(fieldsOf));
  editor.querySelector("input")?.focus();
}

/**
 * @param {Marking.Item} item
 * @param {number} index
 */
function fieldsOf(item, index) {
  const number = field(say("Points"), String(item.points), (value) => (item.points = Number(value) || 0), {
    type: "number",
    step: "0.25",
  });
  const texts = settings.languages.map((name) =>
    field(
      `${say("Text that the student reads")} (${nameOf(name)})`,
      item.text[name],
      (value) => (item.text[name] = value),
      { lang: name },
    ),
  );
  const words = settings.languages.map((name) =>
    field(
      `${say("Words to highlight, separated by commas")} (${nameOf(name)})`,
      item.words[name],
      (value) => (item.words[name] = value),
      { lang: name },
    ),
  );
  const legend = element("legend", {}, `${index + 1} · ${item.id} `, element("small", { textContent: useOf(item) }));
  const row = element(
    "div",
    { className: "row" },
    number,
    button(say("Split"), () => split(index)),
    button(say("Delete"), () => items.splice(index, 1)),
  );
  const summary = element("summary", { textContent: say("Words to highlight, separated by commas") });
  const more = element("details", {}, summary, ...words);
  return element("fieldset", {}, legend, row, ...texts, more);
}

/** @param {Marking.Item} item */
function useOf(item) {
  return answersWith[item.id] ? say("answers that have it: {count}", { count: answersWith[item.id] }) : "";
}

function showUses() {
  for (const [index, count] of editor.querySelectorAll("legend small").entries())
    count.textContent = useOf(items[index]);
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
    askForEffect();
  });
  return element("label", {}, label, " ", input);
}

/**
 * @param {string} text
 * @param {() => void} work
 */
function button(text, work) {
  const control = element("button", { type: "button", textContent: text });
  control.addEventListener("click", () => {
    work();
    showItems();
    askForEffect();
  });
  return control;
}

/**
 * Split an item into two halves; every mark that had the item has both, until a grader changes the mark.
 *
 * @param {number} index
 */
function split(index) {
  const item = items[index];
  item.points /= 2;
  const text = Object.fromEntries(
    Object.entries(item.text).map(([name, line]) => [name, line && `${line} ${say("(second part)")}`]),
  );
  items.splice(index + 1, 0, {
    id: unusedId(item.id),
    points: item.points,
    text,
    words: { ...item.words },
    split_from: item.id,
    since: 0,
  });
}

/** @param {string} name */
function unusedId(name) {
  const known = new Set(items.map((item) => item.id));
  let number = 2;
  while (known.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

// Ask the server which marks the items in the dialog would move, and show its answer. An answer is not shown if the
// items have changed since they were sent.
async function askForEffect() {
  const sent = JSON.stringify(items);
  const outdated = () => sent !== JSON.stringify(items);
  effect.textContent = "…";
  effect.classList.remove("failed");
  try {
    const { moves, uses } = await put("rubric", { items, revision: state.rubric.revision, sure: false });
    if (outdated()) return;
    answersWith = uses;
    showUses();
    const total = items.filter((item) => item.points > 0).reduce((sum, item) => sum + item.points, 0);
    const differs =
      Math.abs(total - most()) > 1e-6
        ? ` ${say("The items' points add up to {total}, those of the question are {most}.", {
            total: points(total),
            most: points(most()),
          })}`
        : "";
    const moved = moves ? say("Marks that will change: {count}.", { count: moves }) : say("No mark will change.");
    effect.textContent = moved + differs;
    effect.classList.toggle("failed", moves > 0);
    itemsWithKnownEffect = sent;
  } catch (error) {
    if (outdated()) return;
    effect.textContent = failed(error);
    effect.classList.add("failed");
  }
}

/** @param {unknown} error */
const failed = (error) => say("NOT SAVED: {why}", { why: /** @type {Error} */ (error).message });

document.getElementById("add").addEventListener("click", () => {
  const empty = Object.fromEntries(settings.languages.map((name) => [name, ""]));
  items.push({ id: unusedId("item"), points: 0, text: { ...empty, [settings.language]: "…" }, words: { ...empty } });
  showItems();
  askForEffect();
  const text = editor.querySelector(`fieldset:last-child input[lang="${settings.language}"]`);
  /** @type {HTMLInputElement} */ (text).select();
});
document.getElementById("cancel").addEventListener("click", () => dialog.close());
// Enter in a field acts like the button Apply: the first shows which marks move, the second moves them.
editor.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || !target.matches("input")) return;
  event.preventDefault();
  apply.click();
  target.focus();
});
apply.addEventListener("click", async () => {
  /** @type {HTMLElement} */ (document.activeElement).blur(); // a field that is being typed in takes its value
  // the first click shows which marks would move
  if (itemsWithKnownEffect !== JSON.stringify(items)) return await askForEffect();
  try {
    await changeRubric(items);
    dialog.close();
  } catch (error) {
    effect.textContent = failed(error);
  }
});
