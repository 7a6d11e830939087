import type { PagePlan } from '@scriptorium/documents/redact/contract/plan';
import {
  claimsOf,
  createClaimFinder,
  remainingText,
} from '@scriptorium/documents/redact/find/left-text';
import { expect } from 'chai';

type Box = [number, number, number, number];

/** A plan of one line of words, each 100 points wide, as they were recognised. */
function planOf(words: readonly string[], rest: Partial<PagePlan>): PagePlan {
  return {
    page: 1,
    widthPt: 600,
    heightPt: 800,
    removals: [],
    redactedText: words.join(' '),
    readings: [
      {
        source: 'ocr',
        text: words.join(' '),
        boxes: words.flatMap((_, at) => box(at).map((side) => side * 100)),
      },
    ],
    ...rest,
  };
}

const box = (at: number): Box => [at * 100, 10, at * 100 + 90, 20];

describe('the text that is left of a page', () => {
  it('has no word below a covered area, even if the value itself was read shorter', () => {
    const plan = planOf(['mail', 'terlouw', 'thuispost', 'today'], {
      removals: [
        {
          type: 'EMAIL_ADDRESS',
          score: 1,
          value: 'thuispost',
          boxes: [box(1), box(2)],
          source: 'ocr',
        },
      ],
    });
    expect(remainingText(plan, createClaimFinder(claimsOf(plan)))).to.equal(
      'mail [EMAIL_ADDRESS] today',
    );
  });

  it('has no word that was covered because it could not be read', () => {
    const plan = planOf(['for', 'Kowalleck', 'today'], { unreadable: [box(1)] });
    expect(remainingText(plan, () => [])).to.equal('for [UNREADABLE] today');
  });

  it('has no value that is gone from the whole file, wherever it is read', () => {
    const plan = planOf(['for', 'Kowalleck', 'today'], {});
    expect(
      remainingText(plan, createClaimFinder([{ type: 'PERSON', value: 'Kowalleck' }])),
    ).to.equal('for [PERSON] today');
  });

  it('is what was recognised if the fonts of the page are not believed', () => {
    const plan = planOf(['Kowalleck'], { doubted: true });
    const lying = { ...plan.readings![0]!, source: 'pdf' as const, text: 'Lpxbmmfdl' };
    expect(remainingText({ ...plan, readings: [lying, ...plan.readings!] }, () => [])).to.equal(
      'Kowalleck',
    );
  });
});
