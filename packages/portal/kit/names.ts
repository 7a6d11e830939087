import type { Scope } from '@scriptorium/contracts/scopes';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, requestFor, send } from '../api/request.ts';
import { useSession } from '../shell/session.tsx';
import { webhookTitle } from './webhook-title.ts';

/** How the names of a kind of resource are loaded. */
interface ResourceKind {
  scope: Scope;
  /**
   * Lists the resources with these comma-separated identifiers, including those in the trash.
   * @throws ApiProblem
   */
  list: (id: string) => Promise<readonly { id: string; name: string | null }[]>;
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
      return data.data.map((webhook) => ({ id: webhook.id, name: webhookTitle(webhook) }));
    },
  },
  key: {
    scope: 'keys:read',
    list: async (id) => (await send(requestFor('listKeys', { id, limit }))).data.data,
  },
  pol: {
    scope: 'policies:read',
    // A project has no more policies than a page has.
    list: async () => (await send(requestFor('listPolicies', { limit }))).data.data,
  },
  pack: {
    scope: 'documents:read',
    list: async (id) => (await send(requestFor('listPacks', { id, limit }))).data.data,
  },
  job: {
    scope: 'documents:read',
    list: async (id) => {
      const { data } = await send(requestFor('listJobs', { id, limit }));
      return namedBySource(data.data);
    },
  },
  rev: {
    scope: 'documents:read',
    list: async (id) => {
      const { data } = await send(requestFor('listReviews', { id, limit }));
      return namedBySource(data.data);
    },
  },
};

/** Names jobs or reviews by their documents, as far as those can be read. */
async function namedBySource(
  records: readonly { id: string; source_object_id: string }[],
): Promise<{ id: string; name: string | null }[]> {
  const sources = [...new Set(records.map((record) => record.source_object_id))];
  const unknown = sources.filter((id) => !namesById.has(id));
  await Promise.all(unknown.map(request));
  return records.map(({ id, source_object_id: source }) => ({
    id,
    name: namesById.get(source) ?? null,
  }));
}

const idPattern = /^([a-z]{3,4})_[0-9a-hjkmnp-tv-z]{26}$/;

/** Returns the prefix of an identifier of this service; undefined for others, which neighbours record. */
export const prefixOf = (id: string): string | undefined => idPattern.exec(id)?.[1];

const kindOf = (id: string): ResourceKind | undefined => kinds[prefixOf(id) ?? ''];

/** Names loaded in this tab; null if a resource cannot be read. */
const namesById = new Map<string, string | null>();
/** Requests in progress, by identifier. Several components may wait for the same one. */
const requests = new Map<string, Promise<void>>();
/** Names that could not be loaded for now. They are requested again when another component needs them. */
const failedIds = new Set<string>();
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
    for (const id of ids) failedIds.delete(id);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    for (const id of ids) {
      if (error.status === 403) namesById.set(id, null);
      else failedIds.add(id);
    }
  } finally {
    for (const id of ids) requests.delete(id);
  }
}

/** Loads a name, unless it is being loaded. */
function request(id: string): Promise<void> {
  const loading = requests.get(id) ?? load(id);
  requests.set(id, loading);
  return loading;
}

/** Returns names of resources by identifier, each loaded once. Names not loaded yet are missing. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRenderCount] = useState(0);
  const missing = [...new Set(ids)].filter((id) => !namesById.has(id));
  useEffect(() => {
    let isUnmounted = false;
    for (const id of missing) {
      void request(id).then(() => {
        if (!isUnmounted) setRenderCount((now) => now + 1);
      });
    }
    return () => {
      isUnmounted = true;
    };
  }, [missing.join(' ')]);
  return namesById;
}

/** The name of a resource: undefined until it is loaded, null if it cannot be read or loaded. */
export function useName(id: string | undefined): string | null | undefined {
  const { can } = useSession();
  const kind = id === undefined ? undefined : kindOf(id);
  const isReadable = kind !== undefined && can(kind.scope);
  const names = useNames(id && isReadable ? [id] : []);
  if (id === undefined) return undefined;
  if (!isReadable || failedIds.has(id)) return null;
  return names.get(id);
}

/** Whether names of resources that the session may read are still being loaded. */
export function useNamesLoading(ids: readonly string[]): boolean {
  const { can } = useSession();
  const readable = ids.filter((id) => {
    const kind = kindOf(id);
    return kind !== undefined && can(kind.scope);
  });
  const names = useNames(readable);
  return readable.some((id) => !names.has(id) && !failedIds.has(id));
}
