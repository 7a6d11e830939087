import {
  type Fault,
  type Problem,
  referenceNotFound,
  validationFailed,
} from '@scriptorium/contracts/problems';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import type { Tx } from '../../db/transaction.ts';
import { Collection } from '../../entities/library/collection.ts';
import { withPointers } from '../filter-faults.ts';
import { imageFilterFaults } from '../images/search/filters.ts';
import { lockResources, resourceProblem } from './members/references.ts';

/** A name in its stored form: trimmed, in NFC, on one line. */
export function cleanName(text: string): { name: string; faults: Fault[] } {
  const name = text.normalize('NFC').trim();
  const fault = (code: string, detail: string): Fault => ({ pointer: '/name', code, detail });
  if (name === '') {
    return { name, faults: [fault('too_short', 'It must have at least 1 character.')] };
  }
  if (/\p{Cc}/u.test(name)) {
    return {
      name,
      faults: [fault('control_character', 'It must not contain control characters.')],
    };
  }
  return { name, faults: [] };
}

/** The faults of a smart collection's query that its schema does not find. */
export function checkQuery(query: ImageFilters): Fault[] {
  return withPointers('/query', imageFilterFaults(query));
}

/**
 * Requires that the collection in a query is a manual one, so that queries never depend on other
 * queries.
 * @throws Problem 422
 */
export async function requireQueryTarget(
  tx: Tx,
  projectId: string,
  query: ImageFilters,
): Promise<void> {
  if (query.collection_id === undefined) return;
  const target = await tx.findOne(Collection, {
    select: { kind: true },
    where: { projectId, id: query.collection_id },
  });
  const pointer = '/query/collection_id';
  if (!target) throw referenceNotFound(pointer, query.collection_id);
  if (target.kind === 'manual') return;
  const detail = 'A query must not filter by a smart collection.';
  throw validationFailed([{ pointer, code: 'not_allowed', detail }]);
}

/**
 * Locks a cover, so that it stays out of the trash until the transaction ends.
 * @returns the problem, if any: 422 for an unknown image, 409 for one in the trash
 */
export async function lockCover(
  tx: Tx,
  projectId: string,
  cover: string | null | undefined,
): Promise<Problem | null> {
  if (!cover) return null;
  const ref = { resource_type: 'image' as const, resource_id: cover };
  const states = await lockResources(tx, projectId, [ref]);
  return resourceProblem([{ ref, pointer: '/cover' }], states);
}
