import { PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { applyToBox, compose, type Matrix } from '../../../geometry.ts';
import { pdfMatrix, pdfNumber } from '../../../pdf/text-run.ts';
import type { Box } from '../../../results.ts';
import { cut, share, touches } from '../boxes.ts';
import { compressed } from '../copier.ts';
import { decoded, dictOf, nameValue, numbersOf, numberValue, valueIn } from '../values.ts';
import { MustBurn } from './burn.ts';
import { deepestNesting, Emitter, type ResourceKind, type Use } from './emitter.ts';
import type { Font } from './font.ts';
import { readInlinePicture } from './inline-picture.ts';
import { marks } from './marks.ts';
import {
  bytesOf,
  isString,
  nameOf,
  numberOf,
  type Operand,
  type Operation,
  operations,
} from './operands.ts';
import { goesWith, mayShow, Path } from './path.ts';
import { deepestForm, fontOf, type Scene, spend } from './scene.ts';
import { adjustmentOf, advanceOf, glyphMatrix, moved, type TextState } from './text-state.ts';

/** What q saves and Q brings back, as far as it says where things stand. */
interface State {
  /** From the stream's user space to points as displayed. */
  toDisplay: Matrix;
  clip: Box;
  text: TextState;
  /** Fills with a pattern; masked by a soft mask. */
  pattern: boolean;
  masked: boolean;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const noFont: Font = { type3: false, known: false, bytesPerCode: 1, widthOf: () => 1 };
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

/** The part of a glyph's cell that every letter fills; what is over and under it may overlap lines. */
const coreHeight = 0.5;
/** A glyph goes when this much of its core is in an area. */
const goingShare = 0.5;

export interface Rewritten {
  content: string;
  resources: PDFDict;
}

/** One content stream being rewritten: a page's, or a form's. */
class Rewriter {
  readonly #scene: Scene;
  readonly #resources: PDFDict | undefined;
  readonly #depth: number;
  readonly #out = new Emitter<PDFObject>();
  #state: State;
  readonly #saved: State[] = [];
  #textMatrix: Matrix = identity;
  #lineMatrix: Matrix = identity;
  /** The pen was moved since text was last shown: where to is written before the next. */
  #penMoved = true;
  #path = new Path();
  #clips: string | undefined;
  /** Marked content that is open: whether each hides what is in it. */
  readonly #marked: boolean[] = [];

  constructor(scene: Scene, resources: PDFDict | undefined, state: State, depth: number) {
    this.#scene = scene;
    this.#resources = resources;
    this.#state = state;
    this.#depth = depth;
  }

  run(bytes: Uint8Array): Rewritten {
    for (const operation of operations(bytes)) {
      spend(this.#scene);
      this.#operate(operation, bytes);
    }
    return this.#finish();
  }

  get #hidden(): boolean {
    return this.#marked.includes(true);
  }

  #operate(operation: Operation, bytes: Uint8Array): void {
    const { name, operands } = operation;
    if (marks.has(name)) this.#mark(name, operands);
    else if (pathOperators.has(name)) this.#path.add(name, operands, this.#state.toDisplay);
    else if (name === 'W' || name === 'W*') this.#clips = name;
    else if (paintOperators.has(name)) this.#paintPath(name);
    else if (textOperators.has(name)) this.#operateText(name, operands);
    else if (name === 'q') this.#save();
    else if (name === 'Q') this.#restore();
    else if (name === 'cm') this.#concat(operands);
    else if (name === 'Do') this.#draw(operands[0]);
    else if (name === 'sh') this.#shade(operands[0]);
    else if (name === 'gs') this.#graphicsState(operands[0]);
    else if (name === 'ID') {
      const { source } = this.#scene;
      const stream = readInlinePicture(source, bytes, operation, this.#resources);
      this.#drawPicture(null, stream);
    } else this.#set(name, operands);
  }

  #mark(name: string, operands: readonly Operand[]): void {
    if (name === 'EMC') this.#marked.pop();
    else if (name === 'BMC') this.#marked.push(false);
    else if (name === 'BDC') {
      const properties = dictOf(this.#resources, 'Properties');
      const key = nameOf(operands[1]);
      const group = key === undefined ? undefined : properties?.get(PDFName.of(key));
      this.#marked.push(nameOf(operands[0]) === 'OC' && !this.#scene.isShown(group));
    }
  }

  #save(): void {
    if (this.#saved.length >= deepestNesting) throw new MustBurn('the page is too complex');
    this.#saved.push(this.#state);
    this.#out.save();
    this.#penMoved = true;
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
    this.#out.restore();
    this.#penMoved = true;
  }

  #concat(operands: readonly Operand[]): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map(numberOf);
    this.#state = { ...this.#state, toDisplay: compose(this.#state.toDisplay, [a, b, c, d, e, f]) };
    this.#out.set(`${operands.map(({ text }) => text).join(' ')} cm`);
    this.#penMoved = true;
  }

  /** Colours, and how lines are drawn: the newest of each kind counts. */
  #set(name: string, operands: readonly Operand[]): void {
    const values = operands.map(({ text }) => text).join(' ');
    const colour = colourOperators[name];
    if (colour) {
      const { key, space } = colour;
      const resource = nameOf(operands.at(-1));
      const isFill = key === 'fill';
      if (space === 'whole') {
        this.#out.forget((other) => other === `${key} space`);
        this.#out.want(key, `${values} ${name}`);
        if (isFill) this.#state = { ...this.#state, pattern: false };
      } else if (space === 'space') {
        this.#out.forget((other) => other === key);
        const use = resource === undefined ? undefined : this.#find('ColorSpace', resource);
        this.#out.want(`${key} space`, ...(use ? [use, name] : [`${values} ${name}`]));
        if (isFill) this.#state = { ...this.#state, pattern: isPatternSpace(resource, use?.value) };
      } else {
        const use = resource === undefined ? undefined : this.#find('Pattern', resource);
        const numbers = operands.slice(0, -1).map(({ text }) => text);
        const pieces = use ? [numbers.join(' '), use, name] : [`${values} ${name}`];
        this.#out.want(key, ...pieces);
      }
    } else if (lineOperators.has(name)) {
      this.#out.want(name, `${values} ${name}`);
    }
    // What is left are BX, EX, d0, d1 and what no reader knows.
  }

  #graphicsState(operand: Operand | undefined): void {
    const name = nameOf(operand);
    const use = name === undefined ? undefined : this.#find('ExtGState', name);
    if (!use) return;
    const dict = this.#look(use.value);
    if (!(dict instanceof PDFDict)) return;
    const keys = dict.keys().map((key) => key.decodeText());
    const settings = keys.filter((key) => key !== 'Type').sort();
    if (keys.includes('Font')) throw new MustBurn('a font is set in a way that cannot be followed');
    const mask = valueIn(dict, 'SMask');
    if (mask !== undefined) this.#state = { ...this.#state, masked: mask instanceof PDFDict };
    const key = `gs ${settings.join(' ')}`;
    const isPlain = mask === undefined && !settings.some((setting) => lineSettings.has(setting));
    if (isPlain) {
      this.#out.forget((other) => other !== key && overlaps(key, other) && covers(key, other));
      this.#out.want(key, use, 'gs');
      return;
    }
    // It also changes what other operators set, or depends on where it stands: written at once.
    this.#out.settle(false, overlaps);
    this.#out.set(use, 'gs');
    this.#out.forget((other) => other.startsWith('gs ') || lineOperators.has(other));
    this.#penMoved = true;
  }

  #find(kind: ResourceKind, name: string): Use<PDFObject> | undefined {
    const value = dictOf(this.#resources, kind)?.get(PDFName.of(name));
    return value === undefined ? undefined : { kind, value, key: name };
  }

  #look(value: PDFObject): PDFObject | undefined {
    return this.#scene.source.lookup(value);
  }

  #paintPath(name: string): void {
    const path = this.#path;
    const clips = this.#clips;
    this.#path = new Path();
    this.#clips = undefined;
    if (path.isEmpty) return;
    const { areas } = this.#scene;
    const near = areas.filter((area) =>
      touches(area, [path.box[0] - 3, path.box[1] - 3, path.box[2] + 3, path.box[3] + 3]),
    );
    const drawings = this.#scene.drawings.filter((area) => touches(area, path.box));
    const paints = name !== 'n' && !this.#hidden && this.#isOnPage(path.box);
    const goes = near.some((area) => goesWith(path, area));
    if (paints && !goes) {
      if (drawings.some((area) => mayShow(path, area))) {
        throw new MustBurn('letters may be drawn as lines where something is removed');
      }
      this.#refuseMasks(path.box);
    }
    if (clips && drawings.some((area) => mayShow(path, area))) {
      throw new MustBurn('a picture is cut out where something is removed');
    }
    const drawn = paints && !goes;
    if (clips) {
      const outline = [...path.text, `${clips} `];
      if (drawn) {
        this.#out.settle(false, overlaps);
        this.#out.paint(...outline, name);
      } else this.#out.set(...outline, 'n');
      const clip = cut(this.#state.clip, path.box) ?? [0, 0, 0, 0];
      this.#state = { ...this.#state, clip };
    } else if (drawn) {
      this.#out.settle(false, overlaps);
      this.#out.paint(...path.text, name);
    }
    this.#penMoved = true;
  }

  #isOnPage(box: Box): boolean {
    const { page } = this.#scene;
    const slack = 20;
    return (
      box[0] <= page[2] + slack &&
      box[2] >= page[0] - slack &&
      box[1] <= page[3] + slack &&
      box[3] >= page[1] - slack
    );
  }

  /** Patterns and soft masks can draw letters that cannot be taken out. */
  #refuseMasks(box: Box): void {
    const { pattern, masked } = this.#state;
    if (!pattern && !masked) return;
    if (!this.#scene.shown.some((area) => touches(area, box))) return;
    throw new MustBurn(`a ${pattern ? 'pattern' : 'mask'} is drawn where something is removed`);
  }

  #shade(operand: Operand | undefined): void {
    const name = nameOf(operand);
    const use = name === undefined ? undefined : this.#find('Shading', name);
    if (!use || this.#hidden) return;
    const shading = this.#look(use.value);
    const dict = shading instanceof PDFRawStream ? shading.dict : shading;
    const type = dict instanceof PDFDict ? (numberValue(dict, 'ShadingType') ?? 0) : 0;
    const { clip } = this.#state;
    // Meshes can draw letters; the plain kinds are gradients.
    if (type >= 4 && this.#scene.shown.some((area) => touches(area, clip))) {
      throw new MustBurn('a mesh is drawn where something is removed');
    }
    this.#refuseMasks(clip);
    this.#out.settle(false, overlaps);
    this.#out.paint(use, 'sh');
    this.#penMoved = true;
  }

  #draw(operand: Operand | undefined): void {
    const name = nameOf(operand);
    const use = name === undefined ? undefined : this.#find('XObject', name);
    if (!use || this.#hidden) return;
    const stream = this.#look(use.value);
    if (!(stream instanceof PDFRawStream)) return;
    if (!this.#scene.isShown(stream.dict.get(PDFName.of('OC')))) return;
    const subtype = nameValue(stream.dict, 'Subtype');
    if (subtype === 'Image') {
      this.#drawPicture(use.value instanceof PDFRef ? use.value : null, stream);
    } else if (subtype === 'Form') this.#drawForm(stream);
  }

  #drawPicture(ref: PDFRef | null, stream: PDFRawStream): void {
    if (this.#hidden) return;
    const { toDisplay, clip } = this.#state;
    const box = applyToBox(toDisplay, [0, 0, 1, 1]);
    if (this.#state.masked) this.#refuseMasks(box);
    const copy = this.#scene.draw({ ref, stream, matrix: toDisplay, clip });
    if (!copy) return;
    this.#out.settle(false, overlaps);
    this.#out.paint({ kind: 'XObject', value: copy, key: copy.toString() }, 'Do');
    this.#penMoved = true;
  }

  #drawForm(form: PDFRawStream): void {
    if (this.#depth >= deepestForm) throw new MustBurn('the page is too complex');
    const bytes = decoded(form);
    if (!bytes) throw new MustBurn('part of the page cannot be read');
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(form.dict, 'Matrix') ?? [];
    const matrix: Matrix = [a, b, c, d, e, f];
    const toDisplay = compose(this.#state.toDisplay, matrix);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersOf(form.dict, 'BBox') ?? [];
    const box = applyToBox(toDisplay, [x0, y0, x1, y1]);
    const clip = cut(this.#state.clip, box);
    if (!clip) return;
    const { copier } = this.#scene;
    const resources = dictOf(form.dict, 'Resources') ?? this.#resources;
    const inner = new Rewriter(
      this.#scene,
      resources,
      { ...this.#state, toDisplay, clip },
      this.#depth + 1,
    );
    const rewritten = inner.run(bytes);
    if (rewritten.content === '') return;
    const copy = compressed(copier.context, Buffer.from(rewritten.content, 'latin1'), {
      Type: 'XObject',
      Subtype: 'Form',
    });
    copy.dict.set(PDFName.of('BBox'), copier.context.obj([x0, y0, x1, y1]));
    copy.dict.set(PDFName.of('Matrix'), copier.context.obj([...matrix]));
    const group = dictOf(form.dict, 'Group');
    if (group) copy.dict.set(PDFName.of('Group'), copier.copy(group, this.#scene.source));
    copy.dict.set(PDFName.of('Resources'), rewritten.resources);
    const ref = copier.intern(copy);
    this.#out.settle(true, overlaps);
    this.#out.paint({ kind: 'XObject', value: ref, key: ref.toString() }, 'Do');
    this.#penMoved = true;
  }

  #operateText(name: string, operands: readonly Operand[]): void {
    const [first = 0, second = 0] = operands.map(numberOf);
    const text = this.#state.text;
    switch (name) {
      case 'BT':
        this.#moveTo(identity);
        return;
      case 'ET':
        this.#out.endText();
        this.#penMoved = true;
        return;
      case 'Td':
        this.#moveBy(first, second);
        return;
      case 'TD':
        this.#setText({ leading: -second });
        this.#moveBy(first, second);
        return;
      case 'T*':
        this.#moveBy(0, -text.leading);
        return;
      case 'Tm': {
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map(numberOf);
        this.#moveTo([a, b, c, d, e, f]);
        return;
      }
      case 'Tf':
        this.#setFont(operands);
        return;
      case 'Tc':
        this.#setText({ characterSpace: first });
        break;
      case 'Tw':
        this.#setText({ wordSpace: first });
        break;
      case 'Tz':
        this.#setText({ stretch: first / 100 });
        break;
      case 'TL':
        this.#setText({ leading: first });
        return;
      case 'Ts':
        this.#setText({ rise: first });
        break;
      case 'Tr':
        this.#setText({ mode: first });
        break;
      case '"':
        this.#setText({ wordSpace: first, characterSpace: second });
        this.#out.want('Tw', `${operands[0]?.text ?? 0} Tw`);
        this.#out.want('Tc', `${operands[1]?.text ?? 0} Tc`);
        this.#moveBy(0, -text.leading);
        this.#show(operands.slice(2));
        return;
      case "'":
        this.#moveBy(0, -text.leading);
        this.#show(operands);
        return;
      default:
        this.#show(operands.filter(({ text: item }) => item !== '[' && item !== ']'));
        return;
    }
    this.#out.want(name, `${operands[0]?.text ?? 0} ${name}`);
  }

  #setText(change: Partial<TextState>): void {
    this.#state = { ...this.#state, text: { ...this.#state.text, ...change } };
  }

  #setFont(operands: readonly Operand[]): void {
    const name = nameOf(operands[0]);
    const use = name === undefined ? undefined : this.#find('Font', name);
    const dict = use && this.#look(use.value);
    const font = dict instanceof PDFDict ? fontOf(this.#scene, dict) : noFont;
    this.#setText({ font, size: numberOf(operands[1]) });
    if (use) this.#out.want('Tf', use, `${operands[1]?.text ?? 0} Tf`);
  }

  #moveTo(matrix: Matrix): void {
    this.#lineMatrix = matrix;
    this.#textMatrix = matrix;
    this.#penMoved = true;
  }

  #moveBy(x: number, y: number): void {
    this.#moveTo(moved(this.#lineMatrix, x, y));
  }

  /** Shows what remains of a string, or of an array of strings and adjustments. */
  #show(operands: readonly Operand[]): void {
    const { text } = this.#state;
    const { font } = text;
    if (!font.known) {
      this.#showWhole(operands);
      return;
    }
    let parts: string[] = [];
    let start: Matrix | undefined;
    const flush = (): void => {
      if (parts.length > 0) this.#write(start ?? this.#textMatrix, parts);
      parts = [];
    };
    for (const operand of operands) {
      if (!isString(operand)) {
        const by = adjustmentOf(text, numberOf(operand));
        this.#textMatrix = moved(this.#textMatrix, by, 0);
        if (parts.length > 0) parts.push(operand.text);
        else this.#penMoved = true;
        continue;
      }
      const bytes = bytesOf(operand);
      let kept = '';
      const keep = (): void => {
        if (kept !== '') parts.push(`<${kept}>`);
        kept = '';
      };
      for (let at = 0; at < bytes.length; at += font.bytesPerCode) {
        spend(this.#scene);
        const pair = font.bytesPerCode === 2;
        const code = pair ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : (bytes[at] ?? 0);
        if (this.#goes(code)) {
          keep();
          flush();
          this.#penMoved = true;
        } else {
          if (parts.length === 0 && kept === '') start = this.#textMatrix;
          kept += code.toString(16).padStart(pair ? 4 : 2, '0');
        }
        this.#textMatrix = moved(this.#textMatrix, advanceOf(text, code), 0);
      }
      keep();
    }
    flush();
  }

  #write(at: Matrix, parts: readonly string[]): void {
    const ends = [...parts];
    // An adjustment at the end moves nothing that is shown.
    while (ends.length > 0 && !ends.at(-1)?.startsWith('<')) {
      ends.pop();
      this.#penMoved = true;
    }
    const isMoved = this.#penMoved || !this.#out.inText;
    const shown = ends.length === 1 ? `${ends[0]} Tj` : `[${ends.join(' ')}] TJ`;
    this.#out.showText(isMoved ? textMatrix(at) : undefined, shown);
    this.#penMoved = ends.length !== parts.length;
  }

  /** Whether a glyph at the pen has to go. */
  #goes(code: number): boolean {
    const { text, toDisplay } = this.#state;
    if (this.#hidden) return true;
    const matrix = compose(compose(toDisplay, this.#textMatrix), glyphMatrix(text));
    const width = text.font.widthOf(code);
    const core = applyToBox(matrix, [0, 0, width, coreHeight]);
    const cell = applyToBox(matrix, [0, -0.25, width, 1]);
    const { page, areas } = this.#scene;
    if (!touchesOrMeets(cell, page)) return true;
    for (const area of areas) {
      if (!touchesOrMeets(cell, area)) continue;
      if (text.font.type3) throw new MustBurn('text in a font made of drawings is removed');
      if (share(core, area) < goingShare) continue;
      if (text.mode >= 4) throw new MustBurn('text that cuts out a picture is removed');
      return true;
    }
    return false;
  }

  /** Text whose glyphs' places are not known: kept whole, away from what is removed. */
  #showWhole(operands: readonly Operand[]): void {
    const { text, toDisplay } = this.#state;
    const strings = operands.filter(isString);
    const length = strings.reduce((sum, operand) => sum + bytesOf(operand).length, 0);
    if (length === 0 || this.#hidden) return;
    const matrix = compose(compose(toDisplay, this.#textMatrix), glyphMatrix(text));
    const reach = applyToBox(matrix, [0, -0.25, length + 1, 1]);
    const { areas } = this.#scene;
    if (areas.some((area) => touches(area, reach))) {
      throw new MustBurn('text in a font that cannot be measured is removed');
    }
    const isMoved = this.#penMoved || !this.#out.inText;
    const shown = operands.map(({ text: item }) => item).join(' ');
    this.#out.showText(isMoved ? textMatrix(this.#textMatrix) : undefined, `[${shown}] TJ`);
    this.#penMoved = false;
  }

  /** Gives resources their new names, in order of use, so that no old name is told. */
  #finish(): Rewritten {
    const { copier, source } = this.#scene;
    const { context } = copier;
    const resources = PDFDict.withContext(context);
    const names = new Map<string, string>();
    const content = this.#out.finish(({ kind, value, key }) => {
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

const pathOperators: ReadonlySet<string> = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);
const paintOperators: ReadonlySet<string> = new Set(
  ['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n'], // PDF 32000-1 table 60
);
const textOperators: ReadonlySet<string> = new Set([
  'BT',
  'ET',
  'Td',
  'TD',
  'Tm',
  'T*',
  'Tf',
  'Tc',
  'Tw',
  'Tz',
  'TL',
  'Ts',
  'Tr',
  'Tj',
  'TJ',
  "'",
  '"',
]);
const lineOperators: ReadonlySet<string> = new Set(['w', 'J', 'j', 'M', 'd', 'ri', 'i']);
/** Entries of a graphics state dictionary that operators set too. */
const lineSettings: ReadonlySet<string> = new Set(['LW', 'LC', 'LJ', 'ML', 'D', 'RI', 'FL']);

type Colour = { key: 'fill' | 'stroke'; space: 'whole' | 'space' | 'part' };
const colourOperators: Readonly<Record<string, Colour>> = {
  g: { key: 'fill', space: 'whole' },
  rg: { key: 'fill', space: 'whole' },
  k: { key: 'fill', space: 'whole' },
  cs: { key: 'fill', space: 'space' },
  sc: { key: 'fill', space: 'part' },
  scn: { key: 'fill', space: 'part' },
  G: { key: 'stroke', space: 'whole' },
  RG: { key: 'stroke', space: 'whole' },
  K: { key: 'stroke', space: 'whole' },
  CS: { key: 'stroke', space: 'space' },
  SC: { key: 'stroke', space: 'part' },
  SCN: { key: 'stroke', space: 'part' },
};

function isPatternSpace(name: string | undefined, value: PDFObject | undefined): boolean {
  return name === 'Pattern' || (value?.toString().includes('/Pattern') ?? false);
}

/** Settings of a graphics state: keys `gs A B`. */
const settingsOf = (key: string): string[] => key.split(' ').slice(1);

/** Whether writing one key makes what was written of the other doubtful. */
function overlaps(key: string, other: string): boolean {
  if (key === 'fill space' || key === 'stroke space') return `${other} space` === key;
  if (key === 'fill' || key === 'stroke') return false;
  if (key === other || !key.startsWith('gs ') || !other.startsWith('gs ')) return false;
  const settings = settingsOf(key);
  return settingsOf(other).some((setting) => settings.includes(setting));
}

/** Whether the first sets all that the second does. */
function covers(key: string, other: string): boolean {
  const settings = settingsOf(key);
  return settingsOf(other).every((setting) => settings.includes(setting));
}

/** Like `touches`, for boxes that may have no width. */
function touchesOrMeets(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

/** Places are rounded to thousandths, away from where sums of widths differ in their last bits. */
function textMatrix([a, b, c, d, e, f]: Matrix): string {
  const [x, y] = [e, f].map((value) => pdfNumber(Math.round(value * 1000 + 1e-4) / 1000, 3));
  const linear = pdfMatrix([a, b, c, d, 0, 0]).split(' ').slice(0, 4);
  return [...linear, x, y].join(' ');
}

/**
 * Writes a page's content anew without what is in the scene's areas, what is off the page and what
 * is hidden, and without marked content. `toDisplay` maps the page's user space to points as
 * displayed. Throws MustBurn where that is not safe.
 */
export function rewriteContent(
  scene: Scene,
  bytes: Uint8Array,
  resources: PDFDict | undefined,
  toDisplay: Matrix,
): Rewritten {
  const state: State = {
    toDisplay,
    clip: scene.page,
    text: startOfText,
    pattern: false,
    masked: false,
  };
  return new Rewriter(scene, resources, state, 0).run(bytes);
}
