/**
 * Validates client data by the schemas that types and OpenAPI come from. Every value is checked
 * once, and each fault is reported once, at the place to change. A general validator would report
 * every branch of a union, and compare all pairs of list items. test/api/validation checks that
 * this one accepts exactly what ajv accepts.
 */
import type { TSchema } from 'typebox';
import { pluralise } from '../../../contracts/pluralise.ts';
import { type Check, inside } from './faults.ts';
import { checkNumber, checkString } from './scalars.ts';
import { isOfType, isRecord, jsonTypes, type Shape, shapeOf } from './schema.ts';
import { checkTagged, checkUnion } from './unions.ts';
import { isNamed, oneOf, reportMissing, reportUnknown, wrongType } from './words.ts';

/**
 * Compiles a schema of a request.
 * @throws Error for an unknown keyword
 */
export function compileCheck(schema: TSchema): Check {
  return compile(schema);
}

/** Like `compileCheck`, for nested schemas. */
function compile(schema: object): Check {
  const shape = shapeOf(schema);
  if (shape.discriminator) return checkTagged(shape, compile);
  if (shape.anyOf) return checkUnion(shape.anyOf, compile);
  if (shape.enum) return checkEnum(shape.enum);
  if (shape.const !== undefined) return checkEnum([shape.const]);
  switch (shape.type) {
    case 'object':
      return checkObject(shape);
    case 'array':
      return checkArray(shape);
    case 'string':
      return checkString(shape);
    case 'number':
    case 'integer':
      return checkNumber(shape);
    case 'boolean':
    case 'null':
      return checkType(shape.type);
    default:
      return () => undefined;
  }
}

function checkType(type: string): Check {
  return (value, at, faults) => {
    if (!isOfType(value, type)) wrongType(at, faults, [type]);
  };
}

function checkEnum(allowed: readonly (string | number | boolean)[]): Check {
  return (value, at, faults) => {
    if (allowed.some((one) => one === value)) return;
    if (faults.has(at)) return;
    faults.add(at, 'not_allowed', `It must be ${oneOf(allowed)}.`, allowed.filter(isNamed));
  };
}

/** Checks the fields of an object, their number and their names. */
function checkObject(shape: Shape): Check {
  const fields = new Map(
    Object.entries(shape.properties ?? {}).map(([name, field]) => [name, compile(field)]),
  );
  const defaults = Object.entries(shape.properties ?? {}).filter(([, field]) => 'default' in field);
  const lists = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const way = field['x-text-as-list'] ?? field.anyOf?.[0]?.['x-text-as-list'];
    return way ? [[name, way] as const] : [];
  });
  const others = othersOf(shape);
  const names = [...fields.keys()];
  const { required = [], minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = shape;
  return (value, at, faults) => {
    if (!isRecord(value)) return wrongType(at, faults, ['object']);
    for (const [name, field] of defaults) {
      if (!Object.hasOwn(value, name)) value[name] = structuredClone(field.default);
    }
    for (const [name, way] of lists) {
      const text = value[name];
      if (typeof text !== 'string') continue;
      value[name] = way === 'commas' ? [...new Set(text.split(','))] : [text];
    }
    for (const name of required) {
      if (!Object.hasOwn(value, name)) reportMissing(inside(at, name), faults);
    }
    const given = Object.keys(value);
    if (given.length < minProperties) {
      faults.add(at, 'too_few', `It must have at least ${pluralise(minProperties, 'field')}.`);
    } else if (given.length > maxProperties) {
      faults.add(at, 'too_many', `It must have at most ${pluralise(maxProperties, 'field')}.`);
    }
    // Fields over the limit are a fault already.
    for (const name of given.slice(0, maxProperties)) {
      if (faults.full) return;
      const check = fields.get(name) ?? others;
      if (check) check(value[name], inside(at, name), faults);
      else reportUnknown(at, name, names, faults);
    }
  };
}

/** The check of fields that a schema does not name; null if there must be none. */
function othersOf({ additionalProperties, patternProperties = {} }: Shape): Check | null {
  const [pattern, ...more] = Object.entries(patternProperties);
  if (pattern) {
    // `Type.Record` writes "any name" as a pattern, which does not match names with a line break.
    if (pattern[0] !== '^.*$' || more.length > 0) {
      throw new Error(`The pattern '${pattern[0]}' for field names is not supported.`);
    }
    return compile(pattern[1]);
  }
  if (additionalProperties === false) return null;
  return typeof additionalProperties === 'object' ? compile(additionalProperties) : () => undefined;
}

function checkArray(shape: Shape): Check {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = shape;
  const check = items ? compile(items) : null;
  if (uniqueItems && !(items && jsonTypes(items).every((type) => /string|number/.test(type)))) {
    throw new Error('`uniqueItems` is supported for strings and numbers only.');
  }
  return (value, at, faults) => {
    if (!Array.isArray(value)) return wrongType(at, faults, ['array']);
    if (value.length < minItems) {
      faults.add(at, 'too_few', `It must have at least ${pluralise(minItems, 'item')}.`);
    } else if (value.length > maxItems) {
      const given = pluralise(value.length, 'item');
      faults.add(
        at,
        'too_many',
        `It must have at most ${pluralise(maxItems, 'item')}, but has ${given}.`,
      );
    }
    const seen = new Map<unknown, number>();
    for (const [index, item] of value.entries()) {
      if (faults.full || index >= maxItems) return;
      const place = inside(at, index);
      check?.(item, place, faults);
      if (!uniqueItems) continue;
      const first = seen.get(item);
      if (first === undefined) seen.set(item, index);
      else if (!faults.has(place)) {
        faults.add(place, 'duplicate_item', `It duplicates the item at index ${first}.`);
      }
    }
  };
}
