import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { isAllowedAction } from './annotations.ts';
import { faultsOfPage } from './page-clauses.ts';
import { dictAt, has, itemsAt, nameAt, namesAt, streamAt } from './values.ts';

/** A file to check. `values` contains all values of the file, read once. */
type ParsedFile = { bytes: Buffer; document: PDFDocument; values: readonly PDFObject[] };

/** A clause of ISO 19005-2 (PDF/A-2) about the file as a whole. */
type FileClause = { clause: string; faults(file: ParsedFile): Iterable<string> };

/** Limits of values (6.1.13). */
const maxNameBytes = 127;
const maxStringBytes = 32_767;
const maxInteger = 2 ** 31;

function* valuesOf(document: PDFDocument): Generator<PDFObject> {
  const pending: PDFObject[] = document.context
    .enumerateIndirectObjects()
    .map(([, object]) => object);
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value instanceof PDFRef) continue;
    yield value;
    if (value instanceof PDFArray) pending.push(...value.asArray());
    const dict = value instanceof PDFStream ? value.dict : value;
    if (dict instanceof PDFDict) pending.push(...dict.values());
  }
}

const exceedsLimits = (value: PDFObject): boolean => {
  if (value instanceof PDFName) return Buffer.byteLength(value.decodeText()) > maxNameBytes;
  if (value instanceof PDFString) return value.asBytes().length > maxStringBytes;
  if (value instanceof PDFHexString) return value.asString().length / 2 > maxStringBytes;
  return value instanceof PDFNumber && Math.abs(value.asNumber()) > maxInteger;
};

const fileClauses: readonly FileClause[] = [
  {
    clause: '6.1.2',
    *faults({ bytes }) {
      const head = bytes.subarray(0, 9).toString('latin1');
      if (!/^%PDF-1\.[0-7][\r\n]/.test(head)) yield 'the header';
      const line = bytes.subarray(bytes.indexOf('\n') + 1).subarray(0, 5);
      const isBinary = line[0] === 0x25 && line.subarray(1).every((byte) => byte > 127);
      if (!isBinary) yield 'the comment after the header';
    },
  },
  {
    clause: '6.1.3',
    *faults({ bytes, document }) {
      const { Encrypt, ID } = document.context.trailerInfo;
      if (Encrypt) yield 'encryption';
      if (!(ID instanceof PDFArray) || ID.size() !== 2) yield 'no identifier';
      if (!/%%EOF[\r\n]{0,2}$/.test(bytes.subarray(-8).toString('latin1'))) {
        yield 'data after the end';
      }
    },
  },
  {
    clause: '6.1.7',
    *faults({ values }) {
      for (const value of values) {
        if (!(value instanceof PDFRawStream)) continue;
        const { dict } = value;
        if (has(dict, 'F') || has(dict, 'FFilter')) yield 'a stream in another file';
        const filters = namesAt(dict, 'Filter');
        if (filters.includes('LZWDecode')) yield 'LZW compression';
        if (filters.includes('Crypt')) yield 'an encrypted stream';
      }
    },
  },
  {
    clause: '6.1.12',
    *faults({ document }) {
      if (has(document.catalog, 'Perms')) yield 'permissions';
    },
  },
  {
    clause: '6.1.13',
    *faults({ values }) {
      for (const value of values) {
        if (exceedsLimits(value)) yield 'a value beyond the limits';
      }
    },
  },
  {
    clause: '6.2.3',
    *faults({ document }) {
      const [intent] = itemsAt(document.catalog, 'OutputIntents');
      const isPdfaIntent = intent instanceof PDFDict && nameAt(intent, 'S') === 'GTS_PDFA1';
      if (!isPdfaIntent || !streamAt(intent, 'DestOutputProfile')) yield 'no output intent';
    },
  },
  {
    clause: '6.4.1',
    *faults({ document }) {
      const form = dictAt(document.catalog, 'AcroForm');
      if (form && (has(form, 'XFA') || has(form, 'NeedAppearances'))) yield 'a dynamic form';
    },
  },
  {
    clause: '6.5',
    *faults({ document, values }) {
      const { catalog } = document;
      const openAction = dictAt(catalog, 'OpenAction');
      if (has(catalog, 'AA') || (openAction && !isAllowedAction(openAction))) yield 'an action';
      const names = dictAt(catalog, 'Names');
      if (names && has(names, 'JavaScript')) yield 'a script';
      for (const value of values) {
        const action = value instanceof PDFDict ? dictAt(value, 'A') : undefined;
        if (action && has(action, 'S') && !isAllowedAction(action)) yield 'a forbidden action';
      }
    },
  },
  {
    clause: '6.6.2',
    *faults({ document }) {
      const metadata = streamAt(document.catalog, 'Metadata');
      const text = metadata ? Buffer.from(metadata.getContents()).toString('utf8') : '';
      const isDeclared =
        text.includes('<pdfaid:part>2<') && text.includes('<pdfaid:conformance>B<');
      if (!isDeclared || (metadata && has(metadata.dict, 'Filter'))) yield 'no PDF/A declaration';
    },
  },
  {
    clause: '6.8',
    *faults({ document, values }) {
      const names = dictAt(document.catalog, 'Names');
      if (names && has(names, 'EmbeddedFiles')) yield 'an attachment';
      for (const value of values) {
        if (value instanceof PDFDict && has(value, 'EF')) yield 'an attachment';
      }
    },
  },
  {
    clause: '6.9',
    *faults({ document }) {
      const layers = dictAt(document.catalog, 'OCProperties');
      if (!layers) return;
      for (const configuration of [dictAt(layers, 'D'), ...itemsAt(layers, 'Configs')]) {
        if (!(configuration instanceof PDFDict)) continue;
        if (!has(configuration, 'Name') || has(configuration, 'AS')) yield 'layers';
      }
    },
  },
  {
    clause: '6.10',
    *faults({ document }) {
      const names = dictAt(document.catalog, 'Names');
      if (names && has(names, 'AlternatePresentations')) yield 'an alternate presentation';
    },
  },
  {
    clause: '6.11',
    *faults({ document }) {
      if (has(document.catalog, 'Requirements')) yield 'requirements';
    },
  },
];

/**
 * Returns the faults of a written file under PDF/A-2b (ISO 19005-2), each once, by clause. The
 * result is empty if the file conforms to the clauses that are checked. Font programs (widths,
 * missing glyphs) and the contents of colour profiles are not checked.
 */
export async function archivalFaults(bytes: Buffer): Promise<string[]> {
  const document = await PDFDocument.load(bytes, {
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
    ignoreEncryption: true,
  });
  const faults = new Set<string>();
  const values = [...valuesOf(document)];
  for (const { clause, faults: find } of fileClauses) {
    for (const fault of find({ bytes, document, values })) faults.add(`${clause}: ${fault}`);
  }
  for (const { node } of document.getPages()) {
    const { shown, other } = faultsOfPage(node);
    for (const fault of [...shown, ...other]) faults.add(fault);
  }
  return [...faults];
}
