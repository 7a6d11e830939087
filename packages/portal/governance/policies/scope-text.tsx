import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import type { PolicyScope } from '@scriptorium/contracts/wire/policies';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { useSession } from '../../shell/session.tsx';
import { joinNames } from './rules/descriptions.ts';

type Collections = ReadonlyMap<string, CollectionRecord>;

/** The collections used in scopes, by identifier, as far as the key can read them. */
export function useScopeCollections(scopes: readonly PolicyScope[]): Collections {
  const { can } = useSession();
  const ids = scopes.flatMap((scope) => (scope.type === 'collection' ? scope.ids : []));
  const hasCollections = can('collections:read') && ids.length > 0;
  const { data: active } = useResource(
    hasCollections
      ? requestFor('listCollections', { kind: 'manual', sort: 'name', limit: 200 })
      : null,
  );
  const hasMissing = active && ids.some((id) => !active.data.some((one) => one.id === id));
  const { data: trashed } = useResource(
    hasMissing
      ? requestFor('listCollections', { state: 'trashed', limit: 100, include: 'total' })
      : null,
  );
  return useMemo(
    () => new Map([...(active?.data ?? []), ...(trashed?.data ?? [])].map((one) => [one.id, one])),
    [active, trashed],
  );
}

/** A scope as text, with links to its collections. */
export function ScopeText(props: { scope: PolicyScope; collections: Collections }) {
  const { scope, collections } = props;
  switch (scope.type) {
    case 'project':
      return <>Everything in the project</>;
    case 'tag':
      return (
        <bdi>
          Everything tagged {joinNames(scope.tags.map((tag) => `“${tag}”`))}, and outputs derived
          from it
        </bdi>
      );
    case 'collection':
      return (
        <>
          Everything in {collectionLinks(scope.ids, collections)} or below, and outputs derived from
          it
        </>
      );
  }
}

/** Returns at most six links; for more collections, the first five and the number of the rest. */
function collectionLinks(ids: readonly string[], collections: Collections): ComponentChildren {
  const visibleIds = ids.length > 6 ? ids.slice(0, 5) : ids;
  const hiddenCount = ids.length - visibleIds.length;
  return (
    <>
      {visibleIds.map((id, at) => (
        <span key={id}>
          {at > 0 && (hiddenCount === 0 && at === visibleIds.length - 1 ? ' or ' : ', ')}
          <CollectionLink id={id} record={collections.get(id)} />
        </span>
      ))}
      {hiddenCount > 0 && ` or ${hiddenCount} more`}
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
