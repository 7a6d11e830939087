import { expect } from 'chai';
import { readRtf } from '../../../packages/documents/src/normalize/kinds/rtf/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

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

  const roles = (body: string): string[][] =>
    read(body).blocks.map((block) => [block.role, 'text' in block ? block.text : '']);

  it('has headers before and footers after, each once, with their tables', () => {
    expect(
      roles(
        '{\\header\\pard Harbour Board\\par}{\\footer\\trowd\\cellx100\\cellx200\\pard\\intbl Account\\cell 4711\\cell\\row}' +
          '\\pard Text\\par\\sect{\\headerl Harbour Board\\par}{\\headerr\\pard Right pages\\par}\\pard More\\par',
      ),
    ).to.deep.equal([
      ['page_header', 'Harbour Board'],
      ['page_header', 'Right pages'],
      ['paragraph', 'Text'],
      ['paragraph', 'More'],
      ['page_footer', 'Account\t4711'],
    ]);
    expect(roles('{\\header\\pard Closed until Friday\\par}\\pard\\par')).to.deep.equal([
      ['page_header', 'Closed until Friday'],
    ]);
  });

  it('has the text of boxes once, of new and of old drawings, and what embedded objects show', () => {
    const shape =
      '{\\shp{\\*\\shpinst\\shpleft0{\\sp{\\sn pName}{\\sv Box 1}}{\\shptxt\\pard In a box\\par}}{\\shprslt{\\*\\do\\dptxbx{\\dptxbxtext\\pard In a box\\par}}}}';
    expect(markdown(`\\pard Anchor${shape} goes on\\par`)).to.equal('In a box\n\nAnchor goes on');
    expect(markdown('\\pard{\\*\\do\\dptxbx{\\dptxbxtext\\pard Old box\\par}}Text\\par')).to.equal(
      'Old box\n\nText',
    );
    const object =
      '{\\object\\objemb{\\*\\objclass Sheet}{\\*\\objdata 0105}{\\result\\pard Total 9\\par}}';
    expect(markdown(`\\pard ${object}\\par`)).to.equal('Total 9');
    expect(
      markdown(`\\trowd\\cellx9\\cellx19\\pard\\intbl a${shape}\\cell b\\cell\\row\\pard z\\par`),
    ).to.contain('In a box');
  });

  it('reports destinations with text that are not read, and no others', () => {
    // All destinations of version 1.9.1, by its index.
    const known =
      `aftncn aftnsep aftnsepc atndate atnicn atnid atnparent atnref atntime atrfend atrfstart
      author background bkmkend bkmkstart blipuid buptim category colorschememapping colortbl comment company
      creatim datafield datastore defchp defpap doccomm docvar ebcend ebcstart factoidname falt fchars
      ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext ffname ffstattext file filetbl fldtype fname fontemb
      fontfile ftncn ftnsep ftnsepc generator gridtbl hl hlfr hlinkbase hlloc hlsrc hsv htmltag info
      keycode keywords latentstyles lchars levelnumbers leveltext lfolevel linkval list listlevel listname
      listoverride listoverridetable listpicture liststylename listtable lsdlockedexcept mailmerge manager
      mathPr mhtmltag mmaddfieldname mmconnectstr mmconnectstrdata mmdatasource mmheadersource mmmailsubject
      mmodso mmodsofilter mmodsofldmpdata mmodsomappedname mmodsoname mmodsorecipdata mmodsosort mmodsosrc
      mmodsotable mmodsoudl mmodsoudldata mmodsouniquetag mmquery nesttableprops nextfile nonesttables
      objalias objclass objname objsect objtime oldcprops oldpprops oldsprops oldtprops oleclsid operator
      panose password passwordhash pgp pgptbl picprop pntxta pntxtb pnseclvl printim private propname protend
      protstart protusertbl pxe revtbl revtim rsidtbl rxe staticval stylesheet subject svb tc template
      themedata txe ud userprops wgrffmtfilter windowcaption writereservation writereservhash xe xform
      xmlattrname xmlattrvalue xmlclose xmlname xmlnstbl xmlopen`.split(/\s+/);
    const unread = (name: string) => read(`\\pard Text{\\*\\${name} words}\\par`).unread;
    expect(known.filter((name) => unread(name)?.length !== 0)).to.deep.equal([]);
    for (const name of ['objdata', 'moMath', 'moMathPara', 'ffl', 'somethingnew']) {
      expect(unread(name)).to.deep.equal([name]);
    }
    expect(read('\\pard{\\*\\somethingnew{\\inner}}\\par').unread).to.deep.equal([]);
    for (const name of known) {
      expect(markdown(`\\pard Text{\\*\\${name} words}\\par`)).to.equal('Text');
    }
  });

  it('is decoded by the code pages of DOS', () => {
    const dos = (head: string, bytes: string) =>
      readRtf(Buffer.from(`{\\rtf1${head} ${bytes}\\par}`, 'latin1')).blocks[0];
    expect(dos('\\pc', "M\\'81\\'e1ig \\'9e")).to.include({ text: 'Müßig ₧' });
    expect(dos('\\pca', "M\\'81\\'e1ig \\'9e")).to.include({ text: 'Müßig ×' });
    expect(dos('\\ansi\\ansicpg852', "P\\'fd\\'a1kaz")).to.include({ text: 'Příkaz' });
  });

  it('reports hidden text, not deleted text', () => {
    expect(read('\\pard a{\\v secret}\\par').unread).to.deep.equal(['hidden text']);
    expect(read('\\pard a{\\v  }{\\deleted gone}\\par').unread).to.deep.equal([]);
  });
});
