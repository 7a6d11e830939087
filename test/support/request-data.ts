import fc, { type Arbitrary } from 'fast-check';
import { isRecord, jsonTypes, type Shape } from '../../src/api/requests/check/schema.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values that a schema of requests allows. */
export function validData(shape: Shape): Arbitrary<Json> {
  if (shape.discriminator) return fc.oneof(...(shape.oneOf ?? []).map(validData));
  const [list = {}] = shape.anyOf ?? [];
  if (shape['x-text-as-list'] && list.items) {
    const items = validData(list.items).filter((item) => item !== '' && !/,/.test(String(item)));
    const text = fc.array(items, { minLength: 1, maxLength: 2 });
    return fc.oneof(validData(list), list.explode === false ? text.map(String) : items);
  }
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(validData));
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.const !== undefined) return fc.constant(shape.const);
  switch (shape.type) {
    case 'object':
      return objectOf(shape);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = shape;
      const lengths = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) };
      return shape.uniqueItems
        ? fc.uniqueArray(validData(items), lengths)
        : fc.array(validData(items), lengths);
    }
    case 'string':
      return stringOf(shape);
    case 'number':
    case 'integer': {
      const { minimum = -1_000, maximum = 1_000 } = shape;
      return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, 2 ** 31)) });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constantFrom<Json>(null, 1, 'x', true, { a: [1, { b: 'c' }] });
  }
}

function stringOf(shape: Shape): Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = 2_048 } = shape;
  if (pattern !== undefined) {
    return fc
      .stringMatching(new RegExp(pattern, 'u'))
      .filter((text) => [...text].length <= maxLength);
  }
  if (format === 'date-time') return fc.constant('2026-01-31T12:00:00.000Z');
  return fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, 20) });
}

function objectOf(shape: Shape): Arbitrary<Json> {
  const { properties = {}, required = [], minProperties = 0 } = shape;
  const others = additionalShape(shape);
  if (others) {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    return fc.dictionary(name, validData(others), { maxKeys: 3, noNullPrototype: true });
  }
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, validData(part)]),
  );
  const requiredKeys = required.filter((name) => properties[name]?.default === undefined);
  return fc
    .record(parts, { requiredKeys, noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= minProperties);
}

/** The schema of fields that an object does not name; null if it allows no others. */
export function additionalShape({ additionalProperties, patternProperties }: Shape): Shape | null {
  if (patternProperties) return Object.values(patternProperties)[0] ?? null;
  return typeof additionalProperties === 'object' ? additionalProperties : null;
}

/** A change that makes a right value wrong in one place. */
export interface Corruption {
  pointer: string;
  code: string;
  /** Places that must be left alone besides: what lies in or around them is not spoilt too. */
  affected: string[];
  apply: () => void;
}

/** Every way to spoil a right value in one place. */
export function corruptions(root: { value: Json }, shape: Shape): Corruption[] {
  const replace = (value: Json) => {
    root.value = value;
  };
  return corruptValue(shape, root.value, '', replace);
}

function corruptValue(
  shape: Shape,
  value: Json,
  pointer: string,
  replace: (value: Json) => void,
): Corruption[] {
  const matched = matchShape(shape, value);
  const types = jsonTypes(shape);
  const result: Corruption[] = [];
  const add = (code: string, apply: () => void, at = pointer, touches = [at]): void => {
    result.push({ pointer: at, code, affected: touches, apply });
  };
  const wrongValue = ([{ wrong: 1 }, 7, true] as const).find(
    (one) => !types.includes(typeof one) && !(types.includes('integer') && typeof one === 'number'),
  );
  const isWord = !shape.anyOf && (shape.enum ?? shape.const) !== undefined;
  if (types.length > 0 && wrongValue !== undefined) {
    add(isWord ? 'not_allowed' : 'wrong_type', () => replace(wrongValue));
  }
  if (isRecord(value)) result.push(...corruptObject(shape, matched, value as Fields, pointer));
  if (Array.isArray(value)) {
    const { items = {}, minItems = 0, uniqueItems = false, maxItems = 1e9 } = matched;
    if (minItems > 0) add('too_few', () => replace([]));
    if (uniqueItems && value.length > 0 && value.length < maxItems) {
      const end = value.length;
      const affected = [`${pointer}/${end}`, `${pointer}/0`];
      add('duplicate_item', () => value.push(value[0]!), `${pointer}/${end}`, affected);
    }
    for (const [at, item] of value.entries()) {
      const replaceItem = (other: Json) => {
        value[at] = other;
      };
      result.push(...corruptValue(items, item, `${pointer}/${at}`, replaceItem));
    }
  }
  if (typeof value === 'string' && matched.maxLength !== undefined) {
    const { maxLength } = matched;
    const isOnlyText =
      types.filter((type) => type !== 'null').length === 1 && !shape.anyOf?.some(isConst);
    if (isOnlyText && !matched.pattern) add('too_long', () => replace('x'.repeat(maxLength + 1)));
  }
  if (typeof value === 'number' && matched.maximum !== undefined) {
    add('too_large', () => replace(matched.maximum! + 1));
  }
  return result;
}

type Fields = { [name: string]: Json };

function isConst(shape: Shape): boolean {
  return shape.const !== undefined;
}

function corruptObject(union: Shape, shape: Shape, value: Fields, pointer: string): Corruption[] {
  const result: Corruption[] = [];
  const others = additionalShape(shape);
  const tag = discriminatorOf(union, value);
  const { properties = {}, required = [] } = shape;
  for (const [name, part] of Object.entries(value)) {
    const at = `${pointer}/${name}`;
    const field = Object.hasOwn(properties, name) ? properties[name] : others;
    const replaceItem = (other: Json) => {
      value[name] = other;
    };
    const remove = () => {
      delete value[name];
    };
    // Without its tag, further faults of the object cannot be detected.
    const affected = name === tag ? [pointer] : [at];
    if (required.includes(name) && properties[name]?.default === undefined) {
      result.push({ pointer: at, code: 'required', affected, apply: remove });
    }
    if (name === tag) {
      const apply = () => replaceItem('nonsense');
      result.push({ pointer: at, code: 'not_allowed', affected, apply });
    } else if (field) result.push(...corruptValue(field, part, at, replaceItem));
  }
  if (shape.additionalProperties === false) {
    const at = `${pointer}/zz_surprise`;
    const apply = () => {
      value.zz_surprise = 1;
    };
    result.push({ pointer: at, code: 'unknown_field', affected: [at], apply });
  }
  return result;
}

function discriminatorOf(shape: Shape, value: Fields): string | undefined {
  if (shape.discriminator) return shape.discriminator.propertyName;
  return shape.anyOf?.map((one) => discriminatorOf(one, value)).find((tag) => tag !== undefined);
}

/** The branch of unions that a right value is of. */
function matchShape(shape: Shape, value: Json): Shape {
  if (shape.discriminator && isRecord(value)) {
    const tag = value[shape.discriminator.propertyName];
    const name = shape.discriminator.propertyName;
    return (shape.oneOf ?? []).find((one) => one.properties?.[name]?.const === tag) ?? shape;
  }
  if (!shape.anyOf) return shape;
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const branch = shape.anyOf.find((one) => {
    const types = jsonTypes(one);
    return types.includes(type) || (type === 'number' && types.includes('integer'));
  });
  return branch ? matchShape(branch, value) : shape;
}
