import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import {
  type Fault,
  invalid,
  Problem,
  type ProblemCode,
  referenceNotFound,
} from '../../contracts/problems.ts';
import type { ImageFilters, ImagePatch } from '../../contracts/wire/images.ts';
import { Conditions } from '../../db/conditions.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { resolveFilters } from '../collections/smart.ts';
import { type Change, changeDetails, type ImagePair, loadPairs, lockPairs } from '../pair.ts';
import { applyPatch } from '../patch.ts';
import { countImages } from './counts.ts';
import { imageConditions } from './filters.ts';

/** How many images one statement changes. */
const batchSize = 1_000;

/** One image to be changed. */
export interface ImageEdit {
  id: string;
  /** The versions it may have; null for any. */
  versions: readonly number[] | null;
  /** As `cleanPatch` made it. */
  patch: ImagePatch;
  /** Where these stand in the request. */
  pointers: EditPointers;
}

interface EditPointers {
  /** Null where it stands in the path. */
  id: string | null;
  versions: Pick<Fault, 'pointer' | 'header'>;
  /** Of the patch: '' where its fields are the body's own. */
  patch: string;
}

/** With `abort` all change or none; with `continue` each that can. */
type OnError = 'abort' | 'continue';

export type EditOutcome =
  | { id: string; outcome: 'updated' | 'unchanged'; version: number }
  | { id: string; outcome: 'failed'; problem: Problem };

/**
 * Changes images, each of which stands once in `edits`.
 * @returns what became of each, in their order
 * @throws Problem with `abort`, for the first that cannot be changed, with the faults of all
 */
export async function editImages(
  tx: Tx,
  origin: Origin,
  edits: readonly ImageEdit[],
  onError: OnError,
): Promise<EditOutcome[]> {
  await lockPairs(
    tx,
    origin.projectId,
    edits.map(({ id }) => id),
  );
  return editLocked(tx, origin, edits, onError);
}

async function editLocked(
  tx: Tx,
  origin: Origin,
  edits: readonly ImageEdit[],
  onError: OnError,
): Promise<EditOutcome[]> {
  const outcomes: EditOutcome[] = [];
  const problems: Problem[] = [];
  for (let from = 0; from < edits.length; from += batchSize) {
    const batch = edits.slice(from, from + batchSize);
    const pairs = await loadPairs(
      tx,
      origin.projectId,
      batch.map(({ id }) => id),
    );
    const judged = batch.map((edit) => ({ id: edit.id, ...judge(pairs.get(edit.id), edit) }));
    problems.push(...judged.flatMap(({ problem }) => problem ?? []));
    // After a failure that undoes all, the rest is only looked at for its faults.
    if (onError === 'abort' && problems.length > 0) continue;
    const changes = judged.flatMap(({ change }) => change ?? []);
    const changed = (await changeDetails(tx, origin, changes)).values();
    for (const { id, problem } of judged) {
      if (problem) outcomes.push({ id, outcome: 'failed', problem });
      else {
        const { changed: differs, version } = changed.next().value!;
        outcomes.push({ id, outcome: differs ? 'updated' : 'unchanged', version });
      }
    }
  }
  if (onError === 'abort' && problems.length > 0) throw allOf(problems, edits.length);
  return outcomes;
}

/** One patch for all images that match. */
export interface AlikeEdit {
  /** Without faults (`imageFilterFaults`). */
  filters: ImageFilters;
  /** How many are meant to match. */
  expectedCount: number;
  /** As `cleanPatch` made it. */
  patch: ImagePatch;
  pointers: EditPointers;
}

/**
 * Changes all images that match, alike, as `editImages` does.
 * @returns what became of each, by identifier
 * @throws Problem 409 `count_changed` when another number matches, or others came to match meanwhile
 */
export async function editMatching(
  tx: Tx,
  origin: Origin,
  edit: AlikeEdit,
  onError: OnError,
): Promise<EditOutcome[]> {
  const { filters, expectedCount, patch, pointers } = edit;
  const ids = await findMatching(tx, origin.projectId, filters);
  if (ids.length > limits.images_per_filter_edit) {
    const resolved = await resolveFilters(tx, origin.projectId, filters);
    const only = { total: true, facets: false };
    const { total } = await countImages(tx, origin.projectId, resolved, only);
    throw countChanged(expectedCount, total ?? ids.length);
  }
  if (ids.length !== expectedCount) throw countChanged(expectedCount, ids.length);
  await lockPairs(tx, origin.projectId, ids);
  // Whoever held them before may have changed what matches.
  const still = await findMatching(tx, origin.projectId, filters);
  if (!isDeepStrictEqual(still, ids)) throw countChanged(expectedCount, still.length);
  return editLocked(
    tx,
    origin,
    ids.map((id) => ({ id, versions: null, patch, pointers })),
    onError,
  );
}

/** The images that match; one more than may be changed at once, where there are more. */
async function findMatching(tx: Tx, projectId: string, filters: ImageFilters): Promise<string[]> {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  imageConditions(await resolveFilters(tx, projectId, filters), where);
  const found = await query<{ image_id: string }>(
    tx,
    `SELECT image_id FROM image_search WHERE ${where.sql()} ORDER BY image_id
     LIMIT ${limits.images_per_filter_edit + 1}`,
    where.values,
  );
  return found.map(({ image_id }) => image_id);
}

function countChanged(expected: number, actual: number): Problem {
  return new Problem(
    'count_changed',
    `The filter was expected to match ${expected} images; it matches ${actual}, or not the same ones as a moment ago.`,
    { extra: { actual_count: actual } },
  );
}

/**
 * Changes an image, which is locked with its object, by a patch as `cleanPatch` made it.
 * @throws Problem 422 for what cannot be kept, 409 for one in the trash
 */
export async function editImage(
  tx: Tx,
  origin: Origin,
  pair: ImagePair,
  patch: ImagePatch,
): Promise<void> {
  const pointers = { id: null, versions: {}, patch: '' };
  const { change, problem } = judge(pair, { id: pair.imageId, versions: null, patch, pointers });
  if (problem) throw problem;
  await changeDetails(tx, origin, [change]);
}

/** The change that an edit asks for, or why it cannot be made. */
function judge(
  pair: ImagePair | undefined,
  edit: ImageEdit,
): { change: Change; problem?: undefined } | { change?: undefined; problem: Problem } {
  const { id, versions, patch, pointers } = edit;
  if (!pair) return { problem: referenceNotFound(pointers.id ?? '', id) };
  if (versions && !versions.includes(pair.version)) {
    const detail = `The image '${id}' has changed since you read it; read it again.`;
    return { problem: problemAt('etag_mismatch', detail, pointers.versions) };
  }
  const { wanted, faults } = applyPatch(pair, patch, pointers.patch);
  if (faults.length > 0) return { problem: invalid(faults) };
  if (pair.state === 'trashed') {
    const detail = `The image '${id}' is in the trash. Restore it first.`;
    const where = pointers.id === null ? null : { pointer: pointers.id };
    return { problem: problemAt('state_conflict', detail, where) };
  }
  return { change: { pair, wanted } };
}

function problemAt(
  code: ProblemCode,
  detail: string,
  where: Pick<Fault, 'pointer' | 'header'> | null,
): Problem {
  return new Problem(code, detail, { errors: where ? [{ ...where, code, detail }] : [] });
}

/** One problem that tells all: what the first says is to be done, and where each fault lies. */
function allOf(problems: Problem[], total: number): Problem {
  const [first] = problems;
  if (problems.length === 1) return first!;
  const detail = `${problems.length} of ${total} images cannot be changed, so none was.`;
  const errors = problems.flatMap((problem) => problem.errors ?? []).slice(0, limits.ids_per_patch);
  return new Problem(first!.code, detail, { errors });
}
