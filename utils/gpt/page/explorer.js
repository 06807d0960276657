// The explorer of the lesson `gpt`: the student's models write; the page shows where each head looks from the pointed
// letter; heads can be switched off.
import { clamp, difference, largest, numbers } from "../../alive/js/numbers.js";
import { beforeNextPicture, button, frame, guided, make } from "../../alive/js/page.js";
import { bar, mistakes, player, temperature, wished } from "../../alive/js/parts.js";
import { walk } from "../../alive/js/walk.js";
import { heads as headsOf } from "./heads.js";
import { load, memory, read } from "./model.js";
import { sign, tale } from "./tale.js";
import { guesses } from "./trials.js";
import { walkOf } from "./way.js";
import { nucleus, probabilities, writing } from "./writer.js";

const MISTAKES = [
  "attention_no_mask",
  "attention_values_turned",
  "attention_no_scale",
  "step_no_offset",
  "nucleus_temperature_multiplied",
  "nucleus_not_sorted",
];
const QUESTIONS = ["question_helps", "question_feeds", "question_new", "question_removed", "question_one_layer"];
const HONEST = 0.02; // half precision makes differences of 0.002; a mistake makes larger ones
const LIKELIEST = 6; // letters offered
const MOST = 100; // letters of a beginning
const SLICE = 16, SHORT = 120, PACE = 180; // milliseconds of work a picture, of patience, a letter

/**
 * Mounts the explorer; `data` is the message. Models whose probe differs are not drawn.
 *
 * @param {Element} host
 * @param {Gpt.Data} data
 */
export function mount(host, data) {
  const page = frame(host, data), { say, number, percent } = page, { letters: alphabet, end } = data;
  const models = data.models.map(load), wrong = models.map(probeDistance).concat(nucleusDistance(data.probe));
  const first = wrong.findIndex((apartBy) => !(apartBy < HONEST));
  if (first >= models.length) return page.refuse(say("wrong_nucleus", { d: number(wrong[first], 2) }));
  if (first >= 0) return page.refuse(say("wrong", { name: models[first].name, d: number(wrong[first], 2) }));

  /** @type {Gpt.State} */
  const state = {
    model: models.length - 1,
    text: data.beginnings[0],
    position: 0,
    until: Infinity,
    read: null,
    explained: null,
    seed: 1,
    forced: [],
    mistake: "",
    temperature: 0.5,
    topP: 0.9,
    aloud: false,
  };
  /** @type {any[]} */
  const silent = models.map(({ scores }) => ({
    off: scores.map(() => new Set()),
    head: best(scores),
    run: null,
    shown: null,
  }));
  /** @type {Gpt.Side[]} */
  const sides = silent;
  const change = beforeNextPicture(() => advance());
  let ready = false;
  const left = make(page.body, "div", { class: "left" }), right = make(page.body, "div", { class: "right" });
  page.height("whole", left);
  const label = make(left, "label", { class: "beginning" });
  make(label, "span", {}, say("beginning"));
  const field = make(label, "input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => typed(field.value),
  });
  const odd = make(left, "p", { class: "odd", role: "status" });
  const examples = make(left, "p", { class: "choices", role: "group", "aria-label": say("examples") });
  data.beginnings.forEach((text) => button(examples, text || say("nothing"), () => begin(text)));
  const tales = make(left, "div", { class: "tales" });
  const taleViews = models.map(({ name }, m) =>
    tale(page, tales, { ...data, name, pointed: (position, byKey) => point(m, position, byKey) }),
  );
  const moves = make(left, "p", { class: "choices" });
  const stop = player(page, moves, {
    count: () => text().length - given() + 1,
    pause: PACE,
    go: (n) => {
      point(state.model, given() - 1 + n);
      state.until = state.position;
      light();
    },
  });
  button(moves, say("dice"), () => { state.seed += 1; renew(); });
  const undo = button(moves, say("undo"), () => { state.forced = []; renew(); });
  const warm = make(left, "div", { class: "warm" });
  const warmth = temperature(page, warm, (value) => { state.temperature = value; renew(); });
  top(warm);
  const next = page.section("next", "", right);
  /** @type {any} */
  const title = next.querySelector("h3");
  const offers = make(next, "div", { class: "offers" });
  const off = mistakes(page, right, MISTAKES, wished(data), (id) => { state.mistake = id; renew(true); });
  const layer = make(right, "div", { class: "layer" });
  page.height("layer", layer);
  const heads = headsOf(page, layer, {
    named: data.named,
    choose: (l, h) => { chooseHead(l, h); tell(); },
    switched: (sets) => { side().off = sets; renew(true); },
  });
  const looking = make(layer, "p", { class: "told" });
  const trials = guesses(page, left, {
    data,
    models,
    off: (sets) => choose(models.length - 1, sets),
    reset: () => { off.clear(); warmth.reset(); },
  });
  const way = walk(page, page.root, {
    step: (by) => point(state.model, clamp(pointedIndex() - 1 + by, -1, text().length - 1), true),
    head: (n) => chooseHead(Math.floor(n / models[state.model].heads), n % models[state.model].heads),
    partner: lookAt,
    questions: QUESTIONS,
  });
  make(page.root, "p", { class: "keys" }, say("keys"));
  guided(page, [
    { at: () => label, words: "guide_begin" },
    { at: () => taleViews[taleViews.length - 1].element, words: "guide_tales" },
    { at: () => next, words: "guide_next" },
    { at: () => heads.element, words: "guide_heads" },
    { at: () => off.element, words: "guide_mistakes" },
    { at: () => warm, words: "guide_warm" },
    { at: () => trials, words: "guide_trials" },
    { at: () => way.element, words: "guide_walk" },
  ]);
  warmth.slider.value = "-1"; // the lesson writes at a half
  warmth.slider.dispatchEvent(new Event("input"));
  choose(state.model);
  ready = true;
  begin(state.text);

  function side() { return sides[state.model]; }
  function text(m = state.model) { return spelt(sides[m].shown.letters).slice(1); } // without the line end before it
  /** @param {Iterable<number> | ArrayLike<number>} those */
  function spelt(those) { return Array.from(those, (n) => alphabet[n]).join(""); }
  function start() { return [end, ...Array.from(state.text, (letter) => alphabet.indexOf(letter))]; }
  function given() { return state.text.length; }

  /** @param {Element} parent */
  function top(parent) {
    const label = make(parent, "label", { class: "slider" });
    make(label, "span", {}, say("top_p"));
    const slider = make(label, "input", { type: "range", min: 0.05, max: 1, step: 0.05, value: state.topP });
    const shown = make(label, "output");
    const follow = () => {
      state.topP = Number(slider.value);
      shown.textContent = number(state.topP, 2);
      slider.setAttribute("aria-valuetext", shown.textContent);
    };
    slider.addEventListener("input", () => { follow(); renew(); });
    follow();
    return slider;
  }
  /** @param {string} text */
  function typed(text) {
    const strange = Array.from(text).find((letter) => !alphabet.includes(letter));
    odd.textContent = "";
    if (text.length > MOST) odd.textContent = say("too_long", { limit: MOST });
    if (strange) odd.textContent = say("odd", { letter: strange, letters: Array.from(alphabet, sign).join(" ") });
    if (strange || text.length > MOST) return;
    Object.assign(state, { text, position: text.length - 1, forced: [], read: null });
    renew();
  }
  /** @param {string} text */
  function begin(text) {
    field.value = text;
    typed(text);
  }
  /**
   * Begins to write anew, with all models; what is shown stays until the new text is there. With `aloud`, the text of
   * the explored model is judged in words when it is written.
   *
   * @param {boolean} aloud
   */
  function renew(aloud = false) {
    if (!ready) return; // the page is still being built
    state.aloud = aloud;
    sides.forEach((writer, m) => {
      /** @type {any} */
      const run = {
        from: writing(models[m], start(), { ...state, ...writer, longest: data.longest, end }),
        since: performance.now(),
        done: false,
      };
      writer.run = run;
    });
    stop();
    state.until = Infinity;
    change();
  }
  /** Writes for a short time, draws, and goes on before the next picture. */
  function advance() {
    const from = performance.now();
    for (const { run } of [side(), ...sides.filter((writer) => writer !== side())])
      while (!run.done && (!run.letters || performance.now() < from + SLICE)) {
        const { value, done } = run.from.next();
        Object.assign(run, done ? { done } : value);
      }
    for (const writer of sides)
      if (writer.run.done || !writer.shown || from > writer.run.since + SHORT) writer.shown = writer.run;
    draw();
    page.root.dataset.ms = (performance.now() - from).toFixed(1);
    page.root.dataset.writing = sides.every(({ run }) => run.done) ? "" : "yes";
    if (page.root.dataset.writing) change();
    else if (state.aloud) {
      state.aloud = false;
      page.tell(() => taleViews[state.model].judgement());
    }
  }
  function draw() {
    taleViews.forEach((shownTale, m) => shownTale.show(text(m), given(), state.forced.slice(1)));
    undo.hidden = state.forced.length === 0;
    light();
  }
  /**
   * Explores another model, whose heads `sets` are off.
   *
   * @param {number} m
   * @param {Gpt.Off} sets
   */
  function choose(m, sets = sides[m].off) {
    Object.assign(state, { model: m, read: null });
    side().off = sets;
    heads.build(models[m], sets);
    if (side().shown) renew();
  }
  /**
   * @param {number} m
   * @param {number} position
   * @param {boolean} byKey
   */
  function point(m, position, byKey = false) {
    if (m !== state.model) choose(m);
    Object.assign(state, { position, until: Infinity, read: null, explained: null });
    light();
    if (byKey) tell();
  }
  /** The index of the pointed letter in all that was read, which begins with a line end before the text. */
  function pointedIndex() { return Math.max(0, Math.min(state.position + 1, side().shown.known.logits.length - 1)); }
  /** Everything that depends on the pointed letter and on the chosen head. */
  function light() {
    const {
      shown: { letters, known },
      head: [l, h],
    } = side();
    const i = pointedIndex();
    const all = spelt(letters);
    const looks = known.layers[l].looks[i][h];
    const [most] = largest(looks, 1);
    const p = probabilities(known.logits[i], state);
    const [likeliest] = largest(p, 1);
    looking.textContent = say("looks", {
      end: all.slice(Math.max(0, i - 4), i + 1).trim() || sign("\n"),
      name: say("head", { layer: l + 1, head: h }),
      letter: sign(all[most]),
      before: all.slice(Math.max(0, most - 3), most).trim() || "—",
      weight: percent(looks[most]),
      next: sign(alphabet[likeliest]),
      share: percent(p[likeliest]),
    });
    taleViews.forEach((shownTale, m) =>
      shownTale.light(i - 1, m === state.model ? looks.subarray(1) : null, state.until, looking.textContent),
    );
    heads.show(known, i, all, [l, h]);
    offer(p, nucleus(known.logits[i], state), i, all);
    lead();
  }
  /**
   * Offers the likeliest letters after position `i`, by their probabilities `p`; `kept` is 0 for letters outside of the
   * nucleus.
   *
   * @param {Alive.Row} p
   * @param {Alive.Row} kept
   * @param {number} i
   * @param {string} all
   */
  function offer(p, kept, i, all) {
    title.textContent = say("likeliest", { end: all.slice(Math.max(0, i - 7), i + 1).trim() || sign("\n") });
    offers.replaceChildren();
    largest(p, LIKELIEST).forEach((n) => {
      const row = bar(offers, "", p[n], kept[n] ? percent(p[n]) : say("cut"), kept[n] ? "word" : "");
      const name = { " ": say("blank"), "\n": say("line_end") }[alphabet[n]] ?? alphabet[n];
      button(row.children[0], sign(alphabet[n]), () => pick(n, i), {
        "aria-label": name,
        "aria-pressed": side().shown.letters[i + 1] === n,
      });
    });
  }
  /**
   * Chooses the letter after position `i` by hand; what follows is written anew.
   *
   * @param {number} letter
   * @param {number} i
   */
  function pick(letter, i) {
    const { letters } = side().shown;
    if (i + 1 < start().length) field.value = state.text = spelt(letters.slice(1, i + 1));
    state.forced = [...letters.slice(0, i + 1), letter];
    state.position = i;
    renew();
    tell();
  }
  /**
   * @param {number} l
   * @param {number} h
   */
  function chooseHead(l, h) { side().head = [l, h]; lookAt(null); }
  /** @param {number | null} t */
  function lookAt(t) { state.read = t; light(); }
  /** Shows the way of the pointed letter through the chosen head. */
  function lead() {
    const { head: [layer, head], shown } = side();
    const explain = (/** @type {number} */ explained) => { Object.assign(state, { explained }); light(); };
    const more = { alphabet, partner: lookAt, explain, choose: chooseHead };
    way.draw(walkOf(page, models[state.model], shown, { ...state, ...more, i: pointedIndex(), layer, head }));
  }
  function tell() { page.tell(() => looking.textContent); }
}

/**
 * The layer and the number of the head with the highest score.
 *
 * @param {number[][]} scores
 */
function best(scores) {
  const width = scores[0].length, [at] = largest(scores.flat(), 1);
  return [Math.floor(at / width), at % width];
}

/**
 * How far a model's probe is from what the page computes.
 *
 * @param {Gpt.Model} model
 */
function probeDistance(model) {
  const { letters, output } = model.probe, { logits } = read(model, memory(model, letters.length), letters);
  return difference(logits.flatMap((row) => Array.from(row)), numbers(output, "f4"));
}

/**
 * How far the probabilities of the student's `nucleus` are from those of the page.
 *
 * @param {Gpt.Data["probe"]} probe
 */
function nucleusDistance({ logits, output, temperature, topP }) {
  return difference(nucleus(numbers(logits, "f4"), { temperature, topP }), numbers(output, "f4"));
}
