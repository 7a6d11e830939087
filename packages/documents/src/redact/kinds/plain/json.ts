import { isEncodedFile } from '../encoded-file.ts';
import { isPiece, newStream, type Piece, piece, type Stream } from '../stream.ts';

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

/** A string that contains JSON, with its source. */
interface NestedJson {
  raw: string;
  nested: JsonReading;
}

interface JsonReading {
  body: Stream;
  /** Whether strings with files in base64 were emptied. */
  hasFiles: boolean;
  write(): string;
}

/** Maximum depth of JSON in strings of JSON. Deeper strings are read as text. */
const maxDepth = 4;

/**
 * Reads JSON. Each name, string and number is a piece without escapes; a string that contains JSON
 * is read in the same way, and a file in base64 becomes an empty string. All other characters are
 * kept, so the output is JSON of the same structure.
 */
export function readJson(text: string, depth = 0): JsonReading {
  const body = newStream(1);
  const output: (string | Value | NestedJson)[] = [];
  let hasFiles = false;
  for (const { 0: raw, index } of text.matchAll(token)) {
    if (!/^["\d-]/.test(raw)) {
      output.push(raw);
      continue;
    }
    const content = raw.startsWith('"') ? stringOf(raw) : raw;
    const isName = /^\s{0,100}:/.test(text.slice(index + raw.length, index + raw.length + 101));
    if (!isName && isEncodedFile(content)) {
      output.push('""');
      hasFiles = true;
    } else if (!isName && depth < maxDepth && startsLikeJson.test(content) && isValue(content)) {
      const nested = readJson(content, depth + 1);
      output.push({ raw, nested });
      for (const part of nested.body.parts) body.parts.push(part);
      hasFiles ||= nested.hasFiles;
    } else {
      const value = { raw, piece: piece(content), isName };
      output.push(value);
      body.parts.push(value.piece, isName ? ': ' : '\n');
    }
  }
  return { body, hasFiles, write: () => writeValues(output) };
}

const stringOf = (raw: string): string => {
  const value: unknown = JSON.parse(raw);
  return typeof value === 'string' ? value : raw;
};

/** Whether reading a string that contains JSON changed anything. */
const isChanged = ({ body, hasFiles }: JsonReading): boolean =>
  hasFiles || body.parts.some((part) => isPiece(part) && part.redacted !== null);

function writeValues(output: readonly (string | Value | NestedJson)[]): string {
  const counts = new Map<string, number>();
  return output
    .map((value) => {
      if (typeof value === 'string') return value;
      if ('nested' in value) {
        return isChanged(value.nested) ? JSON.stringify(value.nested.write()) : value.raw;
      }
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
