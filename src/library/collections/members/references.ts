import { isId } from '@scriptorium/contracts/ids';
import { type Fault, Problem, summariseFaults } from '@scriptorium/contracts/problems';
import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { ObjectState } from '../../../entities/library/stored-object.ts';

/** A reference to a member from its two parts; null if the identifier is of another type. */
export function parseMemberRef(type: string, id: string): MemberRef | null {
  if (type === 'image' && isId(type, id)) return { resource_type: type, resource_id: id };
  if (type === 'object' && isId(type, id)) return { resource_type: type, resource_id: id };
  return null;
}

/** The key of a member in maps. */
export function memberKey(ref: MemberRef): string {
  return `${ref.resource_type} ${ref.resource_id}`;
}

/** The state of each resource that a body names; resources that do not exist are missing. */
type ResourceStates = ReadonlyMap<string, ObjectState>;

/**
 * Locks the objects of resources in share mode until the transaction ends, in the order of
 * identifiers, so that none is trashed while it becomes a member or a cover.
 */
export async function lockResources(
  tx: Tx,
  projectId: string,
  refs: readonly MemberRef[],
): Promise<ResourceStates> {
  const idsOf = (type: MemberRef['resource_type']): string[] =>
    refs.filter((ref) => ref.resource_type === type).map((ref) => ref.resource_id);
  const imageIds = idsOf('image');
  const objectIds = idsOf('object');
  if (imageIds.length + objectIds.length === 0) return new Map();
  const images =
    imageIds.length === 0
      ? []
      : await prepared<{ id: string; objectId: string }>(
          tx,
          `SELECT id, object_id AS "objectId" FROM image WHERE project_id = $1 AND id = ANY($2)`,
          [projectId, imageIds],
        );
  const objects = await prepared<{ id: string; state: ObjectState }>(
    tx,
    'SELECT id, state FROM object WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR SHARE',
    [projectId, [...objectIds, ...images.map(({ objectId }) => objectId)]],
  );
  const statesById = new Map(objects.map(({ id, state }) => [id, state]));
  const states = new Map<string, ObjectState>();
  for (const id of objectIds) {
    const state = statesById.get(id);
    if (state) states.set(memberKey({ resource_type: 'object', resource_id: id }), state);
  }
  for (const { id, objectId } of images) {
    const state = statesById.get(objectId);
    if (state) states.set(memberKey({ resource_type: 'image', resource_id: id }), state);
  }
  return states;
}

/** A resource that a body refers to, and its pointer. */
export interface ResourceReference {
  ref: MemberRef;
  pointer: string;
}

/**
 * The problem of resources that cannot be members or covers: it lists those that do not exist or,
 * if all exist, those in the trash. Null if every reference is valid.
 */
export function resourceProblem(
  references: readonly ResourceReference[],
  states: ResourceStates,
): Problem | null {
  const faultsOf = (
    code: 'reference_not_found' | 'state_conflict',
    isFault: (state: ObjectState | undefined) => boolean,
    detail: (id: string) => string,
  ): Fault[] =>
    references
      .filter(({ ref }) => isFault(states.get(memberKey(ref))))
      .map(({ ref, pointer }) => ({ pointer, code, detail: detail(ref.resource_id) }));
  const missing = faultsOf(
    'reference_not_found',
    (state) => state === undefined,
    (id) => `'${id}' does not exist.`,
  );
  if (missing.length > 0) return problemFromFaults('reference_not_found', missing);
  const trashed = faultsOf(
    'state_conflict',
    (state) => state === 'trashed',
    (id) => `'${id}' is in the trash. Restore it first.`,
  );
  return trashed.length > 0 ? problemFromFaults('state_conflict', trashed) : null;
}

/** Returns one problem for faults of the same kind. */
export function problemFromFaults(
  code: 'reference_not_found' | 'state_conflict',
  faults: Fault[],
): Problem {
  return new Problem(code, summariseFaults(faults), { errors: faults });
}
