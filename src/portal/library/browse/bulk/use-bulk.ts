import { useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import type { Outcome } from './run.ts';

/** A change of many under way, and what came of it. */
export function useBulk() {
  const [busy, setBusy] = useState(false);
  const [settled, setSettled] = useState(0);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [failed, setFailed] = useState<Outcome['failed']>([]);
  const run = async <T extends Outcome>(
    work: (onProgress: (settled: number) => void) => Promise<T>,
  ): Promise<T | undefined> => {
    setBusy(true);
    setSettled(0);
    setProblem(undefined);
    setFailed([]);
    try {
      const outcome = await work(setSettled);
      setFailed(outcome.failed);
      return outcome;
    } catch (error) {
      setProblem(asProblem(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { busy, settled, problem, failed, run, forget: () => setProblem(undefined) };
}
