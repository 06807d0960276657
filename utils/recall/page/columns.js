// The three memories side by side: what each answers, what it keeps as a picture, and which pairs come back.
import { largest } from "../../alive/js/numbers.js";
import { arrows, button, make } from "../../alive/js/page.js";
import { bar, diverging, paint } from "../../alive/js/parts.js";
import { rightShare, scaleOf, shares, vector } from "./memory.js";

const BARS = 5; // pairs of which bars are shown

/**
 * A column for each memory. Calls `choose(n)` for the memory to look into.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Recall.Memory[]} memories
 * @param {(n: number) => void} choose
 */
export function columns(page, parent, memories, choose) {
  const { say, percent, number } = page, element = make(parent, "div", { class: "columns" });
  const cards = make(element, "div", { class: "memories", role: "radiogroup", "aria-label": say("memories") });
  const parts = memories.map((memory, n) => {
    const card = button(cards, undefined, () => choose(n), { role: "radio", "data-kind": memory.kind });
    card.addEventListener("keydown", (event) =>
      arrows(event, n, memories.length, (m) => {
        choose(m);
        parts[m].card.focus();
      }),
    );
    make(card, "b", {}, say(memory.kind));
    return { card, answer: make(card, "em"), right: make(card, "span"), kept: make(card, "small") };
  });
  const pictures = make(element, "div", { class: "pictures" });
  const drawn = memories.map(() => {
    const figure = make(pictures, "div", { class: "kept" });
    const canvas = make(make(figure, "div", { class: "square" }), "canvas", { role: "img" });
    return { canvas, text: make(figure, "p", { class: "label" }) };
  });
  const title = make(element, "p", { class: "told" });
  const lists = make(element, "div", { class: "lists" });
  const bars = memories.map(({ kind }) => {
    const list = make(lists, "div", { role: "group", "aria-label": say(kind) });
    make(list, "p", { class: "label" }, say(kind));
    return make(list, "div", { class: "bars" });
  });

  /**
   * @param {Recall.Pair[]} told
   * @param {Recall.Known[]} known
   * @param {Recall.State} state
   * @param {{ pair: (pair: Recall.Pair) => string, guest: (guest: number) => string }} names
   */
  function draw(told, known, state, names) {
    title.textContent = say("comes_for", { name: names.guest(state.asked) });
    memories.forEach((memory, n) => {
      const { answers, table } = known[n], { card, answer, right, kept } = parts[n], { size } = memory;
      const given = answers.get(state.asked), good = given?.room === given?.right;
      card.setAttribute("aria-checked", n === state.chosen);
      card.tabIndex = n === state.chosen ? 0 : -1;
      answer.className = good ? "good" : "bad";
      answer.textContent = given
        ? `${good ? "✓" : "✗"} ${say("answer", { room: given.room, sure: percent(given.sure) })}`
        : "";
      right.textContent = say("right", { share: percent(rightShare(known[n])), count: answers.size });
      const count = table ? size * size : 2 * size * told.length;
      kept.textContent = say(table ? "table_keeps" : "cache_keeps", { count });
      const { canvas, text } = drawn[n], values = table ?? cache(memory, told);
      const most = values.reduce((large, v) => Math.max(large, Math.abs(v)), 1e-9);
      paint(canvas, values.map((v) => v / most), table ? size : 2 * size, diverging);
      // A cache grows downwards, until it fills the square.
      canvas.style.height = `${table ? 100 : Math.min(100, (100 * told.length) / (2 * size)).toFixed(1)}%`;
      text.textContent = say(table ? "table_picture" : "cache_picture", { size });
      canvas.setAttribute("aria-label", text.textContent);
      const found = shares(memory, told, state.asked, state), { digits, unit } = scaleOf(found);
      bars[n].replaceChildren();
      largest(found.map(Math.abs), BARS).forEach((t) => {
        const kind = told[t].guest === state.asked ? (told[t].room === given?.right ? "right" : "old") : "noise";
        bar(bars[n], names.pair(told[t]), Math.abs(found[t]) / unit, number(found[t], digits), kind);
      });
    });
  }
  const sentence = () =>
    parts.map(({ answer }, n) => `${say(memories[n].kind)}: ${answer.textContent}`).join(". ");
  return { element, cards, pictures, lists, draw, sentence };
}

/**
 * All keys and values, a row for each pair.
 *
 * @param {Recall.Memory} memory
 * @param {Recall.Pair[]} told
 */
function cache({ keys, values, size }, told) {
  const rows = new Float32Array(2 * size * told.length);
  told.forEach(({ guest, room }, t) => {
    rows.set(vector(keys, guest, size), 2 * size * t);
    rows.set(vector(values, room, size), 2 * size * t + size);
  });
  return rows;
}
