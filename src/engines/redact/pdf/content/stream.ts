import { PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import { compose, type Matrix } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import { touches } from '../boxes.ts';
import { dictOf } from '../values.ts';
import { MustBurn } from './burn.ts';
import { Emitter, type ResourceKind, type Use } from './emitter.ts';
import type { Font } from './font.ts';
import type { Scene } from './scene.ts';

/** The state of text (PDF 32000-1 §9.3), which q and Q save. Never changed, only replaced. */
export interface TextState {
  readonly font: Font;
  readonly size: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  /** 1 is the font's own width. */
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
  readonly mode: number;
}

/** How far a glyph, or an adjustment in a TJ array, moves the pen along the line. */
export function advanceOf(state: TextState, code: number): number {
  const { font, size, characterSpace, wordSpace, stretch } = state;
  const isSpace = font.bytesPerCode === 1 && code === 32;
  return (font.widthOf(code) * size + characterSpace + (isSpace ? wordSpace : 0)) * stretch;
}

export const adjustmentOf = ({ size, stretch }: TextState, thousandths: number): number =>
  (-thousandths / 1000) * size * stretch;

/** The text matrix after the pen moved by (x, y) in text space. */
export const moved = (matrix: Matrix, x: number, y: number): Matrix =>
  compose(matrix, [1, 0, 0, 1, x, y]);

/** From the glyph's own space (1 is its size) to what the text matrix maps from. */
export const glyphMatrix = ({ size, stretch, rise }: TextState): Matrix => [
  size * stretch,
  0,
  0,
  size,
  0,
  rise,
];

/** What q saves and Q brings back, as far as it says where things stand. */
export interface State {
  /** From the stream's user space to points as displayed. */
  toDisplay: Matrix;
  clip: Box;
  text: TextState;
  /** Fills with a pattern; masked by a soft mask. */
  pattern: boolean;
  masked: boolean;
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0];
export const noFont: Font = { type3: false, known: false, bytesPerCode: 1, widthOf: () => 1 };
export const startOfText: TextState = {
  font: noFont,
  size: 0,
  characterSpace: 0,
  wordSpace: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
  mode: 0,
};

/** A stream written anew, with the resources it draws with. */
export interface Rewritten {
  content: string;
  resources: PDFDict;
}

/** One content stream on its way: what it has set so far, and what is written in its place. */
export class ContentStream {
  readonly scene: Scene;
  readonly resources: PDFDict | undefined;
  readonly out = new Emitter<PDFObject>();
  state: State;
  /** The pen was moved since text was last shown: where to is written before the next. */
  penMoved = true;
  /** Marked content that is open: whether each hides what is in it, and how many do. */
  readonly #marked: boolean[] = [];
  #hiding = 0;

  constructor(scene: Scene, resources: PDFDict | undefined, state: State) {
    this.scene = scene;
    this.resources = resources;
    this.state = state;
  }

  get hidden(): boolean {
    return this.#hiding > 0;
  }

  beginMark(hides: boolean): void {
    this.#marked.push(hides);
    if (hides) this.#hiding += 1;
  }

  endMark(): void {
    if (this.#marked.pop()) this.#hiding -= 1;
  }

  /** A resource by the name that the stream knows it by. */
  find(kind: ResourceKind, name: string): Use<PDFObject> | undefined {
    const value = dictOf(this.resources, kind)?.get(PDFName.of(name));
    return value === undefined ? undefined : { kind, value, key: name };
  }

  /** What a reference leads to; any other value is itself. */
  look(value: PDFObject): PDFObject | undefined {
    return this.scene.source.lookup(value);
  }

  setText(change: Partial<TextState>): void {
    this.state = { ...this.state, text: { ...this.state.text, ...change } };
  }

  /** Patterns and soft masks can draw letters that cannot be taken out. */
  refuseMasks(box: Box): void {
    const { pattern, masked } = this.state;
    if (!pattern && !masked) return;
    if (!this.scene.shown.some((area) => touches(area, box))) return;
    throw new MustBurn(`a ${pattern ? 'pattern' : 'mask'} is drawn where something is removed`);
  }

  /** Whether a box is on the page, or so near that the edge of what is drawn in it may be. */
  isNearPage(box: Box): boolean {
    const { page } = this.scene;
    const slack = 20;
    return (
      box[0] <= page[2] + slack &&
      box[2] >= page[0] - slack &&
      box[1] <= page[3] + slack &&
      box[3] >= page[1] - slack
    );
  }

  /** Gives resources their new names, in order of use, so that no old name is told. */
  finish(): Rewritten {
    const { copier, source } = this.scene;
    const { context } = copier;
    const resources = PDFDict.withContext(context);
    const names = new Map<string, string>();
    const content = this.out.finish(({ kind, value, key }) => {
      const id = `${kind} ${key}`;
      const known = names.get(id);
      if (known) return known;
      const name = `${kind.slice(0, 1)}${kind === 'ColorSpace' ? 's' : ''}${kind === 'Shading' ? 'h' : ''}${names.size}`;
      names.set(id, name);
      let table = dictOf(resources, kind);
      if (!table) {
        table = PDFDict.withContext(context);
        resources.set(PDFName.of(kind), table);
      }
      // Pictures and forms are in the new document already.
      table.set(PDFName.of(name), kind === 'XObject' ? value : copier.copy(value, source));
      return name;
    });
    return { content, resources };
  }
}
