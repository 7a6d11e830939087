import { useEffect, useMemo, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor } from '../../../api/request.ts';
import { useSession } from '../../../shell/session.tsx';
import { checkLimits, checkPolicies } from '../checks.ts';
import type { ChosenFile } from '../files.ts';

/** The files that would be rejected, as far as known in advance: by limits, then by policies. */
export function useRejections(
  files: readonly ChosenFile[],
  tags: readonly string[],
): ReadonlyMap<ChosenFile, ApiProblem> {
  const { can } = useSession();
  const limits = useAnswer(requestFor('getLimits')).data;
  const [denied, setDenied] = useState<ReadonlyMap<ChosenFile, ApiProblem>>(new Map());
  const mayAsk = can('policies:read');
  const tagList = tags.join('\n');
  useEffect(() => {
    if (!mayAsk || files.length === 0) return;
    const gone = new AbortController();
    checkPolicies(files, tags, gone.signal).then(setDenied, (error: unknown) => {
      // The service evaluates the policies again on upload.
      if (!gone.signal.aborted) asProblem(error);
    });
    return () => gone.abort();
  }, [files, tagList, mayAsk]);
  return useMemo(() => {
    const tooLarge = limits ? checkLimits(files, limits) : new Map<ChosenFile, ApiProblem>();
    return new Map([...denied, ...tooLarge].filter(([chosen]) => files.includes(chosen)));
  }, [files, limits, denied]);
}
