import { Problem } from '@scriptorium/contracts/problems';

/** Slots for long-running work, shared among projects. */
export interface Slots {
  /**
   * Takes a slot. Returns the function that releases it, which is idempotent.
   * @param holder a key, a person or a share of the project
   * @throws Problem 429
   */
  take(project: string, holder: string): () => void;
}

/**
 * Shares slots among projects as `Shares` does with connections: a project may hold at most as many
 * slots as are free (half of all, if no other project holds any), so some slots always remain free.
 */
export function createSlots(limits: { total: number; perHolder: number }): Slots {
  const takenByProject = new Map<string, number>();
  const takenByHolder = new Map<string, number>();
  let takenTotal = 0;
  return {
    take(project, holder) {
      const takenByThisHolder = takenByHolder.get(holder) ?? 0;
      if (takenByThisHolder >= limits.perHolder) {
        throw tooMany(
          `The maximum is ${limits.perHolder} concurrent requests of this kind per key.`,
        );
      }
      const takenByThisProject = takenByProject.get(project) ?? 0;
      if (takenByThisProject > 0 && takenByThisProject >= limits.total - takenTotal) {
        throw tooMany(`This project has too many of these requests in progress. ${retryAdvice}`);
      }
      if (takenTotal >= limits.total) {
        throw tooMany(`Too many of these requests are in progress. ${retryAdvice}`);
      }
      const count = (by: 1 | -1): void => {
        takenTotal += by;
        add(takenByProject, project, by);
        add(takenByHolder, holder, by);
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

const retryAdvice = 'Retry in a moment.';

function add(counts: Map<string, number>, name: string, by: number): void {
  const now = (counts.get(name) ?? 0) + by;
  if (now > 0) counts.set(name, now);
  else counts.delete(name);
}

function tooMany(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
}
