import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { awaitCopies } from '../../../src/api/downloads/archive.ts';
import { createUniqueNamer } from '../../../src/library/files/unique-names.ts';
import { streamZip, zipLength } from '../../../src/library/files/zip-writer.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addPolicy } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

const run = promisify(execFile);

describe('archives', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(() => api.rows('DELETE FROM policy'));

  const upload = async (name: string, text = `text of ${name}`): Promise<string> => {
    const response = await postRaw(api, Buffer.from(text), name);
    expect([200, 201]).to.include(response.status);
    return response.json.id;
  };
  const requestArchive = (body: unknown, tenant: { key: string; projectId: string } = api) =>
    fetch(`${api.url}/v1/objects/archive`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'x-service-project-id': tenant.projectId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const openArchive = async (body: unknown) => {
    const response = await requestArchive(body);
    expect(response.status).to.equal(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).to.equal(String(bytes.length));
    const files = Object.entries(unzipSync(bytes)).map(([name, data]) => [
      name,
      Buffer.from(data).toString(),
    ]);
    const contents = Object.fromEntries(files);
    return { bytes, contents, manifest: JSON.parse(contents['manifest.json']) };
  };

  /** The status and the problem document of a rejected request. */
  const rejectionOf = async (
    body: unknown,
  ): Promise<{ status: number; code: string; errors: { pointer: string; code: string }[] }> => {
    const { status, json } = await api.call('POST', '/v1/objects/archive', { body });
    return { ...json, status };
  };

  it('contain the files under unique names, with a manifest, and are reproducible', async () => {
    const ids = [
      await upload('report.txt', 'one'),
      await upload('Report.txt', 'two'),
      await upload('report.txt', 'three'),
      await upload('manifest.json', '[]'),
      await upload('größe 文字.txt', 'four'),
    ];
    const { bytes, contents, manifest } = await openArchive({ ids });
    const { 'manifest.json': _manifest, ...files } = contents;
    expect(files).to.deep.equal({
      'report.txt': 'one',
      'Report (2).txt': 'two',
      'report (3).txt': 'three',
      'manifest (2).json': '[]',
      'größe 文字.txt': 'four',
    });
    expect(manifest.files.map((file: { object_id: string }) => file.object_id)).to.deep.equal(ids);
    expect(manifest.left_out).to.deep.equal([]);
    expect((await openArchive({ ids })).bytes.equals(bytes)).to.equal(true);
  });

  it('can be read by Python, if it is installed', async function () {
    const python = await run('bash', ['-c', 'command -v python3']).catch(() => null);
    if (!python) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-archive-'));
    try {
      const ids = [await upload('a.txt', 'x'.repeat(200_000)), await upload('empty.txt', ' ')];
      const path = join(folder, 'a.zip');
      await writeFile(path, (await openArchive({ ids })).bytes);
      const program = `import zipfile,sys
z=zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print([(i.filename,i.file_size,i.date_time[0]) for i in z.infolist()][1:])`;
      const { stdout } = await run('python3', ['-c', program, path]);
      expect(stdout.trim()).to.equal("[('a.txt', 200000, 1980), ('empty.txt', 1, 1980)]");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('check the policies of every object before the first byte', async () => {
    const [visible, secret] = [await upload('open.txt'), await upload('secret.txt')];
    await api.call('PATCH', `/v1/objects/${secret}`, { body: { tags: ['secret'] } });
    await addPolicy(api, {
      name: 'Secret',
      scope: { type: 'tag', tags: ['secret'] },
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    const problem = await rejectionOf({ ids: [visible, secret] });
    expect(problem).to.include({ status: 403, code: 'policy_denied' });
    expect(problem.errors).to.have.length(1);
    expect(problem.errors[0]).to.include({ pointer: '/ids/1', code: 'policy_denied' });
    const { contents, manifest } = await openArchive({
      ids: [visible, secret],
      on_error: 'continue',
    });
    expect(Object.keys(contents)).to.have.members(['manifest.json', 'open.txt']);
    expect(manifest.left_out).to.have.length(1);
    expect(manifest.left_out[0]).to.include({ object_id: secret, code: 'policy_denied' });
    const denials = await api.rows(
      `SELECT 1 FROM event WHERE type = 'dam.policy.denied' AND data->>'resource_id' = $1`,
      [secret],
    );
    expect(denials.length).to.be.greaterThan(0);
  });

  it('name what is missing or in the trash', async () => {
    const [here, trashed] = [await upload('here.txt'), await upload('trashed.txt')];
    await api.call('DELETE', `/v1/objects/${trashed}`);
    const absent = newId('object');
    const conflict = await rejectionOf({ ids: [here, trashed] });
    expect(conflict.status).to.equal(409);
    expect(conflict.errors.map(({ pointer }) => pointer)).to.deep.equal(['/ids/1']);
    expect((await requestArchive({ ids: [absent] })).status).to.equal(422);
    const { manifest } = await openArchive({ ids: [here, trashed, absent], on_error: 'continue' });
    expect(manifest.left_out.map((one: { code: string }) => one.code)).to.deep.equal([
      'state_conflict',
      'reference_not_found',
    ]);
    const foreign = await requestArchive({ ids: [here] }, api.other);
    expect(foreign.status).to.equal(422);
  });

  it('reject too many objects, duplicates and an empty list', async () => {
    const id = await upload('once.txt');
    for (const ids of [[], [id, id], Array.from({ length: 501 }, () => newId('object')), ['x']]) {
      expect((await requestArchive({ ids })).status).to.equal(422);
    }
    await api.rows('UPDATE object SET bytes = 1e11 WHERE id = $1', [id]);
    expect(await rejectionOf({ ids: [id] })).to.include({ status: 413, code: 'payload_too_large' });
  });

  it('stop waiting for copies when the client disconnects', async () => {
    const client = new AbortController();
    let requests = 0;
    const request = async () => {
      requests += 1;
      if (requests === 2) client.abort();
      return 1;
    };
    const error: unknown = await awaitCopies(request, () => undefined, client.signal).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('code', 'state_conflict');
    expect(requests).to.equal(2);
  });

  it('release their slot when the client disconnects', async () => {
    const name = 'large.bin';
    const made = await postRaw(api, Buffer.alloc(40 * 2 ** 20, 1), name);
    for (let round = 0; round < 6; round += 1) {
      await eventually(async () => {
        const response = await requestArchive({ ids: [made.json.id] });
        expect(response.status).to.equal(200);
        const reader = response.body!.getReader();
        await reader.read();
        await reader.cancel();
        return true;
      });
    }
  });

  it('leave slots for other projects, however many keys a project has', async () => {
    const made = await postRaw(api, Buffer.alloc(40 * 2 ** 20, 1), 'large.bin');
    const keys = await Promise.all(
      Array.from({ length: 5 }, () => api.issue(['objects:download'])),
    );
    const responses = await Promise.all(
      keys.flatMap((key) =>
        Array.from({ length: 4 }, () =>
          requestArchive({ ids: [made.json.id] }, { key: key.key, projectId: api.projectId }),
        ),
      ),
    );
    try {
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).not.to.have.length(0);
      expect(statuses.filter((status) => status === 200)).to.have.length.at.most(16);
      const { projectId, key } = api.other;
      const file = await postRaw(api, 'text', 'other.txt', { projectId, key });
      expect((await requestArchive({ ids: [file.json.id] }, api.other)).status).to.equal(200);
    } finally {
      await Promise.all(responses.map((response) => response.body?.cancel()));
    }
  });

  it('are aborted, not completed, if a file has changed', async () => {
    const id = await upload('short.txt', 'short');
    await api.rows('UPDATE object SET bytes = bytes + 10 WHERE id = $1', [id]);
    const failure = await requestArchive({ ids: [id] })
      .then((response) => response.arrayBuffer())
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(failure).to.be.instanceOf(Error);
  });

  it('have the announced length, even beyond 4 GiB', async () => {
    const chunk = Buffer.alloc(2 ** 20);
    const bytes = 5 * 2 ** 30;
    const pieces = function* () {
      for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
    };
    const entries = [
      { name: 'large', bytes, open: async () => Readable.from(pieces()) },
      { name: 'small', bytes: 1, open: async () => Readable.from([Buffer.from('x')]) },
    ];
    let length = 0;
    let last = Buffer.alloc(0);
    for await (const piece of streamZip(entries)) {
      length += piece.length;
      last = Buffer.concat([last, piece]).subarray(-400);
    }
    expect(length).to.equal(zipLength(entries));
    const directory = last.indexOf('PK\u0001\u0002');
    const second = last.indexOf('PK\u0001\u0002', directory + 4);
    // The position of the second file follows its sizes in the ZIP64 field.
    expect(last.readBigUInt64LE(second + 46 + 5 + 20) > BigInt(bytes)).to.equal(true);
  });

  it('number equal names, however many there are', () => {
    const nameOf = createUniqueNamer([]);
    const names = Array.from({ length: 500 }, () => nameOf('a.txt'));
    expect(new Set(names).size).to.equal(500);
    expect(names.at(-1)).to.equal('a (500).txt');
  });
});
