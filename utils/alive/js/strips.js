// Vectors as strips of coloured cells, whose numbers are read one component after the other; and how a score becomes a
// weight.
import { clamp } from "./numbers.js";
import { make } from "./page.js";
import { diverging, paint } from "./parts.js";

/**
 * A slider over the components of vectors. `show(rows, text)` draws a strip for each row, and says `text(c)` of
 * component c, counted from 0, which is pointed at or reached by arrow keys. A row has the width of its share of the
 * longest one. The colours of a row are relative to its largest number, or with `alike` to that of all rows.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 */
export function strips({ say }, parent) {
  const element = make(parent, "div", {
    class: "vectors",
    tabindex: 0,
    role: "slider",
    "aria-label": say("components"),
    "aria-valuemin": 1,
  });
  const component = make(parent, "p", { class: "component" });
  let pointed = 0, count = 0;
  /** @type {(c: number) => string} */
  let text;
  /** @param {number} c */
  const point = (c) => {
    pointed = clamp(c, 0, count - 1);
    component.textContent = text(pointed);
    element.setAttribute("aria-valuenow", pointed + 1);
    element.setAttribute("aria-valuetext", component.textContent);
  };
  element.addEventListener("pointermove", ({ target, clientX }) => {
    if (!(target instanceof HTMLCanvasElement)) return;
    const box = target.getBoundingClientRect();
    point(Math.floor(((clientX - box.left) / box.width) * target.width));
  });
  element.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    point(pointed + step);
  });
  /**
   * @param {Alive.Strip[]} rows
   * @param {(c: number) => string} sentence
   * @param {boolean} alike
   */
  function show(rows, sentence, alike = false) {
    const largest = rows.map(({ values }) => values.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-9));
    text = sentence;
    count = Math.max(...rows.map(({ values }) => values.length));
    element.replaceChildren();
    rows.forEach(({ name, values }, n) => {
      const row = make(element, "div", { class: "strip" }), most = alike ? Math.max(...largest) : largest[n];
      make(row, "span", {}, name);
      const canvas = make(row, "canvas", { role: "img", "aria-label": name });
      canvas.style.width = `${(100 * values.length) / count}%`;
      paint(canvas, values.map((v) => v / most), values.length, diverging);
    });
    element.setAttribute("aria-valuemax", count);
    point(pointed);
  }
  return { element, component, show };
}

/**
 * The last steps, which all lessons share: e to the power of the score, divided by the sum over `scores`.
 *
 * @param {Alive.Page} page
 * @param {{ score: number, scores: Alive.Vector, weight: number, sum: string, temperature?: number }} step
 */
export function toWeight({ say, number, percent }, { score, scores, weight, sum, temperature = 1 }) {
  const most = Math.max(...scores);
  /** @param {number} s */
  const power = (s) => Math.exp((s - most) / temperature);
  const all = scores.reduce((total, s) => total + power(s), 0);
  return [
    say("power", { power: number(power(score), 4), most: number(most, 2) }),
    say(sum, { all: number(all, 3), weight: percent(weight) }),
  ];
}
