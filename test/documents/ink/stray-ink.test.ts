import { expect } from 'chai';
import { strayInk } from '../../../packages/documents/src/ink/stray-ink.ts';
import { emptyOutline } from '../../../packages/documents/src/redact/check/page/glyphs.ts';
import { selectSampleLines } from '../../../packages/documents/src/redact/check/page/sample-lines.ts';
import { wholeWords } from '../../../packages/documents/src/redact/check/page/tiles.ts';
import {
  OutlineCounts,
  TrustedFonts,
} from '../../../packages/documents/src/redact/check/page/trusted-fonts.ts';

const [width, height] = [400, 300];
type Rect = readonly [x0: number, y0: number, x1: number, y1: number, tone?: number];

/** White paper with rectangles on it. */
function paper(...rects: readonly Rect[]) {
  const data = new Uint8Array(width * height).fill(255);
  for (const [x0, y0, x1, y1, tone = 0] of rects) {
    for (let y = y0; y < y1; y += 1) data.fill(tone, y * width + x0, y * width + x1);
  }
  return { data, width, height };
}

const letters: Rect[] = [0, 10, 20, 30].flatMap((x): Rect[] => [
  [100 + x, 100, 102 + x, 110],
  [100 + x, 104, 107 + x, 106],
]);

describe('ink that is not explained', () => {
  it('is what known boxes do not cover', () => {
    const picture = paper(...letters);
    expect(strayInk(picture, 1, [[99, 99, 140, 111]]).count).to.equal(0);
    const half = strayInk(picture, 1, [[99, 99, 118, 111]]);
    expect(half.count).to.be.above(20);
    expect(half.countIn([119, 90, 150, 120])).to.equal(half.count);
    expect(half.countIn([90, 90, 110, 120])).to.equal(0);
  });

  it('counts faint letters, and not rules and backgrounds that letters cross', () => {
    const faint = letters.map(([a, b, c, d]): Rect => [a, b, c, d, 235]);
    expect(strayInk(paper(...faint), 1, []).count).to.be.above(40);
    const table = paper(
      [20, 50, 380, 250, 200],
      [20, 108, 380, 110],
      [200, 50, 201, 250],
      ...letters,
    );
    expect(strayInk(table, 1, [[99, 99, 140, 111]]).count).to.be.below(8);
    expect(strayInk(table, 1, []).count).to.be.above(40);
  });

  it('counts large letters of straight strokes', () => {
    expect(
      strayInk(paper([100, 100, 108, 150], [140, 100, 148, 150], [100, 120, 148, 128]), 1, [])
        .count,
    ).to.be.above(100);
  });
});

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** The same by its definition, for boxes in whole pixels: every row and column, one edge after the other. */
function strayByRuns(
  { data }: ReturnType<typeof paper>,
  scale: number,
  boxes: readonly Rect[],
): number {
  const isKnown = (x: number, y: number): boolean =>
    boxes.some(([x0, y0, x1, y1]) => x >= x0 - 2 && x < x1 + 2 && y >= y0 - 2 && y < y1 + 2);
  const isEdge = (x: number, y: number, [dx, dy]: readonly [number, number]): boolean =>
    x + dx < width &&
    y + dy < height &&
    Math.abs(data[y * width + x]! - data[(y + dy) * width + x + dx]!) > 12;
  let count = 0;
  const follow = (
    line: Iterable<readonly [number, number]>,
    towards: readonly [number, number],
  ) => {
    let [length, gap, open] = [0, 0, 0];
    const end = (): void => {
      if (length < 60 * scale) count += open;
      [length, gap, open] = [0, 0, 0];
    };
    for (const [x, y] of line) {
      if (isEdge(x, y, towards)) {
        length += 1;
        gap = 0;
        if (!isKnown(x, y)) open += 1;
      } else if (length > 0 && !isKnown(x, y)) {
        gap += 1;
        if (gap > 4) end();
      }
    }
    end();
  };
  const places = (length: number) => Array.from({ length }, (_, at) => at);
  for (const y of places(height))
    follow(
      places(width).map((x) => [x, y] as const),
      [0, 1],
    );
  for (const x of places(width))
    follow(
      places(height).map((y) => [x, y] as const),
      [1, 0],
    );
  return count;
}

describe('ink that is not explained, of any drawing', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`is what following each row and column finds, drawing ${seed}`, () => {
      const random = randomFrom(seed);
      const upTo = (most: number): number => Math.floor(random() * most);
      const drawn = Array.from({ length: 60 }, (_, at): Rect => {
        const [x, y] = [upTo(width), upTo(height)];
        const [wide, high] = [1 + upTo(at % 3 ? 12 : 300), 1 + upTo(at % 4 ? 9 : 200)];
        return [x, y, Math.min(width, x + wide), Math.min(height, y + high), upTo(256)];
      });
      const boxes = drawn.slice(0, 8);
      const picture = paper(...drawn);
      const known = boxes.map(([x0, y0, x1, y1]): [number, number, number, number] => [
        x0,
        y0,
        x1,
        y1,
      ]);
      const expected = strayByRuns(picture, 1, boxes);
      expect(expected).to.be.above(100);
      expect(strayInk(picture, 1, known).count).to.equal(expected);
      expect(strayInk(picture, 1, known).countIn([0, 0, width, height])).to.equal(expected);
    });
  }
});

describe('fonts', () => {
  const glyphs = (text: string, font: string, { y = 0, shape = '' } = {}) =>
    [...text].map((letter, at) => ({
      text: letter,
      box: [at * 10, y, at * 10 + 8, y + 10] as [number, number, number, number],
      font,
      visible: true,
      shape: () => shape,
    }));
  const has = (fonts: TrustedFonts, font: string, letter: string, shape = ''): boolean =>
    fonts.has(glyphs(letter, font, { shape })[0]!);
  const word = (text: string) => ({
    text,
    box: [0, 0, text.length * 10, 10] as [number, number, number, number],
    confidence: 0.9,
  });

  it('are believed once the recogniser has read what they say', () => {
    const fonts = new TrustedFonts();
    for (let times = 0; times < 3; times += 1)
      fonts.learn([word('Gardening')], glyphs('Gardening', 'A'));
    expect(has(fonts, 'A', 'g')).to.equal(false);
    for (let times = 0; times < 3; times += 1)
      fonts.learn([word('Gardening')], glyphs('gardening', 'A'));
    expect([has(fonts, 'A', 'g'), has(fonts, 'B', 'g')]).to.deep.equal([true, false]);
  });

  it('are not if they say something else, now and then', () => {
    const fonts = new TrustedFonts();
    for (let times = 0; times < 9; times += 1) {
      fonts.learn([word('Gardening')], glyphs('Gardening', 'A'));
      if (times % 3 === 0) fonts.learn([word('Thornbury')], glyphs('Wheelhouse', 'A'));
    }
    expect(has(fonts, 'A', 'g')).to.equal(false);
  });

  it('are believed for letters that were read only', () => {
    const fonts = new TrustedFonts();
    for (let times = 0; times < 9; times += 1) {
      fonts.learn([word('Gardening')], glyphs('Gardening', 'A'));
      // What says 7 looks like a 3.
      fonts.learn([word('garden3')], glyphs('garden7', 'A'));
    }
    const letters = ['g', 'G', '7', '3', 'q'];
    expect(letters.filter((letter) => has(fonts, 'A', letter))).to.deep.equal(['g', 'G']);
  });

  it('are believed for the outlines that were read, whatever else they draw for a letter', () => {
    const fonts = new TrustedFonts();
    for (let times = 0; times < 9; times += 1) {
      fonts.learn([word('gardening')], glyphs('gardening', 'A', { shape: 'round' }));
    }
    const known = ['round', 'other'].filter((shape) => has(fonts, 'A', 'g', shape));
    expect(known).to.deep.equal(['round']);
  });

  describe('of several files', () => {
    const text = 'gardening';
    const read = (fonts: TrustedFonts, font: string, shape: string, as = text) => {
      for (let times = 0; times < 9; times += 1) {
        fonts.learn([word(as)], glyphs(text, font, { shape }));
      }
    };

    it('are believed for outlines that were read in another font as the same letter', () => {
      const outlines = new OutlineCounts();
      read(new TrustedFonts(outlines), 'A', 'round');
      const next = new TrustedFonts(outlines);
      next.recordOutlines(glyphs(text, 'B', { shape: 'round' }));
      next.recordOutlines(glyphs('q', 'B', { shape: 'round' }));
      next.recordOutlines(glyphs(text, 'A', { shape: 'other' }));
      const known = [
        has(next, 'B', 'g', 'round'),
        has(next, 'B', 'q', 'round'),
        has(next, 'B', 'g', 'other'),
        has(next, 'A', 'g', 'round'),
        has(next, 'B', 'g', ''),
      ];
      expect(known).to.deep.equal([true, false, false, false, false]);
    });

    it('are believed once enough of what they draw was read, in however many files', () => {
      const outlines = new OutlineCounts();
      const isKnown = Array.from({ length: 5 }, () => {
        const fonts = new TrustedFonts(outlines);
        fonts.recordOutlines(glyphs(text, 'A', { shape: 'round' }));
        fonts.learn([word(text)], glyphs(text, 'A', { shape: 'round' }));
        return has(fonts, 'A', 'g', 'round');
      });
      expect(isKnown).to.deep.equal([false, false, false, false, true]);
    });

    it('are not believed if other outlines of theirs were read as something else', () => {
      const outlines = new OutlineCounts();
      const first = new TrustedFonts(outlines);
      read(first, 'A', 'round');
      for (let times = 0; times < 9; times += 1) {
        first.learn([word('wheelhouse')], glyphs('thornbury', 'A', { shape: 'straight' }));
      }
      const next = new TrustedFonts(outlines);
      next.recordOutlines([
        ...glyphs(text, 'B', { shape: 'round' }),
        ...glyphs('thornbury', 'B', { shape: 'straight' }),
      ]);
      expect(has(next, 'B', 'g', 'round')).to.equal(false);
    });

    it('are not believed for what was read as another letter in this one', () => {
      const outlines = new OutlineCounts();
      read(new TrustedFonts(outlines), 'A', 'round');
      const next = new TrustedFonts(outlines);
      next.recordOutlines(glyphs(text, 'B', { shape: 'round' }));
      next.learn([word('qardeninq')], glyphs(text, 'B', { shape: 'round' }));
      const known = [has(next, 'B', 'g', 'round'), has(next, 'B', 'a', 'round')];
      expect(known).to.deep.equal([false, true]);
    });

    it('are not believed for letters that draw nothing', () => {
      const outlines = new OutlineCounts();
      read(new TrustedFonts(outlines), 'A', emptyOutline);
      const next = new TrustedFonts(outlines);
      next.recordOutlines(glyphs(text, 'B', { shape: emptyOutline }));
      expect(has(next, 'B', 'g', emptyOutline)).to.equal(false);
    });
  });

  it('are learnt from whole words only', () => {
    const tile = { data: new Uint8Array(100 * 40), width: 100, height: 40 };
    const at = (x0: number, y0: number, x1: number, y1: number) => ({
      ...word('any'),
      box: [x0, y0, x1, y1] as [number, number, number, number],
    });
    const whole = at(10, 10, 40, 30);
    const cut = [at(2, 10, 40, 30), at(60, 10, 98, 30), at(10, 2, 40, 30), at(10, 10, 40, 38)];
    expect(wholeWords([...cut, whole], tile)).to.deep.equal([whole]);
  });

  it('are learnt from lines that have the letters in question, away from boxes', () => {
    const fonts = new TrustedFonts();
    const lines = [
      'of the garden by the river',
      'zebras and quizzes in a zoo',
      'of the old stone wall',
    ];
    const page = lines.flatMap((line, row) =>
      glyphs(line.replaceAll(' ', ''), 'A', { y: row * 20 }),
    );
    const unsure = page.filter(({ text }) => text === 'z');
    const chosen = (others: readonly (readonly [number, number, number, number])[]) =>
      selectSampleLines(
        unsure,
        page,
        others.map((box) => [...box]),
        fonts,
      ).map((line) => line.map(({ text }) => text).join(''));
    expect(chosen([])[0]).to.equal('zebrasandquizzesinazoo');
    expect(chosen([[50, 22, 60, 28]])).not.to.include('zebrasandquizzesinazoo');
    // A letter that is always read as another one is not read forever.
    fonts.countAttempt(unsure);
    fonts.countAttempt(unsure);
    expect(chosen([])).to.deep.equal([]);
  });
});
