import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, send } from '../../api/request.ts';
import { getObject } from '../../library/browse/requests.ts';

/** File names loaded in this tab; null if an object could not be read. */
const known = new Map<string, string | null>();

/** The file names of objects, each loaded once. Names not loaded yet are missing. */
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
          // Purged or not accessible: the identifier is shown instead.
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
