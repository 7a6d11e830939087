import { ImagePlaces, PlacesQuery } from '@scriptorium/contracts/wire/library/places';
import { bboxFault, clusterPlaces, parseBbox } from '../../../library/images/places.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { rejectFilterFaults } from '../../requests/filters.ts';

export const listPlaces = route({
  method: 'GET',
  path: '/v1/images/places',
  operationId: 'listImagePlaces',
  tag: 'Images',
  summary: 'Count images by location.',
  description:
    'For maps: counts the images that are not in the trash and have a location, by the cells of a grid. The `bbox` of a place is a filter of `GET /v1/images` and `GET /v1/objects` that finds its images.',
  scopes: ['images:read'],
  work: 'search',
  query: PlacesQuery,
  responses: { 200: ImagePlaces },
  handler: async ({ tx, key, query }) => {
    const { bbox, zoom } = query;
    if (bbox !== undefined && !parseBbox(bbox))
      rejectFilterFaults([{ field: 'bbox', ...bboxFault }]);
    return ok(await clusterPlaces(tx, key.projectId, { bbox, zoom }));
  },
});
