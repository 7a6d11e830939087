import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ListedCollection } from '@scriptorium/contracts/wire/library/collections';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { requestFor, urlOf } from '../../api/request.ts';
import { Icon } from '../../kit/icons/icon.tsx';
import { PagePreview } from '../browse/grid/page-preview.tsx';
import type { CollectionNode } from './nodes.ts';
import './cover.css';

/** Collections as cards with their covers; each links to its page. */
export function CollectionCards({
  label,
  nodes,
}: {
  label: string;
  nodes: readonly CollectionNode[];
}) {
  if (nodes.length === 0) return null;
  return (
    <ul class="collection-cards" aria-label={label}>
      {nodes.map(({ id, name, record, children }) => (
        <li key={id}>
          <Link href={`/${id}`}>
            <Cover covers={record?.covers} />
            <bdi class="collection-card-name">{name}</bdi>
            <span class="soft">
              {record?.kind === 'smart'
                ? 'Smart'
                : record?.member_count != null && pluralise(record.member_count, 'member')}
              {children.length > 0 && ` · ${pluralise(children.length, 'collection')}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Covers = NonNullable<ListedCollection['covers']>;

/** The cover of a collection: one picture, or up to four; an icon if it has none. */
function Cover({ covers }: { covers: Covers | undefined }) {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const pictures = covers?.filter(({ resource_id: id }) => !failed.has(id)) ?? [];
  return (
    <span class="cover" data-pictures={pictures.length} aria-hidden="true">
      {pictures.length === 0 && <Icon name="collections" size={28} />}
      {pictures.map(({ resource_type: type, resource_id: id }) =>
        type === 'image' ? (
          <img
            key={id}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            src={urlOf(requestFor('getRendition', { id, name: 'thumb' }))}
            // Not available yet, or denied by a policy.
            onError={() => setFailed((now) => new Set([...now, id]))}
          />
        ) : (
          <span key={id} class="cover-page">
            <PagePreview objectId={id}>
              <Icon name="file-pdf" size={20} />
            </PagePreview>
          </span>
        ),
      )}
    </span>
  );
}
