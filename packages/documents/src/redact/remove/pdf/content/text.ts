import { PDFDict } from 'pdf-lib';
import { applyToBox, compose, coverage, intersects, type Matrix } from '../../../../geometry.ts';
import { pdfMatrix, pdfNumber } from '../../../../pdf/text-run.ts';
import type { Box } from '../../../../results.ts';
import { MustBurn } from '../must-burn.ts';
import {
  isStringOperand,
  type Operand,
  operandName,
  operandNumber,
  stringBytes,
} from './operands.ts';
import { fontOf, spend } from './scene.ts';
import {
  adjustmentOf,
  advanceOfCode,
  type ContentStream,
  glyphMatrix,
  identity,
  moved,
  noFont,
} from './stream.ts';

/**
 * Height above the baseline that every letter fills, in font sizes. The rest of a cell may overlap
 * adjacent lines.
 */
const coreHeight = 0.5;
/** Minimum share of a glyph's core that must be within an area for the glyph to be removed. */
const goingShare = 0.5;

/** Rewrites the text of a content stream without the removed glyphs. */
export class TextRewriter {
  readonly #stream: ContentStream;
  #textMatrix: Matrix = identity;
  #lineMatrix: Matrix = identity;

  constructor(stream: ContentStream) {
    this.#stream = stream;
  }

  /** Processes a text operator. */
  operate(name: string, operands: readonly Operand[]): void {
    const [first = 0, second = 0] = operands.map(operandNumber);
    const text = this.#stream.state.text;
    switch (name) {
      case 'BT':
        this.#moveTo(identity);
        return;
      case 'ET':
        this.#stream.out.endText();
        this.#stream.penMoved = true;
        return;
      case 'Td':
        this.#moveBy(first, second);
        return;
      case 'TD':
        this.#stream.setText({ leading: -second });
        this.#moveBy(first, second);
        return;
      case 'T*':
        this.#moveBy(0, -text.leading);
        return;
      case 'Tm': {
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map(operandNumber);
        this.#moveTo([a, b, c, d, e, f]);
        return;
      }
      case 'Tf':
        this.#setFont(operands);
        return;
      case 'Tc':
        this.#stream.setText({ characterSpace: first });
        break;
      case 'Tw':
        this.#stream.setText({ wordSpace: first });
        break;
      case 'Tz':
        this.#stream.setText({ stretch: first / 100 });
        break;
      case 'TL':
        this.#stream.setText({ leading: first });
        return;
      case 'Ts':
        this.#stream.setText({ rise: first });
        break;
      case 'Tr':
        this.#stream.setText({ mode: first });
        break;
      case '"':
        this.#stream.setText({ wordSpace: first, characterSpace: second });
        this.#stream.out.want('Tw', `${operands[0]?.text ?? 0} Tw`);
        this.#stream.out.want('Tc', `${operands[1]?.text ?? 0} Tc`);
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
    this.#stream.out.want(name, `${operands[0]?.text ?? 0} ${name}`);
  }

  #setFont(operands: readonly Operand[]): void {
    const name = operandName(operands[0]);
    const use = name === undefined ? undefined : this.#stream.find('Font', name);
    const dict = use && this.#stream.look(use.value);
    const font = dict instanceof PDFDict ? fontOf(this.#stream.scene, dict) : noFont;
    this.#stream.setText({ font, size: operandNumber(operands[1]) });
    if (use) this.#stream.out.want('Tf', use, `${operands[1]?.text ?? 0} Tf`);
  }

  #moveTo(matrix: Matrix): void {
    this.#lineMatrix = matrix;
    this.#textMatrix = matrix;
    this.#stream.penMoved = true;
  }

  #moveBy(x: number, y: number): void {
    this.#moveTo(moved(this.#lineMatrix, x, y));
  }

  /**
   * Shows the rest of a string, or of an array of strings and adjustments, without the removed
   * glyphs.
   */
  #show(operands: readonly Operand[]): void {
    const { text } = this.#stream.state;
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
      if (!isStringOperand(operand)) {
        const by = adjustmentOf(text, operandNumber(operand));
        this.#textMatrix = moved(this.#textMatrix, by, 0);
        if (parts.length > 0) parts.push(operand.text);
        else this.#stream.penMoved = true;
        continue;
      }
      const bytes = stringBytes(operand);
      let kept = '';
      const keep = (): void => {
        if (kept !== '') parts.push(`<${kept}>`);
        kept = '';
      };
      for (let at = 0; at < bytes.length; at += font.bytesPerCode) {
        spend(this.#stream.scene);
        const pair = font.bytesPerCode === 2;
        const code = pair ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : (bytes[at] ?? 0);
        if (this.#goes(code)) {
          keep();
          flush();
          this.#stream.penMoved = true;
        } else {
          if (parts.length === 0 && kept === '') start = this.#textMatrix;
          kept += code.toString(16).padStart(pair ? 4 : 2, '0');
        }
        this.#textMatrix = moved(this.#textMatrix, advanceOfCode(text, code), 0);
      }
      keep();
    }
    flush();
  }

  #write(at: Matrix, parts: readonly string[]): void {
    const ends = [...parts];
    // A trailing adjustment does not affect any shown text.
    while (ends.length > 0 && !ends.at(-1)?.startsWith('<')) {
      ends.pop();
      this.#stream.penMoved = true;
    }
    const isMoved = this.#stream.penMoved || !this.#stream.out.inText;
    const shown = ends.length === 1 ? `${ends[0]} Tj` : `[${ends.join(' ')}] TJ`;
    this.#stream.out.showText(isMoved ? textMatrix(at) : undefined, shown);
    this.#stream.penMoved = ends.length !== parts.length;
  }

  /** Whether a glyph at the pen must be removed. */
  #goes(code: number): boolean {
    const { text, toDisplay } = this.#stream.state;
    if (this.#stream.hidden) return true;
    const matrix = compose(compose(toDisplay, this.#textMatrix), glyphMatrix(text));
    const width = text.font.widthOf(code);
    const cell = applyToBox(matrix, [0, -0.25, width, 1]);
    const { page, areas } = this.#stream.scene;
    if (!touchesOrMeets(cell, page)) return true;
    let core: Box | undefined;
    for (const area of areas) {
      if (!touchesOrMeets(cell, area)) continue;
      if (text.font.type3) throw new MustBurn('removed text is in a Type 3 font');
      core ??= applyToBox(matrix, [0, 0, width, coreHeight]);
      if (coverage(core, area) < goingShare) continue;
      if (text.mode >= 4) throw new MustBurn('removed text is used for clipping');
      return true;
    }
    return false;
  }

  /** Keeps text with unknown glyph positions unchanged if it is outside the removed areas. */
  #showWhole(operands: readonly Operand[]): void {
    const { text, toDisplay } = this.#stream.state;
    const strings = operands.filter(isStringOperand);
    const length = strings.reduce((sum, operand) => sum + stringBytes(operand).length, 0);
    if (length === 0 || this.#stream.hidden) return;
    const matrix = compose(compose(toDisplay, this.#textMatrix), glyphMatrix(text));
    const reach = applyToBox(matrix, [0, -0.25, length + 1, 1]);
    const { areas } = this.#stream.scene;
    if (areas.some((area) => intersects(area, reach))) {
      throw new MustBurn('removed text is in a font without usable widths');
    }
    const isMoved = this.#stream.penMoved || !this.#stream.out.inText;
    const shown = operands.map(({ text: item }) => item).join(' ');
    this.#stream.out.showText(isMoved ? textMatrix(this.#textMatrix) : undefined, `[${shown}] TJ`);
    this.#stream.penMoved = false;
  }
}

/** Like `intersects`, but also for boxes of zero width or height. */
function touchesOrMeets(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

/**
 * Formats a text matrix. Positions are rounded to thousandths, so that sums of widths do not differ
 * in their last bits.
 */
function textMatrix([a, b, c, d, e, f]: Matrix): string {
  const [x, y] = [e, f].map((value) => pdfNumber(Math.round(value * 1000 + 1e-4) / 1000, 3));
  const linear = pdfMatrix([a, b, c, d, 0, 0]).split(' ').slice(0, 4);
  return [...linear, x, y].join(' ');
}
