import type { DownloadRecord } from '@scriptorium/contracts/wire/library/downloads';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { formatCount } from '../../kit/format-count.ts';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/values.tsx';
import { channelLabels, contentLabels } from './labels.ts';
import './downloads.css';

/** The lists that contain actors who have no page of their own. */
const actorLinks: Record<DownloadRecord['actor']['type'], { href?: string }> = {
  api_key: {},
  user: { href: '~/portal/members' },
  share: { href: '~/portal/shares' },
};

const columns: readonly Column<DownloadRecord>[] = [
  {
    title: 'Who',
    show: ({ actor, content, via, count, first_at }) => (
      <>
        <NamedResource id={actor.id} name={actor.name} {...actorLinks[actor.type]} />
        <div class="soft">
          {contentLabels[content]}, {channelLabels[via]}
          {count > 1 && (
            <>
              , first <Time at={first_at} />
            </>
          )}
        </div>
      </>
    ),
  },
  { title: 'Times', kind: 'number', show: ({ count }) => formatCount(count) },
  { title: 'Last', kind: 'line', show: ({ last_at }) => <Time at={last_at} /> },
];

/** Who downloaded an object, by key, session, signed URL, archive or shared link. */
export function Downloads({
  objectId,
  derivedFrom = null,
}: {
  objectId: string;
  /** The object that it was derived from, whose downloads are listed there. */
  derivedFrom?: string | null;
}) {
  const list = useList(requestFor('listObjectDownloads', { id: objectId, limit: 20 }));
  const since = list.firstPage?.recorded_since ?? null;
  return (
    <>
      <ListTable
        list={list}
        nouns={['entry', 'entries']}
        label="Downloads"
        columns={columns}
        keyOf={(one) =>
          [one.object_id, one.delivered_object_id, one.content, one.via, one.actor.id].join(' ')
        }
        empty={
          <p>
            Not downloaded.
            {derivedFrom !== null && (
              <>
                {' '}
                This file was derived from <ResourceLink id={derivedFrom}>another one</ResourceLink>
                , which has its own downloads.
              </>
            )}
          </p>
        }
      />
      {since !== null && (
        <p class="soft">
          Recorded since <Time at={since} exact />. Previews do not count.
        </p>
      )}
    </>
  );
}
