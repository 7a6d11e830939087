import { jobStates } from '@scriptorium/contracts/jobs';
import { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { commaList, listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import { countJobs, listJobs } from '../../../jobs/reading/jobs.ts';
import { findObject, requireAvailable } from '../../../library/objects/load.ts';
import { route } from '../../frame/route.ts';
import { page, pageStart } from '../../requests/cursor.ts';
import { readerOf } from '../jobs/start.ts';

export const listObjectJobs = route({
  method: 'GET',
  path: '/v1/objects/{id}/jobs',
  operationId: 'listObjectJobs',
  tag: 'Objects',
  summary: 'List the jobs of an object, newest first.',
  scopes: ['objects:read', 'documents:read'],
  params: { id: 'object' },
  query: strictObject({
    ...listQuery(),
    state: Type.Optional(commaList(Type.Enum([...jobStates]))),
  }),
  responses: { 200: listSchema(JobRecord) },
  problems: ['state_conflict'],
  load: (call) => findObject(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, key, query, resource: object } = call;
    requireAvailable(object);
    const filters = { state: query.state, sourceObjectId: object.id };
    const rows = await listJobs(tx, key.projectId, filters, {
      sort: '-created_at',
      ...pageStart(call),
      reader: readerOf(call),
    });
    return page(call, rows, {
      present: ({ row }) => row,
      position: ({ position }) => position,
      count: () => countJobs(tx, key.projectId, filters),
    });
  },
});
