// Types that modules of one lesson's explorer share.

declare namespace Attention {
  type Conv = { kind?: "conv"; in: number; out: number; kernel: number; weight: Float32Array; bias: Float32Array | null };
  /** A convolution, and its last input and output. */
  type Remembering = Conv & { last?: { x: Float32Array; y: Float32Array } };
  type Attending = { kind: "attention"; key: number; query: Remembering; keys: Remembering; value: Remembering };
  type Layer = (Remembering & { kind: "conv" }) | { kind: "relu" } | Attending;

  /** A network as the message carries it. */
  interface Spec {
    name: string;
    task: number;
    layers: any[];
    weights: string;
    encoding: string;
    scale: Record<"x" | "y", { mean: number; std: number }>;
    probe: { input: string; output: string };
  }

  interface Network extends Omit<Spec, "layers"> {
    layers: Layer[];
    /** Positions on each side that an output depends on, without attention. */
    reach: number;
    codes: Float32Array;
    attends: boolean;
  }

  /** The attention layer's queries, keys, scores and weights, and the size of a key. */
  interface Inside {
    query: Float32Array;
    key: Float32Array;
    scores: Float64Array;
    weights: Float64Array;
    size: number;
  }

  type Kind = "triangle" | "rectangle";
  type Shape = { kind: Kind; left: number; height: number };
  type Options = { temperature?: number; mistake?: string };
  /** A network's answer in heights, what is inside, the target, and how far it is off. */
  type Result = { heights: Float32Array; inside: Inside | null; wish: Float32Array; off: number };

  interface State {
    shapes: Shape[];
    position: number;
    looked: number;
    held: number;
    chosen: number;
    temperature: number;
    mistake: string;
  }

  /** The stage's elements that change. */
  interface Parts {
    shapes: { group: SVGGElement; body: SVGPathElement; knob: SVGCircleElement }[];
    reach: SVGPathElement;
    arcs: SVGGElement;
    target: SVGPathElement;
    prediction: SVGPathElement;
    cursor: SVGGElement;
    caption: SVGTextElement;
  }

  type Data = Alive.Message & { networks: Spec[] };
}

declare namespace Gpt {
  /** By head, for one position of a layer: where it looks, or the scores. */
  type Heads = Float64Array<ArrayBuffer>[];
  type Block = { norm1: Float32Array; norm2: Float32Array } & Record<
    "query" | "key" | "value" | "proj" | "inner" | "outer",
    Alive.Dense
  >;

  /** A model as the message carries it; `scores` of its heads, by layer. */
  interface Spec {
    name: string;
    letters: number;
    width: number;
    hidden: number;
    heads: number;
    layers: number;
    epsilon: number;
    weights: string;
    scores: number[][];
    probe: { letters: number[]; output: string };
  }

  interface Model extends Spec {
    /** Components of a head. */
    size: number;
    embedding: Float32Array<ArrayBuffer>;
    blocks: Block[];
    norm: Float32Array;
    output: Alive.Dense;
  }

  interface Layer {
    raw: Float32Array[];
    queries: Float32Array[];
    keys: Float32Array[];
    values: Float32Array[];
    looks: Heads[];
    scores: Heads[];
    /** The heads' sums of values, side by side. */
    sums: Float32Array[];
    /** What the feed-forward part adds. */
    thoughts: Float32Array<ArrayBuffer>[];
  }

  /** What a head, the feed-forward part (head -1) or the embedding (layer -1) adds to the stream. */
  type Added = { layer: number; head: number; vector: Float32Array<ArrayBuffer> };
  /** Of a way through the model: letter, layer, head, place looked at, the next letter that is explained (or null). */
  type Way = {
    i: number;
    layer: number;
    head: number;
    read: number | null;
    explained: number | null;
    alphabet: string;
    mistake: string;
    temperature: number;
    partner: (t: number) => void;
    explain: (letter: number) => void;
    choose: (layer: number, head: number) => void;
  };

  /** What a model has read: logits after each letter, and what is inside, by layer. */
  type Known = { start: number; logits: Float32Array[]; layers: Layer[] };
  /** For each layer, the heads that are off. */
  type Off = Set<number>[];
  type ReadOptions = { off?: Off; mistake?: string };
  type DrawOptions = { temperature?: number; topP?: number; mistake?: string };
  type WriteOptions = ReadOptions & DrawOptions & { seed?: number; forced?: number[]; longest: number; end: number };
  /** Letters so far, and what was read. */
  type Step = { letters: number[]; known: Known };
  /** A writing that goes on: its generator, and its last step. */
  type Run = Step & { from: Generator<Step, void>; since: number; done: boolean };
  type Side = { off: Off; head: number[]; run: Run; shown: Run };
  interface State {
    model: number;
    text: string;
    position: number;
    until: number;
    read: number | null;
    explained: number | null;
    seed: number;
    forced: number[];
    mistake: string;
    temperature: number;
    topP: number;
    aloud: boolean;
  }

  type Person = { name: string; number: number; again: boolean; from: number; to: number };
  type TaleOptions = {
    name: string;
    people: number;
    sentence: string;
    pointed: (position: number, byKey?: boolean) => void;
  };
  type Tale = { letters: number[]; kinds: string[] };

  interface Data extends Alive.Message {
    models: Spec[];
    letters: string;
    end: number;
    longest: number;
    beginnings: string[];
    named: number;
    people: number;
    sentence: string;
    tale: Tale;
    kinds: Record<string, string>;
    probe: { logits: string; output: string; temperature: number; topP: number };
  }
}

declare namespace Captioning {
  type Thing = { shape: string; colour: string; size: string; x: number; y: number };
  type Scene = { background: string; things: Thing[] };
  type Kind = "self" | "cross";
  type Head = { kind: Kind; layer: number; head: number };
  type Eye = { in: number; out: number; kernel: number };
  type LoadedEye = Eye & Alive.Dense;
  type Attention = Record<"key" | "query" | "value" | "proj", Alive.Dense>;
  type Norm = { weight: Float32Array; bias: Float32Array };

  interface Layer {
    self: Attention;
    cross: Attention;
    first: Alive.Dense;
    second: Alive.Dense;
    norms: Norm[];
  }

  interface Spec {
    width: number;
    wide: number;
    features: number;
    vocabulary: number;
    heads: number;
    depth: number;
    longest: number;
    start: number;
    end: number;
    weights: string;
  }

  interface Model extends Spec {
    projection: Alive.Dense;
    embedding: Float32Array<ArrayBuffer>;
    positions: Float32Array<ArrayBuffer>;
    layers: Layer[];
    output: Alive.Dense;
  }

  type Keys = { keys: Float32Array[]; values: Float32Array[] };
  type ByKind = Record<Kind, Float32Array<ArrayBuffer>[]>;
  /** Of a position: for each layer and head the weights of what it looks at; for each layer the numbers on the way. */
  type Look = Record<Kind, number[][][]> &
    Record<"queries" | "streams" | "sums", ByKind> & { thoughts: Float32Array<ArrayBuffer>[] };
  /** What a part adds to the stream: biases, word, position, a head (self, cross), feed-forward (thought). */
  type Added = { kind: string; layer: number; head: number; vector: Float32Array<ArrayBuffer> };
  type Row = Look & { scores: Float32Array };
  type Memory = { layers: Keys[]; past: Keys[]; rows: Row[] };
  /** A caption: its words, a row for each, and the keys and values of each layer. */
  type Written = { words: number[]; rows: Row[] } & Record<"keys" | "values", Record<Kind, Float32Array[][]>>;
  type WriteOptions = { forced?: (number | undefined)[]; mistake?: string; most?: number };

  /** `head` is -1 for the mean of all. */
  interface State {
    word: number;
    layer: number;
    head: number;
    kind: Kind;
    partner: number | null;
    explained: number | null;
    forced: (number | undefined)[];
    mistake: string;
  }

  /** Of a way through the model: the word, the head, the number of the source, the next word that is explained. */
  type Way = Head & {
    word: number;
    n: number;
    explained: number | null;
    mistake: string;
    vocabulary: string[];
    name: (kind: Kind, n: number) => string;
    choose: (head: Head) => void;
    explain: (word: number) => void;
    partner: (n: number) => void;
  };
  type LooksOptions = {
    vocabulary: string[];
    view: View;
    among: Element;
    choose: (n: number) => void;
    announce: () => void;
  };
  type Choices = (
    label: string,
    options: string[],
    className: string,
    used: () => string,
    pick: (option: string) => void,
  ) => { choice: HTMLButtonElement; on: () => boolean }[];
  /** The stage, as far as the heads' maps need it. */
  type View = { light: (weights: Alive.Vector, chosen: number) => void };
  type Probe = { features: string; places: number; words: number[]; output: string };
  type Data = Alive.Message & {
    model: Spec;
    eyes: { layers: Eye[]; weights: string };
    idx_to_word: string[];
    probe: Probe;
  };
}

declare namespace Seq2seq {
  type Gru = { size: number; input: Alive.Dense; past: Alive.Dense };

  interface Spec {
    read: number;
    written: number;
    embed: number;
    hidden: number;
    state: number;
    score: number;
    narrow: number;
    longest: number;
    sos: number;
    eos: number;
    weights: string;
  }

  interface Model extends Spec {
    reading: Float32Array;
    forward: Gru;
    backward: Gru;
    bridge: Alive.Dense;
    writing: Float32Array;
    query: Alive.Dense;
    key: Alive.Dense;
    v: Float32Array;
    cell: Gru;
    outputs: Alive.Dense[];
  }

  /** What was read: states of the words, their keys, the decoder's first state. */
  type Memory = { states: Float32Array[]; keys: Float32Array[]; hidden: Float32Array };
  type Options = { mistake: string; temperature: number };
  type Forced = { forced?: number[]; width?: number } & Partial<Options>;
  type Looks = { looks: Float64Array<ArrayBuffer> } & (
    | { scores: null; query?: undefined }
    | { scores: Float64Array; query: Float32Array }
  );
  type Step = Looks & { logits: Float32Array; hidden: Float32Array };
  type Written = { words: number[]; steps: Step[]; keys: Float32Array[] };
  type Beginning = { words: number[]; total: number; hidden: Float32Array };
  /** A piece of the field's text. */
  type Piece = { from: number; to: number; word: string };

  interface State extends Options {
    text: string;
    word: number;
    read: number | null;
    forced: number[];
  }

  type Data = Alive.Message & {
    model: Spec;
    french: string[];
    english: string[];
    sentences: string[];
    pointed: number;
    probe: { source: number[]; words: number[]; output: string };
  };
}
