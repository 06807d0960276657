// The explorer of the lesson `recall`: pairs are told one after the other to three memories, and a guest is asked for.
import { difference, numbers } from "../../alive/js/numbers.js";
import { beforeNextPicture, button, frame, guided, make } from "../../alive/js/page.js";
import { mistakes, player, wished } from "../../alive/js/parts.js";
import { columns } from "./columns.js";
import { dice, moved, more } from "./day.js";
import { load, remember, rooms, tableOf } from "./memory.js";
import { number as numberOf } from "./number.js";
import { trials } from "./trials.js";

const MISTAKES = ["write_replaces", "write_fades", "read_all_softmax", "read_scaled", "delta_only_adds", "delta_sign"];
const HONEST = 0.02; // half precision makes differences of 0.002; a mistake makes larger ones
const MOST = 256; // pairs of a day
const PLAIN = { mistake: "", strength: 1 };

/**
 * Mounts the explorer; `data` is the message. A memory whose probe differs is named, and nothing is drawn.
 *
 * @param {Element} host
 * @param {Recall.Data} data
 */
export function mount(host, data) {
  const page = frame(host, data), { say, number } = page;
  const memories = data.memories.map(load);
  for (const memory of memories) {
    const distance = difference(probed(memory), numbers(memory.probe.output, "f4"));
    if (!(distance < HONEST)) return page.refuse(say("wrong", { name: say(memory.kind), d: number(distance, 2) }));
  }
  const sizes = { guests: data.names.length, rooms: memories[0].rooms }, roll = dice(7);
  /** @type {Recall.State} */
  const state = {
    told: data.told,
    until: data.told.length,
    asked: data.told[0].guest,
    chosen: 1,
    partner: null,
    ...PLAIN,
  };
  /** @type {Recall.Known[]} */
  let known = [];
  const names = {
    /** @param {number} guest */
    guest: (guest) => data.names[guest],
    /** @param {Recall.Pair} pair */
    pair: ({ guest, room }) => say("pair_told", { name: data.names[guest], room }),
  };
  const change = beforeNextPicture(() => { compute(); draw(); });

  const left = make(page.body, "div", { class: "left" }), right = make(page.body, "div", { class: "right" });
  page.height("whole", left);
  const told = page.section("pairs", say("told"), left);
  const list = make(told, "div", { class: "list", role: "group", "aria-label": say("told"), tabindex: 0 });
  const tools = make(told, "p", { class: "choices" });
  const stop = player(page, tools, {
    count: () => state.told.length,
    pause: 700,
    go: (n) => { state.until = n + 1; change(); },
  });
  /** @type {(added: Recall.Pair[]) => void} */
  const tell = (added) => replace([...state.told, ...added].slice(0, MOST), state.asked);
  button(tools, say("one_more"), () => tell(more(state.told, 1, roll, sizes)));
  button(tools, say("many_more"), () => tell(more(state.told, 16, roll, sizes)));
  const moving = button(tools, "", () => tell([moved(state.told, state.asked, roll, sizes)]));
  button(tools, say("new_day"), () => { const day = more([], 8, roll, sizes); replace(day, day[0].guest); });
  button(tools, say("reset"), () => {
    off.clear();
    slider.value = "1";
    follow();
    replace(data.told, data.told[0].guest);
  });
  const off = mistakes(page, left, MISTAKES, wished(data), (id) => { state.mistake = id; change(); }, announce);
  const guesses = trials(page, left, memories, sizes, (day) => {
    off.clear();
    replace(day, day[0].guest);
  });

  page.height("layer", right);
  const three = columns(page, right, memories, (n) => { state.chosen = n; draw(); announce(); });
  const strength = make(right, "label", { class: "slider" });
  make(strength, "span", {}, say("strength"));
  const slider = make(strength, "input", { type: "range", min: 0, max: 1, step: 0.1, value: 1 });
  const shown = make(strength, "output");
  const follow = () => {
    state.strength = Number(slider.value);
    shown.textContent = number(state.strength, 1);
    change();
  };
  slider.addEventListener("input", follow);
  page.height("number", right);
  const unfolded = numberOf(page, right, (t) => { state.partner = t; unfold(); });
  unfolded.element.addEventListener("toggle", () => unfold());
  make(page.root, "p", { class: "keys" }, say("keys"));
  guided(page, [
    { at: () => told, words: "guide_told" }, { at: () => three.cards, words: "guide_answers" },
    { at: () => three.pictures, words: "guide_pictures" }, { at: () => three.lists, words: "guide_bars" },
    { at: () => moving, words: "guide_moves" },
    { at: () => unfolded.element, words: "guide_number" }, { at: () => off.element, words: "guide_mistakes" },
    { at: () => guesses, words: "guide_trials" },
  ]);
  follow();
  compute();
  draw();

  /**
   * @param {Recall.Pair[]} day
   * @param {number} asked
   */
  function replace(day, asked) {
    stop();
    Object.assign(state, { told: day, until: day.length, asked, partner: null });
    change();
    announce();
  }
  /** @param {number} guest */
  function ask(guest) {
    Object.assign(state, { asked: guest, partner: null });
    draw();
    announce();
  }
  function heard() { return state.told.slice(0, state.until); }
  function compute() {
    const from = performance.now();
    known = memories.map((memory) => remember(memory, heard(), state));
    page.root.dataset.ms = (performance.now() - from).toFixed(1);
  }
  function draw() {
    const pairs = heard();
    if (!known[0].answers.has(state.asked)) state.asked = pairs[pairs.length - 1].guest;
    listed();
    moving.textContent = say("moves", { name: names.guest(state.asked) });
    three.draw(pairs, known, state, names);
    unfold();
  }
  function unfold() {
    const pairs = heard(), own = pairs.map(({ guest }) => guest).lastIndexOf(state.asked);
    const t = Math.min(state.partner ?? own, pairs.length - 1);
    unfolded.show(memories[state.chosen], pairs, { guest: state.asked, t, options: state, names: names.pair });
  }
  /** Lists all pairs as buttons; those that are not told yet, or of a guest who has moved, look different. */
  function listed() {
    const held = [...list.children].indexOf(document.activeElement ?? list);
    const last = new Map(heard().map(({ guest }, t) => [guest, t]));
    list.replaceChildren();
    state.told.forEach((pair, t) => {
      const later = t >= state.until, old = !later && last.get(pair.guest) !== t;
      button(list, names.pair(pair), () => ask(pair.guest), {
        class: `pair ${later ? "later" : ""} ${old ? "old" : ""}`,
        "aria-pressed": pair.guest === state.asked,
        ...(old ? { "aria-label": say("pair_old", { pair: names.pair(pair) }) } : {}),
        ...(later ? { disabled: "" } : {}),
      });
    });
    list.querySelectorAll("button")[held]?.focus();
  }
  function announce() { page.tell(() => `${say("asked", { name: names.guest(state.asked) })} ${three.sentence()}`); }
}

/**
 * The rooms' scores that the page computes for a memory's probe.
 *
 * @param {Recall.Memory} memory
 */
export function probed(memory) {
  const { told, asked } = memory.probe, table = tableOf(memory, told, PLAIN);
  return asked.flatMap((guest) => Array.from(rooms(memory, told, table, guest, PLAIN)));
}
