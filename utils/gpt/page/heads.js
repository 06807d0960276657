// A layer: where each head looks from the pointed letter, and a box that takes the head away.
import { largest } from "../../alive/js/numbers.js";
import { arrows, button, make } from "../../alive/js/page.js";
import { paint, viridis } from "../../alive/js/parts.js";
import { sign } from "./tale.js";

/** `choose(l, h)` chooses a head; `switched(off)` is told the sets of heads that are off, one set for each layer. */
export function heads(page, parent, { named, choose, switched }) {
  const { say, number, percent } = page, part = page.section("heads", say("heads"), parent);
  const list = make(part, "div", { class: "list", role: "radiogroup", "aria-label": say("heads") });
  const row = make(part, "p", { class: "choices" });
  let rows = [], off = [], scores = [];
  const set = (sets) => {
    off = sets;
    rows.forEach(({ l, h, box }) => { box.checked = !off[l].has(h); });
    switched(off);
  };
  button(row, say("off_named"), () => set(namedIn(scores, named)));
  button(row, say("all_on"), () => set(scores.map(() => new Set())));

  /** Builds the rows of a model. */
  function build(model, sets) {
    ({ scores } = model);
    off = sets;
    list.replaceChildren();
    rows = scores.flatMap((line, l) => line.map((score, h) => {
      const name = say("head", { layer: l + 1, head: h }), one = make(list, "div", { class: "row" });
      const box = make(one, "input", { type: "checkbox", "aria-label": say("on", { name }) });
      box.checked = !off[l].has(h);
      box.addEventListener("change", () => set(off.map((old, n) => new Set(n === l ? (box.checked ? [...old].filter((k) => k !== h) : [...old, h]) : old))));
      const chosen = button(one, name, () => choose(l, h), { role: "radio" });
      chosen.addEventListener("keydown", (event) => arrows(event, rows.findIndex((other) => other.chosen === chosen), rows.length, (n) => {
        choose(rows[n].l, rows[n].h);
        rows[n].chosen.focus();
      }));
      const strip = make(one, "canvas", { role: "img" });
      const most = make(one, "span", { class: "most" });
      make(one, "b", { class: score >= named ? "named" : "", title: say("score_of") }, number(score, 2));
      return { l, h, box, chosen, strip, most };
    }));
  }
  /** Shows where all heads look from a place of `text`. */
  function show(known, place, text, [layer, head]) {
    rows.forEach(({ l, h, chosen, strip, most }) => {
      const looks = known.layers[l].looks[place][h], [top] = largest(looks, 1), lit = l === layer && h === head;
      paint(strip, Array.from(looks, Math.sqrt), looks.length, viridis);
      strip.style.width = `${(50 + (50 * looks.length) / text.length).toFixed(1)}%`; // the longer, the more it sees
      most.textContent = `${sign(text[top])} ${percent(looks[top])}`;
      strip.setAttribute("aria-label", say("strip", { letter: sign(text[top]), weight: percent(looks[top]) }));
      chosen.setAttribute("aria-checked", lit);
      chosen.tabIndex = lit ? 0 : -1;
    });
  }
  return { part, build, show, set };
}

/** The heads of the last layer whose score is at least `named`, or the one with the highest; none in other layers. */
export function namedIn(scores, named) {
  const last = scores.at(-1), found = last.flatMap((score, h) => (score >= named ? [h] : []));
  return scores.map((_, l) => new Set(l < scores.length - 1 ? [] : found.length ? found : largest(last, 1)));
}
