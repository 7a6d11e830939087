import { expect } from 'chai';
import { unreadLinesOf } from '../../../packages/documents/src/ocr/unread-lines.ts';
import type { Glyph } from '../../../packages/documents/src/pdf/page-glyphs.ts';

/** Glyphs of a word, 6 points wide and 8 high, from a position on; `?` is an unmapped one. */
function word(text: string, x: number, y: number, angle = 0): Glyph[] {
  return [...text].map((letter, at) => {
    const [dx, dy] = angle === 90 ? [0, at * 6] : [at * 6, 0];
    const [left, top] = [x + dx, y + dy];
    return {
      text: letter === '?' ? '' : letter,
      code: letter.charCodeAt(0),
      x: left,
      y: top,
      angle,
      size: 10,
      cell: angle === 90 ? [left, top, left + 8, top + 6] : [left, top, left + 6, top + 8],
      ink: angle === 90 ? [left, top, left + 8, top + 5] : [left, top, left + 5, top + 8],
      advance: 6,
      visible: true,
      inserted: false,
      object: 0,
      drawn: 0,
    };
  });
}

describe('lines with unreadable letters', () => {
  it('are covered whole, and no others are', () => {
    const page = [
      ...word('known', 50, 100),
      ...word('M?ller', 50, 120),
      ...word('beside', 200, 121),
      ...word('known', 20, 140),
      ...word('?', 90, 300),
    ];
    expect(unreadLinesOf(page)).to.deep.equal({
      boxes: [
        [49, 119, 236, 130],
        [49, 299, 236, 309],
      ],
      isLevel: true,
    });
  });

  it('are not reported if all letters are known or invisible', () => {
    const unseen = word('??', 50, 200).map((glyph) => ({ ...glyph, visible: false }));
    expect(unreadLinesOf([...word('known', 50, 100), ...unseen]).boxes).to.deep.equal([]);
  });

  it('need recognition at any angle if most letters are unknown or the text runs upwards', () => {
    expect(unreadLinesOf(word('a????', 50, 100)).isLevel).to.equal(false);
    const upright = unreadLinesOf([...word('known', 300, 100), ...word('ab?cd', 50, 100, 90)]);
    expect(upright).to.deep.equal({ boxes: [[49, 99, 59, 130]], isLevel: false });
    expect(unreadLinesOf(word('abc?', 50, 100, 30))).to.deep.equal({
      boxes: [[68, 100, 73, 108]],
      isLevel: false,
    });
  });

  it('are reported for as many lines as a page can have', () => {
    const page = Array.from({ length: 150_000 }, (_, line) => word('a?', 10, line * 20)).flat();
    expect(unreadLinesOf(page).boxes).to.have.length(150_000);
  });
});
