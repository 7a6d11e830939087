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
function dataOf(shape: Shape, spoilt: number): Arbitrary<string> {
  const right = rightData(shape, spoilt);
  if (spoilt === 0) return right;
  return fc.oneof(
    { arbitrary: right, weight: Math.round(1 / spoilt) },
    { arbitrary: anything, weight: 1 },
  );
}

function rightData(shape: Shape, spoilt: number): Arbitrary<string> {
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((branch) => dataOf(branch, spoilt)));
  if (shape.enum) return fc.constantFrom(...shape.enum.map((value) => JSON.stringify(value)));
  const { minimum = -1e300, maximum = 1e300 } = shape;
  switch (shape.type) {
    case 'object':
      return objectOf(shape, spoilt);
    case 'array':
      return fc
        .array(dataOf(shape.items!, spoilt), { maxLength: 4 })
        .map((items) => `[${items.join(', ')}]`);
    case 'string':
      return someString.map((value) => JSON.stringify(value));
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

function objectOf(shape: Shape, spoilt: number): Arbitrary<string> {
  const { properties = {}, required = [] } = shape;
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, dataOf(property, spoilt)]),
  );
  const whole = fc.record(parts, { requiredKeys: required });
  // A name twice is the last of the two, for Postgres and for JavaScript alike.
  const more = fc.tuple(fc.oneof(someString, fc.constantFrom('__proto__', ...required)), anything);
  return fc
    .tuple(
      spoilt === 0
        ? whole
        : fc.oneof(
            { arbitrary: whole, weight: 8 },
            { arbitrary: fc.record(parts, { requiredKeys: [] }), weight: 1 },
          ),
      spoilt === 0
        ? fc.constant([])
        : fc.oneof(
            { arbitrary: fc.constant([]), weight: 8 },
            { arbitrary: fc.array(more, { maxLength: 2 }), weight: 1 },
          ),
    )
    .map(([known, extra]) => [...Object.entries(known), ...extra])
    .map(
      (entries) =>
        `{${entries.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join(', ')}}`,
    );
}

/** Any string that jsonb can hold, of one or two hundred characters at most. */
const someString = fc
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
const anything = fc.oneof(
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
  someString.map((value) => JSON.stringify(value)),
  fc.json({ noUnicodeString: false }).filter((text) => !/\\u0000|\\ud[89a-f]/i.test(text)),
);
