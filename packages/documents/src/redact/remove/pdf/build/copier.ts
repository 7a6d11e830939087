import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { decodeStream } from '../../../../pdf/streams.ts';
import { removeMarks } from '../content/marks.ts';
import { withoutPictureMetadata } from '../pictures/metadata.ts';
import { definedKeysOf } from './defined-keys.ts';
import { lookUp } from './values.ts';

/**
 * Keys that are needed for drawing (PDF 32000-1 §7 to §11): fonts, colour spaces, functions,
 * patterns, shadings, graphics state, groups. Other keys, such as Metadata, PieceInfo, OPI, AF,
 * names and dates, are not copied.
 */
const drawingKeys: ReadonlySet<string> = new Set(
  `Type Subtype BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts
  CIDSystemInfo Registry Ordering Supplement DW W DW2 W2 CIDToGIDMap FontName FontFamily FontStretch
  FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth
  MaxWidth MissingWidth FontFile FontFile2 FontFile3 CharSet CIDSet Style Panose FontMatrix CharProcs
  BaseEncoding Differences CMapName WMode UseCMap Length1 Length2 Length3
  N Alternate Range Gamma WhitePoint BlackPoint Matrix Colorants Process Components MixingHints
  FunctionType Domain Size BitsPerSample Order Encode Decode C0 C1 Functions Bounds
  PatternType PaintType TilingType BBox XStep YStep Shading ShadingType ColorSpace Background
  AntiAlias Coords Function Extend BitsPerCoordinate BitsPerComponent BitsPerFlag VerticesPerRow
  LW LC LJ ML D RI OP op OPM Font BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM SMask CA ca AIS TK
  S G BC TR CS I K Group Filter DecodeParms Predictor Colors Columns EarlyChange Rows BlackIs1
  EncodedByteAlign EndOfLine EndOfBlock DamagedRowsBeforeError JBIG2Globals ColorTransform
  Width Height ImageMask Mask Decode Interpolate Intent Matte SMaskInData FormType Resources`.split(
    /\s+/,
  ),
);

/** Keys whose dictionaries map arbitrary names to values. */
const nameTables: ReadonlySet<string> = new Set(['CharProcs', 'Colorants', 'Solidities']);

/** Resources of streams that are copied as a whole (Type 3 glyphs, patterns, soft masks). */
const resourceKinds = ['Font', 'XObject', 'ExtGState', 'ColorSpace', 'Pattern', 'Shading'];
const maxDepth = 60;

/** Compression levels: the smallest output, or the fastest for intermediate results. */
const smallestLevel = 9;
const fastestLevel = 1;

/** Returns a digest of a stream, to find an equal stream that was already written. */
export function digestOf(dict: PDFDict, contents: Uint8Array): string {
  return createHash('sha256').update(dict.toString()).update('\0').update(contents).digest('hex');
}

/**
 * Copies the objects that are needed for drawing from one document to a new one. Uses an allow-list
 * of keys, and copies each object once and equal streams once.
 */
export class Copier {
  readonly context: PDFContext;
  /** Whether to copy nothing, in order to examine pages without writing them. */
  readonly #idle: boolean;
  readonly #level: number;
  readonly #copies = new Map<PDFObject, PDFObject>();
  readonly #streams = new Map<string, PDFRef>();

  /** @param passing whether the document is an intermediate result that need not be small */
  constructor(
    context: PDFContext,
    { idle = false, passing = idle }: { idle?: boolean; passing?: boolean } = {},
  ) {
    this.context = context;
    this.#idle = idle;
    this.#level = passing ? fastestLevel : smallestLevel;
  }

  /** Returns a stream compressed with Flate, as all streams of the output are. */
  compress(bytes: Uint8Array, entries: Record<string, string | number>): PDFRawStream {
    const dict = this.context.obj({ ...entries, Filter: 'FlateDecode' });
    return PDFRawStream.of(dict, this.deflate(bytes));
  }

  deflate(bytes: Uint8Array): Uint8Array {
    return new Uint8Array(deflateSync(bytes, { level: this.#level }));
  }

  /** Adds a stream to the new document, unless the document already contains an equal one. */
  intern(stream: PDFRawStream): PDFRef {
    const digest = digestOf(stream.dict, stream.contents);
    const existing = this.#streams.get(digest);
    if (existing) return existing;
    const ref = this.context.register(stream);
    this.#streams.set(digest, ref);
    return ref;
  }

  /** Returns a copy of a value. References become references of the new document. */
  copy(value: PDFObject | undefined, source: PDFContext, depth = 0): PDFObject {
    if (value === undefined || depth > maxDepth || this.#idle) return PDFNull;
    if (value instanceof PDFRef) return this.#copyRef(value, source, depth);
    if (value instanceof PDFStream) return this.#copyStream(value, source, depth);
    if (value instanceof PDFDict) return this.#copyDict(value, source, depth);
    if (value instanceof PDFArray) {
      const copy = PDFArray.withContext(this.context);
      for (const item of value.asArray()) copy.push(this.copy(item, source, depth + 1));
      return copy;
    }
    if (value instanceof PDFString) return PDFString.of(value.asString());
    if (value instanceof PDFHexString) return PDFHexString.of(value.asString());
    const isPlain =
      value instanceof PDFNumber || value instanceof PDFName || value instanceof PDFBool;
    return isPlain ? value : PDFNull;
  }

  #copyRef(ref: PDFRef, source: PDFContext, depth: number): PDFObject {
    const existing = this.#copies.get(ref);
    if (existing) return existing;
    const target = source.lookup(ref);
    if (target instanceof PDFStream) {
      const copy = this.#copyStream(target, source, depth + 1);
      this.#copies.set(ref, copy);
      return copy;
    }
    if (!(target instanceof PDFDict || target instanceof PDFArray)) {
      return this.copy(target, source, depth + 1);
    }
    // The number is reserved first, because the resources of a font may refer back to the font.
    const copy = this.context.nextRef();
    this.#copies.set(ref, copy);
    this.context.assign(copy, this.copy(target, source, depth + 1));
    return copy;
  }

  #copyDict(dict: PDFDict, source: PDFContext, depth: number): PDFDict {
    const copy = PDFDict.withContext(this.context);
    const definedKeys = definedKeysOf(dict);
    for (const [key, value] of sortedEntries(dict)) {
      const name = key.decodeText();
      if (definedKeys && !definedKeys.has(name)) continue;
      if (name === 'Resources') {
        const resources = dict.lookup(key);
        if (resources instanceof PDFDict)
          copy.set(key, this.copyResources(resources, source, depth));
      } else if (nameTables.has(name)) {
        const table = dict.lookup(key);
        if (table instanceof PDFDict) {
          copy.set(key, this.#copyTable(table, source, depth, name === 'CharProcs'));
        }
      } else if (drawingKeys.has(name)) {
        copy.set(key, this.copy(value, source, depth + 1));
      }
    }
    return copy;
  }

  #copyTable(table: PDFDict, source: PDFContext, depth: number, containsGlyphs = false): PDFDict {
    const copy = PDFDict.withContext(this.context);
    for (const [key, value] of sortedEntries(table)) {
      const glyph = containsGlyphs ? table.lookup(key) : undefined;
      copy.set(
        key,
        glyph instanceof PDFStream
          ? this.#copyStream(glyph, source, depth + 1, true)
          : this.copy(value, source, depth + 1),
      );
    }
    return copy;
  }

  /** Copies all resources of a stream that is copied as a whole. */
  copyResources(resources: PDFDict, source: PDFContext, depth = 0): PDFDict {
    const copy = PDFDict.withContext(this.context);
    for (const kind of resourceKinds) {
      const table = lookUp(resources, kind);
      if (table instanceof PDFDict) {
        copy.set(PDFName.of(kind), this.#copyTable(table, source, depth + 1));
      }
    }
    return copy;
  }

  #copyStream(stream: PDFStream, source: PDFContext, depth: number, isGlyph = false): PDFRef {
    if (!(stream instanceof PDFRawStream)) return this.context.register(PDFNull);
    const dict = this.#copyDict(stream.dict, source, depth + 1);
    dict.delete(PDFName.of('Length'));
    if (lookUp(stream.dict, 'Subtype') === PDFName.of('Image')) {
      return this.intern(withoutPictureMetadata(stream, dict));
    }
    const bytes = hasPredictor(stream) ? undefined : decodeStream(stream);
    if (!bytes) return this.intern(PDFRawStream.of(dict, stream.contents));
    dict.delete(PDFName.of('DecodeParms'));
    dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'));
    const isContent = isGlyph || isForm(stream) || isTilingPattern(stream);
    const content = isContent ? Buffer.from(removeMarks(bytes), 'latin1') : bytes;
    return this.intern(PDFRawStream.of(dict, this.deflate(content)));
  }
}

const isForm = ({ dict }: PDFStream): boolean => lookUp(dict, 'Subtype') === PDFName.of('Form');

function isTilingPattern({ dict }: PDFStream): boolean {
  const type = lookUp(dict, 'PatternType');
  return type instanceof PDFNumber && type.asNumber() === 1;
}

const hasPredictor = ({ dict }: PDFRawStream): boolean => dict.has(PDFName.of('DecodeParms'));

function sortedEntries(dict: PDFDict): [PDFName, PDFObject][] {
  return dict.entries().sort(([a], [b]) => (a.asString() < b.asString() ? -1 : 1));
}
