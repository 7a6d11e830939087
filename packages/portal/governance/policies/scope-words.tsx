import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import type { PolicyScope } from '@scriptorium/contracts/wire/policies';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { useSession } from '../../shell/session.tsx';
import { anyOf } from './rules/words.ts';

type Collections = ReadonlyMap<string, CollectionRecord>;

/** The collections used in scopes, by identifier, as far as the key can read them. */
export function useScopeCollections(scopes: readonly PolicyScope[]): Collections {
  const { can } = useSession();
  const ids = scopes.flatMap((scope) => (scope.type === 'collection' ? scope.ids : []));
  const isNeeded = can('collections:read') && ids.length > 0;
  const { data: listed } = useAnswer(
    isNeeded ? requestFor('listCollections', { kind: 'manual', sort: 'name', limit: 200 }) : null,
  );
  const isAnyMissing = listed && ids.some((id) => !listed.data.some((one) => one.id === id));
  const { data: trashed } = useAnswer(
    isAnyMissing
      ? requestFor('listCollections', { state: 'trashed', limit: 100, include: 'total' })
      : null,
  );
  return useMemo(
    () => new Map([...(listed?.data ?? []), ...(trashed?.data ?? [])].map((one) => [one.id, one])),
    [listed, trashed],
  );
}

/** A scope as text, with links to its collections. */
export function ScopeWords(props: { scope: PolicyScope; collections: Collections }) {
  const { scope, collections } = props;
  switch (scope.type) {
    case 'project':
      return <>Everything in the project</>;
    case 'tag':
      return (
        <bdi>
          Everything tagged {anyOf(scope.tags.map((tag) => `“${tag}”`))}, and outputs derived from
          it
        </bdi>
      );
    case 'collection':
      return (
        <>Everything in {links(scope.ids, collections)} or below, and outputs derived from it</>
      );
  }
}

/** Returns at most six links; for more collections, the first five and the number of the rest. */
function links(ids: readonly string[], collections: Collections): ComponentChildren {
  const shown = ids.length > 6 ? ids.slice(0, 5) : ids;
  const more = ids.length - shown.length;
  return (
    <>
      {shown.map((id, at) => (
        <span key={id}>
          {at > 0 && (more === 0 && at === shown.length - 1 ? ' or ' : ', ')}
          <CollectionLink id={id} record={collections.get(id)} />
        </span>
      ))}
      {more > 0 && ` or ${more} more`}
    </>
  );
}

function CollectionLink({ id, record }: { id: string; record: CollectionRecord | undefined }) {
  if (!record) return <ResourceLink id={id} />;
  return (
    <>
      <ResourceLink id={id}>
        <bdi>“{record.path.map(({ name }) => name).join(' / ')}”</bdi>
      </ResourceLink>
      {record.state === 'trashed' && ' (in the trash)'}
    </>
  );
}
