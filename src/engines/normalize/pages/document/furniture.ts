import { type Draft, isText } from './draft.ts';

/** How much of a page, at its top and at its bottom, may be running headers and footers. */
const margin = 0.13;
/** A page number of a page that stands alone is sought nearer to the edge. */
const edge = 0.09;
/** What is on so many pages, and so great a share of them, is repeated. */
const leastPages = 3;
const leastShare = 0.25;

const pageNumber =
  /^(?:[-–—|·•[(]?\s*)?(?:(?:page|seite|pagina|página|p\.|s\.|стр\.?|صفحة)\s*)?(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]?\d{0,2}[-–.]\d{1,4})(?:\s*(?:of|\/|von|de|sur|di)\s*\d{1,4})?\s*[-–—|·•\])]?$/i;

type Zone = 'page_header' | 'page_footer';

/** Where in the margins a block stands; undefined within the page. */
function zoneOf({ page, block }: Draft): Zone | undefined {
  const [, top, , bottom] = block.box;
  if (bottom < page.heightPt * margin) return 'page_header';
  if (top > page.heightPt * (1 - margin)) return 'page_footer';
  return undefined;
}

/** What is the same in a running line on all of its pages: numbers count up, the place stays. */
function keyOf({ text, block }: Draft, zone: Zone): string {
  const words = text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/\b[ivxlc]+\b/g, '#');
  return `${zone}:${Math.round(block.box[1] / 8)}:${words.slice(0, 120)}`;
}

const countKeys = (key: string): string[] => {
  // A place may fall on either side of a step of rounding.
  const [zone = '', place = '', ...words] = key.split(':');
  return [0, -1, 1].map((by) => [zone, Number(place) + by, ...words].join(':'));
};

/** Text beside which nothing else stands nearer to the page's edge than a line's height. */
function outermost(drafts: readonly Draft[], zone: Zone): Set<Draft> {
  let reach = zone === 'page_header' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const { block } of drafts) {
    if (block.kind === 'picture') continue;
    reach = zone === 'page_header' ? Math.min(reach, block.box[3]) : Math.max(reach, block.box[1]);
  }
  return new Set(
    drafts.filter(
      ({ block, size }) =>
        block.kind === 'text' &&
        Math.abs((zone === 'page_header' ? block.box[3] : block.box[1]) - reach) < 0.6 * size,
    ),
  );
}

/** Gives running headers, footers and page numbers their roles. `pages` are the drafts by page. */
export function markFurniture(pages: readonly (readonly Draft[])[], bodySize: number): void {
  const counts = new Map<string, number>();
  for (const drafts of pages) {
    const keys = new Set<string>();
    for (const draft of drafts) {
      const zone = isText(draft) ? zoneOf(draft) : undefined;
      if (zone && draft.text.length < 200) keys.add(keyOf(draft, zone));
    }
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(leastPages, Math.min(8, leastShare * pages.length));
  for (const drafts of pages) {
    const outer = {
      page_header: outermost(drafts, 'page_header'),
      page_footer: outermost(drafts, 'page_footer'),
    };
    for (const draft of drafts) {
      if (!isText(draft)) continue;
      const zone = zoneOf(draft);
      if (!zone) continue;
      const key = keyOf(draft, zone);
      const repeated = countKeys(key).reduce((sum, one) => sum + (counts.get(one) ?? 0), 0);
      const few = pages.length === 2 && repeated >= 2 && draft.size < bodySize;
      const isOuter = outer[zone].has(draft);
      const [, top, , bottom] = draft.block.box;
      const height = draft.page.heightPt;
      const isEdge = zone === 'page_header' ? bottom < height * edge : top > height * (1 - edge);
      if (
        repeated >= least ||
        few ||
        draft.block.artifact ||
        (isOuter && pageNumber.test(draft.text)) ||
        (isOuter && isEdge && isNumbered(draft.text) && draft.size <= bodySize)
      ) {
        draft.role = zone;
      }
    }
    // What stands beside a page number at the very edge belongs to it.
    for (const zone of ['page_header', 'page_footer'] as const) {
      const line = [...outer[zone]].filter(isText);
      if (!line.some(({ role }) => role === zone)) continue;
      for (const draft of line) {
        const [, top, , bottom] = draft.block.box;
        const height = draft.page.heightPt;
        const isEdge = zone === 'page_header' ? bottom < height * edge : top > height * (1 - edge);
        if (isEdge && draft.block.lines.length === 1 && draft.size <= bodySize) draft.role = zone;
      }
    }
  }
}

/** A running title with the page's number before or after it. */
function isNumbered(text: string): boolean {
  const words = text.split(' ');
  return (
    words.length > 1 &&
    words.length <= 14 &&
    (/^\d{1,4}$/.test(words[0] ?? '') || /^\d{1,4}$/.test(words.at(-1) ?? '')) &&
    !/[.!?:;]$/.test(words.at(-2) ?? '')
  );
}
