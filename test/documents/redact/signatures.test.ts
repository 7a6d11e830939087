import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import { expect } from 'chai';
import { signingPlaces } from '../../../packages/documents/src/redact/find/signatures.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { sharedEngines } from '../../support/engines.ts';
import { type Handwriting, type Mark, renderSheet } from '../../support/handwriting.ts';

const hand: Handwriting = { size: 11, slant: 0.2, jitter: 0.15, pen: 1.4, isJoined: true };

const letter: Mark[] = [
  { kind: 'print', text: 'The parcel was handed over at the door in good order.', at: [50, 90] },
  { kind: 'print', text: 'Please keep this sheet until the end of the year.', at: [50, 110] },
  { kind: 'print', text: 'Signature', at: [50, 304] },
  { kind: 'rule', from: [50, 290], to: [250, 290] },
  { kind: 'signature', at: [70, 284], hand },
];

/** The letter, with a line written by hand far from the signature. */
const note: Mark[] = [
  ...letter,
  { kind: 'hand', text: 'meet us at nine', at: [60, 600], hand: { ...hand, size: 9 } },
];

describe('signatures in redactions', () => {
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signatures-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function typesCovered(
    options: Partial<OperationOptions<'redact_pii'>>,
    marks: readonly Mark[] = letter,
  ) {
    const path = join(folder, `source-${++files}`);
    const sheet = await renderSheet(marks, { dpi: 200 });
    await writeFile(path, await sheet.withMetadata({ density: 200 }).png().toBuffer());
    const made = await redactFile(
      sharedEngines(),
      { path, mime: 'image/png' },
      redactOptions({ entities: 'personal', ...options }),
      `${path}-made`,
    );
    expect(made.verified).to.equal(true);
    return made.report!.pages[0]!.regions;
  }

  it('are covered by the default profile', async () => {
    const regions = await typesCovered({});
    expect(regions.map(({ type }) => type)).to.deep.equal(['SIGNATURE']);
    const [x0, y0, x1, y1] = regions[0]!.box;
    expect([x0 < 80, x1 > 160, y0 < 262, y1 > 284]).to.deep.equal([true, true, true, true]);
  });

  it('stay with `keep`', async () => {
    expect(await typesCovered({ keep: ['SIGNATURE'] })).to.deep.equal([]);
  });

  it('are covered as unread writing if the listed kinds do not name them', async () => {
    const regions = await typesCovered({ entities: ['EMAIL_ADDRESS'] });
    expect(regions.every(({ type }) => type === 'UNREADABLE')).to.equal(true);
  });

  /** The types that cover the signature and the line written by hand. */
  async function coveredParts(options: Partial<OperationOptions<'redact_pii'>>) {
    const regions = await typesCovered(options, note);
    const typesIn = (isBelow: boolean): string[] => [
      ...new Set(regions.filter(({ box }) => box[1] > 400 === isBelow).map(({ type }) => type)),
    ];
    return { signature: typesIn(false), line: typesIn(true) };
  }

  it('are told apart from other lines written by hand', async () => {
    expect(await coveredParts({})).to.deep.equal({
      signature: ['SIGNATURE'],
      line: ['HANDWRITING'],
    });
  });

  it('stay with `keep`, while other lines written by hand are covered', async () => {
    expect(await coveredParts({ keep: ['SIGNATURE'] })).to.deep.equal({
      signature: [],
      line: ['HANDWRITING'],
    });
  });

  it('are covered if `keep` names only other writing by hand, which stays', async () => {
    expect(await coveredParts({ keep: ['HANDWRITING'] })).to.deep.equal({
      signature: ['SIGNATURE'],
      line: [],
    });
  });

  it('are listed without other lines written by hand, which are covered as unread writing', async () => {
    expect(await coveredParts({ entities: ['SIGNATURE'] })).to.deep.equal({
      signature: ['SIGNATURE'],
      line: ['UNREADABLE'],
    });
  });

  it('are expected around the words beside them', () => {
    const word = (text: string) =>
      ({ text, visible: true, box: [100, 100, 160, 110] }) as unknown as Parameters<
        typeof signingPlaces
      >[0][number];
    expect(signingPlaces([word('Unterschrift:'), word('Design')])).to.have.length(1);
  });
});
