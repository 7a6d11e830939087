import { expect } from 'chai';
import { batchCalls } from '../../src/outbox/rounds.ts';

describe('gathering requests into rounds', () => {
  /** Rounds that end when the test says so. */
  const rounds = (max = 10) => {
    const seen: number[][] = [];
    const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const ask = batchCalls({ max }, async (items: number[]) => {
      seen.push(items);
      await new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
      return items.map((item) => item * 10);
    });
    return { seen, ends, ask };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('puts requests of one turn into one round, and later ones into the next', async () => {
    const { seen, ends, ask } = rounds();
    const first = [ask(1), ask(2)];
    await turn();
    const second = [ask(3), ask(4), ask(5)];
    ends[0]!.resolve();
    expect(await Promise.all(first)).to.deep.equal([10, 20]);
    await turn();
    ends[1]!.resolve();
    expect(await Promise.all(second)).to.deep.equal([30, 40, 50]);
    expect(seen).to.deep.equal([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('limits the size of a round', async () => {
    const { seen, ends, ask } = rounds(2);
    const asked = [1, 2, 3, 4, 5].map(ask);
    for (let at = 0; at < 3; at++) {
      await turn();
      ends[at]!.resolve();
    }
    expect(await Promise.all(asked)).to.deep.equal([10, 20, 30, 40, 50]);
    expect(seen.map((round) => round.length)).to.deep.equal([2, 2, 1]);
  });

  it('rejects the requests of a failed round and continues', async () => {
    const { ends, ask } = rounds();
    const lost = ask(1).catch((error: Error) => error.message);
    await turn();
    const kept = ask(2);
    ends[0]!.reject(new Error('gone'));
    expect(await lost).to.equal('gone');
    await turn();
    ends[1]!.resolve();
    expect(await kept).to.equal(20);
  });

  it('stops lingering once a round is full', async () => {
    const seen: number[][] = [];
    const ask = batchCalls({ max: 3, lingerMs: () => 3_600_000 }, async (items: number[]) => {
      seen.push(items);
      return items;
    });
    const early = [ask(1), ask(2)];
    await turn();
    expect(seen).to.deep.equal([]);
    expect(await Promise.all([...early, ask(3)])).to.deep.equal([1, 2, 3]);
    expect(await Promise.all([4, 5, 6].map(ask))).to.deep.equal([4, 5, 6]);
    expect(seen).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('stops lingering once the expected number of requests has arrived', async () => {
    const seen: number[][] = [];
    const ask = batchCalls(
      { max: 100, lingerMs: () => 3_600_000, fullAt: () => 2 },
      async (items: number[]) => {
        seen.push(items);
        return items;
      },
    );
    const early = ask(1);
    await turn();
    expect(seen).to.deep.equal([]);
    expect(await Promise.all([early, ask(2)])).to.deep.equal([1, 2]);
    expect(seen).to.deep.equal([[1, 2]]);
  });

  it('asks for the time to linger before each round', async () => {
    const seen: number[][] = [];
    const asked: number[] = [];
    const ask = batchCalls(
      {
        max: 10,
        lingerMs(waiting) {
          asked.push(waiting);
          return 1;
        },
      },
      async (items: number[]) => {
        seen.push(items);
        return items;
      },
    );
    expect(await Promise.all([ask(1), ask(2)])).to.deep.equal([1, 2]);
    expect(await ask(3)).to.equal(3);
    expect(seen).to.deep.equal([[1, 2], [3]]);
    expect(asked).to.deep.equal([2, 1]);
  });
});
