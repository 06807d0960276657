// One number unfolded in place: two vectors, the products of their components, and the steps from their sum to a
// weight.
import { make } from "./page.js";
import { diverging, paint } from "./parts.js";

/**
 * A line that opens. `names`: the keys of the vectors' names, the last one for the products. `label`: the text of the
 * slider that chooses another partner; it calls `chosen(n)`. Returns {element, show}.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {{ names: string[], label: string, chosen: (n: number) => void }} options
 */
export function unfolded(page, parent, { names, label, chosen }) {
  const { say, number } = page;
  const element = make(parent, "details", { class: "number" });
  const title = make(element, "summary");
  const choice = make(element, "label", { class: "slider" });
  make(choice, "span", {}, label);
  const slider = make(choice, "input", { type: "range", min: 0, oninput: () => chosen(Number(slider.value)) });
  const partner = make(choice, "output");
  const vectors = make(element, "div", {
    class: "vectors",
    tabindex: 0,
    role: "slider",
    "aria-label": say("components"),
    "aria-valuemin": 1,
  });
  const strips = names.map((name) => {
    const row = make(vectors, "div", { class: "strip" });
    make(row, "span", {}, say(name));
    return make(row, "canvas", { role: "img", "aria-label": say(name) });
  });
  const component = make(element, "p", { class: "component" }), steps = make(element, "ol", { class: "steps" });
  /** @type {Alive.Inside} */
  let shown;
  let pointed = 0;
  /** @param {number} c */
  const point = (c) => {
    if (!shown.vectors) return;
    pointed = Math.max(0, Math.min(shown.vectors[0].length - 1, c));
    component.textContent = shown.componentText(pointed + 1, ...shown.vectors.map((v) => number(v[pointed], 2)));
    vectors.setAttribute("aria-valuenow", pointed + 1);
    vectors.setAttribute("aria-valuetext", component.textContent);
  };
  for (const canvas of strips) canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    point(Math.floor(((event.clientX - box.left) / box.width) * canvas.width));
  });
  vectors.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    point(pointed + step);
  });

  /**
   * Shows a number; `text` is the line that opens. `inside()` is called only while the line is open, and returns
   * `vectors` (or null), `componentText(c, ...)` for a sentence with the numbers of component c, the partner (number
   * `at` of `count`, called `name`), and the `lines`.
   *
   * @param {string} text
   * @param {() => Alive.Inside} inside
   */
  function show(text, inside) {
    title.textContent = text;
    if (!element.open) return;
    const { at, count, name, lines } = (shown = inside());
    Object.assign(slider, { max: count - 1, value: at });
    partner.textContent = name;
    slider.setAttribute("aria-valuetext", name);
    vectors.hidden = component.hidden = !shown.vectors;
    if (shown.vectors) {
      shown.vectors.forEach((values, n) => {
        const most = Math.max(...values.map((v) => Math.abs(v)), 1e-9);
        paint(strips[n], values.map((v) => v / most), values.length, diverging);
      });
      vectors.setAttribute("aria-valuemax", shown.vectors[0].length);
      point(pointed);
    }
    steps.replaceChildren();
    lines.forEach((line) => make(steps, "li", {}, line));
  }
  return { element, show };
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
