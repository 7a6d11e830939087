import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { invalid, Problem } from '@scriptorium/contracts/problems';
import { Faults, inside, type ValuePlace } from './check/faults.ts';

/** A parsed body, and faults that no schema can express. */
interface JsonBody {
  value: unknown;
  /** Strings and numbers that Postgres or JSON cannot store unchanged. */
  faults: Faults;
}

/**
 * Parses a JSON body: UTF-8 without a byte order mark, without duplicate keys, bounded in depth and
 * in the number of values and field names. The limits are checked before parsing.
 * @throws Problem 400 `malformed_json`, 422 for too many values
 */
export function readJson(bytes: Buffer): JsonBody {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw malformed('must not start with a byte order mark', 'byte_order_mark');
  }
  if (bytes.length === 0) throw malformed('must not be empty', 'empty_body');
  const text = decodeUtf8(bytes);
  checkStructure(text);
  const value = parse(text);
  const faults = new Faults();
  checkValues(value, null, faults);
  return { value, faults };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body.
    throw malformed('is not valid JSON', 'malformed_json');
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('is not valid UTF-8', 'invalid_utf8');
  }
}

function malformed(what: string, code: string): Problem {
  const detail = `The body ${what}.`;
  return new Problem('malformed_json', detail, { errors: [{ pointer: '', code, detail }] });
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openObject, openArray, closeObject, closeArray] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Checks depth, number of values and duplicate keys, which `JSON.parse` would silently drop. The
 * text may not be valid JSON; the parser finds any other error.
 */
function checkStructure(text: string): void {
  const stack: (Set<string> | null)[] = [];
  let expectsKey = false;
  let values = 0;
  const countValue = (): void => {
    values += 1;
    if (values > limits.json_values) throw tooMany();
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      let end = at + 1;
      while (end < text.length && text.charCodeAt(end) !== quote) {
        end += text.charCodeAt(end) === backslash ? 2 : 1;
      }
      const keys = stack.at(-1);
      // A field name costs as much as a value, so it counts as one.
      countValue();
      if (expectsKey && keys) {
        const raw = text.slice(at, end + 1);
        const key = raw.includes('\\') ? String(parse(raw)) : raw.slice(1, -1);
        if (keys.has(key)) throw malformed('has a duplicate field in an object', 'duplicate_field');
        keys.add(key);
        expectsKey = false;
      }
      at = end;
    } else if (code === openObject || code === openArray) {
      countValue();
      stack.push(code === openObject ? new Set() : null);
      if (stack.length > limits.json_depth) {
        throw malformed(`must not be nested deeper than ${limits.json_depth} levels`, 'too_deep');
      }
      expectsKey = code === openObject;
    } else if (code === closeObject || code === closeArray) {
      stack.pop();
      expectsKey = false;
    } else if (code === comma) {
      expectsKey = stack.at(-1) instanceof Set;
    } else if (isWord(code)) {
      countValue();
      while (isWord(text.charCodeAt(at + 1))) at += 1;
    }
  }
}

/** Whether a character belongs to a number, `true`, `false` or `null`. */
function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  );
}

function tooMany(): Problem {
  const detail = `The body must have at most ${pluralise(limits.json_values, 'value')}, including field names.`;
  return invalid([{ pointer: '', code: 'too_many_values', detail }]);
}

const surrogate = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Surrogate}/u;

/** The fault of a text that Postgres cannot store: U+0000, or half of a surrogate pair. */
export function textFault(text: string): { code: string; detail: string } | null {
  if (text.includes('\u0000')) {
    return { code: 'null_character', detail: 'It must not contain U+0000.' };
  }
  // The simple class first: most text contains no surrogates, and the other expression is ten times
  // slower.
  if (surrogate.test(text) && loneSurrogate.test(text)) {
    return { code: 'lone_surrogate', detail: 'It must not contain half of a surrogate pair.' };
  }
  return null;
}

const range = `It must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, which JSON parsers represent exactly.`;

/** The advice for a number that is out of range: only metadata accepts any type of value. */
function outOfRange(at: ValuePlace): string {
  for (let place = at; place !== null; place = place.parent) {
    if (place.key === 'metadata') return `${range} Send it as a string.`;
  }
  return range;
}

function checkValues(value: unknown, at: ValuePlace, faults: Faults): void {
  if (faults.full) return;
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault) faults.add(at, fault.code, fault.detail);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      faults.add(at, 'number_out_of_range', outOfRange(at));
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValues(item, inside(at, index), faults);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const place = inside(at, key);
      const fault = textFault(key);
      if (key === '__proto__') {
        faults.add(place, 'unknown_field', 'A field must not be named `__proto__`.');
      } else if (fault) {
        faults.add(place, fault.code, fault.detail.replace(/^It/, 'The field name'));
      }
      checkValues(item, place, faults);
    }
  }
}
