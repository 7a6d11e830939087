import { alternatives } from '@scriptorium/contracts/alternatives';
import { idPrefixes } from '@scriptorium/contracts/ids';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Fault } from '@scriptorium/contracts/problems';
import type { ErrorObject } from 'ajv';
import { type Faults, placeOf } from './faults.ts';
import { isDate } from './formats.ts';
import { patternWords } from './pattern-words.ts';
import { isRecord, type Shape } from './schema.ts';
import { isNamed, oneOf, required, typeWords, unknownField } from './words.ts';

type Explained = Omit<Fault, 'pointer'>;
/** A fault at a field of the value, or at the value itself. */
type Placed = Explained & { field?: string };

/** Adds the errors of ajv as faults. */
export function explain(errors: readonly ErrorObject[], faults: Faults): void {
  for (const error of withoutBranches(errors)) {
    for (const { field, ...fault } of faultsOf(error)) {
      if (faults.full) return;
      faults.add(placeOf(error.instancePath, field), fault.code, fault.detail, fault.allowed);
    }
  }
}

/** Omits the errors in branches of unions, which precede the error of the union. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const relevant: ErrorObject[] = [];
  let skipped: string | null = null;
  for (const error of errors.toReversed()) {
    if (skipped !== null && error.schemaPath.startsWith(skipped)) continue;
    skipped = error.keyword === 'anyOf' ? `${error.schemaPath}/` : null;
    relevant.push(error);
  }
  return relevant.reverse();
}

function faultsOf({ keyword, params, parentSchema, data }: ErrorObject): Placed[] {
  const shape = (parentSchema ?? {}) as Shape;
  const one = (code: string, detail: string, allowed?: Explained['allowed']): Placed[] => [
    { code, detail, ...(allowed ? { allowed } : {}) },
  ];
  switch (keyword) {
    case 'type':
      return one('wrong_type', `It must be ${typeWords(typesFor(params.type, data))}.`);
    case 'enum':
      return one('not_allowed', `It must be ${allowedIn(shape)}.`, shape.enum?.filter(isNamed));
    case 'required':
      return [{ field: params.missingProperty, ...required }];
    case 'additionalProperties':
      return [unknownIn(params.additionalProperty, Object.keys(shape.properties ?? {}))];
    case 'discriminator':
      return commonFaults(shape, params.tag, data);
    case 'anyOf':
      return [ofStrings(shape.anyOf ?? [], String(data))];
    case 'minProperties':
      return one('too_few', `It must have at least ${pluralise(params.limit, 'field')}.`);
    case 'maxProperties':
      return one('too_many', `It must have at most ${pluralise(params.limit, 'field')}.`);
    case 'minItems':
      return one('too_few', `It must have at least ${pluralise(params.limit, 'item')}.`);
    case 'maxItems': {
      const given = pluralise(Array.isArray(data) ? data.length : 0, 'item');
      const max = pluralise(params.limit, 'item');
      return one('too_many', `It must have at most ${max}, but has ${given}.`);
    }
    case 'x-unique':
      return one('duplicate_item', `It duplicates the item at index ${params.first}.`);
    case 'minLength':
      return one('too_short', `It must have at least ${pluralise(params.limit, 'character')}.`);
    case 'maxLength':
      return one('too_long', `It must have at most ${pluralise(params.limit, 'character')}.`);
    case 'pattern':
      return [mismatch(String(data), params.pattern)];
    case 'format':
      return one('wrong_format', timeFault(String(data)));
    case 'minimum':
      return one('too_small', `It must be at least ${params.limit}.`);
    case 'maximum':
      return one('too_large', `It must be at most ${params.limit}.`);
    case 'if':
      return [];
    default:
      throw new Error(`The keyword '${keyword}' has no words.`);
  }
}

/** A fraction is reported as an invalid integer. */
function typesFor(types: string | string[], data: unknown): string[] {
  const all = [types].flat();
  return typeof data === 'number' && all.includes('integer') ? ['integer'] : all;
}

/** The allowed words; a client that sent another word may have meant a value of another type. */
function allowedIn(shape: Shape): string {
  const others = shape['x-or'] ?? [];
  const or = others.length > 0 ? `, or ${typeWords(others)}` : '';
  return `${oneOf(shape.enum ?? [])}${or}`;
}

const unknownIn = (name: string, names: readonly string[]): Placed => ({
  field: name,
  ...unknownField(name, names),
});

/**
 * Faults of an object whose tag is missing or unknown: checked against the common part of all
 * variants.
 */
function commonFaults({ oneOf: variants = [] }: Shape, tag: string, data: unknown): Placed[] {
  if (!isRecord(data)) return [];
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const always = (variants[0]?.required ?? []).filter((name) =>
    variants.every((variant) => variant.required?.includes(name)),
  );
  const tags = variants.flatMap(({ properties }) => properties?.[tag]?.enum ?? []).filter(isNamed);
  return [
    ...(Object.hasOwn(data, tag)
      ? [{ field: tag, code: 'not_allowed', detail: `It must be ${oneOf(tags)}.`, allowed: tags }]
      : []),
    ...always
      .filter((name) => !Object.hasOwn(data, name))
      .map((name) => ({ field: name, ...required })),
    ...Object.keys(data)
      .filter((name) => !names.includes(name))
      .map((name) => unknownIn(name, names)),
  ];
}

function timeFault(value: string): string {
  const date = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  return date && !isDate(date)
    ? `It is invalid: the date ${date} does not exist.`
    : 'It must be a time with a zone, such as 2026-01-31T12:00:00Z.';
}

/** The prefix in a pattern of identifiers; null for other patterns. */
export function prefixIn(pattern: string | undefined): string | null {
  if (pattern === undefined) return null;
  return Object.values(idPrefixes).find((prefix) => pattern.startsWith(`^${prefix}_`)) ?? null;
}

function mismatch(value: string, pattern: string): Explained {
  const prefix = prefixIn(pattern);
  if (prefix === null) {
    const words = patternWords.get(pattern) ?? `a match of the pattern ${pattern}`;
    return { code: 'wrong_format', detail: `It must be ${words}.` };
  }
  if (!value.startsWith(`${prefix}_`)) return wrongPrefix([prefix]);
  const detail = `It must be a well-formed identifier: ${prefix}_ and 26 digits or lowercase letters.`;
  return { code: 'wrong_format', detail };
}

const startsWith = (prefixes: readonly string[]): string =>
  `an identifier that starts with ${alternatives(prefixes.map((prefix) => `${prefix}_`))}`;

const wrongPrefix = (prefixes: readonly string[]): Explained => ({
  code: 'id_prefix_mismatch',
  detail: `It must be ${startsWith(prefixes)}.`,
});

/** The fault of a string that may be of several kinds: words, and identifiers or other patterns. */
function ofStrings(branches: readonly Shape[], value: string): Explained {
  const prefixes = branches.flatMap(({ pattern }) => prefixIn(pattern) ?? []);
  const meant = branches.find(
    ({ pattern }) => prefixIn(pattern) !== null && value.startsWith(`${prefixIn(pattern)}_`),
  );
  if (meant?.pattern) return mismatch(value, meant.pattern);
  if (prefixes.length === branches.length) return wrongPrefix(prefixes);
  const words = branches.flatMap((shape) => shape.enum ?? []);
  if (words.length === 0) return mismatch(value, String(branches[0]?.pattern));
  const or = prefixes.length > 0 ? `, or ${startsWith(prefixes)}` : '';
  const code = prefixes.length > 0 ? 'id_prefix_mismatch' : 'not_allowed';
  return { code, detail: `It must be ${oneOf(words)}${or}.`, allowed: words.filter(isNamed) };
}
