import { heightOf, sharedArea } from '../../geometry.ts';
import { labelOf } from '../../model/fields.ts';
import type { Fragment } from '../../model/fragments.ts';
import type { Block, ModelLine, ModelWord, PageModel } from '../../model/page.ts';
import type { FormField } from '../../pdf/form-fields.ts';
import { foldText } from '../matching/canonical.ts';
import { type ReadText, toReadText } from './read-text.ts';

type PageWithFields = Pick<PageModel, 'page' | 'widthPt' | 'heightPt'> & {
  fields: readonly FormField[];
  own: readonly Fragment[];
};

/**
 * Returns the values of form fields whose appearance shows different text, each after the name of
 * its field. An appearance may be out of date, and a list may store a text other than the displayed
 * one. The whole value gets the position of the field. Null if all fields show their values.
 */
export function readUnshownFields({
  page,
  widthPt,
  heightPt,
  fields,
  own,
}: PageWithFields): ReadText | null {
  const words: ModelWord[] = [];
  const lines: ModelLine[] = [];
  const blocks: Block[] = [];
  for (const { name, box, values } of fields) {
    const shownText = foldText(
      own
        .filter((fragment) => fragment.visible && sharedArea(fragment.box, box) > 0)
        .map(({ text }) => text)
        .join(''),
    );
    const label = /\p{L}{2}/u.test(labelOf(name)) ? `${labelOf(name)}: ` : '';
    for (const value of values.filter((one) => !shownText.includes(foldText(one)))) {
      const from = words.length;
      for (const text of `${label}${value}`.split(/\s+/).filter((word) => word !== '')) {
        words.push({ text, box, confidence: 1, source: 'pdf', visible: false, glyphs: null });
      }
      const wordIndexes = Array.from({ length: words.length - from }, (_, at) => from + at);
      const [left, , right, bottom] = box;
      lines.push({
        words: wordIndexes,
        box,
        from: left,
        to: right,
        base: bottom,
        size: heightOf(box),
        angle: 0,
      });
      blocks.push({ kind: 'text', box, lines: [lines.length - 1], columns: [] });
    }
  }
  if (words.length === 0) return null;
  const model = {
    page,
    widthPt,
    heightPt,
    words,
    lines,
    blocks,
    pictures: [],
    rules: [],
    fields: [],
  };
  return toReadText(model, 'pdf');
}
