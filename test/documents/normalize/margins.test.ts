import { expect } from 'chai';
import type { LevelPage } from '../../../packages/documents/src/model/words/level-page.ts';
import type { AngledWord } from '../../../packages/documents/src/model/words/word.ts';
import { rotatedBlocks } from '../../../packages/documents/src/normalize/pages/margins.ts';

const size = { width: 400, height: 400 };
const emptyPage: LevelPage = {
  words: [],
  rotatedWords: [],
  ...size,
  toLevel: null,
  toDisplay: null,
};

/** A word that starts at a point and is as long as its number of letters. */
const wordAt = (text: string, [x, y]: [number, number], angle: number): AngledWord => ({
  text,
  box: [x, y - 8, x + 5 * text.length, y + 2],
  base: y,
  size: 10,
  confidence: 1,
  source: 'pdf',
  bold: false,
  italic: false,
  mono: false,
  math: false,
  blankBefore: true,
  blankAfter: true,
  mark: -1,
  href: null,
  angle,
});

const textsOf = (words: readonly AngledWord[]): string[] =>
  rotatedBlocks(emptyPage, words, size).map((block) =>
    block.kind === 'text'
      ? block.lines.flatMap(({ spans }) => spans.map(({ text }) => text)).join('')
      : block.kind,
  );

describe('words in other directions', () => {
  it('are one block if they are upside down, on either side of 180°', () => {
    const words = [
      wordAt('Turned', [300, 200], 179.9),
      wordAt('upside', [260, 200], -179.9),
      wordAt('down', [220, 200], 180),
    ];
    expect(textsOf(words)).to.deep.equal(['Turned upside down']);
  });

  it('are all read if their directions differ slightly', () => {
    const words = [
      wordAt('Along', [100, 300], -45),
      wordAt('one', [150, 250], -47.5),
      wordAt('diagonal', [190, 210], -42.5),
      wordAt('slope', [240, 160], -42.5),
    ];
    expect(textsOf(words).join(' ').split(' ')).to.have.members(words.map(({ text }) => text));
  });
});
