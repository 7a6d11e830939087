import { asProblem } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';

/** Sends changes to the service, one at a time. */
export interface ChangeQueue {
  /** Runs `work` after the changes queued before it. Resolves to the problem if it fails. */
  enqueue: (work: () => Promise<void>, isQuiet?: boolean) => Promise<ApiProblem | undefined>;
  isSaving: () => boolean;
  /**
   * Waits for changes that are being saved. Resolves to the problem if one of them was rejected since
   * the last call.
   */
  saved: () => Promise<ApiProblem | undefined>;
  /** Returns why the latest change was rejected, unless it was quiet. */
  rejection: () => ApiProblem | undefined;
}

export function createQueue(onChange: () => void): ChangeQueue {
  let lastChange: Promise<unknown> = Promise.resolve();
  let unsavedCount = 0;
  let rejection: ApiProblem | undefined;
  /** The problem of a change that was rejected, even if later ones were saved. */
  let unsaved: ApiProblem | undefined;
  return {
    isSaving: () => unsavedCount > 0,
    async saved() {
      while (unsavedCount > 0) await lastChange;
      const problem = unsaved;
      unsaved = undefined;
      return problem;
    },
    rejection: () => rejection,
    enqueue(work, isQuiet = false) {
      unsavedCount += 1;
      onChange();
      const result = lastChange.then(async () => {
        try {
          await work();
          rejection = undefined;
          return undefined;
        } catch (error) {
          const problem = asProblem(error);
          if (!isQuiet) {
            rejection = problem;
            unsaved = problem;
          }
          return problem;
        } finally {
          unsavedCount -= 1;
          onChange();
        }
      });
      // An error that is not a problem of the API is a bug, and must not prevent later changes from
      // being sent.
      lastChange = result.catch(() => undefined);
      return result;
    },
  };
}
