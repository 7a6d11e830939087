import { expect } from 'chai';
import { readOwnText } from '../../../src/engines/model/words/own.ts';
import { openPdf, withPage } from '../../../src/engines/pdf/pdfium.ts';
import { frameOf } from '../../../src/engines/source.ts';
import { makeCorpus } from '../../support/corpus/index.ts';
import { modelOfPdf } from '../../support/model.ts';
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

/** The letters of all words that normalisation reads on each page, visible or hidden. */
function normalised(pdf: Uint8Array): Promise<Map<string, number>[]> {
  return withFile(pdf, async (path) => {
    const document = await openPdf(path);
    try {
      const pages: Map<string, number>[] = [];
      for (let number = 1; number <= document.pageCount; number += 1) {
        await withPage(document, number, (page) => {
          const { words, hidden } = readOwnText(document, page, frameOf(document, page));
          pages.push(letters([...words, ...hidden].map(({ text }) => text)));
        });
      }
      return pages;
    } finally {
      document.close();
    }
  });
}

describe('the text that redaction reads on a page', () => {
  it('includes every letter that normalisation reads', async () => {
    let read = 0;
    // `ActualText` replaces drawn text. Redaction reads the drawn text and drops the replacement.
    const only = (family: string) => family !== 'marks';
    for await (const { name, pdf } of makeCorpus({ most: 1, only })) {
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
});
