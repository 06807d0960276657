// The marking page in a DOM without a browser: a process that opens pages and runs code in them, one line of JSON each.
//
// A line {open: {html, answers, rubric, ...}} opens a page anew, with the modules as their files are now; a line
// {run, given} runs the body of an async function, whose value is the answer. Its names are `given`, `modules` (by
// file), `window`, `document`, `server` and `page`. tests/helpers/marking_page.py starts the process.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SourceTextModule, createContext } from "node:vm";
import { Window } from "happy-dom";

const STATIC = resolve(dirname(fileURLToPath(import.meta.url)), "../../autograder/marking/static");
// Rounds in which promises are settled; the longest chain of the page has a dozen of them.
const ROUNDS = 30;

async function settle() {
  for (let round = 0; round < ROUNDS; round++) await new Promise(setImmediate);
}

// The course's server, as far as the page knows it. `next` answers otherwise, once; `held` requests wait for `release`.
function serverOf({ answers, rubric, agreement, claims = {} }) {
  const requests = [], urls = [], once = {}, waiting = [];
  const cards = structuredClone(answers);
  const card = (student) => cards.find((answer) => answer.student === student);
  const usual = {
    class: () => ({ answers: cards, rubric, agreement: agreement ?? { answers: 0, items: {} }, claims }),
    claim: () => ({ claims, yours: true }),
    figures: () => [],
    mark: ({ student, version, window, ...mark }) => {
      Object.assign(card(student), { ...mark, open: false, version: `${version}+`, score: server.score });
      const { group, odd, ...told } = card(student);
      return told;
    },
    second: () => null,
    undo: ({ student }) => Object.assign(card(student), { open: true, items: [], comment: "", score: null }),
    rubric: ({ items, sure }) => {
      const shown = items.map((item) => ({ ...item, html: item.text }));
      if (sure) Object.assign(rubric, { items: shown, revision: rubric.revision + 1 });
      return { moves: server.moves, uses: server.uses };
    },
  };
  async function fetch(url, { method = "GET", headers, body, keepalive = false }) {
    const { pathname, searchParams } = new URL(url, "http://hub");
    const what = pathname.split("/").at(-1);
    const request = { what, method, path: pathname, headers, keepalive, query: Object.fromEntries(searchParams) };
    if (body) request.body = JSON.parse(body);
    requests.push(request);
    urls.push(url);
    const { status = 200, content, offline, text } = once[what]?.shift() ?? {};
    if (server.hold === what) await new Promise((release) => { waiting.push(release); });
    if (offline) throw new TypeError("Failed to fetch");
    const usually = () => (status === 200 ? usual[what](request.body) : { error: `error ${status}` });
    const answer = structuredClone(content ?? usually());
    const json = () => (text === undefined ? Promise.resolve(answer) : Promise.reject(new SyntaxError(text)));
    return { ok: status < 400, status, json };
  }
  const server = {
    requests, urls, fetch, card, claims, rubric, hold: null, moves: 0, uses: {}, score: 1,
    next: (what, reply) => (once[what] ??= []).push(reply),
    release: async () => {
      waiting.splice(0).forEach((release) => release());
      await settle();
    },
  };
  return server;
}

async function opened({ html, url = "http://hub/", stored = {}, ...data }) {
  const window = new Window({ url, settings: { disableJavaScriptEvaluation: true } });
  const { document } = window, server = serverOf(data), intervals = [], observed = [], scrolled = [];
  document.write(html);
  for (const [key, value] of Object.entries(stored)) window.localStorage.setItem(key, value);
  window.HTMLElement.prototype.scrollIntoView = function scrollIntoView(options) {
    scrolled.push([this.id, options.block]);
  };
  const page = {
    settle, intervals, observed, scrolled, highlights: new Map(),
    hidden: false, top: 0, margins: ["10px", "20px"], height: 0,
    tick: async () => {
      intervals.forEach(({ work }) => work());
      await settle();
    },
  };
  Object.defineProperty(document, "hidden", { get: () => page.hidden });
  Object.defineProperty(window.HTMLElement.prototype, "offsetHeight", { get: () => page.height });
  const scope = createContext({
    document, window, console, structuredClone, URLSearchParams, URL,
    NodeFilter: window.NodeFilter, Range: window.Range, localStorage: window.localStorage, innerHeight: 730,
    CSS: data.plain ? {} : { highlights: page.highlights },
    Highlight: class { constructor(...ranges) { this.words = ranges.map(String); } },
    ResizeObserver: class {
      constructor(seen) { this.seen = seen; }
      observe(element) { observed.push({ element, seen: this.seen }); }
    },
    crypto: data.insecure ? {} : { randomUUID: () => "this-window" },
    getComputedStyle: () => ({ scrollMarginTop: page.margins[0], scrollMarginBottom: page.margins[1] }),
    fetch: server.fetch,
    addEventListener: window.addEventListener.bind(window),
    setInterval: (work, milliseconds) => intervals.push({ work, milliseconds }),
    scrollTo: ({ top }) => scrolled.push(["window", top]),
  });
  Object.defineProperty(scope, "scrollY", { get: () => page.top });
  const made = new Map();
  const load = (name) => {
    const source = () => readFileSync(resolve(STATIC, name), "utf8");
    if (!made.has(name)) made.set(name, new SourceTextModule(source(), { context: scope, identifier: name }));
    return made.get(name);
  };
  const entry = load("page.js");
  await entry.link((name) => load(name.slice(2)));
  await entry.evaluate();
  await settle();
  const modules = Object.fromEntries([...made].map(([name, { namespace }]) => [name.replace(".js", ""), namespace]));
  return { window, document, server, page, modules };
}

let current = null;
const AsyncFunction = settle.constructor;

async function answerTo({ open, run, given }) {
  if (open) {
    await current?.window.happyDOM.close();
    current = await opened(open);
    return null;
  }
  const names = { given, ...current };
  const value = await new AsyncFunction(...Object.keys(names), run)(...Object.values(names));
  await settle();
  return value ?? null;
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line)).then((value) => ({ value }), (error) => ({ error: error.stack }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
