import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** [x0, y0, x1, y1] in points, of the page as displayed: origin top left, y down, after /Rotate. */
export const Box = Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]);
export type Box = Static<typeof Box>;

/** One page of a source as `inspect` sees it. Sizes in points, after rotation. */
export const InspectedPage = Type.Object({
  /** 1-based. */
  number: Type.Integer({ minimum: 1 }),
  widthPt: Type.Number(),
  heightPt: Type.Number(),
  /** Clockwise, as the page asks to be shown: 0, 90, 180 or 270. */
  rotation: Type.Integer(),
  /** Visible characters of text, without spaces. */
  characters: Type.Integer(),
  /** True when the page has text already, visible or in an invisible layer. */
  hasText: Type.Boolean(),
});
export type InspectedPage = Static<typeof InspectedPage>;

/** What a source is, before any work on it. */
export const Inspection = Type.Object({
  kind: Type.Union([Type.Literal('pdf'), Type.Literal('image')]),
  pages: Type.Array(InspectedPage),
  /** The PDF carries a signature, which adding a text layer makes invalid. */
  signed: Type.Boolean(),
  /** The PDF's cross-reference table had to be rebuilt. */
  repaired: Type.Boolean(),
});
export type Inspection = Static<typeof Inspection>;

/** A word, where it stands and how sure the recogniser is. */
export const Word = Type.Object({
  text: Type.String(),
  box: Box,
  /** 0 to 1; 1 for text that was in the PDF. */
  confidence: Type.Number(),
  /** Index into `lines`. */
  line: Type.Integer(),
  source: Type.Union([Type.Literal('ocr'), Type.Literal('pdf')]),
});
export type Word = Static<typeof Word>;

/** A line of text: what its words share, as the text layer needs it. */
export const Line = Type.Object({
  /** Where the baseline starts, in points of the page as displayed. */
  origin: Type.Tuple([Type.Number(), Type.Number()]),
  /** Direction of the baseline in degrees, clockwise as displayed; 0 is left to right. */
  angle: Type.Number(),
  /** Height of a line from descender to ascender, in points. */
  size: Type.Number(),
  /** A paragraph starts with this line. */
  paragraph: Type.Boolean(),
});
export type Line = Static<typeof Line>;

/** What the text layer does with the page. */
export const Treatment = Type.Union([
  Type.Literal('keep'),
  Type.Literal('add'),
  Type.Literal('replace_invisible'),
  Type.Literal('rasterise'),
]);
export type Treatment = Static<typeof Treatment>;

/** One page, recognised or found to have text. */
export const PageResult = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  state: Type.Union([Type.Literal('recognised'), Type.Literal('has_text')]),
  treatment: Treatment,
  widthPt: Type.Number(),
  heightPt: Type.Number(),
  /** The PDF page's visible rectangle in its own user space, and its /Rotate; null for images. */
  frame: Type.Union([
    Type.Object({
      left: Type.Number(),
      bottom: Type.Number(),
      width: Type.Number(),
      height: Type.Number(),
      rotation: Type.Number(),
    }),
    Type.Null(),
  ]),
  text: Type.String(),
  words: Type.Array(Word),
  lines: Type.Array(Line),
  meanConfidence: Type.Number(),
  /** Characters in `text`, without spaces. */
  characters: Type.Integer(),
  /** Degrees clockwise that the page must be turned to read upright; 0 unless asked to rotate. */
  orientation: Type.Union([
    Type.Literal(0),
    Type.Literal(90),
    Type.Literal(180),
    Type.Literal(270),
  ]),
  /** Degrees clockwise that the text leans, after `orientation`. */
  skewDegrees: Type.Number(),
  /** The searchable PDF straightens the page by `skewDegrees`. */
  deskew: Type.Boolean(),
  blank: Type.Boolean(),
});
export type PageResult = Static<typeof PageResult>;

/** What an assembly wrote. */
export const Assembled = Type.Object({ bytes: Type.Integer(), pages: Type.Integer() });
export type Assembled = Static<typeof Assembled>;

export const checkAssembled = Compile(Assembled);
export const checkPageResult = Compile(PageResult);
export const checkInspection = Compile(Inspection);
