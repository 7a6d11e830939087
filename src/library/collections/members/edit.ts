import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { type Fault, invalid, type Problem } from '@scriptorium/contracts/problems';
import type { MemberBatch, MemberRef } from '@scriptorium/contracts/wire/library/collections';
import type { Tx } from '../../../db/transaction.ts';
import { lockCollection, type PlacedCollection, type Recheck } from '../load.ts';
import { deleteMembers, insertMembers, noteMembersChanged } from './change.ts';
import { findMembers, type Member, memberNotFound, requireManual } from './load.ts';
import {
  lockResources,
  memberKey,
  type NamedResource,
  problemOf,
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
  const present = (await findMembers(tx, collection, [ref])).get(memberKey(ref));
  if (present) return { member: present, added: false };
  const [member] = await insertMembers(tx, origin, collection, [ref]);
  noteMembersChanged(tx, collection, 1);
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
  noteMembersChanged(tx, collection, removed.hidden ? 0 : -1);
}

/** The outcome for one input of a batch. */
interface BatchOutcome {
  action: 'add' | 'remove';
  index: number;
  ref: MemberRef;
  outcome: 'added' | 'already_member' | 'removed' | 'failed';
  problem: Problem | null;
}

interface Input extends NamedResource {
  action: 'add' | 'remove';
  index: number;
}

/**
 * Adds and removes members: with `abort` all or none, with `continue` each one that is possible. An
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
): Promise<{ collection: PlacedCollection; outcomes: BatchOutcome[] }> {
  rejectContradictions(batch);
  const adds = inputsOf('add', batch.add);
  const removes = inputsOf('remove', batch.remove);
  const states = await lockResources(tx, origin.projectId, batch.add);
  const collection = await lockCollection(tx, origin.projectId, collectionId, recheck);
  requireManual(collection);
  const present = await findMembers(tx, collection, [...batch.add, ...batch.remove]);

  const absent = removes.filter(({ ref }) => !present.has(memberKey(ref)));
  if (batch.on_error === 'abort') {
    const problem = resourceProblem(adds, states) ?? absentProblem(absent);
    if (problem) throw problem;
  }
  const fresh = new Map<string, MemberRef>();
  const gone = new Map<string, MemberRef>();
  const outcomes = [...adds, ...removes].map((input): BatchOutcome => {
    const { action, index, ref } = input;
    const key = memberKey(ref);
    const done = (outcome: BatchOutcome['outcome'], problem: Problem | null = null) => ({
      ...{ action, index, ref, outcome, problem },
    });
    if (action === 'add') {
      const problem = resourceProblem([input], states);
      if (problem) return done('failed', problem);
      if (present.has(key) || fresh.has(key)) return done('already_member');
      fresh.set(key, ref);
      return done('added');
    }
    if (!present.has(key)) {
      return done('failed', memberNotFound(collectionId, ref.resource_id));
    }
    gone.set(key, ref);
    return done('removed');
  });
  const removed = await deleteMembers(tx, origin, collection, [...gone.values()]);
  const visible = removed.filter(({ hidden }) => !hidden).length;
  const lessened = { ...collection, memberCount: collection.memberCount - visible };
  await insertMembers(tx, origin, lessened, [...fresh.values()]);
  if (fresh.size + gone.size === 0) return { collection, outcomes };
  noteMembersChanged(tx, collection, fresh.size - visible);
  const after = {
    ...lessened,
    memberCount: lessened.memberCount + fresh.size,
    version: collection.version + 1,
  };
  return { collection: after, outcomes };
}

function inputsOf(action: Input['action'], refs: readonly MemberRef[]): Input[] {
  return refs.map((ref, index) => ({
    ...{ action, index, ref },
    pointer: `/${action}/${index}/resource_id`,
  }));
}

function absentProblem(absent: readonly Input[]): Problem | null {
  const faults = absent.map(({ ref, pointer }): Fault => {
    const detail = `'${ref.resource_id}' is not a member.`;
    return { pointer, code: 'member_not_found', detail };
  });
  return faults.length > 0 ? problemOf('reference_not_found', faults) : null;
}

function rejectContradictions({ add, remove }: MemberBatch): void {
  const max = limits.members_per_batch;
  if (add.length + remove.length > max) {
    const detail = `A batch may have at most ${pluralise(max, 'member')}; this one has ${(add.length + remove.length).toLocaleString('en')}.`;
    throw invalid([{ pointer: '', code: 'too_many', detail }]);
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
  if (faults.length > 0) throw invalid(faults);
}
