import { expect } from 'chai';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { DocBlock } from '../../../packages/documents/src/normalize/document.ts';
import { type Chunk, chunksOf } from '../../../packages/documents/src/normalize/write/chunks.ts';
import { sentencesOf } from '../../../packages/documents/src/normalize/write/sentences.ts';
import { countTextTokens } from '../../../packages/documents/src/normalize/write/tokens.ts';
import { code, heading, item, paragraph, table } from './blocks.ts';

const chunks = (blocks: DocBlock[], chunkTokens: number, overlapTokens = 0): Chunk[] => [
  ...chunksOf(blocks, { chunkTokens, overlapTokens }),
];
const sentence = (about: number): string => `Sentence ${about} tells of the matter at some length.`;
const prose = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => sentence(from + index)).join(' ');
const sentences = (text: string): string[] =>
  sentencesOf(text).map(({ start, end }) => text.slice(start, end).trim());

describe('tokens', () => {
  it('match the encoding, including special tokens', () => {
    for (const text of ['Hello, world!', '<|endoftext|>', 'Größe 日本語 🦆', '\n\n  x']) {
      expect(countTextTokens(text)).to.equal(countTokens(text, { disallowedSpecial: new Set() }));
    }
    expect(countTextTokens('')).to.equal(0);
  });

  it('match the encoding for plain ASCII with any punctuation', () => {
    const signs = fc.constantFrom(..."aabZQ09 '\n\r\t/.,-_|*#<>&sdmtlveRE\0\x0b\x1c\x7f");
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 40 }), (letters) => {
        const text = letters.join('');
        expect(countTextTokens(text)).to.equal(countTokens(text, { disallowedSpecial: new Set() }));
      }),
      { numRuns: 2000 },
    );
  });

  it('are counted in linear time for any run of characters', () => {
    for (const unit of ['a', ' ', '=', 'é', '日', '🦆']) {
      expect(countTextTokens(unit.repeat(100_000))).to.be.greaterThan(100);
    }
  });
});

describe('sentence boundaries', () => {
  it('are found where readers expect them', () => {
    expect(
      sentences('Dr. J. Smith came, e.g. at 5 p.m. on Monday. He left. "Why?" No one knew'),
    ).to.deep.equal([
      'Dr. J. Smith came, e.g. at 5 p.m. on Monday.',
      'He left.',
      '"Why?"',
      'No one knew',
    ]);
    expect(sentences('1. Scope. Next.')).to.deep.equal(['1. Scope.', 'Next.']);
    expect(sentences('これは文です。次の文。')).to.deep.equal(['これは文です。', '次の文。']);
  });
});

describe('chunks', () => {
  it('contain a short document whole', () => {
    expect(chunks([heading(1, 'Title'), paragraph('Text.')], 100)).to.deep.equal([
      {
        index: 0,
        text: '# Title\n\nText.',
        tokens: countTokens('# Title\n\nText.'),
        overlap_tokens: 0,
        headings: [],
        pages: [1, 1],
        boxes: [],
      },
    ]);
    expect(chunks([], 100)).to.deep.equal([]);
  });

  it('end with sentences, repeat headings and overlap with the previous chunk', () => {
    const blocks = [heading(1, 'Report'), heading(2, 'Findings'), paragraph(prose(0, 40))];
    const all = chunks(blocks, 100, 25);
    expect(all.length).to.be.greaterThan(3);
    for (const { text, tokens } of all) {
      expect(tokens).to.equal(countTokens(text)).and.at.most(100);
      expect(text).to.match(/^# Report\n## Findings\n\n|^# Report\n\n## Findings\n\n/);
      expect(text).to.match(/length\.$/);
    }
    for (const [index, { text, overlap_tokens, headings }] of all.entries()) {
      if (index === 0) continue;
      expect(headings).to.deep.equal(['Report', 'Findings']);
      expect(overlap_tokens).to.be.within(1, 25);
      const own = text.slice(text.indexOf('\n\n') + 2);
      const shared = sentences(own)[0]!;
      expect(all[index - 1]!.text).to.contain(shared);
    }
    const joined = all.map(({ text }) => text).join(' ');
    for (let about = 0; about < 40; about += 1) expect(joined).to.contain(sentence(about));
  });

  it('start with a heading once half full and never end with one', () => {
    const blocks = Array.from({ length: 8 }, (_, part) => [
      heading(2, `Part ${part}`),
      paragraph(prose(part * 10, part * 10 + 5)),
    ]).flat();
    const all = chunks(blocks, 100, 20);
    for (const { text } of all) expect(text).to.not.match(/#[^\n]*$/);
    expect(all.every(({ text }) => text.startsWith('## Part'))).to.equal(true);
    expect(all.every(({ overlap_tokens }) => overlap_tokens === 0)).to.equal(true);
  });

  it('repeat the header of a table and split no row', () => {
    const rows = Array.from({ length: 60 }, (_, index) => [`Name ${index}`, `${index * 7} EUR`]);
    const all = chunks([table([['Name', 'Price'], ...rows])], 120, 40);
    expect(all.length).to.be.greaterThan(2);
    for (const { text } of all) {
      const lines = text.split('\n');
      expect(lines.slice(0, 2)).to.deep.equal(['| Name | Price |', '| - | - |']);
      for (const line of lines) expect(line).to.match(/^\|.*\|$/);
    }
    expect(all.flatMap(({ text }) => text.split('\n').slice(2))).to.have.length(60);
  });

  it('fence each part of a code block', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `let value${index} = ${index};`);
    const all = chunks([code(lines.join('\n'), 'js')], 100);
    expect(all.length).to.be.greaterThan(2);
    for (const { text } of all) expect(text).to.match(/^```js\n[\s\S]*\n```$/);
  });

  it('omit addresses that are longer than a chunk', () => {
    const href = `https://example.com/${'Zq8'.repeat(400)}`;
    const all = chunks([paragraph([{ text: 'Read this.', marks: [], href }])], 50);
    expect(all.map(({ text }) => text)).to.deep.equal(['Read this.']);
  });

  it('have pages and positions', () => {
    const at = (page: number, box: [number, number, number, number]): DocBlock =>
      ({ ...paragraph(sentence(page)), page, box }) as DocBlock;
    const [only] = chunks([at(2, [1, 2, 3, 4]), at(3, [5, 6, 7, 8])], 100);
    expect(only?.pages).to.deep.equal([2, 3]);
    expect(only?.boxes).to.deep.equal([
      { page: 2, box: [1, 2, 3, 4] },
      { page: 3, box: [5, 6, 7, 8] },
    ]);
  });

  it('are never longer than requested and lose no word', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-zäöü]{1,12}[.,]?$/),
      fc.constantFrom('日本語。', '🦆🦆🦆', 'x'.repeat(700), '**', '| |', '```', '1.', '- '),
    );
    const text = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' '));
    const block = fc.oneof(
      text.map((of) => paragraph(of)),
      text.map((of) => heading(2, of)),
      text.map((of) => item(of, 1, '12.')),
      text.map((of) => code(of.replaceAll(' x', '\nx'))),
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }).map((rows) => table(rows)),
    );
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 8 }),
        fc.integer({ min: 40, max: 200 }),
        fc.integer({ min: 0, max: 60 }),
        (blocks, most, overlap) => {
          const all = chunks(blocks, most, overlap);
          for (const chunk of all) {
            expect(chunk.tokens).to.equal(countTextTokens(chunk.text));
            expect(chunk.tokens).to.be.at.most(most);
          }
          const joined = new Set(all.flatMap(({ text }) => text.match(/[a-zäöü]+/g) ?? []));
          for (const one of blocks) {
            const own = 'text' in one ? one.text : '';
            for (const [letters] of own.matchAll(/(?<!\S)[a-wäöü]{1,12}(?=[.,]?(?:\s|$))/g)) {
              expect(joined.has(letters), letters).to.equal(true);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
