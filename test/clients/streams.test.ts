import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Job, Scriptorium, ScriptoriumError } from '../../packages/client/src/index.ts';
import { readServerSentEvents } from '../../packages/client/src/sse.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const events = { 'Content-Type': 'text/event-stream; charset=utf-8' };
const told = (sequence: number): string =>
  `id: ${sequence}\ndata: ${JSON.stringify({ sequence, type: 'dam.object.trashed' })}\n\n`;
/** Sends these lines and ends the response. */
const says =
  (...lines: string[]): Answer =>
  (response) => {
    response.writeHead(200, events).end(lines.join(''));
  };
/** Sends these lines and breaks the connection. */
const breaks =
  (...lines: string[]): Answer =>
  (response) => {
    response.writeHead(200, events);
    response.write(lines.join(''), () => setImmediate(() => response.destroy()));
  };
const problem =
  (status: number, code: string): Answer =>
  (response) => {
    const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '0' };
    response.writeHead(status, headers).end(JSON.stringify({ code, detail: 'It is so.' }));
  };
const job = (version: number, state: Job['state']): string => JSON.stringify({ version, state });

describe('event streams and job watching in the client', () => {
  const seen: IncomingMessage['headers'][] = [];
  let answers: Answer[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    (answers.shift() ?? problem(410, 'no_answer_left'))(response, request);
  });
  let client: Scriptorium;
  before(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new Scriptorium({ baseUrl, projectId: 'prj_1', apiKey: 'sk_1' });
  });
  beforeEach(() => {
    seen.length = 0;
    answers = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The sequences in a stream, and the error that it ends with. */
  const follow = async (): Promise<{ sequences: number[]; error: unknown }> => {
    const sequences: number[] = [];
    try {
      for await (const event of client.events.stream()) sequences.push(event.sequence);
    } catch (error) {
      return { sequences, error };
    }
    return { sequences, error: null };
  };

  it('parse server-sent events at any chunk boundaries', async () => {
    const text =
      ': hello\r\nretry: 5\r\n\r\nid: 1\ndata: ä🙂\ndata:  b\n\nevent: end\rdata\r\rid: 2\n\ndata: lost';
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let i = 1; i < at.length; i += 1) {
              if (at[i]! > at[i - 1]!) controller.enqueue(bytes.slice(at[i - 1], at[i]));
            }
            controller.close();
          },
        });
        const read = [];
        for await (const event of readServerSentEvents(body, { idleMs: 10_000 })) read.push(event);
        expect(read).to.deep.equal([
          { event: 'message', data: '', id: '', retry: 5 },
          { event: 'message', data: 'ä🙂\n b', id: '1', retry: 5 },
          { event: 'end', data: '', id: '1', retry: 5 },
          { event: 'message', data: '', id: '2', retry: 5 },
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('time out on a silent connection', async () => {
    const silent = new ReadableStream<Uint8Array>({});
    const reading = readServerSentEvents(silent, { idleMs: 5 }).next();
    expect(await reading.catch((error: Error) => error.message)).to.match(/No data was received/);
  });

  it('resume after the last event if the connection breaks or the service closes it', async () => {
    answers = [
      says('retry: 1\nid: 4\n\n', told(5), told(6), ': keep-alive\nid: 9\n\n'),
      breaks('retry: 1\nid: 9\n\n', told(10)),
      problem(503, 'dependency_unavailable'),
      says('retry: 1\n\n', told(11)),
      problem(410, 'cursor_expired'),
    ];
    const { sequences, error } = await follow();
    expect(sequences).to.deep.equal([5, 6, 10, 11]);
    expect(error).to.be.instanceOf(ScriptoriumError).and.include({ code: 'cursor_expired' });
    const positions = seen.map((headers) => headers['last-event-id']);
    expect(positions).to.deep.equal([undefined, '9', '10', '10', '11']);
  });

  it('report why the service ended a stream for good', async () => {
    answers = [
      says(told(1), 'event: end\ndata: {"code":"api_key_revoked","detail":"It was revoked."}\n\n'),
    ];
    const { sequences, error } = await follow();
    expect(sequences).to.deep.equal([1]);
    expect(error).to.include({ code: 'api_key_revoked', detail: 'It was revoked.' });
    expect(seen).to.have.length(1);
  });

  it('end with their signal and close the connection', async () => {
    const stop = new AbortController();
    let closed: Promise<void> | undefined;
    answers = [
      (response, request) => {
        closed = new Promise((resolve) => request.once('close', resolve));
        response.writeHead(200, events).write(told(1));
      },
    ];
    const stream = client.events.stream({}, { signal: stop.signal });
    expect((await stream.next()).value).to.include({ sequence: 1 });
    stop.abort(new Error('enough'));
    expect(await stream.next().catch((error: Error) => error.message)).to.equal('enough');
    await closed;
  });

  it('wait for a job by its stream, across reconnections', async () => {
    const changes: number[] = [];
    answers = [
      breaks('retry: 1\n\n', `event: job\ndata: ${job(1, 'queued')}\n\n`),
      says(
        `event: job\ndata: ${job(1, 'queued')}\n\nevent: job\ndata: ${job(2, 'running')}\n\n`,
        `event: job\ndata: ${job(3, 'failed')}\n\n`,
      ),
    ];
    const onProgress = ({ version }: Job): void => void changes.push(version);
    const ended = await client.jobs.wait('job_1', { onProgress });
    expect(ended).to.deep.equal({ version: 3, state: 'failed' });
    expect(changes).to.deep.equal([1, 2, 3]);
    expect(seen.map(({ accept }) => accept)).to.deep.equal(Array(2).fill('text/event-stream'));
  });

  it('wait for a job with Prefer: wait if streams are blocked', async () => {
    const json =
      (body: string): Answer =>
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
      };
    const unchanged: Answer = (response) => void response.writeHead(304).end();
    answers = [
      says('retry: 1\n\n'),
      json(job(1, 'running')),
      unchanged,
      json(job(2, 'running')),
      json(job(3, 'succeeded')),
    ];
    const changes: number[] = [];
    const onProgress = ({ version }: Job): void => void changes.push(version);
    const ended = await client.jobs.wait('job_1', { onProgress });
    expect(ended.state).to.equal('succeeded');
    expect(changes).to.deep.equal([1, 2, 3]);
    expect(seen.slice(1).map((headers) => headers['if-none-match'])).to.deep.equal([
      undefined,
      '"1"',
      '"1"',
      '"2"',
    ]);
    expect(seen.slice(2).map(({ prefer }) => prefer)).to.deep.equal(Array(3).fill('wait=20'));
  });
});
