// The layer: the whole matrix of weights with the row of the pointed position, and how much it looks at each shape.
import { clamp } from "../../alive/js/numbers.js";
import { make } from "../../alive/js/page.js";
import { bar, paint, viridis } from "../../alive/js/parts.js";
import { HIGHEST, LENGTH, WIDTH, at, drawn } from "./sequences.js";

const BESIDE = 16; // the height of the sequence that is drawn above and at the left, in positions

/**
 * `looked(i, j)` is called for the pointed row and column; `opened()` after a click.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Attention.State} state
 * @param {{ looked: (i: number, j: number) => void, opened: () => void }} work
 */
export function matrix(page, parent, state, { looked, opened }) {
  const { say } = page;
  const figure = make(parent, "div", { class: "matrix" });
  make(figure, "p", { class: "label" }, say("matrix"));
  const plate = make(figure, "div", { class: "plate" });
  const canvas = make(plate, "canvas", { role: "img", "aria-label": say("matrix") });
  const over = make(plate, "svg", {
    class: "over",
    viewBox: `${-BESIDE - 4} ${-BESIDE} ${LENGTH + BESIDE + 4} ${LENGTH + BESIDE}`,
  });
  make(plate, "span", { class: "axis down" }, `${say("row")} ↓`);
  make(figure, "p", { class: "axis" }, `${say("column")} →`);
  const scale = make(figure, "p", { class: "scale" });
  const least = make(scale, "span");
  const colours = make(scale, "canvas", { "aria-hidden": "true" });
  const most = make(scale, "span");
  paint(
    colours,
    Float32Array.from({ length: 64 }, (_, i) => i / 63),
    64,
    viridis,
  );
  const none = make(figure, "p", { class: "label" }, say("no_matrix", { reach: "" }));
  const across = make(over, "path", { class: "input" }), down = make(over, "path", { class: "input" });
  const row = make(over, "rect", { class: "row", x: -BESIDE + 1, width: LENGTH + BESIDE - 0.5, height: 2 });
  const spot = make(over, "rect", { class: "spot", width: 2, height: 2 });
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const box = canvas.getBoundingClientRect();
    /** @type {(way: number, from: number, size: number) => number} */
    const cell = (way, from, size) => clamp(Math.round(((way - from) / size) * LENGTH - 0.5), 0, LENGTH - 1);
    looked(cell(event.clientY, box.top, box.height), cell(event.clientX, box.left, box.width));
    if (event.type === "pointerdown") opened();
  };
  plate.addEventListener("pointermove", follow);
  plate.addEventListener("pointerdown", follow);

  /**
   * @param {Attention.Result} result
   * @param {number} reach
   */
  function draw({ inside }, reach) {
    const { number } = page;
    /** @type {NodeListOf<HTMLElement>} */
    const axes = figure.querySelectorAll(".axis");
    for (const piece of [plate, scale, ...axes]) piece.hidden = !inside;
    none.hidden = Boolean(inside);
    none.textContent = say("no_matrix", { reach });
    if (!inside) return;
    const size = inside.weights.reduce((large, w) => Math.max(large, Math.abs(w)), 0);
    paint(canvas, inside.weights.map((w) => Math.sqrt(Math.abs(w) / size)), LENGTH, viridis);
    least.textContent = "0";
    most.textContent = number(size, 2);
    const sequence = Array.from(drawn(state.shapes), (h) => (h * (BESIDE - 3)) / HIGHEST);
    across.setAttribute("d", `M${sequence.map((h, t) => `${t + 0.5},${-1 - h}`).join("L")}L${LENGTH},-1L0,-1Z`);
    down.setAttribute("d", `M${sequence.map((h, t) => `${-1 - h},${t + 0.5}`).join("L")}L-1,${LENGTH}L-1,0Z`);
  }
  function light() {
    row.setAttribute("y", state.position - 0.5);
    spot.setAttribute("y", state.position - 0.5);
    spot.setAttribute("x", state.looked - 0.5);
  }
  return { figure, draw, light };
}

/**
 * How much the pointed position looks at each shape and at the ground, largest first.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Attention.State} state
 */
export function shares(page, parent, state) {
  const { say, percent } = page;
  const summary = make(parent, "p", { class: "told" }), list = make(parent, "div", { class: "bars" });
  /** @type {(n: number, here: number) => string} */
  const name = (n, here) => {
    if (n < 0) return say("ground");
    const { kind, left } = state.shapes[n];
    return n === here ? say("own") : say("span", { kind: say(kind), a: left, b: left + WIDTH - 1 });
  };
  /**
   * @param {Attention.Result} result
   * @param {number} reach
   */
  function light({ inside }, reach) {
    const p = state.position, here = at(state.shapes, p), what = say(here < 0 ? "ground" : state.shapes[here].kind);
    list.replaceChildren();
    if (!inside) {
      const a = Math.max(0, p - reach), b = Math.min(LENGTH - 1, p + reach);
      summary.textContent = say("nowhere", { p, a, b });
      return;
    }
    summary.textContent = say("at", { p, what });
    /** @type {Map<number, number>} */
    const sums = new Map();
    state.shapes.forEach((_, n) => sums.set(n, 0));
    sums.set(-1, 0);
    inside.weights.subarray(p * LENGTH, (p + 1) * LENGTH).forEach((weight, j) => {
      const there = at(state.shapes, j);
      sums.set(there, (sums.get(there) ?? 0) + weight);
    });
    [...sums].sort((a, b) => b[1] - a[1]).forEach(([n, share]) =>
      bar(list, name(n, here), share, percent(share), n < 0 ? "ground" : state.shapes[n].kind));
  }
  const sentence = () =>
    [summary.textContent, ...Array.from(list.children, (item) => item.textContent).slice(0, 2)].join(" ");
  return { light, sentence };
}
