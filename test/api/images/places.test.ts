import type { ImagePlaces } from '@scriptorium/contracts/wire/library/places';
import { expect } from 'chai';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { addImages } from '../../support/library.ts';

describe('places of images', () => {
  let api: TestApi;
  let berlin: string[];
  let sydney: string;
  let suva: string;
  let nowhere: string;
  before(async () => {
    api = await startApi();
    berlin = await addImages(api, api, [
      { filename: 'gate.jpg', location: [52.5163, 13.3777] },
      { filename: 'tower.jpg', location: [52.5208, 13.4094] },
    ]);
    [sydney = '', suva = '', nowhere = ''] = await addImages(api, api, [
      { filename: 'opera.jpg', location: [-33.8568, 151.2153] },
      { filename: 'suva.jpg', location: [-18.1416, 178.4419] },
      { filename: 'nowhere.jpg' },
    ]);
  });
  after(() => api.close());

  const places = async (search: string, tenant: Tenant = api): Promise<ImagePlaces> => {
    const answer = await api.call('GET', `/v1/images/places?${search}`, tenant);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const images = async (bbox: string, more = ''): Promise<string[]> => {
    const answer = await api.call('GET', `/v1/images?bbox=${bbox}${more}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json.data.map(({ filename }: { filename: string }) => filename).toSorted();
  };
  const objects = async (bbox: string): Promise<string[]> => {
    const answer = await api.call('GET', `/v1/objects?bbox=${bbox}&include=total,facets`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json.total).to.equal(answer.json.data.length);
    return answer.json.data.map(({ filename }: { filename: string }) => filename).toSorted();
  };

  it('are counted in the cells of a grid, the most images first', async () => {
    const far = await places('zoom=0');
    expect(far.total).to.equal(4);
    expect(far.places.map(({ count }) => count)).to.deep.equal([2, 1, 1]);
    const [first] = far.places;
    expect(first!.latitude).to.be.closeTo(52.51855, 1e-6);
    expect(first!.bbox).to.deep.equal([13.3777, 52.5163, 13.4094, 52.5208]);
    expect(first!.image_id).to.be.oneOf(berlin);
    const near = await places('zoom=12');
    expect(near.places.map(({ count }) => count)).to.deep.equal([1, 1, 1, 1]);
  });

  it('are limited to a part of the world', async () => {
    const { places: found, total } = await places('zoom=3&bbox=100,-45,155,-10');
    expect(total).to.equal(1);
    expect(found[0]).to.include({ image_id: sydney, latitude: -33.8568, longitude: 151.2153 });
    expect(await places('bbox=0,0,1,1')).to.deep.equal({ places: [], total: 0 });
  });

  it('filter images and objects, edges included, also across the 180th meridian', async () => {
    const [first] = (await places('zoom=0')).places;
    const box = first!.bbox.join(',');
    expect(await images(box)).to.deep.equal(['gate.jpg', 'tower.jpg']);
    expect(await objects(box)).to.deep.equal(['gate.jpg', 'tower.jpg']);
    expect(await images('170,-40,-170,0')).to.deep.equal(['suva.jpg']);
    expect(await objects('150,-40,-170,0')).to.deep.equal(['opera.jpg', 'suva.jpg']);
    expect(await images('-180,-90,180,90')).to.have.length(4);
    expect(await images(box, '&include=facets&mime=image/jpeg')).to.have.length(2);
  });

  it('follow the image: read later, in the trash, purged', async () => {
    const trash = (id: string) => api.call('DELETE', `/v1/images/${id}`);
    await api.rows(`UPDATE image SET location = $2 WHERE id = $1`, [
      nowhere,
      { latitude: -18, longitude: 178, altitude_metres: null },
    ]);
    expect(await images('177,-19,179,-17')).to.deep.equal(['nowhere.jpg', 'suva.jpg']);
    await trash(suva);
    expect((await places('bbox=177,-19,179,-17')).total).to.equal(1);
    await api.call('POST', `/v1/images/${suva}/restore`);
    expect((await places('bbox=177,-19,179,-17')).total).to.equal(2);
    await api.rows(`UPDATE image SET location = NULL WHERE id = $1`, [nowhere]);
    expect(await images('177,-19,179,-17')).to.deep.equal(['suva.jpg']);
    await api.rows('DELETE FROM image WHERE id = $1', [suva]);
    expect(await images('177,-19,179,-17')).to.deep.equal([]);
    expect(await api.rows('SELECT FROM image_place WHERE image_id = $1', [suva])).to.have.length(0);
  });

  it('are those of the project only', async () => {
    expect(await places('', api.other)).to.deep.equal({ places: [], total: 0 });
    const answer = await api.call('GET', '/v1/objects?bbox=-180,-90,180,90', api.other);
    expect(answer.json.data).to.deep.equal([]);
  });

  it('cannot be found out without the right to read images', async () => {
    const reader = await api.issue(['objects:read']);
    const denied = await api.call('GET', '/v1/objects?bbox=0,0,1,1', reader);
    expect([denied.status, denied.json.code]).to.deep.equal([403, 'insufficient_scope']);
    const hidden = await api.call('GET', '/v1/images/places', reader);
    expect(hidden.status).to.equal(403);
  });

  for (const bbox of ['1,2,3', 'a,b,c,d', '-181,0,0,0', '0,-91,0,0', '0,10,1,9', '', '1,2,3,4,5']) {
    it(`return 400 for the part '${bbox}'`, async () => {
      for (const path of ['/v1/images', '/v1/objects', '/v1/images/places']) {
        const answer = await api.call('GET', `${path}?bbox=${bbox}`);
        expect(answer.status, path).to.equal(400);
        expect(answer.json.errors[0].parameter).to.equal('bbox');
      }
    });
  }
});
