import { expect } from 'chai';
import sharp from 'sharp';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { quarteredPicture } from '../../support/pictures.ts';
import {
  countOpenFiles,
  hashOf,
  postRaw,
  type RawResponse,
  sendRaw,
} from '../../support/uploads.ts';

describe('image renditions', () => {
  let api: TestApi;
  let worker: TestImaging;
  let id: string;
  let path: string;
  before(async () => {
    api = await startApi();
    worker = await openImaging(api);
    id = await upload(await quarteredPicture(800, 500).jpeg().toBuffer(), 'picture.jpg');
    path = `/v1/images/${id}/renditions`;
    await worker.run();
  });
  after(async () => {
    await worker.close();
    await api.close();
  });

  const upload = async (bytes: Buffer, filename: string): Promise<string> => {
    const { json } = await postRaw(api, bytes, filename);
    const [image] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [
      json.id,
    ]);
    return image!.id;
  };
  const get = (headers: Record<string, string> = {}, name = 'w320', method = 'GET') =>
    sendRaw(api, method, `${path}/${name}`, headers);
  const problem = ({ body }: RawResponse) => JSON.parse(body.toString());

  for (const [name, width] of [
    ['thumb', 160],
    ['w320', 320],
    ['w640', 640],
    ['w1280', 800],
  ] as const) {
    it(`are ${width} wide for ${name}`, async () => {
      const { status, headers, body } = await get({}, name);
      expect(status).to.equal(200);
      expect((await sharp(body).metadata()).width).to.equal(width);
      expect(headers).to.include({
        'content-type': 'image/webp',
        'content-length': String(body.length),
        'content-disposition': 'inline',
        'x-content-type-options': 'nosniff',
        'content-security-policy': `default-src 'none'; sandbox`,
        'cache-control': 'private, max-age=300',
        etag: `"${hashOf(body)}"`,
      });
      // The portal's sessions are cookies: what one may see is not shown to the next.
      expect(headers.vary?.split(', ')).to.include.members(['Accept', 'Authorization', 'Cookie']);
    });
  }

  for (const [accept, mime] of [
    [undefined, 'image/webp'],
    ['*/*', 'image/webp'],
    ['image/*', 'image/webp'],
    ['image/avif', 'image/avif'],
    ['image/webp', 'image/webp'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/avif'],
    ['image/avif;q=0.5, image/webp;q=0.9', 'image/webp'],
    ['image/webp;q=0.5, image/avif', 'image/avif'],
    ['image/webp;q=0, */*', 'image/avif'],
    ['text/html, image/avif;q=0.1', 'image/avif'],
  ] as const) {
    it(`are ${mime} for Accept: ${accept ?? 'nothing'}`, async () => {
      const { status, headers, body } = await get(accept === undefined ? {} : { accept });
      expect([status, headers['content-type']]).to.deep.equal([200, mime]);
      const { format } = await sharp(body).metadata();
      expect(format).to.equal(mime === 'image/webp' ? 'webp' : 'heif');
    });
  }

  for (const accept of ['text/html', 'image/png', 'image/webp;q=0, image/avif;q=0', '*/*;q=0']) {
    it(`return 406 for Accept: ${accept}`, async () => {
      const answer = await get({ accept });
      const { code, detail } = problem(answer);
      expect([answer.status, code]).to.deep.equal([406, 'not_acceptable']);
      expect(detail).to.include('image/webp or image/avif');
    });
  }

  it('return 304 if current, and ranges on request', async () => {
    const whole = await get();
    const etag = whole.headers.etag!;
    const again = await get({ 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers.etag]).to.deep.equal([304, 0, etag]);
    expect(again.headers.vary).to.include('Accept');
    const other = await get({ 'if-none-match': etag, accept: 'image/avif' });
    expect(other.status).to.equal(200);
    const part = await get({ range: 'bytes=10-19' });
    expect(part.status).to.equal(206);
    expect(part.body.equals(whole.body.subarray(10, 20))).to.equal(true);
    const head = await get({}, 'w320', 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).to.deep.equal([
      200,
      String(whole.body.length),
      0,
    ]);
    await eventually(async () => (await countOpenFiles(api)) === 0);
  });

  it('do not count as reads', async () => {
    // `r` is the number of remaining requests; `t`, the seconds until it is full, may have passed.
    const remaining = async () => /;r=\d+/.exec(String((await get()).headers.ratelimit))?.[0];
    const first = await remaining();
    expect(first).to.be.a('string');
    expect(await remaining()).to.equal(first);
  });

  it('return 409 with Retry-After while they are being created', async () => {
    const waiting = await upload(await quarteredPicture(10, 10).png().toBuffer(), 'waiting.png');
    const answer = await api.call('GET', `/v1/images/${waiting}/renditions/thumb`);
    expect([answer.status, answer.json.code, answer.json.retryable]).to.deep.equal([
      409,
      'state_conflict',
      true,
    ]);
    expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    await worker.run();
    expect((await api.call('GET', `/v1/images/${waiting}/renditions/thumb`)).status).to.equal(200);
  });

  it('return 409 with the reason if the image cannot be read', async () => {
    const whole = await quarteredPicture(300, 300).jpeg().toBuffer();
    const broken = await upload(whole.subarray(0, whole.length / 2), 'broken.jpg');
    await worker.run();
    const answer = await api.call('GET', `/v1/images/${broken}/renditions/thumb`);
    expect([answer.status, answer.json.code, answer.json.retryable]).to.deep.equal([
      409,
      'state_conflict',
      false,
    ]);
    expect(answer.json.detail).to.include('damaged');
    expect(answer.headers.get('retry-after')).to.equal(null);
  });

  it('return 409 in the trash', async () => {
    const trashed = await upload(await quarteredPicture(12, 10).png().toBuffer(), 'trashed.png');
    await worker.run();
    await api.call('DELETE', `/v1/images/${trashed}`);
    const answer = await api.call('GET', `/v1/images/${trashed}/renditions/thumb`);
    expect([answer.status, answer.json.retryable]).to.deep.equal([409, false]);
    expect(answer.json.detail).to.include('trash');
  });

  it('return 404 for an unknown name and for a missing image', async () => {
    for (const [where, detail] of [
      [`${path}/w9999`, 'w9999'],
      [`${path}/..%2fcontent`, 'content'],
      [`/v1/images/img_01m7gtek0sx6hv4x5fqk2v9d3e/renditions/thumb`, 'was not found'],
    ] as const) {
      const answer = await api.call('GET', where);
      expect([answer.status, answer.json.code]).to.deep.equal([404, 'not_found']);
      expect(answer.json.detail).to.include(detail);
    }
  });

  it('require images:read', async () => {
    const key = await api.issue(['objects:read', 'objects:download']);
    const answer = await api.call('GET', `${path}/thumb`, key);
    expect([answer.status, answer.json.code]).to.deep.equal([403, 'insufficient_scope']);
  });
});
