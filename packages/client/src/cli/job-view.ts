import type { Scriptorium } from '../client.ts';
import type { Job, Operation, Page } from '../generated.ts';
import { isEnded } from '../resources/jobs.ts';
import type { Output } from './output.ts';
import { bar, type LiveLine, printable, sizeOf } from './terminal.ts';

/**
 * Watches a job until it ends. Shows a progress bar per operation on a terminal, a line per step in
 * a pipe, and the job after each change with --json. Failed pages are reported immediately.
 */
export async function watchJob(
  { client, output, signal }: { client: Scriptorium; output: Output; signal: AbortSignal },
  id: string,
  line: LiveLine,
): Promise<Job> {
  const view = new JobView(line, output);
  let told: Promise<void> = Promise.resolve();
  const job = await client.jobs
    .wait(id, {
      signal,
      onBreak: (error) => {
        line.clear();
        output.broke(error);
      },
      onProgress: (changed) => {
        if (output.json) return output.result(changed, '');
        view.show(changed);
        if (view.hasNewFailures(changed)) told = told.then(() => tellFailures(client, view, id));
      },
    })
    .finally(() => line.clear());
  await told;
  if (!output.json) view.end(job);
  return job;
}

async function tellFailures(client: Scriptorium, view: JobView, id: string): Promise<void> {
  for await (const page of client.jobs.pages(id, { state: ['failed'], limit: 200 })) {
    view.tellFailure(page);
  }
}

class JobView {
  readonly #line: LiveLine;
  readonly #output: Output;
  readonly #done = new Set<number>();
  readonly #failed = new Set<string>();
  #failures = 0;
  #last = '';

  constructor(line: LiveLine, output: Output) {
    this.#line = line;
    this.#output = output;
  }

  show(job: Job): void {
    for (const operation of job.operations) {
      if (operation.finished_at === null || this.#done.has(operation.index)) continue;
      this.#done.add(operation.index);
      this.#line.print(this.#finished(operation));
    }
    if (isEnded(job)) return;
    const current = job.operations.find(({ finished_at }) => finished_at === null);
    const text = current ? running(job, current) : `${job.state} ${job.progress.percent} %`;
    if (this.#line.live) this.#line.show(`${bar(job.progress.percent)} ${text}`);
    else if (text !== this.#last) this.#line.print(text);
    this.#last = text;
  }

  hasNewFailures({ progress }: Job): boolean {
    const more = progress.pages_failed > this.#failures;
    this.#failures = progress.pages_failed;
    return more;
  }

  tellFailure({ page, op, error }: Page): void {
    const key = `${op} ${page}`;
    if (this.#failed.has(key)) return;
    this.#failed.add(key);
    const why = printable(error?.message ?? 'unknown reason');
    this.#line.print(this.#output.paint.red(`✗ page ${page}, ${op}: ${why}`));
  }

  /** Prints the result and next steps. */
  end(job: Job): void {
    const { paint } = this.#output;
    const say = (line: string): void => this.#line.print(line);
    for (const { message } of job.warnings) say(paint.yellow(`! ${printable(message)}`));
    if (job.error) say(paint.red(`✗ ${printable(job.error.message)}`));
    const good = job.state === 'succeeded';
    say(`${good ? paint.green('✓') : paint.yellow('!')} ${job.id} ${words(job.state)}`);
    for (const { object_id, kind, bytes } of job.outputs) {
      say(`  ${object_id}  ${kind}  ${sizeOf(bytes)}`);
    }
    if (job.progress.pages_failed > 0) say(`  To retry: scriptorium jobs retry ${job.id} --wait`);
  }

  #finished(operation: Operation): string {
    const { paint } = this.#output;
    const good = operation.state === 'succeeded';
    const mark = good ? paint.green('✓') : paint.yellow('!');
    const parts = [words(operation.state), ...summaryOf(operation)];
    return `${mark} ${operation.op}  ${parts.join(', ')}`;
  }
}

function running(job: Job, operation: Operation): string {
  const { pages_total, pages_succeeded, pages_failed, pages_skipped } = operation.progress;
  const done = pages_succeeded + pages_failed + pages_skipped;
  const { percent, eta_seconds: eta } = job.progress;
  return [
    `${percent} %`,
    job.state === 'queued' ? 'queued' : operation.op,
    ...(pages_total === null ? [] : [`${done}/${pages_total} pages`]),
    ...(pages_failed > 0 ? [`${pages_failed} failed`] : []),
    ...(eta ? [`about ${eta} s left`] : []),
  ].join('  ');
}

/** Describes the number of pages that failed or were skipped. */
export function exceptions({
  pages_failed,
  pages_skipped,
}: Pick<Operation['progress'], 'pages_failed' | 'pages_skipped'>): string[] {
  return [
    ...(pages_failed > 0 ? [`${pages_failed} failed`] : []),
    ...(pages_skipped > 0 ? [`${pages_skipped} skipped`] : []),
  ];
}

/** A summary of the result of an operation. */
function summaryOf({ progress, result, error }: Operation): string[] {
  return [
    count(progress.pages_succeeded, 'page'),
    ...exceptions(progress),
    ...(error ? [printable(error.message)] : []),
    ...described(result ?? {}),
  ];
}

function described(result: Record<string, unknown>): string[] {
  const { labels, entities_by_type: found, verified, mean_confidence: sure, chunks } = result;
  const said: string[] = [];
  if (Array.isArray(labels) && labels.length > 0) {
    said.push(labels.map(({ label, score }) => `${label} ${percent(score)}`).join(' '));
  }
  if (typeof found === 'object' && found !== null) {
    const kinds = Object.entries(found).map(([type, number]) => `${number} ${type}`);
    said.push(kinds.length > 0 ? `removed ${kinds.join(', ')}` : 'nothing found');
  }
  if (typeof verified === 'boolean') said.push(verified ? 'verified' : 'NOT verified');
  if (sure === 0) said.push('no text found');
  else if (typeof sure === 'number') {
    said.push(`confidence ${percent(sure > 1 ? sure / 100 : sure)}`);
  }
  if (typeof chunks === 'number') said.push(count(chunks, 'chunk'));
  return said.map(printable);
}

const percent = (share: unknown): string => `${Math.round(Number(share) * 100)} %`;
const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** A state in words: `partially succeeded`. */
export const words = (state: string): string => state.replaceAll('_', ' ');
