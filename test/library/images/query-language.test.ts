import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseQuery, toTsquery } from '../../../src/library/images/search/query-language.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { addImages } from '../../support/library.ts';

describe('the query language of `q`', () => {
  const meaning = (text: string): string | null => {
    const query = parseQuery(text);
    return query && toTsquery(query);
  };

  it('consists of words, phrases, negations and alternatives', () => {
    const expected: [string, string | null][] = [
      ['sea', "'sea':*"],
      ['red sea', "'red' & 'sea':*"],
      ['"red sea"', "('red' <-> 'sea')"],
      ['"red sea', "('red' <-> 'sea')"],
      ['red"sea"', "'red' & 'sea'"],
      ['-red sea', "!'red' & 'sea':*"],
      ['sea -red', "'sea' & !'red'"],
      ['-"red sea" b', "!('red' <-> 'sea') & 'b':*"],
      ['a OR b c', "('a' | 'b') & 'c':*"],
      ['a b OR c', "'a' & ('b' | 'c':*)"],
      ['a OR b OR "c d"', "('a' | 'b' | ('c' <-> 'd'))"],
      ['a OR -b', "('a' | !'b')"],
      ['a or b', "'a' & 'or' & 'b':*"],
      ['"a" OR "OR"', "('a' | 'OR')"],
      ['OR', "'OR':*"],
      ['a OR OR b', "('a' | 'b':*)"],
      ['a OR !!! b', "('a' | 'b':*)"],
      ['IMG_1234-beach.jpg', "('IMG' <-> '1234' <-> 'beach' <-> 'jpg':*)"],
      ["o'neill\\", "('o' <-> 'neill':*)"],
      ['a & b | !c:* <-> (d)', "'a' & 'b' & 'c' & 'd':*"],
      ['ﬁne ２', "'fine' & '2':*"],
      ['--a', "!'a'"],
      ['- a', "'a':*"],
      ['-', null],
      ['"', null],
      ['🌴 ...', null],
    ];
    for (const [text, tsquery] of expected) expect(meaning(text), text).to.equal(tsquery);
  });

  describe('in Postgres', () => {
    let api: TestApi;
    before(async () => {
      api = await startApi();
      await addImages(api, api, [{ title: 'A red sea', tags: ['b'] }]);
    });
    after(() => api.close());

    const search = (q: string) =>
      api.call('GET', `/v1/images?include=total,facets,highlights&q=${encodeURIComponent(q)}`);

    it('accepts any text as a search or rejects it with a clear error', async () => {
      const pieces = fc.constantFrom(
        '"',
        '-',
        'OR',
        ' ',
        "'",
        '\\',
        ':*',
        '&',
        '|',
        '!',
        '(',
        ')',
        '<->',
        '<2>',
        '%',
        '_',
        'a',
        'red',
        'sea',
        'ﷺ',
        'İ',
        'ß',
        'e\u0301',
        '\u200d',
        '日本',
        '🌴',
        '—',
        '1e5',
        '-1.5',
        '/a/b',
        'x@y.z',
      );
      const text = fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        fc.array(pieces, { minLength: 1, maxLength: 40 }).map((parts) => parts.join('')),
        fc.array(pieces, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(' ')),
        fc.constantFrom(
          'ﷺ'.repeat(500),
          'a'.repeat(500),
          'a '.repeat(250),
          '"a -'.repeat(125),
          'a OR '.repeat(100),
        ),
      );
      await fc.assert(
        fc.asyncProperty(text, async (q) => {
          if ([...q].length > 500 || q.includes('\0') || /\p{Cs}/u.test(q)) return;
          const answer = await search(q);
          const query = parseQuery(q);
          if (answer.status === 200) {
            expect(answer.json.total).to.equal(answer.json.data.length);
            // A query without words finds nothing. An empty query or an asterisk is not a search.
            const isSearch = !['', '*'].includes(q.trim());
            if (query === null && isSearch) expect(answer.json.total, q).to.equal(0);
          } else {
            expect([answer.status, answer.json.errors?.[0]?.code], q).to.deep.equal([
              400,
              'too_many_words',
            ]);
            const words = query!.flat().reduce((sum, term) => sum + term.words.length, 0);
            expect(words, q).to.be.greaterThan(limits.search_words);
          }
        }),
        { numRuns: 400 },
      );
    });

    it('finds every indexed word of a text', async () => {
      const word = fc.stringMatching(/^[a-zA-Z0-9à-öø-ÿßœłа-яЀ-Яα-ω一-龥ぁ-ん가-힣]{1,12}$/);
      await fc.assert(
        fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 5 }), async (words) => {
          const title = words.join(' ');
          const [id] = await addImages(api, api, [{ title }]);
          for (const q of [title, `"${title}"`, words.at(-1)!]) {
            const { json } = await api.call(
              'GET',
              `/v1/images?limit=200&sort=-created_at&q=${encodeURIComponent(q)}`,
            );
            expect(
              json.data.map((image: { id: string }) => image.id),
              q,
            ).to.include(id);
          }
        }),
        { numRuns: 60 },
      );
    });
  });
});
