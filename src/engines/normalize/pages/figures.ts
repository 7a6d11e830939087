import { applyToBox } from '../../geometry.ts';
import { area, shared } from '../../model/page.ts';
import type { PageShapes } from '../../pdf/page-shapes.ts';
import type { Box } from '../../results.ts';
import type { Fixed } from './blocks.ts';
import { asDisplayed, type LevelPage } from './words/level.ts';
import type { PageWord } from './words/word.ts';

/** Smaller pictures are ornaments: shorter side, and area, in points. */
const leastSide = 24;
const leastArea = 1600;
/** A picture of more of the page is its background or a scan of it. */
const mostOfPage = 0.6;
/** Words on a picture that are more than labels: so many, or so many side by side. */
const mostLabels = 60;

function clip([x0, y0, x1, y1]: Box, { width, height }: LevelPage): Box {
  return [Math.max(0, x0), Math.max(0, y0), Math.min(width, x1), Math.min(height, y1)];
}

/** Boxes that lie on one another are one: pictures come in strips and with masks. */
function merged(boxes: readonly Box[]): Box[] {
  const out: Box[] = [];
  for (const box of [...boxes].sort((a, b) => a[1] - b[1])) {
    let all: Box = [...box];
    for (let at = out.length - 1; at >= 0; at -= 1) {
      const other = out[at];
      if (!other) continue;
      const apart =
        other[0] > all[2] + 1 ||
        other[2] < all[0] - 1 ||
        other[1] > all[3] + 1 ||
        other[3] < all[1] - 1;
      if (apart) continue;
      all = [
        Math.min(all[0], other[0]),
        Math.min(all[1], other[1]),
        Math.max(all[2], other[2]),
        Math.max(all[3], other[3]),
      ];
      out.splice(at, 1);
      at = out.length;
    }
    out.push(all);
  }
  return out;
}

/**
 * The pictures of a page, and the words that are not merely labels in one: what is written in a figure
 * is not part of the running text.
 */
export function picturesOf(
  page: LevelPage,
  shapes: PageShapes,
  words: readonly PageWord[],
): { fixed: Fixed[]; others: PageWord[] } {
  const { toLevel } = page;
  const whole = page.width * page.height;
  const onPage = shapes.pictures
    .map((box) => clip(toLevel ? applyToBox(toLevel, box) : box, page))
    .filter((box) => area(box) > 0 && area(box) < mostOfPage * whole);
  const boxes = merged(onPage.slice(0, 300)).filter(
    (box) =>
      Math.min(box[2] - box[0], box[3] - box[1]) >= leastSide &&
      area(box) >= leastArea &&
      area(box) < mostOfPage * whole,
  );
  if (boxes.length === 0) return { fixed: [], others: [...words] };
  const within: PageWord[][] = boxes.map(() => []);
  const others: PageWord[] = [];
  for (const word of words) {
    const at = boxes.findIndex((box) => shared(box, word.box) > 0.6 * area(word.box));
    if (at >= 0 && word.source === 'pdf') within[at]?.push(word);
    else others.push(word);
  }
  const fixed: Fixed[] = [];
  for (const [at, box] of boxes.entries()) {
    const labels = within[at] ?? [];
    if (labels.length > mostLabels) {
      others.push(...labels);
      continue;
    }
    fixed.push({
      box,
      block: { kind: 'picture', box: asDisplayed(page, box), confidence: 1, alt: null },
    });
  }
  return { fixed, others };
}
