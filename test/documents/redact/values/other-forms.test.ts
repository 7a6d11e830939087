import { createValueSearch } from '@scriptorium/documents/redact/values/seek';
import { createUsage } from '@scriptorium/documents/redact/values/usage';
import { expect } from 'chai';
import type { FoundValue } from '../../../../packages/documents/src/redact/values/doubtful-values.ts';

const found: readonly FoundValue[] = [
  { type: 'PERSON', value: 'Teunis A. Oudekerk', score: 0.95 },
  { type: 'PERSON', value: 'J. de Vriesma', score: 0.95 },
  { type: 'ADDRESS', value: 'Achter de Vest 17 b 7411 AA Deventer', score: 0.95 },
  { type: 'ADDRESS', value: '14 Tannery Lane', score: 0.95 },
  { type: 'PHONE_NUMBER', value: '+351 915 550 417', score: 0.95 },
  { type: 'PERSONAL_ID', value: '2026-0041773', score: 0.95 },
];

/** A text with what is sought in brackets. */
function marked(text: string): string {
  const usage = createUsage(found);
  usage.record(text);
  return createValueSearch(found, usage)
    .find(text)
    .reduceRight(
      (rest, { start, end }) =>
        `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
      text,
    );
}

describe('other forms of found values', () => {
  const cases: readonly [title: string, texts: readonly string[]][] = [
    [
      'are initials of three names or more',
      ['Regards, [T.A.O.]', 'See T.A. and B.A.O. in the U.S.A.'],
    ],
    [
      'are account names with a part of a name',
      [
        'Hi [teunis1990x], or [oudekerk_t], [jdevriesma62]',
        'at site/in/[teunis-oudekerk]',
        'Not well-known, v1990.',
      ],
    ],
    [
      'are names that differ by a letter',
      ['Signed [OUDKERK], [OUDEKERC], [Oudekerrk]', 'An Oudewater cheese'],
    ],
    [
      'are other houses of a street',
      [
        'He left [Achter de Vest 19] at nine.',
        'From [16 Tannery Lane] on',
        'All of Tannery Lane, Achter de Vest',
      ],
    ],
    [
      'are numbers in other groups, or without their prefix',
      ['Call [915550417] or [00351 915550417].', 'File [0041773/26]', 'Not 915550418, nor 41773.'],
    ],
  ];
  for (const [title, texts] of cases) {
    it(title, () => {
      for (const text of texts) expect(marked(text.replace(/[[\]]/g, ''))).to.equal(text);
    });
  }

  it('are not claimed to be gone from the whole file', () => {
    const { claims, find } = createValueSearch(found, createUsage(found));
    expect(claims.map(({ value }) => value)).not.to.include('T.A.O.');
    expect(find('T.A.O.').map(({ here }) => here)).to.deep.equal([true]);
  });

  it('hide no claimed value that they contain', () => {
    const claimed: FoundValue[] = [
      ...found,
      { type: 'ADDRESS', value: 'Tannery Lane', score: 0.95 },
    ];
    const hits = createValueSearch(claimed, createUsage(claimed)).find('16 Tannery Lane');
    expect(hits.map(({ start, end, here }) => [start, end, here])).to.deep.equal([[0, 15, false]]);
  });

  it('take linear time on hostile text', () => {
    for (const text of [
      '1'.repeat(200_000),
      '1 '.repeat(100_000),
      'A.'.repeat(100_000),
      'a1-'.repeat(60_000),
    ])
      expect(marked(text).length).to.be.at.least(text.length);
  });
});
