import { alternatives } from '../../../contracts/alternatives.ts';
import { idPrefixes } from '../../../contracts/ids.ts';
import { pluralise } from '../../../contracts/pluralise.ts';
import type { Check, Faults, ValuePlace } from './faults.ts';
import { isDate, isTime } from './formats.ts';
import { patternWords } from './pattern-words.ts';
import { isOfType, type Shape } from './schema.ts';
import { wrongType } from './words.ts';

/** Longer strings never match a pattern, so they are not tried. */
const mostForPattern = 2_048;

export function checkString(shape: Shape): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = shape;
  const expression = pattern === undefined ? null : new RegExp(pattern, 'u');
  if (format !== undefined && format !== 'date-time') {
    throw new Error(`The format '${format}' is not supported.`);
  }
  return (value, at, faults) => {
    if (typeof value !== 'string') return wrongType(at, faults, ['string']);
    const fault = (code: string, detail: string): void => {
      if (!faults.has(at)) faults.add(at, code, detail);
    };
    // Lengths are in code points: at most as many as code units, and at least half as many.
    if (value.length < minLength || (minLength > 1 && lengthOf(value) < minLength)) {
      return fault('too_short', `It must have at least ${pluralise(minLength, 'character')}.`);
    }
    if (value.length > maxLength && (value.length > 2 * maxLength || lengthOf(value) > maxLength)) {
      return fault('too_long', `It must have at most ${pluralise(maxLength, 'character')}.`);
    }
    if (expression && (value.length > mostForPattern || !expression.test(value))) {
      return tellPattern(value, String(pattern), at, faults);
    }
    if (format && !isTime(value)) {
      fault('wrong_format', timeFault(value));
    }
  };
}

function timeFault(value: string): string {
  const date = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  return date && !isDate(date)
    ? `It is invalid: the date ${date} does not exist.`
    : 'It must be a time with a zone, such as 2026-01-31T12:00:00Z.';
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

export function checkNumber(shape: Shape): Check {
  const { type = 'number', minimum, maximum } = shape;
  return (value, at, faults) => {
    if (!isOfType(value, type)) return wrongType(at, faults, [type]);
    const number = Number(value);
    if (faults.has(at)) return;
    if (minimum !== undefined && number < minimum) {
      faults.add(at, 'too_small', `It must be at least ${minimum}.`);
    } else if (maximum !== undefined && number > maximum) {
      faults.add(at, 'too_large', `It must be at most ${maximum}.`);
    }
  };
}

/** The prefix in a pattern of identifiers; null for other patterns. */
export function prefixIn(pattern: string | undefined): string | null {
  if (pattern === undefined) return null;
  return Object.values(idPrefixes).find((prefix) => pattern.startsWith(`^${prefix}_`)) ?? null;
}

function tellPattern(value: string, pattern: string, at: ValuePlace, faults: Faults): void {
  if (faults.has(at)) return;
  const prefix = prefixIn(pattern);
  if (prefix === null) {
    const words = patternWords.get(pattern) ?? `a match of the pattern ${pattern}`;
    faults.add(at, 'wrong_format', `It must be ${words}.`);
  } else if (value.startsWith(`${prefix}_`)) {
    const detail = `It must be a well-formed identifier: ${prefix}_ and 26 digits or lowercase letters.`;
    faults.add(at, 'wrong_format', detail);
  } else reportPrefixes([prefix], at, faults);
}

export function reportPrefixes(prefixes: readonly string[], at: ValuePlace, faults: Faults): void {
  const said = alternatives(prefixes.map((prefix) => `${prefix}_`));
  faults.add(at, 'id_prefix_mismatch', `It must be an identifier that starts with ${said}.`);
}
