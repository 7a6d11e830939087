/** A place, in degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

interface City extends Place {
  name: string;
}

/** Within this distance, in kilometres, the largest city is named rather than the nearest one. */
const cityRadius = 25;
/** A city farther away, in kilometres, does not say where a place is. */
const maxDistance = 100;

/** Parses the list of cities that the build provides. */
export function parseCities(lines: string): City[] {
  return lines.split('\n').map((line) => {
    const [name = '', latitude, longitude] = line.split('|');
    return { name, latitude: Number(latitude) / 100, longitude: Number(longitude) / 100 };
  });
}

/** Returns the name of the city at or near a place; null if all are farther than 100 km. */
export function nearestCity(cities: readonly City[], place: Place): string | null {
  let nearest: City | null = null;
  let distance = maxDistance;
  for (const city of cities) {
    const cityDistance = distanceBetween(city, place);
    // The largest cities come first.
    if (cityDistance <= cityRadius) return city.name;
    if (cityDistance > distance) continue;
    nearest = city;
    distance = cityDistance;
  }
  return nearest?.name ?? null;
}

const kilometresPerDegree = 111.2;

/** In kilometres; exact enough for distances up to a few hundred. */
function distanceBetween(a: Place, b: Place): number {
  const degrees = Math.abs(a.longitude - b.longitude);
  const longitude = Math.min(degrees, 360 - degrees) * Math.cos((b.latitude * Math.PI) / 180);
  return kilometresPerDegree * Math.hypot(a.latitude - b.latitude, longitude);
}

/** Formats a place, such as 51.5° N, 0.1° W. */
export function formatPlace({ latitude, longitude }: Place): string {
  const north = `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${north}, ${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? 'W' : 'E'}`;
}

/** West, south, east and north. */
export type Box = readonly number[];

/** Returns the middle of a box. One that crosses the 180th meridian has its west east of its east. */
export function middleOf([west = 0, south = 0, east = 0, north = 0]: Box): Place {
  const longitude =
    west <= east ? (west + east) / 2 : (((west + east + 360) / 2 + 180) % 360) - 180;
  return { latitude: (south + north) / 2, longitude };
}

/** Whether everything in a box is near its middle, so that one place names all. */
export function isLocal(box: Box): boolean {
  const [west = 0, south = 0] = box;
  return distanceBetween({ latitude: south, longitude: west }, middleOf(box)) <= maxDistance;
}
