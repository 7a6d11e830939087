import { newId } from '@scriptorium/contracts/ids';
import { operationNames } from '@scriptorium/contracts/operations';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

/** Jobs over HTTP. No worker runs here: test/jobs and test/flows cover their work. */
describe('document jobs', () => {
  let api: TestApi;
  let relay: TestRelay;
  let objectId: string;
  before(async () => {
    api = await startApi({ settings: { ocrLanguages: ['deu', 'eng'] } });
    relay = await openRelay(api);
    const stored = await fetch(`${api.url}/v1/objects`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${api.key}`,
        'X-Service-Project-ID': api.projectId,
        'X-Filename': 'a.pdf',
        'Content-Type': 'application/pdf',
      },
      body: '%PDF-1.7\n%%EOF',
    });
    objectId = ((await stored.json()) as { id: string }).id;
  });
  after(async () => {
    await relay.close();
    await api.close();
  });

  const start = async (body: object = {}, headers: Record<string, string> = {}) =>
    api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: objectId, operations: [{ op: 'ocr' }], ...body },
      headers,
    });
  const jobOf = async (): Promise<JobRecord> => (await start()).json as JobRecord;
  const faults = (answer: { json: { errors?: { pointer: string; code: string }[] } }) =>
    answer.json.errors?.map(({ pointer, code }) => [pointer, code]);

  it('are accepted with 202, a Location, a version and all defaults', async () => {
    const answer = await start({ metadata: { case: 7 }, pages: '1-3,7' });
    expect(answer.status).to.equal(202);
    const job = answer.json as JobRecord;
    expect(answer.headers.get('location')).to.equal(`/v1/documents/jobs/${job.id}`);
    expect(answer.headers.get('etag')).to.equal('"1"');
    expect(job).to.deep.include({
      state: 'queued',
      source_object_id: objectId,
      pages: '1-3,7',
      metadata: { case: 7 },
      outputs: [],
      retry_of: null,
      started_at: null,
    });
    expect(job.operations[0]).to.deep.include({
      index: 0,
      op: 'ocr',
      implicit: false,
      state: 'pending',
      options: {
        languages: ['eng'],
        output: ['searchable_pdf'],
        existing_text: 'skip',
        deskew: false,
        rotate: true,
        pdfa: false,
      },
    });
    expect(job.progress).to.deep.equal({
      percent: 0,
      pages_total: null,
      pages_completed: 0,
      pages_failed: 0,
      current_operation_index: 0,
      eta_seconds: null,
    });
    const read = await api.call('GET', `/v1/documents/jobs/${job.id}`);
    expect(read.json).to.deep.equal(job);
  });

  it('are the same through the path of their operation', async () => {
    const answer = await api.call('POST', '/v1/documents/ocr', {
      body: { source_object_id: objectId, languages: ['deu', 'eng'], existing_text: 'redo' },
    });
    expect(answer.status).to.equal(202);
    expect(answer.json.operations).to.have.length(1);
    expect(answer.json.operations[0].options).to.include({ existing_text: 'redo', rotate: true });
    expect(answer.json.operations[0].options.languages).to.deep.equal(['deu', 'eng']);
  });

  it('run once for each Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': newId('request') };
    const first = await start({ metadata: { once: true } }, headers);
    const again = await start({ metadata: { once: true } }, headers);
    expect(again.status).to.equal(202);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.headers.get('location')).to.equal(first.headers.get('location'));
    const other = await start({ metadata: { once: false } }, headers);
    expect([other.status, other.json.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('report all faults at once', async () => {
    const unknown = await start({ operations: [{ op: 'translate' }] });
    expect(unknown.status).to.equal(422);
    expect(unknown.json.errors[0]).to.deep.include({
      pointer: '/operations/0/op',
      allowed: operationNames,
    });
    const twice = await start({ operations: [{ op: 'ocr' }, { op: 'ocr' }] });
    expect(faults(twice)).to.deep.include(['/operations/1/op', 'duplicate_operation']);
    const option = await start({
      operations: [{ op: 'ocr', options: { speed: 9 } }],
      pages: 'all',
    });
    expect(option.status).to.equal(422);
    expect(faults(option)!.map(([pointer]) => pointer)).to.have.members([
      '/operations/0/options/speed',
      '/pages',
    ]);
    const backwards = await start({ pages: '7-3' });
    expect(faults(backwards)).to.deep.equal([['/pages', 'invalid_pages']]);
    const missing = await start({ source_object_id: newId('object') });
    expect([missing.status, missing.json.code]).to.deep.equal([422, 'reference_not_found']);
  });

  it('reject a language that is not installed, and name those that are', async () => {
    const wanted = { languages: ['eng', 'xxx'] };
    const own = await start({ operations: [{ op: 'ocr', options: wanted }] });
    expect(own.status).to.equal(422);
    expect(own.json.errors).to.deep.equal([
      {
        pointer: '/operations/0/options/languages/1',
        code: 'language_unavailable',
        detail: "Language 'xxx' is not installed.",
        allowed: ['deu', 'eng'],
      },
    ]);
    const short = await api.call('POST', '/v1/documents/ocr', {
      body: { source_object_id: objectId, ...wanted },
    });
    expect(faults(short)).to.deep.equal([['/languages/1', 'language_unavailable']]);
    const { json } = await api.call('GET', '/v1/capabilities');
    expect(json).to.deep.include({ ocr_languages: ['deu', 'eng'] });
    expect(
      (await start({ operations: [{ op: 'ocr', options: { languages: ['deu'] } }] })).status,
    ).to.equal(202);
  });

  it('reject a source that is in the trash or of an unsupported type', async () => {
    const put = async (name: string, body: string) => {
      const response = await fetch(`${api.url}/v1/objects`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${api.key}`,
          'X-Service-Project-ID': api.projectId,
          'X-Filename': name,
        },
        body,
      });
      return ((await response.json()) as { id: string }).id;
    };
    const text = await put('notes.txt', 'only words');
    const unsupported = await start({ source_object_id: text });
    expect(faults(unsupported)).to.deep.equal([['/source_object_id', 'unsupported_source']]);
    const gone = await put('gone.pdf', '%PDF-1.7\n%gone\n%%EOF');
    await api.call('DELETE', `/v1/objects/${gone}`);
    const trashed = await start({ source_object_id: gone });
    expect([trashed.status, trashed.json.code]).to.deep.equal([409, 'state_conflict']);
  });

  it('are listed newest first, by state and by source, with an exact total', async () => {
    const [a, b, c] = [await jobOf(), await jobOf(), await jobOf()];
    await api.call('POST', `/v1/documents/jobs/${b.id}/cancel`);
    const newest = await api.call('GET', '/v1/documents/jobs?limit=3');
    expect(newest.json.data.map((job: JobRecord) => job.id)).to.deep.equal([c.id, b.id, a.id]);
    const cancelled = await api.call('GET', '/v1/documents/jobs?state=cancelled&include=total');
    expect(cancelled.json.data.map((job: JobRecord) => job.id)).to.include(b.id);
    expect(cancelled.json.total).to.equal(cancelled.json.data.length);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await api.call(
        'GET',
        `/v1/documents/jobs?limit=2&source_object_id=${objectId}${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.json.data.map((job: JobRecord) => job.id));
      cursor = page.json.next_cursor;
    }
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.include.members([a.id, b.id, c.id]);
  });

  it('reject invalid times', async () => {
    for (const time of ['0001-01-01T00:00:00%2B14:59', '9999-12-31T23:59:59.9-14:59']) {
      const answer = await api.call('GET', `/v1/documents/jobs?created_after=${time}`);
      expect(answer.status, time).to.equal(200);
    }
    for (const time of ['2026-01-01T00:00:00%2B23:59', '2026-13-01T00:00:00Z', 'yesterday']) {
      const answer = await api.call('GET', `/v1/documents/jobs?created_after=${time}`);
      expect([answer.status, answer.json.code], time).to.deep.equal([400, 'invalid_parameter']);
    }
  });

  it('are cancelled once: 202, then 200, and 409 when finished', async () => {
    const job = await jobOf();
    const path = `/v1/documents/jobs/${job.id}/cancel`;
    const first = await api.call('POST', path);
    expect([first.status, first.json.state]).to.deep.equal([202, 'cancelled']);
    expect((await api.call('POST', path)).status).to.equal(200);
    const done = await jobOf();
    await api.rows(`UPDATE job SET state = 'succeeded' WHERE id = $1`, [done.id]);
    const late = await api.call('POST', `/v1/documents/jobs/${done.id}/cancel`);
    expect([late.status, late.json.code]).to.deep.equal([409, 'state_conflict']);
  });

  it('are retried as new jobs once they have ended', async () => {
    const job = await jobOf();
    const path = `/v1/documents/jobs/${job.id}/retry`;
    const early = await api.call('POST', path, { body: { scope: 'all' } });
    expect([early.status, early.json.code]).to.deep.equal([409, 'state_conflict']);
    await api.rows(`UPDATE job SET state = 'failed' WHERE id = $1`, [job.id]);
    const answer = await api.call('POST', path, { body: {} });
    expect(answer.status).to.equal(202);
    expect(answer.json).to.include({ state: 'queued', retry_of: job.id });
    expect(answer.json.id).to.not.equal(job.id);
    expect(answer.headers.get('location')).to.equal(`/v1/documents/jobs/${answer.json.id}`);
  });

  it('send Retry-After, and return 304 if unchanged', async () => {
    const job = await jobOf();
    const path = `/v1/documents/jobs/${job.id}`;
    const read = await api.call('GET', path);
    expect(read.headers.get('retry-after')).to.match(/^\d+$/);
    const same = await api.call('GET', path, { headers: { 'If-None-Match': '"1"' } });
    expect(same.status).to.equal(304);
    await api.call('POST', `${path}/cancel`);
    const changed = await api.call('GET', path, { headers: { 'If-None-Match': '"1"' } });
    expect(changed.status).to.equal(200);
    expect(changed.headers.get('retry-after')).to.equal(null);
  });

  it('wait for a change with Prefer: wait', async () => {
    const job = await jobOf();
    const path = `/v1/documents/jobs/${job.id}`;
    const held = api.call('GET', path, { headers: { Prefer: 'wait=20' } });
    await api.call('POST', `${path}/cancel`);
    await relay.run();
    const answer = await held;
    expect(answer.json.state).to.equal('cancelled');
    expect(answer.headers.get('preference-applied')).to.equal('wait=20');
  });

  it('stream changes until they end', async () => {
    const job = await jobOf();
    const response = await fetch(`${api.url}/v1/documents/jobs/${job.id}`, {
      headers: {
        Authorization: `Bearer ${api.key}`,
        'X-Service-Project-ID': api.projectId,
        Accept: 'text/event-stream',
      },
    });
    expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const cancelled = text.includes('data: ');
      text += chunk;
      if (!cancelled && text.includes('data: ')) {
        await api.call('POST', `/v1/documents/jobs/${job.id}/cancel`);
      }
    }
    const states = [...text.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => (JSON.parse(data!) as JobRecord).state,
    );
    expect(states).to.deep.equal(['queued', 'cancelled']);
  });

  it('stop streaming personal data to a key that loses the scope', async () => {
    const options = { allow_list: ['Windermere'] };
    const job = (await start({ operations: [{ op: 'redact_pii', options }] })).json as JobRecord;
    const reader = await api.issue(['documents:read', 'pii:read']);
    const response = await fetch(`${api.url}/v1/documents/jobs/${job.id}`, {
      headers: {
        Authorization: `Bearer ${reader.key}`,
        'X-Service-Project-ID': api.projectId,
        Accept: 'text/event-stream',
      },
    });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const hasBegun = text.includes('data: ');
      text += chunk;
      if (!hasBegun && text.includes('data: ')) {
        await api.rows(`UPDATE api_key SET scopes = '{documents:read}' WHERE id = $1`, [
          reader.keyId,
        ]);
        await api.call('POST', `/v1/documents/jobs/${job.id}/cancel`);
      }
    }
    const lists = [...text.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => (JSON.parse(data!) as JobRecord).operations.at(-1)?.options.allow_list,
    );
    expect(lists).to.deep.equal([['Windermere'], null]);
  });

  it('list their pages, each with its operation', async () => {
    const job = await jobOf();
    await api.rows(
      `INSERT INTO job_page (project_id, job_id, operation_index, page, state, text)
       SELECT project_id, id, 0, page, CASE page WHEN 2 THEN 'failed' ELSE 'succeeded' END, 'words'
       FROM job, generate_series(1, 3) AS page WHERE id = $1`,
      [job.id],
    );
    const path = `/v1/documents/jobs/${job.id}/pages`;
    const first = await api.call('GET', `${path}?limit=2&include=total`);
    expect(first.json.data.map(({ page }: { page: number }) => page)).to.deep.equal([1, 2]);
    expect(first.json).to.include({ has_more: true, total: 3 });
    const failed = await api.call('GET', `${path}?state=failed&op=ocr`);
    expect(failed.json.data).to.have.length(1);
    expect(failed.json.data[0]).to.include({ page: 2, op: 'ocr', state: 'failed' });
    const third = await api.call('GET', `${path}?page=3&include=words`);
    expect(third.json.data).to.have.length(1);
    expect(third.json.data[0]).to.include({ page: 3, words: null });
  });

  it('return the states of all pages in runs, by operation', async () => {
    const job = (await start({ operations: [{ op: 'classify' }] })).json as JobRecord;
    await api.rows(
      `INSERT INTO job_page (project_id, job_id, operation_index, page, state)
       SELECT project_id, id, 0, page, CASE WHEN page IN (3, 2000) THEN 'failed' ELSE 'succeeded' END
       FROM job, generate_series(1, 2000) AS page WHERE id = $1 AND page <> 5`,
      [job.id],
    );
    const answer = await api.call('GET', `/v1/documents/jobs/${job.id}/page-states`);
    expect(answer.json).to.deep.equal({
      operations: [
        {
          index: 0,
          op: 'ocr',
          runs: [
            { from: 1, to: 2, state: 'succeeded' },
            { from: 3, to: 3, state: 'failed' },
            { from: 4, to: 4, state: 'succeeded' },
            { from: 6, to: 1999, state: 'succeeded' },
            { from: 2000, to: 2000, state: 'failed' },
          ],
        },
        { index: 1, op: 'classify', runs: [] },
      ],
    });
  });

  it('are filtered by requested operations, not by added ones', async () => {
    const listed = async (op: string): Promise<string[]> =>
      (await api.call('GET', `/v1/documents/jobs?op=${op}&limit=200`)).json.data.map(
        ({ id }: JobRecord) => id,
      );
    const redaction = (await start({ operations: [{ op: 'redact_pii' }] })).json as JobRecord;
    expect((await listed('redact_pii'))[0]).to.equal(redaction.id);
    expect(await listed('ocr')).not.to.include(redaction.id);
  });
});
