import { Link } from 'wouter-preact';
import type { ObjectRecord } from '../../../contracts/wire/objects.ts';
import { useAnswer, useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { formatBytes, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { mimeName } from '../browse/filters/filters.ts';
import { getLimits } from '../uploads/requests.ts';
import { type EndedState, listEnded, listTrashedCollections } from './requests.ts';
import { EndedTable } from './table.tsx';
import './trash.css';

const views = [
  ['objects', 'Files and images'],
  ['collections', 'Collections'],
  ['rejected', 'Refused'],
  ['failed', 'Failed'],
] as const;

/** What is in the trash and when it ends, and what was refused or failed on its way in. */
export default function Trash() {
  const [address] = useQueryState();
  const { can } = useSession();
  const days = useAnswer(getLimits()).data?.trash_days;
  const shown = views.filter(([name]) => name !== 'collections' || can('collections:read'));
  const [view] = shown.find(([name]) => name === address.get('show')) ?? views[0];
  return (
    <>
      <div class="page-head">
        <h1>Trash</h1>
      </div>
      <nav class="tabs trash-tabs" aria-label="What is shown">
        {shown.map(([name, title]) => (
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
        <Objects state={view === 'objects' ? 'trashed' : view} days={days} />
      )}
    </>
  );
}

function Objects({ state, days }: { state: EndedState; days: number | undefined }) {
  const request = listEnded(state);
  const list = useList(request);
  return (
    <EndedTable
      key={state}
      list={list}
      request={request}
      state={state}
      scope="objects:write"
      noun="files"
      words={wordsOf[state]}
      nameOf={({ filename }) => filename}
      hrefOf={({ id }) => `~/portal/library/objects/${id}`}
      columns={['Type', 'Size', ...(state === 'trashed' ? ['Trashed', 'Ends'] : ['Why'])]}
      cellsOf={(object) => [
        mimeName(object.mime),
        formatBytes(object.bytes),
        ...(state === 'trashed'
          ? [<Time key="at" at={object.updated_at} />, <Time key="end" at={endOf(object, days)} />]
          : [reasonOf(object)]),
      ]}
    />
  );
}

function TrashedCollections({ days }: { days: number | undefined }) {
  const request = listTrashedCollections();
  const list = useList(request);
  return (
    <EndedTable
      list={list}
      request={request}
      state="trashed"
      scope="collections:write"
      noun="collections"
      words={{
        about:
          'A collection comes back with all that went to the trash with it. What it held was never touched.',
        empty: 'No collection is in the trash.',
      }}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `~/portal/collections/${id}`}
      columns={['Was in', 'Trashed', 'Ends']}
      cellsOf={(collection) => [
        <bdi key="path">
          {collection.path
            .slice(0, -1)
            .map(({ name }) => name)
            .join(' / ') || 'The top'}
        </bdi>,
        <Time key="at" at={collection.updated_at} />,
        <Time key="end" at={endOf(collection, days)} />,
      ]}
    />
  );
}

const wordsOf: Record<EndedState, { about: string; empty: string }> = {
  trashed: {
    about:
      'What is here ends by itself, with all that was made of its text. Nothing ends earlier. What a legal hold or a retention keeps stays until that is over.',
    empty: 'No file is in the trash.',
  },
  rejected: {
    about: 'These were refused after they had arrived. They can be removed at once, for good.',
    empty: 'Nothing was refused.',
  },
  failed: {
    about: 'These could not be read. They can be removed at once, for good.',
    empty: 'Nothing failed.',
  },
};

/** Nothing changes in the trash, so the last change is when it came there. */
function endOf({ updated_at: at }: { updated_at: string }, days: number | undefined) {
  return days === undefined
    ? null
    : new Date(new Date(at).getTime() + days * 86_400_000).toISOString();
}

function reasonOf({ rejection }: ObjectRecord): string {
  const detail = rejection?.detail ?? rejection?.message;
  return typeof detail === 'string' ? detail : 'No reason was kept.';
}
