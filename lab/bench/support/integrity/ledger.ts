/**
 * The written and observed events of a run, in a few bytes per event. Every event's data has three
 * numbers: its own, the number of its job, and its place in the job, counted from 0 in the order of
 * commits.
 */
export interface Marks {
  event: number;
  job: number;
  place: number;
}

/** The outcome of an event's transaction; `unknown` if the connection broke at its commit. */
export type Fate = 'committed' | 'rolled_back' | 'unknown';
const fates: readonly Fate[] = ['committed', 'rolled_back', 'unknown'];

/** The events that one observer has seen. */
interface Witness {
  /** By event: whether it was seen. */
  seen: Uint8Array;
  /** By project: the event at each sequence, plus 1; 0 if none was seen. */
  atSequence: Uint32Array[];
  count: number;
  duplicates: number;
  /** Violations in the order in which they were noticed; the first hundred. */
  faults: string[];
}

export type Observer = 'feed' | 'webhooks';

export class Ledger {
  readonly #fates: Uint8Array;
  readonly #jobs: Uint32Array;
  readonly #places: Uint32Array;
  readonly witnesses: Record<Observer, Witness>;
  committed = 0;
  #issued = 0;

  /** @param capacity the maximum number of events, including those that are rolled back */
  constructor(
    readonly capacity: number,
    readonly projects: number,
  ) {
    this.#fates = new Uint8Array(capacity);
    this.#jobs = new Uint32Array(capacity);
    this.#places = new Uint32Array(capacity);
    this.witnesses = { feed: this.#newWitness(), webhooks: this.#newWitness() };
  }

  /** Returns the number of a new event. */
  issue(job: number, place: number): Marks {
    const event = this.#issued++;
    if (event >= this.capacity) throw new Error(`The capacity is ${this.capacity} events.`);
    this.#jobs[event] = job;
    this.#places[event] = place;
    return { event, job, place };
  }

  settle(event: number, fate: Fate): void {
    if (this.#fates[event] === 1) this.committed -= 1;
    this.#fates[event] = fates.indexOf(fate) + 1;
    if (fate === 'committed') this.committed += 1;
  }

  /** The events whose transactions broke at their commit. */
  unknown(): number[] {
    const unknown = fates.indexOf('unknown') + 1;
    const found: number[] = [];
    for (let event = 0; event < this.#issued; event++) {
      if (this.#fates[event] === unknown) found.push(event);
    }
    return found;
  }

  /** Adds another fault of an observer. */
  object(observer: Observer, text: string): void {
    fault(this.witnesses[observer], text);
  }

  /**
   * Notes that an observer saw an event. Seeing it again is counted; under another sequence it is a
   * fault.
   */
  see(observer: Observer, project: number, sequence: number, marks: Marks): void {
    const witness = this.witnesses[observer];
    const at = witness.atSequence[project]!;
    const { event, job, place } = marks;
    if (event >= this.#issued || this.#jobs[event] !== job || this.#places[event] !== place) {
      fault(witness, `an event that was not written: ${JSON.stringify(marks)}`);
      return;
    }
    const there = at[sequence]!;
    if (there !== 0 && there !== event + 1) {
      fault(witness, `events ${there - 1} and ${event} both have sequence ${sequence}`);
      return;
    }
    if (there === event + 1) {
      witness.duplicates += 1;
    } else if (witness.seen[event]) {
      fault(witness, `event ${event} has a second sequence, ${sequence}`);
    } else {
      witness.count += 1;
    }
    at[sequence] = event + 1;
    witness.seen[event] = 1;
  }

  /**
   * All faults. Empty if each committed event was seen by both observers and no other event was,
   * sequences have no gaps, and each job's events are in the order of their commits.
   */
  faults(): string[] {
    return (['feed', 'webhooks'] as const).flatMap((observer) => {
      const witness = this.witnesses[observer];
      const all = [
        ...witness.faults,
        ...this.#faultsOfFates(witness),
        ...this.#faultsOfOrder(witness),
      ];
      return all.slice(0, 20).map((text) => `${observer}: ${text}`);
    });
  }

  #faultsOfFates(witness: Witness): string[] {
    const found: string[] = [];
    for (let event = 0; event < this.#issued; event++) {
      const fate = fates[this.#fates[event]! - 1];
      const seen = witness.seen[event] === 1;
      if (fate === undefined || fate === 'unknown') found.push(`the fate of ${event} is unknown`);
      else if (fate === 'committed' && !seen) found.push(`${event} was committed and never seen`);
      else if (fate === 'rolled_back' && seen) found.push(`${event} was seen and never committed`);
    }
    return found;
  }

  #faultsOfOrder(witness: Witness): string[] {
    const found: string[] = [];
    const next = new Map<number, number>();
    for (const [project, at] of witness.atSequence.entries()) {
      let gapAt: number | null = null;
      for (let sequence = 1; sequence < at.length; sequence++) {
        const event = at[sequence]! - 1;
        if (event < 0) {
          gapAt ??= sequence;
          continue;
        }
        if (gapAt !== null) found.push(`project ${project} has no event at sequence ${gapAt}`);
        gapAt = null;
        const job = this.#jobs[event]!;
        const expected = next.get(job) ?? 0;
        if (this.#places[event] !== expected) {
          found.push(`job ${job} has its event ${this.#places[event]} in the place of ${expected}`);
        }
        next.set(job, expected + 1);
      }
    }
    return found;
  }

  #newWitness(): Witness {
    return {
      seen: new Uint8Array(this.capacity),
      atSequence: Array.from({ length: this.projects }, () => new Uint32Array(this.capacity + 1)),
      count: 0,
      duplicates: 0,
      faults: [],
    };
  }
}

function fault(witness: Witness, text: string): void {
  if (witness.faults.length < 100) witness.faults.push(text);
}
