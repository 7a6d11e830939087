/** Detects the kind of a zip file by the entries in its first bytes. */
import { constants, inflateRawSync } from 'node:zlib';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const MAX_ENTRIES = 200;
const MAX_TYPES_BYTES = 65_536;

interface Entry {
  name: string;
  method: number;
  /** Compressed size; 0 if it is only written after the data. */
  size: number;
  data: number;
}

/** Office files are detected by their content types or folders, others by their first entry. */
export function sniffZip(head: Buffer): { mime: string; executable: boolean; scripted: boolean } {
  const entries = entriesOf(head);
  const names = entries.map((entry) => entry.name);
  const under = (folder: string) => names.some((name) => name.startsWith(folder));
  const result = (mime: string, scripted = false, executable = false) => ({
    mime,
    executable,
    scripted,
  });

  const first = entries[0];
  if (first?.name === 'mimetype' && first.method === 0) {
    const end = Math.min(first.data + (first.size || 64), first.data + 128);
    const mime = /^application\/[\w.+-]+/.exec(head.toString('latin1', first.data, end))?.[0];
    // ODF and EPUB declare their own type; only known types are accepted.
    if (mime && /^application\/(?:epub\+zip|vnd\.oasis\.opendocument\.\w+)$/.test(mime)) {
      return result(mime);
    }
  }
  const types = contentTypes(head, entries);
  if (types !== '' || names.includes('_rels/.rels')) {
    const macros = /macroEnabled|vbaProject/i.test(types) || names.some(isMacro);
    if (/wordprocessingml|ms-word/.test(types) || under('word/')) {
      return macros
        ? result('application/vnd.ms-word.document.macroEnabled.12', true)
        : result(`${OOXML}.wordprocessingml.document`);
    }
    if (/spreadsheetml|ms-excel/.test(types) || under('xl/')) {
      return macros
        ? result('application/vnd.ms-excel.sheet.macroEnabled.12', true)
        : result(`${OOXML}.spreadsheetml.sheet`);
    }
    if (/presentationml|ms-powerpoint/.test(types) || under('ppt/')) {
      return macros
        ? result('application/vnd.ms-powerpoint.presentation.macroEnabled.12', true)
        : result(`${OOXML}.presentationml.presentation`);
    }
  }
  if (names.includes('AndroidManifest.xml')) {
    return result('application/vnd.android.package-archive', false, true);
  }
  if (names.includes('META-INF/MANIFEST.MF'))
    return result('application/java-archive', false, true);
  // Many programs write the type of a book last, or compress it.
  if (names.includes('META-INF/container.xml')) return result('application/epub+zip');
  return result('application/zip');
}

function isMacro(name: string): boolean {
  return name.toLowerCase().endsWith('vbaproject.bin');
}

/** The local file headers in the head (APPNOTE 4.3.7). */
function entriesOf(head: Buffer): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  while (entries.length < MAX_ENTRIES) {
    at = head.indexOf('PK\x03\x04', at, 'latin1');
    if (at < 0 || at + 30 > head.length) break;
    const nameLength = head.readUInt16LE(at + 26);
    const data = at + 30 + nameLength + head.readUInt16LE(at + 28);
    const name = head.toString('utf8', at + 30, Math.min(at + 30 + nameLength, head.length));
    const size = head.readUInt32LE(at + 18);
    entries.push({ name, method: head.readUInt16LE(at + 8), size, data });
    // Skips the data if its size is known, so that a zip stored in a zip adds no names.
    at = size > 0 && data + size <= head.length ? data + size : at + 4;
  }
  return entries;
}

/**
 * `[Content_Types].xml` of an office file, as far as the head contains it; empty if it does not.
 */
function contentTypes(head: Buffer, entries: readonly Entry[]): string {
  const entry = entries.find((one) => one.name === '[Content_Types].xml');
  if (!entry) return '';
  const data = head.subarray(entry.data, entry.size > 0 ? entry.data + entry.size : undefined);
  if (entry.method === 0) return data.toString('utf8', 0, MAX_TYPES_BYTES) || ' ';
  try {
    // Limits the size of the output, and accepts truncated data.
    const options = { maxOutputLength: MAX_TYPES_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateRawSync(data, options).toString('utf8');
  } catch {
    return ' '; // it exists; the names must decide
  }
}
