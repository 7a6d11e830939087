import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { requestFor, send } from '../../../api/request.ts';
import { retryWhileBusy, splitIntoBatches } from '../../browse/bulk/run.ts';
import { batchSize } from '../../browse/list/requests.ts';

/** Adds and removes as many members as possible. The response lists the failures. */
export const changeMembers = (id: string, changes: { add?: MemberRef[]; remove?: MemberRef[] }) =>
  requestFor('changeCollectionMembers', { id, body: { ...changes, on_error: 'continue' } });

/** Returns an image or object as a member. */
export const memberRefOf = (id: string): MemberRef => ({
  resource_type: id.startsWith('img_') ? 'image' : 'object',
  resource_id: id,
});

/** Removes any number of members. @returns the ids of those removed @throws ApiProblem */
export async function removeMembers(id: string, members: readonly string[]): Promise<string[]> {
  const removedIds: string[] = [];
  for (const batch of splitIntoBatches(members, batchSize)) {
    const { data } = await retryWhileBusy(() =>
      send(changeMembers(id, { remove: batch.map(memberRefOf) })),
    );
    for (const { resource_id: member, outcome } of data.results) {
      if (outcome === 'removed') removedIds.push(member);
    }
  }
  return removedIds;
}

/** Adds any number of members at the end. @throws ApiProblem */
export async function addMembers(id: string, members: readonly string[]): Promise<void> {
  for (const batch of splitIntoBatches(members, batchSize)) {
    await retryWhileBusy(() => send(changeMembers(id, { add: batch.map(memberRefOf) })));
  }
}
