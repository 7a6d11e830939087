import type { EvaluateRequest, Evaluation } from '@scriptorium/contracts/wire/policy-decisions';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../api/request.ts';

type Action = EvaluateRequest['action'];

/** The actions on an object that policies can restrict. */
export const actions: readonly (readonly [Action, string])[] = [
  ['read', 'View preview and text'],
  ['download', 'Download'],
  ['sign', 'Create signed URL'],
  ['process', 'Process in jobs'],
  ['delete', 'Move to trash'],
];

export interface Decisions {
  /** Null until loaded. */
  of: ReadonlyMap<Action, Evaluation> | null;
  problem: ApiProblem | undefined;
}

const unknown: Decisions = { of: null, problem: undefined };

/** Evaluates the policies for each action, and again for each version of the object. */
export function useDecisions(objectId: string, version: number, mayAsk: boolean): Decisions {
  const [decisions, setDecisions] = useState<Decisions>(unknown);
  useEffect(() => {
    setDecisions(unknown);
    if (!mayAsk) return;
    const gone = new AbortController();
    const ask = async ([action]: (typeof actions)[number]) => {
      const { data } = await send(
        requestFor('evaluatePolicies', {
          body: { action, resource: { type: 'object', id: objectId } },
        }),
        gone.signal,
      );
      return [action, data] as const;
    };
    Promise.all(actions.map(ask)).then(
      (answers) => setDecisions({ of: new Map(answers), problem: undefined }),
      (error: unknown) => {
        if (!gone.signal.aborted) setDecisions({ of: null, problem: asProblem(error) });
      },
    );
    return () => gone.abort();
  }, [objectId, version, mayAsk]);
  return decisions;
}
