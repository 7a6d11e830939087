import { Problem } from '@scriptorium/contracts/problems';

/** Slots for long work, shared among projects. */
export interface Slots {
  /**
   * Takes a slot. Returns the function that releases it, which is idempotent.
   * @param holder a key, a person or a share of the project
   * @throws Problem 429
   */
  take(project: string, holder: string): () => void;
}

/**
 * Shares slots among projects as `Shares` does with connections: a project may hold as many as are
 * free, or half if it is alone, so that several greedy projects leave some.
 */
export function createSlots(max: { inAll: number; ofOne: number }): Slots {
  const ofProjects = new Map<string, number>();
  const perHolder = new Map<string, number>();
  let inAll = 0;
  return {
    take(project, holder) {
      const own = perHolder.get(holder) ?? 0;
      if (own >= max.ofOne) {
        throw tooMany(`The maximum is ${max.ofOne} concurrent requests of this kind per key.`);
      }
      const ofProject = ofProjects.get(project) ?? 0;
      if (ofProject > 0 && ofProject >= max.inAll - inAll) {
        throw tooMany(`This project has too many of these requests in progress. ${again}`);
      }
      if (inAll >= max.inAll) {
        throw tooMany(`Too many of these requests are in progress. ${again}`);
      }
      const count = (by: 1 | -1): void => {
        inAll += by;
        add(ofProjects, project, by);
        add(perHolder, holder, by);
      };
      count(1);
      let isTaken = true;
      return () => {
        if (isTaken) count(-1);
        isTaken = false;
      };
    },
  };
}

const again = 'Retry in a moment.';

function add(counts: Map<string, number>, name: string, by: number): void {
  const now = (counts.get(name) ?? 0) + by;
  if (now > 0) counts.set(name, now);
  else counts.delete(name);
}

function tooMany(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
}
