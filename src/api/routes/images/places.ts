import { ImagePlaces, PlacesQuery } from '@scriptorium/contracts/wire/library/places';
import { bboxFault, clusterPlaces, readBbox } from '../../../library/images/places.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { rejectFilters } from '../../requests/filters.ts';

export const listPlaces = route({
  method: 'GET',
  path: '/v1/images/places',
  operationId: 'listImagePlaces',
  tag: 'Images',
  summary: 'Count the images by where they were taken.',
  description:
    'For maps: images outside the trash whose file says where they were taken, counted in the cells of a grid. The `bbox` of a place is a filter of `GET /v1/images` and `GET /v1/objects` that finds its images.',
  scopes: ['images:read'],
  work: 'search',
  query: PlacesQuery,
  responses: { 200: ImagePlaces },
  handler: async ({ tx, key, query }) => {
    const { bbox, zoom } = query;
    if (bbox !== undefined && !readBbox(bbox)) rejectFilters([{ field: 'bbox', ...bboxFault }]);
    return ok(await clusterPlaces(tx, key.projectId, { bbox, zoom }));
  },
});
