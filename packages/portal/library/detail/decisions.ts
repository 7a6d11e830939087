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
  byAction: ReadonlyMap<Action, Evaluation> | null;
  problem: ApiProblem | undefined;
}

const noDecisions: Decisions = { byAction: null, problem: undefined };

/** Evaluates the policies for each action, again for each version of the object. */
export function useDecisions(objectId: string, version: number, mayEvaluate: boolean): Decisions {
  const [decisions, setDecisions] = useState<Decisions>(noDecisions);
  useEffect(() => {
    setDecisions(noDecisions);
    if (!mayEvaluate) return;
    const controller = new AbortController();
    const evaluate = async ([action]: (typeof actions)[number]) => {
      const { data } = await send(
        requestFor('evaluatePolicies', {
          body: { action, resource: { type: 'object', id: objectId } },
        }),
        controller.signal,
      );
      return [action, data] as const;
    };
    Promise.all(actions.map(evaluate)).then(
      (answers) => setDecisions({ byAction: new Map(answers), problem: undefined }),
      (error: unknown) => {
        if (!controller.signal.aborted) setDecisions({ byAction: null, problem: asProblem(error) });
      },
    );
    return () => controller.abort();
  }, [objectId, version, mayEvaluate]);
  return decisions;
}
