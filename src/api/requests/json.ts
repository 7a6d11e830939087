import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem, validationFailed } from '@scriptorium/contracts/problems';
import { childPath, Faults, type ValuePath } from './check/faults.ts';

/** A parsed body, and the faults that a schema cannot express. */
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
    throw malformedBody('must not start with a byte order mark', 'byte_order_mark');
  }
  if (bytes.length === 0) throw malformedBody('must not be empty', 'empty_body');
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
    // The parser's message would quote the body.
    throw malformedBody('is not valid JSON', 'malformed_json');
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformedBody('is not valid UTF-8', 'invalid_utf8');
  }
}

function malformedBody(problem: string, code: string): Problem {
  const detail = `The body ${problem}.`;
  return new Problem('malformed_json', detail, { errors: [{ pointer: '', code, detail }] });
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openObject, openArray, closeObject, closeArray] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Checks depth, number of values and duplicate keys, which `JSON.parse` would silently drop. The
 * text need not be valid JSON: the parser reports all other errors.
 */
function checkStructure(text: string): void {
  const stack: (Set<string> | null)[] = [];
  let expectsKey = false;
  let values = 0;
  const countValue = (): void => {
    values += 1;
    if (values > limits.json_values) throw tooManyValues();
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      let end = index + 1;
      while (end < text.length && text.charCodeAt(end) !== quote) {
        end += text.charCodeAt(end) === backslash ? 2 : 1;
      }
      const keys = stack.at(-1);
      // A field name takes as much memory as a value, so it counts as one.
      countValue();
      if (expectsKey && keys) {
        const raw = text.slice(index, end + 1);
        const key = raw.includes('\\') ? String(parse(raw)) : raw.slice(1, -1);
        if (keys.has(key))
          throw malformedBody('has a duplicate field in an object', 'duplicate_field');
        keys.add(key);
        expectsKey = false;
      }
      index = end;
    } else if (code === openObject || code === openArray) {
      countValue();
      stack.push(code === openObject ? new Set() : null);
      if (stack.length > limits.json_depth) {
        throw malformedBody(
          `must not be nested deeper than ${limits.json_depth} levels`,
          'too_deep',
        );
      }
      expectsKey = code === openObject;
    } else if (code === closeObject || code === closeArray) {
      stack.pop();
      expectsKey = false;
    } else if (code === comma) {
      expectsKey = stack.at(-1) instanceof Set;
    } else if (isLiteralCharacter(code)) {
      countValue();
      while (isLiteralCharacter(text.charCodeAt(index + 1))) index += 1;
    }
  }
}

/** Whether a character belongs to a number, `true`, `false` or `null`. */
function isLiteralCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  );
}

function tooManyValues(): Problem {
  const detail = `The body must have at most ${pluralise(limits.json_values, 'value')}, including field names.`;
  return validationFailed([{ pointer: '', code: 'too_many_values', detail }]);
}

const surrogate = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Surrogate}/u;

/** The fault of a text that Postgres cannot store: U+0000 or a lone surrogate. */
export function textFault(text: string): { code: string; detail: string } | null {
  if (text.includes('\u0000')) {
    return { code: 'null_character', detail: 'It must not contain U+0000.' };
  }
  // Most text contains no surrogates, and the second expression is ten times slower.
  if (surrogate.test(text) && loneSurrogate.test(text)) {
    return { code: 'lone_surrogate', detail: 'It must not contain half of a surrogate pair.' };
  }
  return null;
}

const safeIntegerRange = `It must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, which JSON parsers represent exactly.`;

/** The detail for a number out of range. Only metadata accepts a string instead. */
function describeRange(path: ValuePath): string {
  for (let ancestor = path; ancestor !== null; ancestor = ancestor.parent) {
    if (ancestor.key === 'metadata') return `${safeIntegerRange} Send it as a string.`;
  }
  return safeIntegerRange;
}

function checkValues(value: unknown, path: ValuePath, faults: Faults): void {
  if (faults.isFull) return;
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault) faults.add(path, fault.code, fault.detail);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      faults.add(path, 'number_out_of_range', describeRange(path));
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValues(item, childPath(path, index), faults);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const fieldPath = childPath(path, key);
      const fault = textFault(key);
      if (key === '__proto__') {
        faults.add(fieldPath, 'unknown_field', 'A field must not be named `__proto__`.');
      } else if (fault) {
        faults.add(fieldPath, fault.code, fault.detail.replace(/^It/, 'The field name'));
      }
      checkValues(item, fieldPath, faults);
    }
  }
}
