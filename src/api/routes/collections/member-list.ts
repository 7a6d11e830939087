import { MemberList, MemberQuery } from '@scriptorium/contracts/wire/library/collections';
import { findCollection } from '../../../library/collections/load.ts';
import { listPositionedMembers } from '../../../library/collections/members/placed.ts';
import { withResources } from '../../../library/collections/members/resources.ts';
import { countMembers } from '../../../library/collections/smart.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { route } from '../../frame/route.ts';
import { page, readCursor } from '../../requests/cursor.ts';

export const listCollectionMembers = route({
  method: 'GET',
  path: '/v1/collections/{id}/members',
  operationId: 'listCollectionMembers',
  tag: 'Collections',
  summary: 'List the members of a collection in order.',
  description:
    'The members of a manual collection have a stored order. A smart collection contains the images that currently match its query, in the order of the search. Members in the trash are omitted.',
  scopes: ['collections:read'],
  work: 'search',
  params: { id: 'collection' },
  query: MemberQuery,
  responses: { 200: MemberList },
  problems: ['cursor_expired'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, key, query, resource: collection } = call;
    const withResource = query.include?.includes('resource') ?? false;
    if (withResource)
      requireAdditionalScopes(key, 'include=resource', ['images:read', 'objects:read']);
    const placed = await listPositionedMembers(tx, collection, readCursor(call), query.limit + 1);
    const members = placed.map(({ member }) => member);
    const presented = withResource ? await withResources(tx, key.projectId, members) : members;
    const rows = placed.map(({ position }, at) => ({ member: presented[at]!, position }));
    return page(call, rows, {
      present: ({ member }) => member,
      position: ({ position }) => position,
      count: () => countMembers(tx, collection),
    });
  },
});
