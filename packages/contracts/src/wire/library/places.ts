import { type Static, Type } from 'typebox';
import { Id } from '../common.ts';
import { strictObject } from '../shapes.ts';

const degrees = '-?[0-9]{1,3}(?:\\.[0-9]{1,20})?';
export const bboxPattern = `^${degrees}(?:,${degrees}){3}$`;

/** An area of the world as a filter. */
export const bboxFilter = (suffix = '') =>
  Type.String({
    pattern: bboxPattern,
    maxLength: 120,
    description: `Only images taken in this part of the world: \`west,south,east,north\` in degrees (WGS 84). West may be greater than east, across the 180th meridian.${suffix}`,
  });

/** The finest grid has cells of 0.01 degrees, about a kilometre. */
export const maxZoom = 12;

export const PlacesQuery = strictObject({
  bbox: Type.Optional(bboxFilter()),
  zoom: Type.Integer({
    minimum: 0,
    maximum: maxZoom,
    default: 0,
    description:
      'The size of the grid cells in which images are counted together: 30 degrees wide at 0, and half as wide with each further step. Default: 0.',
  }),
});

const ImagePlace = strictObject(
  {
    latitude: Type.Number({ description: 'The mean of its images.' }),
    longitude: Type.Number({ description: 'The mean of its images.' }),
    bbox: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'West, south, east and north of its images, in the format of the filter `bbox`.',
    }),
    count: Type.Integer({ minimum: 1 }),
    image_id: Id('image'),
  },
  { title: 'ImagePlace' },
);

export const ImagePlaces = strictObject(
  {
    places: Type.Array(ImagePlace, {
      description: 'The 1,000 places with the most images, most first.',
    }),
    total: Type.Integer({
      minimum: 0,
      description: 'The number of images with a location, in all cells.',
    }),
  },
  { title: 'ImagePlaces' },
);
export type ImagePlaces = Static<typeof ImagePlaces>;
