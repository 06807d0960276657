// The explorer of the lesson `attention`: the whole (stage and networks), a layer (matrix), a number (one weight).
import { difference, largest, numbers } from "../../alive/js/numbers.js";
import { arrows, beforeNextPicture, button, frame, guided, make } from "../../alive/js/page.js";
import { mistakes, player, temperature, trials, wished } from "../../alive/js/parts.js";
import { matrix, shares } from "./matrix.js";
import { load, run } from "./network.js";
import { number } from "./number.js";
import { LENGTH, MIDDLE, WIDTH, drawn, input, random, target } from "./sequences.js";
import { filled, small, stage } from "./stage.js";

/** @type {Attention.Shape[]} */
const START = [
  { kind: "triangle", left: 8, height: 25 }, { kind: "rectangle", left: 27, height: 10 },
  { kind: "triangle", left: 55, height: 7 }, { kind: "rectangle", left: 80, height: 20 },
];
/** @type {Attention.Shape[]} */
const FAR = [
  { kind: "triangle", left: 1, height: 27 }, { kind: "rectangle", left: 40, height: 8 },
  { kind: "rectangle", left: 52, height: 16 }, { kind: "triangle", left: 91, height: 5 },
];
/** @type {Attention.Shape[]} */
const THREE = [
  { kind: "triangle", left: 6, height: 24 }, { kind: "triangle", left: 30, height: 6 },
  { kind: "triangle", left: 58, height: 12 }, { kind: "rectangle", left: 82, height: 18 },
];
/** @type {Attention.Shape[]} */
const TOUCHING = [
  { kind: "triangle", left: 20, height: 22 }, { kind: "triangle", left: 28, height: 6 },
  { kind: "rectangle", left: 60, height: 4 }, { kind: "rectangle", left: 68, height: 20 },
];
const MISTAKES = ["softmax_over_queries", "softmax_missing", "attention_transposed_in_output", "scaled_by_key_dim",
  "masked_future", "encoding_constant"];
const HONEST = 0.02; // half precision makes differences of 0.002; a mistake makes larger ones
const RIGHT = 1; // a network is right if its heights are off by less than this, on average

/**
 * Mounts the explorer; `data` is the message. A network whose probe differs is named, and nothing is drawn.
 *
 * @param {Element} host
 * @param {Attention.Data} data
 */
export function mount(host, data) {
  const page = frame(host, data), { say } = page;
  const networks = data.networks.map(load);
  for (const network of networks) {
    const probe = network.probe;
    const { y } = run(network, numbers(probe.input, "f4"), LENGTH);
    const distance = difference(y, numbers(probe.output, "f4"));
    const words = { name: say(network.name), d: page.number(distance, 2) };
    if (!(distance < HONEST)) return page.refuse(say("wrong", words));
  }
  /** @param {Attention.Shape[]} shapes */
  const copy = (shapes) => shapes.map((shape) => ({ ...shape }));
  const first = Math.max(0, networks.findIndex((network) => network.attends));
  const state = { shapes: copy(START), position: 12, looked: 58, held: 0, chosen: first, temperature: 1, mistake: "" };
  /** @type {Attention.Result[]} */
  let results = [];

  const whole = make(page.body, "div", { class: "whole" }), layer = make(page.body, "div", { class: "layer" });
  page.height("whole", whole);
  legend(page, whole);
  const work = { changed: () => change(), pointed: point, announce: () => tell() };
  const scene = stage(page, make(whole, "div"), state, work);
  const tools = make(whole, "p", { class: "choices" });
  button(tools, say("turn"), () => scene.turn(Math.min(state.held, state.shapes.length - 1)));
  button(tools, say("shuffle"), () => replace(random()));
  button(tools, say("reset"), () => { off.clear(); warmth.reset(); replace(copy(START), 12, first); });
  player(page, tools, { count: () => LENGTH, pause: 90, go: point });
  const cards = cardsOf(page, whole, networks, choose);
  const left = make(layer, "div");
  page.height("layer", left);
  const table = matrix(page, left, state, { looked, opened: () => { unfoldedWeight.element.open = true; } });
  const side = make(layer, "div", { class: "side" });
  const looks = shares(page, side, state);
  page.height("number", side);
  const unfoldedWeight = number(page, side, state, (j) => looked(state.position, j));
  const change = beforeNextPicture(() => { compute(); draw(); });
  const warmth = temperature(page, side, (value) => { state.temperature = value; change(); });
  const off = mistakes(page, side, MISTAKES, wished(data), (id) => { state.mistake = id; change(); }, tell);
  const guesses = trials(page, left, [trial("far", FAR), trial("three", THREE), trial("touching", TOUCHING)]);
  make(page.root, "p", { class: "keys" }, say("keys"));
  guided(page, [
    { at: () => scene.element, words: "guide_stage" }, { at: () => cards.element, words: "guide_networks" },
    { at: () => scene.element, words: "guide_arcs" }, { at: () => table.figure, words: "guide_matrix" },
    { at: () => unfoldedWeight.element, words: "guide_number" }, { at: () => off.element, words: "guide_mistakes" },
    { at: () => guesses, words: "guide_trials" },
  ]);
  compute();
  Object.assign(state, firstLook(results[first], state.shapes));
  scene.start();

  /**
   * @param {Attention.Shape[]} shapes
   * @param {number} position
   * @param {number} chosen
   */
  function replace(shapes, position = shapes[0].left + MIDDLE, chosen = state.chosen) {
    Object.assign(state, { shapes, position, chosen, looked: shapes[shapes.length - 1].left + MIDDLE });
    change();
    tell();
  }
  /** @param {number} n */
  function choose(n) { state.chosen = n; change(); tell(); }
  /** @param {number} position */
  function point(position) {
    if (position === state.position) return;
    state.position = position;
    light();
  }
  /**
   * @param {number} i
   * @param {number} j
   */
  function looked(i, j) {
    Object.assign(state, { position: i, looked: j });
    light();
  }
  function compute() {
    const from = performance.now(), sequence = drawn(state.shapes);
    results = networks.map((network) => answer(network, sequence, state));
    page.root.dataset.ms = (performance.now() - from).toFixed(1);
  }
  function draw() {
    const result = results[state.chosen];
    cards.draw(results, state);
    scene.draw(result);
    table.draw(result, networks[state.chosen].reach);
    warmth.slider.disabled = !result.inside;
    light();
  }
  function light() {
    const result = results[state.chosen], { reach } = networks[state.chosen];
    if (!result) return;
    scene.light(result, reach);
    table.light();
    looks.light(result, reach);
    unfoldedWeight.light(result, state.mistake, state.temperature);
  }
  function tell() {
    page.tell(() => {
      const off = say("off", { e: page.number(results[state.chosen].off) });
      return `${looks.sentence()}. ${say(networks[state.chosen].name)}: ${off}`;
    });
  }
  /**
   * @param {string} name
   * @param {Attention.Shape[]} shapes
   * @returns {Alive.Trial}
   */
  function trial(name, shapes) {
    const show = () => {
      off.clear();
      replace(copy(shapes));
      compute();
      return results.map((result) => ({ right: result.off < RIGHT, says: verdict(page, result.off) }));
    };
    return { name, show, options: () => networks.map((network) => say(network.name)) };
  }
}

/**
 * The position of the first shape that looks most at the other shapes, and where it looks most.
 *
 * @param {Attention.Result} result
 * @param {Attention.Shape[]} shapes
 */
function firstLook({ inside }, shapes) {
  if (!inside) return {};
  /** @param {Attention.Shape} shape */
  const of = ({ left }) => Array.from({ length: WIDTH }, (_, n) => left + n), others = shapes.slice(1).flatMap(of);
  const looks = of(shapes[0]).map((i) => others.reduce((sum, j) => sum + inside.weights[i * LENGTH + j], 0));
  const position = shapes[0].left + looks.indexOf(Math.max(...looks));
  return { position, looked: largest(inside.weights.subarray(position * LENGTH, (position + 1) * LENGTH), 1)[0] };
}

/**
 * A network's answer in heights, the target, and how far the shapes' heights are off on average.
 *
 * @param {Attention.Network} network
 * @param {Float32Array} sequence
 * @param {Attention.State} state
 * @returns {Attention.Result}
 */
function answer(network, sequence, { shapes, temperature, mistake }) {
  const { mean, std } = network.scale.y;
  const { y, inside } = run(network, input(sequence, network, mistake), LENGTH, { temperature, mistake });
  const heights = y.map((v) => v * std + mean);
  const wish = target(shapes, network.task);
  const off =
    shapes.reduce((sum, { left }) => sum + Math.abs(heights[left + MIDDLE] - wish[left + MIDDLE]), 0) / shapes.length;
  return { heights, inside, wish, off };
}

/** @type {(page: Alive.Page, off: number) => string} */
const verdict = ({ say, number }, off) => `${off < RIGHT ? "✓" : "✗"} ${say("off", { e: number(off) })}`;

/**
 * @param {Alive.Page} page
 * @param {Element} parent
 */
function legend({ say }, parent) {
  const row = make(parent, "p", { class: "legend" });
  for (const name of ["input", "target", "prediction"]) {
    const entry = make(row, "span");
    make(entry, "i", { class: name });
    entry.append(say(name));
  }
}

/**
 * A card for each network: a small picture of its answer, and how far it is off. One network is chosen to look into.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Attention.Network[]} networks
 * @param {(n: number) => void} choose
 */
function cardsOf(page, parent, networks, choose) {
  const { say } = page, element = make(parent, "div"), high = 32;
  make(element, "p", { class: "label" }, say("networks"));
  const row = make(element, "div", { class: "cards", role: "radiogroup", "aria-label": say("networks") });
  const cards = networks.map((network, n) => {
    const card = button(row, undefined, () => choose(n), { role: "radio" });
    card.addEventListener("keydown", (event) =>
      arrows(event, n, networks.length, (m) => {
        cards[m].card.focus();
        choose(m);
      }),
    );
    make(card, "b", {}, say(network.name));
    const mini = make(card, "svg", {
      viewBox: `0 0 ${LENGTH} ${high + 2}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    const paths = ["input", "target", "prediction"].map((name) => make(mini, "path", { class: name }));
    const [below, wish, prediction] = paths;
    return { card, below, wish, prediction, error: make(card, "em") };
  });
  /**
   * @param {Attention.Result[]} results
   * @param {Attention.State} state
   */
  function draw(results, { shapes, chosen }) {
    results.forEach((result, n) => {
      const { card, below, wish, prediction, error } = cards[n];
      card.setAttribute("aria-checked", n === chosen);
      card.tabIndex = n === chosen ? 0 : -1;
      below.setAttribute("d", filled(shapes, high));
      wish.setAttribute("d", small(result.wish, high));
      prediction.setAttribute("d", small(result.heights, high));
      error.className = result.off < RIGHT ? "good" : "bad";
      error.textContent = verdict(page, result.off);
    });
  }
  return { element, draw };
}
