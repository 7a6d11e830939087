import { expect } from 'chai';
import {
  fontKinds,
  type LetterMap,
  permuteDigits,
  shiftLetters,
} from '../../../support/false-fonts.ts';
import { Judge, report, size, write } from './redacted.ts';

/* Text far from any box, in fonts that may draw other characters than they say. */

const lines = ['Statement of Ottilie Brandmair', 'Account 4417 6025 8813 9906'];

describe('checks of text away from boxes', () => {
  const judge = new Judge();
  before(() => judge.open());
  after(() => judge.close());

  /** A redacted page with lines in a font, all of which the remover claims to have read in the file. */
  async function failures(kind: string, says?: LetterMap): Promise<string[]> {
    const bytes = await write((sheet) => {
      const font = fontKinds[kind]?.(sheet.writer, 'F9', says);
      if (!font) throw new Error(`Unknown kind of font: '${kind}'.`);
      sheet.fonts = font.resource;
      sheet.below = lines
        .map((line, at) => `BT /F9 13 Tf 40 ${260 - 24 * at} Td ${font.show(line)} Tj ET\n`)
        .join('');
    });
    const own: [number, number, number, number] = [0, 0, size.width, size.height];
    const seen = { sure: [], own: [own] };
    return judge.failures(bytes, report({ seen }));
  }

  for (const kind of Object.keys(fontKinds)) {
    it(`pass it if it is what it says: ${kind}`, async () => {
      expect(await failures(kind)).to.deep.equal([]);
    });

    it(`do not count it as read if it is not: ${kind}`, async () => {
      for (const says of [shiftLetters(2), permuteDigits]) {
        expect((await failures(kind, says)).join()).to.include('unread_text');
      }
    });
  }
});
