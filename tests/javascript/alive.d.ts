// Types that modules of the explorers share: utils/alive/js and the lessons' own.

declare namespace Alive {
  type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  type Row = ArrayLike<number>;
  /** What lists of numbers and typed arrays have in common. */
  interface Vector extends Row, Iterable<number> {
    map(change: (value: number, n: number) => number): Vector;
    reduce(add: (sum: number, value: number, n: number) => number, start: number): number;
    forEach(work: (value: number, n: number) => void): void;
    indexOf(value: number): number;
  }
  /** A sentence by its key, with {named} places filled. */
  type Say = (key: string, values?: Record<string, unknown>) => string;
  type Button = (
    parent: Element,
    text: string | undefined,
    onclick: (event: MouseEvent) => void,
    more?: Attributes,
  ) => HTMLButtonElement;
  type Guess = { right: boolean; says: string };
  type Trial = { name: string; options: () => string[]; show: () => Guess[] };
  /** Of an element; one that begins with `on` is a listener. */
  interface Attributes {
    [name: string]: any;
    onpointermove?: (event: PointerEvent) => void;
    onpointerdown?: (event: PointerEvent) => void;
    onkeydown?: (event: KeyboardEvent) => void;
  }
  type Tags = HTMLElementTagNameMap & Omit<SVGElementTagNameMap, keyof HTMLElementTagNameMap>;

  /** A dense layer: weight (out, in) row by row. */
  interface Dense {
    out: number;
    weight: Float32Array;
    bias: Float32Array | null;
  }

  /** What every explorer's message has. */
  interface Message {
    language: string;
    words: Record<string, string>;
    start?: { mistake?: string };
  }

  /** The page's frame, as `frame` of page.js returns it. */
  interface Page {
    root: HTMLElement;
    body: HTMLElement;
    tools: HTMLElement;
    say: Say;
    number: (value: number, digits?: number) => string;
    percent: (share: number) => string;
    /** Says a sentence to a screen reader, once the page is drawn. */
    tell: (sentence: () => string | null) => void;
    refuse: (sentence: string) => void;
    section: (name: string, title: string, parent?: Element) => HTMLElement;
    height: (name: string, parent: Element) => HTMLElement;
  }

  /** A vector that is shown as a strip of cells. */
  type Strip = { name: string; values: Vector };
  /** A line of a bar chart; with `choose`, its name is a button, which is `on` or not. */
  type Bar = { name: string; share: number; text: string; kind?: string; choose?: () => void; on?: boolean };
  /** A table of numbers. */
  type Cells = { rows: string[]; columns: string[]; values: number[][] };
  /** What a stage of a walk shows; `looks`: the place that is looked at is number `at` of `count`. */
  type Picture = {
    says: string;
    looks?: { at: number; count: number; name: string };
    vectors?: Strip[];
    alike?: boolean;
    bars?: Bar[];
    cells?: Cells;
    lines?: string[];
  };
  /** A source's or a candidate's name, by its number. */
  type Name = (n: number) => string;
  /** What a head looks at: by number, the weights and names of its sources. */
  type Sources = { weights: Row; name: Name };
  type Stage = { name: string; picture: () => Picture };
  /** A walk of one letter or word, through one of `heads`. */
  type Walk = { title: string; heads: string[]; head: number; stages: Stage[] };
  type WalkOptions = {
    step: (by: number) => void;
    head: (n: number) => void;
    partner: (n: number) => void;
    questions: string[];
  };

  /** What an unfolded number shows while it is open: the partner number `at` of `count`, and the steps. */
  type Inside = { at: number; count: number; name: string; lines: string[] } & (
    | { vectors: null }
    | { vectors: Vector[]; componentText: (component: number, ...numbers: string[]) => string }
  );
}

/** The DOM turns these values into text itself. */
interface Element {
  setAttribute(name: string, value: string | number | boolean): void;
}
