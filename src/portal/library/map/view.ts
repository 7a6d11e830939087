/** What is shown of the world: its middle in degrees, and how often its width fits the frame. */
export interface MapView {
  longitude: number;
  latitude: number;
  zoom: number;
}

export const wholeWorld: MapView = { longitude: 0, latitude: 15, zoom: 1 };
const mostZoomed = 512;

const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** A view that stays on the world. */
export function within({ longitude, latitude, zoom }: MapView): MapView {
  const near = between(1, zoom, mostZoomed);
  const [wide, tall] = [180 / near, 90 / near];
  return {
    zoom: near,
    longitude: between(-180 + wide, longitude, 180 - wide),
    latitude: between(-90 + tall, latitude, 90 - tall),
  };
}

/** The view as the box of an SVG of 3600 by 1800. */
export function boxOf({ longitude, latitude, zoom }: MapView): string {
  const [width, height] = [3600 / zoom, 1800 / zoom];
  const [x, y] = [(longitude + 180) * 10 - width / 2, (90 - latitude) * 10 - height / 2];
  return [x, y, width, height].map((value) => value.toFixed(3)).join(' ');
}

/** Where a place is in the view, as parts of its width and height; outside of 0 to 1 if it is not. */
export function placeIn(
  view: MapView,
  place: { longitude: number; latitude: number },
): { x: number; y: number } {
  return {
    x: ((place.longitude - view.longitude) / 360) * view.zoom + 0.5,
    y: ((view.latitude - place.latitude) / 180) * view.zoom + 0.5,
  };
}

/** How finely the API tells places apart in a view: cells of about a twelfth of its width. */
export const gridOf = ({ zoom }: MapView): number => between(0, Math.round(Math.log2(zoom)), 12);

/** The view of a box: west, south, east, north. */
export function viewOf([west = 0, south = 0, east = 0, north = 0]: readonly number[]): MapView {
  const zoom =
    0.7 * Math.min(360 / Math.max(0.3, east - west), 180 / Math.max(0.15, north - south));
  return within({ longitude: (west + east) / 2, latitude: (south + north) / 2, zoom });
}

/** A box as the filter takes it: places have seven decimals. */
export const bboxOf = (box: readonly number[]): string =>
  box.map((value) => value.toFixed(7)).join(',');

/** A place in words, such as 51.5° N, 0.1° W. */
export function sayPlace({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const north = `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${north}, ${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? 'W' : 'E'}`;
}
