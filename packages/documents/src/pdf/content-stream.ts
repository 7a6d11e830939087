/**
 * Reads PDF content streams (PDF 32000-1 §7.8.2) only as far as needed to count q and Q and to
 * remove invisible text. The remaining bytes are not changed.
 */

type Token = { kind: 'operator' | 'operand'; text: string; start: number; end: number };

const whiteSpace = new Set([0, 9, 10, 12, 13, 32]);
const delimiters = new Set([...'()<>[]{}/%'].map((letter) => letter.charCodeAt(0)));

function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && !whiteSpace.has(byte) && !delimiters.has(byte);
}

/** Returns the end of a literal string, including nested and escaped parentheses. */
function endOfString(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x5c) at += 1;
    else if (byte === 0x28) depth += 1;
    else if (byte === 0x29) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return bytes.length;
}

/** Returns the end of an inline image: the EI between white space that follows its data. */
function endOfInlineImage(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 2 < bytes.length; at += 1) {
    const isEnd = bytes[at + 1] === 0x45 && bytes[at + 2] === 0x49 && !isRegular(bytes[at + 3]);
    if (isEnd && whiteSpace.has(bytes[at] ?? 1)) return at + 3;
  }
  return bytes.length;
}

/** Yields the operands and operators of a content stream. An inline image is one operator, `BI`. */
export function* readTokens(bytes: Uint8Array): Generator<Token> {
  const text = (from: number, to: number): string =>
    Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const start = at;
    if (whiteSpace.has(byte)) {
      at += 1;
    } else if (byte === 0x25) {
      while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
    } else if (byte === 0x28) {
      at = endOfString(bytes, at);
      yield { kind: 'operand', text: '(', start, end: at };
    } else if (byte === 0x3c && bytes[at + 1] !== 0x3c) {
      while (at < bytes.length && bytes[at] !== 0x3e) at += 1;
      at = Math.min(at + 1, bytes.length);
      yield { kind: 'operand', text: '<', start, end: at };
    } else if (byte === 0x2f) {
      at += 1;
      while (isRegular(bytes[at])) at += 1;
      yield { kind: 'operand', text: text(start, at), start, end: at };
    } else if (delimiters.has(byte)) {
      at += 1;
      yield { kind: 'operand', text: String.fromCharCode(byte), start, end: at };
    } else {
      while (isRegular(bytes[at])) at += 1;
      const word = text(start, at);
      if (word === 'ID') at = endOfInlineImage(bytes, at);
      const isNumber = /^[+-]*[\d.]/.test(word);
      const isConstant = word === 'true' || word === 'false' || word === 'null';
      yield { kind: isNumber || isConstant ? 'operand' : 'operator', text: word, start, end: at };
    }
  }
}

/** Returns the lowest and the final depth of q and Q, relative to the start. */
export function measureNesting(bytes: Uint8Array): { lowest: number; end: number } {
  let depth = 0;
  let lowest = 0;
  for (const { kind, text } of readTokens(bytes)) {
    if (kind !== 'operator') continue;
    if (text === 'q') depth += 1;
    else if (text === 'Q') depth -= 1;
    lowest = Math.min(lowest, depth);
  }
  return { lowest, end: depth };
}

const textShowingOperators = new Set(['Tj', 'TJ', "'", '"']);
const invisibleMode = 3;

export type StrippedStream = {
  bytes: Uint8Array;
  /** Whether text was removed. */
  changed: boolean;
  /**
   * The text render mode at each `Do`, by the name of the form: the mode in which the form starts.
   */
  forms: ReadonlyMap<string, number>;
  /** The text render mode at the end. */
  mode: number;
};

/** Removes text in render mode 3. `mode` is the render mode at the start. */
export function stripInvisibleText(bytes: Uint8Array, mode = 0): StrippedStream {
  const chunks: Uint8Array[] = [];
  const savedModes: number[] = [];
  const forms = new Map<string, number>();
  let currentMode = mode;
  let copiedEnd = 0;
  let operands: Token[] = [];
  let changed = false;
  for (const token of readTokens(bytes)) {
    if (token.kind === 'operand') {
      operands.push(token);
      continue;
    }
    const first = operands[0];
    const last = operands.at(-1);
    if (token.text === 'q') savedModes.push(currentMode);
    else if (token.text === 'Q') currentMode = savedModes.pop() ?? currentMode;
    else if (token.text === 'Tr') currentMode = Number(last?.text ?? currentMode);
    else if (token.text === 'Do' && last) forms.set(last.text.slice(1), currentMode);
    else if (textShowingOperators.has(token.text) && currentMode === invisibleMode) {
      chunks.push(bytes.subarray(copiedEnd, first?.start ?? token.start));
      // The operators ' and " also move to the next line, on which later operators depend.
      if (token.text === "'" || token.text === '"') chunks.push(Buffer.from(' T* '));
      copiedEnd = token.end;
      changed = true;
    }
    operands = [];
  }
  chunks.push(bytes.subarray(copiedEnd));
  return { bytes: changed ? Buffer.concat(chunks) : bytes, changed, forms, mode: currentMode };
}
