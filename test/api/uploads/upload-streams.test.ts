import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { StorageError } from '../../../src/storage/storage.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import {
  countObjects,
  filePart,
  formType,
  listTempFiles,
  multipartForm,
  openUpload,
  postForm,
  postRaw,
  readToEnd,
  sendRaw,
} from '../../support/uploads.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('upload streams', () => {
  let api: TestApi;
  let names = 0;
  const fresh = () => `file-${++names}.txt`;

  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  describe('interrupted by a client or a full disk', () => {
    it('leave no file and no row if aborted', async () => {
      const before = await countObjects(api);
      const type = { 'content-type': formType, 'content-length': '1000000' };
      const raw = { 'content-type': 'text/plain', 'x-filename': 'a', 'content-length': '1000000' };
      for (const [headers, start] of [
        [type, multipartForm(filePart('z'.repeat(500_000))).subarray(0, 400_000)],
        [raw, Buffer.alloc(400_000)],
      ] as const) {
        const socket = await openUpload(api, headers);
        socket.write(start);
        await eventually(async () => (await listTempFiles(api)).length === 1);
        socket.destroy();
        await eventually(async () => (await listTempFiles(api)).length === 0);
      }
      expect(await countObjects(api)).to.equal(before);
    });

    it('are rejected with a Content-Length below the number of bytes', async () => {
      const socket = await openUpload(api, {
        'content-type': 'text/plain',
        'x-filename': fresh(),
        'content-length': '2',
      });
      socket.write('four');
      const answer = await readToEnd(socket);
      // The first two may be stored by now. The bytes after them are not a request.
      expect(answer).to.match(/HTTP\/1.1 400 [\s\S]*"code":"malformed_request"/);
    });

    it('return a retryable 507 when the disk is full', async () => {
      const full = await startApi({
        deps: ({ storage }) => ({
          storage: {
            ...storage,
            receive: async () => {
              throw new StorageError('storage_full', 'no room');
            },
          },
        }),
      });
      try {
        for (const answer of [
          await postRaw(full, Buffer.alloc(100_000), 'a'),
          await postForm(full, multipartForm(filePart(Buffer.alloc(100_000)))),
        ]) {
          expect([answer.status, answer.json.code]).to.deep.equal([507, 'storage_full']);
          expect(answer.json.retryable).to.equal(true);
        }
      } finally {
        await full.close();
      }
    });
  });

  describe('with a limit', () => {
    const most = limits.direct_upload_bytes;
    function* zeros(bytes: number): Generator<Buffer> {
      const chunk = Buffer.alloc(1024 * 1024, 7);
      for (let left = bytes; left > 0; left -= chunk.length) {
        yield left >= chunk.length ? chunk : chunk.subarray(0, left);
      }
    }
    function* formOf(bytes: number): Generator<Buffer> {
      const [head, tail] = [filePart('', fresh()).subarray(0, -2), Buffer.from('\r\n')];
      yield head;
      yield* zeros(bytes);
      yield Buffer.concat([tail, multipartForm()]);
    }

    it('reach it in bounded memory, as a form and as raw bytes', async () => {
      let highest = 0;
      let samples = 0;
      collectGarbage();
      const base = process.memoryUsage().arrayBuffers;
      // Memory after collection and ten uploads; the time of the collection does not matter.
      function* watched(pieces: Iterable<Buffer>): Generator<Buffer> {
        let at = 0;
        for (const piece of pieces) {
          yield piece;
          if (++at % 10 !== 0) continue;
          collectGarbage();
          samples += 1;
          highest = Math.max(highest, process.memoryUsage().arrayBuffers - base);
        }
      }
      for (const [type, body] of [
        [formType, formOf(most)],
        ['application/octet-stream', zeros(most)],
      ] as const) {
        const headers = { 'content-type': type, 'x-filename': fresh() };
        const answer = await sendRaw(
          api,
          'POST',
          '/v1/objects',
          headers,
          Readable.from(watched(body)),
        );
        expect(answer.status).to.equal(201);
        expect(JSON.parse(answer.body.toString()).bytes).to.equal(most);
      }
      // Includes the client, which runs in this process.
      expect(samples).to.equal(20);
      expect(highest).to.be.at.most(48 * 1024 * 1024);
    });

    it('cannot exceed it by one byte, announced or not', async () => {
      const before = await countObjects(api);
      for (const [headers, body] of [
        [{ 'content-type': formType }, formOf(most + 1)],
        [{ 'x-filename': 'a' }, zeros(most + 1)],
      ] as const) {
        const answer = await sendRaw(
          api,
          'POST',
          '/v1/objects',
          { 'content-type': 'application/octet-stream', ...headers },
          Readable.from(body),
        );
        expect(answer.status).to.equal(413);
        const problem = JSON.parse(answer.body.toString());
        expect(problem).to.include({ code: 'payload_too_large', limit_bytes: most });
      }
      await eventually(async () => (await listTempFiles(api)).length === 0);
      expect(await countObjects(api)).to.equal(before);
    });
  });
});
