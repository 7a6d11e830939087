import { expect } from 'chai';
import { doubtedPages, doubtedTextWarnings } from '../../src/jobs/operations/doubted-text.ts';
import type { StoredPage } from '../../src/jobs/operations/operation.ts';

describe('warnings about text that is not what a page shows', () => {
  it('name the pages that ocr found', async () => {
    const stored = (page: number, result: StoredPage['result']): StoredPage => ({
      page,
      state: 'succeeded',
      error: null,
      words: null,
      result,
    });
    async function* pages() {
      yield stored(1, { text_believed: false });
      yield stored(2, { characters: 3 });
      yield stored(3, null);
      yield stored(4, { text_believed: false });
    }
    const doubted = await doubtedPages({ pages });
    expect(doubtedTextWarnings('normalize_for_llm', doubted)).to.deep.equal([
      {
        code: 'text_not_believed',
        message:
          'Pages 1, 4: fonts draw other characters than the text contains. The output contains the recognised text. Check it for recognition errors.',
      },
    ]);
  });

  it('are absent without such pages', () => {
    expect(doubtedTextWarnings('ocr', [])).to.deep.equal([]);
  });
});
