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

/** Names loaded in this tab; null if a resource cannot be read. */
const known = new Map<string, string | null>();
/** Requests in progress, which several places of a screen may wait for. */
const asked = new Map<string, Promise<void>>();

/** The statuses of what has been purged or is not accessible: the identifier is shown instead. */
const lasting = [403, 404, 410];

/** Loads a name unless it is known; after a failure that may pass, it stays unknown. */
function load(id: string): Promise<void> {
  const request =
    asked.get(id) ??
    nameOf(id)
      .then(
        (name) => void known.set(id, name),
        (error: unknown) => {
          if (!(error instanceof ApiProblem)) throw error;
          if (lasting.includes(error.status)) known.set(id, null);
        },
      )
      .finally(() => asked.delete(id));
  asked.set(id, request);
  return request;
}

/** The names of resources, each loaded once. Names not loaded yet are missing. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRound] = useState(0);
  const wanted = [...new Set(ids)].filter((id) => !known.has(id));
  useEffect(() => {
    let isGone = false;
    for (const id of wanted) {
      void load(id).then(() => {
        if (!isGone) setRound((now) => now + 1);
      });
    }
    return () => {
      isGone = true;
    };
  }, [wanted.join(' ')]);
  return known;
}

async function nameOf(id: string): Promise<string | null> {
  const kind = kindOf(id);
  if (!kind) return null;
  const request: ApiRequest<Record<string, unknown>> = {
    method: 'GET',
    path: `${kind.path}/${id}`,
  };
  const name = (await send(request)).data[kind.field];
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
