// A layer and a number: where the model looks when it predicts the chosen word, by layer and head; and one weight.
import { largest } from "../../alive/js/numbers.js";
import { arrows, button, make } from "../../alive/js/page.js";
import { bar, paint, viridis } from "../../alive/js/parts.js";
import { CELLS } from "./features.js";
import { number } from "./number.js";

const GRID_CELLS = CELLS ** 2;

/**
 * `state` has `word`, `layer`, `head` (-1: the mean) and `partner` {kind, n} or null; `announce()` is called after a
 * choice.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Captioning.Model} model
 * @param {Captioning.State} state
 * @param {{ vocabulary: string[], view: Captioning.View, announce: () => void }} options
 */
export function looks(page, parent, model, state, { vocabulary, view, announce }) {
  const { say, percent } = page;
  const heads = page.section("heads", say("heads"), parent);
  heads.prepend(page.height("layer", heads));
  const maps = make(heads, "div", { class: "maps", role: "radiogroup", "aria-label": say("heads") });
  const among = page.section("among", say("among"), parent), bars = make(among, "div", { class: "bars" });
  const last = make(parent, "div", { class: "last" });
  page.height("number", last);
  const unfoldedWeight = number(page, last, model, {
    cells: GRID_CELLS,
    chosen: (partner) => {
      state.partner = partner;
      light();
    },
  });
  unfoldedWeight.element.addEventListener("toggle", () => {
    if (unfoldedWeight.element.open && state.head < 0) state.head = strongest();
    draw(written);
  });
  /** @type {Captioning.Written} */
  let written;

  /** @type {(kind: Captioning.Kind, layer?: number, head?: number) => number[]} */
  const weights = (kind, layer = state.layer, head = state.head) => {
    const all = written.rows[state.word][kind][layer];
    return head < 0 ? mean(all) : all[head];
  };
  /** @param {number} n */
  const word = (n) => (n === 0 ? "<START>" : vocabulary[written.words[n - 1]]);
  function strongest() {
    const most = written.rows[state.word].cross[state.layer].map((head) => Math.max(...head));
    return most.indexOf(Math.max(...most));
  }
  /**
   * The partner that the reader chose, while it is there; else the cell with the largest weight.
   *
   * @returns {Captioning.Partner}
   */
  function partner() {
    const { partner: wanted } = state;
    if (wanted && wanted.n < weights(wanted.kind).length) return wanted;
    return { kind: "cross", n: largest(weights("cross"), 1)[0] };
  }

  /** @param {Captioning.Written} now */
  function draw(now) {
    written = now;
    const { cross } = written.rows[state.word];
    state.layer = Math.min(state.layer, cross.length - 1);
    state.head = Math.min(state.head, cross[0].length - 1);
    const options = cross.flatMap((all, layer) => [-1, ...all.keys()].map((head) => ({ layer, head })));
    maps.style.gridTemplateColumns = `repeat(${cross[0].length + 1}, minmax(0, 1fr))`;
    maps.replaceChildren();
    options.forEach((option, n) => map(option, n, options));
    bars.replaceChildren();
    weights("self").forEach((weight, n) => {
      const row = bar(bars, word(n), weight, percent(weight), n === state.word ? "self" : "word");
      row.addEventListener("click", () => choose({ partner: { kind: "self", n } }));
    });
    light();
  }
  /**
   * A small map of one head, or of the mean; a click on one of its squares chooses that cell, too.
   *
   * @param {{ layer: number, head: number }} option
   * @param {number} n
   * @param {{ layer: number, head: number }[]} options
   */
  function map({ layer, head }, n, options) {
    const on = layer === state.layer && head === state.head;
    const name = say(head < 0 ? "mean" : "head", { layer: layer + 1, head: head + 1 });
    /** @param {number} m */
    const go = (m) => {
      choose({ ...options[m], partner: null });
      maps.querySelectorAll("button")[m].focus();
    };
    const chosen = button(
      maps,
      undefined,
      (event) => {
        // Found before the maps are drawn anew. A key press has `detail` 0 and chooses no cell.
        const cell = event.detail ? square(event) : -1;
        go(n);
        if (cell >= 0) choose({ partner: { kind: "cross", n: cell } });
      },
      { role: "radio", "aria-checked": on, tabindex: on ? 0 : -1 },
    );
    chosen.addEventListener("keydown", (event) => arrows(event, n, options.length, go));
    const values = Float32Array.from(weights("cross", layer, head)), most = Math.max(...values);
    const cell = values.indexOf(most), row = Math.floor(cell / CELLS) + 1, column = (cell % CELLS) + 1;
    chosen.setAttribute("aria-label", `${name}: ${say("place", { row, column })}, ${percent(most)}`);
    paint(make(chosen, "canvas", { "aria-hidden": "true" }), values.map((w) => w / most), CELLS, viridis);
    make(chosen, "small", {}, name);
  }
  /** @param {MouseEvent} event */
  function square({ clientX, clientY, target: element }) {
    /** @type {any} */
    const target = element;
    const canvas = target.closest("button").querySelector("canvas"), box = canvas.getBoundingClientRect();
    /** @type {(way: number, from: number, size: number) => number} */
    const cell = (way, from, size) => Math.max(0, Math.min(CELLS - 1, Math.floor(((way - from) / size) * CELLS)));
    return cell(clientY, box.top, box.height) * CELLS + cell(clientX, box.left, box.width);
  }
  /** @param {Partial<Captioning.State>} option */
  function choose(option) {
    Object.assign(state, option);
    draw(written);
    announce();
  }
  /** Shows the weights on the scene, and the unfolded weight. */
  function light() {
    const { kind, n } = partner();
    view.light(weights("cross"), kind === "cross" ? n : -1);
    const name = kind === "cross" ? say("place", { row: Math.floor(n / CELLS) + 1, column: (n % CELLS) + 1 }) : word(n);
    const { layer, head, word: at } = state;
    unfoldedWeight.show(
      written,
      { word: at, layer, head, kind, n },
      { name, called: vocabulary[written.words[at]], mistake: state.mistake },
    );
  }
  return { heads, last, draw };
}

/** @param {number[][]} heads */
const mean = (heads) => heads[0].map((_, j) => heads.reduce((sum, head) => sum + head[j], 0) / heads.length);
