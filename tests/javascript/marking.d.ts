// Types that several modules share. Read by tsc alone; the modules name them in their doc comments.

/** The page for marking essays: autograder/marking/static. */
declare namespace Marking {
  /** An answer, as `card_data` and `class_data` of autograder/marking/view.py describe it. */
  interface Answer extends Draft {
    student: string;
    name: string;
    version: string;
    html: string;
    language: string;
    letters: number;
    asked: boolean;
    open: boolean;
    score: number | null;
    most: number;
    elsewhere: boolean;
    changed: boolean;
    former: string;
    by: string;
    at: string;
    group: string;
    odd: string;
    /** Why the student asks about the mark; "" without an open appeal. */
    appeal?: string;
    /** Whose the answer is, by its share or because it was handed on; "" without markers. */
    marker?: string;
    share?: string;
    notes?: string[];
    /** Whether the last save failed; set by the page. */
    unsaved?: boolean;
    /** How many saves of it have not returned; set by the page. */
    saving?: number;
  }

  /** A mark as it is given: ids of items, points more or less, a comment. */
  interface Draft {
    items: string[];
    adjustment: number;
    comment: string;
  }

  /** An item of the rubric; texts, words and HTML by language. */
  interface Item {
    id: string;
    points: number;
    text: Record<string, string>;
    words: Record<string, string>;
    split_from?: string;
    since?: number;
  }

  type ShownItem = Item & { html: Record<string, string> };

  interface Rubric {
    revision: number;
    items: ShownItem[];
  }

  interface Agreement {
    answers: number;
    items: Record<string, { agreed: number; only_first: number; only_second: number; kappa: number | null }>;
  }

  /** A step to take back: students who were marked together, or the rubric's items before a change. */
  type Step = { students: string[]; items?: undefined } | { items: Item[]; students?: undefined };

  interface State {
    answers: Answer[];
    rubric: Rubric;
    agreement: Agreement;
    claims: Record<string, string>;
    at: string | null;
    draft: Draft;
    drafts: Record<string, Draft>;
    last: Draft | null;
    done: Step[];
    second: boolean;
  }

  /** The page's settings, which its template hands to the script. */
  interface Settings {
    base: string;
    lesson: string;
    question: string;
    words: Record<string, string>;
    language: string;
    languages: string[];
    xsrf: string;
    grader: string;
    named: boolean;
    figures: boolean;
    points: number;
    markers: string[];
  }

  type Choose = (answer: Answer) => void;

  /** The page's actions that keys call. */
  interface Actions {
    save(): void;
    copies(): void;
    undo(): void;
    rubric(): void;
    move(by: number): void;
    again(): void;
  }

  /** The elements of the page's template, by id. */
  interface Elements {
    about: HTMLElement;
    add: HTMLButtonElement;
    adjustment: HTMLInputElement;
    agreement: HTMLElement;
    answers: HTMLElement;
    apply: HTMLButtonElement;
    cancel: HTMLButtonElement;
    close: HTMLButtonElement;
    comment: HTMLTextAreaElement;
    copies: HTMLButtonElement;
    count: HTMLElement;
    edit: HTMLButtonElement;
    editor: HTMLElement;
    effect: HTMLElement;
    filter: Omit<HTMLSelectElement, "value"> & { value: FilterName };
    help: HTMLButtonElement;
    items: HTMLElement;
    keys: HTMLDialogElement;
    "keys-off": HTMLInputElement;
    names: HTMLInputElement;
    note: HTMLInputElement;
    odd: HTMLSelectElement;
    offered: HTMLElement;
    panel: HTMLElement;
    pass: HTMLButtonElement;
    progress: HTMLProgressElement;
    rubric: HTMLDialogElement;
    said: HTMLElement;
    save: HTMLButtonElement;
    search: HTMLInputElement;
    second: HTMLInputElement;
    settings: HTMLScriptElement;
    to: HTMLSelectElement;
    total: HTMLOutputElement;
    undo: HTMLButtonElement;
    /** Only where the server does not know its user's name. */
    you: HTMLInputElement | null;
  }

  type FilterName = "all" | "mine" | "open_ones" | "marked_ones" | "to_check" | "copies_only" | "left_empty";
}

/** JupyterLab, as far as autograder/marking/lab/remoteEntry.js knows it. */
declare namespace Lab {
  /** Versions of the packages that JupyterLab shares, by the package's name. */
  type Scope = Record<string, Record<string, { get(): Promise<() => Record<string, any>> }>>;

  interface App {
    serviceManager: { serverSettings: { baseUrl: string } };
    commands: { addCommand(id: string, options: object): void };
  }
}

interface Document {
  getElementById<K extends keyof Marking.Elements>(id: K): Marking.Elements[K];
}

interface Window {
  _JUPYTERLAB?: Record<string, { init(scope: Lab.Scope): void; get(module: string): Promise<() => object> }>;
}
