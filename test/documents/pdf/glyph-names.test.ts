import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { textOfGlyphName } from '../../../packages/documents/src/pdf/glyph-names.ts';
import type { CorpusFont } from '../../support/corpus/fonts.ts';
import { literal, PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { pdfOfLines } from '../../support/false-fonts.ts';

const mime = 'application/pdf';

describe('names of glyphs', () => {
  let engines: Engines;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'names-'));
    engines = sharedEngines();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are read by the rules of the Adobe Glyph List', () => {
    const texts = {
      f_i: 'fi',
      f_f_i: 'ffi',
      t_t: 'tt',
      T_h: 'Th',
      'a.alt': 'a',
      'f_f.liga': 'ff',
      uni0107: 'ć',
      uni00660069: 'fi',
      u1F600: '😀',
      scaron: 'š',
      Lslash: 'Ł',
      three: '3',
      'seven.tnum': '7',
      fi: 'fi',
      adieresis_eacute: 'äé',
      '.notdef': '',
      g17: '',
      f_g17: '',
      uni12: '',
      uD800: '',
      u110000: '',
      '': '',
      constructor: '',
      a_constructor: '',
    };
    const read = Object.fromEntries(
      Object.keys(texts).map((name) => [name, textOfGlyphName(name)]),
    );
    expect(read).to.deep.equal(texts);
  });

  /** A page with ligatures that only their names tell, in an encoding of its own. */
  async function ligatures(): Promise<string> {
    const path = join(folder, 'ligatures.pdf');
    const writer = new PdfWriter();
    const number = writer.add(
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [4 /f_i /f_f_i /t_t] >> >>',
    );
    const font: CorpusFont = {
      resource: `/F1 ${ref(number)}`,
      name: 'F1',
      show: literal,
      isMapped: true,
      width: () => 0,
      codes: () => null,
    };
    const lines = ['The speci\x04cations of the o\x05cer', 'Ma\x06hew Gri\x05n'];
    const bytes = pdfOfLines(writer, [lines.map((line) => [font, line])]);
    await writeFile(path, bytes);
    return path;
  }

  it('give the letters of ligatures to text and to redaction', async () => {
    const path = await ligatures();
    const { text } = await engines.recognisePage({ path, mime, page: 1 }, callOptions);
    expect(text).to.equal('The specifications of the officer\nMatthew Griffin\n');
    const pattern = { name: 'NAME', pattern: 'Matthew\\s+Griffin', case_sensitive: false };
    const options = redactOptions({ entities: [], custom_patterns: [pattern] });
    const { planned, verified } = await redactFile(engines, { path, mime }, options, folder);
    expect([...planned]).to.deep.equal(['matthewgriffin']);
    expect(verified).to.equal(true);
  });
});
