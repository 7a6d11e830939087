import type { Scope } from '@scriptorium/contracts/scopes';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, requestFor, send } from '../api/request.ts';
import { useSession } from '../shell/session.tsx';

/** How the name of a kind of resource is loaded. */
interface Kind {
  scope: Scope;
  /** Null if the resource does not exist. @throws ApiProblem */
  read: (id: string) => Promise<string | null>;
}

/** The kinds by the prefix of the identifier. */
const kinds: Readonly<Record<string, Kind>> = {
  obj: { scope: 'objects:read', read: nameOfObject },
  img: {
    scope: 'images:read',
    read: async (id) => (await send(requestFor('getImage', { id }))).data.filename,
  },
  col: {
    scope: 'collections:read',
    read: async (id) => (await send(requestFor('getCollection', { id }))).data.name,
  },
  whk: {
    scope: 'webhooks:read',
    read: async (id) => (await send(requestFor('getWebhook', { id }))).data.url,
  },
  key: {
    scope: 'keys:read',
    read: async (id) => (await send(requestFor('getKey', { id }))).data.name,
  },
};

const kindOf = (id: string): Kind | undefined => kinds[id.slice(0, id.indexOf('_'))];

/** The objects whose names are wanted in this turn, and the response about all of them. */
let wanted: { ids: string[]; names: Promise<ReadonlyMap<string, string>> } | undefined;
/** The API's maximum for a page. */
const pageSize = 200;

/** Names of objects are asked for in one request, however many a screen shows. */
async function nameOfObject(id: string): Promise<string | null> {
  if (!wanted) {
    const ids: string[] = [];
    wanted = { ids, names: Promise.resolve().then(() => readObjects(ids)) };
  }
  wanted.ids.push(id);
  return (await wanted.names).get(id) ?? null;
}

async function readObjects(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  wanted = undefined;
  const names = new Map<string, string>();
  for (let at = 0; at < ids.length; at += pageSize) {
    const { data } = await send(
      requestFor('listObjects', {
        id: ids.slice(at, at + pageSize).join(','),
        // By default, the trash is left out.
        state: 'processing,available,rejected,failed,trashed',
        limit: pageSize,
      }),
    );
    for (const { id, filename } of data.data) names.set(id, filename);
  }
  return names;
}

/** Names loaded in this tab; null if a resource cannot be read. */
const known = new Map<string, string | null>();
/** Requests in progress, which several places of a screen may wait for. */
const asked = new Map<string, Promise<void>>();

/** The statuses of what has been purged or is not accessible: the identifier is shown instead. */
const lasting = [403, 404, 410];

/** Loads a name unless it is known; after a failure that may pass, it stays unknown. */
async function load(id: string): Promise<void> {
  try {
    known.set(id, (await kindOf(id)?.read(id)) ?? null);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (lasting.includes(error.status)) known.set(id, null);
  } finally {
    asked.delete(id);
  }
}

/** The names of resources, each loaded once. Names not loaded yet are missing. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, setRound] = useState(0);
  const missing = [...new Set(ids)].filter((id) => !known.has(id));
  useEffect(() => {
    let isGone = false;
    for (const id of missing) {
      const request = asked.get(id) ?? load(id);
      asked.set(id, request);
      void request.then(() => {
        if (!isGone) setRound((now) => now + 1);
      });
    }
    return () => {
      isGone = true;
    };
  }, [missing.join(' ')]);
  return known;
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
