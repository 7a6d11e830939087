import { newStream, type Piece, piece, type Stream } from '../stream.ts';

/** Maximum length of a text that is read as JSON. Each of its values takes memory. */
const maxLength = 8e6;

const startsLikeJson = /^\s*[[{]/;

/** Whether a text is JSON (RFC 8259), or has an object or array of JSON in every line. */
export function isJson(text: string): boolean {
  if (text.length > maxLength || !startsLikeJson.test(text)) return false;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.every((line) => startsLikeJson.test(line) && isValue(line)) || isValue(text);
}

function isValue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^"\d-]+/g;

/** A name, string or number, with its source. */
interface Value {
  raw: string;
  piece: Piece;
  isName: boolean;
}

/**
 * Reads JSON. Each name, string and number is a piece without escapes. All other characters are
 * kept, so the output is JSON of the same structure.
 */
export function readJson(text: string): { body: Stream; write(): string } {
  const body = newStream(1);
  const output: (string | Value)[] = [];
  for (const { 0: raw, index } of text.matchAll(token)) {
    if (!/^["\d-]/.test(raw)) {
      output.push(raw);
      continue;
    }
    const isName = /^\s{0,100}:/.test(text.slice(index + raw.length, index + raw.length + 101));
    const value = { raw, piece: piece(raw.startsWith('"') ? stringOf(raw) : raw), isName };
    output.push(value);
    body.parts.push(value.piece, isName ? ': ' : '\n');
  }
  return { body, write: () => writeValues(output) };
}

const stringOf = (raw: string): string => {
  const value: unknown = JSON.parse(raw);
  return typeof value === 'string' ? value : raw;
};

function writeValues(output: readonly (string | Value)[]): string {
  const counts = new Map<string, number>();
  return output
    .map((value) => {
      if (typeof value === 'string') return value;
      const { raw, isName } = value;
      const { redacted } = value.piece;
      if (redacted === null) return raw;
      if (!isName) return JSON.stringify(redacted);
      // Names of an object must differ.
      const count = (counts.get(redacted) ?? 0) + 1;
      counts.set(redacted, count);
      return JSON.stringify(count === 1 ? redacted : `${redacted} ${count}`);
    })
    .join('');
}
