import { useEffect, useState } from 'preact/hooks';
import { loadScript } from '../../api/load-script.ts';
import { formatPlace, nearestCity, type Place, parseCities } from './nearest-city.ts';

type NamePlace = (place: Place) => string | null;

let names: Promise<NamePlace> | undefined;

/** Loads the list of cities once, on first use: it is larger than all that shows a place. */
function loadNames(): Promise<NamePlace> {
  names ??= loadScript(() => import('virtual:cities')).then(({ default: lines }) => {
    const cities = parseCities(lines);
    return (place) => nearestCity(cities, place);
  });
  return names;
}

/** Returns a function that names places: “Hobart”, or the coordinates until names are loaded. */
export function usePlaceNames(isNeeded: boolean): (place: Place) => string {
  const [namePlace, setNamePlace] = useState<NamePlace | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    loadNames().then(
      (loaded) => isCurrent && setNamePlace(() => loaded),
      // The coordinates stay.
      () => {
        names = undefined;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded]);
  return (place) => namePlace?.(place) ?? formatPlace(place);
}
