import { type PDFContext, PDFName, type PDFPageLeaf, type PDFRef } from 'pdf-lib';
import sharp from 'sharp';
import { compose, displaySize, type Matrix } from '../geometry.ts';
import { workingDpi } from '../ocr/pictures/picture.ts';
import type { PageResult } from '../results.ts';
import { renderPage } from './bitmaps.ts';
import type { Encoding } from './glyphless-font.ts';
import { setContents } from './page-content.ts';
import { frameOf } from './page-frame.ts';
import { type PdfDocument, withPage } from './pdfium.ts';
import { deskewMatrixOf, displayToUser, fontName, pdfMatrix, writeTextLayer } from './text-run.ts';

/** The text layer of a document: its font and encoding, and whether text was written with them. */
export type TextLayer = { context: PDFContext; font: PDFRef; encoding: Encoding; used: boolean };

/** Replaces all content of a page with a picture of the page, and adds the text over it. */
export async function rasterise(
  layer: TextLayer,
  leaf: PDFPageLeaf,
  result: PageResult,
  source: PdfDocument,
): Promise<void> {
  const { context } = layer;
  const image = await drawPage(source, result.page);
  const toUser = displayToUser(result);
  const deskewMatrix = deskewMatrixOf(result);
  const imageMatrix: Matrix = [result.widthPt, 0, 0, -result.heightPt, 0, result.heightPt];
  const map = compose(deskewMatrix ? compose(toUser, deskewMatrix) : toUser, imageMatrix);
  const picture = context.register(
    context.stream(image.jpeg, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: image.width,
      Height: image.height,
      ColorSpace: 'DeviceRGB',
      BitsPerComponent: 8,
      Filter: 'DCTDecode',
    }),
  );
  const text = writeTextLayer(result, layer.encoding);
  leaf.set(
    PDFName.Resources,
    context.obj({ XObject: { Page: picture }, Font: { [fontName]: layer.font } }),
  );
  leaf.delete(PDFName.of('Group'));
  const content = context.flateStream(`q ${pdfMatrix(map)} cm /Page Do Q\n${text}`);
  setContents(context, leaf, [context.register(content)]);
  layer.used = true;
}

async function drawPage(
  source: PdfDocument,
  pageNumber: number,
): Promise<{ jpeg: Buffer; width: number; height: number }> {
  return withPage(source, pageNumber, async (page) => {
    const size = displaySize(frameOf(source, page));
    const dpi = workingDpi(200, 200, size.width, size.height);
    const { data, width, height } = renderPage(source.pdfium, page, {
      width: Math.max(1, Math.round((size.width / 72) * dpi)),
      height: Math.max(1, Math.round((size.height / 72) * dpi)),
      grey: false,
      annotations: false,
    });
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
      .toBuffer();
    return { jpeg, width, height };
  });
}
