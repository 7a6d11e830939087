import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { useName } from '../../kit/names.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { useSession } from '../../shell/session.tsx';
import { memberName } from '../members/member-name.ts';

interface Names {
  keys: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

/** The names of the newest keys and of the members, for the actor filter. */
export function useActorNames(): Names {
  const { can } = useSession();
  const keys = useResource(can('keys:read') ? requestFor('listKeys', { limit: 200 }) : null);
  const members = useResource(
    can('members:read') ? requestFor('listMembers', { limit: 200 }) : null,
  );
  return {
    keys: new Map((keys.data?.data ?? []).map(({ id, name }) => [id, name])),
    people: new Map((members.data?.data ?? []).map((one) => [one.user_id, memberName(one)])),
  };
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
      <ResourceLink id={actor.id} />
    </strong>
  );
}

/** A link to a policy. */
export function PolicyRef({ id }: { id: string }) {
  return (
    <>
      the policy <ResourceLink id={id} />
    </>
  );
}

/** A link to a job or review, named by its document. */
export function ByDocument({ id, noun }: { id: string; noun: 'job' | 'review' }) {
  const name = useName(id);
  return (
    <>
      the {noun} {name !== null && 'of '}
      <ResourceLink id={id} />
    </>
  );
}
