// A layer: where each head looks from the pointed letter, and a box that takes the head away.
import { largest } from "../../alive/js/numbers.js";
import { arrows, button, make } from "../../alive/js/page.js";
import { paint, viridis } from "../../alive/js/parts.js";
import { sign } from "./tale.js";

/**
 * `choose(l, h)` chooses a head; calls `switched(off)` with the sets of heads that are off, one set for each layer.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {{ named: number, choose: (l: number, h: number) => void, switched: (off: Gpt.Off) => void }} options
 */
export function heads(page, parent, { named, choose, switched }) {
  const { say, number, percent } = page, element = page.section("heads", say("heads"), parent);
  const list = make(element, "div", { class: "list", role: "radiogroup", "aria-label": say("heads") });
  const row = make(element, "p", { class: "choices" });
  /** @typedef {{ l: number, h: number, box: HTMLInputElement, chosen: HTMLElement }} Row */
  /** @type {(Row & { strip: HTMLCanvasElement, most: HTMLElement })[]} */
  let rows = [];
  /** @type {Gpt.Off} */
  let off = [];
  /** @type {number[][]} */
  let scores = [];
  /** @param {Gpt.Off} sets */
  const switchOff = (sets) => {
    off = sets;
    rows.forEach(({ l, h, box }) => { box.checked = !off[l].has(h); });
    switched(off);
  };
  button(row, say("off_named"), () => switchOff(namedIn(scores, named)));
  button(row, say("all_on"), () => switchOff(scores.map(() => new Set())));

  /**
   * Builds the rows of a model.
   *
   * @param {Gpt.Model} model
   * @param {Gpt.Off} sets
   */
  function build(model, sets) {
    ({ scores } = model);
    off = sets;
    list.replaceChildren();
    rows = scores.flatMap((line, l) =>
      line.map((score, h) => {
        const name = say("head", { layer: l + 1, head: h });
        const entry = make(list, "div", { class: "row" });
        const box = make(entry, "input", { type: "checkbox", "aria-label": say("on", { name }) });
        box.checked = !off[l].has(h);
        box.addEventListener("change", () => {
          const sets = off.map((old) => new Set(old));
          if (box.checked) sets[l].delete(h);
          else sets[l].add(h);
          switchOff(sets);
        });
        const chosen = button(entry, name, () => choose(l, h), { role: "radio" });
        chosen.addEventListener("keydown", (event) =>
          arrows(
            event,
            rows.findIndex((other) => other.chosen === chosen),
            rows.length,
            (n) => {
              choose(rows[n].l, rows[n].h);
              rows[n].chosen.focus();
            },
          ),
        );
        const strip = make(entry, "canvas", { role: "img" });
        const most = make(entry, "span", { class: "most" });
        make(entry, "b", { class: score >= named ? "named" : "", title: say("score_of") }, number(score, 2));
        return { l, h, box, chosen, strip, most };
      }),
    );
  }
  /**
   * Shows where all heads look from a position of `text`.
   *
   * @param {Gpt.Known} known
   * @param {number} position
   * @param {string} text
   * @param {number[]} chosen layer and head
   */
  function show(known, position, text, [layer, head]) {
    rows.forEach(({ l, h, chosen, strip, most }) => {
      const looks = known.layers[l].looks[position][h], [top] = largest(looks, 1), lit = l === layer && h === head;
      paint(strip, Array.from(looks, (weight) => Math.sqrt(weight)), looks.length, viridis);
      strip.style.width = `${(50 + (50 * looks.length) / text.length).toFixed(1)}%`; // the longer, the more it sees
      most.textContent = `${sign(text[top])} ${percent(looks[top])}`;
      strip.setAttribute("aria-label", say("strip", { letter: sign(text[top]), weight: percent(looks[top]) }));
      chosen.setAttribute("aria-checked", lit);
      chosen.tabIndex = lit ? 0 : -1;
    });
  }
  return { element, build, show, switchOff };
}

/**
 * The heads of the last layer whose score is at least `named`, or the one with the highest; none in other layers.
 *
 * @param {number[][]} scores
 * @param {number} named
 * @returns {Gpt.Off}
 */
export function namedIn(scores, named) {
  const last = scores[scores.length - 1], aboveNamed = last.flatMap((score, h) => (score >= named ? [h] : []));
  const off = aboveNamed.length ? aboveNamed : largest(last, 1);
  return scores.map((line) => new Set(line === last ? off : []));
}
