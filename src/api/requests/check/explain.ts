import { formatAlternatives } from '@scriptorium/contracts/alternatives';
import { idPrefixes } from '@scriptorium/contracts/ids';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Fault } from '@scriptorium/contracts/problems';
import type { ErrorObject } from 'ajv';
import {
  describeAllowedValues,
  describeTypes,
  isListable,
  requiredFault,
  unknownField,
} from './describe.ts';
import { type Faults, parsePointer } from './faults.ts';
import { isDate } from './formats.ts';
import { patternDescriptions } from './pattern-descriptions.ts';
import { isRecord, type Shape } from './schema.ts';

type FaultDetails = Omit<Fault, 'pointer'>;
/** A fault at a field of the value, or at the value itself. */
type FieldFault = FaultDetails & { field?: string };

/** Adds the errors of ajv as faults. */
export function explain(errors: readonly ErrorObject[], faults: Faults): void {
  for (const error of omitBranchErrors(errors)) {
    for (const { field, ...fault } of faultsOf(error)) {
      if (faults.isFull) return;
      faults.add(parsePointer(error.instancePath, field), fault.code, fault.detail, fault.allowed);
    }
  }
}

/** Omits the errors in branches of unions, which precede the error of the union. */
function omitBranchErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const relevant: ErrorObject[] = [];
  let skipped: string | null = null;
  for (const error of errors.toReversed()) {
    if (skipped !== null && error.schemaPath.startsWith(skipped)) continue;
    skipped = error.keyword === 'anyOf' ? `${error.schemaPath}/` : null;
    relevant.push(error);
  }
  return relevant.reverse();
}

function faultsOf({ keyword, params, parentSchema, data }: ErrorObject): FieldFault[] {
  const shape = (parentSchema ?? {}) as Shape;
  const singleFault = (
    code: string,
    detail: string,
    allowed?: FaultDetails['allowed'],
  ): FieldFault[] => [{ code, detail, ...(allowed ? { allowed } : {}) }];
  switch (keyword) {
    case 'type':
      return singleFault('wrong_type', `It must be ${describeTypes(typesFor(params.type, data))}.`);
    case 'enum':
      return singleFault(
        'not_allowed',
        `It must be ${describeAllowed(shape)}.`,
        shape.enum?.filter(isListable),
      );
    case 'required':
      return [{ field: params.missingProperty, ...requiredFault }];
    case 'additionalProperties':
      return [unknownFieldFault(params.additionalProperty, Object.keys(shape.properties ?? {}))];
    case 'discriminator':
      return commonFaults(shape, params.tag, data);
    case 'anyOf':
      return [stringFault(shape.anyOf ?? [], String(data))];
    case 'minProperties':
      return singleFault('too_few', `It must have at least ${pluralise(params.limit, 'field')}.`);
    case 'maxProperties':
      return singleFault('too_many', `It must have at most ${pluralise(params.limit, 'field')}.`);
    case 'minItems':
      return singleFault('too_few', `It must have at least ${pluralise(params.limit, 'item')}.`);
    case 'maxItems': {
      const given = pluralise(Array.isArray(data) ? data.length : 0, 'item');
      const max = pluralise(params.limit, 'item');
      return singleFault('too_many', `It must have at most ${max}, but has ${given}.`);
    }
    case 'x-unique':
      return singleFault('duplicate_item', `It duplicates the item at index ${params.first}.`);
    case 'minLength':
      return singleFault(
        'too_short',
        `It must have at least ${pluralise(params.limit, 'character')}.`,
      );
    case 'maxLength':
      return singleFault(
        'too_long',
        `It must have at most ${pluralise(params.limit, 'character')}.`,
      );
    case 'pattern':
      return [patternFault(String(data), params.pattern)];
    case 'format':
      return singleFault('wrong_format', timeFault(String(data)));
    case 'minimum':
      return singleFault('too_small', `It must be at least ${params.limit}.`);
    case 'maximum':
      return singleFault('too_large', `It must be at most ${params.limit}.`);
    case 'if':
      return [];
    default:
      throw new Error(`The keyword '${keyword}' has no description.`);
  }
}

/** Returns the types to report. A fraction is reported as an invalid integer. */
function typesFor(types: string | string[], data: unknown): string[] {
  const all = [types].flat();
  return typeof data === 'number' && all.includes('integer') ? ['integer'] : all;
}

/** The allowed values, and the types of values that are allowed instead of a word. */
function describeAllowed(shape: Shape): string {
  const others = shape['x-or'] ?? [];
  const or = others.length > 0 ? `, or ${describeTypes(others)}` : '';
  return `${describeAllowedValues(shape.enum ?? [])}${or}`;
}

const unknownFieldFault = (name: string, names: readonly string[]): FieldFault => ({
  field: name,
  ...unknownField(name, names),
});

/**
 * The faults of an object whose tag is missing or unknown, which is checked against the fields that
 * all variants have in common.
 */
function commonFaults({ oneOf: variants = [] }: Shape, tag: string, data: unknown): FieldFault[] {
  if (!isRecord(data)) return [];
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const requiredByAll = (variants[0]?.required ?? []).filter((name) =>
    variants.every((variant) => variant.required?.includes(name)),
  );
  const tags = variants
    .flatMap(({ properties }) => properties?.[tag]?.enum ?? [])
    .filter(isListable);
  return [
    ...(Object.hasOwn(data, tag)
      ? [
          {
            field: tag,
            code: 'not_allowed',
            detail: `It must be ${describeAllowedValues(tags)}.`,
            allowed: tags,
          },
        ]
      : []),
    ...requiredByAll
      .filter((name) => !Object.hasOwn(data, name))
      .map((name) => ({ field: name, ...requiredFault })),
    ...Object.keys(data)
      .filter((name) => !names.includes(name))
      .map((name) => unknownFieldFault(name, names)),
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

function patternFault(value: string, pattern: string): FaultDetails {
  const prefix = prefixIn(pattern);
  if (prefix === null) {
    const words = patternDescriptions.get(pattern) ?? `a match of the pattern ${pattern}`;
    return { code: 'wrong_format', detail: `It must be ${words}.` };
  }
  if (!value.startsWith(`${prefix}_`)) return prefixFault([prefix]);
  const detail = `It must be a well-formed identifier: ${prefix}_ and 26 digits or lowercase letters.`;
  return { code: 'wrong_format', detail };
}

const describePrefixes = (prefixes: readonly string[]): string =>
  `an identifier that starts with ${formatAlternatives(prefixes.map((prefix) => `${prefix}_`))}`;

const prefixFault = (prefixes: readonly string[]): FaultDetails => ({
  code: 'id_prefix_mismatch',
  detail: `It must be ${describePrefixes(prefixes)}.`,
});

/**
 * The fault of a string that matches no branch of a union of words, identifiers or other patterns.
 */
function stringFault(branches: readonly Shape[], value: string): FaultDetails {
  const prefixes = branches.flatMap(({ pattern }) => prefixIn(pattern) ?? []);
  const intended = branches.find(
    ({ pattern }) => prefixIn(pattern) !== null && value.startsWith(`${prefixIn(pattern)}_`),
  );
  if (intended?.pattern) return patternFault(value, intended.pattern);
  if (prefixes.length === branches.length) return prefixFault(prefixes);
  const words = branches.flatMap((shape) => shape.enum ?? []);
  if (words.length === 0) return patternFault(value, String(branches[0]?.pattern));
  const or = prefixes.length > 0 ? `, or ${describePrefixes(prefixes)}` : '';
  const code = prefixes.length > 0 ? 'id_prefix_mismatch' : 'not_allowed';
  return {
    code,
    detail: `It must be ${describeAllowedValues(words)}${or}.`,
    allowed: words.filter(isListable),
  };
}
