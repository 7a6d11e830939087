import type { PageResult } from '@scriptorium/documents/results';

/** Returns the result of `ocr` for a recognised page, with the given fields. */
export function recognisedPage(overrides: Partial<PageResult>): PageResult {
  return {
    page: 1,
    state: 'recognised',
    treatment: 'add',
    widthPt: 612,
    heightPt: 792,
    frame: null,
    text: '',
    words: [],
    lines: [],
    meanConfidence: 0.9,
    characters: 0,
    orientation: 0,
    skewDegrees: 0,
    deskew: false,
    blank: false,
    ...overrides,
  };
}
