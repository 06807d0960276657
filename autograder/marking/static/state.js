// The page's data: the class's answers and the rubric as the server sent them, and the draft of the answer in hand.

import { get, grader, settings } from "./server.js";

/** @type {Marking.State} */
export const state = {
  answers: [], // as `view.card_data` describes them, in the server's order
  rubric: { revision: 0, items: [] },
  agreement: { answers: 0, items: {} },
  claims: {}, // the id of the window in which an answer is open, by student
  at: null, // the student whose answer is in hand
  draft: { items: [], adjustment: 0, comment: "" },
  drafts: {}, // by student: marks that are begun, or could not be saved
  last: null, // the draft that was saved last
  done: [], // steps to take back: students who were marked together, or the rubric's former items
  second: false,
};

// This window's id, because one person may have several windows.
export const windowId = crypto.randomUUID?.() ?? String(Math.random());

export async function load() {
  const { answers, rubric, agreement, claims } = await get("class", state.second ? { second: "1" } : {});
  Object.assign(state, { answers, rubric, agreement, claims });
}

export function inHand() {
  return state.answers.find((answer) => answer.student === state.at);
}

/**
 * Answers in the order of the page.
 *
 * @param {string} odd where odd answers are: "odd_first", "odd_last" or "odd_among" the others
 */
export function ordered(odd) {
  if (odd === "odd_among") return state.answers;
  const [first, second] = odd === "odd_first" ? [true, false] : [false, true];
  /** @param {Marking.Answer} answer */
  const isOdd = (answer) => Boolean(answer.odd);
  return [
    ...state.answers.filter((answer) => isOdd(answer) === first),
    ...state.answers.filter((answer) => isOdd(answer) === second),
  ];
}

/** @type {Record<Marking.FilterName, (answer: Marking.Answer) => boolean>} */
export const filters = {
  all: (answer) => answer.asked,
  open_ones: (answer) => answer.asked && answer.open,
  marked_ones: (answer) => answer.asked && !answer.open,
  mine: (answer) => answer.asked && answer.marker === grader(),
  to_check: (answer) => answer.asked && Boolean(answer.appeal || answer.elsewhere || answer.changed),
  copies_only: (answer) => answer.asked && copiesOf(answer).length > 1,
  left_empty: (answer) => !answer.asked,
};

/** @param {Marking.Answer} answer */
export function copiesOf(answer) {
  return state.answers.filter((other) => other.group === answer.group);
}

/** @param {Marking.Answer} answer */
export function isTaken(answer) {
  return answer.student in state.claims && state.claims[answer.student] !== windowId;
}

/** @param {Marking.Answer} [answer] */
export function begin(answer) {
  state.at = answer?.student ?? null;
  const nothing = { items: [], adjustment: 0, comment: "" };
  const { items, adjustment, comment } = (answer && state.drafts[answer.student]) ?? answer ?? nothing;
  state.draft = { items: [...items], adjustment, comment };
}

// Keep the draft of the answer in hand, if it differs from the saved mark, when the grader goes to another answer.
export function keepDraft() {
  const student = state.at ?? "";
  if (isDirty()) state.drafts[student] = state.draft;
  else delete state.drafts[student];
}

export function isDirty() {
  const answer = inHand();
  if (!answer) return false;
  const { items, adjustment, comment } = state.draft;
  return items.join() !== answer.items.join() || adjustment !== answer.adjustment || comment !== answer.comment;
}

/**
 * The points of a draft, as the server computes them: never below 0, never above the question's.
 *
 * @param {Marking.Draft} draft
 * @param {number} most
 */
export function worth({ items, adjustment }, most) {
  const sum = state.rubric.items.filter((item) => items.includes(item.id)).reduce((all, item) => all + item.points, 0);
  return Math.min(most, Math.max(0, sum + adjustment));
}

/** @param {string} id */
export function toggle(id) {
  const { items } = state.draft;
  const kept = items.includes(id) ? items.filter((other) => other !== id) : [...items, id];
  state.draft.items = state.rubric.items.map((item) => item.id).filter((other) => kept.includes(other));
}

export function commentsUsed() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { comment } of state.answers) if (comment) counts.set(comment, (counts.get(comment) ?? 0) + 1);
  return [...counts].sort(([, first], [, second]) => second - first).map(([comment]) => comment);
}

export const most = () => inHand()?.most ?? settings.points;
