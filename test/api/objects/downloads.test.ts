import { Writable } from 'node:stream';
import { expect } from 'chai';
import { openDatabase } from '../../../src/db/database.ts';
import { inProject } from '../../../src/db/transaction.ts';
import { createDownloadCounts } from '../../../src/library/downloads/counts.ts';
import { reportDownloads } from '../../../src/library/downloads/queries.ts';
import { createLogger } from '../../../src/logger.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { quarteredPicture } from '../../support/pictures.ts';
import { addPolicy } from '../../support/policies.ts';
import { bornDigitalPdf } from '../../support/samples.ts';
import { postRaw, sendRaw } from '../../support/uploads.ts';

interface Recorded {
  actor_type: string;
  actor_id: string;
  address: string | null;
  data: { content: string; via: string; count: number; delivered_object_id: string };
}

describe('downloads of objects', () => {
  let api: TestApi;
  let worker: TestImaging;
  let uploads = 0;
  before(async () => {
    api = await startApi();
    worker = await openImaging(api);
  });
  after(async () => {
    await worker.close();
    await api.close();
  });
  beforeEach(() => api.rows('DELETE FROM policy'));

  const upload = async (bytes: Buffer | null = null, filename = 'a.txt'): Promise<string> => {
    uploads += 1;
    const answer = await postRaw(api, bytes ?? Buffer.from(`text ${uploads}`), filename);
    expect([200, 201], answer.text).to.include(answer.status);
    return answer.json.id;
  };
  const contentOf = (id: string): string => `/v1/objects/${id}/content`;
  const listOf = async (id: string, search = '') => {
    await api.deps.downloadCounts.flush();
    const answer = await api.call('GET', `/v1/objects/${id}/downloads${search}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const eventsOf = async (id: string): Promise<Recorded[]> => {
    await api.deps.downloadCounts.flush();
    return api.rows<Recorded>(
      `SELECT actor_type, actor_id, address, data FROM event
       WHERE type = 'dam.object.downloaded' AND resource_id = $1 ORDER BY ordinal`,
      [id],
    );
  };
  const summary = async (id: string) =>
    (await listOf(id)).data.map(
      ({ content, via, count }: { content: string; via: string; count: number }) =>
        `${count} ${content} ${via}`,
    );
  const whole = async (id: string): Promise<void> => {
    expect((await sendRaw(api, 'GET', contentOf(id), {})).status).to.equal(200);
  };

  it('are one event and one entry, however often and in how many ranges', async () => {
    const id = await upload();
    await whole(id);
    await whole(id);
    for (let at = 0; at < 50; at++) {
      const range = `bytes=${at % 5}-${(at % 5) + 1}`;
      expect((await sendRaw(api, 'GET', contentOf(id), { range })).status).to.equal(206);
    }
    const [event, ...more] = await eventsOf(id);
    expect(more).to.be.empty;
    expect(event).to.deep.include({
      actor_type: 'api_key',
      actor_id: api.keyId,
      address: '127.0.0.1',
    });
    expect(event!.data).to.deep.include({
      delivered_object_id: id,
      content: 'original',
      via: 'direct',
      count: 52,
    });
    const { data, has_more, recorded_since } = await listOf(id);
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({
      actor: { type: 'api_key', id: api.keyId, name: 'First key' },
      object_id: id,
      delivered_object_id: id,
      content: 'original',
      via: 'direct',
      count: 52,
    });
    expect(Date.parse(data[0].first_at)).to.be.at.most(Date.parse(data[0].last_at));
    expect([has_more, typeof recorded_since]).to.deep.equal([false, 'string']);
  });

  it('are reported again after an hour, with what came since', async () => {
    const id = await upload();
    await whole(id);
    await whole(id);
    await eventsOf(id);
    await whole(id);
    expect((await eventsOf(id)).map(({ data }) => data.count)).to.deep.equal([2]);
    expect(await summary(id)).to.deep.equal(['3 original direct']);
    await api.rows(
      `UPDATE object_download SET reported_at = reported_at - interval '1 hour' WHERE object_id = $1`,
      [id],
    );
    await inProject(api.deps.database, api.projectId, (tx) => reportDownloads(tx, api.projectId));
    expect((await eventsOf(id)).map(({ data }) => data.count)).to.deep.equal([2, 1]);
  });

  it('name the key that signed a URL', async () => {
    const id = await upload();
    const signer = await api.issue(['objects:download']);
    const signed = await api.call('POST', `/v1/objects/${id}/signed-urls`, {
      ...signer,
      body: {},
    });
    expect((await fetch(signed.json.url)).status).to.equal(200);
    const { data } = await listOf(id);
    expect(data[0]).to.deep.include({
      actor: { type: 'api_key', id: signer.keyId, name: 'Test' },
      content: 'original',
      via: 'signed_url',
      count: 1,
    });
    expect((await eventsOf(id)).map((event) => event.actor_id)).to.deep.equal([signer.keyId]);
  });

  it('name every file of an archive', async () => {
    const ids = [await upload(), await upload(), await upload()];
    const answer = await fetch(`${api.url}/v1/objects/archive`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.key}`,
        'x-service-project-id': api.projectId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ids }),
    });
    await answer.arrayBuffer();
    for (const id of ids) {
      expect(await summary(id)).to.deep.equal(['1 original archive']);
      expect((await eventsOf(id)).map(({ data }) => data.via)).to.deep.equal(['archive']);
    }
  });

  it('by shared links are listed with the title of the link, and have one event', async () => {
    const id = await upload();
    const body = { object_id: id, title: 'For the board' };
    const share = (await api.call('POST', '/v1/shares', { body })).json;
    for (let times = 0; times < 2; times++) {
      await (await fetch(`${share.url}/files/${id}/download`)).arrayBuffer();
    }
    const { data } = await listOf(id);
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({
      actor: { type: 'share', id: share.id, name: 'For the board' },
      content: 'original',
      via: 'share',
      count: 2,
    });
    expect(await eventsOf(id)).to.be.empty;
  });

  it('do not include what delivered nothing', async () => {
    const id = await upload();
    const { headers } = await sendRaw(api, 'GET', contentOf(id), {});
    await eventsOf(id);
    await sendRaw(api, 'HEAD', contentOf(id), {});
    const known = await sendRaw(api, 'GET', contentOf(id), {
      'if-none-match': String(headers.etag),
    });
    const beyond = await sendRaw(api, 'GET', contentOf(id), { range: 'bytes=900-' });
    expect([known.status, beyond.status]).to.deep.equal([304, 416]);
    await addPolicy(api, {
      actions: ['download'],
      rules: [{ type: 'allowed_mime_types', include: ['image/png'] }],
    });
    expect((await sendRaw(api, 'GET', contentOf(id), {})).status).to.equal(403);
    expect(await summary(id)).to.deep.equal(['1 original direct']);
  });

  it('include pictures that are large enough to be a copy, but no previews', async () => {
    const picture = await upload(await quarteredPicture(1600, 900).jpeg().toBuffer(), 'large.jpg');
    const pdf = await upload(await bornDigitalPdf([['One']]), 'one.pdf');
    await worker.run();
    const [image] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [
      picture,
    ]);
    for (const name of ['thumb', 'w320', 'w640']) {
      const answer = await sendRaw(api, 'GET', `/v1/images/${image!.id}/renditions/${name}`, {});
      expect(answer.status).to.equal(200);
    }
    expect(await summary(picture)).to.be.empty;
    await sendRaw(api, 'GET', `/v1/images/${image!.id}/renditions/w1280`, {});
    expect(await summary(picture)).to.deep.equal(['1 rendition direct']);
    for (const width of [1000, 1001]) {
      const path = `/v1/objects/${pdf}/pages/1/image?width=${width}`;
      expect((await worker.sendAndProcess('GET', path)).status).to.equal(200);
    }
    expect(await summary(pdf)).to.deep.equal(['1 page_image direct']);
  });

  it('of a redaction are listed for it and for what it replaced', async () => {
    const source = await upload();
    const redaction = await upload();
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [redaction, source]);
    await api.rows(
      `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
       VALUES ($1, $2, $3, true, NULL, true)`,
      [api.projectId, redaction, source],
    );
    await addPolicy(api, {
      actions: ['download'],
      rules: [{ type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' }],
    });
    await whole(source);
    for (const id of [source, redaction]) {
      const { data } = await listOf(id);
      expect(data).to.have.length(1);
      expect(data[0]).to.deep.include({
        object_id: source,
        delivered_object_id: redaction,
        content: 'redaction',
      });
    }
  });

  it('are paged, the latest first, and counted on request', async () => {
    const id = await upload();
    const keys = [];
    for (let at = 0; at < 5; at++) {
      const tenant = await api.issue(['objects:download']);
      keys.unshift(tenant.keyId);
      await sendRaw(api, 'GET', contentOf(id), {}, undefined, tenant);
    }
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await listOf(id, `?limit=2&include=total${cursor && `&cursor=${cursor}`}`);
      expect(page.total).to.equal(5);
      seen.push(...page.data.map((one: { actor: { id: string } }) => one.actor.id));
      if (!page.has_more) break;
      cursor = encodeURIComponent(page.next_cursor);
    }
    expect(seen).to.deep.equal(keys);
  });

  it('are shown to those who may read the audit only, and in their project only', async () => {
    const id = await upload();
    await whole(id);
    await listOf(id);
    const path = `/v1/objects/${id}/downloads`;
    const reader = await api.issue(['objects:read']);
    expect((await api.call('GET', path, reader)).status).to.equal(403);
    expect((await api.call('GET', path, api.other)).status).to.equal(404);
    const seen = await inProject(api.deps.database, api.other.projectId, (tx) =>
      tx.query('SELECT * FROM object_download'),
    );
    expect(seen).to.be.empty;
  });

  it('wait in memory, within bounds, while they cannot be stored, and are logged', async () => {
    const id = await upload();
    let logged = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    });
    const database = await openDatabase(api.database.apiUrl, { poolSize: 1 });
    const logger = createLogger('info', 'test', sink);
    const counts = createDownloadCounts(database, logger, { everyMs: null, max: 2 });
    const origin = {
      projectId: api.projectId,
      actor: { type: 'api_key', id: api.keyId },
      address: null,
      requestId: null,
    } as const;
    const download = { objectId: id, deliveredObjectId: id, content: 'original' } as const;
    counts.count(origin, { ...download, via: 'direct' });
    counts.count(origin, { ...download, via: 'direct' });
    counts.count(origin, { ...download, via: 'archive' });
    counts.count(origin, { ...download, via: 'signed_url' });
    await api.rows('REVOKE INSERT ON object_download FROM api');
    await counts.flush();
    expect(logged).to.contain('downloads could not be recorded');
    expect(logged).to.contain('"lost":1');
    expect(await summary(id)).to.be.empty;
    await api.rows('GRANT INSERT ON object_download TO api');
    await counts.flush();
    expect((await summary(id)).sort()).to.deep.equal(['1 original archive', '2 original direct']);
    await database.destroy();
  });
});
