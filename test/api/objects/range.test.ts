import { expect } from 'chai';
import fc from 'fast-check';
import { parseRange } from '../../../src/api/downloads/range.ts';

const whole = { kind: 'whole' };
const none = { kind: 'unsatisfiable' };
const part = (start: number, end: number) => ({ kind: 'part', start, end });

describe('the Range header', () => {
  const cases: [string | undefined, number, object][] = [
    [undefined, 100, whole],
    ['bytes=0-0', 100, part(0, 0)],
    ['bytes=0-99', 100, part(0, 99)],
    ['bytes=0-', 100, part(0, 99)],
    ['bytes=10-19', 100, part(10, 19)],
    ['bytes=99-', 100, part(99, 99)],
    ['bytes=90-1000', 100, part(90, 99)],
    ['bytes=-1', 100, part(99, 99)],
    ['bytes=-100', 100, part(0, 99)],
    ['bytes=-1000', 100, part(0, 99)],
    ['bytes=-0', 100, none],
    ['bytes=100-', 100, none],
    ['bytes=100-200', 100, none],
    ['bytes=0-', 0, none],
    ['bytes=-5', 0, none],
    ['bytes=99999999999999999999-', 100, none],
    ['bytes=0-99999999999999999999', 100, part(0, 99)],
    ['BYTES=1-2', 100, part(1, 2)],
    ['bytes = 1-2', 100, part(1, 2)],
    ['bytes=, 1-2 ,', 100, part(1, 2)],
    ['bytes=5-4', 100, whole],
    ['bytes=0-1,5-6', 100, whole],
    ['bytes=0-1,-0', 100, whole],
    ['bytes=', 100, whole],
    ['bytes=-', 100, whole],
    ['bytes=a-b', 100, whole],
    ['bytes=1-2-3', 100, whole],
    ['bytes=1.5-2', 100, whole],
    ['bytes=+1-2', 100, whole],
    ['bytes=1 - 2', 100, whole],
    ['items=0-1', 100, whole],
    ['bytes', 100, whole],
    ['', 100, whole],
    [`bytes=${','.repeat(5000)}1-2`, 100, whole],
  ];
  for (const [range, length, answer] of cases) {
    it(`${JSON.stringify(range)?.slice(0, 40)} of ${length} is ${JSON.stringify(answer)}`, () => {
      expect(parseRange({ range, length })).to.deep.equal(answer);
    });
  }

  describe('If-Range', () => {
    const etag = '"v1"';
    for (const [ifRange, current, answer] of [
      ['"v1"', etag, part(1, 2)],
      [' "v1" ', etag, part(1, 2)],
      ['"v2"', etag, whole],
      ['W/"v1"', etag, whole],
      ['W/"v1"', 'W/"v1"', whole],
      ['v1', etag, whole],
      ['Fri, 06 Nov 2026 08:49:37 GMT', etag, whole],
      ['', etag, whole],
      ['"v1"', undefined, whole],
    ] as const) {
      it(`${JSON.stringify(ifRange)} against ${current} is ${answer.kind}`, () => {
        const input = { range: 'bytes=1-2', length: 100, ifRange, etag: current };
        expect(parseRange(input)).to.deep.equal(answer);
      });
    }
  });

  it('returns only ranges inside the content', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(1000), (text, a, b, length) => {
        for (const range of [text, `bytes=${text}`, `bytes=${a}-${b}`, `bytes=-${a}`]) {
          const answer = parseRange({ range, length });
          if (answer.kind === 'part') {
            expect(answer.start).to.be.within(0, answer.end);
            expect(answer.end).to.be.below(length);
          }
        }
      }),
    );
  });
});
