import { expect } from 'chai';
import { readRtf } from '../../../src/engines/normalize/kinds/rtf/index.ts';
import { markdownOf } from '../../../src/engines/normalize/write/markdown.ts';

const read = (body: string) =>
  readRtf(
    Buffer.from(
      `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Gothic;}}{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0 heading 1;}{\\*\\cs2 Strong;}}{\\info{\\title The report}{\\author Ann Author}}${body}}`,
      'latin1',
    ),
  );
const markdown = (body: string): string => [...markdownOf(read(body).blocks)].join('').trimEnd();

describe('normalised Rich Text Format', () => {
  it('has headings, formatting and links, without hidden text and tables of the file', () => {
    expect(read('\\pard text\\par').title).to.equal('The report');
    expect(
      markdown(
        '{\\header page head\\par}\\pard\\s1 Start\\par\\pard\\plain Some {\\b bold} and {\\i slanted}{\\v hidden}{\\deleted gone} text,\\line next.\\par' +
          '{\\field{\\*\\fldinst{HYPERLINK "https://example.org/"}}{\\fldrslt{the site}}} {\\pict\\pngblip 89504e47}\\par\\pard\\outlinelevel1 Deeper\\par',
      ),
    ).to.equal(
      '# Start\n\nSome **bold** and *slanted* text,  \nnext.\n\n<!-- image -->\n\n[the site](https://example.org/)\n\n## Deeper',
    );
  });

  it('reads letters by code page, by font, by two bytes and as Unicode', () => {
    expect(
      markdown("\\pard caf\\'e9 \\'80 {\\f1 \\'cf\\'f0\\'e8} {\\f2 \\'93\\'fa\\'96\\'7b}\\par"),
    ).to.equal('café € При 日本');
    expect(
      markdown('\\pard \\uc1\\u8364 ?5 {\\uc2\\u960 xy}\\u-10179?\\u-8704?\\emdash\\par'),
    ).to.equal('€5 π😀—');
  });

  it('has lists, tables with merged cells, notes and comments', () => {
    expect(
      markdown(
        "\\pard{\\listtext\\'95\\tab}one\\par{\\pntext 2.\\tab}two\\par" +
          '\\trowd\\cellx100\\cellx200\\pard\\intbl A\\cell B\\cell\\row\\trowd\\clmgf\\cellx100\\clmrg\\cellx200\\pard\\intbl all\\cell\\cell\\row' +
          '\\pard See{\\super\\chftn{\\footnote\\pard The note.}} this{\\*\\atnauthor Ada}\\chatn{\\*\\annotation\\pard Why?}.\\par',
      ),
    ).to.equal(
      '- one\n\n2. two\n\n| A | B |\n| - | - |\n| all | all |\n\nSee[^1] this[^c1].\n\n[^1]: The note.\n\n[^c1]: Ada: Why?',
    );
  });

  it('is bounded, and rejects other files', () => {
    expect(() => read('{'.repeat(2000))).to.throw(/nested deeper/);
    expect(() => readRtf(Buffer.from('no rtf'))).to.throw(/not Rich Text/);
    expect(markdown("\\bin99999999 x\\'")).to.equal('');
  });
});
