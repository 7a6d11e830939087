import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, send } from '../../api/request.ts';
import { getObject } from '../../library/browse/requests.ts';

/** The names of objects that were asked for in this tab, or null where there is none to be had. */
const known = new Map<string, string | null>();

/** What objects are called, each asked for once. Those not known yet are not in it. */
export function useFilenames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRound] = useState(0);
  const wanted = [...new Set(ids)].filter((id) => !known.has(id));
  useEffect(() => {
    const gone = new AbortController();
    const ask = async (): Promise<void> => {
      for (const id of wanted) {
        try {
          known.set(id, (await send(getObject(id), gone.signal)).data.filename);
        } catch (error) {
          if (!(error instanceof ApiProblem)) return;
          // Purged, or out of reach: its identifier has to do.
          known.set(id, null);
        }
        setRound((now) => now + 1);
      }
    };
    void ask();
    return () => gone.abort();
  }, [wanted.join(' ')]);
  return known;
}
