import { alternatives } from '@scriptorium/contracts/alternatives';
import type { Fault } from '@scriptorium/contracts/problems';
import { printable } from './faults.ts';

const articles: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  null: 'null',
};

/** Types as text, such as "a string or a list". Null is only mentioned if it is the only type. */
export function typeWords(types: readonly string[]): string {
  if (types.length === 1 && types[0] === 'boolean') return 'true or false';
  const said = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  return alternatives(said.map((type) => articles[type] ?? type));
}

export const required = { code: 'required', detail: 'It is required.' };

export function unknownField(name: string, known: readonly string[]): Omit<Fault, 'pointer'> {
  const shown = printable(name);
  const detail =
    known.length > 0
      ? `Unknown or read-only field '${shown}'. Expected one of: ${known.join(', ')}.`
      : `Unknown field '${shown}'. No fields are expected.`;
  return { code: 'unknown_field', detail, allowed: known };
}

/** The allowed values as text: "`all`" or "one of: a, b". */
export function oneOf(allowed: readonly unknown[]): string {
  return allowed.length === 1 ? `\`${allowed[0]}\`` : `one of: ${allowed.join(', ')}`;
}

/** Whether a fault can list a value as allowed. */
export function isNamed(value: unknown): value is string | number {
  return typeof value !== 'boolean';
}
