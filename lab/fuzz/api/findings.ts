import { type Answer, targetOf } from './send.ts';
import type { Draft } from './spoil.ts';

interface Finding {
  what: string;
  operation: string;
  request: string;
  status: number;
  answer: string;
  count: number;
}

/** A slow request. */
interface Slow {
  ms: number;
  request: string;
  /** How many requests of other lanes were answered meanwhile; if none, the machine was stalled. */
  meanwhile: number;
  /** How long the same request took right afterwards; null if it cannot be repeated. */
  againMs: number | null;
}

/** The findings and counts of a run. */
export class Findings {
  readonly byStatus = new Map<number, number>();
  /** The number of responses with each status, by operation. */
  readonly byOperation = new Map<string, Map<number, number>>();
  /** The last response of an operation that has not succeeded. */
  readonly lastError = new Map<string, string>();
  readonly slow: Slow[] = [];
  /** The longest time of a request that waits for nothing, in milliseconds. */
  slowestMs = 0;
  private readonly found = new Map<string, Finding>();
  /**
   * Responses that were compared with an equivalent request, by the kind of request and the result.
   */
  readonly compared = new Map<string, number>();
  requests = 0;

  get all(): Finding[] {
    return [...this.found.values()];
  }

  /** The operations that answered with 2xx at least once. */
  get succeeded(): string[] {
    return [...this.byOperation].flatMap(([operation, statuses]) =>
      [...statuses.keys()].some((status) => status >= 200 && status < 300) ? [operation] : [],
    );
  }

  /** The share of answers with 2xx. */
  get share(): number {
    const good = [...this.byStatus].filter(([status]) => status >= 200 && status < 300);
    return good.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, this.requests);
  }

  count(operation: string, answer: Answer): void {
    this.requests += 1;
    this.byStatus.set(answer.status, (this.byStatus.get(answer.status) ?? 0) + 1);
    const own = this.byOperation.get(operation) ?? new Map<number, number>();
    this.byOperation.set(operation, own);
    if ([409, 422].includes(answer.status))
      this.lastError.set(operation, answer.text.slice(0, 400));
    own.set(answer.status, (own.get(answer.status) ?? 0) + 1);
  }

  addSlow(one: Slow): void {
    this.slow.push(one);
    this.slow.sort((a, b) => b.ms - a.ms).splice(20);
  }

  noteComparison(how: string, outcome: string): void {
    const key = `${how}: ${outcome}`;
    this.compared.set(key, (this.compared.get(key) ?? 0) + 1);
  }

  add(what: string, operation: string, draft: Draft, answer: Answer): void {
    const { status, text } = answer;
    this.note({ what, operation, request: describe(draft), status, answer: text.slice(0, 1_500) });
  }

  /** The errors that the server's process logged. */
  addComplaint(line: string): void {
    this.note({
      what: line.slice(0, 1_500),
      operation: 'server',
      request: '',
      status: 0,
      answer: '',
    });
  }

  private note(one: Omit<Finding, 'count'>): void {
    // The same fault with other identifiers and numbers counts as one finding.
    const what = one.what.replace(/[a-z]{3,4}_[0-9a-z]{26}|\d+/g, '#').slice(0, 160);
    const key = `${one.operation} ${what}`;
    const known = this.found.get(key);
    if (known) known.count += 1;
    else this.found.set(key, { ...one, count: 1 });
  }
}

function describe(draft: Draft): string {
  const headers = Object.entries(draft.headers)
    .filter(([name]) => !['authorization', 'cookie', 'x-csrf-token'].includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const body = draft.body === undefined ? '' : draft.body.toString('latin1').slice(0, 2_000);
  return [`${draft.method} ${targetOf(draft)}`, ...headers, '', body].join('\n');
}
