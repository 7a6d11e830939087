import { expect } from 'chai';
import { stepToPage } from '../../../packages/portal/api/step-to-page.ts';

interface Row {
  id: string;
  note?: string;
}
const rows = (ids: string): Row[] => [...ids].map((id) => ({ id }));
const step = (
  shown: string,
  page: string,
  { hasMore = false, mayMove = true, belongs = (_: Row): boolean => true } = {},
) => {
  const { items, newIds, ...rest } = stepToPage(
    rows(shown),
    { data: rows(page), next_cursor: hasMore ? 'next' : null },
    mayMove,
    belongs,
    (_, loaded) => loaded,
  );
  return { items: items.map(({ id }) => id).join(''), newIds: newIds.join(''), ...rest };
};

describe('a step of a live list towards its first page', () => {
  it('adds the last of the new items in its place, and counts the others', () => {
    expect(step('cd', 'abcd')).to.deep.equal({
      items: 'bcd',
      newIds: 'a',
      hasMoved: true,
      isComplete: false,
    });
    expect(step('bcd', 'abcd')).to.deep.equal({
      items: 'abcd',
      newIds: '',
      hasMoved: true,
      isComplete: true,
    });
    expect(step('ad', 'abcd').items).to.equal('acd');
    expect(step('ab', 'abcd').items).to.equal('abd');
  });

  it('removes one item that is no longer in the page or does not belong', () => {
    expect(step('abc', 'a')).to.include({ items: 'ab', isComplete: false });
    expect(step('abc', 'xc', { hasMore: true })).to.include({ items: 'xac', isComplete: false });
    expect(step('abc', 'xy', { hasMore: true, belongs: ({ id }) => id !== 'b' })).to.include({
      items: 'yac',
      newIds: 'x',
    });
  });

  it('keeps items that new ones have moved to the next page', () => {
    expect(step('abc', 'xyz', { hasMore: true })).to.include({ items: 'zabc', newIds: 'xy' });
    expect(step('abcde', 'xab', { hasMore: true })).to.include({
      items: 'xabcde',
      isComplete: true,
    });
  });

  it('only updates items while the list must hold still', () => {
    const page = { data: [{ id: 'x' }, { id: 'b', note: 'new' }], next_cursor: null };
    const held = stepToPage<Row>(
      rows('ab'),
      page,
      false,
      () => true,
      (_, loaded) => loaded,
    );
    expect(held).to.deep.equal({
      items: [{ id: 'a' }, { id: 'b', note: 'new' }],
      newIds: ['x'],
      hasMoved: false,
      isComplete: false,
    });
    const same = stepToPage<Row>(
      rows('a'),
      page,
      false,
      () => true,
      (shown) => shown,
    );
    expect(same.newIds).to.deep.equal(['x', 'b']);
  });
});
