import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { Scriptorium, ScriptoriumError, type Upload } from '../../packages/client/src/index.ts';
import {
  downloadInto,
  downloadTo,
  openFile,
  safeFilename,
} from '../../packages/client/src/node.ts';
import { startApi, type TestApi } from '../support/api.ts';

const MiB = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('uploads and downloads of the client', () => {
  let api: TestApi;
  let folder: string;
  /** The requests in order, and what happens to them on the way. */
  let asked: string[];
  let meddle: (request: string, send: () => Promise<Response>) => Promise<Response>;
  let client: Scriptorium;
  before(async () => {
    api = await startApi();
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-client-'));
    client = new Scriptorium({
      baseUrl: api.url,
      projectId: api.projectId,
      apiKey: api.key,
      fetch: (input, init) => {
        const { pathname } = new URL(String(input));
        const request = `${init?.method} ${pathname.replace(/upl_\w+|obj_\w+/, 'id')}`;
        asked.push(request);
        return meddle(request, () => fetch(input, init));
      },
    });
  });
  beforeEach(() => {
    asked = [];
    meddle = (_, send) => send();
  });
  after(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  const expectArrived = async (object: Upload, bytes: Uint8Array): Promise<void> => {
    expect(object).to.include({ state: 'available', sha256: sha256(bytes), bytes: bytes.length });
    const response = await client.objects.download(object.id);
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).to.equal(object.sha256);
  };

  it('send a small file in one request, with any filename', async () => {
    const bytes = new Uint8Array(randomBytes(1_000));
    const filename = "Ärger 'quoted' 🙂, 100 %.bin";
    const object = await client.objects.upload(bytes, { filename });
    expect(object).to.include({ filename, deduplicated: false });
    expect(asked).to.deep.equal(['POST /v1/objects']);
    await expectArrived(object, bytes);
    const again = await client.objects.upload(bytes, { filename });
    expect(again).to.include({ id: object.id, deduplicated: true });
    const other = await client.objects.upload(bytes, { filename, onDuplicate: 'allow' });
    expect(other.id).not.to.equal(object.id);
  });

  it('accept browser files, buffers and streams', async () => {
    const bytes = new Uint8Array(randomBytes(10_000));
    const file = new File([bytes], 'of-browser.bin', { type: 'text/plain' });
    const options = { filename: 'a.bin' };
    const web = Readable.toWeb(Readable.from([Buffer.from(bytes)])) as ReadableStream<Uint8Array>;
    const objects = [
      await client.objects.upload(file),
      await client.objects.upload(bytes.buffer, { filename: 'b.bin' }),
      await client.objects.upload(web, options),
      await client.objects.upload(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), {
        filename: 'c.bin',
      }),
    ];
    for (const object of objects) await expectArrived(object, bytes);
    expect(objects[0]?.filename).to.equal('of-browser.bin');
    const nameless = await client.objects.upload(bytes).catch((error: Error) => error);
    expect(nameless).to.be.instanceOf(TypeError);
  });

  it('send a long stream of unknown size in one request, of known size in parts', async () => {
    const bytes = new Uint8Array(randomBytes(9 * MiB));
    const pieces = function* () {
      for (let at = 0; at < bytes.length; at += 700_000) yield bytes.subarray(at, at + 700_000);
    };
    const filename = 'long.bin';
    await expectArrived(await client.objects.upload(Readable.from(pieces()), { filename }), bytes);
    expect(asked.filter((request) => !request.startsWith('GET'))).to.deep.equal([
      'POST /v1/objects',
    ]);
    asked = [];
    const sized = { filename: 'sized.bin', bytes: bytes.length, tags: ['a'] };
    const object = await client.objects.upload(Readable.from(pieces()), sized);
    await expectArrived(object, bytes);
    expect(object.tags).to.deep.equal(['a']);
    expect(asked).to.include.members(['POST /v1/uploads', 'PATCH /v1/uploads/id']);
    const short = { ...sized, filename: 'short.bin', bytes: bytes.length + 1 };
    const wrong = client.objects.upload(Readable.from(pieces()), short);
    expect(await wrong.catch((error: Error) => error.message)).to.match(
      /ended after 9437184 bytes/,
    );
  });

  it('send tags and metadata with a small file, and report if they were ignored', async () => {
    const bytes = new Uint8Array(randomBytes(100));
    const options = { filename: 'tagged.bin', tags: ['a', 'ä,b'], metadata: { n: { deep: '🙂' } } };
    const object = await client.objects.upload(bytes, options);
    expect(object).to.deep.include({
      tags: options.tags,
      metadata: options.metadata,
      warnings: [],
    });
    const again = await client.objects.upload(bytes, options);
    expect(again).to.deep.include({
      id: object.id,
      deduplicated: true,
      warnings: ['tags_ignored'],
    });
  });

  it('resume after lost responses, broken connections and an unavailable service', async () => {
    const bytes = new Uint8Array(randomBytes(20 * MiB));
    const path = join(folder, 'large.bin');
    await writeFile(path, bytes);
    let patches = 0;
    meddle = async (request, send) => {
      if (!request.startsWith('PATCH')) return send();
      patches += 1;
      // Arrived, but the response is lost; never arrived; the service is unreachable.
      if (patches === 2) await send();
      if (patches === 2 || patches === 4) throw new TypeError('fetch failed');
      if (patches !== 6) return send();
      return Response.json({ code: 'dependency_unavailable', detail: '' }, { status: 503 });
    };
    const progress: number[] = [];
    const file = await openFile(path);
    const object = await client.objects.upload(file, {
      onProgress: ({ sent, total }) => {
        expect(total).to.equal(bytes.length);
        progress.push(sent);
      },
    });
    await file.close();
    await expectArrived(object, bytes);
    expect(object.filename).to.equal('large.bin');
    expect(progress.at(0)).to.equal(0);
    expect(progress.at(-1)).to.equal(bytes.length);
    expect(progress).to.deep.equal(progress.toSorted((a, b) => a - b));
    expect(asked.filter((request) => request === 'POST /v1/uploads')).to.have.length(1);
  });

  it('send further headers and the request ID with every request', async () => {
    const bytes = new Uint8Array(randomBytes(9 * MiB));
    const sent: string[] = [];
    const watched = new Scriptorium({
      baseUrl: api.url,
      projectId: api.projectId,
      apiKey: api.key,
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        sent.push(`${headers.get('x-trace')} ${headers.get('x-request-id')}`);
        return fetch(input, init);
      },
    });
    const options = { filename: 'traced.bin', requestId: 'req-1', headers: { 'X-Trace': 't1' } };
    await watched.objects.upload(bytes.subarray(0, 1_000), options);
    expect(sent).to.deep.equal(['t1 req-1']);
    await watched.objects.upload(bytes, options);
    expect(sent.length).to.be.greaterThan(5);
    expect(new Set(sent)).to.deep.equal(new Set(['t1 req-1']));
  });

  it('stop by their signal and resume by the upload’s ID', async () => {
    const bytes = new Uint8Array(randomBytes(12 * MiB));
    const stop = new AbortController();
    let uploadId = '';
    let stoppedAt = 0;
    const ended = await client.objects
      .upload(bytes, {
        filename: 'again.bin',
        signal: stop.signal,
        onUpload: (id) => {
          uploadId = id;
        },
        onProgress: ({ sent }) => {
          stoppedAt = sent;
          if (sent > 0) stop.abort(new Error('enough'));
        },
      })
      .catch((error: Error) => error.message);
    expect(ended).to.equal('enough');
    expect(stoppedAt).to.be.within(1, bytes.length - 1);
    const sent: number[] = [];
    const onProgress = (told: { sent: number }): void => void sent.push(told.sent);
    const options = { filename: 'again.bin', uploadId, onProgress };
    await expectArrived(await client.objects.upload(bytes, options), bytes);
    expect(sent[0]).to.equal(stoppedAt);
    const other = client.objects.upload(bytes.subarray(1), options);
    expect(await other.catch((error: Error) => error.message)).to.match(/has 12582912 bytes/);
  });

  it('throw the rejection, for one request or many', async () => {
    const exe = Buffer.alloc(9 * MiB);
    exe.write('MZ', 0);
    exe.write('PE\0\0', 128);
    exe.writeUInt32LE(128, 60);
    for (const bytes of [new Uint8Array(exe.subarray(0, 1_000)), new Uint8Array(exe)]) {
      const error = await client.objects
        .upload(bytes, { filename: 'tool.exe' })
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ScriptoriumError);
      expect(error).to.include({ status: 403, code: 'policy_denied' });
      expect((error as ScriptoriumError).problem.violations)
        .to.be.an('array')
        .with.length(1);
    }
  });

  it('verify downloads, and overwrite no existing file', async () => {
    const bytes = new Uint8Array(randomBytes(50_000));
    const object = await client.objects.upload(bytes, { filename: 'mine.bin' });
    const into = join(folder, 'into');
    const paths = [
      await downloadInto(client, object, into),
      await downloadInto(client, object, into),
    ];
    expect(paths).to.deep.equal([join(into, 'mine.bin'), join(into, 'mine-2.bin')]);
    expect(sha256(await readFile(paths[0]!))).to.equal(object.sha256);
    const taken = await downloadTo(client, object.id, paths[0]!).catch((error: Error) => error);
    expect(taken).to.include({ code: 'EEXIST' });
    meddle = async (_, send) => {
      const response = await send();
      const wrong = new Uint8Array(await response.arrayBuffer());
      wrong[7]! ^= 1;
      return new Response(wrong, { headers: response.headers });
    };
    const error = await downloadTo(client, object.id, join(into, 'x')).catch((e: Error) => e);
    expect(error).to.include({ code: 'content_mismatch' });
    expect((await readdir(into)).toSorted()).to.deep.equal(['mine-2.bin', 'mine.bin']);
  });

  it('write no filename that leaves the folder', () => {
    expect(safeFilename('../../etc/passwd')).to.equal('passwd');
    expect(safeFilename('C:\\a\\b.txt')).to.equal('b.txt');
    expect(safeFilename('..')).to.equal('');
    expect(safeFilename('.ssh')).to.equal('ssh');
    expect(safeFilename('-rf')).to.equal('rf');
    expect(safeFilename('a\u001b[31m\u202eb.txt')).to.equal('a_[31m_b.txt');
    expect(safeFilename('Ünï 🙂.pdf')).to.equal('Ünï 🙂.pdf');
  });
});
