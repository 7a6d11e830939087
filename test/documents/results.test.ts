import { isInspection } from '@scriptorium/documents/results';
import { expect } from 'chai';

const page = (number: unknown) => ({
  number,
  widthPt: 1,
  heightPt: 1,
  rotation: 0,
  pixels: null,
  characters: 0,
  hasText: false,
});
const inspection = (numbers: readonly unknown[]) => ({
  kind: 'pdf',
  signed: false,
  repaired: false,
  pages: numbers.map(page),
});
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('a child’s result for a source', () => {
  it('is accepted with consecutive pages', () => {
    for (const count of [0, 1, 2000]) {
      expect(isInspection(inspection(upTo(count))), String(count)).to.equal(true);
    }
  });
  it('is rejected with too many, duplicate, unordered or unnumbered pages', () => {
    for (const numbers of [upTo(2001), [1, 1], [2], [1, 3], ['1'], [null]]) {
      expect(isInspection(inspection(numbers)), JSON.stringify(numbers.slice(0, 3))).to.equal(
        false,
      );
    }
  });
});
