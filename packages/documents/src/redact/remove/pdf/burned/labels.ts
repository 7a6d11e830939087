import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { invert, userToDisplay } from '../../../../geometry.ts';
import { renderPage } from '../../../../pdf/bitmaps.ts';
import { openPdf, withPage } from '../../../../pdf/pdfium.ts';
import { labelFontKey, labelFontName, paintBoxes } from '../regions/paint-boxes.ts';
import type { PaintRegion } from '../regions/regions.ts';

/** Minimum font size of a legible label, in pixels. */
const minPixels = 12;

/** Returns the labels of a picture's boxes as white on black, one byte per pixel. */
export async function drawLabels(
  regions: readonly PaintRegion[],
  size: { width: number; height: number },
  pixels: { width: number; height: number },
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const { node } = document.addPage([size.width, size.height]);
  const font = { Type: 'Font', Subtype: 'Type1', BaseFont: labelFontName };
  node.set(PDFName.Resources, context.obj({ Font: { [labelFontKey]: font } }));
  const min = (minPixels * size.width) / pixels.width;
  const toUser = invert(userToDisplay({ left: 0, bottom: 0, ...size, rotation: 0 }));
  node.set(
    PDFName.Contents,
    // Labels are drawn on a black page. If only the boxes were black, their edges would be grey,
    // and would show as a frame on a black box.
    context.register(
      context.flateStream(
        `0 g 0 0 ${size.width} ${size.height} re f\n${paintBoxes(regions, toUser, 'label', min)}`,
      ),
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), 'labels-'));
  try {
    const path = join(folder, 'labels.pdf');
    await writeFile(path, await document.save({ updateFieldAppearances: false }));
    const opened = await openPdf(path);
    try {
      return await withPage(opened, 1, (page) => {
        const options = { ...pixels, grey: true, annotations: false };
        return renderPage(opened.pdfium, page, options).data;
      });
    } finally {
      opened.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
