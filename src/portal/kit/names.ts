import { useEffect, useState } from 'preact/hooks';
import type { Scope } from '../../contracts/scopes.ts';
import { ApiProblem, type ApiRequest, send } from '../api/request.ts';
import { useSession } from '../shell/session.tsx';

/** Where the name of a resource is read, by the prefix of its identifier. */
interface Kind {
  path: string;
  scope: Scope;
  field: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  obj: { path: '/v1/objects', scope: 'objects:read', field: 'filename' },
  img: { path: '/v1/images', scope: 'images:read', field: 'filename' },
  col: { path: '/v1/collections', scope: 'collections:read', field: 'name' },
  whk: { path: '/v1/webhooks', scope: 'webhooks:read', field: 'url' },
  key: { path: '/v1/keys', scope: 'keys:read', field: 'name' },
};

const kindOf = (id: string): Kind | undefined => kinds[id.slice(0, id.indexOf('_'))];

/** Names loaded in this tab; null if a resource could not be read. */
const known = new Map<string, string | null>();

/** The names of resources, each loaded once. Names not loaded yet are missing. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRound] = useState(0);
  const wanted = [...new Set(ids)].filter((id) => !known.has(id));
  useEffect(() => {
    const gone = new AbortController();
    const ask = async (id: string): Promise<void> => {
      try {
        known.set(id, await nameOf(id, gone.signal));
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

async function nameOf(id: string, signal: AbortSignal): Promise<string | null> {
  const kind = kindOf(id);
  if (!kind) return null;
  const request: ApiRequest<Record<string, unknown>> = {
    method: 'GET',
    path: `${kind.path}/${id}`,
  };
  const name = (await send(request, signal)).data[kind.field];
  return typeof name === 'string' ? name : null;
}

/** The name of a resource: undefined until it is loaded, null if it cannot be read. */
export function useName(id: string | undefined): string | null | undefined {
  const { can } = useSession();
  const kind = id === undefined ? undefined : kindOf(id);
  const isReadable = kind !== undefined && can(kind.scope);
  const names = useNames(id && isReadable ? [id] : []);
  if (id === undefined) return undefined;
  return isReadable ? names.get(id) : null;
}
