import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceMime, sourceMimes } from '@scriptorium/contracts/documents/sources';
import { epub } from '../../../test/support/books.ts';
import { families, makeFile, type PlantedSecret } from '../../../test/support/corpus/index.ts';
import { SecretSource, type SecretType } from '../../../test/support/corpus/secrets.ts';
import { heic } from '../../../test/support/heic.ts';
import { docx, paragraph, run, xlsx } from '../../../test/support/office.ts';
import {
  openDocument,
  sheet,
  slidePage,
  tableCell,
  textFrame,
  textParagraph,
} from '../../../test/support/open-document.ts';
import { cameraExif, quarteredPicture } from '../../../test/support/pictures.ts';
import { mimes } from '../../../test/support/redact-kinds.ts';
import {
  bornDigitalPdf,
  handmadePdf,
  imageOf,
  mixedPdf,
  multiPageTiff,
  scannedPdf,
} from '../../../test/support/samples.ts';
import { pptx, pptxMime } from '../../../test/support/slides.ts';

/** A whole file, to be damaged. */
export interface SeedFile {
  name: string;
  mime: string;
  /** Jobs take it. Other types are pictures of the library. */
  isDocument: boolean;
  bytes: Buffer;
  /** Values in it that recognisers find in any text. */
  planted: readonly string[];
}

/** The text in every generated file, except those of the corpus. */
const canary = 'frida.canary@harbour.example';
const lines = ['Minutes of the harbour board', `Write to ${canary} by 3 March.`, 'Crane 4 is due.'];
const text = `${lines.join('\n')}\n`;

/** Files of every kind that operations read. */
export async function builtInSeeds(): Promise<SeedFile[]> {
  const source = new SecretSource(1);
  const hidden = await Promise.all(families.map((family) => makeFile(family, 0, source)));
  const workbook = xlsx({
    One: { rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${lines[1]}</t></is></c></row>` },
  });
  const html = `<html><body><h1>${lines[0]}</h1><p>${lines[1]}</p><table><tr><td>1</td></tr></table></body></html>`;
  const mail = `From: a@harbour.example\nTo: ${canary}\nSubject: Minutes\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n${text}\n--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(html).toString('base64')}\n--b--\n`;
  const seeds: [string, SourceMime, Uint8Array | string][] = [
    ['text.pdf', 'application/pdf', await bornDigitalPdf([lines, lines])],
    ['scan.pdf', 'application/pdf', await scannedPdf([lines])],
    ['mixed.pdf', 'application/pdf', await mixedPdf([lines, lines])],
    ['hand.pdf', 'application/pdf', handmadePdf(`BT /F1 14 Tf 40 500 Td (${lines[1]}) Tj ET`)],
    ['page.png', 'image/png', await imageOf('png', lines, 72)],
    ['page.jpg', 'image/jpeg', await imageOf('jpeg', lines, 72)],
    ['page.webp', 'image/webp', await imageOf('webp', lines, 72)],
    ['pages.tiff', 'image/tiff', await multiPageTiff([lines, lines], 72)],
    ['letter.docx', mimes.docx, docx(lines.map((line) => paragraph(run(line))).join(''))],
    ['book.xlsx', mimes.xlsx, workbook],
    ['slides.pptx', pptxMime, pptx([{ title: 'Minutes', lines: [lines[1]!] }])],
    ['letter.odt', mimes.odt, openDocument('odt', lines.map(textParagraph).join(''))],
    ['book.ods', mimes.ods, openDocument('ods', sheet('One', tableCell(lines[1]!)))],
    ['slides.odp', mimes.odp, openDocument('odp', slidePage(textFrame(lines[1]!)))],
    ['book.epub', mimes.epub, epub(`<h1>${lines[0]}</h1><p>${lines[1]}</p>`)],
    ['page.html', 'text/html', html],
    [
      'page.md',
      'text/markdown',
      `# ${lines[0]}\n\n- ${lines[1]}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
    ],
    ['plain.txt', 'text/plain', text],
    ['table.csv', 'text/csv', `name,mail\nFrida,${canary}\n"a ""b""",c\n`],
    ['letter.rtf', 'application/rtf', `{\\rtf1\\ansi{\\fonttbl\\f0 Arial;}\\f0 ${lines[1]}\\par}`],
    ['data.json', mimes.json, JSON.stringify({ note: lines[1], list: [1, 'a'] })],
    ['data.xml', mimes.xml, `<notes by="Frida"><note>${lines[1]}</note></notes>`],
    [
      'drawing.svg',
      mimes.svg,
      `<svg xmlns="http://www.w3.org/2000/svg"><text>${lines[1]}</text></svg>`,
    ],
    ['mail.eml', 'message/rfc822', mail],
  ];
  return [
    ...seeds.map(([name, mime, bytes]) => seedOf(name, mime, Buffer.from(bytes), [canary])),
    ...hidden.map(({ name, pdf, secrets }) =>
      seedOf(
        `${name}.pdf`,
        'application/pdf',
        pdf,
        secrets.filter(isCertain).map(({ value }) => value),
      ),
    ),
    ...(await pictures()),
  ];
}

/** Kinds whose values are found without the surrounding words, which damage may change. */
const certainTypes: readonly SecretType[] = ['EMAIL_ADDRESS', 'IBAN_CODE', 'CREDIT_CARD'];
const isCertain = ({ findable, type }: PlantedSecret) => findable && certainTypes.includes(type);

function seedOf(
  name: string,
  mime: string,
  bytes: Buffer,
  planted: readonly string[] = [],
): SeedFile {
  return { name, mime, bytes, planted, isDocument: sourceMimes.some((one) => one === mime) };
}

/** Small pictures of every kind, with typical camera metadata. */
async function pictures(): Promise<SeedFile[]> {
  const picture = quarteredPicture(48, 32).withExif(cameraExif);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><style>rect{fill:red}</style><rect width="20" height="9"/><text x="2" y="20">${lines[0]}</text></svg>`;
  return [
    seedOf('photo.jpg', 'image/jpeg', await picture.clone().jpeg().toBuffer()),
    seedOf('photo.png', 'image/png', await picture.clone().png().toBuffer()),
    seedOf('photo.webp', 'image/webp', await picture.clone().webp().toBuffer()),
    seedOf('photo.tiff', 'image/tiff', await picture.clone().tiff().toBuffer()),
    seedOf('photo.avif', 'image/avif', await picture.clone().avif({ effort: 0 }).toBuffer()),
    seedOf('photo.heic', 'image/heic', heic),
    seedOf('photo.gif', 'image/gif', await picture.clone().gif().toBuffer()),
    seedOf('drawing.svg', 'image/svg+xml', Buffer.from(svg)),
  ];
}

const byExtension: Record<string, SourceMime> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
  docx: mimes.docx,
  xlsx: mimes.xlsx,
  pptx: pptxMime,
  odt: mimes.odt,
  ods: mimes.ods,
  odp: mimes.odp,
  epub: mimes.epub,
  html: 'text/html',
  htm: 'text/html',
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  rtf: 'application/rtf',
  eml: 'message/rfc822',
  json: mimes.json,
  xml: mimes.xml,
  svg: mimes.svg,
};
/** Larger files take longer but reach no additional code. */
const maxBytes = 1024 * 1024;

/** The files in folders whose names show their type. */
export function readSeeds(paths: readonly string[]): SeedFile[] {
  return paths.flatMap((path) => {
    if (statSync(path).isDirectory()) {
      return readSeeds(
        readdirSync(path)
          .sort()
          .map((name) => join(path, name)),
      );
    }
    const mime = byExtension[path.split('.').at(-1)!.toLowerCase()];
    if (!mime || statSync(path).size > maxBytes) return [];
    return [seedOf(path.split('/').at(-1)!, mime, readFileSync(path))];
  });
}
