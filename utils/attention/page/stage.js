// The stage: shapes to drag and raise, the pointed position, and arcs to where it looks.
import { atEachWidth, make } from "../../alive/js/page.js";
import { clamp } from "../../alive/js/numbers.js";
import { flowing } from "../../alive/js/parts.js";
import {
  HIGHEST,
  LENGTH,
  LOWEST,
  MIDDLE,
  OUTLINE,
  WIDTH,
  asHeight,
  at,
  drawn,
  free,
  next,
  other,
} from "./sequences.js";

const LEFT = 30, RIGHT = 8, TOP = 12, HIGH = 170, LANE = 92, CAPTION = 22, CEILING = 32;
const FAINT = 0.004; // a smaller weight has no arc
const FLOWS = 0.2; // a dash runs once along the arcs of weights above this share of the largest

/**
 * `state` {shapes, position, held}; `changed()` is called when a shape has moved, `pointed(position)` for a position,
 * and `announce()` after a key or a drop. Returns {element, draw(result), light(result)}.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Attention.State} state
 * @param {{ changed: () => void, pointed: (position: number) => void, announce: () => void }} work
 */
export function stage(page, parent, state, { changed, pointed, announce }) {
  const { say } = page;
  const element = make(parent, "svg", { class: "stage", role: "group", "aria-label": say("hint") });
  let W = 0;
  /** @type {any} */
  const none = { shapes: [] };
  /** @type {Attention.Parts} */
  const parts = none;
  /** @type {(t: number) => number} */
  const x = (t) => LEFT + ((t + 0.5) / LENGTH) * (W - LEFT - RIGHT);
  /** @param {number} h */
  const y = (h) => TOP + HIGH * (1 - h / CEILING);
  /** @param {Float32Array} values */
  const line = (values) => `M${Array.from(values, (v, t) => `${x(t).toFixed(1)},${y(v).toFixed(1)}`).join("L")}`;
  /** @param {PointerEvent} event */
  const pointOf = (event) => {
    const box = element.getBoundingClientRect();
    const t = ((event.clientX - box.left - LEFT) / (W - LEFT - RIGHT)) * LENGTH - 0.5;
    return { t, h: CEILING * (1 - (event.clientY - box.top - TOP) / HIGH) };
  };
  /** @param {number} t */
  const point = (t) => pointed(clamp(Math.round(t), 0, LENGTH - 1));

  /** @param {number} width */
  function build(width) {
    W = width;
    const height = TOP + HIGH + LANE + CAPTION;
    element.replaceChildren();
    element.setAttribute("viewBox", `0 0 ${W} ${height}`);
    element.setAttribute("height", height);
    const grid = make(element, "g", { class: "grid" });
    for (const h of [0, 10, 20, 30]) {
      make(grid, "line", { x1: LEFT, x2: W - RIGHT, y1: y(h), y2: y(h) });
      make(grid, "text", { x: LEFT - 5, y: y(h) + 4, "text-anchor": "end" }, String(h));
    }
    /** @param {PointerEvent} event */
    const follow = (event) => point(pointOf(event).t);
    make(element, "rect", {
      class: "air",
      x: LEFT,
      width: W - LEFT - RIGHT,
      height: height - CAPTION,
      onpointermove: follow,
      onpointerdown: follow,
    });
    Object.assign(parts, {
      reach: make(element, "path", { class: "reach" }),
      arcs: make(element, "g", { class: "arcs" }),
      shapes: [],
    });
    state.shapes.forEach((_, n) => parts.shapes.push(shape(n)));
    parts.target = make(element, "path", { class: "target" });
    parts.prediction = make(element, "path", { class: "prediction" });
    parts.cursor = make(element, "g", {
      class: "cursor",
      tabindex: 0,
      role: "slider",
      "aria-valuemin": 0,
      "aria-valuemax": LENGTH - 1,
      "aria-label": say("row"),
      onkeydown: keyOnCursor,
    });
    make(parts.cursor, "line", { y1: TOP, y2: TOP + HIGH });
    make(parts.cursor, "circle", { r: 5, cy: y(0) });
    parts.caption = make(element, "text", { class: "caption", y: TOP + HIGH + LANE + 14 });
    changed();
  }

  /** @param {number} n */
  function shape(n) {
    const group = make(element, "g", {
      class: "shape",
      tabindex: 0,
      role: "slider",
      "aria-orientation": "vertical",
      "aria-valuemin": LOWEST,
      "aria-valuemax": HIGHEST,
      onkeydown: (event) => keyOnShape(event, n),
      onpointerdown: (event) => grab(event, n),
      ondblclick: () => turn(n),
      onpointermove: (event) => {
        if (!event.buttons) point(pointOf(event).t);
      },
      onfocus: () => {
        state.held = n;
        if (group.matches(":focus-visible")) point(state.shapes[n].left + MIDDLE);
      },
    });
    return { group, body: make(group, "path"), knob: make(group, "circle", { r: 5 }) };
  }
  /** @param {number} n */
  function turn(n) {
    state.shapes[n].kind = other(state.shapes[n].kind);
    changed();
    announce();
  }
  /**
   * @param {PointerEvent} event
   * @param {number} n
   */
  function grab(event, n) {
    const from = pointOf(event), shape = state.shapes[n], { left, height } = shape, { group } = parts.shapes[n];
    group.setPointerCapture(event.pointerId);
    group.focus({ preventScroll: true });
    group.classList.add("grabbed");
    point(from.t);
    /** @param {PointerEvent} later */
    const move = (later) => {
      const to = pointOf(later), offset = state.position - shape.left;
      shape.left = free(state.shapes, n, Math.round(left + to.t - from.t));
      shape.height = asHeight(height + to.h - from.h);
      point(shape.left + offset);
      changed();
    };
    const drop = () => {
      group.removeEventListener("pointermove", move);
      group.classList.remove("grabbed");
      announce();
    };
    group.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) group.addEventListener(end, drop, { once: true });
  }
  /**
   * @param {KeyboardEvent} event
   * @param {number} n
   */
  function keyOnShape(event, n) {
    const shape = state.shapes[n];
    const step = event.shiftKey ? 5 : 1;
    const offset = clamp(state.position - shape.left, 0, WIDTH - 1);
    const done = {
      ArrowLeft: () => { shape.left = next(state.shapes, n, -step); },
      ArrowRight: () => { shape.left = next(state.shapes, n, step); },
      ArrowUp: () => { shape.height = asHeight(shape.height + step); },
      ArrowDown: () => { shape.height = asHeight(shape.height - step); },
      t: () => { shape.kind = other(shape.kind); },
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!done) return;
    event.preventDefault();
    done();
    point(shape.left + offset);
    changed();
    announce();
  }
  /** @param {KeyboardEvent} event */
  function keyOnCursor(event) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    point(state.position + step * (event.shiftKey ? 5 : 1));
    announce();
  }

  /** @param {Attention.Shape} shape */
  function outlined({ kind, left, height }) {
    const corners = OUTLINE[kind].flatMap((h, i) =>
      kind === "rectangle" ? [[left + i - 0.5, h], [left + i + 0.5, h]] : [[left + i, h]]);
    const top = corners.map(([t, h]) => `${x(t)},${y(h * height)}`).join("L");
    return `M${x(left - 0.5)},${y(0)}L${top}L${x(left + WIDTH - 0.5)},${y(0)}Z`;
  }
  /**
   * Draws everything that depends on the shapes: their outlines, the target and the chosen network's prediction.
   *
   * @param {Pick<Attention.Result, "heights" | "wish">} result
   */
  function draw({ heights, wish }) {
    if (parts.shapes.length !== state.shapes.length) return build(W);
    state.shapes.forEach((shown, n) => {
      const { group, body, knob } = parts.shapes[n];
      const words = say("shape", { kind: say(shown.kind), p: shown.left, h: page.number(shown.height, 1) });
      body.setAttribute("d", outlined(shown));
      knob.setAttribute("cx", x(shown.left + MIDDLE + 0.5));
      knob.setAttribute("cy", y(shown.height));
      group.setAttribute("aria-label", words);
      group.setAttribute("aria-valuenow", shown.height);
      group.setAttribute("aria-valuetext", words);
    });
    parts.target.setAttribute("d", line(wish));
    parts.prediction.setAttribute("d", line(heights.map((h) => clamp(h, -3, CEILING))));
  }
  /**
   * Draws everything that depends on the position: the cursor, and arcs to where it looks, or the cone that it sees.
   *
   * @param {Pick<Attention.Result, "inside">} result
   * @param {number} reach
   */
  function light({ inside }, reach) {
    const p = state.position, words = say(inside ? "looks" : "sees", { p });
    parts.cursor.setAttribute("transform", `translate(${x(p)},0)`);
    parts.cursor.setAttribute("aria-valuenow", p);
    parts.cursor.setAttribute("aria-valuetext", say("position", { p }));
    const anchor = x(p) < W / 3 ? "start" : x(p) > (2 * W) / 3 ? "end" : "middle";
    parts.caption.setAttribute("x", { start: LEFT, end: W - RIGHT, middle: x(p) }[anchor]);
    parts.caption.setAttribute("text-anchor", anchor);
    parts.caption.textContent = words;
    parts.arcs.replaceChildren();
    parts.reach.setAttribute("d", inside ? "" : cone(p, reach));
    if (!inside) return;
    const row = inside.weights.subarray(p * LENGTH, (p + 1) * LENGTH), most = Math.max(...row);
    row.forEach((weight, j) => { if (weight >= FAINT * Math.min(1, most)) arc(p, j, weight / most); });
  }
  /**
   * @param {number} p
   * @param {number} reach
   */
  function cone(p, reach) {
    const base = TOP + HIGH + 4, low = Math.max(0, p - reach), high = Math.min(LENGTH - 1, p + reach);
    return `M${x(p)},${base}L${x(low - 0.5)},${base + LANE - 10}L${x(high + 0.5)},${base + LANE - 10}Z`;
  }
  /**
   * @param {number} p
   * @param {number} j
   * @param {number} share
   */
  function arc(p, j, share) {
    const base = TOP + HIGH + 4;
    const there = at(state.shapes, j);
    const kind = there < 0 ? "ground" : state.shapes[there].kind;
    const strength = Math.sqrt(share);
    const deep = base + Math.min(LANE - 14, 12 + 0.35 * Math.abs(x(j) - x(p)));
    const d = `M${x(p)},${base}C${x(p)},${deep} ${x(j)},${deep} ${x(j)},${base}`;
    const size = { "stroke-width": (0.6 + 3 * strength).toFixed(2) };
    if (share > FLOWS)
      flowing(parts.arcs, d, { ...size, class: kind }, "back"); // from the position looked at to the one that looks
    else make(parts.arcs, "path", { d, ...size, class: kind, "stroke-opacity": (0.1 + 0.8 * strength).toFixed(2) });
    make(parts.arcs, "circle", { class: kind, cx: x(j), cy: base, r: (1 + 3.2 * strength).toFixed(1) });
  }
  return { element, draw, light, turn, start: () => atEachWidth(parent, build) };
}

/**
 * A sequence as a path in a box of T x `high`, for the small pictures.
 *
 * @type {(values: Float32Array, high: number) => string}
 */
export const small = (values, high) =>
  `M${Array.from(values, (v, t) => `${t + 0.5},${(high - v).toFixed(1)}`).join("L")}`;
/** @type {(shapes: Attention.Shape[], high: number) => string} */
export const filled = (shapes, high) => `${small(drawn(shapes), high)}L${LENGTH - 0.5},${high}L0.5,${high}Z`;
