import { strToU8, zipSync } from 'fflate';
import { mimes } from './redact-kinds.ts';

/** A part of an Office file: its XML or bytes, its content type, and what it refers to. */
export interface OfficePart {
  type?: string;
  body: string | Uint8Array;
  /** `rId` → kind of relationship and target; a target with a scheme is outside. */
  rels?: Record<string, [kind: string, target: string]>;
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const ns = {
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  x: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  r: office,
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  c: 'http://schemas.openxmlformats.org/drawingml/2006/chart',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  xdr: 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
  v: 'urn:schemas-microsoft-com:vml',
  o: 'urn:schemas-microsoft-com:office:office',
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
};

export const xmlns = (...prefixes: (keyof typeof ns)[]): string =>
  prefixes.map((prefix) => `xmlns:${prefix}="${ns[prefix]}"`).join(' ');

/** Writes a package; `''` is its own list of relationships. */
export function officeFile(parts: Record<string, OfficePart>): Uint8Array {
  const files: Record<string, Uint8Array> = {};
  const types: string[] = [];
  for (const [name, { body, type, rels }] of Object.entries(parts)) {
    if (name !== '') files[name] = typeof body === 'string' ? strToU8(body) : body;
    if (type) types.push(`<Override PartName="/${name}" ContentType="${type}"/>`);
    if (!rels) continue;
    const slash = name.lastIndexOf('/') + 1;
    const list = Object.entries(rels).map(([id, [kind, target]]) => {
      const mode = /^[a-z]+:/.test(target) ? ' TargetMode="External"' : '';
      return `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"${mode}/>`;
    });
    files[`${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`] = strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`,
    );
  }
  const content = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="bin" ContentType="application/octet-stream"/>${types.join('')}</Types>`;
  return zipSync({ '[Content_Types].xml': strToU8(content), ...files });
}

const mainType = (mime: string): string => `${mime}.main+xml`;

/** A Word document with a body, and whatever else is given. */
export function docx(
  body: string,
  {
    rels = {},
    parts = {},
    root = {},
  }: {
    rels?: NonNullable<OfficePart['rels']>;
    parts?: Record<string, OfficePart>;
    root?: NonNullable<OfficePart['rels']>;
  } = {},
): Uint8Array {
  const names = xmlns('w', 'r', 'a', 'c', 'wp', 'pic', 'mc', 'wps', 'v', 'o', 'w14', 'm');
  return officeFile({
    '': { body: '', rels: { rId1: ['officeDocument', 'word/document.xml'], ...root } },
    'word/document.xml': {
      type: mainType(mimes.docx),
      body: `<?xml version="1.0" encoding="UTF-8"?><w:document ${names}><w:body>${body}</w:body></w:document>`,
      rels,
    },
    ...parts,
  });
}

/** A run of text, and a paragraph of runs. */
export const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
export const paragraph = (...runs: string[]): string => `<w:p>${runs.join('')}</w:p>`;

/** A workbook of sheets given by their XML (rows, then what follows them), and whatever else. */
export function xlsx(
  sheets: Record<
    string,
    {
      rows: string;
      after?: string;
      before?: string;
      state?: string;
      rels?: NonNullable<OfficePart['rels']>;
    }
  >,
  {
    strings = '',
    workbook = '',
    styles = '',
    rels = {},
    parts = {},
    root = {},
  }: {
    strings?: string;
    workbook?: string;
    styles?: string;
    rels?: NonNullable<OfficePart['rels']>;
    parts?: Record<string, OfficePart>;
    root?: NonNullable<OfficePart['rels']>;
  } = {},
): Uint8Array {
  const kind = (name: string): string =>
    `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;
  const entries = Object.entries(sheets);
  const list = entries.map(
    ([name, { state }], index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const main = `xmlns="${ns.x}" ${xmlns('r')}`;
  const files: Record<string, OfficePart> = {
    '': { body: '', rels: { rId1: ['officeDocument', 'xl/workbook.xml'], ...root } },
    'xl/workbook.xml': {
      type: mainType(mimes.xlsx),
      body: `<workbook ${main}><sheets>${list.join('')}</sheets>${workbook}</workbook>`,
      rels: {
        ...Object.fromEntries(
          entries.map((_, index): [string, [string, string]] => [
            `rId${index + 1}`,
            ['worksheet', `worksheets/sheet${index + 1}.xml`],
          ]),
        ),
        rIdStrings: ['sharedStrings', 'sharedStrings.xml'],
        rIdStyles: ['styles', 'styles.xml'],
        ...rels,
      },
    },
    'xl/sharedStrings.xml': {
      type: kind('sharedStrings'),
      body: `<sst xmlns="${ns.x}">${strings}</sst>`,
    },
    'xl/styles.xml': {
      type: kind('styles'),
      body: `<styleSheet xmlns="${ns.x}">${styles}</styleSheet>`,
    },
    ...parts,
  };
  entries.forEach(([, { rows, after = '', before = '', rels: own }], index) => {
    files[`xl/worksheets/sheet${index + 1}.xml`] = {
      type: kind('worksheet'),
      body: `<worksheet ${main}>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
      ...(own ? { rels: own } : {}),
    };
  });
  return officeFile(files);
}
