import type {
  Cell,
  DocBlock,
  NormalDocument,
  Span,
} from '../../../packages/documents/src/normalize/document.ts';

const origin = { page: 1, box: null, confidence: 1 } as const;

export const span = (text: string, ...marks: Span['marks'][number][]): Span => ({
  text,
  marks,
  href: null,
});

const running = (of: string | Span[]) => {
  const spans = typeof of === 'string' ? [span(of)] : of;
  return { ...origin, text: spans.map(({ text }) => text).join(''), spans };
};

export const paragraph = (of: string | Span[]): DocBlock => ({ role: 'paragraph', ...running(of) });
export const heading = (level: number, of: string): DocBlock => ({
  role: 'heading',
  level,
  ...running(of),
});
export const item = (of: string | Span[], level = 0, marker = '•'): DocBlock => ({
  role: 'list_item',
  level,
  marker,
  ordered: /\w/.test(marker),
  checked: null,
  ...running(of),
});
export const code = (of: string, language: string | null = null): DocBlock => ({
  role: 'code',
  language,
  ...running(of),
});

/** A table of rows of texts; the first row contains headers. */
export const table = (rows: readonly (readonly string[])[], caption: string | null = null) => ({
  ...origin,
  role: 'table' as const,
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  cells: rows.flatMap((texts, row) =>
    texts.map(
      (text, column): Cell => ({
        row,
        column,
        rowSpan: 1,
        columnSpan: 1,
        header: row === 0,
        text,
        box: null,
      }),
    ),
  ),
  caption,
});

export const documentOf = (...blocks: DocBlock[]): NormalDocument => ({
  title: null,
  language: null,
  pages: [{ page: 1, widthPt: null, heightPt: null, name: null }],
  blocks,
});
