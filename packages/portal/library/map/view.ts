/**
 * The visible part of the world: its centre in degrees, and its zoom, the number of times that its
 * width fits into the world's.
 */
export interface MapView {
  longitude: number;
  latitude: number;
  zoom: number;
}

export const wholeWorld: MapView = { longitude: 0, latitude: 15, zoom: 1 };
const maxZoomed = 512;

const between = (min: number, value: number, max: number): number =>
  Math.min(max, Math.max(min, value));

/** Returns a view that stays within the world. */
export function within({ longitude, latitude, zoom }: MapView): MapView {
  const near = between(1, zoom, maxZoomed);
  const [wide, tall] = [180 / near, 90 / near];
  return {
    zoom: near,
    longitude: between(-180 + wide, longitude, 180 - wide),
    latitude: between(-90 + tall, latitude, 90 - tall),
  };
}

/** Returns the view as the box of an SVG of 3600 by 1800. */
export function boxOf({ longitude, latitude, zoom }: MapView): string {
  const [width, height] = [3600 / zoom, 1800 / zoom];
  const [x, y] = [(longitude + 180) * 10 - width / 2, (90 - latitude) * 10 - height / 2];
  return [x, y, width, height].map((value) => value.toFixed(3)).join(' ');
}

/**
 * Returns the position of a place in the view, as a share of its width and height; outside 0 to 1
 * if it is not visible.
 */
export function placeIn(
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
export const gridOf = ({ zoom }: MapView): number => between(0, Math.round(Math.log2(zoom)), 12);

/** A group of images counted by the API, as it is drawn. */
export interface Cluster {
  count: number;
  latitude: number;
  longitude: number;
  /** West, south, east and north. */
  bbox: readonly number[];
}

/** Places that would overlap are drawn as one; `apart` is a fraction of the view's width. */
export function merged(view: MapView, places: readonly Cluster[], apart: number): Cluster[] {
  const found: Cluster[] = [];
  // The API lists those with the most images first.
  for (const place of places) {
    const at = placeIn(view, place);
    const near = found.findIndex((other) => {
      const there = placeIn(view, other);
      // The view is twice as wide as tall.
      return Math.hypot(there.x - at.x, (there.y - at.y) / 2) < apart;
    });
    const other = found[near];
    if (other) found[near] = joined(other, place);
    else found.push(place);
  }
  return found;
}

function joined(one: Cluster, other: Cluster): Cluster {
  const count = one.count + other.count;
  const mean = (of: (cluster: Cluster) => number): number =>
    (of(one) * one.count + of(other) * other.count) / count;
  const [west = 0, south = 0, east = 0, north = 0] = one.bbox;
  const [west2 = 0, south2 = 0, east2 = 0, north2 = 0] = other.bbox;
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
export function zoomed(view: MapView, factor: number, { x, y } = { x: 0.5, y: 0.5 }): MapView {
  const zoom = between(1, view.zoom * factor, maxZoomed);
  const shift = 1 / view.zoom - 1 / zoom;
  return within({
    zoom,
    longitude: view.longitude + (x - 0.5) * 360 * shift,
    latitude: view.latitude - (y - 0.5) * 180 * shift,
  });
}

/** Returns a box in the form of the filter: places have seven decimals. */
export const bboxOf = (box: readonly number[]): string =>
  box.map((value) => value.toFixed(7)).join(',');

/** Formats a place, such as 51.5° N, 0.1° W. */
export function formatPlace({
  latitude,
  longitude,
}: {
  latitude: number;
  longitude: number;
}): string {
  const north = `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${north}, ${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? 'W' : 'E'}`;
}
