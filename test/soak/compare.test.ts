import { expect } from 'chai';
import { compareLatencies, compareSamples } from '../../lab/soak/compare.ts';

/** Samples of one figure, a minute apart. */
const series = (name: string, values: readonly number[]) =>
  values.map((value, at) => ({ at: at * 60_000, figures: { [name]: value } }));

describe('the verdict of a soak', () => {
  it('finds a figure that grows, and none that swings or falls', () => {
    const grows = Array.from({ length: 30 }, (_, at) => 200 + 4 * at);
    const swings = Array.from({ length: 30 }, (_, at) => 200 + 40 * (at % 2));
    const [leak] = compareSamples(series('api-1 rss_mb', grows));
    expect(leak).to.include({ first: 218, last: 298, isJudged: true, isWithinBound: false });
    for (const values of [swings, [...grows].reverse()]) {
      expect(compareSamples(series('api-1 rss_mb', values))[0]).to.include({ isWithinBound: true });
    }
  });

  it('shows tables that keep their rows, without judging them', () => {
    const twice = [1, 1, 1, 2, 2, 2].map((thousands) => thousands * 1_000);
    for (const table of ['job', 'object_download']) {
      const [row] = compareSamples(series(`table ${table} kb`, [...twice, 9_000, 9_000, 9_000]));
      expect(row).to.include({ isJudged: false, isWithinBound: true, last: 9_000 });
    }
  });

  it('finds a figure that disappears, and judges nothing by a few samples', () => {
    const values = Array.from({ length: 9 }, () => 200);
    const samples = series('api-1 heap_mb', values);
    expect(compareSamples(samples)[0]).to.include({ isWithinBound: true });
    const [gone] = compareSamples(
      samples.map((one, at) => (at < 7 ? one : { ...one, figures: {} })),
    );
    expect(gone).to.include({ name: 'api-1 heap_mb (missing)', isWithinBound: false });
    expect(() => compareSamples(samples.slice(1))).to.throw('8 samples are too few');
  });

  it('finds latency that rises by more than its share', () => {
    const timings = (late: number) =>
      Array.from({ length: 300 }, (_, at) => ({ kind: 'list', at, ms: at < 150 ? 100 : late }));
    const bad = (late: number) =>
      compareLatencies(timings(late), 10)
        .filter(({ isWithinBound: isWell }) => !isWell)
        .map(({ name }) => name);
    expect(bad(105)).to.deep.equal([]);
    expect(bad(120)).to.deep.equal(['all p50 ms', 'all p95 ms']);
  });
});
