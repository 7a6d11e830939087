import { PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import { intersects, type Matrix } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import { dictOf } from '../build/values.ts';
import { MustBurn } from '../must-burn.ts';
import { Emitter, type ResourceKind, type ResourceUse } from './emitter.ts';
import type { Font } from './font.ts';
import type { Scene } from './scene.ts';

/** The text state (PDF 32000-1 §9.3), which is saved by q and restored by Q. Immutable. */
interface RewriteTextState {
  readonly font: Font;
  readonly size: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  /** Horizontal scaling, where 1 is the normal width. */
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
  readonly mode: number;
}

/**
 * Returns the distance by which a glyph moves the pen along the line, including the character and
 * word spacing.
 */
export function advanceOfCode(state: RewriteTextState, code: number): number {
  const { font, size, characterSpace, wordSpace, stretch } = state;
  const isSpace = font.bytesPerCode === 1 && code === 32;
  return (font.widthOf(code) * size + characterSpace + (isSpace ? wordSpace : 0)) * stretch;
}

/** Returns the distance by which an adjustment in a TJ array moves the pen along the line. */
export const adjustmentOf = ({ size, stretch }: RewriteTextState, thousandths: number): number =>
  (-thousandths / 1000) * size * stretch;

/** Returns the text matrix after a move by (x, y) in text space. */
export const translate = (matrix: Matrix, x: number, y: number): Matrix => [
  matrix[0],
  matrix[1],
  matrix[2],
  matrix[3],
  matrix[0] * x + matrix[2] * y + matrix[4],
  matrix[1] * x + matrix[3] * y + matrix[5],
];

/** Maps glyph space, where 1 is the font size, to text space. */
export const glyphMatrix = ({ size, stretch, rise }: RewriteTextState): Matrix => [
  size * stretch,
  0,
  0,
  size,
  0,
  rise,
];

/** The part of the graphics state that affects positions. It is saved by q and restored by Q. */
export interface GraphicsState {
  /** Maps the user space of the stream to points as displayed. */
  toDisplay: Matrix;
  clip: Box;
  text: RewriteTextState;
  /** Whether a pattern is used for filling, and whether a soft mask is set. */
  usesPattern: boolean;
  usesSoftMask: boolean;
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0];
export const noFont: Font = {
  isType3: false,
  hasMetrics: false,
  bytesPerCode: 1,
  widthOf: () => 1,
};
export const initialTextState: RewriteTextState = {
  font: noFont,
  size: 0,
  characterSpace: 0,
  wordSpace: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
  mode: 0,
};

/** A rewritten stream and the resources that it uses. */
export interface RewrittenContent {
  content: string;
  resources: PDFDict;
}

/** A content stream that is being rewritten, with the state of the source and the output. */
export class ContentStream {
  readonly scene: Scene;
  readonly resources: PDFDict | undefined;
  readonly out = new Emitter<PDFObject>();
  state: GraphicsState;
  /**
   * Whether the pen moved since text was last shown. If so, the position is written before the next
   * text.
   */
  hasPenMoved = true;
  /**
   * Open marked content: whether each section hides its content, and the number of sections that
   * do.
   */
  readonly openMarks: boolean[] = [];
  hiddenDepth = 0;

  constructor(scene: Scene, resources: PDFDict | undefined, state: GraphicsState) {
    this.scene = scene;
    this.resources = resources;
    this.state = state;
  }

  get isHidden(): boolean {
    return this.hiddenDepth > 0;
  }

  beginMark(isHidden: boolean): void {
    this.openMarks.push(isHidden);
    if (isHidden) this.hiddenDepth += 1;
  }

  endMark(): void {
    if (this.openMarks.pop()) this.hiddenDepth -= 1;
  }

  /** Returns a resource by its name in the source stream. */
  findResource(kind: ResourceKind, name: string): ResourceUse<PDFObject> | undefined {
    const value = dictOf(this.resources, kind)?.get(PDFName.of(name));
    return value === undefined ? undefined : { kind, value, key: name };
  }

  /** Returns the target of a reference, and other values unchanged. */
  resolve(value: PDFObject): PDFObject | undefined {
    return this.scene.source.lookup(value);
  }

  updateTextState(change: Partial<RewriteTextState>): void {
    this.state = { ...this.state, text: { ...this.state.text, ...change } };
  }

  /**
   * Rejects patterns and soft masks in removed areas, because they can draw letters that cannot be
   * removed.
   * @throws MustBurn if a pattern or soft mask is drawn in a removed area
   */
  rejectMasks(box: Box): void {
    const { usesPattern, usesSoftMask } = this.state;
    if (!usesPattern && !usesSoftMask) return;
    if (!this.scene.recognisedAreas.some((area) => intersects(area, box))) return;
    throw new MustBurn(`a ${usesPattern ? 'pattern' : 'mask'} is drawn in a removed area`);
  }

  /** Whether a box is on the page, or so close to it that its antialiased edges may be. */
  isNearPage(box: Box): boolean {
    const { page } = this.scene;
    const tolerance = 20;
    return (
      box[0] <= page[2] + tolerance &&
      box[2] >= page[0] - tolerance &&
      box[1] <= page[3] + tolerance &&
      box[3] >= page[1] - tolerance
    );
  }

  /** Renames resources in order of use, so that no name of the source remains. */
  finish(): RewrittenContent {
    const { copier, source } = this.scene;
    const { context } = copier;
    const resources = PDFDict.withContext(context);
    const names = new Map<string, string>();
    const content = this.out.finish(({ kind, value, key }) => {
      const id = `${kind} ${key}`;
      const existing = names.get(id);
      if (existing) return existing;
      const name = `${kind.slice(0, 1)}${kind === 'ColorSpace' ? 's' : ''}${kind === 'Shading' ? 'h' : ''}${names.size}`;
      names.set(id, name);
      let table = dictOf(resources, kind);
      if (!table) {
        table = PDFDict.withContext(context);
        resources.set(PDFName.of(kind), table);
      }
      // Pictures and forms were already copied.
      table.set(PDFName.of(name), kind === 'XObject' ? value : copier.copy(value, source));
      return name;
    });
    return { content, resources };
  }
}
