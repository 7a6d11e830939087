import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { compileBody, compileCheck } from '../../../src/api/requests/check/compile.ts';
import { Faults } from '../../../src/api/requests/check/faults.ts';
import { readJson } from '../../../src/api/requests/json.ts';
import { allShapes, bodySchemas, querySchemas } from '../../support/request-schemas.ts';
import { countReads, countValues, worstBodies } from '../../support/worst-bodies.ts';

/** How often each value of a body may be visited: by a few rules each, never by its neighbours. */
const looks = 8;
/** The limit for all faults of one response, with the names of their members. */
const maxBytes = 256 * 1024;

function refusal(body: string): Problem {
  try {
    readJson(Buffer.from(body));
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The body was read.');
}

/** An object with this number of fields. Each counts as two values, and the object as one. */
const objectOf = (fields: number) =>
  `{${Array.from({ length: fields }, (_, at) => `"${at}":1`).join()}}`;

describe('the cost of a body', () => {
  for (const { name, schema, shape } of bodySchemas) {
    it(`is bounded by the number of its values: ${name}`, () => {
      const check = compileCheck(schema);
      let tried = 0;
      // A schema reads its own fields of every object, present or not.
      const fields = Math.max(...allShapes(shape).map(fieldsOf), 0);
      for (const { description: what, body } of worstBodies(shape)) {
        const reads = { count: 0 };
        const values = countValues(body);
        const faults = new Faults();
        check(countReads(body, reads), faults);
        expect(reads.count, what).to.be.at.most(looks * values + 10 * fields + 100);
        expect(JSON.stringify(faults.list).length, what).to.be.at.most(maxBytes);
        tried += 1;
      }
      expect(tried).to.be.greaterThan(10);
    });
  }

  it('is zero if it has too many values: no schema sees it', () => {
    for (const body of [
      `{"a":[${'0,'.repeat(limits.json_values)}0]}`,
      `[${'[],'.repeat(limits.json_values)}[]]`,
      `[${'{"a":1},'.repeat(limits.json_values / 2)}{}]`,
      objectOf(limits.json_values / 2),
      // Names alone, without values.
      `{${Array.from({ length: limits.json_values }, (_, at) => `"${at}"`).join()}`,
    ]) {
      const { status, errors } = refusal(body);
      expect([status, errors?.[0]?.code]).to.deep.equal([422, 'too_many_values']);
    }
    const most = `[${'0,'.repeat(limits.json_values - 2)}0]`;
    expect(readJson(Buffer.from(most)).value).to.have.length(limits.json_values - 1);
    const widest = readJson(Buffer.from(objectOf(limits.json_values / 2 - 1))).value;
    expect(Object.keys(widest as object)).to.have.length(limits.json_values / 2 - 1);
  });

  it('is bounded for text that is not JSON', () => {
    for (const body of [
      '"'.padEnd(500_000, 'x'),
      '"\\'.repeat(200_000),
      '['.repeat(500_000),
      '{"a":'.repeat(100_000),
      '{"\\u12":1}',
      '-'.repeat(500_000),
      ':'.repeat(500_000),
    ]) {
      expect(refusal(body).status).to.equal(400);
    }
  });

  it('is bounded for checks outside of schemas, as are their faults', () => {
    const name = 'n'.repeat(900_000);
    for (const body of [
      `{"${name}":[${'1e400,'.repeat(9_000)}1]}`,
      `[${'1e400,'.repeat(40_000)}1]`,
      `{"a":[${'"\\u0000",'.repeat(40_000)}1]}`,
    ]) {
      const { value, faults } = readJson(Buffer.from(body));
      const told = compileBody(bodySchemas[0]!.schema)(value, faults);
      expect(JSON.stringify(told).length).to.be.at.most(maxBytes);
      expect(told.length).to.be.within(1, 100);
    }
  });
});

describe('request schemas', () => {
  for (const { name, shape } of [...bodySchemas, ...querySchemas]) {
    it(`have no unbounded list of items that are looked up one by one: ${name}`, () => {
      for (const one of allShapes(shape)) {
        if (one.type !== 'array' || one.explode === false) continue;
        const words = one.items?.enum;
        expect(one.maxItems ?? words?.length, JSON.stringify(one).slice(0, 200)).to.be.a('number');
      }
    });
  }
});

function fieldsOf(shape: { properties?: object; required?: readonly string[] }): number {
  return Object.keys(shape.properties ?? {}).length + (shape.required?.length ?? 0);
}
