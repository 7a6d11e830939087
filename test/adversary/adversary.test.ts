import { expect } from 'chai';
import { makeFile, tricks } from '../../lab/adversary/generate.ts';
import { provideTools } from '../../lab/adversary/judge/tools.ts';
import { knownLeaks } from '../../lab/adversary/known-leaks.ts';
import { describe as described, maxUnverifiedShare } from '../../lab/adversary/report.ts';
import { runAdversary, type Verdict } from '../../lab/adversary/run.ts';

describe('files that show one thing to people and another to programs', () => {
  let verdicts: readonly Verdict[] = [];
  before(async function () {
    const { isUnusable: isBlind } = await provideTools();
    if (isBlind) this.skip();
    verdicts = await runAdversary({ seed: 35, files: 24, keepFolder: '.data/adversary' });
  });

  it('have no planted value left that a person or a program can read, if they are called verified', () => {
    const left = verdicts.filter(
      ({ trick, leaks: left }) => left.length > 0 && !(trick in knownLeaks),
    );
    expect(left.map(described)).to.deep.equal([]);
    expect(verdicts.filter(({ fault }) => fault)).to.deep.equal([]);
    expect(verdicts).to.have.length(24);
    const seen = verdicts.reduce((sum, one) => sum + (one.readInSource ?? 0), 0);
    expect(seen).to.be.greaterThan(6);
  });

  for (const [trick, reason] of Object.entries(knownLeaks)) it(`${trick}: ${reason}`);

  it('have a verified redaction if they are honest', () => {
    const honest = verdicts.filter((one) => one.honest);
    const refused = honest.filter(({ verified }) => !verified);
    expect(refused.map(({ trick, reason }) => `${trick}: ${reason}`)).to.have.length.at.most(
      Math.floor(maxUnverifiedShare * honest.length),
    );
    expect(honest).to.have.length(6);
  });

  it('are made again from their seed and number', async () => {
    for (const at of [2, 5, 11, 31]) {
      const [one, other] = [await makeFile(7, at), await makeFile(7, at)];
      expect(one.bytes.equals(other.bytes), one.trick).to.equal(true);
      expect(one.secrets.map(({ value }) => value)).to.deep.equal(
        other.secrets.map(({ value }) => value),
      );
    }
  });

  it('have each a name of its own, of a trick that exists', () => {
    const names = tricks.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    expect(Object.keys(knownLeaks).filter((name) => !names.includes(name))).to.deep.equal([]);
  });
});
