// A number: one weight unfolded, from the products of query and key to the score, its exponential and the weight.
import { make } from "../page.js";
import { diverging, paint } from "../parts.js";
import { LENGTH } from "./sequences.js";

const ROWS = ["query", "key", "product"];

/** Opens below the matrix. `state` has the pair: `position` looks at `looked`; `looked_at(j)` chooses another. */
export function number(page, parent, state, looked_at) {
  const { say } = page;
  const part = make(parent, "details", { class: "number" });
  const title = make(part, "summary");
  const label = make(part, "label", { class: "slider" });
  make(label, "span", {}, say("column"));
  const slider = make(label, "input", { type: "range", min: 0, max: LENGTH - 1, oninput: () => looked_at(Number(slider.value)) });
  const place = make(label, "output");
  const strips = Object.fromEntries(ROWS.map((name) => {
    const row = make(part, "div", { class: "strip" });
    make(row, "span", {}, say(name));
    return [name, make(row, "canvas", { role: "img", "aria-label": say(name) })];
  }));
  const component = make(part, "p", { class: "component" }), steps = make(part, "ol", { class: "steps" });
  let vectors = null, pointed = 0;
  const tellComponent = () => {
    const [q, k, product] = ROWS.map((name) => page.number(vectors[name][pointed], 2));
    component.textContent = say("component", { c: pointed + 1, q, k, product });
  };
  for (const canvas of Object.values(strips)) canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    pointed = Math.min(canvas.width - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * canvas.width)));
    tellComponent();
  });
  part.addEventListener("toggle", () => looked_at(state.looked));

  function light({ inside }, mistake, temperature) {
    part.hidden = !inside;
    if (!inside) return;
    const { position: i, looked: j } = state, { scores, weights } = inside;
    const weight = weights[i * LENGTH + j];
    title.textContent = say("unfold", { i, j, weight: page.percent(weight) });
    if (!part.open) return;
    slider.value = j;
    place.textContent = j;
    slider.setAttribute("aria-valuetext", say("position", { p: j }));
    vectors = products(inside, i, j);
    pointed = Math.min(pointed, inside.size - 1);
    for (const name of ROWS) {
      const most = Math.max(...vectors[name].map(Math.abs), 1e-9);
      paint(strips[name], vectors[name].map((v) => v / most), inside.size, diverging);
    }
    tellComponent();
    steps.replaceChildren();
    const sum = vectors.product.reduce((all, v) => all + v, 0), step = (key, values) => make(steps, "li", {}, say(key, values));
    step("dot", { i, j, sum: page.number(sum, 2) });
    const score = scores[i * LENGTH + j];
    if (mistake === "scaled_by_key_dim") step("scaled", { score: page.number(score, 2) });
    if (mistake === "softmax_missing") return step("raw", { weight: page.number(weight, 2) });
    const line = Array.from({ length: LENGTH }, (_, t) =>
      mistake === "softmax_over_queries" ? scores[t * LENGTH + j] : scores[i * LENGTH + t]);
    const most = Math.max(...line), power = (s) => Math.exp((s - most) / temperature);
    const all = line.reduce((total, s) => total + power(s), 0);
    step("power", { power: page.number(power(score), 4), most: page.number(most, 2) });
    step(mistake === "softmax_over_queries" ? "column_sum" : "row_sum", { all: page.number(all, 3), weight: page.percent(weight) });
  }
  return { part, light };
}

/** The components of q_i and k_j, and their products, whose sum is the score. */
function products({ query, key, size }, i, j) {
  const q = new Float32Array(size), k = new Float32Array(size);
  for (let c = 0; c < size; c++) {
    q[c] = query[c * LENGTH + i];
    k[c] = key[c * LENGTH + j];
  }
  return { query: q, key: k, product: q.map((v, c) => v * k[c]) };
}
