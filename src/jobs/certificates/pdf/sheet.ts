import { type EmbeddedFont, embedFont } from '@scriptorium/documents/pdf/embedded-font';
import {
  beginText,
  endText,
  moveText,
  type PDFDocument,
  type PDFImage,
  PDFName,
  type PDFPage,
  rgb,
  setFillingRgbColor,
  setFontAndSize,
  showText,
} from 'pdf-lib';

/** A4, in points. */
const pageSize: [number, number] = [595.28, 841.89];
export const margin = 56;
export const contentWidth = pageSize[0] - 2 * margin;

const ink = rgb(0.106, 0.118, 0.145);
export const softInk = rgb(0.353, 0.376, 0.42);
export const goodInk = rgb(0.09, 0.408, 0.247);
export const badInk = rgb(0.69, 0.149, 0.122);
const line = rgb(0.82, 0.84, 0.87);
export const found = rgb(0.96, 0.72, 0.2);

type Colour = ReturnType<typeof rgb>;

export interface TextStyle {
  size?: number;
  bold?: boolean;
  colour?: Colour;
  /** The distance from the left margin. */
  indent?: number;
  /** The space above. */
  above?: number;
  width?: number;
  /** A text at the left margin, beside the first line. */
  label?: string;
  labelStyle?: TextStyle;
}

const missingCharacter = '\u25a1';

/** A document that is filled from top to bottom; pages are added as needed. */
export class Sheet {
  /** Whether a character was replaced, because the font lacks it. */
  lacksCharacters = false;
  #page: PDFPage;
  /** The distance of the next line from the bottom of the page. */
  #y = pageSize[1] - margin;

  private constructor(
    readonly document: PDFDocument,
    readonly regular: EmbeddedFont,
    readonly bold: EmbeddedFont,
  ) {
    this.#page = this.#addPage();
  }

  static async create(document: PDFDocument): Promise<Sheet> {
    const regular = await embedFont(document, 'regular');
    return new Sheet(document, regular, await embedFont(document, 'bold'));
  }

  get page(): PDFPage {
    return this.#page;
  }

  get y(): number {
    return this.#y;
  }

  /** Moves down; continues on a new page if less than `height` is left. */
  reserve(height: number): void {
    if (this.#y - height < margin) {
      this.#page = this.#addPage();
      this.#y = pageSize[1] - margin;
    }
  }

  space(height: number): void {
    this.#y -= height;
  }

  /** Writes a paragraph, with line breaks at spaces and in long words. */
  text(text: string, style: TextStyle = {}): void {
    const { size = 9.5, indent = 0, above = 0, label, labelStyle } = style;
    const { width = contentWidth - indent } = style;
    this.space(above);
    for (const [index, part] of this.#wrap(text, style.bold === true, size, width).entries()) {
      this.reserve(size * 1.45);
      this.space(size * 1.45);
      const y = this.#y + size * 0.35;
      this.draw(part, margin + indent, y, style);
      if (label && index === 0) this.draw(label, margin, y, { colour: softInk, ...labelStyle });
    }
  }

  /** Writes a heading that stays with what follows. */
  heading(text: string): void {
    this.reserve(70);
    this.text(text, { size: 12, bold: true, above: 14 });
    this.space(3);
  }

  /** Writes a name and its value side by side. */
  field(name: string, value: string, style: TextStyle = {}): void {
    this.text(value, { label: name, indent: 100, ...style });
  }

  /** Draws one line of text at a position. */
  draw(text: string, x: number, y: number, style: TextStyle = {}): void {
    this.drawOn(this.#page, text, x, y, style);
  }

  drawOn(
    page: PDFPage,
    text: string,
    x: number,
    y: number,
    { size = 9.5, bold = false, colour = ink }: TextStyle = {},
  ): void {
    const font = bold ? this.bold : this.regular;
    page.pushOperators(
      beginText(),
      setFillingRgbColor(colour.red, colour.green, colour.blue),
      setFontAndSize(bold ? 'Bold' : 'Regular', size),
      moveText(x, y),
      showText(font.encode(this.#printable(text, font))),
      endText(),
    );
  }

  /** Draws a picture in a frame, with its top left corner at a position. */
  drawPicture(picture: PDFImage, box: { x: number; top: number; width: number; height: number }) {
    const { x, top, width, height } = box;
    this.#page.drawImage(picture, { x, y: top - height, width, height });
    this.#page.drawRectangle({
      x,
      y: top - height,
      width,
      height,
      borderColor: line,
      borderWidth: 0.8,
    });
  }

  /** Writes the fonts. Call it once, at the end. */
  finish(): void {
    this.regular.write();
    this.bold.write();
  }

  #addPage(): PDFPage {
    const page = this.document.addPage(pageSize);
    page.node.setFontDictionary(PDFName.of('Regular'), this.regular.ref);
    page.node.setFontDictionary(PDFName.of('Bold'), this.bold.ref);
    return page;
  }

  #printable(text: string, font: EmbeddedFont): string {
    return Array.from(text, (character) => {
      if (font.has(character)) return character;
      this.lacksCharacters = true;
      return missingCharacter;
    }).join('');
  }

  #wrap(text: string, bold: boolean, size: number, width: number): string[] {
    const font = bold ? this.bold : this.regular;
    const fits = (part: string): boolean => font.width(part, size) <= width;
    const lines: string[] = [''];
    for (const word of text.split(/\s+/)) {
      const last = lines.at(-1)!;
      const extended = last === '' ? word : `${last} ${word}`;
      if (fits(extended)) {
        lines[lines.length - 1] = extended;
        continue;
      }
      if (last !== '') lines.push('');
      // A word wider than the line is broken anywhere.
      for (const character of word) {
        const longer = lines.at(-1)! + character;
        if (fits(longer)) lines[lines.length - 1] = longer;
        else lines.push(character);
      }
    }
    return lines;
  }
}
