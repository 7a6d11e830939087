import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import {
  findingsToDecide,
  groupFindings,
} from '../../../packages/portal/reviews/workbench/side/groups.ts';

const finding = (id: string, decision: FindingRecord['decision']): FindingRecord => ({
  id,
  review_id: 'rev_1',
  version: 1,
  decision,
  type: 'PERSON',
  text: 'Ada Quill',
  source: 'detector',
  score: 0.9,
  page: 1,
  boxes: [],
  range: null,
  location: null,
  reason: null,
  removal: null,
  decided_by: null,
});

describe('a decision about a value', () => {
  const idsToDecide = (decisions: readonly FindingRecord['decision'][], current?: string) => {
    const findings = decisions.map((decision, at) => finding(`fnd_${at}`, decision));
    const [group] = groupFindings(findings, 'page');
    return findingsToDecide(
      group!,
      findings.find(({ id }) => id === current),
    ).map(({ id }) => id);
  };

  it('is about the pending places, and about all if they were decided alike', () => {
    expect(idsToDecide(['accepted', 'pending', 'pending'], 'fnd_0')).to.deep.equal([
      'fnd_1',
      'fnd_2',
    ]);
    expect(idsToDecide(['rejected', 'rejected'], 'fnd_0')).to.deep.equal(['fnd_0', 'fnd_1']);
  });

  it('does not overwrite places that were decided one by one', () => {
    expect(idsToDecide(['accepted', 'rejected', 'rejected'], 'fnd_0')).to.deep.equal(['fnd_0']);
  });
});
