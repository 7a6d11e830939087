/**
 * The visible part of the world: its centre in degrees, and its zoom, which is the width of the
 * world divided by that of the view.
 */
export interface MapView {
  longitude: number;
  latitude: number;
  zoom: number;
}

export const wholeWorld: MapView = { longitude: 0, latitude: 15, zoom: 1 };
const maxZoom = 512;

const clamp = (min: number, value: number, max: number): number =>
  Math.min(max, Math.max(min, value));

/** Returns a view that stays within the world. */
export function clampView({ longitude, latitude, zoom }: MapView): MapView {
  const clampedZoom = clamp(1, zoom, maxZoom);
  const [halfWidth, halfHeight] = [180 / clampedZoom, 90 / clampedZoom];
  return {
    zoom: clampedZoom,
    longitude: clamp(-180 + halfWidth, longitude, 180 - halfWidth),
    latitude: clamp(-90 + halfHeight, latitude, 90 - halfHeight),
  };
}

/** Returns the view as the box of an SVG of 3600 by 1800. */
export function viewBoxOf({ longitude, latitude, zoom }: MapView): string {
  const [width, height] = [3600 / zoom, 1800 / zoom];
  const [x, y] = [(longitude + 180) * 10 - width / 2, (90 - latitude) * 10 - height / 2];
  return [x, y, width, height].map((value) => value.toFixed(3)).join(' ');
}

/**
 * Returns the position of a place in the view, as a share of its width and height; outside 0 to 1
 * if it is not visible.
 */
export function positionInView(
  view: MapView,
  place: { longitude: number; latitude: number },
): { x: number; y: number } {
  return {
    x: ((place.longitude - view.longitude) / 360) * view.zoom + 0.5,
    y: ((view.latitude - place.latitude) / 180) * view.zoom + 0.5,
  };
}

/**
 * Returns the resolution at which the API groups places in a view: cells of about a twelfth of its
 * width.
 */
export const gridZoomOf = ({ zoom }: MapView): number => clamp(0, Math.round(Math.log2(zoom)), 12);

/** A group of images counted by the API, as it is drawn. */
export interface Cluster {
  count: number;
  latitude: number;
  longitude: number;
  /** West, south, east and north. */
  bbox: readonly number[];
}

/** Merges clusters that would overlap. `minDistance` is a fraction of the width of the view. */
export function mergeClusters(
  view: MapView,
  places: readonly Cluster[],
  minDistance: number,
): Cluster[] {
  const clusters: Cluster[] = [];
  // The API lists those with the most images first.
  for (const place of places) {
    const at = positionInView(view, place);
    const nearIndex = clusters.findIndex((other) => {
      const otherPosition = positionInView(view, other);
      // The view is twice as wide as tall.
      return Math.hypot(otherPosition.x - at.x, (otherPosition.y - at.y) / 2) < minDistance;
    });
    const other = clusters[nearIndex];
    if (other) clusters[nearIndex] = mergePair(other, place);
    else clusters.push(place);
  }
  return clusters;
}

function mergePair(a: Cluster, b: Cluster): Cluster {
  const count = a.count + b.count;
  const mean = (coordinateOf: (cluster: Cluster) => number): number =>
    (coordinateOf(a) * a.count + coordinateOf(b) * b.count) / count;
  const [west = 0, south = 0, east = 0, north = 0] = a.bbox;
  const [west2 = 0, south2 = 0, east2 = 0, north2 = 0] = b.bbox;
  return {
    count,
    latitude: mean(({ latitude }) => latitude),
    longitude: mean(({ longitude }) => longitude),
    bbox: [
      Math.min(west, west2),
      Math.min(south, south2),
      Math.max(east, east2),
      Math.max(north, north2),
    ],
  };
}

/**
 * Returns a view with another zoom that keeps a point of the view, given as fractions of its width
 * and height, in place.
 */
export function zoomView(view: MapView, factor: number, { x, y } = { x: 0.5, y: 0.5 }): MapView {
  const zoom = clamp(1, view.zoom * factor, maxZoom);
  const shift = 1 / view.zoom - 1 / zoom;
  return clampView({
    zoom,
    longitude: view.longitude + (x - 0.5) * 360 * shift,
    latitude: view.latitude - (y - 0.5) * 180 * shift,
  });
}

/** Returns a box as a value of the `bbox` filter, with the seven decimals of places. */
export const bboxOf = (box: readonly number[]): string =>
  box.map((value) => value.toFixed(7)).join(',');
