/**
 * The written and observed events of a run, in a few bytes per event. Every event's data has three
 * numbers: its own, the number of its job, and its place in the job, counted from 0 in the order of
 * commits.
 */
export interface EventNumbers {
  event: number;
  job: number;
  place: number;
}

/** The outcome of an event's transaction; `unknown` if the connection broke at its commit. */
export type Outcome = 'committed' | 'rolled_back' | 'unknown';
const outcomes: readonly Outcome[] = ['committed', 'rolled_back', 'unknown'];

/** The events that one observer has seen. */
interface Observation {
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
  readonly observations: Record<Observer, Observation>;
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
    this.observations = { feed: this.#newWitness(), webhooks: this.#newWitness() };
  }

  /** Returns the number of a new event. */
  issue(job: number, position: number): EventNumbers {
    const event = this.#issued++;
    if (event >= this.capacity) throw new Error(`The capacity is ${this.capacity} events.`);
    this.#jobs[event] = job;
    this.#places[event] = position;
    return { event, job, place: position };
  }

  settle(event: number, outcome: Outcome): void {
    if (this.#fates[event] === 1) this.committed -= 1;
    this.#fates[event] = outcomes.indexOf(outcome) + 1;
    if (outcome === 'committed') this.committed += 1;
  }

  /** The events whose transactions broke at their commit. */
  unknown(): number[] {
    const unknown = outcomes.indexOf('unknown') + 1;
    const found: number[] = [];
    for (let event = 0; event < this.#issued; event++) {
      if (this.#fates[event] === unknown) found.push(event);
    }
    return found;
  }

  /** Adds another fault of an observer. */
  addFault(observer: Observer, text: string): void {
    addFault(this.observations[observer], text);
  }

  /**
   * Notes that an observer saw an event. Seeing it again is counted; under another sequence it is a
   * fault.
   */
  observe(observer: Observer, project: number, sequence: number, numbers: EventNumbers): void {
    const observation = this.observations[observer];
    const at = observation.atSequence[project]!;
    const { event, job, place } = numbers;
    if (event >= this.#issued || this.#jobs[event] !== job || this.#places[event] !== place) {
      addFault(observation, `an event that was not written: ${JSON.stringify(numbers)}`);
      return;
    }
    const previous = at[sequence]!;
    if (previous !== 0 && previous !== event + 1) {
      addFault(observation, `events ${previous - 1} and ${event} both have sequence ${sequence}`);
      return;
    }
    if (previous === event + 1) {
      observation.duplicates += 1;
    } else if (observation.seen[event]) {
      addFault(observation, `event ${event} has a second sequence, ${sequence}`);
    } else {
      observation.count += 1;
    }
    at[sequence] = event + 1;
    observation.seen[event] = 1;
  }

  /**
   * All faults. Empty if each committed event was seen by both observers and no other event was,
   * sequences have no gaps, and each job's events are in the order of their commits.
   */
  faults(): string[] {
    return (['feed', 'webhooks'] as const).flatMap((observer) => {
      const observation = this.observations[observer];
      const all = [
        ...observation.faults,
        ...this.#faultsOfFates(observation),
        ...this.#faultsOfOrder(observation),
      ];
      return all.slice(0, 20).map((text) => `${observer}: ${text}`);
    });
  }

  #faultsOfFates(observation: Observation): string[] {
    const found: string[] = [];
    for (let event = 0; event < this.#issued; event++) {
      const outcome = outcomes[this.#fates[event]! - 1];
      const seen = observation.seen[event] === 1;
      if (outcome === undefined || outcome === 'unknown')
        found.push(`the fate of ${event} is unknown`);
      else if (outcome === 'committed' && !seen)
        found.push(`${event} was committed and never seen`);
      else if (outcome === 'rolled_back' && seen)
        found.push(`${event} was seen and never committed`);
    }
    return found;
  }

  #faultsOfOrder(observation: Observation): string[] {
    const found: string[] = [];
    const next = new Map<number, number>();
    for (const [project, at] of observation.atSequence.entries()) {
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

  #newWitness(): Observation {
    return {
      seen: new Uint8Array(this.capacity),
      atSequence: Array.from({ length: this.projects }, () => new Uint32Array(this.capacity + 1)),
      count: 0,
      duplicates: 0,
      faults: [],
    };
  }
}

function addFault(observation: Observation, text: string): void {
  if (observation.faults.length < 100) observation.faults.push(text);
}
