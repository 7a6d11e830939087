/**
 * The objects of PDF (32000-1 §7.3) as the checks read them. The parser is strict and separate from
 * the library that writes the files, so that a bug in the library is not repeated here.
 */
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfText
  | Reference
  | PdfValue[]
  | Dictionary;

export class PdfName {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The bytes of a literal or hexadecimal string. */
export class PdfText {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export class Reference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

export type Dictionary = Map<string, PdfValue>;

/** An indirect object: a value, possibly followed by the bytes of a stream. */
export interface PdfObject {
  number: number;
  value: PdfValue;
  /** The bytes of the stream, still coded as in the file. */
  stream: Uint8Array | undefined;
  /**
   * The offset in the file at which the object starts, and the offset at which the bytes of its
   * stream start.
   */
  start: number;
  streamStart: number;
}

/**
 * Thrown if the file is not as required. The message is part of the verdict and contains no text of
 * the file.
 */
export class ParseFault extends Error {}

/** A bare word: an operator of a content stream, or a keyword of the file. */
export class OperatorWord {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const maxDepth = 50;
const maxNameLength = 400;
const [lf, cr, open, close, less, greater, backslash, percent, slash] = [
  0x0a, 0x0d, 0x28, 0x29, 0x3c, 0x3e, 0x5c, 0x25, 0x2f,
];

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === lf || byte === cr || byte === 0x09 || byte === 0x0c || byte === 0;

const delimiters = new Set([open, close, less, greater, 0x5b, 0x5d, 0x7b, 0x7d, slash, percent]);
const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && !isSpace(byte) && !delimiters.has(byte);

/**
 * Reads objects one after another. Comments are passed to `onComment`; without it, a comment is a
 * fault.
 */
export class SyntaxReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly onComment: ((text: Uint8Array) => void) | undefined;

  constructor(bytes: Uint8Array, at = 0, onComment?: (text: Uint8Array) => void) {
    this.bytes = bytes;
    this.at = at;
    this.onComment = onComment;
  }

  skipSpace(): void {
    for (;;) {
      while (isSpace(this.bytes[this.at])) this.at += 1;
      if (this.bytes[this.at] !== percent) return;
      if (!this.onComment) throw new ParseFault('A comment is in a place that allows no comments.');
      const start = this.at;
      while (this.at < this.bytes.length && ![lf, cr].includes(this.bytes[this.at] ?? 0)) {
        this.at += 1;
      }
      this.onComment(this.bytes.subarray(start, this.at));
    }
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Returns the next characters of the file, for comparison with keywords. */
  peek(length: number): string {
    return Buffer.from(this.bytes.subarray(this.at, this.at + length)).toString('latin1');
  }

  expect(keyword: string): void {
    if (this.peek(keyword.length) !== keyword) throw new ParseFault('The file is malformed.');
    this.at += keyword.length;
  }

  /**
   * Returns the next object, or an `OperatorWord` if no object starts here; undefined at the end.
   */
  next(depth = 0): PdfValue | OperatorWord | undefined {
    if (depth > maxDepth) throw new ParseFault('Objects are nested too deeply.');
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte === undefined) return undefined;
    if (byte === slash) return this.#name();
    if (byte === open) return this.#literal();
    if (byte === less) {
      if (this.bytes[this.at + 1] === less) return this.#dictionary(depth);
      return this.#hex();
    }
    if (byte === 0x5b) return this.#array(depth);
    if (delimiters.has(byte)) {
      this.at += 1;
      if (byte === greater && this.bytes[this.at] === greater) {
        this.at += 1;
        return new OperatorWord('>>');
      }
      return new OperatorWord(String.fromCharCode(byte));
    }
    return this.#wordOrNumber();
  }

  readRegular(): string {
    const start = this.at;
    while (isRegular(this.bytes[this.at])) this.at += 1;
    return Buffer.from(this.bytes.subarray(start, this.at)).toString('latin1');
  }

  #wordOrNumber(): PdfValue | OperatorWord {
    const text = this.readRegular();
    if (/^[+-]*(\d+\.?\d*|\.\d+)-?\d*$/.test(text)) {
      const value = Number.parseFloat(text.replace(/^[+-]*(?=-)|^\++/, ''));
      if (/^\d+$/.test(text)) {
        const isReference = this.skipReference();
        if (isReference) return new Reference(value);
      }
      return value;
    }
    if (text === 'true' || text === 'false') return text === 'true';
    if (text === 'null') return null;
    return new OperatorWord(text);
  }

  /** Consumes ` G R` after a number if these characters make it a reference. */
  skipReference(): boolean {
    const match = /^[ \r\n\t]{1,4}\d{1,5}[ \r\n\t]{1,4}R(?![^\s()<>[\]{}/%])/.exec(this.peek(16));
    if (!match) return false;
    this.at += match[0].length;
    return true;
  }

  #name(): PdfName {
    this.at += 1;
    const text = this.readRegular();
    if (text.length > maxNameLength) throw new ParseFault('A name is too long.');
    return new PdfName(
      text.replace(/#([0-9a-f]{2})/gi, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      ),
    );
  }

  #literal(): PdfText {
    const out: number[] = [];
    let depth = 0;
    for (; ; this.at += 1) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new ParseFault('A string is not terminated.');
      if (byte === open) {
        depth += 1;
        if (depth === 1) continue;
      } else if (byte === close) {
        depth -= 1;
        if (depth === 0) break;
      } else if (byte === backslash) {
        this.#escape(out);
        continue;
      }
      out.push(byte);
    }
    this.at += 1;
    return new PdfText(Uint8Array.from(out));
  }

  /** Reads the escape sequence after a backslash. Leaves `at` on its last byte. */
  #escape(out: number[]): void {
    this.at += 1;
    const byte = this.bytes[this.at] ?? 0;
    const escaped = { n: 10, r: 13, t: 9, b: 8, f: 12 }[String.fromCharCode(byte)];
    if (escaped !== undefined) out.push(escaped);
    else if (byte === cr && this.bytes[this.at + 1] === lf) this.at += 1;
    else if (byte >= 0x30 && byte <= 0x37) {
      const digits = /^[0-7]{1,3}/.exec(this.peek(3))?.[0] ?? '';
      out.push(Number.parseInt(digits, 8) & 0xff);
      this.at += digits.length - 1;
    } else if (byte !== lf && byte !== cr) out.push(byte);
  }

  #hex(): PdfText {
    const end = this.bytes.indexOf(greater, this.at);
    if (end < 0) throw new ParseFault('A string is not terminated.');
    const digits = Buffer.from(this.bytes.subarray(this.at + 1, end))
      .toString('latin1')
      .replace(/[\s\0]+/g, '');
    if (!/^[0-9a-f]*$/i.test(digits)) throw new ParseFault('A string is malformed.');
    this.at = end + 1;
    return new PdfText(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex'));
  }

  #array(depth: number): PdfValue[] {
    this.at += 1;
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.next(depth + 1);
      if (item instanceof OperatorWord) {
        if (item.text === ']') return items;
        throw new ParseFault('An array is malformed.');
      }
      if (item === undefined) throw new ParseFault('An array is not terminated.');
      items.push(item);
    }
  }

  #dictionary(depth: number): Dictionary {
    this.at += 2;
    const entries: Dictionary = new Map();
    for (;;) {
      const key = this.next(depth + 1);
      if (key instanceof OperatorWord && key.text === '>>') return entries;
      if (!(key instanceof PdfName)) throw new ParseFault('A dictionary is malformed.');
      const value = this.next(depth + 1);
      if (value === undefined || value instanceof OperatorWord) {
        throw new ParseFault('A dictionary is malformed.');
      }
      if (entries.has(key.text)) throw new ParseFault('A dictionary has a duplicate key.');
      entries.set(key.text, value);
    }
  }
}

export const isDictionary = (value: PdfValue | undefined): value is Dictionary =>
  value instanceof Map;

/** Returns the value of a key if it is a name. */
export function nameIn(dictionary: Dictionary, key: string): string | undefined {
  const value = dictionary.get(key);
  return value instanceof PdfName ? value.text : undefined;
}
