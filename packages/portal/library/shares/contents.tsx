import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import type { ShareRecord } from '@scriptorium/contracts/wire/library/shares';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { CopyButton, StateBadge } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { BulkBar, useSelectable } from '../browse/bulk/bar.tsx';
import { ItemActions } from '../browse/bulk/item-actions.tsx';
import { useSelection } from '../browse/grid/selection.ts';
import { ItemGrid } from '../browse/item-grid.tsx';
import { objectsOf } from '../browse/list/requests.ts';
import { sourceOf } from '../browse/list/source.ts';
import { useItems } from '../browse/list/use-items.ts';
import { useView } from '../browse/view.ts';
import { Members } from '../collections/members/index.tsx';
import { useMembers } from '../collections/members/use-members.ts';
import { absoluteUrlOf } from './form.tsx';

/** What a link shows: an object, or the members of a collection. */
export function ShareContents({ id }: { id: string }) {
  const request = requestFor('getShare', { id });
  const { data: share, problem, reload } = useResource(request);
  if (!share) {
    return (
      <>
        <PageHead title="Share" crumbs={[['Shares', '/']]} />
        {problem ? <ProblemState problem={problem} onRetry={reload} /> : <Loading what="share" />}
      </>
    );
  }
  const link = absoluteUrlOf(share);
  return (
    <>
      <PageHead
        title={share.title ?? 'Share'}
        crumbs={[['Shares', '/']]}
        state={<StateBadge state={share.state} />}
        calls={[['Get share', request]]}
        actions={
          link && (
            <CopyButton text={link} subject="link">
              Copy link
            </CopyButton>
          )
        }
      />
      <Target of={share} />
    </>
  );
}

function Target({ of: { object_id: objectId, collection_id: collectionId } }: { of: ShareRecord }) {
  if (objectId) return <SharedObject id={objectId} />;
  if (collectionId) return <SharedCollection id={collectionId} />;
  return <Empty icon="shares" title="Uploads to the library" />;
}

function SharedCollection({ id }: { id: string }) {
  const { data, problem, reload } = useResource(requestFor('getCollection', { id }));
  if (problem && !data) return <ProblemState problem={problem} onRetry={reload} />;
  if (!data) return <Loading what="collection" lines={6} />;
  return <SharedMembers record={data} onChanged={reload} />;
}

function SharedMembers(props: { record: CollectionRecord; onChanged: () => void }) {
  const results = useMembers(props.record, props.onChanged);
  return <Members {...props} results={results} />;
}

const shown = { total: 1 };

function SharedObject({ id }: { id: string }) {
  const { can } = useSession();
  const { query = {} } = objectsOf([id]);
  const results = useItems({
    key: id,
    kind: 'objects',
    noun: 'object',
    query,
    sort: '',
    sorts: [],
    filter: null,
    active: true,
    source: (pictures) => sourceOf('objects', query, can('images:read') ? pictures : null),
    counts: { data: shown, reload: () => undefined },
  });
  const selection = useSelection(results);
  const [view] = useView();
  return (
    <>
      <ItemGrid
        results={results}
        selection={selection}
        selectable={useSelectable()}
        view={view}
        empty={<Empty title="The object was purged" />}
      />
      <BulkBar
        results={results}
        selection={selection}
        actions={(bulk) => <ItemActions {...bulk} />}
      />
    </>
  );
}
