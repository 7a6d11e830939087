import { eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import { compile } from '@scriptorium/contracts/helpers/validator';
import type { ErrorObject } from 'ajv';
import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import pg from 'pg';
import { type TSchema, Type } from 'typebox';
import { neighbourTypes } from '../../src/db/preparing/neighbour.ts';
import { checkFunctionSql } from '../../src/db/preparing/schema-check.ts';
import { dataFor } from '../support/schema-data.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

const closed = { additionalProperties: false };
/** What no event type has: names that must be quoted, nested arrays, unions of all kinds. */
const odd = Type.Object(
  {
    "o'clock": Type.Optional(Type.Enum([`it's`, 'a\\b', '"q"', '%s', 'é'])),
    '$1 \\ "quoted"': Type.Optional(Type.Boolean()),
    grid: Type.Array(
      Type.Array(
        Type.Union([
          Type.Object({ at: Type.Optional(Type.Union([Type.Integer(), Type.Null()])) }, closed),
          Type.Null(),
        ]),
      ),
    ),
    ratio: Type.Union([Type.Number({ minimum: -0.5, maximum: 1e300 }), Type.Null()]),
    nothing: Type.Optional(Type.Null()),
  },
  closed,
);
const schemas: Record<string, TSchema> = {
  ...Object.fromEntries(eventTypeNames.map((type) => [type, eventTypes[type].data])),
  odd,
};

/** A type, and data for it as JSON text: only text can hold every JSON number. */
interface Case {
  type: string;
  text: string;
}

describe('SQL checks generated from schemas', () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
    await client.query(checkFunctionSql('pg_temp.faults', schemas));
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  /** Compares the function with ajv, fault by fault; returns the number of valid cases. */
  const compare = async (name: string, cases: readonly Case[]): Promise<number> => {
    const { rows } = await client.query<{ faults: string[] }>(
      `SELECT ${name}(type, text::jsonb) AS faults
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS c (type, text, n) ORDER BY n`,
      [cases.map(({ type }) => type), cases.map(({ text }) => text)],
    );
    let right = 0;
    cases.forEach(({ type, text }, at) => {
      const expected = faultsByAjv(type, text);
      expect([...new Set(rows[at]!.faults)].sort(), `${type} ${text}`).to.deep.equal(expected);
      if (expected.length === 0) right += 1;
    });
    return right;
  };
  /** Compares `rounds` times with `each` cases of each type. */
  const agree = async (name: string, types: readonly string[], rounds: number, each: number) => {
    let count = 0;
    let right = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(
          ...types.map((type) => fc.array(casesOf(type), { minLength: each, maxLength: each })),
        ),
        async (groups) => {
          const cases = groups.flat();
          right += await compare(name, cases);
          count += cases.length;
        },
      ),
      // A failing case speaks for itself: there is nothing to shrink.
      { numRuns: rounds, endOnFailure: true },
    );
    expect(count).to.be.at.least(2_000);
    // Neither outcome is rare.
    expect(right / count).to.be.within(0.3, 0.9);
  };

  it('find the same faults in a neighbour’s events as ajv', async () => {
    expect(neighbourTypes).to.have.length(3);
    await agree('public.neighbour_faults', neighbourTypes, 10, 150);
  });

  it('find the same faults in events of all types and in unused constructs', async () => {
    await agree('pg_temp.faults', Object.keys(schemas), 4, 40);
  });

  it('read numbers in every notation like other JSON parsers', async () => {
    const numbers = `0 -0 -0.0 1.0 1.5 1e2 100.00 100.5 -1 -1e-400 1e-400 100.0000000000000000000001
      100.00000000000001 0.99999999999999999999999 9007199254740993 9007199254740992.6
      4503599627370496.4 4503599627370495.6 1e308 1.7976931348623157e308 1.7976931348623158e308
      1.7976931348623159e308 1e309 -1e400 1e-323 5e-324 2e-324 -5e-324 1e-5000 1e5000`.split(/\s+/);
    const cases = numbers.flatMap((number) => [
      { type: 'media.vod_job.progressed', text: `{"profile": "p", "progress": ${number}}` },
      {
        type: 'documents.job_page.failed',
        text: `{"page": ${number}, "operation_index": ${number}}`,
      },
      { type: 'odd', text: `{"ratio": ${number}, "grid": [[{"at": ${number}}]]}` },
    ]);
    const right = await compare('pg_temp.faults', cases);
    expect(right).to.be.within(10, cases.length - 10);
  });

  it('may ignore what jsonb cannot hold: U+0000 and unpaired surrogates', async () => {
    for (const text of ['"\\u0000"', '"\\ud800"', '"\\udc00 "', '{"\\u0000": 1}']) {
      const rejected = await client.query('SELECT $1::jsonb', [text]).then(
        () => 'taken',
        (error: pg.DatabaseError) => error.code,
      );
      expect(rejected, text).to.be.oneOf(['22P05', '22P02']);
    }
  });

  it('are not generated from keywords that they would not check', () => {
    const refusals: [string, TSchema][] = [
      [`'pattern'`, Type.String({ pattern: 'a' })],
      [`'minLength'`, Type.Object({ a: Type.String({ minLength: 1 }) }, closed)],
      [`'format'`, Type.Array(Type.String({ format: 'date-time' }))],
      [`'const'`, Type.Literal('a')],
      [`'multipleOf'`, Type.Number({ multipleOf: 2 })],
      [`'exclusiveMinimum'`, Type.Number({ exclusiveMinimum: 2 })],
      [`'maxItems'`, Type.Array(Type.String(), { maxItems: 2 })],
      [`'minProperties'`, Type.Object({}, { ...closed, minProperties: 1 })],
      [`'patternProperties'`, Type.Record(Type.String(), Type.String())],
      ['open objects', Type.Object({ a: Type.String() })],
      ['open objects', Type.Object({ a: Type.String() }, { additionalProperties: true })],
      [`'a' without a schema`, Type.Object({}, { ...closed, required: ['a'] })],
      ['a union', Type.Union([Type.String(), Type.Integer()])],
      ['a union', Type.Union([Type.String(), Type.Integer(), Type.Null()])],
      ['an enum', Type.Enum([1, 2])],
      ['anything', Type.Array(Type.Unknown())],
      ['anything', Type.Unknown()],
      [`'$ref'`, Type.Ref('a')],
    ];
    for (const [told, schema] of refusals) {
      expect(() => checkFunctionSql('f', { t: schema }), told).to.throw(told);
    }
  });
});

const checks = Object.fromEntries(
  Object.entries(schemas).map(([type, schema]) => [type, compile(schema)]),
);

/** The faults that ajv finds in a JSON text, in the words of the SQL checks. */
function faultsByAjv(type: string, text: string): string[] {
  const check = checks[type]!;
  if (check(JSON.parse(text))) return [];
  const faults = (check.errors ?? [])
    // A union with null is reported as one fault, of its other half.
    .filter(
      ({ keyword, schemaPath }) => keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type'),
    )
    .map(faultInWords);
  return [...new Set(faults)].sort();
}

function faultInWords({ keyword, instancePath, params, schemaPath }: ErrorObject): string {
  const path = `data${instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')}`;
  const orNull = /\/anyOf\/0\/\w+$/.test(schemaPath) ? ' or null' : '';
  switch (keyword) {
    case 'type':
      return `${path} must be ${params.type}${orNull}`;
    case 'required':
      return `${path}.${params.missingProperty} is missing`;
    case 'additionalProperties':
      return `${path}.${[...params.additionalProperty].slice(0, 100).join('')} is not known`;
    case 'minimum':
    case 'maximum':
      return `${path} must be ${params.comparison} ${params.limit}${orNull}`;
    case 'enum':
      return `${path} must be one of ${params.allowedValues.join(', ')}${orNull}`;
    default:
      throw new Error(`The test does not know '${keyword}'.`);
  }
}

function casesOf(type: string): Arbitrary<Case> {
  return dataFor(schemas[type]!).map((text) => ({ type, text }));
}
