import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import {
  applyToBox,
  compose,
  intersection,
  intersects,
  type Matrix,
} from '../../../../geometry.ts';
import { decodeStream } from '../../../../pdf/streams.ts';
import { dictOf, lookUp, nameValue, numbersIn, numberValue } from '../build/values.ts';
import { MustBurn } from '../must-burn.ts';
import {
  ContentStream,
  type GraphicsState,
  initialTextState,
  type RewrittenContent,
} from './content-stream.ts';
import { maxNesting } from './emitter.ts';
import { readInlinePicture } from './inline-picture.ts';
import { markOperators } from './marks.ts';
import {
  type Operand,
  operandName,
  operandNumber,
  type RewriteOperation,
  readOperations,
} from './operands.ts';
import {
  colourOperators,
  isPatternSpace,
  lineOperators,
  lineSettings,
  paintOperators,
  pathOperators,
  settingCovers,
  settingsOverlap,
  textOperators,
} from './operators.ts';
import { isRemovedWith, mayDrawHiddenLetters, Path } from './path.ts';
import { countOperation, maxFormDepth, type Scene } from './scene.ts';

import { TextRewriter } from './text.ts';

/** Rewrites one content stream, of a page or a form. */
class Rewriter {
  readonly #stream: ContentStream;
  readonly #text: TextRewriter;
  readonly #depth: number;
  readonly #saved: GraphicsState[] = [];
  #path = new Path();
  clipOperator: string | undefined;

  constructor(scene: Scene, resources: PDFDict | undefined, state: GraphicsState, depth: number) {
    this.#stream = new ContentStream(scene, resources, state);
    this.#text = new TextRewriter(this.#stream);
    this.#depth = depth;
  }

  run(bytes: Uint8Array): RewrittenContent {
    for (const operation of readOperations(bytes)) {
      countOperation(this.#stream.scene);
      this.#operate(operation, bytes);
    }
    return this.#stream.finish();
  }

  #operate(operation: RewriteOperation, bytes: Uint8Array): void {
    const { name, operands } = operation;
    if (markOperators.has(name)) this.#mark(name, operands);
    else if (pathOperators.has(name)) this.#path.add(name, operands, this.#stream.state.toDisplay);
    else if (name === 'W' || name === 'W*') this.clipOperator = name;
    else if (paintOperators.has(name)) this.#paintPath(name);
    else if (textOperators.has(name)) this.#text.operate(name, operands);
    else if (name === 'q') this.#save();
    else if (name === 'Q') this.#restore();
    else if (name === 'cm') this.#concat(operands);
    else if (name === 'Do') this.#draw(operands[0]);
    else if (name === 'sh') this.#shade(operands[0]);
    else if (name === 'gs') this.#graphicsState(operands[0]);
    else if (name === 'ID') {
      const { source } = this.#stream.scene;
      const stream = readInlinePicture(source, bytes, operation, this.#stream.resources);
      this.#drawPicture(null, stream);
    } else this.#set(name, operands);
  }

  #mark(name: string, operands: readonly Operand[]): void {
    if (name === 'EMC') this.#stream.endMark();
    else if (name === 'BMC') this.#stream.beginMark(false);
    else if (name === 'BDC') {
      const properties = dictOf(this.#stream.resources, 'Properties');
      const key = operandName(operands[1]);
      const group = key === undefined ? undefined : properties?.get(PDFName.of(key));
      this.#stream.beginMark(
        operandName(operands[0]) === 'OC' && !this.#stream.scene.isShown(group),
      );
    }
  }

  #save(): void {
    if (this.#saved.length >= maxNesting) throw new MustBurn('the page is too complex');
    this.#saved.push(this.#stream.state);
    this.#stream.out.save();
    this.#stream.hasPenMoved = true;
  }

  #restore(): void {
    this.#stream.state = this.#saved.pop() ?? this.#stream.state;
    this.#stream.out.restore();
    this.#stream.hasPenMoved = true;
  }

  #concat(operands: readonly Operand[]): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map(operandNumber);
    this.#stream.state = {
      ...this.#stream.state,
      toDisplay: compose(this.#stream.state.toDisplay, [a, b, c, d, e, f]),
    };
    this.#stream.out.writeState(`${operands.map(({ text }) => text).join(' ')} cm`);
    this.#stream.hasPenMoved = true;
  }

  /** Sets colours and line styles. The latest setting of each kind applies. */
  #set(name: string, operands: readonly Operand[]): void {
    const values = operands.map(({ text }) => text).join(' ');
    const colour = colourOperators[name];
    if (colour) {
      const { key, space } = colour;
      const resource = operandName(operands.at(-1));
      const isFill = key === 'fill';
      if (space === 'whole') {
        this.#stream.out.discard((other) => other === `${key} space`);
        this.#stream.out.setPending(key, `${values} ${name}`);
        if (isFill) this.#stream.state = { ...this.#stream.state, usesPattern: false };
      } else if (space === 'space') {
        this.#stream.out.discard((other) => other === key);
        const use =
          resource === undefined ? undefined : this.#stream.findResource('ColorSpace', resource);
        this.#stream.out.setPending(`${key} space`, ...(use ? [use, name] : [`${values} ${name}`]));
        if (isFill)
          this.#stream.state = {
            ...this.#stream.state,
            usesPattern: isPatternSpace(resource, use?.value),
          };
      } else {
        const use =
          resource === undefined ? undefined : this.#stream.findResource('Pattern', resource);
        const numbers = operands.slice(0, -1).map(({ text }) => text);
        const pieces = use ? [numbers.join(' '), use, name] : [`${values} ${name}`];
        this.#stream.out.setPending(key, ...pieces);
      }
    } else if (lineOperators.has(name)) {
      this.#stream.out.setPending(name, `${values} ${name}`);
    }
    // The remaining operators are BX, EX, d0, d1 and operators that no reader supports.
  }

  #graphicsState(operand: Operand | undefined): void {
    const name = operandName(operand);
    const use = name === undefined ? undefined : this.#stream.findResource('ExtGState', name);
    if (!use) return;
    const dict = this.#stream.resolve(use.value);
    if (!(dict instanceof PDFDict)) return;
    const keys = dict.keys().map((key) => key.decodeText());
    const settings = keys.filter((key) => key !== 'Type').sort();
    if (keys.includes('Font')) throw new MustBurn('a font is set in an unsupported way');
    const mask = lookUp(dict, 'SMask');
    if (mask !== undefined)
      this.#stream.state = { ...this.#stream.state, usesSoftMask: mask instanceof PDFDict };
    const key = `gs ${settings.join(' ')}`;
    const isPlain = mask === undefined && !settings.some((setting) => lineSettings.has(setting));
    if (isPlain) {
      this.#stream.out.discard(
        (other) => other !== key && settingsOverlap(key, other) && settingCovers(key, other),
      );
      this.#stream.out.setPending(key, use, 'gs');
      return;
    }
    // The dictionary also changes settings of other operators, or depends on its position, so it is
    // written immediately.
    this.#stream.out.writePending(false, settingsOverlap);
    this.#stream.out.writeState(use, 'gs');
    this.#stream.out.discard((other) => other.startsWith('gs ') || lineOperators.has(other));
    this.#stream.hasPenMoved = true;
  }

  #paintPath(name: string): void {
    const path = this.#path;
    const clipOperator = this.clipOperator;
    this.#path = new Path();
    this.clipOperator = undefined;
    if (path.isEmpty) return;
    const { areas } = this.#stream.scene;
    const nearAreas = areas.filter((area) =>
      intersects(area, [path.box[0] - 3, path.box[1] - 3, path.box[2] + 3, path.box[3] + 3]),
    );
    const drawings = this.#stream.scene.drawings.filter((area) => intersects(area, path.box));
    const isPainted = name !== 'n' && !this.#stream.isHidden && this.#stream.isNearPage(path.box);
    const isRemoved = nearAreas.some((area) => isRemovedWith(path, area));
    if (isPainted && !isRemoved) {
      if (drawings.some((area) => mayDrawHiddenLetters(path, area))) {
        throw new MustBurn('letters may be drawn as lines in a removed area');
      }
      this.#stream.rejectMasks(path.box);
    }
    if (clipOperator && drawings.some((area) => mayDrawHiddenLetters(path, area))) {
      throw new MustBurn('a picture is clipped to text in a removed area');
    }
    const isKept = isPainted && !isRemoved;
    if (clipOperator) {
      const outline = [...path.text, `${clipOperator} `];
      if (isKept) {
        this.#stream.out.writePending(false, settingsOverlap);
        this.#stream.out.paint(...outline, name);
      } else this.#stream.out.writeState(...outline, 'n');
      const clip = intersection(this.#stream.state.clip, path.box) ?? [0, 0, 0, 0];
      this.#stream.state = { ...this.#stream.state, clip };
    } else if (isKept) {
      this.#stream.out.writePending(false, settingsOverlap);
      this.#stream.out.paint(...path.text, name);
    }
    this.#stream.hasPenMoved = true;
  }

  #shade(operand: Operand | undefined): void {
    const name = operandName(operand);
    const use = name === undefined ? undefined : this.#stream.findResource('Shading', name);
    if (!use || this.#stream.isHidden) return;
    const shading = this.#stream.resolve(use.value);
    const dict = shading instanceof PDFRawStream ? shading.dict : shading;
    const type = dict instanceof PDFDict ? (numberValue(dict, 'ShadingType') ?? 0) : 0;
    const { clip } = this.#stream.state;
    // Meshes can draw letters. The simple types of shading are gradients.
    if (type >= 4 && this.#stream.scene.recognisedAreas.some((area) => intersects(area, clip))) {
      throw new MustBurn('a mesh is drawn in a removed area');
    }
    this.#stream.rejectMasks(clip);
    this.#stream.out.writePending(false, settingsOverlap);
    this.#stream.out.paint(use, 'sh');
    this.#stream.hasPenMoved = true;
  }

  #draw(operand: Operand | undefined): void {
    const name = operandName(operand);
    const use = name === undefined ? undefined : this.#stream.findResource('XObject', name);
    if (!use || this.#stream.isHidden) return;
    const stream = this.#stream.resolve(use.value);
    if (!(stream instanceof PDFRawStream)) return;
    if (!this.#stream.scene.isShown(stream.dict.get(PDFName.of('OC')))) return;
    const subtype = nameValue(stream.dict, 'Subtype');
    if (subtype === 'Image') {
      this.#drawPicture(use.value instanceof PDFRef ? use.value : null, stream);
    } else if (subtype === 'Form') this.#drawForm(stream);
  }

  #drawPicture(ref: PDFRef | null, stream: PDFRawStream): void {
    if (this.#stream.isHidden) return;
    const { toDisplay, clip } = this.#stream.state;
    const box = applyToBox(toDisplay, [0, 0, 1, 1]);
    if (this.#stream.state.usesSoftMask) this.#stream.rejectMasks(box);
    const copy = this.#stream.scene.draw({ ref, stream, matrix: toDisplay, clip });
    if (!copy) return;
    this.#stream.out.writePending(false, settingsOverlap);
    this.#stream.out.paint({ kind: 'XObject', value: copy, key: copy.toString() }, 'Do');
    this.#stream.hasPenMoved = true;
  }

  #drawForm(form: PDFRawStream): void {
    if (this.#depth >= maxFormDepth) throw new MustBurn('the page is too complex');
    const bytes = decodeStream(form);
    if (!bytes) throw new MustBurn('part of the page cannot be read');
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersIn(form.dict, 'Matrix') ?? [];
    const matrix: Matrix = [a, b, c, d, e, f];
    const toDisplay = compose(this.#stream.state.toDisplay, matrix);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersIn(form.dict, 'BBox') ?? [];
    const box = applyToBox(toDisplay, [x0, y0, x1, y1]);
    const clip = intersection(this.#stream.state.clip, box);
    if (!clip) return;
    const { copier } = this.#stream.scene;
    const resources = dictOf(form.dict, 'Resources') ?? this.#stream.resources;
    const inner = new Rewriter(
      this.#stream.scene,
      resources,
      { ...this.#stream.state, toDisplay, clip },
      this.#depth + 1,
    );
    const rewritten = inner.run(bytes);
    if (rewritten.content === '') return;
    const copy = copier.compress(Buffer.from(rewritten.content, 'latin1'), {
      Type: 'XObject',
      Subtype: 'Form',
    });
    copy.dict.set(PDFName.of('BBox'), copier.context.obj([x0, y0, x1, y1]));
    copy.dict.set(PDFName.of('Matrix'), copier.context.obj([...matrix]));
    const group = dictOf(form.dict, 'Group');
    if (group) copy.dict.set(PDFName.of('Group'), copier.copy(group, this.#stream.scene.source));
    copy.dict.set(PDFName.of('Resources'), rewritten.resources);
    const ref = copier.intern(copy);
    this.#stream.out.writePending(true, settingsOverlap);
    this.#stream.out.paint({ kind: 'XObject', value: ref, key: ref.toString() }, 'Do');
    this.#stream.hasPenMoved = true;
  }
}

/**
 * Rewrites the content of a page without marked content, hidden content, content outside the page,
 * and the content of the scene's areas.
 * @param toDisplay maps user space to points as displayed
 * @throws MustBurn if removal in place is not safe
 */
export function rewriteContent(
  scene: Scene,
  bytes: Uint8Array,
  resources: PDFDict | undefined,
  toDisplay: Matrix,
): RewrittenContent {
  const state: GraphicsState = {
    toDisplay,
    clip: scene.page,
    text: initialTextState,
    usesPattern: false,
    usesSoftMask: false,
  };
  return new Rewriter(scene, resources, state, 0).run(bytes);
}
