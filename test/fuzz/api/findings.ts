import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** What a run has found and counted. */
export class Findings {
  readonly byStatus = new Map<number, number>();
  /** The number of requests that an operation answered with 2xx, by operation. */
  readonly succeeded = new Map<string, number>();
  readonly slow: { ms: number; request: string }[] = [];
  private readonly found = new Map<string, Finding>();
  requests = 0;

  get all(): Finding[] {
    return [...this.found.values()];
  }

  count(operation: string, draft: Draft, answer: Answer): void {
    this.requests += 1;
    this.byStatus.set(answer.status, (this.byStatus.get(answer.status) ?? 0) + 1);
    if (answer.status < 300) {
      this.succeeded.set(operation, (this.succeeded.get(operation) ?? 0) + 1);
    }
    const waits = draft.query.some(([name, value]) => name === 'wait_seconds' && value !== '0');
    if (answer.ms > 1_000 && !waits && !answer.open) {
      this.slow.push({ ms: Math.round(answer.ms), request: `${draft.method} ${targetOf(draft)}` });
      this.slow.sort((a, b) => b.ms - a.ms).splice(20);
    }
  }

  add(what: string, operation: string, draft: Draft, answer: Answer): void {
    // The same fault with other identifiers and numbers is one finding.
    const key = `${operation} ${what.replace(/[a-z]{3,4}_[0-9a-z]{26}|\d+/g, '#').slice(0, 160)}`;
    const known = this.found.get(key);
    if (known) {
      known.count += 1;
      return;
    }
    this.found.set(key, {
      what,
      operation,
      request: describe(draft),
      status: answer.status,
      answer: answer.text.slice(0, 1_500),
      count: 1,
    });
  }

  /** Stores what was found for reading and repeating. */
  write(file: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(this.all, null, 2));
  }
}

function describe(draft: Draft): string {
  const headers = Object.entries(draft.headers)
    .filter(([name]) => !['authorization', 'cookie', 'x-csrf-token'].includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const body = draft.body === undefined ? '' : draft.body.toString('latin1').slice(0, 2_000);
  return [`${draft.method} ${targetOf(draft)}`, ...headers, '', body].join('\n');
}
