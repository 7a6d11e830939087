import type { PageResult } from '../../results.ts';
import { fragmentsOfResult } from '../fragments.ts';
import { ascent, descent } from '../measures.ts';
import type { AngledWord } from './word.ts';

/** Height of a line from descender to ascender, in font sizes. */
const lineHeight = 1.15;

/** Returns the recognised words of a page. */
export function readRecognised(result: PageResult): AngledWord[] {
  return fragmentsOfResult(result).map((fragment) => {
    const { text, angle, confidence, start, end, run } = fragment;
    // Heights of lines are measured on ink and vary slightly, so sizes are rounded to half points.
    const size = Math.max(1, Math.round((fragment.size / lineHeight) * 2) / 2);
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    const [x, base] = start;
    return {
      text,
      box: [x, base - ascent * size, x + length, base + descent * size],
      base,
      size,
      blankBefore: true,
      blankAfter: true,
      confidence,
      source: 'ocr',
      mark: run,
      href: null,
      bold: false,
      italic: false,
      mono: false,
      math: false,
      angle: Math.round(angle * 10) / 10,
    };
  });
}
