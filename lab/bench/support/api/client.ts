import { isTerminal } from '@scriptorium/contracts/jobs';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { UploadRecord } from '@scriptorium/contracts/wire/library/objects';
import type { PackRecord } from '@scriptorium/contracts/wire/packs';

/** A project's API, used as by a client: uploads, jobs, and waiting for their results. */
export interface ApiClient {
  upload(bytes: Uint8Array, filename: string): Promise<UploadRecord>;
  /** Starts `ocr` with its defaults and waits until the job has ended. */
  runOcr(objectId: string): Promise<JobRecord>;
  download(objectId: string): Promise<Buffer>;
  /** Waits until a worker has processed an image; returns it. */
  waitForImage(imageId: string): Promise<ImageRecord>;
  /** Builds a pack and waits until it has ended. */
  buildPack(body: object): Promise<PackRecord>;
  /** Any other request with a JSON body. */
  send<T>(method: string, path: string, body: object): Promise<T>;
}

export function createApiClient(
  port: number,
  { secret, projectId }: { secret: string; projectId: string },
  pollMs = 25,
): ApiClient {
  const fetchOk = async (
    method: string,
    path: string,
    body?: Uint8Array | string,
    filename = '',
    prefer = '',
  ) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        'X-Service-Project-ID': projectId,
        'Content-Type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
        ...(filename ? { 'X-Filename': filename } : {}),
        ...(prefer ? { Prefer: prefer } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response;
  };
  const call = async <T>(...request: Parameters<typeof fetchOk>): Promise<T> =>
    (await (await fetchOk(...request)).json()) as T;
  const waitFor = async <T>(
    read: () => Promise<T>,
    isDone: (value: T) => boolean,
    minutes = 5,
  ): Promise<T> => {
    const end = performance.now() + minutes * 60_000;
    for (;;) {
      const value = await read();
      if (isDone(value)) return value;
      if (performance.now() > end) throw new Error(`Timed out after ${minutes} minutes.`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  return {
    upload: (bytes, filename) => call<UploadRecord>('POST', '/objects', bytes, filename),
    async runOcr(objectId) {
      const body = JSON.stringify({ source_object_id: objectId, operations: [{ op: 'ocr' }] });
      const { id } = await call<JobRecord>('POST', '/documents/jobs', body);
      const job = await waitFor(
        // Long polling: the API responds when the job changes.
        () => call<JobRecord>('GET', `/documents/jobs/${id}`, undefined, '', 'wait=10'),
        ({ state }) => isTerminal(state),
      );
      if (job.state !== 'succeeded') {
        throw new Error(`The job ended as ${job.state}: ${JSON.stringify(job.error)}`);
      }
      return job;
    },
    async download(objectId) {
      const response = await fetchOk('GET', `/objects/${objectId}/content`);
      return Buffer.from(await response.arrayBuffer());
    },
    waitForImage: (imageId) =>
      waitFor(
        () => call<ImageRecord>('GET', `/images/${imageId}`),
        ({ processing }) => !processing,
      ),
    async buildPack(body) {
      const { id } = await call<PackRecord>('POST', '/documents/packs', JSON.stringify(body));
      return waitFor(
        () => call<PackRecord>('GET', `/documents/packs/${id}`, undefined, '', 'wait=10'),
        ({ state }) => isTerminal(state),
        60,
      );
    },
    send: (method, path, body) => call(method, path, JSON.stringify(body)),
  };
}
