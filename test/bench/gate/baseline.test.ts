import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Baseline,
  baselineOf,
  readBaseline,
  recordRun,
  writeBaseline,
} from '../../../lab/bench/support/gate/baseline.ts';
import { pathSets } from '../../../lab/bench/support/gate/paths.ts';
import { checkout } from '../../support/run.ts';
import { makeFolder } from '../../support/services.ts';

const facts: Omit<Baseline, 'paths'> = {
  recorded: '2026-01-01T00:00:00.000Z',
  commit: 'abcdef12',
  machine: { cpu: 'one', cores: 2, memory_gb: 8, node: '20.20.2' },
  calibration: 24.1,
};
const run = (speed: number, cpu: number) => new Map([['a path', { speed, cpu }]]);

describe('the baseline of the gate', () => {
  it('has exactly the paths that run', () => {
    const { paths } = readBaseline(join(checkout, 'lab/bench/baseline.json'));
    const names = pathSets.flatMap((set) => set.paths.map(({ name }) => name));
    expect(Object.keys(paths).sort()).to.deep.equal(names.sort());
  });

  it('is the medians of its runs', () => {
    let baseline = recordRun(run(1, 10), facts, null, false);
    baseline = recordRun(run(3, 30), facts, baseline, true);
    baseline = recordRun(run(2, 50), facts, baseline, true);
    expect(baselineOf(baseline, 'a path')).to.deep.equal({ speed: 2, cpu: 30 });
    expect(baselineOf(baseline, 'another')).to.equal(null);
  });

  it('forgets earlier runs of a path that is recorded again, and keeps those of others', () => {
    const before = recordRun(
      new Map([...run(1, 1), ['other', { speed: 4, cpu: 4 }]]),
      facts,
      null,
      false,
    );
    const after = recordRun(run(9, 9), { ...facts, commit: 'later' }, before, false);
    expect(after.commit).to.equal('later');
    expect(baselineOf(after, 'a path')).to.deep.equal({ speed: 9, cpu: 9 });
    expect(baselineOf(after, 'other')).to.deep.equal({ speed: 4, cpu: 4 });
  });

  it('is read as it was written', async () => {
    const file = join(await makeFolder('baseline'), 'baseline.json');
    const baseline = recordRun(
      run(0.123456, 1),
      facts,
      recordRun(run(1, 1), facts, null, false),
      true,
    );
    writeBaseline(file, baseline);
    expect(readBaseline(file)).to.deep.equal(baseline);
    expect(await readFile(file, 'utf8')).to.include('"speed": [1, 0.123]');
  });

  it('is refused in another form', async () => {
    const file = join(await makeFolder('baseline'), 'baseline.json');
    for (const text of [
      'null',
      '{}',
      JSON.stringify({ ...facts, paths: { a: { speed: [], cpu: [1] } } }),
    ]) {
      await writeFile(file, text);
      expect(() => readBaseline(file), text).to.throw('is not a baseline');
    }
  });
});
