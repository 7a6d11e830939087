import { type ImagePlaces, maxZoom } from '@scriptorium/contracts/wire/library/places';
import { sortInMemory } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';

/** A bounding box, in degrees. */
type Bbox = readonly [west: number, south: number, east: number, north: number];

const maxPlaces = 1_000;

/** Parses a `bbox` that matches the pattern; null if its coordinates are invalid. */
export function parseBbox(text: string): Bbox | null {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = text
    .split(',')
    .map(Number);
  const isValid = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90;
  return isValid && Math.abs(north) <= 90 && south <= north ? [west, south, east, north] : null;
}

/** The fault of a `bbox` with invalid coordinates. */
export const bboxFault = {
  code: 'not_a_place',
  detail:
    'Longitudes must be between -180 and 180, latitudes between -90 and 90, and south must be at most north.',
};

/** The condition of a `bbox` on a row of `image_place`; false if the `bbox` is invalid. */
export function bboxCondition(text: string, bind: (value: number) => string): string {
  const bbox = parseBbox(text);
  if (!bbox) return 'false';
  const [west, south, east, north] = bbox;
  const placeholder = (value: number): string => `${bind(value)}::double precision`;
  const longitude =
    west <= east
      ? `longitude BETWEEN ${placeholder(west)} AND ${placeholder(east)}`
      : `(longitude >= ${placeholder(west)} OR longitude <= ${placeholder(east)})`;
  return `${longitude} AND latitude BETWEEN ${placeholder(south)} AND ${placeholder(north)}`;
}

interface PlaceRow {
  count: number;
  latitude: number;
  longitude: number;
  west: number;
  south: number;
  east: number;
  north: number;
  image_id: string;
  total: number;
}

/** The places of images outside the trash, by the cells of a grid. */
export async function clusterPlaces(
  tx: Tx,
  projectId: string,
  { bbox, zoom }: { bbox: string | undefined; zoom: number },
): Promise<ImagePlaces> {
  const values: unknown[] = [projectId, 30 / 2 ** Math.min(zoom, maxZoom)];
  const bind = (value: number): string => `$${values.push(value)}`;
  const condition = bbox === undefined ? 'true' : bboxCondition(bbox, bind);
  sortInMemory(tx);
  const rows = await query<PlaceRow>(
    tx,
    `SELECT count(*)::integer AS count, avg(p.latitude) AS latitude, avg(p.longitude) AS longitude,
       min(p.longitude) AS west, min(p.latitude) AS south, max(p.longitude) AS east,
       max(p.latitude) AS north, max(p.image_id) AS image_id,
       (sum(count(*)) OVER ())::integer AS total
     FROM image_place p
     WHERE p.project_id = $1 AND ${condition}
       -- Reading the trash, which is small, is faster than reading all other objects.
       AND NOT EXISTS (SELECT FROM object o
         WHERE o.project_id = $1 AND o.id = p.object_id AND o.state = 'trashed')
     GROUP BY floor(p.longitude / $2::double precision), floor(p.latitude / $2::double precision)
     ORDER BY count(*) DESC, max(p.image_id) LIMIT ${maxPlaces}`,
    values,
  );
  return {
    places: rows.map(({ count, latitude, longitude, west, south, east, north, image_id }) => ({
      latitude,
      longitude,
      bbox: [west, south, east, north],
      count,
      image_id,
    })),
    total: rows[0]?.total ?? 0,
  };
}
