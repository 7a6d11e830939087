import { type Maker, type TextLine, textOfLine } from '../../../test/support/corpus/maker.ts';
import { docx, type OfficePart, paragraph, run, xlsx } from '../../../test/support/office.ts';
import { mimes } from '../../../test/support/redact-kinds.ts';
import { makeLines, type Trick, trickTypes } from '../trick.ts';

interface HiddenText {
  body: string;
  rels?: NonNullable<OfficePart['rels']>;
  parts?: Record<string, OfficePart>;
  root?: NonNullable<OfficePart['rels']>;
}
type Hide = (text: string, maker: Maker, at: number) => HiddenText;

/** A document with plain text, and lines in a given form. */
function docxTrick(name: string, hide: Hide): Trick {
  return {
    name: `docx ${name}`,
    build(maker, isHonest) {
      const above = maker.prose({ channel: 'plain text', page: 1, types: trickTypes }, 4, 1);
      const lines = makeLines(maker, name);
      const content: HiddenText = { body: '', rels: {}, parts: {}, root: {} };
      lines.forEach((line, at) => {
        const text = textOfLine(line);
        const hiddenText = isHonest ? { body: paragraph(run(text)) } : hide(text, maker, at);
        content.body += hiddenText.body;
        Object.assign(content.rels!, hiddenText.rels);
        Object.assign(content.parts!, hiddenText.parts);
        Object.assign(content.root!, hiddenText.root);
      });
      const { body, ...rest } = content;
      return { mime: mimes.docx, bytes: docx(plainParagraphs(above) + body, rest) };
    },
  };
}

const plainParagraphs = (lines: readonly TextLine[]): string =>
  lines.map((line) => paragraph(run(textOfLine(line)))).join('');
const styledRun = (properties: string, text: string): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const changeAttributes = 'w:id="7" w:author="Editor" w:date="2024-01-01T00:00:00Z"';
const field = (code: string, result: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const box = (content: string): string =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="4000000" cy="600000"/><wp:docPr id="1" name="Box"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"/></wps:spPr><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
/** A part that the document refers to. */
const part = (
  kind: string,
  name: string,
  body: string | Uint8Array,
  type?: string,
): Pick<HiddenText, 'rels' | 'parts'> => ({
  rels: { [`rId${name.replace(/\W/g, '')}`]: [kind, name] },
  parts: { [`word/${name}`]: { body, ...(type ? { type } : {}) } },
});
const wordType = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;

const hidingMethods: Record<string, Hide> = {
  'result of a field': (text) => ({ body: paragraph(field('DATE', text)) }),
  'code of a field': (text, maker) => ({
    body: paragraph(field(`MERGEFIELD "${text}"`, maker.filler(3))),
  }),
  'simple field': (text, maker) => ({
    body: paragraph(
      `<w:fldSimple w:instr="QUOTE &quot;${text}&quot;">${run(maker.filler(2))}</w:fldSimple>`,
    ),
  }),
  'deleted text': (text) => ({
    body: paragraph(
      `<w:del ${changeAttributes}><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`,
    ),
  }),
  'inserted text': (text) => ({
    body: paragraph(`<w:ins ${changeAttributes}>${run(text)}</w:ins>`),
  }),
  'moved text': (text, maker) => ({
    body: paragraph(
      `<w:moveFrom ${changeAttributes}>${run(text)}</w:moveFrom>${run(maker.filler(3))}`,
    ),
  }),
  'value half deleted': (text) => ({
    body: paragraph(
      `${run(text.slice(0, -5))}<w:del ${changeAttributes}><w:r><w:delText>${maskOf(text)}</w:delText></w:r></w:del><w:ins ${changeAttributes}>${run(text.slice(-5))}</w:ins>`,
    ),
  }),
  'alternate content': (text, maker) => ({
    body: paragraph(
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:t>${maker.filler(3)}</w:t></mc:Choice><mc:Fallback><w:t xml:space="preserve">${text}</w:t></mc:Fallback></mc:AlternateContent></w:r>`,
    ),
  }),
  'choice of alternate content': (text, maker) => ({
    body: paragraph(
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:t xml:space="preserve">${text}</w:t></mc:Choice><mc:Fallback><w:t>${maker.filler(3)}</w:t></mc:Fallback></mc:AlternateContent></w:r>`,
    ),
  }),
  'hidden run': (text) => ({ body: paragraph(styledRun('<w:vanish/>', text)) }),
  'white run': (text) => ({ body: paragraph(styledRun('<w:color w:val="FFFFFF"/>', text)) }),
  'run of one point': (text) => ({ body: paragraph(styledRun('<w:sz w:val="2"/>', text)) }),
  'hidden style': (text) => ({
    body: `<w:p><w:pPr><w:pStyle w:val="Gone"/></w:pPr>${run(text)}</w:p>`,
    ...part(
      'styles',
      'styles.xml',
      `<w:styles xmlns:w="${wordNamespace}"><w:style w:type="paragraph" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`,
      wordType('styles'),
    ),
  }),
  'letter by letter': (text) => ({
    body: paragraph(...[...text].map((letter, at) => styledRun(at % 2 ? '<w:b/>' : '', letter))),
  }),
  'soft hyphens': (text) => ({
    body: paragraph(
      ...text.split(/(?<=\w{3})(?=\w)/).map((piece) => `${run(piece)}<w:r><w:softHyphen/></w:r>`),
    ),
  }),
  'non-breaking hyphens': (text) => ({
    body: paragraph(text.split('-').map(run).join('<w:r><w:noBreakHyphen/></w:r>')),
  }),
  'zero-width spaces': (text) => ({ body: paragraph(run([...text].join('\u200b'))) }),
  symbols: (text) => ({
    body: paragraph(
      ...[...text].map((letter) =>
        /\d/.test(letter)
          ? `<w:r><w:sym w:font="Arial" w:char="F0${letter.charCodeAt(0).toString(16)}"/></w:r>`
          : run(letter),
      ),
    ),
  }),
  'decoys between letters': (text, maker) => ({
    body: paragraph(
      ...[...text].map((letter) => run(letter) + styledRun('<w:vanish/>', String(maker.pick(10)))),
    ),
  }),
  'written from the right': (text) => ({
    body: paragraph(
      `<w:bdo w:val="rtl">${styledRun('<w:rtl/>', [...text].reverse().join(''))}</w:bdo>`,
    ),
  }),
  'text box': (text) => ({ body: paragraph(box(paragraph(run(text)))) }),
  'drawing description': (text, maker) => ({
    body: paragraph(
      run(maker.filler(3)),
      box(paragraph(run(maker.filler(2)))).replace('name="Box"', `name="Box" descr="${text}"`),
    ),
  }),
  'VML text': (text) => ({
    body: paragraph(
      `<w:r><w:pict><v:shape style="width:300pt;height:20pt"><v:textpath string="${text}" on="t"/></v:shape></w:pict></w:r>`,
    ),
  }),
  formula: (text) => ({
    body: paragraph(`<m:oMath><m:r><m:t xml:space="preserve">${text}</m:t></m:r></m:oMath>`),
  }),
  ruby: (text, maker) => ({
    body: paragraph(
      `<w:r><w:ruby><w:rt>${run(text)}</w:rt><w:rubyBase>${run(maker.filler(2))}</w:rubyBase></w:ruby></w:r>`,
    ),
  }),
  'content control': (text) => ({
    body: `<w:sdt><w:sdtPr><w:alias w:val="${text}"/><w:tag w:val="t"/></w:sdtPr><w:sdtContent>${paragraph(run('Text'))}</w:sdtContent></w:sdt>`,
  }),
  'list of a control': (text) => ({
    body: `<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="${text}" w:value="1"/></w:dropDownList></w:sdtPr><w:sdtContent>${paragraph(run('Choose'))}</w:sdtContent></w:sdt>`,
  }),
  'data behind a control': (text, _maker, at) => ({
    body: `<w:sdt><w:sdtPr><w:dataBinding w:xpath="/d/v${at}" w:storeItemID="{11111111-1111-1111-1111-111111111111}"/></w:sdtPr><w:sdtContent>${paragraph(run('Text'))}</w:sdtContent></w:sdt>`,
    rels: { [`rIdData${at}`]: ['customXml', `../customXml/item${at}.xml`] },
    parts: { [`customXml/item${at}.xml`]: { body: `<d><v${at}>${text}</v${at}></d>` } },
  }),
  comment: (text, _maker, at) => ({
    body: paragraph(run('Noted.'), `<w:r><w:commentReference w:id="${at}"/></w:r>`),
    ...part(
      'comments',
      `comments${at}.xml`,
      `<w:comments xmlns:w="${wordNamespace}"><w:comment w:id="${at}" w:author="A" w:date="2024-01-01T00:00:00Z">${paragraph(run(text))}</w:comment></w:comments>`,
      wordType('comments'),
    ),
  }),
  footnote: (text, _maker, at) => ({
    body: paragraph(run('Noted.'), `<w:r><w:footnoteReference w:id="${at}"/></w:r>`),
    ...part(
      'footnotes',
      `footnotes${at}.xml`,
      `<w:footnotes xmlns:w="${wordNamespace}"><w:footnote w:id="${at}">${paragraph(run(text))}</w:footnote></w:footnotes>`,
      wordType('footnotes'),
    ),
  }),
  header: (text, _maker, at) => ({
    body: `<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="rIdheader${at}xml"/></w:sectPr></w:pPr></w:p>`,
    ...part(
      'header',
      `header${at}.xml`,
      `<w:hdr xmlns:w="${wordNamespace}">${paragraph(run(text))}</w:hdr>`,
      wordType('header'),
    ),
  }),
  glossary: (text, _maker, at) => ({
    body: '',
    ...part(
      'glossaryDocument',
      `glossary${at}/document.xml`,
      `<w:glossaryDocument xmlns:w="${wordNamespace}"><w:docParts><w:docPart><w:docPartBody>${paragraph(run(text))}</w:docPartBody></w:docPart></w:docParts></w:glossaryDocument>`,
      wordType('document.glossary'),
    ),
  }),
  'altChunk of HTML': (text, _maker, at) => ({
    body: `<w:altChunk r:id="rIdchunk${at}html"/>`,
    ...part('aFChunk', `chunk${at}.html`, `<html><body><p>${text}</p></body></html>`, 'text/html'),
  }),
  'embedded document': (text, maker, at) => ({
    body: paragraph(
      `${run(maker.filler(2))}<w:object><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="s${at}" DrawAspect="Icon" ObjectID="o${at}" r:id="rIdembeddingsdoc${at}docx"/></w:object>`,
    ),
    ...part('package', `embeddings/doc${at}.docx`, docx(paragraph(run(text))), mimes.docx),
  }),
  'embedded workbook': (text, maker, at) => ({
    body: paragraph(run(maker.filler(2))),
    ...part(
      'package',
      `embeddings/book${at}.xlsx`,
      xlsx({
        One: { rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>` },
      }),
      mimes.xlsx,
    ),
  }),
  'part of an unknown kind': (text, maker, at) => ({
    body: paragraph(run(maker.filler(2))),
    ...part('unknownThing', `things/thing${at}.xml`, `<t>${text}</t>`, 'application/xml'),
  }),
  'part that nothing refers to': (text, maker, at) => ({
    body: paragraph(run(maker.filler(2))),
    parts: { [`word/stray${at}.xml`]: { body: `<t>${text}</t>`, type: 'application/xml' } },
  }),
  'document properties': (text, maker, at) => ({
    body: paragraph(run(maker.filler(2))),
    root: { [`rIdcore${at}`]: ['custom-properties', `docProps/custom${at}.xml`] },
    parts: {
      [`docProps/custom${at}.xml`]: {
        type: 'application/vnd.openxmlformats-officedocument.custom-properties+xml',
        body: `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="P"><vt:lpwstr>${text}</vt:lpwstr></property></Properties>`,
      },
    },
  }),
  'document variables': (text, maker) => ({
    body: paragraph(run(maker.filler(2))),
    ...part(
      'settings',
      'settings.xml',
      `<w:settings xmlns:w="${wordNamespace}"><w:docVars><w:docVar w:name="v" w:val="${text}"/></w:docVars></w:settings>`,
      wordType('settings'),
    ),
  }),
  'target of a link': (text, maker, at) => ({
    body: paragraph(`<w:hyperlink r:id="rIdLink${at}">${run(maker.filler(2))}</w:hyperlink>`),
    rels: {
      [`rIdLink${at}`]: ['hyperlink', `https://portal.example/?q=${encodeURIComponent(text)}`],
    },
  }),
  'cells of a table': (text) => ({
    body: `<w:tbl><w:tr>${cellsOf(text)
      .map((cell) => `<w:tc>${paragraph(run(cell))}</w:tc>`)
      .join('')}</w:tr></w:tbl>`,
  }),
  'comment of XML': (text, maker) => ({
    body: `<!-- ${text.replaceAll('--', '')} -->${paragraph(run(maker.filler(2)))}`,
  }),
};

/** Text deleted by an editor: the same number of letters, all equal. */
const maskOf = (text: string): string => 'x'.repeat(Math.min(5, text.length));
/** A label and its value. */
const cellsOf = (text: string): string[] => text.split(/(?<=: )/);

export const docxTricks: readonly Trick[] = Object.entries(hidingMethods).map(([name, hide]) =>
  docxTrick(name, hide),
);
