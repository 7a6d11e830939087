import { expect } from 'chai';
import fc from 'fast-check';
import { coverTest } from '../../packages/pii/src/covers.ts';

describe('spans of a text', () => {
  it('cover a part of it exactly if one of them does', () => {
    const at = fc.nat({ max: 30 });
    const span = fc.record({ start: at, end: at });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), at, at, (spans, from, to) => {
        const isCovered = spans.some(({ start, end }) => start <= from && end >= to);
        expect(coverTest(spans)(from, to)).to.equal(isCovered);
      }),
    );
  });
});
