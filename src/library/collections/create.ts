import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, invalid } from '@scriptorium/contracts/problems';
import type { MemberRef, NewCollection } from '@scriptorium/contracts/wire/library/collections';
import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Collection } from '../../entities/library/collection.ts';
import { record } from '../../outbox/record.ts';
import { claimQuota } from '../../policies/quotas.ts';
import { checkMetadata, cleanTags } from '../details.ts';
import { checkQuery, cleanName, requireQueryTarget } from './fields.ts';
import { findCollection, type PlacedCollection } from './load.ts';
import { insertMembers, noteMembersChanged } from './members/change.ts';
import { lockResources, memberKey, resourceProblem } from './members/references.ts';
import { lockTree, requirePlace, requireRoomForSmart } from './tree.ts';

/**
 * Creates a collection with its first members. A resource that appears twice becomes one member.
 * @throws Problem 422 for invalid values or unknown references, 409 for a parent that it cannot
 *   have, a resource in the trash, or too many smart collections
 */
export async function createCollection(
  tx: Tx,
  origin: Origin,
  given: NewCollection,
): Promise<PlacedCollection> {
  const { projectId } = origin;
  const { name, tags } = clean(given);
  const parentId = given.parent_id ?? null;
  const cover = given.cover ?? null;
  const members = [...new Map((given.members ?? []).map((ref) => [memberKey(ref), ref])).values()];

  const named = [
    ...(cover ? [{ ref: imageRef(cover), pointer: '/cover' }] : []),
    ...(given.members ?? []).map((ref, at) => ({ ref, pointer: `/members/${at}/resource_id` })),
  ];
  const states = await lockResources(
    tx,
    projectId,
    named.map(({ ref }) => ref),
  );
  const problem = resourceProblem(named, states);
  if (problem) throw problem;
  const smart = given.kind === 'smart';
  if (smart) lockTree(tx, projectId);
  else if (parentId !== null) lockTree(tx, projectId, 'leaf');
  await requirePlace(tx, projectId, parentId, { height: 1, movingId: null });
  if (given.query) await requireQueryTarget(tx, projectId, given.query);
  if (smart) await requireRoomForSmart(tx, projectId, 1);

  claimQuota(tx, projectId, 'collections', 1);
  const id = newId('collection');
  sendInsert(tx, Collection, {
    id,
    projectId,
    name,
    description: given.description ?? null,
    kind: given.kind,
    query: given.query ?? null,
    parentId,
    coverImageId: cover,
    tags,
    metadata: given.metadata ?? {},
  });
  await record(tx, origin, {
    type: 'dam.collection.created',
    resourceId: id,
    data: { name, kind: given.kind, parent_id: parentId },
  });
  const made = (await findCollection(tx, projectId, id))!;
  if (members.length === 0) return made;
  await insertMembers(tx, origin, made, members);
  noteMembersChanged(tx, made, members.length, { rise: 0 });
  return (await findCollection(tx, projectId, id))!;
}

function clean(given: NewCollection): { name: string; tags: string[] } {
  const { name, faults } = cleanName(given.name);
  const cleaned = cleanTags(given.tags ?? []);
  faults.push(...cleaned.faults, ...checkMetadata(given.metadata ?? {}));
  const reject = (pointer: string, code: string, detail: string): void => {
    faults.push({ pointer, code, detail } satisfies Fault);
  };
  if (given.kind === 'smart') {
    if (!given.query) reject('/query', 'required', 'A smart collection requires a query.');
    if (given.members) {
      const detail = 'A smart collection must not list members: its query finds them.';
      reject('/members', 'not_allowed', detail);
    }
  } else if (given.query) {
    reject('/query', 'not_allowed', 'Only a smart collection can have a query.');
  }
  if (given.query) faults.push(...checkQuery(given.query));
  if (faults.length > 0) throw invalid(faults);
  return { name, tags: cleaned.tags };
}

function imageRef(id: string): MemberRef {
  return { resource_type: 'image', resource_id: id };
}
