import { isRecord, type Shape } from '../../src/api/requests/check/schema.ts';
import { additionalShape } from './request-data.ts';

/** How many values are put at one place: enough that comparing each with each would show. */
const valueCount = 1_500;

/** Bodies that cost most to look at: what is put, and the body with it. */
export interface WorstBody {
  description: string;
  body: unknown;
}

/** The data put at every place: many values, or long texts. */
const payloads: Record<string, () => unknown> = {
  'distinct integers': () => Array.from({ length: valueCount }, (_, at) => at),
  'distinct strings': () => Array.from({ length: valueCount }, (_, at) => `tag-${at}`),
  'the same string': () => Array.from({ length: valueCount }, () => 'eng'),
  'empty objects': () => Array.from({ length: valueCount }, () => ({})),
  'objects with one field each': () =>
    Array.from({ length: valueCount / 2 }, (_, at) => ({ op: at })),
  'lists of one': () => Array.from({ length: valueCount / 2 }, (_, at) => [at]),
  'all kinds of values': () =>
    Array.from({ length: valueCount }, (_, at) => [at, `${at}`, null, true, {}][at % 5]),
  'many fields': () =>
    Object.fromEntries(Array.from({ length: valueCount }, (_, at) => [`f${at}`, at])),
  'fields of fields': () =>
    Object.fromEntries(Array.from({ length: valueCount / 2 }, (_, at) => [`f${at}`, { type: at }])),
  'many levels': () => {
    let deep: unknown = Array.from({ length: 1_000 }, (_, at) => at);
    for (let level = 0; level < 25; level++) deep = level % 2 ? { type: deep } : [deep];
    return deep;
  },
  'a long text': () => `1${',1'.repeat(50_000)}`,
  'a long text of signs': () => '"!'.repeat(50_000),
  'names of a thousand characters': () =>
    Object.fromEntries(Array.from({ length: 200 }, (_, at) => ['n'.repeat(1_000) + at, at])),
};

/** Every burden at every place of a schema, in a body that is as it should be around it. */
export function* worstBodies(shape: Shape): Generator<WorstBody> {
  for (const [at, placeValue] of positionsIn(shape, 0)) {
    for (const [what, make] of Object.entries(payloads))
      yield { description: `${what} at ${at}`, body: placeValue(make()) };
  }
}

type PlaceValue = (value: unknown) => unknown;

function* positionsIn(shape: Shape, depth: number): Generator<[string, PlaceValue]> {
  yield ['', (value) => value];
  if (depth > 8) return;
  for (const variant of [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]) {
    for (const [at, placeValue] of positionsIn(variant, depth))
      if (at !== '') yield [at, placeValue];
  }
  const { properties = {}, items, oneOf } = shape;
  if (!oneOf) {
    const validObject = example(shape);
    for (const [name, field] of Object.entries(properties)) {
      for (const [at, placeValue] of positionsIn(field, depth + 1)) {
        yield [
          `/${name}${at}`,
          (value) => ({ ...(validObject as object), [name]: placeValue(value) }),
        ];
      }
    }
  }
  const additional = additionalShape(shape);
  if (additional) {
    for (const [at, placeValue] of positionsIn(additional, depth + 1)) {
      yield [`/any${at}`, (value) => ({ any: placeValue(value) })];
    }
  }
  if (items) {
    for (const [at, placeValue] of positionsIn(items, depth + 1))
      yield [`/0${at}`, (value) => [placeValue(value)]];
  }
}

/**
 * Returns a valid value of a shape, as far as the branches of a union need it to be distinguished.
 */
function example(shape: Shape): unknown {
  return Object.fromEntries(
    Object.entries(shape.properties ?? {}).flatMap(([name, field]) =>
      field.const === undefined ? [] : [[name, field.const]],
    ),
  );
}

/** A value that counts how often something inside it is read. */
export function countReads<T>(value: T, reads: { count: number }): T {
  if (!Array.isArray(value) && !isRecord(value)) return value;
  return new Proxy(value, {
    get: (target, key) => {
      reads.count += 1;
      return countReads(Reflect.get(target, key), reads);
    },
    getOwnPropertyDescriptor: (target, key) => {
      reads.count += 1;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  }) as T;
}

/** Counts the values in a body. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, one) => sum + countValues(one), 0);
}
