import { expect } from 'chai';
import { formatTable } from '../../../lab/bench/support/gate/table.ts';

describe('the table of the gate', () => {
  it('has a line for each run: both figures, their baseline and change; the verdict at the last', () => {
    const table = formatTable([
      {
        path: 'a path',
        runs: [
          { speed: 0.8, cpu: 1.1 },
          { speed: 0.9, cpu: 1 },
        ],
        baseline: { speed: 1, cpu: 1 },
        verdict: 'ok',
      },
      { path: 'a new one', runs: [{ speed: 0.5, cpu: 2 }], baseline: null, verdict: 'unknown' },
    ]);
    const cells = table.split('\n').map((line) => line.split(/ {2,}/));
    expect(cells).to.deep.equal([
      ['path', 'speed', 'before', 'change', 'CPU', 'before', 'change', 'verdict'],
      ['a path', '0.800', '1.000', '−20 %', '1.100', '1.000', '+10 %'],
      ['', 'again', '0.900', '1.000', '−10 %', '1.000', '1.000', '+0 %', 'ok'],
      ['a new one', '0.500', '–', '–', '2.000', '–', '–', 'unknown'],
    ]);
  });
});
