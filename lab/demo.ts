import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { isTerminal } from '@scriptorium/contracts/jobs';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { parseVerifyingKey, verify } from '../src/webhooks/sign.ts';
import { checkout } from './embedded/programs.ts';
import { createProgress, type Progress, type Step } from './embedded/progress.ts';
import { findRunningStack } from './embedded/running-stack.ts';
import { defaultDataDir, type RunningStack, startStack } from './embedded/stack.ts';
import { StartError } from './embedded/start-error.ts';

/**
 * `script/demo [FILE]`: the main use case as a client would implement it. It uploads a scanned PDF
 * and receives a searchable PDF, its text and words, a redacted copy, its classification, text for
 * a language model, and a signed webhook.
 */
const samplePath = join(checkout, 'examples', 'scan.pdf');
const dataDir = resolve(process.env.DATA_PATH || defaultDataDir);
const outDir = join(dataDir, 'demo');

interface Client {
  call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T>;
  download(path: string): Promise<Buffer>;
  upload(path: string): Promise<ObjectRecord>;
}

function createClient(stack: RunningStack): Client {
  const access = {
    Authorization: `Bearer ${stack.apiKey}`,
    'X-Service-Project-ID': stack.projectId,
  };
  const send = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(stack.serviceUrl + path, {
      ...init,
      method,
      headers: { ...access, ...(init.headers as Record<string, string>) },
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? error.cause : undefined;
      throw new StartError(
        `${method} ${path} failed: ${cause instanceof Error ? cause.message : error}`,
      );
    });
    if (!response.ok) {
      throw new StartError(
        `${method} ${path} returned ${response.status}: ${await response.text()}`,
      );
    }
    return response;
  };
  return {
    async call<T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> {
      const response = await send(method, path, {
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // The service's response, in the form of its OpenAPI document.
      return (response.status === 204 ? undefined : await response.json()) as T;
    },
    async download(path) {
      return Buffer.from(await (await send('GET', path, {})).arrayBuffer());
    },
    async upload(path) {
      const response = await send('POST', '/v1/objects?on_duplicate=allow', {
        headers: {
          'Content-Type': 'application/octet-stream',
          'X-Filename': encodeURIComponent(basename(path)),
        },
        body: await readFile(path),
      });
      return (await response.json()) as ObjectRecord;
    },
  };
}

interface ReceivedEvent {
  id: string;
  type: string;
  resource_id: string;
}

/** A receiver as a customer would write it, which trusts only signed requests. */
async function startReceiver() {
  let secret = '';
  const events: ReceivedEvent[] = [];
  const rejected: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const header = (name: string): string => String(request.headers[name] ?? '');
    const isGenuine = verify(
      {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body,
      },
      { keys: [parseVerifyingKey(secret)], now: Math.floor(Date.now() / 1_000) },
    );
    if (isGenuine) events.push(JSON.parse(body.toString('utf8')) as ReceivedEvent);
    else rejected.push(header('webhook-id'));
    response.writeHead(isGenuine ? 204 : 401).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    events,
    rejected,
    trust(finished: string) {
      secret = finished;
    },
    /** Waits for an event of this type about a resource, as long as other events arrive. */
    wait(type: string, resourceId: string, step: Step): Promise<true> {
      return step.pollUntil(async () => {
        step.advance(pluralise(events.length, 'event'));
        return events.some((e) => e.type === type && e.resource_id === resourceId) || undefined;
      });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Waits for the job to end, as long as it makes progress. */
async function waitForJob(client: Client, jobId: string, step: Step): Promise<JobRecord> {
  let version = 0;
  return step.pollUntil(async () => {
    const job = await client.call<JobRecord>('GET', `/v1/documents/jobs/${jobId}`, undefined, {
      Prefer: 'wait=2',
    });
    if (job.version !== version) showProgress(job);
    version = job.version;
    step.advance(`${job.state}, ${job.progress.percent} %, version ${version}`);
    return isTerminal(job.state) ? job : undefined;
  });
}

function showProgress(job: JobRecord): void {
  const { percent, pages_completed, pages_total, eta_seconds } = job.progress;
  const filled = Math.round(percent / 4);
  const bar = '█'.repeat(filled) + '░'.repeat(25 - filled);
  const remaining = eta_seconds === null ? '' : `, about ${eta_seconds} s left`;
  const line = `  ${bar} ${percent} %  ${pages_completed} of ${pages_total ?? '?'} pages  ${job.state}${remaining}`;
  process.stderr.write(process.stderr.isTTY ? `\r${line.padEnd(90)}` : `${line}\n`);
  isOnLine = process.stderr.isTTY;
}

/** Whether the progress bar is on the last line, which has no line end. */
let isOnLine = false;

async function run(stack: RunningStack, path: string, progress: Progress): Promise<void> {
  const client = createClient(stack);
  const receiver = await startReceiver();
  try {
    print(`Scriptorium is running at ${stack.serviceUrl}, project ${stack.projectId}.`, '');
    const webhook = await client.call<{ id: string; secret: string }>('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['documents.job.*'],
      description: 'script/demo',
    });
    receiver.trust(webhook.secret);
    print(`Webhook   ${webhook.id} receives documents.job.* at ${receiver.url}`);
    const object = await client.upload(path);
    print(`Uploaded  ${object.filename}, ${pluralise(object.bytes, 'byte')}, as ${object.id}`);
    const started = await client.call<JobRecord>('POST', '/v1/documents/jobs', {
      source_object_id: object.id,
      operations: [
        { op: 'ocr', options: { output: ['searchable_pdf', 'text', 'words'] } },
        { op: 'redact_pii', options: { style: 'label', keep_unredacted: true } },
        { op: 'classify' },
        { op: 'normalize_for_llm' },
      ],
    });
    print(`Job       ${started.id}`);
    const job = await progress.during('waiting for the job', (step) =>
      waitForJob(client, started.id, step),
    );
    if (job.state !== 'succeeded')
      throw new StartError(`The job ${job.state}: ${job.error?.message}`);
    await mkdir(outDir, { recursive: true });
    for (const output of job.outputs) {
      const outputObject = await client.call<ObjectRecord>(
        'GET',
        `/v1/objects/${output.object_id}`,
      );
      const target = join(outDir, outputObject.filename);
      await writeFile(target, await client.download(`/v1/objects/${output.object_id}/content`));
      print(`Output    ${output.kind.padEnd(14)} ${target} (${pluralise(output.bytes, 'byte')})`);
      if (output.kind === 'text' || output.kind === 'markdown') await showText(target);
    }
    showRedaction(job);
    showClassification(job);
    await progress.during('waiting for the webhook of documents.job.succeeded', (step) =>
      receiver.wait('documents.job.succeeded', job.id, step),
    );
    const kinds = receiver.events.filter(({ resource_id }) => resource_id === job.id);
    print(
      `Webhooks  ${kinds.length} received, all signatures valid, ${receiver.rejected.length} rejected: ` +
        [...new Set(kinds.map(({ type }) => type))].join(', '),
    );
    const feed = await client.call<{ data: unknown[] }>('GET', `/v1/events?resource_id=${job.id}`);
    print(`Events    ${feed.data.length} about the job at GET /v1/events?resource_id=${job.id}`);
    const { version } = await client.call<{ version: number }>('GET', `/v1/webhooks/${webhook.id}`);
    await client.call('DELETE', `/v1/webhooks/${webhook.id}`, undefined, {
      'If-Match': `"${version}"`,
    });
  } finally {
    receiver.close();
  }
}

/** The result of a redaction. The service validates its results, so a client need not. */
interface RedactionResult {
  entities_by_type: Record<string, number>;
  regions: number;
  verified: boolean;
  checks: { name: string; passed: boolean }[];
}

function showRedaction(job: JobRecord): void {
  const operation = job.operations.find(({ op }) => op === 'redact_pii');
  const result = operation?.result as RedactionResult | null | undefined;
  if (!result) throw new StartError('The redaction has no result.');
  const found = Object.entries(result.entities_by_type);
  const findings = found.reduce((sum, [, count]) => sum + count, 0);
  const types = found.map(([type, count]) => `${count} ${type}`).join(', ') || 'none';
  const passed = result.checks.filter((check) => check.passed).map(({ name }) => name);
  print(
    `Redacted  ${pluralise(findings, 'finding')} in ${pluralise(result.regions, 'region')}: ${types}`,
    `Verified  ${result.verified ? 'yes' : 'no'}; passed: ${passed.join(', ')}`,
  );
}

interface ClassificationResult {
  labels: { label: string; score: number }[];
  signals: { name: string }[];
}

function showClassification(job: JobRecord): void {
  const operation = job.operations.find(({ op }) => op === 'classify');
  const result = operation?.result as ClassificationResult | null | undefined;
  if (!result) throw new StartError('The classification has no result.');
  const labels = result.labels.map(({ label, score }) => `${label} ${Math.round(100 * score)} %`);
  const signals = result.signals.map(({ name }) => name);
  print(`Classified as ${labels.join(', ')}, by: ${signals.join(', ') || 'nothing in particular'}`);
}

async function showText(path: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  print(...lines.slice(0, 5).map((line) => `          │ ${line.slice(0, 76)}`));
}

function print(...lines: string[]): void {
  process.stderr.write(`${isOnLine ? '\n' : ''}${lines.join('\n')}\n`);
  isOnLine = false;
}

/** Runs the demo, unless the service cannot be kept running. */
async function runOn(stack: RunningStack, path: string): Promise<void> {
  const given = new AbortController();
  const progress = createProgress({ log: print, signal: given.signal });
  const reportTimer = setInterval(progress.reportIfDue, 1_000);
  try {
    await Promise.race([
      run(stack, path, progress),
      stack.failure.then((reason) => {
        throw new StartError(reason);
      }),
    ]);
  } finally {
    given.abort();
    clearInterval(reportTimer);
  }
}

try {
  let stack = await findRunningStack(print, dataDir);
  if (!stack) {
    print('Starting Postgres, Redis, the API and its workers.');
    stack = await startStack({ env: process.env, dataDir, output: 'files', log: print });
  }
  try {
    await runOn(stack, process.argv[2] ? resolve(process.argv[2]) : samplePath);
  } finally {
    await stack.stop();
  }
  print(
    '',
    'Done. script/server keeps it running, with the portal; script/demo FILE does the same with a file of yours.',
  );
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  print(error.message);
  process.exitCode = 1;
}
