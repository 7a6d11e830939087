import type { WriteStream } from 'node:tty';

type Stream = NodeJS.WriteStream | WriteStream;

// Characters that move the cursor, are invisible, change direction or end lines.
const unsafeCharacters =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Makes untrusted text safe for one line of a terminal: control characters are escaped. */
export function printable(text: string): string {
  return text.replaceAll(unsafeCharacters, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** A line of JSON with escaped control characters. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    unsafeCharacters,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}

/** Colours, if supported. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** Colours are off in a pipe, with NO_COLOR (https://no-color.org) or on a dumb terminal. */
export function paintFor(stream: Stream, env: NodeJS.ProcessEnv): Paint {
  const isColoured = stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (on: number, off: number) => (text: string) =>
    isColoured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
}

/** A line that is redrawn on a terminal, with other lines printed above. */
export class LiveLine {
  readonly #stream: Stream;
  isDrawn = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Whether the stream is a terminal. */
  get isTerminal(): boolean {
    return this.#stream.isTTY === true && process.env.TERM !== 'dumb';
  }

  /** Replaces the line. It must not contain colours, because it may be truncated. */
  show(line: string): void {
    if (!this.isTerminal) return;
    const width = Math.max((this.#stream.columns ?? 80) - 1, 10);
    this.#stream.write(`\r\u001b[2K${[...line].slice(0, width).join('')}`);
    this.isDrawn = true;
  }

  /** Prints a permanent line. */
  print(line: string): void {
    this.clear();
    this.#stream.write(`${line}\n`);
  }

  clear(): void {
    if (this.isDrawn) this.#stream.write('\r\u001b[2K');
    this.isDrawn = false;
  }
}

/** `[██████░░░░]` */
export function progressBar(percent: number, width = 24): string {
  const filled = Math.round((Math.min(Math.max(percent, 0), 100) / 100) * width);
  return `[${'█'.repeat(filled)}${'░'.repeat(width - filled)}]`;
}

/** A size in bytes as text. */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Formats rows in columns on a terminal, or with tabs in a pipe. */
export function columns(rows: readonly (readonly string[])[], stream: Stream): string[] {
  const printableRows = rows.map((row) => row.map(printable));
  if (!stream.isTTY) return printableRows.map((row) => row.join('\t'));
  const widths = printableRows.reduce<number[]>(
    (max, row) => row.map((cell, at) => Math.max(max[at] ?? 0, [...cell].length)),
    [],
  );
  return printableRows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat(widths[at]! - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}
