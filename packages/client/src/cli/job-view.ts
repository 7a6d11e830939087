import type { Scriptorium } from '../client.ts';
import type { Job, Operation, Page } from '../generated.ts';
import { isEnded } from '../resources/jobs.ts';
import type { Output } from './output.ts';
import { formatSize, type LiveLine, printable, progressBar } from './terminal.ts';

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
  let reported: Promise<void> = Promise.resolve();
  const job = await client.jobs
    .wait(id, {
      signal,
      onBreak: (error) => {
        line.clear();
        output.reportBreak(error);
      },
      onProgress: (changed) => {
        if (output.json) return output.result(changed, '');
        view.show(changed);
        if (view.hasNewFailures(changed))
          reported = reported.then(() => reportFailures(client, view, id));
      },
    })
    .finally(() => line.clear());
  await reported;
  if (!output.json) view.end(job);
  return job;
}

async function reportFailures(client: Scriptorium, view: JobView, id: string): Promise<void> {
  for await (const page of client.jobs.pages(id, { state: ['failed'], limit: 200 })) {
    view.printFailure(page);
  }
}

class JobView {
  readonly #line: LiveLine;
  readonly #output: Output;
  readonly finishedOperations = new Set<number>();
  readonly printedFailures = new Set<string>();
  failureCount = 0;
  lastText = '';

  constructor(line: LiveLine, output: Output) {
    this.#line = line;
    this.#output = output;
  }

  show(job: Job): void {
    for (const operation of job.operations) {
      if (operation.finished_at === null || this.finishedOperations.has(operation.index)) continue;
      this.finishedOperations.add(operation.index);
      this.#line.print(this.finishedLine(operation));
    }
    if (isEnded(job)) return;
    const current = job.operations.find(({ finished_at }) => finished_at === null);
    const text = current ? progressText(job, current) : `${job.state} ${job.progress.percent} %`;
    if (this.#line.isTerminal) this.#line.show(`${progressBar(job.progress.percent)} ${text}`);
    else if (text !== this.lastText) this.#line.print(text);
    this.lastText = text;
  }

  hasNewFailures({ progress }: Job): boolean {
    const hasMore = progress.pages_failed > this.failureCount;
    this.failureCount = progress.pages_failed;
    return hasMore;
  }

  printFailure({ page, op, error }: Page): void {
    const key = `${op} ${page}`;
    if (this.printedFailures.has(key)) return;
    this.printedFailures.add(key);
    const reason = printable(error?.message ?? 'unknown reason');
    this.#line.print(this.#output.paint.red(`✗ page ${page}, ${op}: ${reason}`));
  }

  /** Prints the result and next steps. */
  end(job: Job): void {
    const { paint } = this.#output;
    const print = (line: string): void => this.#line.print(line);
    for (const { message } of job.warnings) print(paint.yellow(`! ${printable(message)}`));
    if (job.error) print(paint.red(`✗ ${printable(job.error.message)}`));
    const isSuccess = job.state === 'succeeded';
    print(`${isSuccess ? paint.green('✓') : paint.yellow('!')} ${job.id} ${stateText(job.state)}`);
    for (const { object_id, kind, bytes } of job.outputs) {
      print(`  ${object_id}  ${kind}  ${formatSize(bytes)}`);
    }
    if (job.progress.pages_failed > 0) print(`  To retry: scriptorium jobs retry ${job.id} --wait`);
  }

  finishedLine(operation: Operation): string {
    const { paint } = this.#output;
    const isSuccess = operation.state === 'succeeded';
    const mark = isSuccess ? paint.green('✓') : paint.yellow('!');
    const parts = [stateText(operation.state), ...summaryOf(operation)];
    return `${mark} ${operation.op}  ${parts.join(', ')}`;
  }
}

function progressText(job: Job, operation: Operation): string {
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
export function pageExceptions({
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
    formatCount(progress.pages_succeeded, 'page'),
    ...pageExceptions(progress),
    ...(error ? [printable(error.message)] : []),
    ...describeResult(result ?? {}),
  ];
}

function describeResult(result: Record<string, unknown>): string[] {
  const { labels, entities_by_type, verified, mean_confidence, chunks } = result;
  const parts: string[] = [];
  if (Array.isArray(labels) && labels.length > 0) {
    parts.push(labels.map(({ label, score }) => `${label} ${formatPercent(score)}`).join(' '));
  }
  if (typeof entities_by_type === 'object' && entities_by_type !== null) {
    const kinds = Object.entries(entities_by_type).map(([type, number]) => `${number} ${type}`);
    parts.push(kinds.length > 0 ? `removed ${kinds.join(', ')}` : 'nothing found');
  }
  if (typeof verified === 'boolean') parts.push(verified ? 'verified' : 'NOT verified');
  if (mean_confidence === 0) parts.push('no text found');
  else if (typeof mean_confidence === 'number') {
    parts.push(
      `confidence ${formatPercent(mean_confidence > 1 ? mean_confidence / 100 : mean_confidence)}`,
    );
  }
  if (typeof chunks === 'number') parts.push(formatCount(chunks, 'chunk'));
  return parts.map(printable);
}

const formatPercent = (share: unknown): string => `${Math.round(Number(share) * 100)} %`;
const formatCount = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** A state in words: `partially succeeded`. */
export const stateText = (state: string): string => state.replaceAll('_', ' ');
