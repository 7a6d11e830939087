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
type AllowedKeys = Readonly<Record<string, string>>;

const plainKeys = (keys: string): AllowedKeys =>
  Object.fromEntries(keys.split(' ').map((key) => [key, 'plain']));

/** Keys that any stream may have. */
const streamKeys: AllowedKeys = { Length: 'plain', Filter: 'plain', DecodeParms: '[parameters]' };

export const dictionaryKinds: Readonly<Record<string, AllowedKeys>> = {
  trailer: { Size: 'plain', Root: 'catalog', Info: 'nothing', ID: '[text]' },
  tableStream: {
    ...streamKeys,
    ...plainKeys('Type Size W Index'),
    Root: 'catalog',
    Info: 'nothing',
    ID: '[text]',
  },
  catalog: { Type: 'plain', Version: 'plain', Pages: 'node' },
  pages: {
    ...plainKeys('Type Count MediaBox CropBox Rotate'),
    Parent: 'node',
    Kids: '[node]',
    Resources: 'resources',
  },
  page: {
    ...plainKeys('Type MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit'),
    Parent: 'node',
    Resources: 'resources',
    Contents: '[content]',
    Group: 'group',
    Annots: 'nothing',
  },
  group: { ...plainKeys('Type S I K'), CS: 'colour' },
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
  content: streamKeys,
  form: {
    ...streamKeys,
    ...plainKeys('Type Subtype FormType BBox Matrix'),
    Resources: 'resources',
    Group: 'group',
  },
  image: {
    ...streamKeys,
    ...plainKeys('Type Subtype Width Height BitsPerComponent Intent ImageMask Decode Interpolate'),
    ...plainKeys('SMaskInData Matte'),
    ColorSpace: 'colour',
    Mask: 'plain|image',
    SMask: 'image',
  },
  parameters: {
    ...plainKeys(
      'Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign',
    ),
    ...plainKeys('Rows EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform'),
    JBIG2Globals: 'data',
  },
  font: {
    ...plainKeys('Type Subtype BaseFont Name FirstChar LastChar Widths FontBBox FontMatrix'),
    FontDescriptor: 'descriptor',
    Encoding: 'plain|encoding',
    ToUnicode: 'plain|cmap',
    DescendantFonts: '[cidFont]',
    CharProcs: '{content}',
    Resources: 'resources',
  },
  cidFont: {
    ...plainKeys('Type Subtype BaseFont DW W DW2 W2'),
    CIDSystemInfo: 'system',
    FontDescriptor: 'descriptor',
    CIDToGIDMap: 'plain|data',
  },
  system: { Registry: 'text', Ordering: 'text', Supplement: 'plain' },
  descriptor: {
    ...plainKeys('Type FontName FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent'),
    ...plainKeys('Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth'),
    FontFamily: 'text',
    CharSet: 'text',
    CIDSet: 'data',
    Style: 'style',
    FontFile: 'fontFile',
    FontFile2: 'fontFile',
    FontFile3: 'fontFile',
  },
  style: { Panose: 'text' },
  fontFile: { ...streamKeys, ...plainKeys('Type Subtype Length1 Length2 Length3') },
  /** The encoding of a simple font, or the CMap of a composite one. */
  encoding: {
    ...streamKeys,
    ...plainKeys('Type BaseEncoding Differences CMapName WMode'),
    CIDSystemInfo: 'system',
    UseCMap: 'plain|cmap',
  },
  cmap: {
    ...streamKeys,
    ...plainKeys('Type CMapName WMode'),
    CIDSystemInfo: 'system',
    UseCMap: 'plain|cmap',
  },
  state: {
    ...plainKeys('Type LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK'),
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
  softMask: { ...plainKeys('Type S BC'), G: 'form', TR: 'plain|function' },
  halftone: {
    ...streamKeys,
    ...plainKeys('Type HalftoneType Frequency Angle SpotFunction AccurateScreens Width Height'),
    ...plainKeys('Width2 Height2 Xsquare Ysquare'),
    TransferFunction: 'plain|function',
  },
  tiling: {
    ...streamKeys,
    ...plainKeys('Type PatternType PaintType TilingType BBox XStep YStep Matrix'),
    Resources: 'resources',
  },
  shadingPattern: {
    ...plainKeys('Type PatternType Matrix'),
    Shading: 'shading',
    ExtGState: 'state',
  },
  shading: {
    ...streamKeys,
    ...plainKeys('ShadingType Background BBox AntiAlias Coords Domain Extend Matrix Decode'),
    ...plainKeys('BitsPerCoordinate BitsPerComponent BitsPerFlag VerticesPerRow'),
    ColorSpace: 'colour',
    Function: '[function]',
  },
  function: {
    ...streamKeys,
    ...plainKeys('FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds'),
    Functions: '[function]',
  },
  profile: { ...streamKeys, ...plainKeys('N Range'), Alternate: 'colour' },
  calibration: plainKeys('WhitePoint BlackPoint Gamma Matrix Range'),
  colourants: { Subtype: 'plain', Colorants: '{colour}', Process: 'process', MixingHints: 'hints' },
  process: { ColorSpace: 'colour', Components: 'plain' },
  hints: { ...plainKeys('Solidities PrintingOrder'), DotGain: '{function}' },
  data: streamKeys,
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
  return kind in dictionaryKinds ? kind : undefined;
}
