import { isDeepStrictEqual } from 'node:util';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import {
  type Fault,
  Problem,
  type ProblemCode,
  referenceNotFound,
  validationFailed,
} from '@scriptorium/contracts/problems';
import type { ImageFilters, ImagePatch } from '@scriptorium/contracts/wire/library/images';
import { Conditions } from '../../db/statements/conditions.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { resolveFilters } from '../collections/smart.ts';
import { type Change, changeDetails, type ImagePair, loadPairs, lockPairs } from '../pair.ts';
import { applyPatch } from '../patch.ts';
import { countImages } from './search/counts.ts';
import { addImageConditions } from './search/filters.ts';

/** How many images one statement changes. */
const batchSize = 1_000;

/** A change of one image. */
export interface ImageEdit {
  id: string;
  /** The versions that it may have; null for any. */
  versions: readonly number[] | null;
  /** The result of `cleanPatch`. */
  patch: ImagePatch;
  /** The pointers of its fields in the request. */
  pointers: EditPointers;
}

interface EditPointers {
  /** Null if it is in the path. */
  id: string | null;
  versions: Pick<Fault, 'pointer' | 'header'>;
  /** The pointer of the patch: '' if its fields are those of the body. */
  patch: string;
}

/** With `abort` all images change or none; with `continue` each one that can. */
type OnError = 'abort' | 'continue';

export type EditOutcome =
  | { id: string; outcome: 'updated' | 'unchanged'; version: number }
  | { id: string; outcome: 'failed'; problem: Problem };

/**
 * Changes images, each of which appears once in `edits`.
 * @returns the outcome of each, in order
 * @throws Problem with `abort`: the code of the first image that cannot be changed, the faults of all
 */
export async function editImages(
  tx: Tx,
  origin: Origin,
  edits: readonly ImageEdit[],
  onError: OnError,
): Promise<EditOutcome[]> {
  lockPairs(
    tx,
    origin.projectId,
    edits.map(({ id }) => id),
  );
  return editLockedImages(tx, origin, edits, onError);
}

async function editLockedImages(
  tx: Tx,
  origin: Origin,
  edits: readonly ImageEdit[],
  onError: OnError,
): Promise<EditOutcome[]> {
  const outcomes: EditOutcome[] = [];
  const problems: Problem[] = [];
  for (let start = 0; start < edits.length; start += batchSize) {
    const batch = edits.slice(start, start + batchSize);
    const pairs = await loadPairs(
      tx,
      origin.projectId,
      batch.map(({ id }) => id),
    );
    const plans = batch.map((edit) => ({ id: edit.id, ...planChange(pairs.get(edit.id), edit) }));
    problems.push(...plans.flatMap(({ problem }) => problem ?? []));
    // After a failure that undoes everything, the remaining edits are only checked for faults.
    if (onError === 'abort' && problems.length > 0) continue;
    const changes = plans.flatMap(({ change }) => change ?? []);
    const results = (await changeDetails(tx, origin, changes)).values();
    for (const { id, problem } of plans) {
      if (problem) outcomes.push({ id, outcome: 'failed', problem });
      else {
        const { changed: differs, version } = results.next().value!;
        outcomes.push({ id, outcome: differs ? 'updated' : 'unchanged', version });
      }
    }
  }
  if (onError === 'abort' && problems.length > 0) throw combineProblems(problems, edits.length);
  return outcomes;
}

/** One patch for all images that match. */
export interface FilterEdit {
  /** Validated by `imageFilterFaults`. */
  filters: ImageFilters;
  /** The expected number of matches. */
  expectedCount: number;
  /** The result of `cleanPatch`. */
  patch: ImagePatch;
  pointers: EditPointers;
}

/**
 * Applies the same patch to all images that match, as `editImages` does.
 * @returns the outcome of each, by identifier
 * @throws Problem 409 `count_changed` if the number differs, or different images match by then
 */
export async function editMatching(
  tx: Tx,
  origin: Origin,
  edit: FilterEdit,
  onError: OnError,
): Promise<EditOutcome[]> {
  const { filters, expectedCount, patch, pointers } = edit;
  const ids = await findMatching(tx, origin.projectId, filters);
  if (ids.length > limits.images_per_filter_edit) {
    const resolved = await resolveFilters(tx, origin.projectId, filters);
    const include = { total: true, facets: false };
    const { total } = await countImages(tx, origin.projectId, resolved, include);
    throw countChangedProblem(expectedCount, total ?? ids.length);
  }
  if (ids.length !== expectedCount) throw countChangedProblem(expectedCount, ids.length);
  lockPairs(tx, origin.projectId, ids);
  // The matches may have changed before the locks were granted.
  const currentIds = await findMatching(tx, origin.projectId, filters);
  if (currentIds.length !== expectedCount)
    throw countChangedProblem(expectedCount, currentIds.length);
  if (!isDeepStrictEqual(currentIds, ids)) {
    throw new Problem(
      'count_changed',
      'The images that the filter matches changed during the request. Try again.',
      { extra: { actual_count: currentIds.length } },
    );
  }
  return editLockedImages(
    tx,
    origin,
    ids.map((id) => ({ id, versions: null, patch, pointers })),
    onError,
  );
}

/** The matching images: at most one more than can be changed at once. */
async function findMatching(tx: Tx, projectId: string, filters: ImageFilters): Promise<string[]> {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  addImageConditions(await resolveFilters(tx, projectId, filters), where);
  const found = await query<{ image_id: string }>(
    tx,
    `SELECT image_id FROM image_search WHERE ${where.sql()} ORDER BY image_id
     LIMIT ${limits.images_per_filter_edit + 1}`,
    where.values,
  );
  return found.map(({ image_id }) => image_id);
}

function countChangedProblem(expected: number, actual: number): Problem {
  return new Problem(
    'count_changed',
    `The filter matches ${pluralise(actual, 'image')}, not the expected ${expected.toLocaleString('en')}.`,
    { extra: { actual_count: actual } },
  );
}

/**
 * Changes an image, which is locked with its object, by the result of `cleanPatch`.
 * @throws Problem 422 for invalid values, 409 for an image in the trash
 */
export async function editImage(
  tx: Tx,
  origin: Origin,
  pair: ImagePair,
  patch: ImagePatch,
): Promise<void> {
  const pointers = { id: null, versions: {}, patch: '' };
  const { change, problem } = planChange(pair, {
    id: pair.imageId,
    versions: null,
    patch,
    pointers,
  });
  if (problem) throw problem;
  await changeDetails(tx, origin, [change]);
}

/** The change of an edit, or why it cannot be made. */
function planChange(
  pair: ImagePair | undefined,
  edit: ImageEdit,
): { change: Change; problem?: undefined } | { change?: undefined; problem: Problem } {
  const { id, versions, patch, pointers } = edit;
  if (!pair) return { problem: referenceNotFound(pointers.id ?? '', id) };
  if (versions && !versions.includes(pair.version)) {
    const detail = versions.every(Number.isNaN)
      ? `If-Match has no version of the image '${id}', such as \`"1"\`. A weak ETag (\`W/"1"\`) never matches.`
      : `The image '${id}' has changed since you read it. Get the current version and try again.`;
    return { problem: problemAtField('etag_mismatch', detail, pointers.versions) };
  }
  const { newDetails, faults } = applyPatch(pair, patch, pointers.patch);
  if (faults.length > 0) return { problem: validationFailed(faults) };
  if (pair.state === 'trashed') {
    const detail = `The image '${id}' is in the trash. Restore it first.`;
    const where = pointers.id === null ? null : { pointer: pointers.id };
    return { problem: problemAtField('state_conflict', detail, where) };
  }
  return { change: { pair, wanted: newDetails } };
}

function problemAtField(
  code: ProblemCode,
  detail: string,
  location: Pick<Fault, 'pointer' | 'header'> | null,
): Problem {
  return new Problem(code, detail, { errors: location ? [{ ...location, code, detail }] : [] });
}

/** Combines problems into one: the code of the first, with the faults of all. */
function combineProblems(problems: Problem[], total: number): Problem {
  const [first] = problems;
  if (problems.length === 1) return first!;
  const detail = `${problems.length} of ${total} images cannot be changed; no image was changed.`;
  const errors = problems.flatMap((problem) => problem.errors ?? []).slice(0, limits.ids_per_patch);
  return new Problem(first!.code, detail, { errors });
}
