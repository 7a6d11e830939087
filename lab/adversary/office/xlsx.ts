import { type Maker, textOfLine } from '../../../test/support/corpus/maker.ts';
import { ns, xlsx } from '../../../test/support/office.ts';
import { mimes } from '../../../test/support/redact-kinds.ts';
import { makeLines, type Trick } from '../trick.ts';

type Book = Parameters<typeof xlsx>;
type Hide = (texts: readonly string[], maker: Maker) => { sheets: Book[0]; rest?: Book[1] };

const cell = (name: string, text: string, style = ''): string =>
  `<c r="${name}" t="inlineStr"${style}><is><t xml:space="preserve">${text}</t></is></c>`;
const rowsOf = (texts: readonly string[], row = '', style = ''): string =>
  texts
    .map((text, at) => `<row r="${at + 1}"${row}>${cell(`A${at + 1}`, text, style)}</row>`)
    .join('');
const singleSheet = (rows: string, more: Partial<Book[0][string]> = {}) => ({
  One: { rows, ...more },
});
/** A font and a format for cells of style 1. */
const styles = (fonts: string, formats: string, xf: string): string =>
  `${formats}<fonts count="2"><font/><font>${fonts}</font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf ${xf}/></cellXfs>`;
const numberFormat = (id: number, code: string): string =>
  `<numFmts count="1"><numFmt numFmtId="${id}" formatCode="${code}"/></numFmts>`;
const sheetType = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml`;

const hidingMethods: Record<string, Hide> = {
  'hidden sheet': (texts, maker) => ({
    sheets: {
      One: { rows: rowsOf([maker.filler(3)]) },
      Two: { rows: rowsOf(texts), state: 'hidden' },
      Three: { rows: rowsOf([maker.filler(2)]), state: 'veryHidden' },
    },
  }),
  'hidden rows': (texts) => ({ sheets: singleSheet(rowsOf(texts, ' hidden="1"')) }),
  'hidden column': (texts) => ({
    sheets: singleSheet(rowsOf(texts), {
      before: '<cols><col min="1" max="1" width="0" hidden="1"/></cols>',
    }),
  }),
  'white font': (texts) => ({
    sheets: singleSheet(rowsOf(texts, '', ' s="1"')),
    rest: { styles: styles('<color rgb="FFFFFFFF"/>', '', 'fontId="1" applyFont="1"') },
  }),
  'format that hides': (texts) => ({
    sheets: singleSheet(rowsOf(texts, '', ' s="1"')),
    rest: { styles: styles('', numberFormat(164, ';;;'), 'numFmtId="164" applyNumberFormat="1"') },
  }),
  'format that says': (texts) => ({
    sheets: singleSheet('<row r="1"><c r="A1" s="1"><v>1</v></c></row>'),
    rest: {
      styles: styles(
        '',
        numberFormat(164, `&quot;${texts.join(' ')}&quot;`),
        'numFmtId="164" applyNumberFormat="1"',
      ),
    },
  }),
  'result of a formula': (texts) => ({
    sheets: singleSheet(
      texts
        .map(
          (text, at) =>
            `<row r="${at + 1}"><c r="A${at + 1}" t="str"><f>B1&amp;C1</f><v>${text}</v></c></row>`,
        )
        .join(''),
    ),
  }),
  'text in a formula': (texts) => ({
    sheets: singleSheet(
      texts
        .map(
          (text, at) =>
            `<row r="${at + 1}"><c r="A${at + 1}" t="str"><f>IF(1=2,"${text}","no")</f><v>no</v></c></row>`,
        )
        .join(''),
    ),
  }),
  'letters joined by a formula': (texts) => ({
    sheets: singleSheet(
      texts
        .map(
          (text, at) =>
            `<row r="${at + 1}"><c r="A${at + 1}" t="str"><f>${[...text].map((letter) => `"${letter}"`).join('&amp;')}</f><v>x</v></c></row>`,
        )
        .join(''),
    ),
  }),
  comment: (texts) => ({
    sheets: singleSheet(rowsOf(['Noted.']), { rels: { rId9: ['comments', '../comments1.xml'] } }),
    rest: {
      parts: {
        'xl/comments1.xml': {
          type: sheetType('comments'),
          body: `<comments xmlns="${ns.x}"><authors><author>A</author></authors><commentList><comment ref="A1" authorId="0"><text><t>${texts.join('\n')}</t></text></comment></commentList></comments>`,
        },
      },
    },
  }),
  'defined name': (texts) => ({
    sheets: singleSheet(rowsOf(['Noted.'])),
    rest: {
      workbook: `<definedNames>${texts.map((text, at) => `<definedName name="n${at}">"${text}"</definedName>`).join('')}</definedNames>`,
    },
  }),
  'list of a validation': (texts) => ({
    sheets: singleSheet(rowsOf(['Choose.']), {
      after: `<dataValidations count="1"><dataValidation type="list" sqref="A1" promptTitle="p" prompt="${texts[0]}"><formula1>"${texts.at(-1)?.replaceAll(',', ' ')}"</formula1></dataValidation></dataValidations>`,
    }),
  }),
  'header of a sheet': (texts) => ({
    sheets: singleSheet(rowsOf(['Noted.']), {
      after: `<headerFooter><oddHeader>&amp;L${texts[0]}</oddHeader><firstFooter>&amp;C${texts.at(-1)}</firstFooter></headerFooter>`,
    }),
  }),
  'shared string that no cell uses': (texts) => ({
    sheets: singleSheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
    rest: {
      strings: `<si><t>Noted.</t></si>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}`,
    },
  }),
  'phonetic run': (texts) => ({
    sheets: singleSheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
    rest: {
      strings: `<si><t>Noted.</t><rPh sb="0" eb="2"><t>${texts.join(' ')}</t></rPh></si>`,
    },
  }),
  'runs of a string': (texts) => ({
    sheets: singleSheet(
      texts
        .map((_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${at}</v></c></row>`)
        .join(''),
    ),
    rest: {
      strings: texts
        .map(
          (text) =>
            `<si>${[...text].map((letter) => `<r><t xml:space="preserve">${letter}</t></r>`).join('')}</si>`,
        )
        .join(''),
    },
  }),
  'cell beside its label': (texts) => ({
    sheets: singleSheet(
      texts
        .map((text, at) => {
          const [label = '', value = ''] = text.split(/(?<=: )/);
          return `<row r="${at + 1}">${cell(`A${at + 1}`, label)}${cell(`B${at + 1}`, value)}</row>`;
        })
        .join(''),
    ),
  }),
  'escaped letters': (texts) => ({
    sheets: singleSheet(
      rowsOf(
        texts.map((text) =>
          text.replace(/\d/g, (digit) => `_x00${digit.charCodeAt(0).toString(16)}_`),
        ),
      ),
    ),
  }),
  'cache of another workbook': (texts) => ({
    sheets: singleSheet(rowsOf(['Noted.'])),
    rest: {
      workbook: '<externalReferences><externalReference r:id="rIdExternal"/></externalReferences>',
      rels: { rIdExternal: ['externalLink', 'externalLinks/externalLink1.xml'] },
      parts: {
        'xl/externalLinks/externalLink1.xml': {
          type: sheetType('externalLink'),
          body: `<externalLink xmlns="${ns.x}"><externalBook><sheetDataSet><sheetData sheetId="0">${texts.map((text, at) => `<row r="${at + 1}"><cell r="A${at + 1}" t="str"><v>${text}</v></cell></row>`).join('')}</sheetData></sheetDataSet></externalBook></externalLink>`,
        },
      },
    },
  }),
  'cache of a pivot table': (texts) => ({
    sheets: singleSheet(rowsOf(['Noted.'])),
    rest: {
      workbook: '<pivotCaches><pivotCache cacheId="1" r:id="rIdPivot"/></pivotCaches>',
      rels: { rIdPivot: ['pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml'] },
      parts: {
        'xl/pivotCache/pivotCacheDefinition1.xml': {
          type: sheetType('pivotCacheDefinition'),
          body: `<pivotCacheDefinition xmlns="${ns.x}"><cacheSource type="worksheet"><worksheetSource ref="A1:A2" sheet="One"/></cacheSource><cacheFields count="1"><cacheField name="f"><sharedItems>${texts.map((text) => `<s v="${text}"/>`).join('')}</sharedItems></cacheField></cacheFields></pivotCacheDefinition>`,
        },
      },
    },
  }),
  'text box': (texts) => ({
    sheets: singleSheet(rowsOf(['Noted.']), {
      after: '<drawing r:id="rId8"/>',
      rels: { rId8: ['drawing', '../drawings/drawing1.xml'] },
    }),
    rest: {
      parts: {
        'xl/drawings/drawing1.xml': {
          type: 'application/vnd.openxmlformats-officedocument.drawing+xml',
          body: `<xdr:wsDr xmlns:xdr="${ns.xdr}" xmlns:a="${ns.a}"><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>1</xdr:row></xdr:from><xdr:to><xdr:col>5</xdr:col><xdr:row>5</xdr:row></xdr:to><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="Box"/><xdr:cNvSpPr txBox="1"/></xdr:nvSpPr><xdr:spPr/><xdr:txBody><a:bodyPr/>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`,
        },
      },
    },
  }),
};

const tricks = Object.entries(hidingMethods).map(
  ([name, hide]): Trick => ({
    name: `xlsx ${name}`,
    build(maker, isHonest) {
      const texts = makeLines(maker, name).map(textOfLine);
      const { sheets, rest } = isHonest
        ? { sheets: singleSheet(rowsOf(texts)) }
        : hide(texts, maker);
      return { mime: mimes.xlsx, bytes: xlsx(sheets, rest) };
    },
  }),
);

/** Numbers that only their format makes readable. */
const formattedNumbers: Trick = {
  name: 'xlsx numbers by their format',
  build(maker, isHonest) {
    const rows: string[] = [];
    for (let row = 1; row <= 3; row += 1) {
      const line = maker.line(
        { channel: 'number with a format', page: 1, types: ['US_SSN', 'CREDIT_CARD'] },
        false,
      );
      const [label, value] = [line[0]!.text, line[1]!.text];
      const digits = value.replace(/\D/g, '');
      const shown = isHonest ? cell(`B${row}`, value) : `<c r="B${row}" s="1"><v>${digits}</v></c>`;
      rows.push(`<row r="${row}">${cell(`A${row}`, label)}${shown}</row>`);
    }
    const format = numberFormat(164, '[&lt;=999999999]000\\-00\\-0000;0000\\ 0000\\ 0000\\ 0000');
    return {
      mime: mimes.xlsx,
      bytes: xlsx(singleSheet(rows.join('')), {
        styles: styles('', format, 'numFmtId="164" applyNumberFormat="1"'),
      }),
    };
  },
};

export const xlsxTricks: readonly Trick[] = [...tricks, formattedNumbers];
