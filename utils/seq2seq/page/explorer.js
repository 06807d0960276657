// The explorer of the lesson `seq2seq`: a sentence is translated while it is typed, and every word shows where it
// looked.
import { difference, largest, numbers, softmax } from "../../alive/js/numbers.js";
import { arrows, atEachWidth, beforeNextPicture, button, frame, guided, make } from "../../alive/js/page.js";
import { bar, flowing, mistakes, player, temperature, trials, viridis, wished } from "../../alive/js/parts.js";
import { field } from "./field.js";
import { number as numberOf } from "./number.js";
import { beam, greedy, load, logs, next, read } from "./translator.js";
import { normal } from "./words.js";

const MISTAKES = [
  "attend_plain_mean",
  "attend_last_word",
  "attend_hard",
  "additive_no_tanh",
  "decoder_state_forgotten",
  "greedy_same_word_fed",
];
const HONEST = 0.02; // half precision makes differences of 0.003; a mistake makes larger ones
const LIKELIEST = 5, HIGH = 130, WAY = 34; // words offered; pixels of the map of lines, and of the room for its words

/**
 * Mounts the explorer; `data` is the message. A translator whose probe differs is not drawn.
 *
 * @param {Element} host
 * @param {Seq2seq.Data} data
 */
export function mount(host, data) {
  const page = frame(host, data);
  const { say, number, percent } = page;
  const { french, english } = data;
  const model = load(data.model);
  /** @type {[string, number][]} */
  const numbered = french.map((word, n) => [word, n]);
  const known = new Map(numbered.slice(2)); // without SOS and EOS, which nobody types
  const distance = difference(probed(model, data.probe), numbers(data.probe.output, "f4"));
  if (!(distance < HONEST)) return page.refuse(say("wrong", { name: say("translator"), d: number(distance, 2) }));

  const change = beforeNextPicture(() => {
    compute();
    draw();
  });
  /** @type {Seq2seq.State} */
  const state = {
    text: data.sentences[0],
    word: data.pointed - 1,
    read: null,
    forced: [],
    mistake: "",
    temperature: 1,
  };
  /** @type {string[]} */
  let source;
  /** @type {Seq2seq.Written} */
  let written;
  /** @type {{ words: number[], mean: number } | null} */
  let ahead;
  const left = make(page.body, "div", { class: "left" }), right = make(page.body, "div", { class: "right" });
  page.height("whole", left);
  const typed = field(page, left, { known, text: state.text, changed: (text) => { state.text = text; renew(); } });
  const examples = make(left, "p", { class: "choices", role: "group", "aria-label": say("examples") });
  data.sentences.forEach((sentence) => button(examples, sentence, () => replace(sentence), { lang: "fr" }));
  const translation = page.section("translation", say("translation"), left);
  const words = make(translation, "p", {
    class: "words",
    role: "radiogroup",
    "aria-label": say("translation"),
    lang: "en",
  });
  const other = make(translation, "p", { class: "label" });
  player(page, make(translation, "p", { class: "choices" }), {
    count: () => written.words.length,
    pause: 900,
    go: (n) => choose(n),
  });
  const lines = make(left, "svg", { class: "lines", role: "img", "aria-label": say("lines") });
  const off = mistakes(page, left, MISTAKES, wished(data), (id) => { state.mistake = id; renew(); }, tell);

  const offered = page.section("next", say("likeliest"), right), offers = make(offered, "div", { class: "offers" });
  const back = button(offered, say("undo"), () => { state.forced = []; change(); tell(); });
  const layer = make(right, "div", { class: "layer" });
  page.height("layer", layer);
  const looked = page.section("looked", say("looked"), layer), bars = make(looked, "div", { class: "bars" });
  const heat = page.section("heat", say("map"), layer), table = make(make(heat, "div", { class: "wide" }), "table");
  const last = make(right, "div", { class: "last" });
  page.height("number", last);
  const unfoldedWeight = numberOf(page, last, model, (t) => { state.read = t; unfold(); });
  unfoldedWeight.element.addEventListener("toggle", () => unfold());
  const warmth = temperature(page, right, (value) => { state.temperature = value; renew(); });
  const guesses = trials(page, left, [crossing(), without(), lengthened()]);
  make(page.root, "p", { class: "keys" }, say("keys"));
  guided(page, [
    { at: () => typed.label, words: "guide_type" },
    { at: () => translation, words: "guide_words" },
    { at: () => lines, words: "guide_lines" },
    { at: () => heat, words: "guide_map" },
    { at: () => last, words: "guide_number" },
    { at: () => offered, words: "guide_next" },
    { at: () => off.element, words: "guide_mistakes" },
    { at: () => guesses, words: "guide_trials" },
  ]);
  let width = 0, waiting = 0;
  function renew() { Object.assign(state, { forced: [], read: null }); change(); }
  compute();
  atEachWidth(translation, (now) => { width = now; draw(); });

  /** @param {string} sentence */
  function replace(sentence) {
    typed.write(sentence);
    tell();
  }
  /** @param {number} n */
  function choose(n) {
    Object.assign(state, { word: n, read: null });
    light();
    tell();
  }
  /** @param {string} text */
  function asked(text = state.text) { return normal(text).split(" ").filter(Boolean); }
  /**
   * @param {string[]} those
   * @returns {any[]}
   */
  function indices(those) { return [...those.map((word) => known.get(word)), model.eos]; }
  function compute() {
    const from = performance.now();
    const those = asked();
    const readable = those.length > 0 && those.every((word) => known.has(word));
    const stale = readable ? "" : "yes"; // the translation is that of the sentence before
    if (stale && !page.root.dataset.stale) page.tell(() => say("stale"));
    page.root.dataset.stale = stale;
    if (readable) {
      source = those;
      written = greedy(model, indices(source), state);
      clearTimeout(waiting); // the beam, four times as much work, waits for a pause
      ahead = null;
      waiting = setTimeout(() => { ahead = beam(model, indices(source), state); beside(); }, 150);
    }
    page.root.dataset.ms = (performance.now() - from).toFixed(1);
  }
  /** @param {number[]} those */
  function sentence(those = written.words) {
    return those
      .filter((word) => word !== model.eos)
      .map((word) => english[word])
      .join(" ");
  }
  function shown() {
    return [...source, "EOS"];
  }

  function beside() {
    const mean =
      written.words.reduce((sum, word, n) => sum + logs(written.steps[n].logits)[word], 0) / written.words.length;
    other.textContent =
      ahead &&
      say(sentence(ahead.words) === sentence() ? "beam_same" : "beam", {
        words: sentence(ahead.words),
        mean: number(ahead.mean, 2),
        greedy: number(mean, 2),
      });
  }
  function draw() {
    state.word = Math.max(0, Math.min(state.word, written.words.length - 1));
    words.replaceChildren();
    written.words.forEach((word, n) => {
      /** @param {number} m */
      const go = (m) => { choose(m); words.querySelectorAll("button")[m].focus(); };
      const chosen = button(words, english[word], () => go(n), { role: "radio", onpointerenter: () => point(n, null) });
      chosen.classList.toggle("forced", state.forced[n] !== undefined);
      chosen.addEventListener("keydown", (event) => arrows(event, n, written.words.length, go));
    });
    back.hidden = !state.forced.some((word) => word !== undefined);
    beside();
    heated();
    light();
  }
  /**
   * What the pointer is on: a word that was written, and maybe one that was read.
   *
   * @param {number} word
   * @param {number | null} read
   */
  function point(word, read) {
    if (word === state.word && read === state.read) return;
    const same = word === state.word;
    Object.assign(state, { word, read });
    if (same) unfold();
    else light();
  }
  /** Everything that depends on the chosen word alone. */
  function light() {
    words.querySelectorAll("button").forEach((chosen, n) => {
      chosen.setAttribute("aria-checked", n === state.word);
      chosen.tabIndex = n === state.word ? 0 : -1;
    });
    table.querySelectorAll("tbody tr").forEach((row, n) => row.classList.toggle("lit", n === state.word));
    const { looks } = written.steps[state.word];
    bars.replaceChildren();
    shown().forEach((word, t) =>
      bar(bars, word, looks[t], percent(looks[t]), "word").addEventListener("click", () => {
        state.read = t;
        unfold();
      }),
    );
    linesDrawn();
    offer();
    unfold();
  }
  function linesDrawn() {
    /** @type {(n: number, count: number) => number} */
    const middleOf = (n, count) => ((n + 0.5) / count) * width, read = shown();
    lines.replaceChildren();
    lines.setAttribute("viewBox", `0 0 ${width} ${HIGH + 2 * WAY}`);
    lines.setAttribute("height", HIGH + 2 * WAY);
    written.steps.forEach(({ looks }, n) =>
      looks.forEach((weight, t) => {
        if (weight < 0.03) return;
        const [a, b] = [middleOf(t, read.length), middleOf(n, written.words.length)];
        const middle = WAY + HIGH / 2;
        const d = `M${a},${WAY}C${a},${middle} ${b},${middle} ${b},${WAY + HIGH}`;
        const size = { "stroke-width": (7 * weight).toFixed(1) };
        if (n === state.word) flowing(lines, d, { ...size, class: "lit" });
        else make(lines, "path", { d, ...size });
      }),
    );
    /** @param {number} count */
    const narrow = (count) => width / count < 46;
    /** @type {(text: string, x: number, y: number, lit: boolean, count: number) => void} */
    const writeWord = (text, x, y, lit, count) => {
      const words = make(lines, "text", { x, y, "text-anchor": "middle", class: lit ? "lit" : "" }, text);
      if (narrow(count)) words.setAttribute("transform", `rotate(-30 ${x} ${y})`);
    };
    read.forEach((word, t) =>
      writeWord(word, middleOf(t, read.length), WAY - 8, written.steps[state.word].looks[t] > 0.3, read.length),
    );
    const count = written.words.length;
    written.words.forEach((word, n) =>
      writeWord(english[word], middleOf(n, count), WAY + HIGH + 18, n === state.word, count),
    );
  }
  /** The alignment map: a row for each word written, a column for each word read. */
  function heated() {
    table.replaceChildren();
    const head = make(make(table, "thead"), "tr");
    make(head, "td");
    shown().forEach((word) => make(make(head, "th", { scope: "col" }), "span", {}, word));
    const body = make(table, "tbody");
    written.steps.forEach(({ looks }, n) => {
      const row = make(body, "tr");
      make(row, "th", { scope: "row", onpointerenter: () => point(n, null) }, english[written.words[n]]);
      looks.forEach((weight, t) => make(row, "td", {
        style: `background:rgb(${viridis(weight)})`, title: percent(weight), onpointerenter: () => point(n, t),
      }));
    });
  }
  function offer() {
    const { logits } = written.steps[state.word], shares = softmax(Float64Array.from(logits), logits.length);
    const position = state.word, word = written.words[position];
    offers.replaceChildren();
    largest(logits, LIKELIEST).forEach((candidate) => {
      const row = bar(offers, "", shares[candidate], percent(shares[candidate]), "word");
      button(row.children[0], english[candidate], () => {
        state.forced = [...written.words.slice(0, position), candidate];
        change();
        tell();
      }, { "aria-pressed": candidate === word, lang: "en" });
    });
  }
  /** The weight of the French word that was chosen, or of the one that is looked at most. */
  function unfold() {
    const step = written.steps[state.word], t = state.read ?? largest(step.looks, 1)[0];
    const { mistake, temperature } = state, word = english[written.words[state.word]];
    unfoldedWeight.show(step, written.keys, { t, read: shown(), word, mistake, temperature });
    table.querySelectorAll("td.chosen").forEach((cell) => cell.classList.remove("chosen"));
    table.tBodies[0]?.rows[state.word]?.cells[t + 1]?.classList.add("chosen");
  }
  function tell() { page.tell(() => `${sentence()}. ${unfoldedWeight.element.querySelector("summary")?.textContent}`); }

  /**
   * Before a trial everything is as trained; then `show` judges the options.
   *
   * @param {string} name
   * @param {() => string[]} options
   * @param {(begin: (text: string) => void) => Alive.Guess[]} show
   * @returns {Alive.Trial}
   */
  function trial(name, options, show) {
    /** @param {string} text */
    const begin = (text) => { off.clear(); warmth.reset(); replace(text); compute(); draw(); };
    return { name, options, show: () => show(begin) };
  }
  function crossing() {
    return trial("crossing", () => [...asked(data.sentences[0]), "EOS"], (begin) => {
      begin(data.sentences[0]);
      state.word = Math.min(data.pointed - 1, written.words.length - 1);
      draw();
      const { looks } = written.steps[state.word], most = Math.max(...looks);
      return Array.from(looks, (weight) => ({ right: weight === most, says: percent(weight) }));
    });
  }
  function without() {
    return trial("without", () => MISTAKES.map((id) => say(`mistake_${id}`)), (begin) => {
      begin(data.sentences[1] ?? data.sentences[0]);
      return MISTAKES.map((mistake) => same(source, mistake));
    });
  }
  function lengthened() {
    const together = data.sentences.slice(0, 2).map((text) => asked(text).filter((word) => !".!?".includes(word)));
    const long = [...together.flatMap((words, n) => (n && known.has("et") ? ["et", ...words] : words)), "."].filter(
      (word) => known.has(word),
    );
    const texts = [asked(data.sentences[0]), long];
    return trial("long", () => texts.map((those) => those.join(" ")), (begin) => {
      begin(texts[1].join(" "));
      return texts.map((those) => same(those, "attend_last_word"));
    });
  }
  /**
   * @param {string[]} those
   * @param {string} mistake
   * @returns {Alive.Guess}
   */
  function same(those, mistake) {
    const [right, wrong] = ["", mistake].map((switched) =>
      sentence(greedy(model, indices(those), { mistake: switched }).words),
    );
    return { right: right === wrong, says: `${right === wrong ? "✓" : "✗"} ${wrong}` };
  }
}

/**
 * The logits (S x V) that the page computes for the probe's sentence, fed with the words that the model itself wrote.
 *
 * @param {Seq2seq.Model} model
 * @param {Seq2seq.Data["probe"]} probe
 */
function probed(model, { source, words }) {
  const memory = read(model, source);
  /** @type {number[]} */
  const all = [];
  [model.sos, ...words.slice(0, -1)].reduce((hidden, word) => {
    const step = next(model, memory, word, hidden, { mistake: "", temperature: 1 });
    all.push(...step.logits);
    return step.hidden;
  }, memory.hidden);
  return Float32Array.from(all);
}
