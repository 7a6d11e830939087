import { bornDigitalPdf } from '../support/samples.ts';

/** A short realistic text. */
export const minutes = `# Minutes of the harbour board

The crane at pier 4 is to be inspected by the end of March. Report to Maria Keller,
maria.keller@harbour.example.
`;

/** An invoice of two pages, with text and without pictures. */
export function invoice(): Promise<Buffer> {
  return bornDigitalPdf([
    [
      'INVOICE No. 2026-0117',
      'Harbour Services Ltd, 4 Pier Road, Bristol',
      'Bill to: Maria Keller, maria.keller@harbour.example',
      'Invoice date: 2 March 2026',
      'Payment due within 30 days',
    ],
    [
      'Description   Quantity   Amount',
      'Crane inspection   1   GBP 480.00',
      'Total due: GBP 480.00',
    ],
  ]);
}

/** The headers of a request with a raw body. */
export function rawFile(filename: string, type = 'application/octet-stream') {
  return { 'content-type': type, 'x-filename': filename };
}
