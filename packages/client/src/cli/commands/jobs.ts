import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Job } from '../../generated.ts';
import type { Command } from '../command.ts';
import { exit, Interrupted, UsageError } from '../exit-codes.ts';
import { pageExceptions, stateText, watchJob } from '../job-view.ts';
import { formatSize, LiveLine, printable } from '../terminal.ts';
import { exitCodeOfJob, reportJob } from './documents.ts';
import { readLimit, take } from './limit.ts';

const operationNames = (job: Job): string => job.operations.map(({ op }) => op).join(' ');

const watch: Command = {
  name: 'jobs watch',
  summary: 'Watch a job until it ends, page by page.',
  usage: 'JOB',
  arity: [1, 1],
  options: {},
  help: 'Shows a progress bar on a terminal, a line per step in a pipe, or the job after each change with --json.',
  examples: ['jobs watch job_…', 'jobs watch job_… --json | jq .progress.percent'],
  async run(call) {
    const [id] = call.args;
    try {
      return exitCodeOfJob(await watchJob(call, id!, new LiveLine(process.stdout)));
    } catch (error) {
      if (error instanceof Interrupted) {
        call.output.note(`\nThe job continues. To cancel it: scriptorium jobs cancel ${id}`);
      }
      throw error;
    }
  },
};

const list: Command = {
  name: 'jobs list',
  summary: 'List jobs, newest first.',
  usage: '',
  arity: [0, 0],
  options: {
    state: { value: 'STATE', many: true, help: 'queued, running, succeeded, failed, …' },
    source: { value: 'OBJECT', help: 'only jobs of this object' },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  examples: [
    'jobs list --state failed --state partially_succeeded',
    'jobs list --json --limit 1000',
  ],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    // The API validates the values.
    const state = options.list('state') as Job['state'][] | undefined;
    const query = { state, source_object_id: options.text('source'), limit };
    const jobs = await take(client.jobs.list(query, { signal }), limit);
    output.table(jobs, (job) => [
      job.id,
      stateText(job.state),
      `${job.progress.percent} %`,
      operationNames(job),
      job.source_object_id,
      job.created_at,
    ]);
    return exit.success;
  },
};

const get: Command = {
  name: 'jobs get',
  summary: 'Show a job with its operations, outputs and errors.',
  usage: 'JOB',
  arity: [1, 1],
  options: {},
  examples: ['jobs get job_…', "jobs get job_… --json | jq -r '.outputs[].object_id'"],
  async run({ client, output, args, signal }) {
    const job = await client.jobs.get(args[0]!, { signal });
    const { progress } = job;
    const lines = [
      `${job.id}  ${stateText(job.state)}  ${progress.percent} %  ${job.source_object_id}`,
      ...job.operations.map(
        ({ op, state, progress: { pages_succeeded, pages_total, ...pages } }) =>
          `  ${op}  ${stateText(state)}  ${[`${pages_succeeded}/${pages_total ?? '?'} pages`, ...pageExceptions(pages)].join(', ')}`,
      ),
      ...job.outputs.map(
        ({ object_id, kind, bytes }) => `  ${object_id}  ${kind}  ${formatSize(bytes)}`,
      ),
    ];
    output.result(job, lines.join('\n'));
    return exit.success;
  },
};

const cancel: Command = {
  name: 'jobs cancel',
  summary: 'Cancel a job. Existing outputs are kept.',
  usage: 'JOB',
  arity: [1, 1],
  options: {},
  examples: ['jobs cancel job_…'],
  async run({ client, output, args, signal }) {
    const job = await client.jobs.cancel(args[0]!, { signal });
    output.result(job, `${job.id}  ${job.state}`);
    return exit.success;
  },
};

const retry: Command = {
  name: 'jobs retry',
  summary: 'Retry the failed pages of a job as a new job.',
  usage: 'JOB',
  arity: [1, 1],
  options: {
    all: { help: 'all pages instead of the failed ones' },
    wait: { help: 'watch the new job until it ends' },
    output: { value: 'DIR', help: 'wait, and download the outputs into this folder' },
  },
  examples: ['jobs retry job_… --wait'],
  async run(call) {
    const scope = call.options.flag('all') ? 'all' : 'failed_pages';
    const job = await call.client.jobs.retry(call.args[0]!, { scope }, { signal: call.signal });
    return reportJob(call, job);
  },
};

const certificate: Command = {
  name: 'jobs certificate',
  summary: 'Save the signed certificate of a redaction.',
  usage: 'JOB',
  arity: [1, 1],
  options: {
    output: {
      value: 'FILE',
      help: 'a name that ends with .pdf or .json (default: certificate.pdf)',
    },
  },
  help: 'The PDF is for people and has the signed JSON attached. Never overwrites a file.',
  examples: ['jobs certificate job_…', 'jobs certificate job_… --output certificate.json'],
  async run({ client, output, args, options, signal }) {
    const id = args[0]!;
    const path = options.text('output') ?? 'certificate.pdf';
    if (!/[.](pdf|json)$/i.test(path)) {
      throw new UsageError('--output must end with .pdf or .json.');
    }
    const bytes = path.toLowerCase().endsWith('.pdf')
      ? Buffer.from(await (await client.jobs.certificatePdf(id, { signal })).arrayBuffer())
      : Buffer.from(`${JSON.stringify(await client.jobs.certificate(id, { signal }), null, 2)}\n`);
    await writeFile(path, bytes, { flag: 'wx' });
    output.result({ job_id: id, path: resolve(path), bytes: bytes.length }, printable(path));
    return exit.success;
  },
};

export const jobCommands = [watch, list, get, cancel, retry, certificate];
