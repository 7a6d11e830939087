import { MemberList, MemberQuery } from '@scriptorium/contracts/wire/library/collections';
import { findCollection } from '../../../library/collections/load.ts';
import { listPlaced } from '../../../library/collections/members/placed.ts';
import { withResources } from '../../../library/collections/members/resources.ts';
import { countMembers } from '../../../library/collections/smart.ts';
import { requireAlso } from '../../frame/admit.ts';
import { route } from '../../frame/route.ts';
import { page, readCursor } from '../../requests/cursor.ts';

export const listCollectionMembers = route({
  method: 'GET',
  path: '/v1/collections/{id}/members',
  operationId: 'listCollectionMembers',
  tag: 'Collections',
  summary: 'List the members of a collection in order.',
  description:
    'A manual collection has its own order. A smart collection contains the images that currently match its query, in the order of the search. Members in the trash are left out.',
  scopes: ['collections:read'],
  work: 'search',
  params: { id: 'collection' },
  query: MemberQuery,
  responses: { 200: MemberList },
  problems: ['cursor_expired'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, key, query, resource: collection } = call;
    const shown = query.include?.includes('resource') ?? false;
    if (shown) requireAlso(key, 'include=resource', ['images:read', 'objects:read']);
    const placed = await listPlaced(tx, collection, readCursor(call), query.limit + 1);
    const members = placed.map(({ member }) => member);
    const listed = shown ? await withResources(tx, key.projectId, members) : members;
    const rows = placed.map(({ position }, at) => ({ member: listed[at]!, position }));
    return page(call, rows, {
      present: ({ member }) => member,
      position: ({ position }) => position,
      count: () => countMembers(tx, collection),
    });
  },
});
