import { expect } from 'chai';
import sharp from 'sharp';
import { startApi, type TestApi } from '../../support/api.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { addPolicy } from '../../support/policies.ts';
import {
  bornDigitalPdf,
  imageOf,
  multiPageTiff,
  pageHeight,
  pageWidth,
} from '../../support/samples.ts';
import { flagPicture, isFlag, pptx } from '../../support/slides.ts';
import { hashOf, postRaw, type RawResponse } from '../../support/uploads.ts';

describe('pictures of pages', () => {
  let api: TestApi;
  let worker: TestImaging;
  let pdf: string;
  before(async () => {
    api = await startApi();
    worker = await openImaging(api);
    pdf = await upload(await bornDigitalPdf([['First'], ['Second']]), 'two.pdf');
  });
  after(async () => {
    await worker.close();
    await api.close();
  });
  beforeEach(() => api.rows('DELETE FROM policy'));

  const upload = async (bytes: Buffer, filename: string): Promise<string> =>
    (await postRaw(api, bytes, filename)).json.id;
  const pathOf = (id: string, page: number | string, search: string) =>
    `/v1/objects/${id}/pages/${page}/image${search && `?${search}`}`;
  const get = (
    id: string,
    page: number | string,
    search = '',
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<RawResponse> => worker.sendAndProcess(method, pathOf(id, page, search), headers);
  /** Makes an object the verified redaction of another. */
  const serve = async (source: string, output: string): Promise<void> => {
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [output, source]);
    await api.rows(
      `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
       VALUES ($1, $2, $3, true, NULL, true)`,
      [api.projectId, output, source],
    );
  };
  const problem = ({ status, body }: RawResponse) => [status, JSON.parse(body.toString()).code];
  const pixel = async (body: Buffer, x: number, y: number): Promise<number[]> => {
    const { data, info } = await sharp(body).raw().toBuffer({ resolveWithObject: true });
    return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
  };
  /** A point of the page in pixels of its picture, 1,000 pixels wide. */
  const scaled = (x: number, y: number): [number, number] => {
    const scale = 1000 / pageWidth;
    return [Math.round(scale * x), Math.round(scale * y)];
  };
  const marked = (rgb: number[]): boolean => rgb[0]! > 200 && rgb[2]! < 160;

  it('have the next of few widths and the proportions of the page', async () => {
    const { status, headers, body } = await get(pdf, 1, 'width=840');
    expect(status).to.equal(200);
    const { width, height, format } = await sharp(body).metadata();
    const drawnHeight = Math.round((1000 / pageWidth) * pageHeight);
    expect([width, height, format]).to.deep.equal([1000, drawnHeight, 'webp']);
    const same = await get(pdf, 1, 'width=841');
    expect(same.headers.etag).to.equal(headers.etag);
    const drawn = 'SELECT FROM object_variant WHERE object_id = $1';
    expect(await api.rows(drawn, [pdf])).to.have.length(1);
    expect(headers).to.include({
      'content-type': 'image/webp',
      etag: `"${hashOf(body)}"`,
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.vary?.split(', ')).to.include.members(['Accept', 'Authorization', 'Cookie']);
  });

  it('differ by page, and are drawn once for equal requests', async () => {
    const [first, second] = [await get(pdf, 1, 'width=420'), await get(pdf, 2, 'width=420')];
    expect(first.body.equals(second.body)).to.equal(false);
    const [counted] = await api.rows<{ n: number }>('SELECT count(*) AS n FROM object_variant');
    const again = await get(pdf, 1, 'width=420');
    expect(again.body.equals(first.body)).to.equal(true);
    const [after] = await api.rows<{ n: number }>('SELECT count(*) AS n FROM object_variant');
    expect(after).to.deep.equal(counted);
    const current = await get(pdf, 1, 'width=420', { 'if-none-match': first.headers.etag! });
    expect(current.status).to.equal(304);
  });

  it('count towards the quota of bytes while they are kept, and need room in it', async () => {
    const used = async (): Promise<number> =>
      (await api.call('GET', '/v1/usage')).json.storage_bytes.used;
    const before = await used();
    const { body } = await get(pdf, 2, 'width=700');
    expect(await used()).to.equal(before + body.length);
    await api.rows(
      `INSERT INTO project_quota (project_id, resource, most) VALUES ($1, 'storage_bytes', $2)`,
      [api.projectId, before + body.length],
    );
    try {
      expect(problem(await get(pdf, 2, 'width=2000'))).to.deep.equal([403, 'quota_exceeded']);
      expect((await get(pdf, 2, 'width=700')).status).to.equal(200);
    } finally {
      await api.rows('DELETE FROM project_quota');
    }
    await api.rows(`DELETE FROM object_variant WHERE variant = 'page:2:700:webp'`);
    expect(await used()).to.equal(before);
  });

  it('are PNG if the client prefers it, and 406 for other formats', async () => {
    const { headers, body } = await get(pdf, 1, 'width=100', { accept: 'image/png' });
    expect(headers['content-type']).to.equal('image/png');
    expect((await sharp(body).metadata()).format).to.equal('png');
    expect(problem(await get(pdf, 1, '', { accept: 'image/gif' }))).to.deep.equal([
      406,
      'not_acceptable',
    ]);
  });

  it('mark boxes in points of the page, and leave the rest as it is', async () => {
    const { body } = await get(pdf, 1, 'width=840&boxes=100,200,50,20;300,400.5,10,10');
    const at = (x: number, y: number) => pixel(body, ...scaled(x, y));
    expect(marked(await at(125, 210))).to.equal(true);
    expect(marked(await at(305, 405))).to.equal(true);
    expect(marked(await at(200, 210))).to.equal(false);
  });

  it('accept boxes that overlap or leave the page', async () => {
    const boxes = '0,0,999999,999999;10,10,20,20;10,10,20,20;900,900,5,5;5,5,0,0';
    const { status, body } = await get(pdf, 1, `width=420&boxes=${boxes}`);
    expect(status).to.equal(200);
    expect(marked(await pixel(body, 400, 500))).to.equal(true);
  });

  for (const [name, search] of [
    ['a word', 'boxes=here'],
    ['three numbers', 'boxes=1,2,3'],
    ['a negative number', 'boxes=-1,2,3,4'],
    ['hundreds of boxes', `boxes=${Array(600).fill('1,2,3,4').join(';')}`],
    ['no width', 'width=0'],
    ['too much width', 'width=100000'],
  ] as const) {
    it(`return 400 for ${name}`, async () => {
      const { status } = await get(pdf, 1, search);
      expect(status).to.equal(400);
    });
  }

  for (const page of ['0', '-1', '1.5', 'one', '99999']) {
    it(`return 404 for page ${page}`, async () => {
      expect(problem(await get(pdf, page))).to.deep.equal([404, 'not_found']);
    });
  }

  it('return 404 for a page after the last one, counted or not', async () => {
    expect(problem(await get(pdf, 3))).to.deep.equal([404, 'not_found']);
    await api.rows('UPDATE object SET pages = 2 WHERE id = $1', [pdf]);
    expect(problem(await get(pdf, 3))).to.deep.equal([404, 'not_found']);
  });

  it('show the pages of a TIFF, and pictures upright', async () => {
    const tiff = await upload(await multiPageTiff([['One'], ['Two']]), 'scan.tiff');
    const pages = [await get(tiff, 1, 'width=300'), await get(tiff, 2, 'width=300')];
    expect(pages.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(pages[0]!.body.equals(pages[1]!.body)).to.equal(false);
    const turned = await upload(
      await sharp(await imageOf('png', ['Words']))
        .jpeg()
        .withMetadata({ orientation: 6 })
        .toBuffer(),
      'turned.jpg',
    );
    const { width, height } = await sharp((await get(turned, 1, 'width=700')).body).metadata();
    expect(width).to.equal(700);
    expect(height! < width!).to.equal(true);
  });

  it('return 409 for damaged files and files without pages', async () => {
    const broken = await upload(Buffer.from('%PDF-1.7\nnothing'), 'broken.pdf');
    const bytes = await upload(Buffer.from([0, 1, 2, 255, 254, 7]), 'bytes.bin');
    for (const id of [broken, bytes]) {
      const answer = await get(id, 1);
      expect(problem(answer)).to.deep.equal([409, 'state_conflict']);
      expect(JSON.parse(answer.body.toString()).retryable).to.equal(false);
    }
  });

  it('show the text of files without pages', async () => {
    const note = await upload(Buffer.from('# Dues\n\nPaid at the quay.\n'), 'note.md');
    const { status, headers, body } = await get(note, 1, 'width=420');
    expect([status, headers['content-type']]).to.deep.equal([200, 'image/webp']);
    expect((await sharp(body).stats()).isOpaque).to.equal(true);
    expect((await sharp(body).greyscale().stats()).channels[0]!.min).to.be.below(120);
    expect(problem(await get(note, 2))).to.deep.equal([404, 'not_found']);
    const damaged = await upload(Buffer.from('{\\rtf1 {\\b'.repeat(2)), 'damaged.rtf');
    expect((await get(damaged, 1)).status).to.be.oneOf([200, 409]);
  });

  it('return 409 for an object in the trash', async () => {
    const id = await upload(await bornDigitalPdf([['Gone']]), 'gone.pdf');
    await api.call('DELETE', `/v1/objects/${id}`);
    expect(problem(await get(id, 1))).to.deep.equal([409, 'state_conflict']);
  });

  it('are limited in number while they are drawn, per project', async () => {
    const id = await upload(await bornDigitalPdf([['Busy']]), 'busy.pdf');
    await api.rows(
      `INSERT INTO object_variant (project_id, object_id, variant)
       SELECT $1, $2, 'page:' || n || ':10:webp' FROM generate_series(1, 100) n`,
      [api.projectId, id],
    );
    const rejected = await get(id, 1, 'width=60');
    expect(problem(rejected)).to.deep.equal([429, 'rate_limited']);
    await api.rows('DELETE FROM object_variant WHERE object_id = $1', [id]);
    expect((await get(id, 1, 'width=60')).status).to.equal(200);
  });

  it('are denied by policies for reading, also if they exist already', async () => {
    expect((await get(pdf, 1, 'width=99')).status).to.equal(200);
    await addPolicy(api, {
      actions: ['read'],
      rules: [{ type: 'allowed_mime_types', exclude: ['application/pdf'] }],
    });
    expect(problem(await get(pdf, 1, 'width=99'))).to.deep.equal([403, 'policy_denied']);
  });

  it('show the redaction of a text where a policy serves it, and nothing without one', async () => {
    const source = await upload(Buffer.from('The secret of the crane.'), 'secret.txt');
    const open = await get(source, 1, 'width=200');
    expect(open.status).to.equal(200);
    await addPolicy(api, {
      actions: ['read'],
      rules: [{ type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' }],
    });
    expect(problem(await get(source, 1, 'width=200'))).to.deep.equal([403, 'policy_denied']);
    const output = await upload(Buffer.from('The ██████ of the crane.'), 'redacted.txt');
    await serve(source, output);
    const shown = await get(source, 1, 'width=200');
    expect(shown.status).to.equal(200);
    expect(shown.body.equals(open.body)).to.equal(false);
    expect(shown.body.equals((await get(output, 1, 'width=200')).body)).to.equal(true);
  });

  it('show the thumbnail of a presentation only where a policy allows reading', async () => {
    const bytes = await flagPicture().jpeg().toBuffer();
    const id = await upload(
      Buffer.from(pptx([{ title: 'Secret', lines: [] }], { bytes })),
      'a.pptx',
    );
    const shown = await get(id, 1, 'width=480');
    expect([shown.status, await isFlag(shown.body)]).to.deep.equal([200, true]);
    const rule = { type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' };
    await addPolicy(api, { actions: ['read'], rules: [rule] });
    expect(problem(await get(id, 1, 'width=480'))).to.deep.equal([403, 'policy_denied']);
    const output = await upload(Buffer.from('Nothing secret.'), 'redacted.txt');
    await serve(id, output);
    const redacted = await get(id, 1, 'width=480');
    expect([redacted.status, await isFlag(redacted.body)]).to.deep.equal([200, false]);
  });

  it('show the redaction where a policy serves it, and nothing without one', async () => {
    const source = await upload(await bornDigitalPdf([['Secret']]), 'secret.pdf');
    const open = await get(source, 1, 'width=200');
    await addPolicy(api, {
      actions: ['read'],
      rules: [{ type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' }],
    });
    expect(problem(await get(source, 1, 'width=200'))).to.deep.equal([403, 'policy_denied']);
    const output = await upload(await bornDigitalPdf([['Redacted']]), 'redacted.pdf');
    await serve(source, output);
    const shown = await get(source, 1, 'width=200');
    expect(shown.status).to.equal(200);
    expect(shown.body.equals(open.body)).to.equal(false);
    expect(shown.body.equals((await get(output, 1, 'width=200')).body)).to.equal(true);
  });
});
