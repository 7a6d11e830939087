import { limits } from '../../contracts/limits.ts';
import { escapePointer, type Fault, Problem } from '../../contracts/problems.ts';

/** A parsed body, and what no schema can say about it. */
interface JsonBody {
  value: unknown;
  /** Strings and numbers that Postgres or JSON itself could not keep as they were sent. */
  faults: Fault[];
}

/**
 * Reads a JSON body: UTF-8 without a byte order mark, no key twice in an object, not too deep.
 * @throws Problem 400 `malformed_json`
 */
export function readJson(bytes: Buffer): JsonBody {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw malformed('starts with a byte order mark; send plain UTF-8', 'byte_order_mark');
  }
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw malformed(
      bytes.length === 0 ? 'is empty' : 'is not well-formed JSON',
      bytes.length === 0 ? 'empty_body' : 'malformed_json',
    );
  }
  checkStructure(text);
  const faults: Fault[] = [];
  checkValues(value, '', faults, { left: limits.json_values });
  return { value, faults };
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

/**
 * Looks for too many levels and for keys that stand twice, which `JSON.parse` would silently drop.
 * The text is known to be JSON, so that strings and brackets are all there is to look at.
 */
function checkStructure(text: string): void {
  const stack: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        let end = at + 1;
        while (text.charCodeAt(end) !== 0x22) end += text.charCodeAt(end) === 0x5c ? 2 : 1;
        const keys = stack.at(-1);
        if (expectsKey && keys) {
          const raw = text.slice(at, end + 1);
          const key: string = raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1);
          if (keys.has(key)) throw malformed('has a field twice in one object', 'duplicate_field');
          keys.add(key);
          expectsKey = false;
        }
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b: {
        const isObject = text.charCodeAt(at) === 0x7b;
        stack.push(isObject ? new Set() : null);
        if (stack.length > limits.json_depth) {
          throw malformed(`is nested deeper than ${limits.json_depth} levels`, 'too_deep');
        }
        expectsKey = isObject;
        break;
      }
      case 0x7d:
      case 0x5d:
        stack.pop();
        expectsKey = false;
        break;
      case 0x2c:
        expectsKey = stack.at(-1) instanceof Set;
        break;
    }
  }
}

/** Text that Postgres cannot hold: U+0000, or half of a surrogate pair. */
export function textFault(text: string): { code: string; detail: string } | null {
  if (text.includes('\u0000')) {
    return { code: 'null_character', detail: 'It must not contain U+0000.' };
  }
  if (/\p{Surrogate}/u.test(text)) {
    return { code: 'lone_surrogate', detail: 'It contains half of a surrogate pair.' };
  }
  return null;
}

function checkValues(
  value: unknown,
  pointer: string,
  faults: Fault[],
  budget: { left: number },
): void {
  budget.left -= 1;
  if (budget.left === 0) {
    const detail = `The body has more than ${limits.json_values} values.`;
    faults.push({ pointer: '', code: 'too_many_values', detail });
  }
  if (budget.left <= 0) return;
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault) faults.push({ pointer, ...fault });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      const detail = 'It is a number that JSON readers do not keep exactly; send it as a string.';
      faults.push({ pointer, code: 'number_out_of_range', detail });
    }
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) checkValues(item, `${pointer}/${at}`, faults, budget);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__') {
        const detail = 'A field cannot be called __proto__.';
        faults.push({ pointer: `${pointer}/${key}`, code: 'unknown_field', detail });
      }
      const fault = textFault(key);
      if (fault)
        faults.push({ pointer, code: fault.code, detail: `A field's name: ${fault.detail}` });
      checkValues(item, `${pointer}/${escapePointer(key)}`, faults, budget);
    }
  }
}
