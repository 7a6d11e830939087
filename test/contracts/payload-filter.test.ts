import {
  type FilterValue,
  matchesFilter,
  type PayloadFilter,
  pointerFault,
} from '@scriptorium/contracts/events/payload-filter';
import { expect } from 'chai';
import fc from 'fast-check';

const body = {
  id: 'evt_1',
  type: 'documents.job.succeeded',
  request_id: null,
  actor: { type: 'api_key', id: 'key_1' },
  data: {
    state: 'succeeded',
    pages_total: 12,
    verified: false,
    error: null,
    operations: ['ocr', 'redact_pii'],
    outputs: [{ kind: 'text' }, { kind: 'words' }],
    '': 'nameless',
    'a/b': 1,
    'm~n': 2,
    '~1': 3,
    empty: [],
  },
};

const escaped = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');
const scalar = (): fc.Arbitrary<FilterValue> =>
  fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.integer(), fc.boolean(), fc.constant(null));

/** Every pointer into a value, with the value it refers to. */
function* leaves(value: unknown, at = ''): Generator<[string, FilterValue]> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inside] of Object.entries(value)) {
      yield* leaves(inside, `${at}/${escaped(name)}`);
    }
  } else {
    yield [at, value as FilterValue];
  }
}

describe('payload filters', () => {
  for (const [filter, matches] of [
    [{}, true],
    [{ '/data/state': ['succeeded'] }, true],
    [{ '/data/state': ['failed', 'succeeded'] }, true],
    [{ '/data/state': ['failed'] }, false],
    [{ '/data/state': [] }, false],
    [{ '/data/state': ['succeeded'], '/data/pages_total': [12] }, true],
    [{ '/data/state': ['succeeded'], '/data/pages_total': [13] }, false],
    [{ '/data/pages_total': ['12'] }, false],
    [{ '/data/verified': [false] }, true],
    [{ '/data/verified': [0, '', null] }, false],
    [{ '/data/error': [null] }, true],
    [{ '/request_id': [null] }, true],
    [{ '/data/missing': [null] }, false],
    [{ '/data/operations': ['redact_pii'] }, true],
    [{ '/data/operations': ['classify'] }, false],
    [{ '/data/operations/0': ['ocr'] }, true],
    [{ '/data/operations/1': ['ocr'] }, false],
    [{ '/data/operations/2': [null] }, false],
    [{ '/data/operations/-': [null] }, false],
    [{ '/data/operations/00': ['ocr'] }, false],
    [{ '/data/operations/length': [2] }, false],
    [{ '/data/empty': [null] }, false],
    [{ '/data/outputs/1/kind': ['words'] }, true],
    [{ '/data/outputs/kind': ['words'] }, false],
    [{ '/data/': ['nameless'] }, true],
    [{ '/data/a~1b': [1] }, true],
    [{ '/data/m~0n': [2] }, true],
    [{ '/data/~01': [3] }, true],
    [{ '/data/a/b': [1] }, false],
    [{ '/type/length': [23] }, false],
    [{ '/data': [null] }, false],
    [{ '': [null] }, false],
    [{ data: [null] }, false],
    [{ '/data/a~b': [1] }, false],
    [{ '/__proto__/x': [1] }, false],
    [{ '/constructor/name': ['Object'] }, false],
    [{ '/data/toString/name': ['toString'] }, false],
  ] as [PayloadFilter, boolean][]) {
    it(`${matches ? 'takes' : 'leaves'} the body for ${JSON.stringify(filter)}`, () => {
      expect(matchesFilter(filter, body)).to.equal(matches);
    });
  }

  it('read fields with the names of inherited properties', () => {
    const odd: unknown = JSON.parse('{"data":{"__proto__":{"admin":true},"constructor":"c"}}');
    expect(matchesFilter({ '/data/__proto__/admin': [true] }, odd)).to.equal(true);
    expect(matchesFilter({ '/data/constructor': ['c'] }, odd)).to.equal(true);
    expect(matchesFilter({ '/data/__proto__/admin': [true] }, { data: {} })).to.equal(false);
    expect(({} as { admin?: boolean }).admin).to.equal(undefined);
  });

  it('match every value of any data by its pointer, among other values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(scalar()), (data, others) => {
        const given: unknown = JSON.parse(JSON.stringify({ data }));
        for (const [pointer, value] of leaves(given)) {
          if (pointer.length > 500) continue;
          expect(matchesFilter({ [pointer]: [...others, value] }, given), pointer).to.equal(true);
          const without = others.filter((other) => other !== value);
          expect(matchesFilter({ [pointer]: without }, given), pointer).to.equal(false);
        }
      }),
    );
  });

  it('require all pointers: two filters together match what both match', () => {
    const filters = fc.dictionary(
      fc.constantFrom('/data/a', '/data/b', '/data/c', '/type'),
      fc.array(fc.constantFrom<FilterValue>(1, '1', true, null), { maxLength: 3 }),
    );
    const bodies = fc.record(
      {
        type: fc.constantFrom(1, '1'),
        data: fc.record(
          {
            a: fc.constantFrom(1, '1', null),
            b: fc.array(fc.constantFrom(1, true)),
            c: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, filters, bodies, (one, two, given) => {
        const apart = Object.fromEntries(Object.entries(two).filter(([key]) => !(key in one)));
        expect(matchesFilter({ ...one, ...apart }, given)).to.equal(
          matchesFilter(one, given) && matchesFilter(apart, given),
        );
      }),
    );
  });

  it('never throw, for any data and pointers', () => {
    const token = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'length', '0'));
    const pointer = fc.oneof(
      fc.string(),
      fc.array(token).map((tokens) => tokens.map((each) => `/${each}`).join('')),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(pointer, fc.array(scalar()))),
        fc.anything({ withNullPrototype: true, withMap: true, withSparseArray: true }),
        (pairs, given) => {
          expect(matchesFilter(Object.fromEntries(pairs), given)).to.be.a('boolean');
        },
      ),
    );
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    expect(matchesFilter({ '/a/a': [1] }, deep)).to.equal(false);
  });

  describe('with pointers', () => {
    for (const pointer of [
      '/type',
      '/sequence',
      '/request_id',
      '/actor/type',
      '/actor/id',
      '/data/state',
      '/data/operations/0',
      '/data/__proto__',
      '/data/',
      '/data/a~1b/~01',
      `/data/${'x'.repeat(494)}`,
    ]) {
      it(`accept ${pointer.slice(0, 40)}`, () => {
        expect(pointerFault(pointer)).to.equal(null);
      });
    }
    for (const [pointer, words] of [
      ['', 'whole body'],
      ['type', 'JSON pointer'],
      ['#/type', 'JSON pointer'],
      ['$.data.state', 'JSON pointer'],
      ['/data/a~b', 'JSON pointer'],
      ['/data/a~', 'JSON pointer'],
      [`/data/${'x'.repeat(495)}`, 'at most 500'],
      ['/state', 'unknown field of the event. Expected one of: id, type'],
      ['/published', 'unknown field of the event'],
      ['/__proto__', 'unknown field of the event'],
      ['/constructor/name', 'unknown field of the event'],
      ['/', 'unknown field of the event'],
      ['/type/0', 'not an object'],
      ['/data', 'is an object'],
      ['/actor', '/actor/type'],
      ['/actor/role', 'Expected one of: type, id, name'],
      ['/actor/id/0', 'Expected one of: type, id'],
    ] as const) {
      it(`reject '${pointer.slice(0, 40)}'`, () => {
        expect(pointerFault(pointer)).to.include(words);
      });
    }

    it('accept every pointer to a value of a body', () => {
      for (const [pointer] of leaves(body)) expect(pointerFault(pointer), pointer).to.equal(null);
    });
  });
});
