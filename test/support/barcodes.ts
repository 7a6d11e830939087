import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFDocument, type PDFPage, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer';

export type BarcodeFormat = NonNullable<WriterOptions['format']>;

/** A barcode as a grid of modules with a blank zone around it. */
export interface Modules {
  width: number;
  height: number;
  /** Whether the module at a column and row is dark. */
  isDark(x: number, y: number): boolean;
}

/** The width of the blank zone, in modules. */
const quietZone = 4;

let loading: Promise<unknown> | undefined;

/** Encodes a text or bytes as a barcode. */
export async function encodeBarcode(
  content: string | Uint8Array,
  format: BarcodeFormat,
): Promise<Modules> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
  loading ??= prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer },
    fireImmediately: true,
  });
  await loading;
  const { symbol, error } = await writeBarcode(content, { format, scale: 1 });
  if (error) throw new Error(`${format}: ${error}`);
  const { data, width, height } = symbol;
  return {
    width: width + 2 * quietZone,
    height: height + 2 * quietZone,
    isDark(column, row) {
      const [x, y] = [column - quietZone, row - quietZone];
      return x >= 0 && y >= 0 && x < width && y < height && data[y * width + x]! < 128;
    },
  };
}

/** Returns a barcode as a PNG. `side` is the width of a module in pixels. */
export async function barcodePng(
  { width, height, isDark }: Modules,
  side: number,
  { inverted = false } = {},
): Promise<Buffer> {
  const data = new Uint8Array(width * side * height * side);
  for (let y = 0; y < height * side; y += 1) {
    for (let x = 0; x < width * side; x += 1) {
      const dark = isDark(Math.floor(x / side), Math.floor(y / side));
      data[y * width * side + x] = dark === inverted ? 255 : 0;
    }
  }
  return sharp(data, { raw: { width: width * side, height: height * side, channels: 1 } })
    .png()
    .toBuffer();
}

/** Draws a barcode as rectangles on a page of a PDF, from its bottom left corner, in points. */
export function drawModules(
  page: PDFPage,
  { width, height, isDark }: Modules,
  { x, y, side, tall = side }: { x: number; y: number; side: number; tall?: number },
): void {
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (!isDark(column, row)) continue;
      page.drawRectangle({
        x: x + column * side,
        y: y + (height - 1 - row) * tall,
        width: side,
        height: tall,
        color: rgb(0, 0, 0),
      });
    }
  }
}

/** Creates a PDF of one A4 page. */
export async function barcodePage(
  draw: (page: PDFPage, document: PDFDocument) => Promise<void> | void,
): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  page.drawText('The committee met twice before the winter', { x: 40, y: 790, size: 11 });
  await draw(page, document);
  return Buffer.from(await document.save());
}
