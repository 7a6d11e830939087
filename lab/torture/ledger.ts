/**
 * The model client's knowledge: its requests, the accepted ones, and the facts that must now be
 * true.
 */

export interface KnownProject {
  id: string;
  key: string;
  name: string;
}

export type Bytes = Buffer<ArrayBuffer>;

/** A request of the model, with all its attempts. */
export interface Entry {
  /** The prefix of the `X-Request-Id` of every attempt. */
  id: string;
  what: string;
  project: string;
  sentAt: number;
  /** When its last attempt was sent. */
  attemptedAt: number;
  answeredAt: number | null;
  attempts: number;
  /** Of the last attempt; null if none was answered. */
  status: number | null;
  /** The types of the events that it must have recorded, each once. */
  effects: string[];
}

export interface KnownObject {
  id: string;
  project: string;
  client: number;
  filename: string;
  sha256: string;
  bytes: number;
  isImage: boolean;
  state: 'available' | 'trashed' | 'purged';
  marker: string | null;
  /** The source of a job, which is not deleted any more. */
  isPinned: boolean;
  /** Attempts to download it. */
  downloadAttempts: number;
  /** When the answered ones were sent. */
  downloadedAt: number[];
}

export interface KnownCollection {
  id: string;
  project: string;
  client: number;
  name: string;
  state: 'available' | 'trashed';
  members: Set<string>;
}

export interface KnownJob {
  id: string;
  project: string;
  client: number;
  sourceId: string;
  isCancelled: boolean;
}

export interface KnownEndpoint {
  id: string;
  project: string;
  client: number;
  path: string;
  /** With the time when its replacement was known; null if it was not replaced. */
  secrets: { secret: string; replacedAt: number | null }[];
  types: string[];
  createdAt: number;
  state: 'enabled' | 'paused';
  /** From the time when the pause was known until its end was requested; null while it lasts. */
  pauses: { from: number; to: number | null }[];
  /** When its deletion was requested; null while it exists. */
  deletionRequestedAt: number | null;
  /** When its deletion was known. */
  deletedAt: number | null;
}

export class Ledger {
  readonly entries: Entry[] = [];
  readonly objects = new Map<string, KnownObject>();
  readonly collections = new Map<string, KnownCollection>();
  readonly jobs = new Map<string, KnownJob>();
  readonly endpoints = new Map<string, KnownEndpoint>();
  /** The acknowledged events. */
  readonly acknowledged = new Set<string>();
  /** Violations found in responses. */
  readonly violations: string[] = [];
  /** Failures that a client without retries would have seen: attempts without a final response. */
  readonly failedAttempts: string[] = [];
  readonly #prefix: string;

  constructor(seed: number) {
    this.#prefix = `t${seed}`;
  }

  begin(project: string, what: string): Entry {
    const now = Date.now();
    const entry: Entry = {
      id: `${this.#prefix}-${this.entries.length}`,
      what,
      project,
      sentAt: now,
      attemptedAt: now,
      answeredAt: null,
      attempts: 0,
      status: null,
      effects: [],
    };
    this.entries.push(entry);
    return entry;
  }

  /** The entry to which an `X-Request-Id` belongs. */
  entryOf(requestId: string): Entry | undefined {
    const [prefix, number] = requestId.split('-');
    return prefix === this.#prefix ? this.entries[Number(number)] : undefined;
  }
}
