import { useEffect, useState } from 'preact/hooks';
import type { EvaluateRequest, Evaluation } from '../../../contracts/wire/policies.ts';
import { asProblem } from '../../api/hooks.ts';
import { type ApiProblem, send } from '../../api/request.ts';
import { evaluate } from './requests.ts';

type Action = EvaluateRequest['action'];

/** What can be done with an object, as far as policies have a say in it. */
export const actions: readonly (readonly [Action, string])[] = [
  ['read', 'Showing it, and the text in it'],
  ['download', 'Downloading it'],
  ['sign', 'Making a signed URL'],
  ['process', 'Working on it in a job'],
  ['delete', 'Putting it into the trash'],
];

export interface Decisions {
  /** Null until they are known. */
  of: ReadonlyMap<Action, Evaluation> | null;
  problem: ApiProblem | undefined;
}

const unknown: Decisions = { of: null, problem: undefined };

/** What the policies say of each action now; asked again for another version of the object. */
export function useDecisions(objectId: string, version: number, mayAsk: boolean): Decisions {
  const [decisions, setDecisions] = useState<Decisions>(unknown);
  useEffect(() => {
    setDecisions(unknown);
    if (!mayAsk) return;
    const gone = new AbortController();
    const ask = async ([action]: (typeof actions)[number]) => {
      const { data } = await send(evaluate(objectId, action), gone.signal);
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
