/** The part of WebAssembly that is used here. The compiler's libraries for Node leave it out. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

interface Memory {
  readonly buffer: ArrayBuffer;
}

/**
 * Multiplies matrices of 32-bit floats in WebAssembly with vector instructions. The module is
 * written here instruction by instruction, so that no binary file is needed.
 */
export interface Multiplier {
  memory: Memory;
  /**
   * Adds the product of a matrix of `rows` times `inputs` at `x`, and one of `inputs` times
   * `outputs` at `w`, to the one at `y`. Places are in bytes. `rows` is a multiple of 4 and `outputs`
   * a multiple of 8.
   */
  multiply(x: number, w: number, y: number, rows: number, inputs: number, outputs: number): void;
}

/** Returns a multiplier with at least `bytes` of memory. */
export function createMultiplier(bytes: number): Multiplier {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
  const module = new WebAssembly.Module(moduleBytes());
  const { multiply } = new WebAssembly.Instance(module, { js: { memory } }).exports;
  if (typeof multiply !== 'function') throw new Error('the module exports no function');
  return {
    memory,
    multiply: (x, w, y, rows, inputs, outputs) => void multiply(x, w, y, rows, inputs, outputs),
  };
}

const [I32, V128, NONE] = [0x7f, 0x7b, 0x40];
const [X, W, Y, ROWS, INPUTS, OUTPUTS] = [0, 1, 2, 3, 4, 5];
/** Locals: the number of outputs and inputs left, the widths of a row in bytes, and places. */
const [LEFT_OUT, LEFT_IN, X_BYTES, Y_BYTES, W_AT, Y_AT] = [6, 7, 8, 9, 10, 11];
/** Places in four rows of `x`; then eight sums, two vectors of weights and one of inputs. */
const X_AT = 12;
const SUMS = 16;
const [W0, W1, INPUT] = [24, 25, 26];

/** An integer in LEB128. Unsigned and signed forms are the same for 0 to 63. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 64) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

const get = (local: number): number[] => [0x20, ...leb(local)];
const set = (local: number): number[] => [0x21, ...leb(local)];
const constant = (value: number): number[] => [0x41, ...leb(value)];
const ADD = 0x6a;
const MULTIPLY = 0x6c;
const vector = (code: number): number[] => [
  0xfd,
  ...(code < 128 ? [code] : [(code & 0x7f) | 0x80, code >>> 7]),
];
/** Alignment of 2^2 bytes, and an offset. */
const place = (offset: number): number[] => [2, ...leb(offset)];
const loadVector = (offset: number): number[] => [...vector(0), ...place(offset)];
const loadSplat = [...vector(9), ...place(0)];
const storeVector = (offset: number): number[] => [...vector(11), ...place(offset)];
const addVector = vector(0xe4);
const multiplyVector = vector(0xe6);
const increase = (local: number, by: number[]): number[] => [
  ...get(local),
  ...by,
  ADD,
  ...set(local),
];
const loop = (body: number[]): number[] => [0x03, NONE, ...body, 0x0b];
const againIfNot0 = [0x0d, 0];
const decrease = (local: number, by: number): number[] => [
  ...get(local),
  ...constant(by),
  0x6b,
  0x22,
  ...leb(local),
];

function body(): number[] {
  const four = [0, 1, 2, 3];
  const sum = (row: number, half: number): number => SUMS + 2 * row + half;
  /** Loads or stores the sums of four rows. */
  const rowsOfY = (each: (row: number) => number[]): number[] => [
    ...get(Y),
    ...get(Y_AT),
    ADD,
    ...set(Y_AT),
    ...four.flatMap((row) => [...each(row), ...increase(Y_AT, get(Y_BYTES))]),
  ];
  const load = rowsOfY((row) =>
    [0, 1].flatMap((half) => [...get(Y_AT), ...loadVector(16 * half), ...set(sum(row, half))]),
  );
  const store = rowsOfY((row) =>
    [0, 1].flatMap((half) => [...get(Y_AT), ...get(sum(row, half)), ...storeVector(16 * half)]),
  );
  const each = loop([
    ...get(W_AT),
    ...loadVector(0),
    ...set(W0),
    ...get(W_AT),
    ...loadVector(16),
    ...set(W1),
    ...four.flatMap((row) => [
      ...get(X_AT + row),
      ...loadSplat,
      ...set(INPUT),
      ...[W0, W1].flatMap((weights, half) => [
        ...get(sum(row, half)),
        ...get(INPUT),
        ...get(weights),
        ...multiplyVector,
        ...addVector,
        ...set(sum(row, half)),
      ]),
      ...increase(X_AT + row, constant(4)),
    ]),
    ...increase(W_AT, get(Y_BYTES)),
    ...decrease(LEFT_IN, 1),
    ...againIfNot0,
  ]);
  /** The place of the present eight outputs in a row, in bytes. */
  const offset = [...get(OUTPUTS), ...get(LEFT_OUT), 0x6b, ...constant(4), MULTIPLY];
  const columns = loop([
    ...offset,
    ...set(Y_AT),
    ...load,
    ...get(W),
    ...offset,
    ADD,
    ...set(W_AT),
    ...get(X),
    ...set(X_AT),
    ...[1, 2, 3].flatMap((row) => [
      ...get(X_AT + row - 1),
      ...get(X_BYTES),
      ADD,
      ...set(X_AT + row),
    ]),
    ...get(INPUTS),
    ...set(LEFT_IN),
    ...each,
    ...offset,
    ...set(Y_AT),
    ...store,
    ...decrease(LEFT_OUT, 8),
    ...againIfNot0,
  ]);
  return [
    ...[X_BYTES, INPUTS, Y_BYTES, OUTPUTS].flatMap((local, at) =>
      at % 2 === 0
        ? []
        : [...get(local), ...constant(4), MULTIPLY, ...set(at === 1 ? X_BYTES : Y_BYTES)],
    ),
    ...loop([
      ...get(OUTPUTS),
      ...set(LEFT_OUT),
      ...columns,
      ...increase(X, [...get(X_BYTES), ...constant(4), MULTIPLY]),
      ...increase(Y, [...get(Y_BYTES), ...constant(4), MULTIPLY]),
      ...decrease(ROWS, 4),
      ...againIfNot0,
    ]),
    0x0b,
  ];
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const text = (words: string): number[] => [words.length, ...Buffer.from(words, 'latin1')];
  const section = (id: number, content: number[]): number[] => {
    return [id, ...size(content.length), ...content];
  };
  const code = [2, ...leb(10), I32, ...leb(11), V128, ...body()];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 6, I32, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...text('js'), ...text('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('multiply'), 0, 0]),
    ...section(10, [1, ...size(code.length), ...code]),
  ]);
}

/** An unsigned integer in LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 0x7f) | 0x80, ...size(value >>> 7)];
}
