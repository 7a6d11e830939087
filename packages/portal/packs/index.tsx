import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { packStates } from '@scriptorium/contracts/packs';
import type { PackRecord, PackSort } from '@scriptorium/contracts/wire/packs';
import { Route, Switch } from 'wouter-preact';
import { requestFor } from '../api/request.ts';
import { ButtonLink } from '../kit/button.tsx';
import { lazyComponent } from '../kit/lazy-component.tsx';
import { LiveListScreen } from '../kit/live-list-screen.tsx';
import { NamedResource } from '../kit/named-resource.tsx';
import { Empty, Loading, PageNotFound } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { Progress, StateBadge, Time } from '../kit/values.tsx';
import { useSession } from '../shell/session.tsx';
import { PackDetail } from './detail/index.tsx';
import { documentProgress, isFinished, pageProgress } from './pack-progress.ts';
import './packs.css';

const NewPack = lazyComponent(() => import('./new/index.tsx'), {
  placeholder: <Loading what="form" />,
});

/** The routes of packs: list, form, and one pack. */
export default function Packs() {
  return (
    <Switch>
      <Route path="/new">
        <NewPack />
      </Route>
      <Route path="/:id">{({ id }) => <PackDetail key={id} id={id} />}</Route>
      <Route path="/">
        <PackList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The project's packs, by default newest first. */
function PackList() {
  const { can } = useSession();
  const buildButton = can('documents:write') && (
    <ButtonLink primary icon="add" href="/new">
      Build pack
    </ButtonLink>
  );
  return (
    <LiveListScreen<PackRecord, PackSort>
      title="Packs"
      nouns={['pack', 'packs']}
      request={(query) => requestFor('listPacks', query)}
      live={{
        eventPrefix: 'documents.pack',
        ignoredSuffixes: ['progressed'],
        itemRequest: (id) => requestFor('getPack', { id }),
        mayChange: (pack) => !isFinished(pack),
      }}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          title: 'State',
          options: packStates.map((one) => [one, one.replaceAll('_', ' ')] as const),
        },
      ]}
      sorts={['created_at', 'name', 'state']}
      defaultSort="-created_at"
      columns={columns}
      primary={buildButton}
      empty={
        <Empty icon="packs" title="No packs yet" action={buildButton}>
          A pack is one ZIP file with the text of many documents for a language model. Each chunk of
          text refers to its position on the page.
        </Empty>
      }
    />
  );
}

const columns: readonly Column<PackRecord>[] = [
  {
    title: 'Pack',
    sort: 'name',
    show: ({ id, name }) => <NamedResource id={id} name={name} href={`/${id}`} />,
  },
  { title: 'State', sort: 'state', show: ({ state }) => <StateBadge state={state} /> },
  {
    title: 'Progress',
    show: (pack) =>
      isFinished(pack) ? (
        <span class="soft table-words">{documentProgress(pack)}</span>
      ) : (
        <div class="packs-progress">
          <Progress percent={pack.progress.percent} label={`Progress of ${pack.name}`} />
          <span class="soft">
            {documentProgress(pack)}, {pageProgress(pack)}
          </span>
        </div>
      ),
  },
  {
    title: 'Size',
    kind: 'number',
    show: ({ output }) => (output ? formatBytes(output.bytes) : <span class="soft">–</span>),
  },
  {
    title: 'Created',
    kind: 'line',
    sort: 'created_at',
    descendingFirst: true,
    show: (pack) => <Time at={pack.created_at} />,
  },
];
