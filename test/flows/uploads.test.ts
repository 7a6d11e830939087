import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { ResumableUpload } from '@scriptorium/contracts/wire/library/uploads';
import { expect } from 'chai';
import { Upload } from 'tus-js-client';
import { openService, type Program, type TestService } from '../support/service.ts';

const MiB = 1024 * 1024;

/** The peak memory of a process in bytes. */
function peakMemory(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

describe('an upload by a tus client', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await openService();
  });
  afterEach(() => service.close());

  /** Uploads with the client's own resumption after failures; returns the upload's path. */
  const upload = (
    bytes: Buffer,
    options: { chunkSize?: number; onProgress?: (sent: number) => void } = {},
  ): Promise<string> =>
    new Promise((resolve, reject) => {
      const client = new Upload(bytes, {
        endpoint: `${service.url}/v1/uploads`,
        headers: {
          Authorization: `Bearer ${service.apiKey}`,
          'X-Service-Project-ID': service.projectId,
        },
        metadata: { filename: 'archive.bin', filetype: 'application/octet-stream' },
        retryDelays: Array.from({ length: 400 }, () => 250),
        ...(options.chunkSize ? { chunkSize: options.chunkSize } : {}),
        onProgress: (sent) => options.onProgress?.(sent),
        onError: reject,
        onSuccess: () => resolve(new URL(client.url ?? '').pathname),
      });
      client.start();
    });

  const expectArrived = async (path: string, bytes: Buffer): Promise<void> => {
    const record = (await (await service.call('GET', path)).json()) as ResumableUpload;
    expect(record).to.include({ state: 'completed', offset: bytes.length, bytes: bytes.length });
    const response = await service.call('GET', `/v1/objects/${record.object_id}`);
    const object = (await response.json()) as ObjectRecord;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(object).to.include({ sha256, bytes: bytes.length, state: 'available' });
    const content = await service.call('GET', `/v1/objects/${record.object_id}/content`);
    const came = Buffer.from(await content.arrayBuffer());
    expect(came.equals(bytes)).to.equal(true);
  };

  for (const [how, chunkSize] of [
    ['in one request', undefined],
    ['in chunks of 5 MiB', 5 * MiB],
  ] as const) {
    it(`arrives complete ${how} although the API is killed three times`, async () => {
      const bytes = randomBytes(64 * MiB);
      let server: Program = await service.startServer();
      const peaks: number[] = [];
      const marks = [10 * MiB, 30 * MiB, 50 * MiB];
      let restarted = Promise.resolve();
      const path = await upload(bytes, {
        ...(chunkSize ? { chunkSize } : {}),
        onProgress: (sent) => {
          if (sent < (marks[0] ?? Number.POSITIVE_INFINITY)) return;
          marks.shift();
          peaks.push(peakMemory(server.pid));
          // The signal is sent before this returns; requests in flight are lost.
          const dead = server.kill();
          restarted = restarted.then(async () => {
            await dead;
            server = await service.startServer();
          });
        },
      });
      await restarted;
      expect(marks).to.deep.equal([]);
      await expectArrived(path, bytes);
      peaks.push(peakMemory(server.pid));
      expect(peaks).to.have.length(4);
      expect(Math.max(...peaks)).to.be.below(300 * MiB);
    });
  }
});
