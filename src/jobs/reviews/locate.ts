import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { NewFinding } from '@scriptorium/contracts/wire/reviews';
import type { PagePlan } from '@scriptorium/documents';
import { createLocator, textWithin } from '@scriptorium/documents/redact/find/locate';
import { isSoughtEverywhere } from '@scriptorium/documents/redact/matcher';
import type { Box } from '@scriptorium/documents/results';
import type { InTransaction } from '../../db/transaction.ts';
import type { Review } from '../../entities/reviews/review.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import type { FindingContent, TextRange } from './findings.ts';
import { readPlansFrom, readWords } from './pages.ts';
import { placeOfRange, placesOfText } from './text/locate.ts';

/** A place that a person wants removed. */
export interface Place {
  page: number;
  content: FindingContent;
  /** Its range in the text of a file without pages. */
  range?: TextRange;
}

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

/**
 * Finds the places that a person adds. Reads in several short transactions; the data does not
 * change while the review is open.
 * @throws Problem 422 for an invalid combination of fields, for boxes that are empty or outside the
 *   page, and `text_not_found`
 */
export async function locatePlaces(
  inProject: InTransaction,
  seal: Pick<PageSeal, 'unseal'>,
  review: Review,
  body: NewFinding,
): Promise<Place[]> {
  const faults = [...combinationFaults(body), ...kindFaults(body, review)];
  if (faults.length > 0) throw validationFailed(faults);
  const type = body.type as FoundType;
  const { page = 0, range, text } = body;
  if (text !== undefined) return locateText(inProject, seal, review, type, text);
  if (range) return [await placeOfRange(inProject, seal, review, page, range)];
  return [await locateOnPage(inProject, seal, review, body)];
}

/** Pages have boxes and words, other files ranges. */
function kindFaults({ boxes, words, range }: NewFinding, { textDigest }: Review): Fault[] {
  if (textDigest === null) {
    const detail = 'It applies to files without pages only. Select `boxes` or `words`.';
    return range ? [fault('/range', 'not_applicable', detail)] : [];
  }
  const detail = 'It does not apply to files without pages. Select a `range`.';
  return [
    ...(boxes ? [fault('/boxes', 'not_applicable', detail)] : []),
    ...(words ? [fault('/words', 'not_applicable', detail)] : []),
  ];
}

function combinationFaults({ page, boxes, words, range, text, everywhere }: NewFinding): Fault[] {
  const givenCount = [boxes, words, range, text].filter(
    (selector) => selector !== undefined,
  ).length;
  if (givenCount !== 1) {
    const detail = 'It must have exactly one of `boxes`, `words`, `range` and `text`.';
    return [fault('', 'one_of', detail)];
  }
  if (text === undefined) {
    const faults: Fault[] = [];
    if (page === undefined) faults.push(fault('/page', 'required', 'It is required.'));
    if (everywhere) {
      faults.push(fault('/everywhere', 'not_applicable', 'It requires `text`.'));
    }
    return faults;
  }
  const faults: Fault[] = [];
  if (!everywhere) faults.push(fault('/everywhere', 'required', 'It must be true with `text`.'));
  if (page !== undefined) {
    faults.push(
      fault(
        '/page',
        'not_applicable',
        'It does not apply to `text`, which is sought on all pages.',
      ),
    );
  }
  if (!isSoughtEverywhere(text)) {
    faults.push(
      fault(
        '/text',
        'too_short',
        'It must have at least 5 letters and digits, or 3 in scripts without spaces: shorter texts may occur by chance. Select the words instead.',
      ),
    );
  }
  return faults;
}

const pagesPerRead = 20;

async function locateText(
  inProject: InTransaction,
  seal: Pick<PageSeal, 'unseal'>,
  review: Review,
  type: FoundType,
  text: string,
): Promise<Place[]> {
  const places =
    review.textDigest === null
      ? await placesOnPages(inProject, seal, review, type, text)
      : await placesOfText(inProject, seal, review, type, text);
  if (places.length === 0) {
    throw new Problem('text_not_found', '`text` does not occur on any page of the document.', {
      errors: [fault('/text', 'text_not_found', 'It does not occur on any page of the document.')],
    });
  }
  return places;
}

async function placesOnPages(
  inProject: InTransaction,
  seal: Pick<PageSeal, 'unseal'>,
  review: Review,
  type: FoundType,
  text: string,
): Promise<Place[]> {
  const locate = createLocator(type, text);
  const places: Place[] = [];
  for (let from = 1; ; ) {
    const pages = await inProject((tx) => readPlansFrom(tx, seal, review, from, pagesPerRead));
    for (const { page, plan } of pages) {
      for (const { value, boxes, source, direction } of plan ? locate(plan) : []) {
        const content: FindingContent = { text: value, boxes, readFrom: source };
        if (direction !== undefined) content.direction = direction;
        places.push({ page, content });
      }
    }
    if (places.length > limits.review_places) {
      const detail = `It occurs in more than ${limits.review_places} places. Make it longer.`;
      throw validationFailed([fault('/text', 'too_many_places', detail)]);
    }
    const last = pages.at(-1);
    if (!last || pages.length < pagesPerRead) break;
    from = last.page + 1;
  }
  return places;
}

async function locateOnPage(
  inProject: InTransaction,
  seal: Pick<PageSeal, 'unseal'>,
  review: Review,
  { page = 0, boxes, words }: NewFinding,
): Promise<Place> {
  const [planRow] = await inProject((tx) => readPlansFrom(tx, seal, review, page, 1));
  if (planRow?.page !== page || !planRow.plan) {
    const detail = 'It is not a page of this review.';
    throw validationFailed([fault('/page', 'page_not_found', detail)]);
  }
  if (boxes) {
    const areas = boxes.map(([x0 = 0, y0 = 0, x1 = 0, y1 = 0]): Box => [x0, y0, x1, y1]);
    const faults = areas.flatMap((box, at) => boxFault(box, at, planRow.plan!) ?? []);
    if (faults.length > 0) throw validationFailed(faults);
    const text = textWithin(planRow.plan, areas);
    return { page, content: { text: text === '' ? null : text, boxes: areas, here: true } };
  }
  const pageWords = await inProject((tx) => readWords(tx, seal, review, page));
  const chosen = (words ?? []).map((at) => pageWords?.[at]);
  const faults = chosen.flatMap((word, at) =>
    word ? [] : [fault(`/words/${at}`, 'word_not_found', 'It is not the position of a word.')],
  );
  if (faults.length > 0) throw validationFailed(faults);
  const chosenWords = chosen.filter((word) => word !== undefined);
  return {
    page,
    content: {
      text: chosenWords.map(({ text }) => text).join(' '),
      boxes: chosenWords.map(({ box }) => box),
      here: true,
    },
  };
}

/** How far a box may extend beyond the edge of a page, in points: clients round coordinates. */
const edgeTolerance = 1;

function boxFault([x0, y0, x1, y1]: Box, at: number, plan: PagePlan): Fault | null {
  const pointer = `/boxes/${at}`;
  if (!(x1 > x0 && y1 > y0)) {
    return fault(pointer, 'empty_box', 'It must be left, top, right, bottom, with a size above 0.');
  }
  const { widthPt, heightPt } = plan;
  const isInside =
    x0 >= -edgeTolerance &&
    y0 >= -edgeTolerance &&
    x1 <= widthPt + edgeTolerance &&
    y1 <= heightPt + edgeTolerance;
  if (isInside) return null;
  const size = `${Math.round(widthPt * 10) / 10} × ${Math.round(heightPt * 10) / 10} points`;
  return fault(pointer, 'outside_page', `It must be within the page, which is ${size}.`);
}
