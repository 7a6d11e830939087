import { expect } from 'chai';
import {
  isLocal,
  middleOf,
  nearestCity,
  parseCities,
} from '../../../packages/portal/library/places/nearest-city.ts';

describe('the names of places', () => {
  const cities = parseCities(
    [
      'New York City|4071|-7401',
      'Hobart|-4288|14733',
      'Manhattan|4078|-7397',
      'Suva|-1814|17844',
    ].join('\n'),
  );
  const nameOf = (latitude: number, longitude: number) =>
    nearestCity(cities, { latitude, longitude });

  it('are those of the largest city at the place, or else of the nearest', () => {
    expect(nameOf(-42.9, 147.3)).to.equal('Hobart');
    expect(nameOf(40.785, -73.968)).to.equal('New York City');
    expect(nameOf(41.1, -73.9)).to.equal('Manhattan');
  });

  it('are missing where no city is within 100 km, and found across the 180th meridian', () => {
    expect(nameOf(-41.4, 147.1)).to.equal(null);
    expect(nameOf(0, 0)).to.equal(null);
    expect(
      nearestCity(parseCities('Edge|-1700|17990'), { latitude: -17, longitude: -179.9 }),
    ).to.equal('Edge');
  });

  it('stand for an area only if all of it is near its middle', () => {
    expect(isLocal([147.2, -43, 147.4, -42.8])).to.equal(true);
    expect(isLocal([9.9841, 52.5163, 13.4094, 53.5413])).to.equal(false);
    expect(middleOf([179, -1, -179, 1])).to.deep.equal({ latitude: 0, longitude: -180 });
  });
});
