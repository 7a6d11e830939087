import type { PageFrame } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { readOwnText } from '../../../packages/documents/src/model/words/own-text.ts';
import { existingWords } from '../../../packages/documents/src/ocr/existing-words.ts';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { readText } from '../../../packages/documents/src/pdf/page-glyphs.ts';
import { openPdf, type PdfDocument, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { makeCorpus } from '../../support/corpus/index.ts';
import { modelOfPdf } from '../../support/page-model.ts';
import { withFile } from '../../support/samples.ts';

/** How often each letter and digit occurs in the texts. */
function letters(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [letter] of texts
    .join(' ')
    .normalize('NFKC')
    .matchAll(/[\p{L}\p{N}]/gu)) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return counts;
}

type Read = (document: PdfDocument, page: number, frame: PageFrame) => { text: string }[];

/** The letters of all words that `read` finds on each page. */
function lettersOf(pdf: Uint8Array, read: Read): Promise<Map<string, number>[]> {
  return withFile(pdf, async (path) => {
    const document = await openPdf(path);
    try {
      const pages: Map<string, number>[] = [];
      for (let number = 1; number <= document.pageCount; number += 1) {
        await withPage(document, number, (page) => {
          const words = read(document, page, frameOf(document, page));
          pages.push(letters(words.map(({ text }) => text)));
        });
      }
      return pages;
    } finally {
      document.close();
    }
  });
}

/** The letters of all words that normalisation reads on each page, visible or hidden. */
const normalised = (pdf: Uint8Array): Promise<Map<string, number>[]> =>
  lettersOf(pdf, (...page) => {
    const { words, hidden } = readOwnText(...page);
    return [...words, ...hidden];
  });

describe('the text that redaction reads on a page', () => {
  it('includes every letter that normalisation reads', async () => {
    let read = 0;
    // `ActualText` replaces drawn text. Redaction reads the drawn text and drops the replacement.
    const only = (family: string) => family !== 'marks';
    for await (const { name, pdf } of makeCorpus({ max: 1, only })) {
      for (const [index, wanted] of (await normalised(pdf)).entries()) {
        const { words } = await modelOfPdf(pdf, index + 1);
        const seen = letters(words.map(({ text }) => text));
        for (const [letter, count] of wanted) {
          expect(seen.get(letter) ?? 0, `'${letter}' in ${name}`).to.be.at.least(count);
          read += count;
        }
      }
    }
    expect(read).to.be.greaterThan(10_000);
  });

  it('is what the text layer has in fonts whose letters are as wide as their widest', async () => {
    let read = 0;
    const only = (family: string) => family === 'type3';
    for await (const { name, pdf } of makeCorpus({ max: 5, only })) {
      const pages = await lettersOf(
        pdf,
        (document, page, frame) =>
          existingWords(document, readText(document, page, frame), frame, false).words,
      );
      for (const [index, found] of pages.entries()) {
        const { words } = await modelOfPdf(pdf, index + 1);
        const wanted = letters(words.map(({ text }) => text));
        expect(Object.fromEntries(found), name).to.deep.equal(Object.fromEntries(wanted));
        read += found.size;
      }
    }
    expect(read).to.be.greaterThan(50);
  });
});
