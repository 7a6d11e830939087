import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { nullWhenMissing } from '../../../src/storage/files.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import {
  chunkHeaders,
  createUpload,
  createUploadPath,
  metadata,
  offsetOf,
  patch,
  tusHeaders,
} from '../../support/tus.ts';
import { hashOf, postRaw, type RawResponse, readToEnd } from '../../support/uploads.ts';

const digest = (algorithm: string, bytes: Buffer | string): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;

describe('resumable uploads', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const record = async (path: string) => (await api.call('GET', path)).json;
  const partials = async (): Promise<string[]> =>
    (
      (await readdir(join(api.storageRoot, '.partial'), { recursive: true }).catch(
        nullWhenMissing,
      )) ?? []
    ).filter((name) => name.includes('upl_'));
  const codeOf = ({ body }: RawResponse): string => JSON.parse(body.toString()).code;

  it('arrive in chunks and become an object, with its events', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(200_000)]);
    const pairs = {
      filename: 'Umschlag „A“.pdf',
      filetype: 'application/pdf',
      tags: '["scan","harbour"]',
      metadata: '{"box":7}',
    };
    const made = await createUpload(api, bytes.length, pairs);
    expect(made.status).to.equal(201);
    expect(made.headers.get('tus-resumable')).to.equal('1.0.0');
    expect(made.headers.get('access-control-allow-origin')).to.equal(null);
    const expires = new Date(made.headers.get('upload-expires') ?? '').getTime();
    expect(expires).to.be.closeTo(Date.now() + 24 * 3_600_000, 60_000);
    const path = made.headers.get('location')!;
    expect(path).to.match(/^\/v1\/uploads\/upl_\w{26}$/);
    expect(await record(path)).to.include({ state: 'uploading', offset: 0, object_id: null });
    const first = await patch(api, path, 0, bytes.subarray(0, 50_000));
    expect([first.status, first.headers['upload-offset']]).to.deep.equal([204, '50000']);
    expect(first.headers['tus-resumable']).to.equal('1.0.0');
    const head = await api.call('HEAD', path, { headers: tusHeaders });
    expect(head.headers.get('upload-offset')).to.equal('50000');
    expect(head.headers.get('upload-length')).to.equal(String(bytes.length));
    expect(head.headers.get('upload-metadata')).to.equal(metadata(pairs));
    expect(head.headers.get('cache-control')).to.equal('no-store');
    expect(await record(path)).to.include({ state: 'uploading', offset: 50_000 });
    const last = await patch(api, path, 50_000, bytes.subarray(50_000));
    expect([last.status, last.headers['upload-offset']]).to.deep.equal([204, '200009']);
    const objectId = String(last.headers['object-id']);
    expect(await record(path)).to.include({
      state: 'completed',
      offset: bytes.length,
      bytes: bytes.length,
      object_id: objectId,
      deduplicated: false,
      rejection: null,
    });
    const object = await api.call('GET', `/v1/objects/${objectId}`);
    expect(object.json).to.deep.include({
      filename: 'Umschlag „A“.pdf',
      mime: 'application/pdf',
      sha256: hashOf(bytes),
      bytes: bytes.length,
      tags: ['scan', 'harbour'],
      metadata: { box: 7 },
      state: 'available',
    });
    const events = await api.rows<{ type: string; actor_id: string }>(
      'SELECT type, actor_id FROM event WHERE resource_id = $1 ORDER BY id',
      [objectId],
    );
    expect(events).to.deep.equal([
      { type: 'dam.object.created', actor_id: api.keyId },
      { type: 'dam.object.available', actor_id: api.keyId },
    ]);
    expect(await partials()).to.deep.equal(
      (await partials()).filter((name) => !path.includes(name)),
    );
    // Repeating it returns the same end.
    const again = await patch(api, path, bytes.length, '');
    expect([again.status, again.headers['object-id']]).to.deep.equal([204, objectId]);
    const known = await api.call('HEAD', path, { headers: tusHeaders });
    expect(known.headers.get('object-id')).to.equal(objectId);
    expect(known.headers.get('upload-offset')).to.equal(String(bytes.length));
    const more = await patch(api, path, bytes.length, 'x');
    expect(more.status).to.equal(413);
  });

  it('accept their first bytes, or all, on creation', async () => {
    const some = await createUpload(
      api,
      10,
      { filename: 'some.txt' },
      { body: 'hello', headers: chunkHeaders },
    );
    expect([some.status, some.headers.get('upload-offset')]).to.deep.equal([201, '5']);
    expect(some.headers.get('object-id')).to.equal(null);
    const path = some.headers.get('location')!;
    expect((await patch(api, path, 5, 'world')).headers['object-id']).to.match(/^obj_/);
    const all = await createUpload(
      api,
      5,
      { filename: 'all.txt' },
      { body: 'hello', headers: chunkHeaders },
    );
    expect(all.status).to.equal(201);
    expect(all.headers.get('object-id')).to.match(/^obj_/);
    const tooMany = await createUpload(api, 4, undefined, { body: 'hello', headers: chunkHeaders });
    expect([tooMany.status, tooMany.json.code]).to.deep.equal([413, 'payload_too_large']);
    const other = await createUpload(api, 5, undefined, {
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    });
    expect([other.status, other.json.code]).to.deep.equal([415, 'unsupported_media_type']);
  });

  it('report the supported tus extensions', async () => {
    const answer = await api.call('OPTIONS', '/v1/uploads');
    expect(answer.status).to.equal(204);
    expect(Object.fromEntries(answer.headers)).to.include({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-max-size': String(5 * 2 ** 30),
      'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
      'tus-checksum-algorithm': 'sha256,sha1',
    });
  });

  describe('on creation', () => {
    const rejected = async (
      answer: ApiResponse | Promise<ApiResponse>,
      status: number,
      code: string,
      ...faults: string[]
    ): Promise<void> => {
      const { json, headers, ...rest } = await answer;
      expect([rest.status, json.code], rest.text).to.deep.equal([status, code]);
      expect(headers.get('tus-resumable')).to.equal('1.0.0');
      const told = (json.errors ?? []).map(
        (fault: { pointer?: string; code: string }) => `${fault.pointer ?? ''} ${fault.code}`,
      );
      for (const fault of faults) expect(told, rest.text).to.include(fault);
      if (faults.length > 0) expect(told).to.have.length(faults.length);
    };

    it('report all faults of the metadata at once', async () => {
      await rejected(
        createUpload(api, 0, {
          filetype: 'nonsense',
          tags: '["a", 7]',
          metadata: '[]',
          on_duplicate: 'perhaps',
        }),
        422,
        'validation_failed',
        ' empty_file',
        '/filename required',
        '/filetype wrong_format',
        '/tags wrong_type',
        '/metadata wrong_type',
        '/on_duplicate not_allowed',
      );
      await rejected(
        createUpload(api, 5, { filename: 'a\0b', tags: `["${'x'.repeat(101)}"]` }),
        422,
        'validation_failed',
        '/filename null_character',
        '/tags/0 too_long',
      );
      await rejected(
        createUpload(api, 5, { filename: Buffer.from([0xff]) }),
        422,
        'validation_failed',
        '/filename invalid_utf8',
      );
    });

    it('ignore keys of metadata that are unknown or have no value', async () => {
      // What Uppy sends, and what tus-js-client sends of a file without a type.
      const given = `${metadata({
        name: 'a.bin',
        type: 'null',
        relativePath: Buffer.from([0xff, 0]),
        filename: 'a.bin',
      })},is_confidential,filetype ,tags,metadata ,on_duplicate`;
      const made = await createUpload(api, 3, undefined, { headers: { 'upload-metadata': given } });
      expect(made.status, made.text).to.equal(201);
      const path = made.headers.get('location')!;
      const head = await api.call('HEAD', path, { headers: tusHeaders });
      expect(head.headers.get('upload-metadata')).to.equal(given);
      const last = await patch(api, path, 0, 'abc');
      const object = await api.call('GET', `/v1/objects/${last.headers['object-id']}`);
      expect(object.json).to.deep.include({ filename: 'a.bin', tags: [], metadata: {} });
      await rejected(
        createUpload(api, 3, undefined, { headers: { 'upload-metadata': 'filename,name YQ==' } }),
        422,
        'validation_failed',
        '/filename required',
      );
    });

    for (const [name, headers, status, code] of [
      ['no version', { 'tus-resumable': undefined }, 412, 'tus_version_unsupported'],
      ['another version', { 'tus-resumable': '0.2.2' }, 412, 'tus_version_unsupported'],
      ['no length', { 'upload-length': undefined }, 400, 'malformed_request'],
      ['a length that is none', { 'upload-length': '-1' }, 400, 'malformed_request'],
      ['a length in hexadecimal', { 'upload-length': '0x10' }, 400, 'malformed_request'],
      ['a deferred length', { 'upload-defer-length': '1' }, 400, 'malformed_request'],
      ['a part to be joined', { 'upload-concat': 'partial' }, 400, 'malformed_request'],
      ['too much', { 'upload-length': String(5 * 2 ** 30 + 1) }, 413, 'payload_too_large'],
      ['far too much', { 'upload-length': '9'.repeat(20) }, 413, 'payload_too_large'],
      ['metadata that is none', { 'upload-metadata': 'filename %%%' }, 400, 'malformed_request'],
      ['metadata cut short', { 'upload-metadata': 'filename abc' }, 400, 'malformed_request'],
      ['a key twice', { 'upload-metadata': 'a YQ==,a YQ==' }, 400, 'malformed_request'],
      ['a checksum that is none', { 'upload-checksum': 'x' }, 400, 'malformed_request'],
    ] as const) {
      it(`reject ${name}`, async () => {
        const sent: Record<string, string | undefined> = headers;
        await rejected(createUpload(api, 5, undefined, { headers: sent }), status, code);
      });
    }

    it('require a key, project and scope, with tus headers on errors', async () => {
      await rejected(
        createUpload(api, 5, undefined, { headers: { authorization: undefined } }),
        401,
        'authentication_required',
      );
      const reader = await api.issue(['objects:read', 'objects:download']);
      await rejected(createUpload(api, 5, undefined, reader), 403, 'insufficient_scope');
      const writer = await api.issue(['objects:write']);
      const path = await createUploadPath(api, 5, undefined, writer);
      expect((await api.call('GET', path, writer)).json.state).to.equal('uploading');
      expect((await api.call('PUT', path)).headers.get('tus-resumable')).to.equal('1.0.0');
    });

    for (const [given, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\me\\scan.pdf', 'scan.pdf'],
      ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie_ x.txt'],
      [`${'x'.repeat(396)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ] as const) {
      it(`clean the name ${JSON.stringify(given).slice(0, 30)}`, async () => {
        const path = await createUploadPath(api, 3, { filename: given });
        expect((await record(path)).filename).to.equal(kept);
      });
    }
  });

  describe('with X-HTTP-Method-Override', () => {
    const as = (method: string) => ({ ...chunkHeaders, 'x-http-method-override': method });

    it('take its value as the method', async () => {
      const path = await createUploadPath(api, 6);
      const sent = { 'upload-offset': '0', ...as('PATCH') };
      const first = await api.call('POST', path, { headers: sent, body: 'abc' });
      expect([first.status, first.headers.get('upload-offset')], first.text).to.deep.equal([
        204,
        '3',
      ]);
      const head = await api.call('POST', path, { headers: as('HEAD') });
      expect([head.status, head.headers.get('upload-offset'), head.text]).to.deep.equal([
        200,
        '3',
        '',
      ]);
      expect((await api.call('POST', path, { headers: as('GET') })).json.offset).to.equal(3);
      const gone = await api.call('POST', path, { headers: as('delete') });
      expect(gone.status, gone.text).to.equal(204);
      const missing = await api.call('POST', path, { headers: as('HEAD') });
      expect([missing.status, missing.json.code]).to.deep.equal([404, 'not_found']);
      const created = await api.call('PUT', '/v1/uploads', {
        headers: {
          ...tusHeaders,
          'upload-length': '3',
          'upload-metadata': metadata({ filename: 'a.bin' }),
          'x-http-method-override': 'POST',
        },
      });
      expect(created.status, created.text).to.equal(201);
    });

    it('reject a method that uploads do not have, and ignore it elsewhere', async () => {
      const path = await createUploadPath(api, 6);
      const unknown = await api.call('POST', path, { headers: as('BREW') });
      expect([unknown.status, unknown.json.code]).to.deep.equal([405, 'method_not_allowed']);
      expect(unknown.headers.get('allow')).to.equal('DELETE, GET, HEAD, OPTIONS, PATCH');
      expect((await api.call('GET', path, { headers: as('') })).status).to.equal(200);
      const list = await api.call('GET', '/v1/objects', { headers: as('DELETE') });
      expect(list.status).to.equal(200);
    });

    it('need the rights of that method', async () => {
      const path = await createUploadPath(api, 6);
      const reader = await api.issue(['objects:read']);
      const denied = await api.call('POST', path, { ...reader, headers: as('DELETE') });
      expect([denied.status, denied.json.code]).to.deep.equal([403, 'insufficient_scope']);
    });
  });

  describe('in chunks', () => {
    it('accept one only at the current offset', async () => {
      const path = await createUploadPath(api, 10);
      await patch(api, path, 0, 'abc');
      for (const offset of [0, 2, 4, 99]) {
        const answer = await patch(api, path, offset, 'x');
        expect([answer.status, codeOf(answer)]).to.deep.equal([409, 'offset_mismatch']);
        expect(answer.headers['tus-resumable']).to.equal('1.0.0');
      }
      for (const offset of ['', '-1', '1.5', 'abc', '3, 3']) {
        const answer = await patch(api, path, offset, 'x');
        expect([answer.status, codeOf(answer)], offset).to.deep.equal([400, 'malformed_request']);
      }
      expect(await offsetOf(api, path)).to.equal(3);
    });

    it('require the content type of chunks and the tus version', async () => {
      const path = await createUploadPath(api, 10);
      const typed = await patch(api, path, 0, 'abc', { 'content-type': 'application/pdf' });
      expect([typed.status, codeOf(typed)]).to.deep.equal([415, 'unsupported_media_type']);
      expect(typed.headers['accept-patch']).to.equal('application/offset+octet-stream');
      const coded = await patch(api, path, 0, 'abc', { 'content-encoding': 'gzip' });
      expect(coded.status).to.equal(415);
      const old = await patch(api, path, 0, 'abc', { 'tus-resumable': '0.1' });
      expect([old.status, codeOf(old)]).to.deep.equal([412, 'tus_version_unsupported']);
      expect(old.headers['tus-version']).to.equal('1.0.0');
      expect(await offsetOf(api, path)).to.equal(0);
    });

    it('cannot exceed the length, whether announced or deferred', async () => {
      const path = await createUploadPath(api, 10);
      const tooLarge = await patch(api, path, 0, 'x'.repeat(11));
      expect([tooLarge.status, codeOf(tooLarge)]).to.deep.equal([413, 'payload_too_large']);
      const unsaid = await patch(api, path, 0, Readable.from([Buffer.alloc(6), Buffer.alloc(6)]));
      expect([unsaid.status, codeOf(unsaid)]).to.deep.equal([413, 'payload_too_large']);
      expect(await offsetOf(api, path)).to.equal(0);
      const exact = await patch(api, path, 0, Readable.from([Buffer.alloc(6), Buffer.alloc(4)]));
      expect(exact.headers['object-id']).to.match(/^obj_/);
    });

    it('accept one with a matching checksum', async () => {
      const path = await createUploadPath(api, 6);
      const wrong = await patch(api, path, 0, 'abc', {
        'upload-checksum': digest('sha256', 'abd'),
      });
      expect([wrong.status, codeOf(wrong)]).to.deep.equal([460, 'checksum_mismatch']);
      expect(await offsetOf(api, path)).to.equal(0);
      const right = await patch(api, path, 0, 'abc', {
        'upload-checksum': digest('sha256', 'abc'),
      });
      expect(right.headers['upload-offset']).to.equal('3');
      const unknown = await patch(api, path, 3, 'def', { 'upload-checksum': digest('md5', 'def') });
      expect([unknown.status, codeOf(unknown)]).to.deep.equal([400, 'malformed_request']);
      const last = await patch(api, path, 3, 'def', { 'upload-checksum': digest('sha1', 'def') });
      const object = await api.call('GET', `/v1/objects/${last.headers['object-id']}`);
      expect(object.json.sha256).to.equal(hashOf('abcdef'));
    });

    /** A connection with the head of a PATCH sent. */
    const open = async (path: string, headers: Record<string, string>): Promise<Socket> => {
      const url = new URL(api.url);
      const socket = connect(Number(url.port), url.hostname);
      await once(socket, 'connect');
      const lines = Object.entries({
        Host: url.host,
        Authorization: `Bearer ${api.key}`,
        'X-Service-Project-ID': api.projectId,
        ...chunkHeaders,
        ...headers,
      }).map(([name, value]) => `${name}: ${value}`);
      socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.on('error', () => undefined);
      return socket;
    };

    it('keep what arrived of an interrupted one', async () => {
      const path = await createUploadPath(api, 1_000_000);
      const socket = await open(path, { 'Upload-Offset': '0', 'Content-Length': '1000000' });
      socket.write(Buffer.alloc(400_000, 1));
      await eventually(async () => (await record(path)).offset === 400_000);
      socket.destroy();
      const rest = await eventually(async () => {
        const answer = await patch(api, path, 400_000, Buffer.alloc(600_000, 1));
        return answer.status === 204 ? answer : null;
      });
      const object = await api.call('GET', `/v1/objects/${rest.headers['object-id']}`);
      expect(object.json.sha256).to.equal(hashOf(Buffer.alloc(1_000_000, 1)));
    });

    it('reject one while another is arriving, and replace one that has stalled', async () => {
      const path = await createUploadPath(api, 1_000_000);
      const silent = await open(path, { 'Upload-Offset': '0', 'Content-Length': '1000000' });
      silent.write(Buffer.alloc(1_000, 2));
      await eventually(async () => (await record(path)).offset === 1_000);
      // It sends nothing more, and is cut off when another request resumes the upload.
      const next = await eventually(async () => {
        const answer = await patch(api, path, 1_000, Buffer.alloc(1_000, 2));
        return answer.status === 423 ? null : answer;
      });
      expect(next.headers['upload-offset']).to.equal('2000');
      await readToEnd(silent).catch(() => '');

      const busy = await open(path, { 'Upload-Offset': '2000', 'Content-Length': '998000' });
      const dripping = setInterval(() => busy.write(Buffer.alloc(10, 2)), 20);
      try {
        await eventually(async () => (await record(path)).offset > 2_000);
        const other = await patch(api, path, (await record(path)).offset, 'x');
        expect([other.status, codeOf(other)]).to.deep.equal([423, 'upload_locked']);
        expect(JSON.parse(other.body.toString()).retryable).to.equal(true);
      } finally {
        clearInterval(dripping);
        busy.destroy();
      }
    });

    it('accept one once if it is sent many times concurrently', async () => {
      const bytes = randomBytes(100_000);
      const path = await createUploadPath(api, bytes.length);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => patch(api, path, 0, bytes)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 204)).to.have.length(1);
      for (const status of statuses) expect([204, 409, 423]).to.include(status);
      const { object_id: id } = await record(path);
      const object = await api.call('GET', `/v1/objects/${id}`);
      expect(object.json.sha256).to.equal(hashOf(bytes));
    });
  });

  it('return an existing object, as a direct upload does', async () => {
    const direct = await postRaw(api, 'the same bytes', 'same.txt');
    const twin = await patch(
      api,
      await createUploadPath(api, 14, { filename: 'same.txt' }),
      0,
      'the same bytes',
    );
    expect(twin.headers['object-id']).to.equal(direct.json.id);
    const path = await createUploadPath(api, 14, { filename: 'same.txt', on_duplicate: 'allow' });
    const another = await patch(api, path, 0, 'the same bytes');
    expect(another.headers['object-id']).not.to.equal(direct.json.id);
    expect((await record(path)).deduplicated).to.equal(false);
  });

  it('are terminated with all their bytes, unless they are complete', async () => {
    const path = await createUploadPath(api, 10);
    await patch(api, path, 0, 'abc');
    const id = path.split('/').at(-1)!;
    expect((await partials()).some((name) => name.includes(id))).to.equal(true);
    const gone = await api.call('DELETE', path, { headers: tusHeaders });
    expect([gone.status, gone.headers.get('tus-resumable')]).to.deep.equal([204, '1.0.0']);
    expect((await partials()).some((name) => name.includes(id))).to.equal(false);
    expect((await api.call('GET', path)).status).to.equal(404);
    expect((await patch(api, path, 3, 'x')).status).to.equal(404);
    const whole = await createUploadPath(api, 3, { filename: 'whole.txt' });
    await patch(api, whole, 0, 'abc');
    const rejected = await api.call('DELETE', whole, { headers: tusHeaders });
    expect([rejected.status, rejected.json.code]).to.deep.equal([409, 'state_conflict']);
  });

  it('are checked once their first 8 MiB have arrived, in the middle of a request', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(9 * 2 ** 20)]);
    const path = await createUploadPath(api, bytes.length + 1, { filename: 'large.bin' });
    const mime = () => api.rows('SELECT mime FROM upload WHERE id = $1', [path.split('/').at(-1)]);
    expect((await patch(api, path, 0, bytes.subarray(0, 1_000))).status).to.equal(204);
    expect(await mime()).to.deep.equal([{ mime: null }]);
    expect((await patch(api, path, 1_000, bytes.subarray(1_000))).status).to.equal(204);
    expect(await mime()).to.deep.equal([{ mime: 'application/pdf' }]);
    const last = await patch(api, path, bytes.length, 'x');
    const object = await api.call('GET', `/v1/objects/${last.headers['object-id']}`);
    expect(object.json.mime).to.equal('application/pdf');
    expect(object.json.sha256).to.equal(hashOf(Buffer.concat([bytes, Buffer.from('x')])));
  });

  it('expire', async () => {
    const path = await createUploadPath(api, 10);
    await patch(api, path, 0, 'abc');
    const id = path.split('/').at(-1);
    await api.rows(
      `UPDATE upload SET expires_at = now() - interval '1 h', created_at = now() - interval '25 h' WHERE id = $1`,
      [id],
    );
    const late = await patch(api, path, 3, 'x');
    expect([late.status, codeOf(late)]).to.deep.equal([410, 'upload_expired']);
    expect((await api.call('HEAD', path, { headers: tusHeaders })).status).to.equal(410);
    expect(await record(path)).to.include({ state: 'expired' });
  });

  it('report that a policy denied them', async () => {
    const path = await createUploadPath(api, 10);
    const rejection = { detail: 'Nothing of this kind.', violations: [{ policy_id: 'pol_x' }] };
    await api.rows(`UPDATE upload SET state = 'rejected', rejection = $2 WHERE id = $1`, [
      path.split('/').at(-1),
      JSON.stringify(rejection),
    ]);
    const answer = await patch(api, path, 0, 'x');
    expect(answer.status).to.equal(403);
    expect(JSON.parse(answer.body.toString())).to.deep.include({
      code: 'policy_denied',
      detail: 'Nothing of this kind.',
      violations: rejection.violations,
    });
    expect((await record(path)).rejection).to.deep.equal(rejection);
  });

  it('continue where a killed process left them, at every step of the completion', async () => {
    const whole = async (): Promise<[string, string]> => {
      const path = await createUploadPath(api, 6, { filename: 'end.txt', on_duplicate: 'allow' });
      await patch(api, path, 0, 'abc');
      return [path, path.split('/').at(-1)!];
    };
    const addBehindItsBack = (id: string) =>
      api.deps.storage.partials.append(api.projectId, id, 3, Readable.from([Buffer.from('def')]), {
        maxBytes: 3,
      });
    const expectEnd = async (path: string, objectId: unknown): Promise<void> => {
      const object = await api.call('GET', `/v1/objects/${objectId}/content`);
      expect(object.text).to.equal('abcdef');
      expect((await record(path)).object_id).to.equal(objectId);
    };
    // All bytes have arrived, but the client received no response.
    const [first, firstId] = await whole();
    await addBehindItsBack(firstId);
    expect(await record(first)).to.include({ state: 'uploading', offset: 6 });
    const head = await api.call('HEAD', first, { headers: tusHeaders });
    await expectEnd(first, head.headers.get('object-id'));
    // The bytes are stored, without an object.
    const [second, secondId] = await whole();
    await addBehindItsBack(secondId);
    await (await api.deps.storage.partials.complete(api.projectId, secondId)).commit();
    const empty = await patch(api, second, 6, '');
    expect(empty.status).to.equal(204);
    await expectEnd(second, empty.headers['object-id']);
    // As before, with the stored bytes swept.
    const [third, thirdId] = await whole();
    await addBehindItsBack(thirdId);
    await api.deps.storage.remove(api.projectId, hashOf('abcdef'));
    expect(await offsetOf(api, third)).to.equal(6);
    await expectEnd(third, (await record(third)).object_id);
  });
});
