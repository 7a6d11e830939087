import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isTerminal } from '@scriptorium/contracts/jobs';
import type { OperationName } from '@scriptorium/contracts/operations';
import type { JobRecord, PageRecord } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { createProject } from '../../../src/access/projects.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { openBench } from '../support/bench.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from '../support/programs.ts';
import { type CorpusResult, report } from './corpus-report.ts';
import type { Outcome } from './steps.ts';
import { type ResourceUsage, watchChildren } from './watch.ts';

/** The operations of a file, grouped into jobs: redaction together with normalisation. */
function jobsOf(operations: readonly OperationName[]): OperationName[][] {
  const has = (name: string) => operations.some((operation) => operation === name);
  const plain = operations.filter((name) => name !== 'redact_pii');
  const redacted = operations.filter(
    (name) => name === 'redact_pii' || String(name) === 'normalize_for_llm',
  );
  return [plain, ...(has('redact_pii') ? [redacted] : [])].filter((list) => list.length > 0);
}

/**
 * Runs each file as jobs, in order, through an API and a worker of all queues, started as in a
 * deployment. If the worker exits, so does the benchmark.
 */
export async function runAsJobs(
  files: readonly string[],
  operations: readonly OperationName[],
): Promise<CorpusResult[]> {
  buildPrograms();
  const bench = await openBench();
  const port = await freePort();
  const environment = serverEnvironment(bench, port);
  const server = startBuilt('server', { ...environment, LOG_LEVEL: 'warn' });
  const secretKey = environment.SECRET_KEY;
  const worker = startBuilt('worker', workerEnvironment(bench, { secretKey, queues: 'all' }));
  let running = true;
  void worker.exited.then(() => {
    if (running) throw new Error('The worker has ended.');
  });
  try {
    await untilReady(port);
    const owner = await bench.openDatabase(bench.urls.ownerUrl, 2);
    const project = await inTransaction(owner, (tx) => createProject(tx, 'corpus'));
    const call = async <T>(method: string, path: string, body?: Uint8Array | string, name = '') => {
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${project.secret}`,
          'X-Service-Project-ID': project.projectId,
          'Content-Type':
            typeof body === 'string' ? 'application/json' : 'application/octet-stream',
          ...(name ? { 'X-Filename': name } : {}),
        },
        ...(body === undefined ? {} : { body }),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    };
    const lines: CorpusResult[] = [];
    for (const file of files) {
      const { id } = await call<ObjectRecord>(
        'POST',
        '/objects',
        readFileSync(file),
        basename(file),
      );
      for (const list of jobsOf(operations)) {
        const stopWatching = watchChildren(worker.pid);
        const start = performance.now();
        let job = await call<JobRecord>(
          'POST',
          '/documents/jobs',
          JSON.stringify({ source_object_id: id, operations: list.map((op) => ({ op })) }),
        );
        while (!isTerminal(job.state)) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          job = await call<JobRecord>('GET', `/documents/jobs/${job.id}`);
        }
        const pages = await call<{ data: PageRecord[] }>(
          'GET',
          `/documents/jobs/${job.id}/pages?state=failed&limit=200`,
        );
        const usage = stopWatching();
        const seconds = (performance.now() - start) / 1000;
        for (const line of linesOf(file, job, pages.data, seconds, usage)) {
          lines.push(line);
          report.line(line);
        }
      }
    }
    return lines;
  } finally {
    running = false;
    await worker.stop();
    await server.stop();
    await bench.close();
  }
}

/** A line per operation of a job, including implicit ones. Time and memory are those of the job. */
function linesOf(
  file: string,
  job: JobRecord,
  failed: readonly PageRecord[],
  seconds: number,
  usage: ResourceUsage,
): CorpusResult[] {
  return job.operations.map(({ index, op, implicit, state, error, progress, result }) => {
    const outcome: Outcome = {
      pages: progress.pages_total ?? 0,
      failed: failed
        .filter((page) => page.operation_index === index)
        .flatMap(({ page, error }) => (error ? [{ page, ...error }] : [])),
      error,
      result,
      outputs: [],
    };
    const operation = implicit ? '(ocr)' : op;
    const skipped = state === 'skipped';
    return { file, operation, outcome, fault: null, skipped, seconds, ...usage };
  });
}
