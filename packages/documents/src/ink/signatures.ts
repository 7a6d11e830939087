import {
  area,
  grow,
  heightOf,
  hull,
  intersects,
  mergeIntersecting,
  sharedArea,
  widthOf,
} from '../geometry.ts';
import { textureTest } from '../photos/text.ts';
import type { Box } from '../results.ts';
import { type GreyRaster, type InkPiece, inkMap, piecesOf } from './components.ts';
import { type InkAtScale, inkScalesOf } from './letters.ts';
import { outlineOf, strokeGroups, unknownInk } from './pen-strokes.ts';
import { withoutRules } from './rules.ts';
import { signatureScore } from './signature-model.ts';
import { traitsOf } from './traits.ts';
import { unreadWriting } from './writing.ts';

/*
 * Writing by hand looks like rows of letters (`writing`), but a signature may be a single stroke. A
 * model (`signature-model`) judges groups of strokes by their measurements. Where a signature is
 * expected, every stroke of a pen counts: it is thin, long for the space that it fills, and turns in
 * all directions.
 */

/** Range of the sides of a stroke, in pixels of a picture of 150 dpi: of the longer and shorter one. */
const longSides = [28, 700] as const;
const shortSides = [14, 260] as const;
/** Maximum thickness of a stroke, in pixels. */
const maxThickness = 9;
/** Maximum share of the box of a stroke that is ink. */
const maxInkShare = 0.55;
/** Minimum length of a stroke, in diagonals of its box. A single arc is little longer than one. */
const minWinding = 1.25;
/** Maximum share of the edges of a stroke that are level or upright, and that have one direction. */
const maxAxisShare = 0.6;
const maxCoherence = 0.9;
/** Minimum contrast of a stroke, and the maximum variation and stains of the paper around it. */
const minContrast = 40;
const maxVariation = 0.12;
const maxStainedShare = 0.12;
/** Distance of other strokes that belong to a signature, in heights of its box and in pixels. */
const reachShare = 0.4;
const maxReach = 40;
/** Minimum number of pixels of a stroke. Smaller pieces are grain. */
const minInk = 12;
/** Maximum share of a signature that others may cover. Above it, it repeats them. */
const maxSharedShare = 0.8;
/** Maximum share of a box that may be in the known text. */
const maxKnownShare = 0.3;

/** Minimum probability of a signature, and the one below which a signature is doubtful. */
const minScore = 0.3;
const certainScore = 0.5;
/** Maximum length of a signature in a line of writing, in heights. Longer lines have several words. */
const maxSignatureLength = 5;
/** Minimum share of a group of strokes that is in the line of writing which it forms. */
const minGroupShare = 0.5;

/** Writing by hand, in pixels. */
export interface FoundWriting {
  type: 'SIGNATURE' | 'HANDWRITING';
  box: Box;
  /** Whether it may be something else. */
  isDoubtful: boolean;
}

/**
 * Finds signatures and other writing by hand outside the known boxes of a picture of about 150 dpi.
 * Anywhere, these are strokes that look like writing or that the model takes for a signature; where
 * a signature is expected, all strokes of a pen. A line of writing is a signature if one is expected
 * there, or if the model takes it for one.
 * @param known boxes of text that was read, in pixels
 * @param expected areas where a signature is expected, in pixels
 * @param scales the ink of the picture at each scale
 */
export function findWritingByHand(
  picture: GreyRaster,
  known: readonly Box[],
  expected: readonly Box[],
  scales: readonly InkAtScale[] = inkScalesOf(picture),
): FoundWriting[] {
  const isExpected = (box: Box): boolean => expected.some((area) => intersects(area, box));
  const isOfPhoto = textureTest(picture, known);
  const writing = unreadWriting(picture, known, scales).filter((box) => !isOfPhoto(box));
  const plain = withoutRules(picture);
  const allInk = unknownInk(picture, inkMap(picture), known);
  const strokes = plain === picture ? allInk : unknownInk(plain, inkMap(plain), known);
  const judged = strokeGroups(strokes, plain)
    .map(({ box, features }) => ({ box, score: signatureScore(features) }))
    .filter(({ box, score }) => score >= minScore && !isOfPhoto(box));
  const certainGroups = judged.filter(({ score }) => score >= certainScore).map(({ box }) => box);
  const groups = certainGroups.filter((box) => !isRepeated(box, writing));
  const pieces =
    expected.length === 0
      ? []
      : piecesOf(strokes, plain, 1, isStrokeSized).filter((piece) => isExpected(boxOf(piece)));
  const pens = pieces.filter((piece) => isPenStroke(piece, strokes, plain, known)).map(boxOf);
  // A flourish may be as straight as a rule.
  const withRules = plain === picture ? [] : piecesOf(allInk, picture, 1, isStrokeSized).map(boxOf);
  const parts = [...pieces.map(boxOf), ...withRules.filter(isExpected)];
  const merged = mergeIntersecting([
    ...groups.map((box) => withStrokes(box, withRules)),
    ...[...writing.filter(isExpected), ...pens].map((box) => withStrokes(box, parts)),
  ]);
  const lines = writing.filter((box) => !isExpected(box));
  const isSignature = (line: Box): boolean => isSigned(line, certainGroups);
  const signatures = [...lines.filter(isSignature), ...merged];
  const handwriting = lines.filter((line) => !isSignature(line));
  const doubtful = judged.filter(
    ({ box, score }) =>
      score < certainScore &&
      !isRepeated(box, writing) &&
      !isRepeated(box, [...handwriting, ...signatures]),
  );
  return [
    ...handwriting.map((box): FoundWriting => ({ type: 'HANDWRITING', box, isDoubtful: false })),
    ...signatures.map((box): FoundWriting => ({ type: 'SIGNATURE', box, isDoubtful: false })),
    ...doubtful.map(({ box }): FoundWriting => ({ type: 'SIGNATURE', box, isDoubtful: true })),
  ];
}

/** Whether a line of writing is as short as a signature and is one of the signatures of the model. */
function isSigned(line: Box, signatures: readonly Box[]): boolean {
  const [short = 0, long = 0] = [widthOf(line), heightOf(line)].sort((a, b) => a - b);
  if (long > maxSignatureLength * short) return false;
  return signatures.some(
    (box) => isRepeated(line, [box]) && sharedArea(line, box) > minGroupShare * area(box),
  );
}

/** Whether other boxes cover most of a box. */
const isRepeated = (box: Box, others: readonly Box[]): boolean =>
  others.reduce((sum, other) => sum + sharedArea(box, other), 0) > maxSharedShare * area(box);

/** Whether a piece of ink may be a stroke, or a part of one. */
function isStrokeSized(width: number, height: number, ink: number): boolean {
  const [short = 0, long = 0] = [width, height].sort((a, b) => a - b);
  return ink >= minInk && short <= shortSides[1] && long <= longSides[1];
}

const boxOf = ({ x0, y0, x1, y1 }: InkPiece): Box => [x0, y0, x1, y1];

/** Whether a piece of ink is the stroke of a pen. */
function isPenStroke(
  piece: InkPiece,
  strokes: Uint8Array,
  picture: GreyRaster,
  known: readonly Box[],
): boolean {
  const box = boxOf(piece);
  const [short = 0, long = 0] = [widthOf(box), heightOf(box)].sort((a, b) => a - b);
  if (long < longSides[0] || short < shortSides[0]) return false;
  if (piece.ink > maxInkShare * area(box)) return false;
  const { perimeter, axisShare, coherence } = outlineOf(strokes, picture, box);
  const thickness = (2 * piece.ink) / Math.max(1, perimeter);
  const winding = perimeter / 2 / Math.hypot(widthOf(box), heightOf(box));
  if (thickness > maxThickness || winding < minWinding) return false;
  if (axisShare > maxAxisShare || coherence > maxCoherence) return false;
  const traits = traitsOf(strokes, picture, box);
  if (traits.contrast < minContrast || traits.variation > maxVariation) return false;
  if (traits.stainedShare > maxStainedShare) return false;
  const covered = known.reduce((sum, other) => sum + sharedArea(box, other), 0);
  return covered <= maxKnownShare * area(box);
}

/** Returns a box with the strokes that touch it or are just beside it. */
function withStrokes(box: Box, strokes: readonly Box[]): Box {
  const reach = Math.min(maxReach, reachShare * heightOf(box));
  const near = grow(box, reach);
  return hull([box, ...strokes.filter((other) => intersects(other, near))]) ?? box;
}
