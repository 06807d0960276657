// One way through a model: a line of stages from the embedding to the next letter or word, of which one is shown.
//
// A lesson gives the list of stages; what a stage shows is data (Alive.Picture): a sentence, vectors, bars, a table,
// steps. So the numbers of a walk are computed, and tested, without a page.
import { arrows, button, make } from "./page.js";
import { bar, diverging, player } from "./parts.js";
import { strips } from "./strips.js";

const PACE = 3000; // milliseconds of a stage while the walk plays

/**
 * `step(by)` goes to the next letter (1) or the one before (-1), `head(n)` chooses a head, `partner(n)` what it looks
 * at. `questions`: keys of the questions below the walk. Returns {element, draw(view)}.
 *
 * @param {Alive.Page} page
 * @param {Element} parent
 * @param {Alive.WalkOptions} options
 */
export function walk(page, parent, { step, head, partner, questions }) {
  const { say, number } = page, element = page.section("walk", say("walk"), parent);
  element.prepend(page.height("number", element));
  const row = make(element, "p", { class: "choices" });
  button(row, "◂", () => step(-1), { "aria-label": say("walk_before") });
  const title = make(row, "b");
  button(row, "▸", () => step(1), { "aria-label": say("walk_after") });
  const heads = make(row, "select", { "aria-label": say("walk_head"), onchange: () => head(heads.selectedIndex) });
  const back = button(row, say("back"), () => go(at - 1));
  const next = button(row, say("next"), () => go(at + 1), { class: "main" });
  const stop = player(page, row, { count: () => view.stages.length, pause: PACE, go: (n) => go(n, true) });
  const line = make(element, "p", { class: "choices stages", role: "radiogroup", "aria-label": say("walk") });
  const shown = make(element, "div", { class: "picture" });
  const fold = make(element, "details", { class: "number" });
  make(fold, "summary", {}, say("walk_questions"));
  const list = make(fold, "ol");
  questions.forEach((key) => make(list, "li", {}, say(key)));

  const sentence = make(shown, "p");
  const choice = make(shown, "label", { class: "slider" });
  make(choice, "span", {}, say("partner"));
  const slider = make(choice, "input", { type: "range", min: 0, oninput: () => partner(Number(slider.value)) });
  const looked = make(choice, "output");
  const vectors = strips(page, shown), bars = make(shown, "div", { class: "bars" }), table = make(shown, "table");
  const steps = make(shown, "ol", { class: "steps" });
  /** @type {Alive.Walk} */
  let view;
  let at = 0;
  /** @type {HTMLButtonElement[]} */
  let chips = [];

  /**
   * @param {number} n
   * @param {boolean} playing
   */
  function go(n, playing = false) {
    if (!playing) stop();
    at = n;
    show();
    // The picture is uncovered row by row, in the order of the computation.
    shown.querySelectorAll(".strip, .bar, tbody tr, li").forEach((row, m) => row.setAttribute("style", `--n:${m}`));
    shown.classList.add("arriving");
    page.tell(() => `${say(`stage_${view.stages[at].name}`)}: ${sentence.textContent}`);
  }
  /** Shows the walk with new numbers. The parts stay, so that the keyboard stays where it is. */
  function show() {
    shown.classList.remove("arriving");
    const { stages } = view;
    at = Math.min(at, stages.length - 1);
    if (chips.length !== stages.length) {
      line.replaceChildren();
      chips = stages.map(({ name }, n) => button(line, say(`stage_${name}`), () => go(n), {
        role: "radio",
        onkeydown: (event) => arrows(event, n, chips.length, (m) => { go(m); chips[m].focus(); }),
      }));
    }
    chips.forEach((chip, n) => {
      chip.setAttribute("aria-checked", n === at);
      chip.tabIndex = n === at ? 0 : -1;
    });
    back.disabled = at === 0;
    next.disabled = at === stages.length - 1;
    title.textContent = view.title;
    if (heads.length !== view.heads.length) {
      heads.replaceChildren();
      view.heads.forEach((name) => make(heads, "option", {}, name));
    }
    heads.selectedIndex = view.head;
    draw(stages[at].picture());
  }
  /** @param {Alive.Picture} picture */
  function draw(picture) {
    const { says, vectors: rows = [], alike, looks, bars: shares = [], cells, lines = [] } = picture;
    sentence.textContent = says;
    choice.hidden = !looks;
    if (looks) {
      Object.assign(slider, { max: looks.count - 1, value: looks.at });
      looked.textContent = looks.name;
      slider.setAttribute("aria-valuetext", looks.name);
    }
    vectors.element.hidden = vectors.component.hidden = rows.length === 0;
    if (rows.length) vectors.show(rows, (c) => components(rows, c), alike);
    const focused = Array.from(bars.querySelectorAll("button")).findIndex((name) => name === document.activeElement);
    bars.replaceChildren();
    bars.classList.toggle("signed", shares.some(({ share }) => share < 0));
    shares.forEach((share) => signed(bars, share));
    bars.querySelectorAll("button")[focused]?.focus();
    table.replaceChildren();
    table.hidden = !cells;
    if (cells) tabulate(table, page, cells);
    steps.replaceChildren();
    lines.forEach((text) => make(steps, "li", {}, text));
  }
  /**
   * @param {Alive.Strip[]} rows
   * @param {number} c
   */
  function components(rows, c) {
    const those = rows.filter(({ values }) => c < values.length);
    return say("walk_component", {
      c: c + 1,
      numbers: those.map(({ name, values }) => `${name} ${number(values[c], 2)}`).join(" · "),
    });
  }
  /** @param {Alive.Walk} now */
  const update = (now) => { view = now; show(); };
  return { element, draw: update };
}

/**
 * A line of a bar chart whose bar grows from the middle if the chart has negative shares; its name may be a button.
 *
 * @param {Element} parent
 * @param {Alive.Bar} bar
 */
function signed(parent, { name, share, text, kind = "word", choose, on }) {
  const row = bar(parent, choose ? "" : name, Math.abs(share), text, share < 0 ? "minus" : kind);
  if (choose) button(row.children[0], name, choose, { "aria-pressed": on });
}

/**
 * A table whose cells are coloured by their numbers, but for the last row, the sums.
 *
 * @param {Element} table
 * @param {Alive.Page} page
 * @param {Alive.Cells} cells
 */
function tabulate(table, { number }, { rows, columns, values }) {
  const top = make(make(table, "thead"), "tr"), body = make(table, "tbody");
  const most = Math.max(...values.slice(0, -1).flat().map(Math.abs));
  make(top, "td");
  columns.forEach((name) => make(top, "th", { scope: "col" }, name));
  rows.forEach((name, r) => {
    const row = make(body, "tr");
    make(row, "th", { scope: "row" }, name);
    values[r].forEach((value) => {
      const colour = diverging(value / most).map(Math.round).join(",");
      // White is legible on the darkest blues, black on all other colours.
      const ink = value / most > 0.93 ? "#fff" : "#000", style = `background:rgb(${colour});color:${ink}`;
      make(row, "td", r < rows.length - 1 ? { style } : {}, number(value, 1));
    });
  });
}
