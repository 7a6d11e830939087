import { expect } from 'chai';
import { Readings } from '../../../packages/documents/src/ocr/doubts/readings.ts';
import type { Suspect } from '../../../packages/documents/src/ocr/doubts/suspects.ts';
import type { Glyph } from '../../../packages/documents/src/pdf/page-glyphs.ts';
import { modelsFor } from '../../../packages/documents/src/pdf/shapes/other-scripts.ts';

/** A letter at a place on a line, 10 points wide. */
function glyphAt(text: string, place: number): Glyph {
  const [x, y] = [place * 10, 20];
  const ink: Glyph['ink'] = [x, y - 8, x + 9, y];
  return {
    text,
    code: text.codePointAt(0) ?? 0,
    x,
    y,
    angle: 0,
    size: 10,
    cell: ink,
    ink,
    advance: 10,
    visible: true,
    inserted: false,
    object: 1,
    drawn: 0,
  };
}

/** What is learned of letters that are drawn from left to right, if the recogniser reads `read`. */
function learned(drawn: string, read: string): { right: number; wrong: number } {
  const glyphs = [...drawn].map(glyphAt);
  const suspects = glyphs.map((glyph): Suspect => {
    return { glyph, key: glyph.text, font: 1, verdict: 'unclear', inGoodFont: false };
  });
  const readings = new Readings();
  const box: [number, number, number, number] = [0, 10, drawn.length * 10, 22];
  readings.learn([{ text: read, box, confidence: 0.9, line: 0, source: 'ocr' }], glyphs, suspects);
  const counts = suspects.map(({ key }) => readings.countsOf(key));
  return {
    right: counts.reduce((sum, { right }) => sum + right, 0),
    wrong: counts.reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

describe('what the recogniser reads of the letters of a font', () => {
  it('is compared letter by letter, from right to left where the script is', () => {
    expect(learned('上海市', '上海市')).to.deep.equal({ right: 3, wrong: 0 });
    expect(learned('上海市', '北京市')).to.deep.equal({ right: 1, wrong: 2 });
    const word = 'مدرسة';
    expect(learned([...word].reverse().join(''), word)).to.deep.equal({ right: 5, wrong: 0 });
  });

  it('comes from the installed models of its script', () => {
    const installed = ['ara', 'chi_sim', 'deu', 'eng', 'jpn', 'kor'];
    expect(modelsFor('Rechnung', installed)).to.deep.equal([]);
    expect(modelsFor('上海市 Invoice', installed)).to.deep.equal(['chi_sim', 'jpn']);
    expect(modelsFor('한국 مدرسة', installed)).to.deep.equal(['ara', 'kor']);
  });
});
