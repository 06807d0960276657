// A layer and a number: where the model looks when it predicts the chosen word, by layer and head; and the way there.
import { clamp, largest } from "../../alive/js/numbers.js";
import { arrows, button, make } from "../../alive/js/page.js";
import { bar, paint, viridis } from "../../alive/js/parts.js";
import { walk } from "../../alive/js/walk.js";
import { CELLS } from "./features.js";
import { headsOf, walkOf } from "./way.js";

const QUESTIONS = ["question_helps", "question_kind", "question_moved", "question_two", "question_biases"];

/**
 * `state` has `word`, `layer`, `head` (-1: the mean), the `kind` of attention that the walk follows, the source looked
 * at, `partner` (null: where it looks most), and the next word `explained` (null: the one that is written). `choose(n)`
 * chooses a word, `announce()` is called after another choice.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Captioning.Model} model
 * @param {Captioning.State} state
 * @param {Captioning.LooksOptions} options
 */
export function looks(page, parent, model, state, { vocabulary, view, among: beside, choose: chooseWord, announce }) {
  const { say, percent } = page;
  const heads = page.section("heads", say("heads"), parent);
  heads.prepend(page.height("layer", heads));
  const maps = make(heads, "div", { class: "maps", role: "radiogroup", "aria-label": say("heads") });
  const among = page.section("among", say("among"), beside), bars = make(among, "div", { class: "bars" });
  const way = walk(page, page.root, {
    step: (by) => chooseWord(clamp(state.word + by, 0, written.words.length - 1)),
    head: (n) => follow(headsOf(written.rows[state.word])[n]),
    partner: (n) => { state.partner = n; light(); },
    questions: QUESTIONS,
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
  /**
   * The head that the walk follows: the chosen one; or, of all, the one that looks most at one source.
   *
   * @returns {Captioning.Head}
   */
  function followed() {
    const { kind, layer, head } = state, heads = written.rows[state.word][kind][layer];
    const most = heads.map((shares) => Math.max(...shares));
    return { kind, layer, head: head < 0 ? most.indexOf(Math.max(...most)) : head };
  }
  /** @param {Captioning.Head} head */
  function follow(head) { choose({ ...head, partner: null }); }
  /** @type {(kind: Captioning.Kind, n: number) => string} */
  const nameOf = (kind, n) =>
    kind === "self" ? word(n) : say("place", { row: Math.floor(n / CELLS) + 1, column: (n % CELLS) + 1 });

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
      row.addEventListener("click", () => choose({ kind: "self", partner: n }));
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
      choose({ ...options[m], kind: "cross", partner: null });
      maps.querySelectorAll("button")[m].focus();
    };
    const chosen = button(
      maps,
      undefined,
      (event) => {
        // Found before the maps are drawn anew. A key press has `detail` 0 and chooses no cell.
        const cell = event.detail ? square(event) : -1;
        go(n);
        if (cell >= 0) choose({ partner: cell });
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
  /** Shows the weights on the scene, and the way. */
  function light() {
    const { kind, layer, head } = followed(), shares = written.rows[state.word][kind][layer][head];
    const n = Math.min(state.partner ?? largest(shares, 1)[0], shares.length - 1);
    view.light(weights("cross"), kind === "cross" ? n : -1);
    const explain = (/** @type {number} */ explained) => { state.explained = explained; light(); };
    const partner = (/** @type {number} */ other) => { state.partner = other; light(); };
    const more = { vocabulary, name: nameOf, choose: follow, explain, partner };
    way.draw(walkOf(page, model, written, { ...state, ...more, kind, layer, head, n }));
  }
  /** What the followed head looks at most, in words. */
  function said() {
    const { kind, layer, head } = followed(), shares = written.rows[state.word][kind][layer][head];
    const [n] = largest(shares, 1), name = say(`adds_${kind}`, { layer: layer + 1, head: head + 1 });
    return say("looks", { name, place: nameOf(kind, n), weight: percent(shares[n]) });
  }
  return { heads, walk: way.element, draw, said };
}

/** @param {number[][]} heads */
const mean = (heads) => heads[0].map((_, j) => heads.reduce((sum, head) => sum + head[j], 0) / heads.length);
