/**
 * All keys that a redacted PDF may have, by kind of dictionary. Any other key is rejected.
 * Deliberately excluded: annotations, forms, names, attachments, actions, optional content,
 * metadata, structure, thumbnails, outlines, page labels, alternate images, references to other
 * files, and all text except the text that fonts and colours require.
 *
 * Values of keys: `plain` is numbers, names and lists of them; `text` also allows strings;
 * `nothing` must be empty; `colour` is a colour space; the name of a kind is a dictionary of that
 * kind; `[kind]` is a single one or a list; `{kind}` is a dictionary with any names; `plain|kind`
 * is either.
 */
type Kind = Readonly<Record<string, string>>;

const plain = (keys: string): Kind =>
  Object.fromEntries(keys.split(' ').map((key) => [key, 'plain']));

/** Keys that any stream may have. */
const stream: Kind = { Length: 'plain', Filter: 'plain', DecodeParms: '[parameters]' };

export const kinds: Readonly<Record<string, Kind>> = {
  trailer: { Size: 'plain', Root: 'catalog', Info: 'nothing', ID: '[text]' },
  tableStream: {
    ...stream,
    ...plain('Type Size W Index'),
    Root: 'catalog',
    Info: 'nothing',
    ID: '[text]',
  },
  catalog: { Type: 'plain', Version: 'plain', Pages: 'node' },
  pages: {
    ...plain('Type Count MediaBox CropBox Rotate'),
    Parent: 'node',
    Kids: '[node]',
    Resources: 'resources',
  },
  page: {
    ...plain('Type MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit'),
    Parent: 'node',
    Resources: 'resources',
    Contents: '[content]',
    Group: 'group',
    Annots: 'nothing',
  },
  group: { ...plain('Type S I K'), CS: 'colour' },
  resources: {
    ProcSet: 'plain',
    Font: '{font}',
    XObject: '{xobject}',
    ExtGState: '{state}',
    ColorSpace: '{colour}',
    Pattern: '{pattern}',
    Shading: '{shading}',
    Properties: 'nothing',
  },
  content: stream,
  form: {
    ...stream,
    ...plain('Type Subtype FormType BBox Matrix'),
    Resources: 'resources',
    Group: 'group',
  },
  image: {
    ...stream,
    ...plain('Type Subtype Width Height BitsPerComponent Intent ImageMask Decode Interpolate'),
    ...plain('SMaskInData Matte'),
    ColorSpace: 'colour',
    Mask: 'plain|image',
    SMask: 'image',
  },
  parameters: {
    ...plain('Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign'),
    ...plain('Rows EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform'),
    JBIG2Globals: 'data',
  },
  font: {
    ...plain('Type Subtype BaseFont Name FirstChar LastChar Widths FontBBox FontMatrix'),
    FontDescriptor: 'descriptor',
    Encoding: 'plain|encoding',
    ToUnicode: 'plain|cmap',
    DescendantFonts: '[cidFont]',
    CharProcs: '{content}',
    Resources: 'resources',
  },
  cidFont: {
    ...plain('Type Subtype BaseFont DW W DW2 W2'),
    CIDSystemInfo: 'system',
    FontDescriptor: 'descriptor',
    CIDToGIDMap: 'plain|data',
  },
  system: { Registry: 'text', Ordering: 'text', Supplement: 'plain' },
  descriptor: {
    ...plain('Type FontName FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent'),
    ...plain('Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth'),
    FontFamily: 'text',
    CharSet: 'text',
    CIDSet: 'data',
    Style: 'style',
    FontFile: 'fontFile',
    FontFile2: 'fontFile',
    FontFile3: 'fontFile',
  },
  style: { Panose: 'text' },
  fontFile: { ...stream, ...plain('Type Subtype Length1 Length2 Length3') },
  /** The encoding of a simple font, or the CMap of a composite one. */
  encoding: {
    ...stream,
    ...plain('Type BaseEncoding Differences CMapName WMode'),
    CIDSystemInfo: 'system',
    UseCMap: 'plain|cmap',
  },
  cmap: {
    ...stream,
    ...plain('Type CMapName WMode'),
    CIDSystemInfo: 'system',
    UseCMap: 'plain|cmap',
  },
  state: {
    ...plain('Type LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK'),
    Font: '[font]',
    BG: 'plain|function',
    BG2: 'plain|function',
    UCR: 'plain|function',
    UCR2: 'plain|function',
    TR: '[function]',
    TR2: '[function]',
    HT: 'plain|halftone',
    SMask: 'plain|softMask',
  },
  softMask: { ...plain('Type S BC'), G: 'form', TR: 'plain|function' },
  halftone: {
    ...stream,
    ...plain('Type HalftoneType Frequency Angle SpotFunction AccurateScreens Width Height'),
    ...plain('Width2 Height2 Xsquare Ysquare'),
    TransferFunction: 'plain|function',
  },
  tiling: {
    ...stream,
    ...plain('Type PatternType PaintType TilingType BBox XStep YStep Matrix'),
    Resources: 'resources',
  },
  shadingPattern: { ...plain('Type PatternType Matrix'), Shading: 'shading', ExtGState: 'state' },
  shading: {
    ...stream,
    ...plain('ShadingType Background BBox AntiAlias Coords Domain Extend Matrix Decode'),
    ...plain('BitsPerCoordinate BitsPerComponent BitsPerFlag VerticesPerRow'),
    ColorSpace: 'colour',
    Function: '[function]',
  },
  function: {
    ...stream,
    ...plain('FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds'),
    Functions: '[function]',
  },
  profile: { ...stream, ...plain('N Range'), Alternate: 'colour' },
  calibration: plain('WhitePoint BlackPoint Gamma Matrix Range'),
  colourants: { Subtype: 'plain', Colorants: '{colour}', Process: 'process', MixingHints: 'hints' },
  process: { ColorSpace: 'colour', Components: 'plain' },
  hints: { ...plain('Solidities PrintingOrder'), DotGain: '{function}' },
  data: stream,
};

/** Returns the kind of a dictionary in a place that allows several kinds. */
export function allowedKindOf(
  kind: string,
  { type, subtype, patternType }: { type?: string; subtype?: string; patternType?: number },
): string | undefined {
  if (kind === 'node') return type === 'Pages' ? 'pages' : type === 'Page' ? 'page' : undefined;
  if (kind === 'xobject') {
    return subtype === 'Image' ? 'image' : subtype === 'Form' ? 'form' : undefined;
  }
  if (kind === 'pattern') {
    return patternType === 1 ? 'tiling' : patternType === 2 ? 'shadingPattern' : undefined;
  }
  return kind in kinds ? kind : undefined;
}
