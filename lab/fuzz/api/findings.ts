import type { Draft } from './corrupt.ts';
import { type ApiResponse, targetOf } from './send.ts';

interface Finding {
  what: string;
  operation: string;
  request: string;
  status: number;
  answer: string;
  count: number;
}

/** A slow request. */
interface SlowRequest {
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
  readonly slow: SlowRequest[] = [];
  /** The longest time of a request that waits for nothing, in milliseconds. */
  slowestMs = 0;
  private readonly findingsByKey = new Map<string, Finding>();
  /**
   * Responses that were compared with an equivalent request, by the kind of request and the result.
   */
  readonly comparisons = new Map<string, number>();
  requests = 0;

  get all(): Finding[] {
    return [...this.findingsByKey.values()];
  }

  /** The operations that answered with 2xx at least once. */
  get succeeded(): string[] {
    return [...this.byOperation].flatMap(([operation, statuses]) =>
      [...statuses.keys()].some((status) => status >= 200 && status < 300) ? [operation] : [],
    );
  }

  /** The share of answers with 2xx. */
  get successShare(): number {
    const successes = [...this.byStatus].filter(([status]) => status >= 200 && status < 300);
    return successes.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, this.requests);
  }

  count(operation: string, response: ApiResponse): void {
    this.requests += 1;
    this.byStatus.set(response.status, (this.byStatus.get(response.status) ?? 0) + 1);
    const counts = this.byOperation.get(operation) ?? new Map<number, number>();
    this.byOperation.set(operation, counts);
    if ([409, 422].includes(response.status))
      this.lastError.set(operation, response.text.slice(0, 400));
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }

  addSlow(slowRequest: SlowRequest): void {
    this.slow.push(slowRequest);
    this.slow.sort((a, b) => b.ms - a.ms).splice(20);
  }

  countComparison(kind: string, outcome: string): void {
    const key = `${kind}: ${outcome}`;
    this.comparisons.set(key, (this.comparisons.get(key) ?? 0) + 1);
  }

  add(what: string, operation: string, draft: Draft, response: ApiResponse): void {
    const { status, text } = response;
    this.record({
      what,
      operation,
      request: describe(draft),
      status,
      answer: text.slice(0, 1_500),
    });
  }

  /** The errors that the server's process logged. */
  addServerError(line: string): void {
    this.record({
      what: line.slice(0, 1_500),
      operation: 'server',
      request: '',
      status: 0,
      answer: '',
    });
  }

  private record(finding: Omit<Finding, 'count'>): void {
    // The same fault with other identifiers and numbers counts as one finding.
    const what = finding.what.replace(/[a-z]{3,4}_[0-9a-z]{26}|\d+/g, '#').slice(0, 160);
    const key = `${finding.operation} ${what}`;
    const existing = this.findingsByKey.get(key);
    if (existing) existing.count += 1;
    else this.findingsByKey.set(key, { ...finding, count: 1 });
  }
}

function describe(draft: Draft): string {
  const headers = Object.entries(draft.headers)
    .filter(([name]) => !['authorization', 'cookie', 'x-csrf-token'].includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const body = draft.body === undefined ? '' : draft.body.toString('latin1').slice(0, 2_000);
  return [`${draft.method} ${targetOf(draft)}`, ...headers, '', body].join('\n');
}
