import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { KeyRecord } from '@scriptorium/contracts/wire/keys';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { ApiProblem, requestFor, send } from '../../api/request.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { useSession } from '../../shell/session.tsx';
import { nameOf } from '../members/name-of.ts';

interface Names {
  keys: ReadonlyMap<string, string>;
  /** The members, for the filter of actors: records have the names of people. */
  people: ReadonlyMap<string, string>;
  policies: ReadonlyMap<string, string>;
  /** The URLs of webhooks. */
  webhooks: ReadonlyMap<string, string>;
  /** Whether the lists of names have come, or cannot be read. */
  loaded: boolean;
}

const Context = createContext<Names>({
  keys: new Map(),
  people: new Map(),
  policies: new Map(),
  webhooks: new Map(),
  loaded: false,
});
export const useNames = (): Names => useContext(Context);

/**
 * Provides the names of keys, policies and webhooks, as far as the session's key can read them; records contain
 * identifiers only. Keys beyond the newest 200 are loaded when they occur in `events`.
 */
export function NamesProvider(props: {
  events: readonly EventRecord[];
  children: ComponentChildren;
}) {
  const { can } = useSession();
  const seesKeys = can('keys:read');
  const keyList = useAnswer(seesKeys ? requestFor('listKeys', { limit: 200 }) : null);
  const memberList = useAnswer(
    can('members:read') ? requestFor('listMembers', { limit: 200 }) : null,
  );
  const policyList = useAnswer(
    can('policies:read') ? requestFor('listPolicies', { limit: 200 }) : null,
  );
  const webhookList = useAnswer(
    can('webhooks:read') ? requestFor('listWebhooks', { limit: 200 }) : null,
  );
  const older = useOlderKeys(
    seesKeys && keyList.data?.has_more ? props.events : [],
    keyList.data?.data ?? [],
  );
  const loaded = ![keyList, memberList, policyList, webhookList].some(({ loading }) => loading);
  const names = useMemo<Names>(
    () => ({
      keys: new Map([...(keyList.data?.data ?? []), ...older].map(({ id, name }) => [id, name])),
      people: new Map((memberList.data?.data ?? []).map((one) => [one.user_id, nameOf(one)])),
      policies: new Map((policyList.data?.data ?? []).map(({ id, name }) => [id, name])),
      webhooks: new Map((webhookList.data?.data ?? []).map(({ id, url }) => [id, url])),
      loaded,
    }),
    [keyList.data, older, memberList.data, policyList.data, webhookList.data, loaded],
  );
  return <Context.Provider value={names}>{props.children}</Context.Provider>;
}

function useOlderKeys(events: readonly EventRecord[], listed: readonly KeyRecord[]): KeyRecord[] {
  const [found, setFound] = useState<KeyRecord[]>([]);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    for (const { actor } of events) {
      if (actor.type !== 'api_key' || actor.id === null || asked.current.has(actor.id)) continue;
      asked.current.add(actor.id);
      if (listed.some(({ id }) => id === actor.id)) continue;
      send(requestFor('getKey', { id: actor.id })).then(
        ({ data }) => setFound((now) => [...now, data]),
        (error: unknown) => {
          // Without a name, the identifier is shown.
          if (!(error instanceof ApiProblem)) throw error;
        },
      );
    }
  }, [events, listed]);
  return found;
}

const others: Record<string, string> = {
  user: 'A person',
  share: 'A visitor of a link',
  worker: 'A worker',
  operator: 'The operator',
  system: 'The service',
  service: 'A neighbouring service',
};

/** The types of actors other than API keys, with their names. */
export const otherActors = Object.entries(others);

/** The actor of a record. */
export function Actor({ actor }: { actor: EventRecord['actor'] }) {
  const { keys } = useNames();
  if (actor.type === 'user' && actor.id !== null) {
    return (
      <strong>
        <bdi title={actor.id}>{actor.name ?? actor.id}</bdi>
      </strong>
    );
  }
  if (actor.type === 'share' && actor.name !== null) {
    return (
      <>
        <strong>{others.share}</strong> <bdi title={actor.id ?? ''}>“{actor.name}”</bdi>
      </>
    );
  }
  if (actor.type !== 'api_key' || actor.id === null) {
    return <strong>{others[actor.type] ?? actor.type}</strong>;
  }
  const name = keys.get(actor.id);
  return (
    <strong>
      <ResourceLink id={actor.id}>{name === undefined ? actor.id : <bdi>{name}</bdi>}</ResourceLink>
    </strong>
  );
}

/** A link to a policy, with its name if known. */
export function PolicyRef({ id }: { id: string }) {
  const name = useNames().policies.get(id);
  return (
    <>
      the policy{' '}
      <ResourceLink id={id}>{name === undefined ? id : <bdi>“{name}”</bdi>}</ResourceLink>
    </>
  );
}

/** A link to a webhook by its URL, if it can be read. */
export function WebhookRef({ id }: { id: string }) {
  const url = useNames().webhooks.get(id);
  return <ResourceLink id={id}>{url && <bdi>{url}</bdi>}</ResourceLink>;
}
