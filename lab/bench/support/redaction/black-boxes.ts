import { PDFDocument, rgb } from 'pdf-lib';

/** The common mistake: boxes over everything, with the text still below. */
export async function drawBlackBoxes(pdf: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  for (const page of document.getPages()) {
    const { width, height } = page.getSize();
    page.drawRectangle({ x: 0, y: 0, width, height, color: rgb(0, 0, 0) });
  }
  return document.save();
}
