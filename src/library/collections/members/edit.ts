import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { type Fault, type Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { MemberBatch, MemberRef } from '@scriptorium/contracts/wire/library/collections';
import type { Tx } from '../../../db/transaction.ts';
import { type CollectionWithPath, lockCollection, type Recheck } from '../load.ts';
import { deleteMembers, insertMembers, updateMemberCount } from './change.ts';
import { findMembers, type Member, memberNotFound, requireManual } from './load.ts';
import {
  lockResources,
  memberKey,
  problemFromFaults,
  type ResourceReference,
  resourceProblem,
} from './references.ts';

/**
 * Appends a resource to a collection, unless it is a member already.
 * @throws Problem 409 for a smart or trashed collection or a trashed resource, 422 for an unknown
 *   one
 */
export async function addMember(
  tx: Tx,
  origin: Origin,
  collectionId: string,
  ref: MemberRef,
  recheck: Recheck,
): Promise<{ member: Member; added: boolean }> {
  const states = await lockResources(tx, origin.projectId, [ref]);
  const collection = await lockCollection(tx, origin.projectId, collectionId, recheck);
  requireManual(collection);
  const problem = resourceProblem([{ ref, pointer: '/resource_id' }], states);
  if (problem) throw problem;
  const existing = (await findMembers(tx, collection, [ref])).get(memberKey(ref));
  if (existing) return { member: existing, added: false };
  const [member] = await insertMembers(tx, origin, collection, [ref]);
  updateMemberCount(tx, collection, 1);
  return { member: member!, added: true };
}

/**
 * Removes a member from a collection, including one that is hidden while its resource is in the
 * trash.
 * @throws Problem 404 `member_not_found`, 409 for a smart or trashed collection
 */
export async function removeMember(
  tx: Tx,
  origin: Origin,
  collectionId: string,
  ref: MemberRef,
  recheck: Recheck,
): Promise<void> {
  const collection = await lockCollection(tx, origin.projectId, collectionId, recheck);
  requireManual(collection);
  const [removed] = await deleteMembers(tx, origin, collection, [ref]);
  if (!removed) throw memberNotFound(collectionId, ref.resource_id);
  updateMemberCount(tx, collection, removed.hidden ? 0 : -1);
}

/** The outcome for one input of a batch. */
interface BatchOutcome {
  action: 'add' | 'remove';
  index: number;
  ref: MemberRef;
  outcome: 'added' | 'already_member' | 'removed' | 'failed';
  problem: Problem | null;
}

interface BatchInput extends ResourceReference {
  action: 'add' | 'remove';
  index: number;
}

/**
 * Adds and removes members: with `abort` all or none, with `continue` each of them that can be. An
 * input that appears twice is processed once.
 * @throws Problem 422 for a batch that contradicts itself or is too large, and with `abort` the
 *   problem of the inputs that failed
 */
export async function changeMembers(
  tx: Tx,
  origin: Origin,
  collectionId: string,
  batch: MemberBatch,
  recheck: Recheck,
): Promise<{ collection: CollectionWithPath; outcomes: BatchOutcome[] }> {
  checkBatch(batch);
  const adds = inputsOf('add', batch.add);
  const removes = inputsOf('remove', batch.remove);
  const states = await lockResources(tx, origin.projectId, batch.add);
  const collection = await lockCollection(tx, origin.projectId, collectionId, recheck);
  requireManual(collection);
  const membersByKey = await findMembers(tx, collection, [...batch.add, ...batch.remove]);

  const missing = removes.filter(({ ref }) => !membersByKey.has(memberKey(ref)));
  if (batch.on_error === 'abort') {
    const problem = resourceProblem(adds, states) ?? missingMembersProblem(missing);
    if (problem) throw problem;
  }
  const toAdd = new Map<string, MemberRef>();
  const toRemove = new Map<string, MemberRef>();
  const outcomes = [...adds, ...removes].map((input): BatchOutcome => {
    const { action, index, ref } = input;
    const key = memberKey(ref);
    const outcomeOf = (outcome: BatchOutcome['outcome'], problem: Problem | null = null) => ({
      action,
      index,
      ref,
      outcome,
      problem,
    });
    if (action === 'add') {
      const problem = resourceProblem([input], states);
      if (problem) return outcomeOf('failed', problem);
      if (membersByKey.has(key) || toAdd.has(key)) return outcomeOf('already_member');
      toAdd.set(key, ref);
      return outcomeOf('added');
    }
    if (!membersByKey.has(key)) {
      return outcomeOf('failed', memberNotFound(collectionId, ref.resource_id));
    }
    toRemove.set(key, ref);
    return outcomeOf('removed');
  });
  const removed = await deleteMembers(tx, origin, collection, [...toRemove.values()]);
  const visibleRemoved = removed.filter(({ hidden }) => !hidden).length;
  const afterRemoval = { ...collection, memberCount: collection.memberCount - visibleRemoved };
  await insertMembers(tx, origin, afterRemoval, [...toAdd.values()]);
  if (toAdd.size + toRemove.size === 0) return { collection, outcomes };
  updateMemberCount(tx, collection, toAdd.size - visibleRemoved);
  const updated = {
    ...afterRemoval,
    memberCount: afterRemoval.memberCount + toAdd.size,
    version: collection.version + 1,
  };
  return { collection: updated, outcomes };
}

function inputsOf(action: BatchInput['action'], refs: readonly MemberRef[]): BatchInput[] {
  return refs.map((ref, index) => ({
    action,
    index,
    ref,
    pointer: `/${action}/${index}/resource_id`,
  }));
}

function missingMembersProblem(missing: readonly BatchInput[]): Problem | null {
  const faults = missing.map(({ ref, pointer }): Fault => {
    const detail = `'${ref.resource_id}' is not a member.`;
    return { pointer, code: 'member_not_found', detail };
  });
  return faults.length > 0 ? problemFromFaults('reference_not_found', faults) : null;
}

function checkBatch({ add, remove }: MemberBatch): void {
  const max = limits.members_per_batch;
  if (add.length + remove.length > max) {
    const detail = `A batch can have at most ${pluralise(max, 'member')}; this one has ${(add.length + remove.length).toLocaleString('en')}.`;
    throw validationFailed([{ pointer: '', code: 'too_many', detail }]);
  }
  const added = new Set(add.map(memberKey));
  const faults = remove.flatMap((ref, at): Fault[] =>
    added.has(memberKey(ref))
      ? [
          {
            pointer: `/remove/${at}`,
            code: 'conflicting_member',
            detail: 'The same member cannot be both added and removed.',
          },
        ]
      : [],
  );
  if (faults.length > 0) throw validationFailed(faults);
}
