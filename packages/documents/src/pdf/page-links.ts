import { applyToBox, userToDisplay } from '../geometry.ts';
import type { Box, PageFrame } from '../results.ts';
import { allocate, type PdfDocument, rawFunction } from './pdfium.ts';

/** An area of a page that links to a web or mail address. */
export type PageLink = { box: Box; href: string };

const maxLinks = 2000;
const maxAddressBytes = 4096;
const uriAction = 3;

/** Returns the links of a loaded page to web and mail addresses. */
export function readLinks(document: PdfDocument, page: number, frame: PageFrame): PageLink[] {
  const { pdfium, handle } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const [enumerate, rectOf, actionOf, typeOf, addressOf] = [
    'FPDFLink_Enumerate',
    'FPDFLink_GetAnnotRect',
    'FPDFLink_GetAction',
    'FPDFAction_GetType',
    'FPDFAction_GetURIPath',
  ].map(raw);
  const links: PageLink[] = [];
  const at = allocate(pdfium, 32 + maxAddressBytes);
  const toDisplay = userToDisplay(frame);
  try {
    const int32View = (): Int32Array => new Int32Array(pdfium.heap().buffer, at, 2);
    int32View()[0] = 0;
    while (links.length < maxLinks && enumerate?.(page, at, at + 4) === 1) {
      const link = int32View()[1] ?? 0;
      const action = actionOf?.(link) ?? 0;
      if (action === 0 || typeOf?.(action) !== uriAction || rectOf?.(link, at + 8) === 0) continue;
      const length = addressOf?.(handle, action, at + 32, maxAddressBytes) ?? 0;
      if (length <= 1 || length > maxAddressBytes) continue;
      const heap = pdfium.heap();
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(heap.buffer, at + 8, 4);
      const href = Buffer.from(heap.slice(at + 32, at + 31 + length)).toString('utf8');
      if (!/^(?:https?:\/\/|mailto:)/i.test(href)) continue;
      links.push({ box: applyToBox(toDisplay, [left, bottom, right, top]), href });
    }
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
  return links;
}
