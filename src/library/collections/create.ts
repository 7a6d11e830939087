import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, validationFailed } from '@scriptorium/contracts/problems';
import type { MemberRef, NewCollection } from '@scriptorium/contracts/wire/library/collections';
import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Collection } from '../../entities/library/collection.ts';
import { record } from '../../outbox/record.ts';
import { claimQuota } from '../../policies/quotas.ts';
import { checkMetadata, cleanTags } from '../details.ts';
import { checkQuery, cleanName, requireQueryTarget } from './fields.ts';
import { type CollectionWithPath, findCollection } from './load.ts';
import { insertMembers, updateMemberCount } from './members/change.ts';
import { lockResources, memberKey, resourceProblem } from './members/references.ts';
import { lockTree, rejectTooManySmart, requireValidParent } from './tree.ts';

/**
 * Creates a collection with its first members. A resource that appears twice becomes one member.
 * @throws Problem 422 for invalid values or unknown references, 409 for a parent that it cannot
 *   have, a resource in the trash, or too many smart collections
 */
export async function createCollection(
  tx: Tx,
  origin: Origin,
  input: NewCollection,
): Promise<CollectionWithPath> {
  const { projectId } = origin;
  const { name, tags } = validate(input);
  const parentId = input.parent_id ?? null;
  const cover = input.cover ?? null;
  const members = [...new Map((input.members ?? []).map((ref) => [memberKey(ref), ref])).values()];

  const references = [
    ...(cover ? [{ ref: imageRef(cover), pointer: '/cover' }] : []),
    ...(input.members ?? []).map((ref, at) => ({ ref, pointer: `/members/${at}/resource_id` })),
  ];
  const states = await lockResources(
    tx,
    projectId,
    references.map(({ ref }) => ref),
  );
  const problem = resourceProblem(references, states);
  if (problem) throw problem;
  const isSmart = input.kind === 'smart';
  if (isSmart) lockTree(tx, projectId);
  else if (parentId !== null) lockTree(tx, projectId, 'leaf');
  await requireValidParent(tx, projectId, parentId, { height: 1, movingId: null });
  if (input.query) await requireQueryTarget(tx, projectId, input.query);
  if (isSmart) await rejectTooManySmart(tx, projectId, 1);

  claimQuota(tx, projectId, 'collections', 1);
  const id = newId('collection');
  sendInsert(tx, Collection, {
    id,
    projectId,
    name,
    description: input.description ?? null,
    kind: input.kind,
    query: input.query ?? null,
    parentId,
    coverImageId: cover,
    tags,
    metadata: input.metadata ?? {},
  });
  await record(tx, origin, {
    type: 'dam.collection.created',
    resourceId: id,
    data: { name, kind: input.kind, parent_id: parentId },
  });
  const created = (await findCollection(tx, projectId, id))!;
  if (members.length === 0) return created;
  await insertMembers(tx, origin, created, members);
  updateMemberCount(tx, created, members.length, { rise: 0 });
  return (await findCollection(tx, projectId, id))!;
}

function validate(input: NewCollection): { name: string; tags: string[] } {
  const { name, faults } = cleanName(input.name);
  const cleaned = cleanTags(input.tags ?? []);
  faults.push(...cleaned.faults, ...checkMetadata(input.metadata ?? {}));
  const reject = (pointer: string, code: string, detail: string): void => {
    faults.push({ pointer, code, detail } satisfies Fault);
  };
  if (input.kind === 'smart') {
    if (!input.query) reject('/query', 'required', 'A smart collection requires a query.');
    if (input.members) {
      const detail = 'A smart collection must not list members: its query selects them.';
      reject('/members', 'not_allowed', detail);
    }
  } else if (input.query) {
    reject('/query', 'not_allowed', 'Only a smart collection can have a query.');
  }
  if (input.query) faults.push(...checkQuery(input.query));
  if (faults.length > 0) throw validationFailed(faults);
  return { name, tags: cleaned.tags };
}

function imageRef(id: string): MemberRef {
  return { resource_type: 'image', resource_id: id };
}
