import { PDFDocument, PDFName } from 'pdf-lib';
import { encodeJbig2 } from '../../packages/documents/src/redact/remove/pdf/pictures/jbig2.ts';
import { encodeFax } from './fax.ts';
import { pageHeight, pageWidth } from './samples.ts';

const side = 32;

/** White above, black below: a bit a pixel, 0 black. */
const bits = new Uint8Array((side * side) / 8).fill(255, 0, (side * side) / 16);

/** The same in JPEG 2000, without loss; made by OpenJPEG, its comment taken out. */
const jpx = Buffer.from(
  '/0//UQApAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAAABBwEB/1IADAAAAAEAAgQEAAH/XAAKQEBISFBISFD/kAAKAAAAAABdAAH/k9+BsAOED+XSVNfeTNw8a/ALM4AAvAzgxdAeEdgGWNyeltC2AZY3J6W1MylvO51ABUBH3KaI+5TRH6fgFAOEz4v2sTJC3H+n4AxmrkTgHsf/2Q==',
  'base64',
);

/** The codings of scans that browsers do not know, in the order of `codedScans`. */
export const scanCodings = ['JBIG2Decode', 'JPXDecode', 'CCITTFaxDecode'] as const;

/** A PDF with a page for each coding: a picture over all of it, white above and black below. */
export async function codedScans(): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const coded = {
    JBIG2Decode: [encodeJbig2(bits, side, side), { BitsPerComponent: 1 }],
    JPXDecode: [jpx, { BitsPerComponent: 8 }],
    CCITTFaxDecode: [
      encodeFax(bits, side, side),
      { BitsPerComponent: 1, DecodeParms: { K: -1, Columns: side, Rows: side } },
    ],
  } as const;
  for (const coding of scanCodings) {
    const page = document.addPage([pageWidth, pageHeight]);
    const [bytes, entries] = coded[coding];
    const image = document.context.stream(bytes, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: side,
      Height: side,
      ColorSpace: 'DeviceGray',
      Filter: coding,
      ...entries,
    });
    page.node.setXObject(PDFName.of('I'), document.context.register(image));
    const content = document.context.stream(`q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /I Do Q`);
    page.node.set(PDFName.of('Contents'), document.context.register(content));
  }
  return Buffer.from(await document.save());
}
