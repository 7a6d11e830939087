import { isDeepStrictEqual } from 'node:util';
import type { NewEvent } from '@scriptorium/contracts/events';
import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, validationFailed } from '@scriptorium/contracts/problems';
import type { CollectionPatch } from '@scriptorium/contracts/wire/library/collections';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { Any } from 'typeorm';
import { nextVersion, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Collection } from '../../entities/library/collection.ts';
import { record } from '../../outbox/record.ts';
import { holdBranch, lockScopes } from '../../policies/facts/holds.ts';
import { checkMetadata, cleanTags, mergePatch } from '../details.ts';
import { checkQuery, cleanName, lockCover, requireQueryTarget } from './fields.ts';
import {
  type CollectionWithPath,
  findCollection,
  lockCollection,
  type Recheck,
  requireNotTrashed,
} from './load.ts';
import { branchHeight, lockCollections, lockTree, readBranch, requireValidParent } from './tree.ts';

/** The fields of a collection that a patch can change, and their names in the API. */
const patchFields = {
  name: 'name',
  description: 'description',
  query: 'query',
  parentId: 'parent_id',
  coverImageId: 'cover',
  tags: 'tags',
  metadata: 'metadata',
} as const;
type CollectionFields = Pick<CollectionWithPath, keyof typeof patchFields>;

/**
 * Changes fields of a collection. If its name or parent changes, so does the path of every
 * collection below it: their versions increase, each with an event. A patch that changes nothing
 * keeps the version and records nothing.
 * @throws Problem 422 for invalid values or unknown references, 409 for a collection in the trash
 *   or a parent that it cannot have
 */
export async function changeCollection(
  tx: Tx,
  origin: Origin,
  id: string,
  patch: CollectionPatch,
  recheck: Recheck,
): Promise<CollectionWithPath> {
  const { projectId } = origin;
  const coverProblem = await lockCover(tx, projectId, patch.cover);
  const changesPaths = patch.name !== undefined || patch.parent_id !== undefined;
  if (changesPaths) lockTree(tx, projectId);
  // While the tree is locked, the branch cannot change. All of it is locked, in the order of identifiers.
  const branch = changesPaths ? await readBranch(tx, projectId, id) : [];
  lockCollections(
    tx,
    projectId,
    branch.map((node) => node.id),
  );
  const collection = await lockCollection(tx, projectId, id, recheck);
  const newFields = applyPatch(collection, patch);
  if (coverProblem) throw coverProblem;
  requireNotTrashed(collection);
  if (patch.query) await requireQueryTarget(tx, projectId, newFields.query ?? {});
  if (newFields.parentId !== collection.parentId) {
    const movedBranch = { height: branchHeight(branch), movingId: id };
    await requireValidParent(tx, projectId, newFields.parentId, movedBranch);
  }

  const differs = (field: keyof CollectionFields): boolean =>
    !isDeepStrictEqual(collection[field], newFields[field]);
  const changedFields = (Object.keys(patchFields) as (keyof CollectionFields)[]).filter(differs);
  if (changedFields.length === 0) return collection;
  if (differs('parentId')) lockScopes(tx, projectId, 'shared');
  const coverHiddenSql = 'cover_hidden AND cover_image_id IS NOT DISTINCT FROM :cover';
  sendUpdate(
    tx,
    Collection,
    { projectId, id },
    {
      ...newFields,
      coverHidden: () => coverHiddenSql,
      updatedAt: transactionTime,
      version: nextVersion,
    },
    { cover: newFields.coverImageId },
  );
  // Objects that get a legal hold or a retention from the new parent keep it after they leave.
  if (differs('parentId')) await holdBranch(tx, projectId, id);
  const descendantIds =
    differs('name') || differs('parentId')
      ? branch.filter((node) => node.id !== id).map((node) => node.id)
      : [];
  raiseVersions(tx, projectId, descendantIds);
  await record(
    tx,
    origin,
    {
      type: 'dam.collection.updated',
      resourceId: id,
      data: { changed: changedFields.map((field) => patchFields[field]) },
    },
    ...descendantIds.map((inner): NewEvent => {
      return { type: 'dam.collection.updated', resourceId: inner, data: { changed: ['path'] } };
    }),
  );
  return (await findCollection(tx, projectId, id))!;
}

/** Increases the versions of collections whose path has changed. */
function raiseVersions(tx: Tx, projectId: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const change = { updatedAt: transactionTime, version: nextVersion };
  sendUpdate(tx, Collection, { projectId, id: Any(ids) }, change);
}

function applyPatch(collection: CollectionWithPath, patch: CollectionPatch): CollectionFields {
  const faults: Fault[] = [];
  const newFields: CollectionFields = {
    name: collection.name,
    description: patch.description === undefined ? collection.description : patch.description,
    query: collection.query,
    parentId: patch.parent_id === undefined ? collection.parentId : patch.parent_id,
    coverImageId: patch.cover === undefined ? collection.coverImageId : patch.cover,
    tags: collection.tags,
    metadata: collection.metadata,
  };
  if (patch.name !== undefined) {
    const cleaned = cleanName(patch.name);
    newFields.name = cleaned.name;
    faults.push(...cleaned.faults);
  }
  if (patch.query !== undefined) {
    if (collection.query === null) {
      const detail = 'Only a smart collection can have a query.';
      faults.push({ pointer: '/query', code: 'not_allowed', detail });
    } else {
      // Each filter was checked in the patch or when it was stored.
      newFields.query = mergePatch(collection.query, patch.query) as ImageFilters;
      faults.push(...checkQuery(newFields.query));
    }
  }
  if (patch.tags !== undefined) {
    const cleaned = cleanTags(patch.tags ?? []);
    newFields.tags = cleaned.tags;
    faults.push(...cleaned.faults);
  }
  if (patch.metadata !== undefined) {
    newFields.metadata =
      patch.metadata === null ? {} : mergePatch(collection.metadata, patch.metadata);
    faults.push(...checkMetadata(newFields.metadata));
  }
  if (faults.length > 0) throw validationFailed(faults);
  return newFields;
}
