import { type DeepMatcher, deepMatchers, type SoughtValue } from '../../matching/matcher.ts';
import { decodeStream } from './filters.ts';
import { readCMap } from './fonts/cmap.ts';
import { readShownText } from './fonts/shown-text.ts';
import type { ParsedFile } from './parse.ts';
import type { Structure, StructureFault } from './structure.ts';
import {
  type Dictionary,
  isDictionary,
  ParseFault,
  PdfName,
  type PdfObject,
  PdfText,
  type PdfValue,
} from './syntax.ts';

/** The result of searching all streams and strings, with the amount that was searched. */
interface StreamSearch {
  faults: StructureFault[];
  /** Faults of marked content that contains more text than it shows. */
  replacementTextFaults: StructureFault[];
  streamCount: number;
  byteCount: number;
}

/** Roles of objects whose bytes are content. */
const contentRoles = new Set(['content', 'form', 'tiling']);

/**
 * Decodes all streams and searches them, and all strings and names of the file, for values. A
 * stream that cannot be decoded is a fault.
 */
export function searchStreams(
  file: ParsedFile,
  structure: Structure,
  values: readonly SoughtValue[],
): StreamSearch {
  const searches = Array.from(deepMatchers(values), (matcher) =>
    searchFor(file, structure, matcher),
  );
  const [first] = searches;
  if (!first) throw new Error('no matcher');
  // Faults that do not concern a value are the same in all searches.
  return { ...first, faults: searches.flatMap(({ faults }) => faults) };
}

/** A search of a file with one matcher. */
type Search = { file: ParsedFile; matcher: DeepMatcher; found: StreamSearch };

function searchFor(
  file: ParsedFile,
  { roles, pages }: Structure,
  matcher: DeepMatcher,
): StreamSearch {
  const result: StreamSearch = {
    faults: [],
    replacementTextFaults: [],
    streamCount: 0,
    byteCount: 0,
  };
  const search: Search = { file, matcher, found: result };
  searchValue(search, file.trailer, undefined);
  for (const object of file.objects.values()) {
    searchValue(search, object.value, object.number);
    const role = roles.get(object.number) ?? '';
    if (object.stream)
      reportFaults(search, object.number, () => searchStream(search, object, role));
  }
  for (const container of file.containers) {
    reportFaults(search, undefined, () =>
      searchBytes(search, decodeStream(container, file.resolve).bytes, 'the table', undefined),
    );
  }
  for (const number of pages) {
    reportFaults(search, number, () => {
      const page = file.objects.get(number)?.value;
      if (!isDictionary(page)) return;
      const parts = contentsOf(file, page);
      searchContent(search, Buffer.concat(parts), inheritedResources(file, page), number);
    });
  }
  for (const [number, role] of roles) if (role === 'font') searchProcedures(search, number);
  searchBytes(search, withoutPlainContent(file, roles), 'the bytes of the file', undefined);
  return result;
}

/** Runs `work` and reports malformed content as a fault. */
function reportFaults({ found }: Search, object: number | undefined, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ParseFault)) throw error;
    found.faults.push({ detail: error.message, object });
  }
}

function searchHidden(
  { matcher, found }: Search,
  text: string,
  where: string,
  object: number | undefined,
): void {
  const sought = matcher.inHiddenText(text);
  if (sought) found.faults.push({ detail: `${sought.type} in ${where}`, object });
}

function searchBytes(
  { matcher, found }: Search,
  bytes: Uint8Array,
  where: string,
  object: number | undefined,
): void {
  const sought = matcher.inBytes(bytes);
  if (sought) found.faults.push({ detail: `${sought.type} in ${where}`, object });
}

function searchContent(
  search: Search,
  bytes: Uint8Array,
  resources: PdfValue,
  object: number | undefined,
): void {
  const { file, matcher, found } = search;
  const dictionary = isDictionary(resources) ? resources : undefined;
  const shownText = readShownText(file, bytes, dictionary);
  for (const reading of shownText.readings) {
    const sought = matcher.inText(reading);
    if (sought) found.faults.push({ detail: `${sought.type} in content`, object });
  }
  for (const text of shownText.hidden) searchHidden(search, text, 'hidden content', object);
  if (shownText.hasReplacementText) {
    found.replacementTextFaults.push({ detail: 'Content has replacement text.', object });
  }
  for (const picture of shownText.pictures) {
    const { bytes: samples } = decodeStream(
      { value: picture.dictionary, stream: picture.bytes },
      file.resolve,
    );
    searchBytes(search, samples, 'a picture', object);
  }
}

function searchValue(search: Search, value: PdfValue, object: number | undefined): void {
  if (value instanceof PdfName) searchHidden(search, value.text, 'a name', object);
  else if (value instanceof PdfText) {
    for (const text of textsOf(value.bytes)) searchHidden(search, text, 'a string', object);
    searchBytes(search, value.bytes, 'a string', object);
  } else if (Array.isArray(value)) for (const item of value) searchValue(search, item, object);
  else if (isDictionary(value)) {
    for (const [key, entry] of value) {
      searchHidden(search, key, 'a name', object);
      searchValue(search, entry, object);
    }
  }
}

function searchStream(search: Search, object: PdfObject, role: string): void {
  const { file, found } = search;
  const { bytes, picture } = decodeStream(object, file.resolve);
  found.streamCount += 1;
  found.byteCount += bytes.length;
  const dictionary = object.value;
  if (isDictionary(dictionary) && role === 'image' && !picture)
    checkSamples(file, dictionary, bytes);
  if (isDictionary(dictionary) && (role === 'form' || role === 'tiling')) {
    searchContent(search, bytes, file.resolve(dictionary.get('Resources')), object.number);
  } else if (!contentRoles.has(role)) searchBytes(search, bytes, 'a stream', object.number);
  if (role === 'cmap' || role === 'encoding') {
    for (const text of readCMap(bytes).texts.values()) {
      if (text.length > 1) searchHidden(search, text, 'the mapping of a font', object.number);
    }
  }
}

/** Searches the glyph procedures of a Type 3 font. They use the resources of their font. */
function searchProcedures(search: Search, number: number): void {
  const { file } = search;
  const font = file.objects.get(number)?.value;
  if (!isDictionary(font)) return;
  const glyphs = file.resolve(font.get('CharProcs'));
  for (const glyph of isDictionary(glyphs) ? glyphs.values() : []) {
    const object = file.objectOf(glyph);
    if (!object?.stream) continue;
    reportFaults(search, object.number, () => {
      const { bytes } = decodeStream(object, file.resolve);
      searchContent(search, bytes, file.resolve(font.get('Resources')), object.number);
    });
  }
}

/**
 * Returns the possible texts of a string. PDF strings are in PDFDocEncoding, which is close to
 * Latin-1, or in UTF-16 or UTF-8 with a byte order mark.
 */
function textsOf(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const texts = [buffer.toString('latin1')];
  if (buffer.length > 2 && buffer[0] === 0xfe && buffer[1] === 0xff) {
    texts.push(
      Buffer.from(buffer.subarray(2, buffer.length & ~1))
        .swap16()
        .toString('utf16le'),
    );
  }
  if (buffer.length > 2 && buffer[0] === 0xff && buffer[1] === 0xfe) {
    texts.push(buffer.subarray(2).toString('utf16le'));
  }
  if (buffer.some((byte) => byte >= 0x80)) texts.push(buffer.toString('utf8'));
  return texts;
}

function contentsOf(file: ParsedFile, page: Dictionary): Uint8Array[] {
  const contents = page.get('Contents');
  const resolved = file.resolve(contents);
  const list = Array.isArray(resolved) ? resolved : [contents];
  return list.flatMap((item) => {
    const object = file.objectOf(item);
    if (!object?.stream) return [];
    return [decodeStream(object, file.resolve).bytes, Buffer.from('\n')];
  });
}

function inheritedResources(file: ParsedFile, page: Dictionary): PdfValue {
  let node: PdfValue = page;
  for (let depth = 0; isDictionary(node) && depth < 50; depth += 1) {
    const own = file.resolve(node.get('Resources'));
    if (own !== null) return own;
    node = file.resolve(node.get('Parent'));
  }
  return null;
}

/** Checks that the samples of a picture fill it exactly. No bytes may follow the last row. */
function checkSamples(file: ParsedFile, picture: Dictionary, bytes: Uint8Array): void {
  const number = (key: string, fallback: number): number => {
    const value = file.resolve(picture.get(key));
    return typeof value === 'number' ? value : fallback;
  };
  const isMask = file.resolve(picture.get('ImageMask')) === true;
  const depth = isMask ? 1 : number('BitsPerComponent', 8);
  const colours = isMask ? 1 : componentCount(file, picture.get('ColorSpace'));
  const needed = Math.ceil((number('Width', 0) * depth * colours) / 8) * number('Height', 0);
  if (bytes.length > needed + 2) throw new ParseFault('A picture continues after its last row.');
}

/** Returns the number of components of a colour space (32000-1 §8.6). */
function componentCount(file: ParsedFile, space: PdfValue | undefined): number {
  const value = file.resolve(space);
  const [family, first] = Array.isArray(value) ? value : [value];
  const name = file.resolve(family);
  switch (name instanceof PdfName ? name.text : '') {
    case 'DeviceRGB':
    case 'CalRGB':
    case 'Lab':
      return 3;
    case 'DeviceCMYK':
      return 4;
    case 'ICCBased': {
      const profile = file.resolve(first);
      const count = isDictionary(profile) ? profile.get('N') : undefined;
      return typeof count === 'number' ? count : 1;
    }
    case 'DeviceN': {
      const names = file.resolve(first);
      return Array.isArray(names) ? names.length : 1;
    }
    default:
      return 1;
  }
}

/**
 * Returns the bytes of the file without uncompressed content streams, which were already searched
 * as text. In the raw bytes, words of a page could match as parts of longer words.
 */
function withoutPlainContent(file: ParsedFile, roles: ReadonlyMap<number, string>): Uint8Array {
  let bytes: Uint8Array | undefined;
  for (const object of file.objects.values()) {
    const isPlain = isDictionary(object.value) && !object.value.has('Filter');
    if (!object.stream || !isPlain || !contentRoles.has(roles.get(object.number) ?? '')) continue;
    bytes ??= Uint8Array.from(file.bytes);
    bytes.fill(0x20, object.streamStart, object.streamStart + object.stream.length);
  }
  return bytes ?? file.bytes;
}
