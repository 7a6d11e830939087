import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { requestFor } from '../../../api/request.ts';

/** Adds and removes as many members as possible. The response lists the failures. */
export const changeMembers = (id: string, changes: { add?: MemberRef[]; remove?: MemberRef[] }) =>
  requestFor('changeCollectionMembers', { id, body: { ...changes, on_error: 'continue' } });

/** Returns an image or object as a member. */
export const memberRefOf = (id: string): MemberRef => ({
  resource_type: id.startsWith('img_') ? 'image' : 'object',
  resource_id: id,
});
