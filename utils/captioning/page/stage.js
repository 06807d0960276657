// The stage: a scene whose things can be dragged, recoloured and reshaped, and on it where a word looks.
import { clamp } from "../../alive/js/numbers.js";
import { button, make } from "../../alive/js/page.js";
import { CELLS } from "./features.js";
import { BACKGROUNDS, COLOURS, SHAPES, SIZES, corners } from "./scene.js";

const UNIT = 100; // the stage's side, in its own coordinates
const MOST = 3; // things; the lesson's scenes have one or two
/** @param {number[]} colour */
const rgb = (colour) => `rgb(${colour.join(",")})`;
/** @type {(list: string[], current: string) => string} */
const after = (list, current) => list[(list.indexOf(current) + 1) % list.length];

/**
 * `scene` {background, things} is changed in place; `changed()` is called then, `announce()` after a key or a drop.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Captioning.Scene} scene
 * @param {{ changed: () => void, announce: () => void }} work
 */
export function stage(page, parent, scene, { changed, announce }) {
  const { say } = page;
  const element = make(parent, "svg", {
    class: "scene",
    viewBox: `0 0 ${UNIT} ${UNIT}`,
    role: "group",
    "aria-label": say("scene"),
  });
  const tools = make(parent, "div", { class: "things" });
  let held = 0;
  /** @param {Captioning.Thing} thing */
  const name = ({ size, colour, shape }) => say("thing", { size: say(size), colour: say(colour), shape: say(shape) });

  /**
   * @param {PointerEvent} event
   * @param {number} n
   */
  function drag(event, n) {
    const { things } = scene, box = element.getBoundingClientRect(), { x, y } = things[n];
    /** @type {NodeListOf<SVGElement>} */
    const groups = element.querySelectorAll(".thing");
    const thing = groups[n];
    thing.setPointerCapture(event.pointerId);
    thing.focus({ preventScroll: true });
    /** @param {PointerEvent} later */
    const move = (later) => {
      things[n].x = clamp(x + (later.clientX - event.clientX) / box.width, 0.08, 0.92);
      things[n].y = clamp(y + (later.clientY - event.clientY) / box.height, 0.08, 0.92);
      changed();
    };
    thing.addEventListener("pointermove", move);
    const drop = () => { thing.removeEventListener("pointermove", move); announce(); };
    for (const end of ["pointerup", "pointercancel"]) thing.addEventListener(end, drop, { once: true });
  }
  /**
   * @param {KeyboardEvent} event
   * @param {number} n
   */
  function key(event, n) {
    const thing = scene.things[n], step = event.shiftKey ? 0.1 : 0.02;
    /** @type {(dx: number, dy: number) => void} */
    const go = (dx, dy) => { thing.x = clamp(thing.x + dx, 0.08, 0.92); thing.y = clamp(thing.y + dy, 0.08, 0.92); };
    const done = {
      ArrowLeft: () => go(-step, 0),
      ArrowRight: () => go(step, 0),
      ArrowUp: () => go(0, -step),
      ArrowDown: () => go(0, step),
      c: () => {
        thing.colour = after(Object.keys(COLOURS), thing.colour);
      },
      s: () => {
        thing.shape = after(SHAPES, thing.shape);
      },
      z: () => {
        thing.size = after(Object.keys(SIZES), thing.size);
      },
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!done) return;
    event.preventDefault();
    done();
    changed();
    announce();
  }
  /** @param {Partial<Captioning.Thing>} more */
  const use = (more) => { Object.assign(scene.things[held], more); changed(); announce(); };

  /** @type {{ group: SVGGElement, body: SVGPathElement, ring: SVGCircleElement }[]} */
  const things = [];
  const ground = make(element, "rect", { width: UNIT, height: UNIT });
  const map = make(element, "g", { class: "map" });
  /** @param {number} n */
  function addThing(n) {
    const group = make(element, "g", {
      class: "thing",
      tabindex: 0,
      role: "button",
      onpointerdown: (event) => drag(event, n),
      onkeydown: (event) => key(event, n),
      onfocus: () => {
        held = n;
        mark();
      },
    });
    things.push({ group, body: make(group, "path"), ring: make(group, "circle") });
  }
  /** @type {Captioning.Choices} */
  const choices = (label, options, className, used, pick) => {
    const row = make(tools, "p", { class: "choices", role: "group", "aria-label": label });
    return options.map((option) => {
      const choice = button(row, className === "swatch" ? "" : say(option), () => pick(option), {
        class: className,
        "aria-label": say(option),
        title: say(option),
      });
      if (COLOURS[option]) choice.style.background = rgb(COLOURS[option]);
      return { choice, on: () => used() === option };
    });
  };
  const marks = [
    ...choices(
      say("colour"),
      Object.keys(COLOURS),
      "swatch",
      () => scene.things[held].colour,
      (colour) => use({ colour }),
    ),
    ...choices(
      say("shape"),
      SHAPES,
      "option",
      () => scene.things[held].shape,
      (shape) => use({ shape }),
    ),
    ...choices(
      say("size"),
      Object.keys(SIZES),
      "option",
      () => scene.things[held].size,
      (size) => use({ size }),
    ),
    ...choices(
      say("background"),
      Object.keys(BACKGROUNDS),
      "option",
      () => scene.background,
      (background) => {
        scene.background = background;
        changed();
        announce();
      },
    ),
  ];
  const row = make(tools, "p", { class: "choices" });
  const more = button(row, say("add"), () => {
    const used = scene.things.map(({ colour }) => colour);
    const [colour] = Object.keys(COLOURS).filter((name) => !used.includes(name));
    held = scene.things.push({ shape: "square", colour, size: "small", x: 0.5, y: 0.5 }) - 1;
    changed();
    announce();
  });
  const less = button(row, say("remove"), () => {
    scene.things.splice(held, 1);
    held = 0;
    changed();
    announce();
  });
  const mark = () => {
    marks.forEach(({ choice, on }) => choice.setAttribute("aria-pressed", on()));
    more.disabled = scene.things.length >= MOST;
    less.disabled = scene.things.length < 2;
    things.forEach(({ group }, n) => group.classList.toggle("held", n === held));
  };

  function draw() {
    held = Math.min(held, scene.things.length - 1);
    while (things.length < scene.things.length) addThing(things.length);
    while (things.length > scene.things.length) things.pop()?.group.remove();
    ground.setAttribute("fill", rgb(BACKGROUNDS[scene.background]));
    scene.things.forEach((thing, n) => {
      const { group, body, ring } = things[n];
      const r = SIZES[thing.size] * UNIT;
      const cx = thing.x * UNIT;
      const cy = thing.y * UNIT;
      const ink = rgb(COLOURS[thing.colour]);
      const outline = corners(thing.shape).map(([x, y]) => `${cx + r * x},${cy + r * y}`);
      body.setAttribute("d", outline.length ? `M${outline.join("L")}Z` : "");
      body.setAttribute("fill", ink);
      const hollow = thing.shape === "ring";
      const wide = 0.42 * r;
      for (const [key, value] of Object.entries({
        cx,
        cy,
        r: outline.length ? 0 : hollow ? r - wide / 2 : r,
        fill: hollow ? "none" : ink,
        stroke: hollow ? ink : "none",
        "stroke-width": hollow ? wide : 0,
      }))
        ring.setAttribute(key, value);
      const [x, y] = [thing.x, thing.y].map(page.percent);
      group.setAttribute("aria-label", say("placed", { thing: name(thing), x, y }));
    });
    element.append(map);
    mark();
  }
  /**
   * Shows the weights of the 16 cells as squares: the larger the weight, the larger its square. The chosen cell has a
   * frame.
   *
   * @param {Alive.Vector} weights
   * @param {number} chosen
   */
  function light(weights, chosen) {
    const most = Math.max(...weights);
    const side = UNIT / CELLS;
    /** @param {number} n */
    const corner = (n) => [(n % CELLS) * side, Math.floor(n / CELLS) * side];
    map.replaceChildren();
    weights.forEach((weight, n) => {
      const inset = side * 0.5 * (1 - Math.sqrt(Math.max(0, weight) / most));
      const [x, y] = corner(n).map((from) => from + inset);
      const square = make(map, "rect", { x, y, width: side - 2 * inset, height: side - 2 * inset });
      make(square, "title", {}, page.percent(weight));
    });
    if (chosen < 0) return;
    const [x, y] = corner(chosen);
    make(map, "rect", { x: x + 0.4, y: y + 0.4, width: side - 0.8, height: side - 0.8, class: "chosen" });
  }
  return { element, tools, draw, light };
}
