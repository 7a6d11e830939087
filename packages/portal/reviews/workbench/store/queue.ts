import { asProblem } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';

/** Changes on their way to the service, one after the other. */
export interface Queue {
  /** Sends after all changes that were queued before; resolves to the problem if it failed. */
  enqueue: (work: () => Promise<void>, isQuiet?: boolean) => Promise<ApiProblem | undefined>;
  isSaving: () => boolean;
  /** Why the latest change was rejected, unless it was a quiet one. */
  refusal: () => ApiProblem | undefined;
}

export function createQueue(changed: () => void): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let unsaved = 0;
  let refusal: ApiProblem | undefined;
  return {
    isSaving: () => unsaved > 0,
    refusal: () => refusal,
    enqueue(work, isQuiet = false) {
      unsaved += 1;
      changed();
      const sent = last.then(async () => {
        try {
          await work();
          refusal = undefined;
          return undefined;
        } catch (error) {
          const problem = asProblem(error);
          if (!isQuiet) refusal = problem;
          return problem;
        } finally {
          unsaved -= 1;
          changed();
        }
      });
      // An error that is not a problem of the API is a bug, and must not keep later changes from
      // being sent.
      last = sent.catch(() => undefined);
      return sent;
    },
  };
}
