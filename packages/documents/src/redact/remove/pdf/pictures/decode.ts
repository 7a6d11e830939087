import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PDFContext, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { type Raster, readBitmap } from '../../../../pdf/bitmaps.ts';
import { openPdf, withPage } from '../../../../pdf/pdfium.ts';
import { Copier } from '../build/copier.ts';
import { MustBurn } from '../must-burn.ts';

/**
 * Decodes a picture of a PDF with PDFium, which supports all encodings. Masks are ignored.
 * @param asSamples whether to return the raw samples of a black-and-white picture, regardless of
 * the colours that they map to
 * @throws MustBurn if the picture cannot be decoded
 */
export async function decodePicture(
  stream: PDFRawStream,
  source: PDFContext,
  asSamples: boolean,
): Promise<Raster> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const unmasked = PDFRawStream.of(stream.dict.clone(source), stream.contents);
  const droppedKeys = asSamples
    ? ['SMask', 'Mask', 'ImageMask', 'Decode', 'SMaskInData']
    : ['SMask', 'Mask', 'SMaskInData'];
  for (const key of droppedKeys) unmasked.dict.delete(PDFName.of(key));
  if (asSamples) unmasked.dict.set(PDFName.of('ColorSpace'), PDFName.of('DeviceGray'));
  const page = document.addPage([100, 100]);
  const copy = new Copier(context).copy(unmasked, source);
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: { X: copy } }));
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.stream('100 0 0 100 0 0 cm /X Do')),
  );
  const folder = await mkdtemp(join(tmpdir(), 'picture-'));
  try {
    const path = join(folder, 'picture.pdf');
    await writeFile(path, await document.save({ updateFieldAppearances: false }));
    const opened = await openPdf(path);
    try {
      return await withPage(opened, 1, (loaded) => {
        const { pdfium } = opened;
        const object = pdfium.FPDFPage_GetObject(loaded, 0);
        const bitmap = object === 0 ? 0 : pdfium.FPDFImageObj_GetBitmap(object);
        if (bitmap === 0) throw new MustBurn('a picture cannot be read');
        try {
          return readBitmap(pdfium, bitmap);
        } finally {
          pdfium.FPDFBitmap_Destroy(bitmap);
        }
      });
    } finally {
      opened.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
