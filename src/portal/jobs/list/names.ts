import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, send } from '../../api/request.ts';
import { getObject } from '../../library/browse/requests.ts';
import { useSession } from '../../shell/session.tsx';

/** File names loaded in this tab; null if an object could not be read. */
const known = new Map<string, string | null>();

/** The file names of objects, each loaded once. Names not loaded yet are missing. */
export function useFilenames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRound] = useState(0);
  const wanted = [...new Set(ids)].filter((id) => !known.has(id));
  useEffect(() => {
    const gone = new AbortController();
    const ask = async (id: string): Promise<void> => {
      try {
        known.set(id, (await send(getObject(id), gone.signal)).data.filename);
      } catch (error) {
        if (!(error instanceof ApiProblem)) return;
        // Purged or not accessible: the identifier is shown instead.
        known.set(id, null);
      }
      setRound((now) => now + 1);
    };
    for (const id of wanted) void ask(id);
    return () => gone.abort();
  }, [wanted.join(' ')]);
  return known;
}

/** The file name of an object: undefined until it is loaded, null if it cannot be read. */
export function useFilename(id: string | undefined): string | null | undefined {
  const { can } = useSession();
  const isReadable = can('objects:read');
  const names = useFilenames(id && isReadable ? [id] : []);
  if (!isReadable) return null;
  return id === undefined ? undefined : names.get(id);
}
