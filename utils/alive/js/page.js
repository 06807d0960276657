// Functions for the page of every explorer: elements, words, theme, a guided look, sentences for a screen reader.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Appends an element to `parent`. An attribute `onclick` is a listener; all text is text, never markup.
 *
 * @template {keyof Alive.Tags} K
 * @param {Element} parent
 * @param {K} name
 * @param {Alive.Attributes} attributes
 * @param {string | null} [text]
 * @returns {Alive.Tags[K]}
 */
export function make(parent, name, attributes = {}, text) {
  const drawn = name === "svg" || parent.namespaceURI === SVG;
  /** @type {any} */
  const element = drawn ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
}

/** @type {Alive.Button} */
export const button = (parent, text, onclick, more = {}) =>
  make(parent, "button", { type: "button", onclick, ...more }, text);

/**
 * Moves within a group of buttons with the arrow keys: calls `choose` with the number of the next button.
 *
 * @param {KeyboardEvent} event
 * @param {number} n
 * @param {number} count
 * @param {(n: number) => void} choose
 */
export function arrows(event, n, count, choose) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  choose((n + step + count) % count);
}

/**
 * Returns a function that calls `draw` once before the browser's next picture, however often it is called itself.
 *
 * @param {() => void} draw
 */
export function beforeNextPicture(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
}

/**
 * Makes the page's frame. Returns its elements and functions: `root`, `say(key, values)`, `number(value, digits)`,
 * `tell(sentence)`, ...
 *
 * @param {Element} host
 * @param {Alive.Message} data
 * @returns {Alive.Page}
 */
export function frame(host, data) {
  const root = make(host, "div", { class: "alive", lang: data.language });
  /** @type {Alive.Say} */
  const say = (key, values = {}) => (data.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  // Not by `Intl.NumberFormat`, which the browser loads for 30 ms, before its first picture.
  /** @type {Alive.Page["number"]} */
  const number = (value, digits = 1) =>
    (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits)
      .replace("Infinity", "∞").replace("-", "−").replace(".", say("decimal_sign"));
  /** @type {Alive.Page["percent"]} */
  const percent = (share) => say("percent", { share: number(100 * share, 0) });
  // Keys in the explorer must not reach JupyterLab, which has shortcuts of one letter (b: a new cell).
  root.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
  const head = make(root, "div", { class: "head" });
  make(head, "p", { class: "hint" }, say("hint"));
  const tools = make(head, "p", { class: "tools" });
  themed(root, tools, say);
  const body = make(root, "div", { class: "body" });
  const spoken = make(root, "p", { class: "spoken", role: "status" });
  // Two pictures later, when the change that the sentence describes has been drawn.
  /** @type {Alive.Page["tell"]} */
  const tell = (sentence) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        spoken.textContent = sentence();
      }),
    );
  /** @type {Alive.Page["refuse"]} */
  const refuse = (sentence) => make(body, "p", { class: "refused", role: "alert" }, sentence);
  /** @type {Alive.Page["section"]} */
  const section = (name, title, parent = body) => {
    const element = make(parent, "section", { class: name, "aria-label": title });
    make(element, "h3", {}, title);
    return element;
  };
  // A heading for one of the three levels of detail of each explorer: "whole", "layer", "number".
  /** @type {Alive.Page["height"]} */
  const height = (name, parent) => make(parent, "p", { class: "height" }, say(name));
  return { root, body, tools, say, number, percent, tell, refuse, section, height };
}

/**
 * Follows the theme of the notebook or, in a page of its own, of the system, until the reader chooses one.
 *
 * A sandboxed frame cannot see its notebook's theme, so the frame's width tells it (`STYLE` in explorer.py): a multiple
 * of 8 pixels on a light page, 4 pixels less on a dark page; a zoomed page may round the width by a pixel.
 *
 * @param {HTMLElement} root
 * @param {Element} tools
 * @param {Alive.Say} say
 */
function themed(root, tools, say) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  /** @param {boolean} dark */
  const show = (dark) => { root.dataset.theme = document.documentElement.dataset.theme = dark ? "dark" : "light"; };
  const told = location.href === "about:srcdoc" && CSS.supports("width", "round(down, 100%, 8px)");
  const follow = () => show(told ? (innerWidth + 2) % 8 >= 4 : system.matches);
  system.addEventListener("change", follow);
  addEventListener("resize", follow);
  follow();
  button(tools, "◐", () => {
    system.removeEventListener("change", follow);
    removeEventListener("resize", follow);
    show(root.dataset.theme !== "dark");
  }, { class: "theme", "aria-label": say("theme"), title: say("theme") });
}

/**
 * A guided look: steps {at: () => element, words: key}; each points at its element and waits for a click.
 *
 * @param {Alive.Page} page
 * @param {{ at: () => Element, words: string }[]} steps
 */
export function guided({ root, tools, say }, steps) {
  const bar = make(root, "div", { class: "guide", role: "region", "aria-label": say("guide"), hidden: "" });
  const progress = make(bar, "small");
  const sentence = make(bar, "p", { role: "status" });
  const moves = make(bar, "p", { class: "moves" });
  let at = -1;
  /** @param {number} n */
  const point = (n) => {
    root.querySelector(".pointed")?.classList.remove("pointed");
    at = n;
    bar.hidden = at < 0 || at >= steps.length;
    if (bar.hidden) return opener.focus();
    progress.textContent = say("step", { n: at + 1, of: steps.length });
    sentence.textContent = say(steps[at].words);
    back.disabled = at === 0;
    next.textContent = say(at + 1 < steps.length ? "next" : "end");
    const element = steps[at].at();
    element.classList.add("pointed");
    element.scrollIntoView({ block: "nearest", behavior: "auto" });
  };
  const opener = button(tools, say("guide"), () => { point(0); next.focus(); }, { class: "guideme" });
  const back = button(moves, say("back"), () => point(at - 1));
  const next = button(moves, say("next"), () => point(at + 1), { class: "main" });
  button(moves, say("skip"), () => point(-1));
  bar.addEventListener("keydown", (event) => { if (event.key === "Escape") point(-1); });
}

/**
 * Calls `build(width)` now and whenever the element's width has changed.
 *
 * @param {Element} element
 * @param {(width: number) => void} build
 */
export function atEachWidth(element, build) {
  let before = 0;
  const measure = () => {
    const width = Math.round(element.getBoundingClientRect().width);
    if (width && width !== before) build((before = width));
  };
  new ResizeObserver(measure).observe(element);
  measure();
}
