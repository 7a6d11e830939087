import { expect } from 'chai';
import { provideTools } from '../../lab/adversary/judge/tools.ts';
import { knownLeaks } from '../../lab/adversary/known-leaks.ts';
import { describe as described, maxUnverifiedShare, report } from '../../lab/adversary/report.ts';
import { runAdversary } from '../../lab/adversary/run.ts';

const files = 200;
const seed = 2_026;

/**
 * As `script/adversary --files 200 --seed 2026`, which makes one of them again with `--from`. The nightly
 * workflow judges 2,000.
 */
describe('two hundred files of the adversary', () => {
  it('have no planted value left where they are called verified, and are verified where honest', async function () {
    this.timeout(3_600_000);
    const { isUnusable: isBlind, missing } = await provideTools();
    if (isBlind) this.skip();
    if (missing.length > 0) console.log(`missing judges: ${missing.join(', ')}`);
    const verdicts = await runAdversary({ seed, files, keepFolder: '.data/adversary' });
    for (const line of report(verdicts)) console.log(line);
    const left = verdicts.filter(
      ({ trick, leaks: left }) => left.length > 0 && !(trick in knownLeaks),
    );
    expect(left.map(described)).to.deep.equal([]);
    expect(verdicts.filter(({ fault }) => fault)).to.deep.equal([]);
    const honest = verdicts.filter((one) => one.honest);
    const refused = honest.filter((one) => !one.verified);
    expect(refused.length).to.be.at.most(maxUnverifiedShare * honest.length);
  });
});
