import type { Scope } from '@scriptorium/contracts/scopes';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, requestFor, send } from '../api/request.ts';
import { useSession } from '../shell/session.tsx';

/** How the names of a kind of resource are loaded. */
interface ResourceKind {
  scope: Scope;
  /**
   * Lists the resources with these comma-separated identifiers, including those in the trash.
   * @throws ApiProblem
   */
  list: (id: string) => Promise<readonly { id: string; name: string }[]>;
}

/** The API's maximum for a page. */
const limit = 200;
/** By default, lists omit the trash. */
const state = 'processing,available,rejected,failed,trashed';

/** The kinds, by prefix of the identifier. */
const kinds: Readonly<Record<string, ResourceKind>> = {
  obj: {
    scope: 'objects:read',
    list: async (id) => {
      const { data } = await send(requestFor('listObjects', { id, state, limit }));
      return data.data.map((object) => ({ id: object.id, name: object.filename }));
    },
  },
  img: {
    scope: 'images:read',
    list: async (id) => {
      const { data } = await send(requestFor('searchImages', { id, state, limit }));
      return data.data.map((image) => ({ id: image.id, name: image.filename }));
    },
  },
  col: {
    scope: 'collections:read',
    list: async (id) => {
      const request = requestFor('listCollections', { id, state: 'available,trashed', limit });
      return (await send(request)).data.data;
    },
  },
  whk: {
    scope: 'webhooks:read',
    list: async (id) => {
      const { data } = await send(requestFor('listWebhooks', { id, limit }));
      return data.data.map((webhook) => ({ id: webhook.id, name: webhook.url }));
    },
  },
  key: {
    scope: 'keys:read',
    list: async (id) => (await send(requestFor('listKeys', { id, limit }))).data.data,
  },
};

const kindOf = (id: string): ResourceKind | undefined => kinds[id.slice(0, id.indexOf('_'))];

/** Names loaded in this tab; null if a resource cannot be read. */
const namesById = new Map<string, string | null>();
/** Requests in progress, by identifier. Several components may wait for the same one. */
const requests = new Map<string, Promise<void>>();
/** The identifiers that the next request of a kind asks for. */
const batches = new Map<ResourceKind, { ids: string[]; request: Promise<void> }>();

/** Loads a name, in one request with all others of its kind that are requested in the same turn. */
function load(id: string): Promise<void> {
  const kind = kindOf(id);
  if (!kind) {
    namesById.set(id, null);
    return Promise.resolve();
  }
  let batch = batches.get(kind);
  if (!batch || batch.ids.length === limit) {
    const ids: string[] = [];
    batch = { ids, request: Promise.resolve().then(() => loadAll(kind, ids)) };
    batches.set(kind, batch);
  }
  batch.ids.push(id);
  return batch.request;
}

/** After a temporary failure, the names stay unknown. */
async function loadAll(kind: ResourceKind, ids: readonly string[]): Promise<void> {
  batches.delete(kind);
  try {
    const listed = await kind.list(ids.join());
    // If a resource no longer exists, its identifier is shown instead.
    for (const id of ids) namesById.set(id, null);
    for (const { id, name } of listed) namesById.set(id, name);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.status === 403) for (const id of ids) namesById.set(id, null);
  } finally {
    for (const id of ids) requests.delete(id);
  }
}

/** Returns names of resources by identifier, each loaded once. Names not loaded yet are missing. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRenderCount] = useState(0);
  const missing = [...new Set(ids)].filter((id) => !namesById.has(id));
  useEffect(() => {
    let isUnmounted = false;
    for (const id of missing) {
      const request = requests.get(id) ?? load(id);
      requests.set(id, request);
      void request.then(() => {
        if (!isUnmounted) setRenderCount((now) => now + 1);
      });
    }
    return () => {
      isUnmounted = true;
    };
  }, [missing.join(' ')]);
  return namesById;
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
