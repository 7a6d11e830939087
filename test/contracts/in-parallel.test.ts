import { inParallel } from '@scriptorium/contracts/helpers/in-parallel';
import { expect } from 'chai';

describe('inParallel', () => {
  it('returns results in order with bounded concurrency', async () => {
    const items = Array.from({ length: 20 }, (_, at) => at);
    let underWay = 0;
    let most = 0;
    const answers = await inParallel(items, 3, async (item) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn < (item % 4) + 1; turn += 1) await Promise.resolve();
      underWay -= 1;
      return item * 2;
    });
    expect(answers).to.deep.equal(items.map((item) => item * 2));
    expect(most).to.equal(3);
  });

  it('starts nothing after a failure, and waits for what has started', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const work = inParallel([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('the first');
      await held;
      ended.push(item);
    });
    letGo();
    const told = await work.catch((error: Error) => error.message);
    expect([told, begun, ended]).to.deep.equal(['the first', [1, 2], [2]]);
  });

  it('returns an empty list for an empty list', async () => {
    expect(await inParallel([], 4, async () => 1)).to.deep.equal([]);
  });
});
