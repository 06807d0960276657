// One number unfolded in place: two vectors, the products of their components, and the steps from their sum to a
// weight.
import { make } from "./page.js";
import { strips } from "./strips.js";

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
  const vectors = strips(page, element), steps = make(element, "ol", { class: "steps" });

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
    const shown = inside(), { at, count, name, lines } = shown;
    Object.assign(slider, { max: count - 1, value: at });
    partner.textContent = name;
    slider.setAttribute("aria-valuetext", name);
    vectors.element.hidden = vectors.component.hidden = !shown.vectors;
    if (shown.vectors) {
      const rows = shown.vectors.map((values, n) => ({ name: say(names[n]), values }));
      vectors.show(rows, (c) => shown.componentText(c + 1, ...rows.map(({ values }) => number(values[c], 2))));
    }
    steps.replaceChildren();
    lines.forEach((line) => make(steps, "li", {}, line));
  }
  return { element, show };
}
