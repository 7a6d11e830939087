import { expect } from 'chai';
import type { PiiFinding } from '../../packages/pii/src/finding.ts';
import { reconcile } from '../../packages/pii/src/labels/reconcile.ts';

const finding = (type: PiiFinding['type'], start: number, end: number): PiiFinding => ({
  type,
  start,
  end,
  score: 0.9,
});

describe('labelled and other findings', () => {
  const isNumber = ({ type }: PiiFinding): boolean => type !== 'PERSON' && type !== 'ADDRESS';
  const coveredUnits = (findings: readonly PiiFinding[]): Set<number> =>
    new Set(
      findings.flatMap(({ start, end }) =>
        Array.from({ length: end - start }, (_, at) => start + at),
      ),
    );

  it('leave no digit of a number that overlaps a labelled one, if another contains that one', () => {
    const reconciled = reconcile(
      [finding('PERSONAL_ID', 8, 15)],
      [finding('PHONE_NUMBER', 0, 10), finding('CREDIT_CARD', 8, 20)],
      isNumber,
    );
    expect(coveredUnits(reconciled).size).to.equal(20);
  });

  it('keep a name that is the whole value of a label for an address', () => {
    const name = finding('PERSON', 7, 26);
    const address = finding('ADDRESS', 7, 26);
    expect(reconcile([address], [name], isNumber)).to.deep.include(name);
  });
});
