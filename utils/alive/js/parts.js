// Parts that more than one explorer shows: switches for mistakes, trials with a guess, a player, curves, bars, colours.
import { button, make } from "./page.js";

/**
 * Switches for known mistakes, of which one at most is on. Calls `change(id)` with the mistake that is on, or "", and
 * then `tell()`, which says what has changed, if another one was on before.
 * The page's words have a mistake's name, `mistake_<id>`, and the explanation of its effect, `why_<id>`.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {string[]} ids
 * @param {string} start
 * @param {(id: string) => void} change
 * @param {() => void} [tell]
 */
export function mistakes(page, parent, ids, start, change, tell) {
  const { say } = page;
  const element = page.section("mistakes", say("mistakes"), parent);
  const why = make(element, "p", { class: "why", role: "status" });
  const row = make(element, "div", { class: "switches" });
  element.insertBefore(row, why);
  let on = "";
  /** @param {string} id */
  const switchOn = (id) => {
    const changed = id !== on;
    on = id;
    ids.forEach((other, n) => switches[n].setAttribute("aria-checked", other === on));
    why.textContent = say(on ? `why_${on}` : "no_mistake");
    page.root.dataset.mistake = on;
    change(on);
    if (changed) tell?.();
  };
  /** @type {HTMLButtonElement[]} */
  const switches = ids.map((id) =>
    button(row, say(`mistake_${id}`), () => switchOn(on === id ? "" : id), { role: "switch", "data-mistake": id }));
  switchOn(ids.includes(start) ? start : "");
  return { element, switchOn, clear: () => on && switchOn("") };
}

/**
 * The mistake that is on at the start: the one in the page's address, `#softmax_missing`, or in the message, or "".
 *
 * @param {Alive.Message} data
 */
export const wished = (data) => decodeURIComponent(location.hash.slice(1)) || data.start?.mistake || "";

/**
 * Trials, each {name, options() -> labels, show() -> one {right, says} for each option}.
 * The reader ticks the options that will be right; then `show` changes the page, and each guess is judged.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Alive.Trial[]} list
 */
export function trials(page, parent, list) {
  const { say } = page;
  const element = page.section("trials", say("try"), parent);
  const row = make(element, "p", { class: "choices" });
  const form = make(element, "form", { hidden: "" });
  /** @param {Alive.Trial} trial */
  const ask = (trial) => {
    form.hidden = false;
    form.replaceChildren();
    const question = make(form, "fieldset");
    make(question, "legend", {}, say(`ask_${trial.name}`));
    const boxes = trial.options().map((option) => {
      const label = make(question, "label");
      const box = make(label, "input", { type: "checkbox" });
      make(label, "span", {}, option);
      return { box, verdict: make(label, "em") };
    });
    const result = make(form, "p", { class: "told", role: "status" });
    const show = button(form, say("show"), () => {
      show.disabled = true;
      trial.show().forEach(({ right, says }, n) => {
        const { box, verdict } = boxes[n];
        verdict.className = box.checked === right ? "good" : "bad";
        verdict.textContent = says;
        box.disabled = true;
      });
      const good = boxes.filter(({ verdict }) => verdict.className === "good").length;
      result.textContent = `${say("guessed", { good, of: boxes.length })} ${say(`tell_${trial.name}`)}`;
    }, { class: "main" });
    boxes[0].box.focus();
  };
  list.forEach((trial) => button(row, say(`try_${trial.name}`), () => ask(trial)));
  return element;
}

/**
 * A slider for powers of two, from 2^-low to 2^low: the temperature of a softmax. Returns a function that resets it.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {(value: number) => void} change
 */
export function temperature(page, parent, change) {
  const label = make(parent, "label", { class: "slider" });
  make(label, "span", {}, page.say("temperature"));
  const slider = make(label, "input", { type: "range", min: -3, max: 3, step: 0.5, value: 0 });
  const shown = make(label, "output");
  const follow = () => {
    const value = 2 ** Number(slider.value);
    shown.textContent = page.number(value, value < 1 ? 2 : 1);
    slider.setAttribute("aria-valuetext", shown.textContent);
    change(value);
  };
  slider.addEventListener("input", follow);
  const reset = () => { slider.value = "0"; follow(); };
  reset();
  return { slider, reset };
}

/**
 * A button that shows a series of `count()` items, by calling `go(n)` for one item after the other, one every `pause`
 * milliseconds. Returns a function that stops the series.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {{ count: () => number, go: (n: number) => void, pause: number }} options
 */
export function player({ say }, parent, { count, go, pause }) {
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = `▶ ${say("play")}`; };
  const play = button(parent, "", () => {
    if (timer) return stop();
    let n = 0;
    const step = () => { go(n++); if (n >= count()) stop(); };
    play.textContent = `❚❚ ${say("pause")}`;
    timer = setInterval(step, pause);
    step();
  }, { class: "play" });
  stop();
  return stop;
}

/**
 * A path, and a dash that runs along it once, in its direction or "back".
 *
 * @param {Element} parent
 * @param {string} d
 * @param {Alive.Attributes} attributes
 * @param {string} direction
 */
export function flowing(parent, d, attributes, direction = "") {
  make(parent, "path", { d, ...attributes });
  make(parent, "path", { d, ...attributes, class: `flow ${direction} ${attributes.class ?? ""}`, pathLength: 100 });
}

/**
 * One line of a bar chart: a name, a bar of a share from 0 to 1, the share in words.
 *
 * @param {Element} parent
 * @param {string} name
 * @param {number} share
 * @param {string} text
 * @param {string} kind
 */
export function bar(parent, name, share, text, kind = "") {
  const row = make(parent, "div", { class: `bar ${kind}` });
  make(row, "span", {}, name);
  make(make(row, "i"), "u", { style: `width:${Math.max(0, Math.min(100, 100 * share)).toFixed(1)}%` });
  make(row, "b", {}, text);
  return row;
}

const VIRIDIS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"]
  .map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));

// 256 colours between these, computed once, because each move paints a matrix of 10,000 cells anew.
const SHADES = Array.from({ length: 256 }, (_, n) => {
  const at = (n / 255) * (VIRIDIS.length - 1), low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return VIRIDIS[low].map((colour, k) => Math.round(colour + (at - low) * (VIRIDIS[low + 1][k] - colour)));
});

/**
 * The colour [r, g, b] of a number from 0 to 1, dark to bright (matplotlib's viridis).
 *
 * @param {number} value
 */
export const viridis = (value) => SHADES[Math.round(255 * Math.max(0, Math.min(1, value)))];

/**
 * The colour of a number from -1 (orange) through 0 (white) to 1 (blue).
 *
 * @param {number} value
 */
export function diverging(value) {
  const end = value < 0 ? [230, 130, 0] : [0, 114, 178], size = Math.min(1, Math.abs(value));
  return end.map((colour) => 250 + size * (colour - 250));
}

/**
 * Paints numbers as squares of a canvas, `width` in a row; `colour(value)` gives [r, g, b].
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Alive.Vector} values
 * @param {number} width
 * @param {(value: number) => Alive.Row} colour
 */
export function paint(canvas, values, width, colour) {
  const height = values.length / width;
  canvas.width = width;
  canvas.height = height;
  /** @type {any} */
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(width, height);
  image.data.fill(255);
  values.forEach((value, i) => image.data.set(colour(value), 4 * i));
  pen.putImageData(image, 0, 0);
}
