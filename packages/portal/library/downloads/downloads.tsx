import type { DownloadRecord } from '@scriptorium/contracts/wire/library/downloads';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { formatCount } from '../../kit/count.ts';
import { ListTable } from '../../kit/list-table.tsx';
import { Named } from '../../kit/named.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/values.tsx';
import { downloadedContent, downloadedVia } from './words.ts';
import './downloads.css';

/** The pages that list actors without an individual page. */
const pageOf: Record<DownloadRecord['actor']['type'], { href?: string }> = {
  api_key: {},
  user: { href: '~/portal/members' },
  share: { href: '~/portal/shares' },
};

const columns: readonly Column<DownloadRecord>[] = [
  {
    title: 'Who',
    show: ({ actor, content, via, count, first_at }) => (
      <>
        <Named id={actor.id} name={actor.name} {...pageOf[actor.type]} />
        <div class="soft">
          {downloadedContent[content]}, {downloadedVia[via]}
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
export function Downloads({ objectId }: { objectId: string }) {
  const list = useList(requestFor('listObjectDownloads', { id: objectId, limit: 20 }));
  const since = list.first?.recorded_since ?? null;
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
        empty={<p>Not downloaded.</p>}
      />
      {since !== null && (
        <p class="soft">
          Recorded since <Time at={since} exact />. Previews do not count.
        </p>
      )}
    </>
  );
}
