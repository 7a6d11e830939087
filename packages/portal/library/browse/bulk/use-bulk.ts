import { useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import type { Outcome } from './run.ts';

/** Runs a bulk change and keeps its progress and outcome. */
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
  return { busy, settled, problem, failed, run, clearProblem: () => setProblem(undefined) };
}
