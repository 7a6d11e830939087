import { requestedTypes } from '@scriptorium/contracts/documents/profiles';
import { defaultConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import { expect } from 'chai';
import type { Fragment } from '../../../packages/documents/src/model/fragments.ts';
import { detect } from '../../../packages/documents/src/redact/find/read-text.ts';
import {
  readInOrder,
  readLineByLine,
} from '../../../packages/documents/src/redact/find/recogniser-order.ts';

const page = { page: 1, widthPt: 595, heightPt: 842 };

/** The recognised words of lines, each with its baseline and the size of its letters. */
function recognised(
  lines: readonly (readonly [text: string, y: number, size: number])[],
): Fragment[] {
  return lines.flatMap(([text, y, size], run) => {
    let x = 40;
    return text.split(' ').map((word): Fragment => {
      const from = x;
      const to = from + word.length * size * 0.5;
      x = to + size * 0.3;
      return {
        text: word,
        confidence: 0.96,
        glyphs: null,
        box: [from, y - size * 0.75, to, y],
        source: 'ocr',
        visible: true,
        angle: 0,
        start: [from, y],
        end: [to, y],
        size,
        blankBefore: true,
        run,
      };
    });
  });
}

describe('the order of the recogniser', () => {
  it('keeps a name in large letters apart from small print around it', () => {
    const words = recognised([
      ['Annual meeting 2026', 100, 10],
      ['Ruprecht Zwickl', 120, 22],
      ['Elbtal Bau', 132, 10],
    ]);
    expect(readInOrder(page, words, null)?.text.text).to.equal(
      'Annual meeting 2026\nRuprecht Zwickl\nElbtal Bau',
    );
  });

  it('has the rows of a table, in which dates of birth are found by their heading', () => {
    const read = readLineByLine(
      page,
      recognised([
        ['No. Date of birth Course Start', 100, 10],
        ['1 03.05.1961 Sewing 12.11.2025', 114, 10],
        ['2 17.09.1948 Pottery 13.11.2025', 128, 10],
      ]),
    );
    const detector = createDetector({
      ...requestedTypes('personal'),
      minConfidence: defaultConfidence,
      customPatterns: [],
      allowList: [],
    });
    const found = detect(read!, detector).map(({ type, value }) => `${type} ${value}`);
    expect(found).to.have.members(['DATE_OF_BIRTH 03.05.1961', 'DATE_OF_BIRTH 17.09.1948']);
  });
});
