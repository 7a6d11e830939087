import { type Static, Type } from 'typebox';
import { Nullable } from '../common.ts';
import { strictObject } from '../shapes.ts';

const PageTextWord = strictObject(
  {
    text: Type.String(),
    box: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'Left, top, right and bottom sides in points of the page as displayed.',
    }),
    line: Type.Integer({ minimum: 0, description: 'The index of its line on the page.' }),
  },
  { title: 'PageTextWord' },
);

/** The words of a page with their positions. */
export const PageText = strictObject(
  {
    page: Type.Integer({ minimum: 1 }),
    width: Type.Number({ description: 'The width of the page in points, as displayed.' }),
    height: Type.Number({ description: 'The height of the page in points, as displayed.' }),
    source: Nullable(
      Type.Enum(['file', 'ocr'], {
        description:
          '`file`: the file contains the text. `ocr`: the latest job recognised it. Null for a page without known text.',
      }),
    ),
    words: Type.Array(PageTextWord, { description: 'In reading order.' }),
  },
  { title: 'PageText' },
);
export type PageText = Static<typeof PageText>;
