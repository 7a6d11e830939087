import { Link, Route, Switch } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { PageNotFound } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { TrashedCollections } from './collections.tsx';
import { TrashedObjects } from './objects.tsx';
import './trash.css';

const views = [
  ['objects', 'Objects'],
  ['collections', 'Collections'],
  ['rejected', 'Rejected'],
  ['failed', 'Failed'],
] as const;

export default function Trash() {
  return (
    <Switch>
      <Route path="/" component={TrashScreen} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** Trashed objects and collections, and objects that were rejected or failed on upload. */
function TrashScreen() {
  const [address] = useQueryState();
  const { can } = useSession();
  const days = useResource(requestFor('getLimits')).data?.trash_days;
  const visibleViews = views.filter(([name]) => name !== 'collections' || can('collections:read'));
  const [view] = visibleViews.find(([name]) => name === address.get('show')) ?? views[0];
  return (
    <>
      <PageHead title="Trash" />
      <nav class="tabs trash-tabs" aria-label="State">
        {visibleViews.map(([name, title]) => (
          <Link
            key={name}
            href={name === 'objects' ? '/' : `/?show=${name}`}
            aria-current={name === view ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {view === 'collections' ? (
        <TrashedCollections days={days} />
      ) : (
        <TrashedObjects key={view} state={view === 'objects' ? 'trashed' : view} days={days} />
      )}
    </>
  );
}
