import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { Link, Route, Switch } from 'wouter-preact';
import { useList, useResource } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { PageNotFound } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { mimeName } from '../browse/filters/filters.ts';
import { type TrashState, TrashTable } from './table.tsx';
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
        <ObjectTable state={view === 'objects' ? 'trashed' : view} days={days} />
      )}
    </>
  );
}

function ObjectTable({ state, days }: { state: TrashState; days: number | undefined }) {
  const request = requestFor('listObjects', { state, limit: 100, include: 'total' });
  const list = useList(request);
  return (
    <TrashTable
      key={state}
      list={list}
      request={request}
      state={state}
      scope="objects:write"
      noun="object"
      about={explanations[state]}
      nameOf={({ filename }) => filename}
      hrefOf={({ id }) => `~/portal/library/objects/${id}`}
      columns={[
        { title: 'Type', show: ({ mime }) => mimeName(mime) },
        { title: 'Size', kind: 'number', show: ({ bytes }) => formatBytes(bytes) },
        ...(state === 'trashed'
          ? timeColumns<ObjectRecord>(days)
          : [{ title: 'Reason', show: reasonOf }]),
      ]}
    />
  );
}

function TrashedCollections({ days }: { days: number | undefined }) {
  const request = requestFor('listCollections', { state: 'trashed', limit: 100, include: 'total' });
  const list = useList(request);
  return (
    <TrashTable
      list={list}
      request={request}
      state="trashed"
      scope="collections:write"
      noun="collection"
      about="Restoring a collection also restores the collections trashed with it. Its images and objects were not affected."
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `~/portal/collections/${id}`}
      columns={[
        {
          title: 'Location',
          show: ({ path }) => (
            <bdi>
              {path
                .slice(0, -1)
                .map(({ name }) => name)
                .join(' / ') || 'Top level'}
            </bdi>
          ),
        },
        ...timeColumns<CollectionRecord>(days),
      ]}
    />
  );
}

/** When an item was trashed, and when it will be purged. */
function timeColumns<T extends { updated_at: string }>(days: number | undefined): Column<T>[] {
  return [
    { title: 'Trashed', kind: 'line', show: (item) => <Time at={item.updated_at} /> },
    { title: 'Purged', kind: 'line', show: (item) => <Time at={purgeTimeOf(item, days)} /> },
  ];
}

const explanations: Record<TrashState, string> = {
  trashed:
    'Trashed objects are purged automatically, along with the text recognised in them. Objects under a legal hold or retention are kept until it ends.',
  rejected:
    'These objects were rejected after they were uploaded. You can delete them permanently.',
  failed: 'These objects could not be read. You can delete them permanently.',
};

/** Returns when an item will be purged. Trashed items do not change, so `updated_at` is when it was trashed. */
function purgeTimeOf({ updated_at: at }: { updated_at: string }, days: number | undefined) {
  return days === undefined
    ? null
    : new Date(new Date(at).getTime() + days * 86_400_000).toISOString();
}

function reasonOf({ rejection }: ObjectRecord): string {
  const detail = rejection?.detail ?? rejection?.message;
  return typeof detail === 'string' ? detail : 'Unknown';
}
