// The explorer of the lesson `seq2seq`: a sentence is translated while it is typed, and every word shows where it looked.
import { difference, largest, numbers } from "../numbers.js";
import { arrows, atEachWidth, beforeNextPicture, button, frame, guided, make } from "../page.js";
import { bar, mistakes, temperature, trials, viridis, wished } from "../parts.js";
import { beam, greedy, load, logs, next, read } from "./translator.js";
import { near, normal } from "./words.js";

const MISTAKES = ["attend_plain_mean", "attend_last_word", "attend_hard", "additive_no_tanh", "decoder_state_forgotten", "greedy_same_word_fed"];
const HONEST = 0.02; // half precision makes differences of 0.003; a mistake makes larger ones
const LIKELIEST = 5, NEAR = 6, HIGH = 130, WAY = 34; // words offered; pixels of the map of lines, and of the room for its words

/** Mounts the explorer; `data` is the message. A translator whose probe differs is not drawn. */
export function mount(host, data) {
  const page = frame(host, data), { say, number, percent } = page, { french, english } = data;
  const model = load(data.model), known = new Map(french.map((word, n) => [word, n]));
  const apart = difference(probed(model, data.probe), numbers(data.probe.output, "f4"));
  if (!(apart < HONEST)) return page.refuse(say("wrong", { name: say("translator"), d: number(apart, 2) }));

  const change = beforeNextPicture(() => { compute(); draw(); });
  const state = { text: data.sentences[0], word: data.pointed - 1, forced: [], mistake: "", temperature: 1 };
  let source, written, ahead;
  const left = make(page.body, "div"), right = make(page.body, "div");
  const label = make(left, "label", { class: "french" });
  make(label, "span", {}, say("sentence"));
  const field = make(label, "input", { type: "text", value: state.text, spellcheck: "false", autocomplete: "off", lang: "fr", oninput: () => { state.text = field.value; renew(); } });
  const help = make(left, "p", { class: "choices near", role: "group", "aria-label": say("near") });
  const examples = make(left, "p", { class: "choices", role: "group", "aria-label": say("examples") });
  data.sentences.forEach((sentence) => button(examples, sentence, () => set(sentence), { lang: "fr" }));
  const translation = page.section("translation", say("translation"), left);
  const words = make(translation, "p", { class: "words", role: "radiogroup", "aria-label": say("translation"), lang: "en" });
  const other = make(translation, "p", { class: "label" });
  const lines = make(left, "svg", { class: "lines", role: "img", "aria-label": say("lines") });
  const off = mistakes(page, left, MISTAKES, wished(data), (id) => { state.mistake = id; renew(); });

  const looked = page.section("looked", say("looked"), right), bars = make(looked, "div", { class: "bars" });
  const offered = page.section("next", say("likeliest"), right), offers = make(offered, "div", { class: "offers" });
  const back = button(offered, say("undo"), () => { state.forced = []; change(); tell(); });
  const one = make(offered, "details", { class: "number" }), title = make(one, "summary"), steps = make(one, "ol", { class: "steps" });
  const heat = page.section("heat", say("map"), right), table = make(make(heat, "div", { class: "wide" }), "table");
  const warmth = temperature(page, right, (value) => { state.temperature = value; renew(); });
  const guesses = trials(page, left, [crossing(), without(), lengthened()]);
  make(page.root, "p", { class: "keys" }, say("keys"));
  guided(page, [
    { at: () => label, words: "guide_type" }, { at: () => translation, words: "guide_words" }, { at: () => lines, words: "guide_lines" },
    { at: () => heat, words: "guide_map" }, { at: () => offered, words: "guide_next" }, { at: () => off.part, words: "guide_mistakes" },
    { at: () => guesses, words: "guide_trials" },
  ]);
  let width = 0, waiting = 0;
  function renew() { state.forced = []; change(); }
  compute();
  atEachWidth(left, (now) => { width = now; draw(); });

  function set(sentence) {
    field.value = state.text = sentence;
    renew();
    tell();
  }
  function asked(text = state.text) { return normal(text).split(" ").filter(Boolean); }
  function indices(those) { return [...those.map((word) => known.get(word)), model.eos]; }
  function compute() {
    const from = performance.now(), those = asked(), strange = those.filter((word) => !known.has(word));
    help.replaceChildren();
    if (strange.length) make(help, "span", {}, say("unknown", { word: strange[0] }));
    const put = (word) => set(those.map((one) => (one === strange[0] ? word : one)).join(" "));
    if (strange.length) near(strange[0], french.slice(2), NEAR).forEach((word) => button(help, word, () => { put(word); field.focus(); }, { lang: "fr" }));
    if (!strange.length && those.length) {
      source = [...those];
      written = greedy(model, indices(source), state);
      clearTimeout(waiting); // the beam, four times as much work, waits for a pause
      ahead = null;
      waiting = setTimeout(() => { ahead = beam(model, indices(source), state); beside(); }, 150);
    }
    page.root.dataset.ms = (performance.now() - from).toFixed(1);
  }
  function sentence(those = written.words) { return those.filter((word) => word !== model.eos).map((word) => english[word]).join(" "); }
  function shown() { return [...source, "EOS"]; }

  function beside() {
    const mean = written.words.reduce((sum, word, n) => sum + logs(written.steps[n].logits)[word], 0) / written.words.length;
    other.textContent = ahead && say(sentence(ahead.words) === sentence() ? "beam_same" : "beam", { words: sentence(ahead.words), mean: number(ahead.mean, 2), greedy: number(mean, 2) });
  }
  function draw() {
    state.word = Math.max(0, Math.min(state.word, written.words.length - 1));
    words.replaceChildren();
    written.words.forEach((word, n) => {
      const choose = (m) => { state.word = m; draw(); words.children[m].focus(); tell(); };
      const chosen = button(words, english[word], () => choose(n), { role: "radio", "aria-checked": n === state.word, tabindex: n === state.word ? 0 : -1, onpointerenter: () => { state.word = n; light(); } });
      chosen.classList.toggle("forced", state.forced[n] !== undefined);
      chosen.addEventListener("keydown", (event) => arrows(event, n, written.words.length, choose));
    });
    back.hidden = !state.forced.some((word) => word !== undefined);
    beside();
    heated();
    light();
  }
  /** Everything that depends on the chosen word alone. */
  function light() {
    words.querySelectorAll("button").forEach((chosen, n) => { chosen.setAttribute("aria-checked", n === state.word); chosen.tabIndex = n === state.word ? 0 : -1; });
    table.querySelectorAll("tbody tr").forEach((row, n) => row.classList.toggle("lit", n === state.word));
    const { looks } = written.steps[state.word];
    bars.replaceChildren();
    shown().forEach((word, t) => bar(bars, word, looks[t], percent(looks[t]), "word"));
    linesDrawn();
    offer();
  }
  function linesDrawn() {
    const place = (n, count) => ((n + 0.5) / count) * width, read = shown();
    lines.replaceChildren();
    lines.setAttribute("viewBox", `0 0 ${width} ${HIGH + 2 * WAY}`);
    lines.setAttribute("height", HIGH + 2 * WAY);
    written.steps.forEach(({ looks }, n) => looks.forEach((weight, t) => {
      if (weight < 0.03) return;
      const [a, b] = [place(t, read.length), place(n, written.words.length)], middle = WAY + HIGH / 2;
      make(lines, "path", { d: `M${a},${WAY}C${a},${middle} ${b},${middle} ${b},${WAY + HIGH}`, class: n === state.word ? "lit" : "", "stroke-width": (7 * weight).toFixed(1) });
    }));
    const narrow = (count) => width / count < 46;
    const told = (text, x, y, lit, count) => {
      const words = make(lines, "text", { x, y, "text-anchor": "middle", class: lit ? "lit" : "" }, text);
      if (narrow(count)) words.setAttribute("transform", `rotate(-30 ${x} ${y})`);
    };
    read.forEach((word, t) => told(word, place(t, read.length), WAY - 8, written.steps[state.word].looks[t] > 0.3, read.length));
    written.words.forEach((word, n) => told(english[word], place(n, written.words.length), WAY + HIGH + 18, n === state.word, written.words.length));
  }
  /** The alignment map: a row for each word written, a column for each word read. */
  function heated() {
    table.replaceChildren();
    const head = make(make(table, "thead"), "tr");
    make(head, "td");
    shown().forEach((word) => make(make(head, "th", { scope: "col" }), "span", {}, word));
    const body = make(table, "tbody");
    written.steps.forEach(({ looks }, n) => {
      const row = make(body, "tr", { onpointerenter: () => { state.word = n; light(); } });
      make(row, "th", { scope: "row" }, english[written.words[n]]);
      looks.forEach((weight) => make(row, "td", { style: `background:rgb(${viridis(weight).map(Math.round)})`, title: percent(weight) }));
    });
  }
  function offer() {
    const { logits } = written.steps[state.word], most = Math.max(...logits), powers = logits.map((s) => Math.exp(s - most));
    const all = powers.reduce((sum, p) => sum + p, 0), place = state.word, word = written.words[place];
    offers.replaceChildren();
    largest(logits, LIKELIEST).forEach((candidate) => {
      const row = bar(offers, "", powers[candidate] / all, percent(powers[candidate] / all), "word");
      button(row.firstChild, english[candidate], () => {
        state.forced = [...written.words.slice(0, place), candidate];
        change();
        tell();
      }, { "aria-pressed": candidate === word, lang: "en" });
    });
    const { looks, scores } = written.steps[place], t = looks.indexOf(Math.max(...looks));
    title.textContent = say("unfold", { word: english[word], read: shown()[t], weight: percent(looks[t]) });
    steps.replaceChildren();
    if (!scores) return make(steps, "li", {}, say("no_score"));
    const top = Math.max(...scores), power = (s) => Math.exp((s - top) / state.temperature), total = scores.reduce((sum, s) => sum + power(s), 0);
    make(steps, "li", {}, say("score", { read: shown()[t], score: number(scores[t], 2) }));
    make(steps, "li", {}, say("power", { power: number(power(scores[t]), 4), most: number(top, 2) }));
    make(steps, "li", {}, say("sum", { all: number(total, 3), weight: percent(looks[t]) }));
  }
  function tell() { page.tell(() => `${sentence()}. ${title.textContent}`); }

  /** Before a trial everything is as trained; then `show` judges the options. */
  function trial(name, options, show) {
    const begin = (text) => { off.clear(); warmth.reset(); set(text); compute(); draw(); };
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
    const long = [...together.flatMap((words, n) => (n && known.has("et") ? ["et", ...words] : words)), "."].filter((word) => known.has(word));
    const texts = [asked(data.sentences[0]), long];
    return trial("long", () => texts.map((those) => those.join(" ")), (begin) => {
      begin(texts[1].join(" "));
      return texts.map((those) => same(those, "attend_last_word"));
    });
  }
  function same(those, mistake) {
    const [right, wrong] = ["", mistake].map((one) => sentence(greedy(model, indices(those), { mistake: one }).words));
    return { right: right === wrong, says: `${right === wrong ? "✓" : "✗"} ${wrong}` };
  }
}

/** The logits (S x V) that the page computes for the probe's sentence, fed with the words that the model itself wrote. */
function probed(model, { source, words }) {
  const memory = read(model, source), all = [];
  [model.sos, ...words.slice(0, -1)].reduce((hidden, word) => {
    const one = next(model, memory, word, hidden, { mistake: "", temperature: 1 });
    all.push(...one.logits);
    return one.hidden;
  }, memory.hidden);
  return Float32Array.from(all);
}
