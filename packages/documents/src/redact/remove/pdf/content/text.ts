import { PDFDict } from 'pdf-lib';
import { applyToBox, compose, coverage, intersects, type Matrix } from '../../../../geometry.ts';
import { pdfMatrix, pdfNumber } from '../../../../pdf/text-run.ts';
import type { Box } from '../../../../results.ts';
import { MustBurn } from '../must-burn.ts';
import {
  adjustmentOf,
  advanceOfCode,
  type ContentStream,
  glyphMatrix,
  identity,
  noFont,
  translate,
} from './content-stream.ts';
import {
  isStringOperand,
  type Operand,
  operandName,
  operandNumber,
  stringBytes,
} from './operands.ts';
import { countOperation, fontOf } from './scene.ts';

/**
 * Height above the baseline that every letter fills, in font sizes. The rest of a cell may overlap
 * adjacent lines.
 */
const coreHeight = 0.5;
/** Minimum share of a glyph's core that must be within an area for the glyph to be removed. */
const minCoveredShare = 0.5;

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
        this.#stream.hasPenMoved = true;
        return;
      case 'Td':
        this.#moveBy(first, second);
        return;
      case 'TD':
        this.#stream.updateTextState({ leading: -second });
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
        this.#stream.updateTextState({ characterSpace: first });
        break;
      case 'Tw':
        this.#stream.updateTextState({ wordSpace: first });
        break;
      case 'Tz':
        this.#stream.updateTextState({ stretch: first / 100 });
        break;
      case 'TL':
        this.#stream.updateTextState({ leading: first });
        return;
      case 'Ts':
        this.#stream.updateTextState({ rise: first });
        break;
      case 'Tr':
        this.#stream.updateTextState({ mode: first });
        break;
      case '"':
        this.#stream.updateTextState({ wordSpace: first, characterSpace: second });
        this.#stream.out.setPending('Tw', `${operands[0]?.text ?? 0} Tw`);
        this.#stream.out.setPending('Tc', `${operands[1]?.text ?? 0} Tc`);
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
    this.#stream.out.setPending(name, `${operands[0]?.text ?? 0} ${name}`);
  }

  #setFont(operands: readonly Operand[]): void {
    const name = operandName(operands[0]);
    const use = name === undefined ? undefined : this.#stream.findResource('Font', name);
    const dict = use && this.#stream.resolve(use.value);
    const font = dict instanceof PDFDict ? fontOf(this.#stream.scene, dict) : noFont;
    this.#stream.updateTextState({ font, size: operandNumber(operands[1]) });
    if (use) this.#stream.out.setPending('Tf', use, `${operands[1]?.text ?? 0} Tf`);
  }

  #moveTo(matrix: Matrix): void {
    this.#lineMatrix = matrix;
    this.#textMatrix = matrix;
    this.#stream.hasPenMoved = true;
  }

  #moveBy(x: number, y: number): void {
    this.#moveTo(translate(this.#lineMatrix, x, y));
  }

  /**
   * Shows a string, or an array of strings and adjustments, without the removed glyphs.
   */
  #show(operands: readonly Operand[]): void {
    const { text } = this.#stream.state;
    const { font } = text;
    if (!font.hasMetrics) {
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
        const distance = adjustmentOf(text, operandNumber(operand));
        this.#textMatrix = translate(this.#textMatrix, distance, 0);
        if (parts.length > 0) parts.push(operand.text);
        else this.#stream.hasPenMoved = true;
        continue;
      }
      const bytes = stringBytes(operand);
      let keptHex = '';
      const flushString = (): void => {
        if (keptHex !== '') parts.push(`<${keptHex}>`);
        keptHex = '';
      };
      for (let at = 0; at < bytes.length; at += font.bytesPerCode) {
        countOperation(this.#stream.scene);
        const isTwoByte = font.bytesPerCode === 2;
        const code = isTwoByte ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : (bytes[at] ?? 0);
        if (this.isRemoved(code)) {
          flushString();
          flush();
          this.#stream.hasPenMoved = true;
        } else {
          if (parts.length === 0 && keptHex === '') start = this.#textMatrix;
          keptHex += code.toString(16).padStart(isTwoByte ? 4 : 2, '0');
        }
        this.#textMatrix = translate(this.#textMatrix, advanceOfCode(text, code), 0);
      }
      flushString();
    }
    flush();
  }

  #write(at: Matrix, parts: readonly string[]): void {
    const trimmedParts = [...parts];
    // A trailing adjustment does not affect any shown text.
    while (trimmedParts.length > 0 && !trimmedParts.at(-1)?.startsWith('<')) {
      trimmedParts.pop();
      this.#stream.hasPenMoved = true;
    }
    const isMoved = this.#stream.hasPenMoved || !this.#stream.out.isInText;
    const operation =
      trimmedParts.length === 1 ? `${trimmedParts[0]} Tj` : `[${trimmedParts.join(' ')}] TJ`;
    this.#stream.out.showText(isMoved ? formatTextMatrix(at) : undefined, operation);
    this.#stream.hasPenMoved = trimmedParts.length !== parts.length;
  }

  /** Whether a glyph at the pen must be removed. */
  isRemoved(code: number): boolean {
    const { text, toDisplay } = this.#stream.state;
    if (this.#stream.isHidden) return true;
    const matrix = compose(compose(toDisplay, this.#textMatrix), glyphMatrix(text));
    const width = text.font.widthOf(code);
    const cell = applyToBox(matrix, [0, -0.25, width, 1]);
    const { page, areas } = this.#stream.scene;
    if (!touchesOrIntersects(cell, page)) return true;
    let core: Box | undefined;
    for (const area of areas) {
      if (!touchesOrIntersects(cell, area)) continue;
      if (text.font.isType3) throw new MustBurn('removed text is in a Type 3 font');
      core ??= applyToBox(matrix, [0, 0, width, coreHeight]);
      if (coverage(core, area) < minCoveredShare) continue;
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
    if (length === 0 || this.#stream.isHidden) return;
    const matrix = compose(compose(toDisplay, this.#textMatrix), glyphMatrix(text));
    const extent = applyToBox(matrix, [0, -0.25, length + 1, 1]);
    const { areas } = this.#stream.scene;
    if (areas.some((area) => intersects(area, extent))) {
      throw new MustBurn('removed text is in a font without usable widths');
    }
    const isMoved = this.#stream.hasPenMoved || !this.#stream.out.isInText;
    const stringsAndAdjustments = operands.map(({ text: item }) => item).join(' ');
    this.#stream.out.showText(
      isMoved ? formatTextMatrix(this.#textMatrix) : undefined,
      `[${stringsAndAdjustments}] TJ`,
    );
    this.#stream.hasPenMoved = false;
  }
}

/** Like `intersects`, but also for boxes of zero width or height. */
function touchesOrIntersects(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

/**
 * Formats a text matrix. Positions are rounded to thousandths, so that sums of widths do not differ
 * in their last bits.
 */
function formatTextMatrix([a, b, c, d, e, f]: Matrix): string {
  const [x, y] = [e, f].map((value) => pdfNumber(Math.round(value * 1000 + 1e-4) / 1000, 3));
  const linear = pdfMatrix([a, b, c, d, 0, 0]).split(' ').slice(0, 4);
  return [...linear, x, y].join(' ');
}
