// The marking page: one answer is in hand; Enter saves its mark and goes to the next answer that is not marked.
// The page goes on at once, and requests are sent one after the other. A mark that could not be saved becomes a draft
// again.

import { element, reachable, showAll, showCurrent, showOne, shown } from "./cards.js";
import { listen } from "./keys.js";
import { showPanel } from "./panel.js";
import { openEditor } from "./rubric.js";
import { grader, points, put, say, settings } from "./server.js";
import { begin, copiesOf, inHand, isDirty, isTaken, keepDraft, load, state, windowId, worth } from "./state.js";

/** @type {<K extends keyof Marking.Elements>(id: K) => Marking.Elements[K]} */
const field = (id) => document.getElementById(id);
const said = field("said");
const INITIALS = "attention-workbook-initials";
// Milliseconds between two requests for the marks and claims of other graders.
const PULSE = 10_000;

/**
 * @param {string} text
 * @param {boolean} asError
 */
function showMessage(text, asError = false) {
  said.textContent = text;
  said.classList.toggle("failed", asError);
}

// ---- requests to the server, one after the other ----

/** @type {Promise<unknown>} */
let queue = Promise.resolve();
let sending = 0;

/** @param {() => unknown} work */
function send(work) {
  sending += 1;
  queue = queue.then(work).catch(failed).finally(() => (sending -= 1));
  return queue;
}

/** @param {Error & { stale?: boolean }} error */
async function failed(error) {
  if (error.stale) await reload();
  const stale = say(
    "Someone else has changed this answer meanwhile. It was loaded again; nothing of yours was saved.",
  );
  showMessage(error.stale ? stale : say("NOT SAVED: {why}", { why: error.message }), true);
}

// ---- showing ----

/** @param {Marking.Answer} [answer] */
function choose(answer) {
  begin(answer);
  showPanel();
  showCurrent();
  field("copies").hidden = !answer || copiesOf(answer).length < 2;
  claim();
}

function showEverything() {
  showAll(pick);
  showPanel();
  showAgreement();
}

/** @type {Marking.Choose} */
const pick = (answer) => {
  keepDraft();
  choose(answer);
};

async function reload() {
  const draft = isDirty() ? state.draft : null;
  await load();
  const answer = inHand() ?? nextOpen(-1) ?? shown()[0];
  begin(answer);
  if (draft && answer) state.draft = draft;
  showEverything();
  field("copies").hidden = !answer || copiesOf(answer).length < 2;
}

/**
 * The first shown answer after this index that is not marked; after the last answer, the search begins anew.
 *
 * @param {number} index
 */
function nextOpen(index) {
  const answers = shown();
  const fromIndex = [...answers.slice(index + 1), ...answers.slice(0, index + 1)];
  return fromIndex.find((answer) => answer.open && !isTaken(answer));
}

// ---- a grader's actions ----

/** @param {boolean} copiesToo */
function save(copiesToo) {
  const answer = inHand();
  if (!answer) return;
  const draft = { ...state.draft, items: [...state.draft.items] };
  const index = shown().indexOf(answer); // before the save, after which the filter may hide the answer
  const all = copiesToo
    ? copiesOf(answer).filter((copy) => copy === answer || (copy.open && !isTaken(copy)))
    : [answer];
  /** @type {{ students: string[] }} */
  const step = { students: [] };
  if (!state.second) state.done.push(step);
  for (const copy of all) sendMark(copy, draft, step);
  state.last = draft;
  delete state.drafts[answer.student];
  const next = nextOpen(shown().includes(answer) ? shown().indexOf(answer) : index - 1);
  choose(next ?? answer);
  if (!next) send(() => showMessage(say("All answers here are marked.")));
}

/**
 * What the server said last of answers whose saves have not all returned. A grader may correct a mark before its save
 * returns: each save names the version that the save before it has made.
 *
 * @type {WeakMap<Marking.Answer, Marking.Answer>}
 */
const confirmed = new WeakMap();

/**
 * Show an answer as marked, and send its mark. If the save fails, show the answer as before, and keep the draft.
 *
 * @param {Marking.Answer} answer
 * @param {Marking.Draft} draft
 * @param {{ students: string[] }} step the step to which the student is added, for undoing
 */
function sendMark(answer, draft, step) {
  const { student } = answer;
  if (!answer.saving) confirmed.set(answer, { ...answer });
  Object.assign(answer, {
    ...draft,
    saving: (answer.saving ?? 0) + 1,
    score: worth(draft, answer.most),
    open: false,
    elsewhere: false,
    changed: false,
    unsaved: false,
  });
  showOne(answer, pick);
  showSaving();
  send(async () => {
    const before = /** @type {Marking.Answer} */ (confirmed.get(answer));
    const saving = () => ({ saving: (answer.saving ?? 1) - 1 });
    try {
      const card = await saved(student, before.version, draft);
      const now = { ...before, ...draft, open: false, unsaved: false, ...card };
      confirmed.set(answer, now);
      Object.assign(answer, answer.saving === 1 ? now : {}, saving()); // a later mark of this answer stays in sight
      if (!state.second) step.students.push(student);
      if (!showSaving()) showMessage(say("Saved: {score}", { score: points(Number(now.score)) }));
    } catch (error) {
      Object.assign(answer, before, saving(), { unsaved: true });
      state.drafts[student] = draft;
      throw error;
    } finally {
      showOne(answer, pick);
    }
  });
}

/** Say how many marks are on their way to the server; return how many. */
function showSaving() {
  const count = state.answers.filter((answer) => answer.saving).length;
  if (count) showMessage(say("Saving: {count} …", { count }));
  return count;
}

/**
 * @param {string} student
 * @param {string} version
 * @param {Marking.Draft} draft
 * @returns {Promise<Partial<Marking.Answer>>}
 */
async function saved(student, version, draft) {
  if (!state.second) return await put("mark", { student, version, ...draft, by: grader() });
  await put("second", { student, items: draft.items, by: grader() });
  return { by: grader() };
}

async function undo() {
  while (state.done.at(-1)?.students?.length === 0) state.done.pop(); // a step whose marks could not be saved
  const last = state.done.at(-1);
  if (!last) return showMessage(say("There is nothing to undo."));
  if (last.items) {
    await put("rubric", { items: last.items, revision: state.rubric.revision, sure: true });
    state.done.pop();
    await reload();
    return showMessage(say("Undone"));
  }
  while (last.students.length) {
    const student = last.students.at(-1);
    const answer = /** @type {Marking.Answer} */ (state.answers.find((other) => other.student === student));
    Object.assign(answer, await put("undo", { student, version: answer.version }));
    last.students.pop();
    showOne(answer, pick);
    choose(answer);
  }
  state.done.pop();
  showMessage(say("Undone"));
}

/** @param {number} by */
function move(by) {
  const answers = shown();
  const index = answers.findIndex((answer) => answer.student === state.at);
  const next = answers[Math.min(answers.length - 1, Math.max(0, index + by))];
  if (next) pick(next);
}

function again() {
  if (!state.last) return;
  state.draft = { ...state.last, items: [...state.last.items] };
  showPanel();
}

/** @param {Marking.Item[]} items */
async function changeRubric(items) {
  const former = state.rubric.items.map(({ html, ...item }) => item);
  const { moves } = await put("rubric", { items, revision: state.rubric.revision, sure: true });
  state.done.push({ items: former });
  await reload();
  showMessage(say("The rubric is changed; marks that have changed: {count}.", { count: moves }));
}

// ---- several graders ----

async function handOn() {
  const answer = inHand();
  const [note, to] = [field("note"), field("to")];
  if (!answer) return;
  const { student, share } = answer;
  Object.assign(answer, await put("note", { student, share, to: to.value, note: note.value.trim(), by: grader() }));
  note.value = to.value = "";
  showOne(answer, pick);
  showMessage(say("Noted; students do not see it."));
}

function claim() {
  const student = state.second ? "" : (state.at ?? "");
  put("claim", { student, window: windowId }).then(({ claims, yours }) => {
    state.claims = claims;
    if (!yours && student === state.at) showMessage(say("open on another grader's screen"), true);
  }, () => {});
}

addEventListener("pagehide", () => {
  put("claim", { student: "", window: windowId }, { keepalive: true }).catch(() => {});
});

// Load the marks of other graders regularly, unless a draft or a running request would be lost.
setInterval(() => {
  const busy = sending || isDirty() || Object.keys(state.drafts).length;
  if (document.hidden || busy || document.activeElement === field("comment") || document.querySelector("dialog[open]"))
    return;
  send(async () => {
    const top = scrollY;
    await load();
    if (isDirty()) return;
    begin(inHand());
    showAll(pick);
    showPanel();
    scrollTo({ top });
    claim();
  });
}, PULSE);

const you = field("you");
if (you) {
  you.value = localStorage.getItem(INITIALS) ?? "";
  you.addEventListener("change", () => {
    localStorage.setItem(INITIALS, you.value);
    showAll(pick);
  });
}

function showAgreement() {
  const { answers, items } = state.agreement;
  const box = field("agreement");
  box.replaceChildren();
  if (!answers) return;
  /** @type {(tag: "th" | "td", texts: (string | number)[]) => HTMLTableRowElement} */
  const cells = (tag, texts) => element("tr", {}, ...texts.map((text) => element(tag, { textContent: String(text) })));
  const head = cells("th", [say("Item"), say("agree"), say("first only"), say("second only"), "κ"]);
  const rows = state.rubric.items.map((item, index) => {
    const { agreed, only_first, only_second, kappa } = items[item.id];
    return cells("td", [index + 1, agreed, only_first, only_second, kappa ?? "–"]);
  });
  const title = say("Agreement with the second marks (answers: {count})", { count: answers });
  box.append(element("h2", { textContent: title }), element("table", {}, head, ...rows));
}

// ---- starting ----

/** @type {(id: "save" | "copies" | "undo" | "pass" | "edit" | "help" | "close", work: () => unknown) => void} */
const press = (id, work) => field(id).addEventListener("click", work);
press("save", () => save(false));
press("copies", () => save(true));
press("undo", () => send(undo));
press("pass", () => send(handOn));
press("edit", () => openEditor(changeRubric));
press("help", () => field("keys").showModal());
press("close", () => field("keys").close());
for (const tool of [field("filter"), field("odd"), field("names")]) {
  tool.addEventListener("change", () => showAll(pick));
}
field("search").addEventListener("input", () => showAll(pick));
field("second").addEventListener("change", () => {
  Object.assign(state, { second: field("second").checked, at: null, drafts: {} });
  send(async () => {
    await reload();
    choose(inHand());
    const hint = say("A tenth of the marked answers, without the first marks. What you give here changes no mark.");
    showMessage(state.second ? hint : "");
  });
});
document.querySelectorAll("#about .text").forEach((text) => reachable.observe(text));
addEventListener("beforeunload", (event) => {
  if (sending || isDirty() || Object.keys(state.drafts).length) event.preventDefault();
});
listen({
  save: () => save(false),
  copies: () => save(true),
  undo: () => send(undo),
  rubric: () => openEditor(changeRubric),
  move,
  again,
});
send(async () => {
  if (settings.markers.includes(grader())) field("filter").value = "mine";
  await reload();
  choose(inHand());
});
