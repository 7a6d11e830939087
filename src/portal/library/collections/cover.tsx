import { useState } from 'preact/hooks';
import type { ListedCollection } from '../../../contracts/wire/library/collections.ts';
import { urlOf } from '../../api/request.ts';
import { Icon } from '../../kit/icons/icon.tsx';
import { PagePreview } from '../browse/grid/page-preview.tsx';
import './cover.css';

type Covers = NonNullable<ListedCollection['covers']>;

/** The cover of a collection: one picture, or up to four; an icon if it has none. */
export function Cover({ of: members }: { of: Covers | undefined }) {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const shown = members?.filter(({ resource_id: id }) => !failed.has(id)) ?? [];
  return (
    <span class="cover" data-pictures={shown.length} aria-hidden="true">
      {shown.length === 0 && <Icon name="collections" size={28} />}
      {shown.map(({ resource_type: type, resource_id: id }) =>
        type === 'image' ? (
          <img
            key={id}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            src={urlOf({ path: `/v1/images/${id}/renditions/thumb` })}
            // Not there yet, or denied by a policy.
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
