import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFPageLeaf,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { decodeStream } from '../streams.ts';
import { annotationFaults, lacksAppearance } from './annotations.ts';
import { intents, type ResourceUse, readResourceUse } from './operators.ts';
import { type Part, partsOf } from './parts.ts';
import { dictAt, dictOf, entriesAt, has, itemsAt, nameAt, namesAt, numberAt } from './values.ts';

/** The reason for a fault, as a phrase that completes "because of …". */
type Fault = string;

/** A clause of ISO 19005-2 (PDF/A-2) about the contents of pages. */
type PageClause = {
  clause: string;
  faults(part: Part, use: ResourceUse): Iterable<Fault>;
};

const standardBlendModes = new Set(
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight
  SoftLight Difference Exclusion Hue Saturation Color Luminosity`.split(/\s+/),
);
const fontTypes = new Set(['Type1', 'MMType1', 'TrueType', 'Type0', 'Type3']);
/** The predefined CMaps of ISO 32000-1, table 118, that are not bound to a character collection. */
const identityCMaps = new Set(['Identity-H', 'Identity-V']);
/** Maximum nesting of q and Q (ISO 32000-1, Annex C), as required by 6.1.13. */
const maxNesting = 28;

const imagesOf = (part: Part): PDFStream[] =>
  entriesAt(part.resources, 'XObject').flatMap(([, object]) =>
    object instanceof PDFStream && nameAt(object.dict, 'Subtype') === 'Image' ? [object] : [],
  );

const graphicsStatesOf = (part: Part): PDFDict[] =>
  entriesAt(part.resources, 'ExtGState').map(([, state]) => dictOf(state));

const characterCollection = (dict: PDFDict | undefined): string | undefined => {
  const info = dict && dictAt(dict, 'CIDSystemInfo');
  if (!info) return undefined;
  const text = (key: string): string => {
    const value = info.lookup(PDFName.of(key));
    const isText = value instanceof PDFString || value instanceof PDFHexString;
    return isText ? value.decodeText() : '';
  };
  return `${text('Registry')}-${text('Ordering')}`;
};

/** Whether a font file is embedded for a simple font, or for the descendant of a composite font. */
function isEmbedded(font: PDFDict): boolean {
  const descriptor = dictAt(font, 'FontDescriptor');
  if (!descriptor) return false;
  return ['FontFile', 'FontFile2', 'FontFile3'].some((key) => {
    const file = descriptor.lookup(PDFName.of(key));
    return file instanceof PDFStream;
  });
}

function* compositeFontFaults(font: PDFDict): Generator<Fault> {
  const [descendant] = itemsAt(font, 'DescendantFonts');
  if (!(descendant instanceof PDFDict) || !isEmbedded(descendant)) {
    yield 'fonts that are not embedded';
    return;
  }
  const encoding = font.lookup(PDFName.of('Encoding'));
  if (encoding instanceof PDFStream) {
    if (characterCollection(encoding.dict) !== characterCollection(descendant))
      yield 'fonts with a foreign CMap';
  } else if (!(encoding instanceof PDFName) || !identityCMaps.has(encoding.decodeText())) {
    yield 'fonts whose CMap is not embedded';
  }
  const isTrueType = nameAt(descendant, 'Subtype') === 'CIDFontType2';
  if (isTrueType && !has(descendant, 'CIDToGIDMap')) yield 'fonts without a map to their glyphs';
}

function* fontFaults(font: PDFDict): Generator<Fault> {
  const type = nameAt(font, 'Subtype');
  if (!type || !fontTypes.has(type)) yield 'fonts of an unknown type';
  else if (type === 'Type0') yield* compositeFontFaults(font);
  else if (type !== 'Type3' && !isEmbedded(font)) yield 'fonts that are not embedded';
}

/** Returns the device colour spaces in a colour space, including bases and alternates. */
function spacesIn(value: PDFObject | undefined, depth = 0): string[] {
  if (value instanceof PDFName) return [value.decodeText()];
  if (!(value instanceof PDFArray) || depth > 8) return [];
  const kind = value.lookup(0);
  if (kind instanceof PDFName && kind.decodeText() === 'ICCBased') return [];
  return value.asArray().flatMap((_, at) => spacesIn(value.lookup(at), depth + 1));
}

/** Returns the colour spaces in the resources and the group of a part. */
function colourSpacesOf(part: Part): (PDFObject | undefined)[] {
  const space = PDFName.of('ColorSpace');
  const spaces = part.resources && dictAt(part.resources, 'ColorSpace');
  const named = spaces?.keys().filter((key) => !key.decodeText().startsWith('Default')) ?? [];
  const shadings = entriesAt(part.resources, 'Shading').map(([, shading]) => dictOf(shading));
  const patterns = entriesAt(part.resources, 'Pattern').flatMap(
    ([, pattern]) => dictAt(dictOf(pattern), 'Shading') ?? [],
  );
  return [
    ...named.map((key) => spaces?.lookup(key)),
    ...imagesOf(part).map(({ dict }) => dict.lookup(space)),
    ...[...shadings, ...patterns].map((shading) => shading.lookup(space)),
    dictAt(part.dict, 'Group')?.lookup(PDFName.of('CS')),
  ];
}

/** Returns the device colour spaces of a part, except those with a default in its resources. */
function deviceSpaces(part: Part, use: ResourceUse): Set<string> {
  const names = new Set([...use.spaces, ...colourSpacesOf(part).flatMap((one) => spacesIn(one))]);
  const spaces = part.resources && dictAt(part.resources, 'ColorSpace');
  for (const name of ['CMYK', 'RGB', 'Gray']) {
    if (spaces && has(spaces, `Default${name}`)) names.delete(`Device${name}`);
  }
  return names;
}

/** Number of components by the colour space in the header of a profile. */
const componentCounts: Readonly<Record<string, number>> = {
  GRAY: 1,
  'RGB ': 3,
  CMYK: 4,
  'Lab ': 3,
};

/** Whether the number of components of a colour space differs from that of its profile. */
function hasWrongProfile(space: PDFObject | undefined, depth = 0): boolean {
  if (!(space instanceof PDFArray) || depth > 8) return false;
  const [kind, stream] = [space.lookup(0), space.lookup(1)];
  const isProfile = kind instanceof PDFName && kind.decodeText() === 'ICCBased';
  if (!isProfile || !(stream instanceof PDFStream)) {
    return space.asArray().some((_, at) => hasWrongProfile(space.lookup(at), depth + 1));
  }
  const profile = decodeStream(stream)?.subarray(16, 20) ?? new Uint8Array();
  const expected = componentCounts[Buffer.from(profile).toString('latin1')];
  return expected === undefined || expected !== numberAt(stream.dict, 'N');
}

/**
 * The clauses about visible content. The output intent of the page is sRGB, so RGB and grey may be
 * device-dependent.
 */
const pageClauses: readonly PageClause[] = [
  {
    clause: '6.1.10',
    *faults(_part, use) {
      if (use.lzw) yield 'inline images with LZW compression';
    },
  },
  {
    clause: '6.1.13',
    *faults(_part, use) {
      if (use.depth > maxNesting) yield 'graphics states that nest too deep';
    },
  },
  {
    clause: '6.2.2',
    *faults(part, use) {
      if (part.contents === null) yield 'content that cannot be decoded';
      if (use.unknown.size > 0) yield 'operators that PDF does not define';
    },
  },
  {
    clause: '6.2.4.2',
    *faults(part) {
      if (colourSpacesOf(part).some((space) => hasWrongProfile(space))) {
        yield 'colour profiles of another kind than declared';
      }
    },
  },
  {
    clause: '6.2.4.3',
    *faults(part, use) {
      if (deviceSpaces(part, use).has('DeviceCMYK')) yield 'CMYK colours without a profile';
    },
  },
  {
    clause: '6.2.5',
    *faults(part) {
      for (const state of graphicsStatesOf(part)) {
        const transfer = nameAt(state, 'TR2') ?? 'Default';
        if (has(state, 'TR') || has(state, 'HTP') || transfer !== 'Default') {
          yield 'transfer functions or halftones';
        }
        if (has(state, 'HT') && nameAt(state, 'HT') !== 'Default') yield 'halftones';
      }
    },
  },
  {
    clause: '6.2.6',
    *faults(part, use) {
      const isUndefined = (dict: PDFDict, key: string) => {
        const intent = nameAt(dict, key);
        return intent !== undefined && !intents.has(intent);
      };
      const hasUndefinedIntent =
        use.intents.size > 0 ||
        graphicsStatesOf(part).some((state) => isUndefined(state, 'RI')) ||
        imagesOf(part).some(({ dict }) => isUndefined(dict, 'Intent'));
      if (hasUndefinedIntent) yield 'rendering intents that PDF does not define';
    },
  },
  {
    clause: '6.2.8',
    *faults(part) {
      for (const { dict } of imagesOf(part)) {
        if (has(dict, 'Alternates') || has(dict, 'OPI')) yield 'images with alternates';
        if (String(dict.lookup(PDFName.of('Interpolate'))) === 'true') yield 'interpolated images';
        // The contents of JPEG 2000 (6.2.8.3) are not examined.
        if (namesAt(dict, 'Filter').includes('JPXDecode')) yield 'JPEG 2000 images';
      }
    },
  },
  {
    clause: '6.2.9',
    *faults(part) {
      for (const [, object] of entriesAt(part.resources, 'XObject')) {
        const dict = dictOf(object);
        const isScript = nameAt(dict, 'Subtype') === 'PS' || nameAt(dict, 'Subtype2') === 'PS';
        if (isScript || has(dict, 'PS')) yield 'PostScript';
        if (has(dict, 'Ref')) yield 'references to other files';
        if (nameAt(dict, 'Subtype') === 'Form' && has(dict, 'OPI')) yield 'images with alternates';
      }
    },
  },
  {
    clause: '6.2.10',
    *faults(part) {
      for (const state of graphicsStatesOf(part)) {
        const modes = namesAt(state, 'BM');
        if (!modes.every((mode) => standardBlendModes.has(mode))) yield 'unknown blend modes';
      }
    },
  },
  {
    clause: '6.2.11',
    *faults(part, use) {
      const drawnFonts = entriesAt(part.resources, 'Font').filter(([name]) => use.fonts.has(name));
      for (const [, font] of drawnFonts) yield* fontFaults(dictOf(font));
    },
  },
];

function* leafFaults(leaf: PDFPageLeaf): Generator<string> {
  yield* annotationFaults(leaf);
  if (has(leaf, 'AA')) yield '6.5.2: a page with actions';
  if (has(leaf, 'PresSteps')) yield '6.10: a page with steps of a presentation';
  const { width, height } = leaf.MediaBox().asRectangle();
  const isOutside = (side: number) => Math.abs(side) < 3 || Math.abs(side) > 14_400;
  if (isOutside(width) || isOutside(height)) yield '6.1.13: a page too small or too large';
}

export type PageFaults = {
  /** Faults of visible content: the page must become a picture. */
  shown: string[];
  /** Other faults, by clause. */
  other: string[];
};

function faultsOfParts(parts: readonly Part[] | undefined): string[] {
  if (!parts) return ['6.1.13: content that nests too deep'];
  const shown = new Set<string>();
  for (const part of parts) {
    const use = readResourceUse(part.contents ?? new Uint8Array());
    for (const { clause, faults } of pageClauses) {
      for (const fault of faults(part, use)) shown.add(`${clause}: ${fault}`);
    }
  }
  return [...shown];
}

/** Returns the faults of a page under PDF/A-2b. */
export function faultsOfPage(leaf: PDFPageLeaf): PageFaults {
  return { shown: faultsOfParts(partsOf(leaf)), other: [...leafFaults(leaf)] };
}

/**
 * Whether annotations must become part of the page: annotations without an appearance, and
 * annotations whose appearance PDF/A-2b does not allow.
 */
export function needsFlattening(leaf: PDFPageLeaf): boolean {
  return lacksAppearance(leaf) || faultsOfParts(partsOf(leaf, 'annotations')).length > 0;
}
