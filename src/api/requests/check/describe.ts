import { formatAlternatives } from '@scriptorium/contracts/alternatives';
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
export function describeTypes(types: readonly string[]): string {
  if (types.length === 1 && types[0] === 'boolean') return 'true or false';
  const mentioned = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  return formatAlternatives(mentioned.map((type) => articles[type] ?? type));
}

export const requiredFault = { code: 'required', detail: 'It is required.' };

export function unknownField(name: string, knownFields: readonly string[]): Omit<Fault, 'pointer'> {
  const shown = printable(name);
  const detail =
    knownFields.length > 0
      ? `Unknown or read-only field '${shown}'. Expected one of: ${knownFields.join(', ')}.`
      : `Unknown field '${shown}'. No fields are expected.`;
  return { code: 'unknown_field', detail, allowed: knownFields };
}

/** The allowed values as text: "`all`" or "one of: a, b". */
export function describeAllowedValues(allowed: readonly unknown[]): string {
  return allowed.length === 1 ? `\`${allowed[0]}\`` : `one of: ${allowed.join(', ')}`;
}

/** Whether a fault can list a value as allowed. */
export function isListable(value: unknown): value is string | number {
  return typeof value !== 'boolean';
}
