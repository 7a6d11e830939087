import { displaySize } from '@scriptorium/documents/geometry';
import { modelOfGlyphs, type PageModel } from '../../packages/documents/src/model/index.ts';
import { frameOf } from '../../packages/documents/src/pdf/page-frame.ts';
import { readGlyphs } from '../../packages/documents/src/pdf/page-glyphs.ts';
import { listObjects } from '../../packages/documents/src/pdf/page-objects.ts';
import { openPdf, withPage } from '../../packages/documents/src/pdf/pdfium.ts';
import { withFile } from './samples.ts';

/** The model of the own text of a PDF's page. */
export async function modelOfPdf(bytes: Uint8Array, number = 1): Promise<PageModel> {
  return withFile(bytes, async (path) => {
    const document = await openPdf(path);
    try {
      return await withPage(document, number, (page) => {
        const frame = frameOf(document, page);
        const { width, height } = displaySize(frame);
        return modelOfGlyphs(
          { page: number, widthPt: width, heightPt: height },
          readGlyphs(listObjects(document, page, frame), page, frame),
        );
      });
    } finally {
      document.close();
    }
  });
}

/** Content that writes texts at places, each with its lower left corner, at `size` points. */
export function textOperators(
  texts: readonly (readonly [x: number, y: number, text: string])[],
  size = 12,
): string {
  return texts
    .map(
      ([x, y, text]) => `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`,
    )
    .join('\n');
}
