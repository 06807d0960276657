// The explorer of the lesson `captioning`: a scene to change, its caption word by word, and where each head looks.
import { difference, largest, numbers, softmax } from "../../alive/js/numbers.js";
import { arrows, beforeNextPicture, button, frame, guided, make } from "../../alive/js/page.js";
import { bar, mistakes, player, trials, wished } from "../../alive/js/parts.js";
import { grid, loadEyes } from "./features.js";
import { looks } from "./looks.js";
import { judge, picture } from "./scene.js";
import { stage } from "./stage.js";
import { load, read, remember, write } from "./writer.js";

const START = {
  background: "white",
  things: [
    { shape: "circle", colour: "red", size: "small", x: 0.5, y: 0.26 },
    { shape: "ring", colour: "blue", size: "large", x: 0.48, y: 0.74 },
  ],
};
const THREE = {
  background: "grey",
  things: [
    ...START.things.map((thing) => ({ ...thing, size: "small" })),
    { shape: "star", colour: "yellow", size: "small", x: 0.78, y: 0.5 },
  ],
};
const ALIKE = {
  background: "black",
  things: [
    { shape: "square", colour: "green", size: "large", x: 0.27, y: 0.5 },
    { shape: "star", colour: "green", size: "small", x: 0.75, y: 0.55 },
  ],
};
const BETWEEN = { background: "white", things: [{ shape: "ring", colour: "blue", size: "large", x: 0.48, y: 0.64 }] };
const MISTAKES = [
  "no_causal_mask",
  "no_positions",
  "scale_missing",
  "heads_ignored",
  "softmax_over_queries",
  "one_layer_only",
];
const HONEST = 0.02; // half precision makes differences of 0.003; a mistake makes larger ones
const LIKELIEST = 5; // words that are offered at a position
/** @type {Record<string, string>} */
const SIGN = { true: "✓", false: "✗", malformed: "?" };

/**
 * Mounts the explorer; `data` is the message. A model whose probe differs is not drawn.
 *
 * @param {Element} host
 * @param {Captioning.Data} data
 */
export function mount(host, data) {
  const page = frame(host, data), { say, number, percent } = page, { idx_to_word: vocabulary } = data;
  const model = load(data.model), eyes = loadEyes(data.eyes);
  const distance = difference(probed(model, data.probe), numbers(data.probe.output, "f4"));
  if (!(distance < HONEST)) return page.refuse(say("wrong", { name: say("captioner"), d: number(distance, 2) }));

  const scene = structuredClone(START);
  /** @type {Captioning.State} */
  const state = {
    word: 3, layer: model.depth - 1, head: -1, kind: "cross", partner: null, explained: null, forced: [], mistake: "",
  };
  /** @type {Captioning.Written} */
  let written;
  /** @type {Float32Array[]} */
  let features;

  const left = make(page.body, "div", { class: "left" }), right = make(page.body, "div", { class: "right" });
  page.height("whole", left);
  const changed = () => { state.forced = []; change(); };
  const view = stage(page, left, scene, { changed, announce: () => tell() });
  button(view.tools.children[view.tools.children.length - 1], say("reset"), () => { off.clear(); replace(START); });
  const caption = page.section("caption", say("caption"), right);
  const words = make(caption, "p", { class: "words", role: "radiogroup", "aria-label": say("caption") });
  const judgement = make(caption, "p", { class: "choices" }), verdict = make(judgement, "span", { class: "verdict" });
  player(page, judgement, { count: () => written.words.length, pause: 900, go: (n) => choose(n) });
  const change = beforeNextPicture(() => { compute(); draw(); });
  const off = mistakes(page, right, MISTAKES, wished(data), (id) => { state.mistake = id; change(); }, tell);
  const next = page.section("next", say("likeliest"), right);
  const offers = make(next, "div", { class: "offers" });
  const back = button(next, say("undo"), () => {
    state.forced = [];
    change();
    tell();
  });
  const inside = looks(page, right, model, state, { vocabulary, view, among: left, choose, announce: tell });
  const guesses = trials(page, left, [
    trial("without", START, withoutEach),
    trial("three", THREE, mentioned),
    trial("alike", ALIKE, () => [isTrue(judged())]),
    trial("between", BETWEEN, () => [isTrue(judged())]),
  ]);
  make(page.root, "p", { class: "keys" }, say("keys"));
  guided(page, [
    { at: () => view.element, words: "guide_scene" },
    { at: () => caption, words: "guide_caption" },
    { at: () => view.element, words: "guide_map" },
    { at: () => inside.heads, words: "guide_heads" },
    { at: () => next, words: "guide_next" },
    { at: () => off.element, words: "guide_mistakes" },
    { at: () => guesses, words: "guide_trials" },
    { at: () => inside.walk, words: "guide_walk" },
  ]);
  compute();
  draw();

  /** @param {Captioning.Scene} other */
  function replace(other) {
    Object.assign(scene, structuredClone(other));
    Object.assign(state, { forced: [], word: 3, partner: null, explained: null });
    change();
    tell();
  }
  function compute() {
    const from = performance.now();
    features = grid(eyes, picture(scene));
    written = write(model, features, state);
    page.root.dataset.ms = (performance.now() - from).toFixed(1);
  }
  /** @param {number[]} those */
  function sentence(those = written.words) {
    return those.filter((word) => word !== model.end).map((word) => vocabulary[word]).join(" ");
  }
  function judged() { return judge(sentence(), scene); }

  function draw() {
    state.word = Math.min(state.word, written.words.length - 1);
    view.draw();
    words.replaceChildren();
    written.words.forEach((word, n) => {
      /** @param {number} m */
      const go = (m) => {
        choose(m);
        words.querySelectorAll("button")[m].focus();
      };
      const chosen = button(words, vocabulary[word], () => go(n), {
        role: "radio",
        "aria-checked": n === state.word,
        tabindex: n === state.word ? 0 : -1,
      });
      chosen.classList.toggle("forced", state.forced[n] !== undefined);
      chosen.addEventListener("keydown", (event) => arrows(event, n, written.words.length, go));
    });
    verdict.className = `verdict ${judged() === "true" ? "good" : "bad"}`;
    verdict.textContent = `${SIGN[judged()]} ${say(judged())}`;
    back.hidden = !state.forced.some((word) => word !== undefined);
    offer();
    inside.draw(written);
  }
  /** @param {number} n */
  function choose(n) {
    Object.assign(state, { word: n, partner: null, explained: null });
    draw();
    tell();
  }
  /** The likeliest words at the chosen position, each a button that writes it. */
  function offer() {
    const { scores } = written.rows[state.word], shares = softmax(Float64Array.from(scores), scores.length);
    const position = state.word, word = written.words[position];
    offers.replaceChildren();
    largest(scores, LIKELIEST).forEach((other) => {
      const row = bar(offers, "", shares[other], percent(shares[other]), "word");
      button(row.children[0], vocabulary[other], () => {
        state.forced = [...written.words.slice(0, position), other];
        change();
        tell();
      }, { "aria-pressed": other === word });
    });
  }
  function tell() {
    page.tell(() => {
      const { scores } = written.rows[state.word], word = written.words[state.word];
      const share = percent(softmax(Float64Array.from(scores), scores.length)[word]);
      return `${sentence()}. ${say(judged())}. ${say("with", { word: vocabulary[word], share })} ${inside.said()}`;
    });
  }
  /**
   * @param {string} name
   * @param {Captioning.Scene} other
   * @param {() => Alive.Guess[]} show
   * @returns {Alive.Trial}
   */
  function trial(name, other, show) {
    /** @type {Record<string, () => string[]>} */
    const options = {
      without: () => MISTAKES.map((id) => say(`mistake_${id}`)),
      three: () =>
        THREE.things.map((thing) =>
          say("thing", { size: say(thing.size), colour: say(thing.colour), shape: say(thing.shape) }),
        ),
      alike: () => [say("true")],
      between: () => [say("true")],
    };
    return {
      name,
      options: options[name],
      show: () => {
        off.clear();
        replace(other);
        compute();
        return show();
      },
    };
  }
  /**
   * @param {string} truth
   * @param {string} text
   */
  function isTrue(truth, text = sentence()) { return { right: truth === "true", says: `${SIGN[truth]} ${text}` }; }
  function withoutEach() {
    return MISTAKES.map((mistake) => {
      const text = sentence(write(model, features, { mistake }).words);
      return isTrue(judge(text, scene), text);
    });
  }
  function mentioned() {
    return THREE.things.map(({ colour }) => ({
      right: sentence().includes(colour),
      says: sentence().includes(colour) ? "✓" : "✗",
    }));
  }
}

/**
 * The scores (S x V) that the page computes for the probe's features and words.
 *
 * @param {Captioning.Model} model
 * @param {Captioning.Probe} probe
 */
function probed(model, { features, places, words }) {
  const all = numbers(features, "f4"), width = all.length / places;
  const memory = remember(model, Array.from({ length: places }, (_, n) => all.subarray(n * width, (n + 1) * width)));
  return Float32Array.from(read(model, memory, words).flatMap(({ scores }) => Array.from(scores)));
}
