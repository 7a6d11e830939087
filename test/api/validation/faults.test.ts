import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { compileCheck } from '../../../src/api/requests/check/compile.ts';
import { Faults } from '../../../src/api/requests/check/faults.ts';
import { isTime } from '../../../src/api/requests/check/formats.ts';
import { type Corruption, corruptions, validData } from '../../support/request-data.ts';
import { bodySchemas } from '../../support/request-schemas.ts';

const ajv = new Ajv({ strict: false, discriminator: true, useDefaults: true });
formats.default(ajv);
ajv.addFormat('date-time', isTime);

/** Independent changes that make a body invalid, in the given order. */
function apart(all: readonly Corruption[]): Corruption[] {
  const chosen: Corruption[] = [];
  const near = (one: string, other: string): boolean =>
    one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`) || one === '';
  for (const one of all) {
    const clash = chosen.some((other) =>
      one.affected.some((a) => other.affected.some((b) => near(a, b) || near(b, a))),
    );
    if (!clash) chosen.push(one);
  }
  return chosen;
}

const short = ({ pointer, code }: { pointer?: string; code: string }): string =>
  `${pointer} ${code}`;

describe('body faults', () => {
  for (const { name, schema, shape } of bodySchemas) {
    const check = compileCheck(schema);
    const faultsOf = (value: unknown): string[] => {
      const faults = new Faults();
      check(value, faults);
      return faults.list.map(short);
    };

    it(`are empty for valid bodies: ${name}`, () => {
      fc.assert(
        fc.property(validData(shape), (value) => {
          expect(faultsOf(structuredClone(value))).to.deep.equal([]);
        }),
        { numRuns: 20, endOnFailure: true },
      );
    });

    it(`are each reported once and completely: ${name}`, () => {
      fc.assert(
        fc.property(
          validData(shape),
          fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
          (right, random) => {
            const root = { value: structuredClone(right) };
            const order = corruptions(root, shape)
              .map((one, at) => ({ one, key: ((random[at % 20] ?? 0) * (at + 7)) % 1_009 }))
              .sort((a, b) => a.key - b.key)
              .map(({ one }) => one);
            const chosen = apart(order).slice(0, 6);
            for (const { apply } of chosen) apply();
            expect(faultsOf(root.value), JSON.stringify(root.value)).to.have.members(
              chosen.map(short),
            );
          },
        ),
        { numRuns: 40, endOnFailure: true },
      );
    });

    it(`exist exactly if a general validator finds some: ${name}`, () => {
      const isValid = ajv.compile(schema);
      const anything = fc.oneof(
        { arbitrary: validData(shape), weight: 1 },
        { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
        {
          arbitrary: fc
            .tuple(validData(shape), fc.nat(), fc.jsonValue({ maxDepth: 1 }))
            .map(([value, at, other]) => {
              const fields = Object.keys(value as object);
              const field = fields[at % Math.max(fields.length, 1)] ?? 'name';
              return { ...(value as object), [field]: other };
            }),
          weight: 2,
        },
      );
      fc.assert(
        fc.property(anything, (value) => {
          const accepts = isValid(structuredClone(value));
          expect(faultsOf(structuredClone(value)).length === 0, JSON.stringify(value)).to.equal(
            accepts,
          );
        }),
        { numRuns: 40, endOnFailure: true },
      );
    });
  }
});
