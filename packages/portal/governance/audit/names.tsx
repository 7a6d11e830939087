import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { useName } from '../../kit/names.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { useSession } from '../../shell/session.tsx';
import { memberName } from '../members/member-name.ts';

interface Names {
  keys: ReadonlyMap<string, string>;
  /** The members, for the actor filter: records contain the names of people. */
  people: ReadonlyMap<string, string>;
  policies: ReadonlyMap<string, string>;
  /** The URLs of webhooks. */
  webhooks: ReadonlyMap<string, string>;
  /** Whether the lists of names have loaded or cannot be read. */
  isLoaded: boolean;
}

const NamesContext = createContext<Names>({
  keys: new Map(),
  people: new Map(),
  policies: new Map(),
  webhooks: new Map(),
  isLoaded: false,
});
export const useNames = (): Names => useContext(NamesContext);

/**
 * Provides the names of keys, members, policies and webhooks, as far as the session may read them;
 * records contain only their identifiers, except for people.
 */
export function NamesProvider(props: { children: ComponentChildren }) {
  const { can } = useSession();
  const keyList = useResource(can('keys:read') ? requestFor('listKeys', { limit: 200 }) : null);
  const memberList = useResource(
    can('members:read') ? requestFor('listMembers', { limit: 200 }) : null,
  );
  const policyList = useResource(
    can('policies:read') ? requestFor('listPolicies', { limit: 200 }) : null,
  );
  const webhookList = useResource(
    can('webhooks:read') ? requestFor('listWebhooks', { limit: 200 }) : null,
  );
  const loaded = ![keyList, memberList, policyList, webhookList].some(({ loading }) => loading);
  const names = useMemo<Names>(
    () => ({
      keys: new Map((keyList.data?.data ?? []).map(({ id, name }) => [id, name])),
      people: new Map((memberList.data?.data ?? []).map((one) => [one.user_id, memberName(one)])),
      policies: new Map((policyList.data?.data ?? []).map(({ id, name }) => [id, name])),
      webhooks: new Map((webhookList.data?.data ?? []).map(({ id, url }) => [id, url])),
      isLoaded: loaded,
    }),
    [keyList.data, memberList.data, policyList.data, webhookList.data, loaded],
  );
  return <NamesContext.Provider value={names}>{props.children}</NamesContext.Provider>;
}

const actorTypeNames: Record<string, string> = {
  user: 'A person',
  share: 'A visitor of a link',
  worker: 'A worker',
  operator: 'The operator',
  system: 'The service',
  service: 'A neighbouring service',
};

/** The types of actors other than API keys, with their names. */
export const otherActors = Object.entries(actorTypeNames);

/** The actor of a record. */
export function Actor({ actor }: { actor: EventRecord['actor'] }) {
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
        <strong>{actorTypeNames.share}</strong> <bdi title={actor.id ?? ''}>“{actor.name}”</bdi>
      </>
    );
  }
  if (actor.type !== 'api_key' || actor.id === null) {
    return <strong>{actorTypeNames[actor.type] ?? actor.type}</strong>;
  }
  return (
    <strong>
      <KeyRef id={actor.id} />
    </strong>
  );
}

function KeyRef({ id }: { id: string }) {
  const { keys, isLoaded } = useNames();
  // The list has the newest 200 keys only.
  const unlistedName = useName(isLoaded && !keys.has(id) ? id : undefined);
  const name = keys.get(id) ?? unlistedName;
  return <ResourceLink id={id}>{name ? <bdi>{name}</bdi> : id}</ResourceLink>;
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

/** A link to a webhook, shown by its URL if that can be read. */
export function WebhookRef({ id }: { id: string }) {
  const url = useNames().webhooks.get(id);
  return <ResourceLink id={id}>{url && <bdi>{url}</bdi>}</ResourceLink>;
}
