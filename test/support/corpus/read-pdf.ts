import { readFile } from 'node:fs/promises';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { textOf } from '../samples.ts';
import type { Reading } from './reading.ts';
import { sweep } from './sweep.ts';

/** Reads everything from a PDF's text and bytes that needs no programs of the system. */
export async function readWithoutTools(path: string): Promise<Reading[]> {
  const pdf = await readFile(path);
  return [
    { by: 'PDFium', text: (await textOf(pdf)).join('\n'), kind: 'text' },
    { by: 'pdf.js', text: await pdfjsText(pdf), kind: 'text' },
    ...sweep(pdf, 'sweep of all streams'),
  ];
}

async function pdfjsText(pdf: Buffer): Promise<string> {
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 });
  try {
    const document = await task.promise;
    let text = '';
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent({ includeMarkedContent: true });
      for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
      const annotations: unknown = await page.getAnnotations();
      text += JSON.stringify(annotations);
    }
    return text + JSON.stringify(await document.getMetadata());
  } finally {
    await task.destroy();
  }
}
