import fc, { type Arbitrary } from 'fast-check';
import type { Static, TSchema } from 'typebox';

type Shape = Static<TSchema> & {
  type?: string;
  enum?: string[];
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  minimum?: number;
  maximum?: number;
};

/**
 * Data for a schema, as JSON text, which unlike values can hold every number: right ones, and such as
 * have been spoilt in a place or two.
 */
export function dataFor(schema: TSchema): Arbitrary<string> {
  const shape = schema as Shape;
  return fc.oneof(dataOf(shape, 0), dataOf(shape, 0.12));
}

/** JSON text that a schema describes; each part of it is spoilt with some probability. */
function dataOf(shape: Shape, corruptionRate: number): Arbitrary<string> {
  const valid = validData(shape, corruptionRate);
  if (corruptionRate === 0) return valid;
  return fc.oneof(
    { arbitrary: valid, weight: Math.round(1 / corruptionRate) },
    { arbitrary: anyJson, weight: 1 },
  );
}

function validData(shape: Shape, corruptionRate: number): Arbitrary<string> {
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((branch) => dataOf(branch, corruptionRate)));
  if (shape.enum) return fc.constantFrom(...shape.enum.map((value) => JSON.stringify(value)));
  const { minimum = -1e300, maximum = 1e300 } = shape;
  switch (shape.type) {
    case 'object':
      return objectOf(shape, corruptionRate);
    case 'array':
      return fc
        .array(dataOf(shape.items!, corruptionRate), { maxLength: 4 })
        .map((items) => `[${items.join(', ')}]`);
    case 'string':
      return anyString.map((value) => JSON.stringify(value));
    case 'integer':
      return fc
        .integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) })
        .chain((value) => fc.constantFrom(`${value}`, `${value}.0`, `${value}.00e0`));
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true }).map(JSON.stringify);
    case 'boolean':
      return fc.constantFrom('true', 'false');
    default:
      return fc.constant('null');
  }
}

function objectOf(shape: Shape, corruptionRate: number): Arbitrary<string> {
  const { properties = {}, required = [] } = shape;
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, dataOf(property, corruptionRate)]),
  );
  const completeObject = fc.record(parts, { requiredKeys: required });
  // A name twice is the last of the two, for Postgres and for JavaScript alike.
  const extraField = fc.tuple(
    fc.oneof(anyString, fc.constantFrom('__proto__', ...required)),
    anyJson,
  );
  return fc
    .tuple(
      corruptionRate === 0
        ? completeObject
        : fc.oneof(
            { arbitrary: completeObject, weight: 8 },
            { arbitrary: fc.record(parts, { requiredKeys: [] }), weight: 1 },
          ),
      corruptionRate === 0
        ? fc.constant([])
        : fc.oneof(
            { arbitrary: fc.constant([]), weight: 8 },
            { arbitrary: fc.array(extraField, { maxLength: 2 }), weight: 1 },
          ),
    )
    .map(([known, extra]) => [...Object.entries(known), ...extra])
    .map(
      (entries) =>
        `{${entries.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join(', ')}}`,
    );
}

/** Any string that jsonb can hold, of one or two hundred characters at most. */
const anyString = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary', minLength: 90, maxLength: 120 }),
  )
  .map((value) => value.replaceAll('\0', ''));

const anyNumber = fc.oneof(
  fc.constantFrom(
    '-1',
    '-0',
    '0.5',
    '101',
    '100.0000000000000000001',
    '1e400',
    '-1e400',
    '1e-400',
    '1e999',
  ),
  fc
    .tuple(
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
      fc.nat(),
      fc.integer({ min: -420, max: 420 }),
    )
    .map(([digits, fraction, exponent]) => `${digits}.${fraction}e${exponent}`),
);
const anyJson = fc.oneof(
  anyNumber,
  fc.constantFrom(
    'null',
    'true',
    'false',
    '""',
    '[]',
    '{}',
    '[null]',
    '"NaN"',
    '"100"',
    '[1, "a"]',
  ),
  anyString.map((value) => JSON.stringify(value)),
  fc.json({ noUnicodeString: false }).filter((text) => !/\\u0000|\\ud[89a-f]/i.test(text)),
);
