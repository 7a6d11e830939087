import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Box } from '../../../packages/documents/src/results.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { sharedEngines } from '../../support/engines.ts';
import { type Mark, photographSheet, renderSheet } from '../../support/handwriting.ts';

/** A frame of rules. */
function frame([x0, y0, x1, y1]: Box): Mark[] {
  const corners = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ] as const;
  return corners.map(
    (from, at): Mark => ({ kind: 'rule', from: [...from], to: [...corners[(at + 1) % 4]!] }),
  );
}

/** A form with wide and narrow frames that are mostly empty. */
function form(): Mark[] {
  const sentences = [
    'The vehicle was inspected on the day of the sale.',
    'The buyer has read the conditions and accepts them.',
    'Both parties keep a copy of this form.',
  ];
  return [
    { kind: 'print', text: 'Sale of a used vehicle', at: [50, 60], size: 18, bold: true },
    ...[0, 1, 2, 3].flatMap((row): Mark[] => {
      const y = 90 + row * 46;
      return [
        ...frame([50, y, 290, y + 36]),
        ...frame([310, y, 550, y + 36]),
        { kind: 'print', text: ['Colour', 'Doors', 'Seats', 'Fuel'][row]!, at: [58, y + 22] },
        { kind: 'print', text: ['Maker', 'Model', 'Wheels', 'Tyres'][row]!, at: [318, y + 22] },
      ];
    }),
    ...sentences.map((text, at): Mark => ({ kind: 'print', text, at: [50, 310 + at * 16] })),
    ...[380, 480, 580].flatMap((y) => frame([50, y, 550, y + 80])),
  ];
}

describe('a scanned form', () => {
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scanned-forms-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Returns the boxes that cover unread text on a scan of a sheet. */
  async function coveredUnread(
    marks: readonly Mark[],
    photo: Parameters<typeof photographSheet>[1],
  ): Promise<Box[]> {
    const path = join(folder, `source-${++files}`);
    await writeFile(path, await photographSheet(await renderSheet(marks), photo));
    const source = { path, mime: 'image/jpeg' } as const;
    const made = await redactFile(sharedEngines(), source, redactOptions({}), `${path}-made`);
    expect(made.verified).to.equal(true);
    const { regions } = made.report!.pages[0]!;
    return regions.filter(({ type }) => type === 'UNREADABLE').map(({ box }) => box);
  }

  for (const tilt of [0.7, -1]) {
    it(`has no writing along its tilted, grainy rules (${tilt}°)`, async () => {
      const photo = { tilt, shadow: 0.35, grain: 14, quality: 75 };
      expect(await coveredUnread(form(), photo)).to.deep.equal([]);
    });
  }
});
