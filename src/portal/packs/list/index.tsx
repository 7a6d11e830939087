import { formatBytes } from '../../../contracts/format-bytes.ts';
import { packStates } from '../../../contracts/packs.ts';
import type { PackRecord, PackSort } from '../../../contracts/wire/packs.ts';
import { useList } from '../../api/hooks.ts';
import { useLiveList } from '../../api/live-list.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { Named } from '../../kit/named.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useSort } from '../../kit/sort.ts';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { Progress, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import '../packs.css';
import { documentsIn, isEnded, pagesIn } from '../words.ts';

/** The number of packs per page. */
const packsPerPage = 25;

/** The project's packs, by default newest first, updated live. */
export function PackList() {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const state = search.get('state') ?? '';
  const { sort, ...sorting } = useSort<PackSort>(['created_at', 'name', 'state'], '-created_at');
  const request = requestFor('listPacks', { state: state || undefined, sort, limit: packsPerPage });
  const list = useList(request);
  useLiveList(list, {
    listens: can('events:read'),
    type: 'documents.pack',
    passing: ['progressed'],
    get: (id) => requestFor('getPack', { id }),
    perPage: packsPerPage,
    runs: (pack) => !isEnded(pack),
  });
  const build = can('documents:write') && (
    <ButtonLink primary icon="add" href="/new">
      Build pack
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Packs"
        calls={[
          ['List packs', request],
          ['Stream pack events', requestFor('streamEvents', { type: 'documents.pack.*' })],
        ]}
        primary={build}
      />
      <FilterBar
        label="Pack filters"
        filters={[
          {
            kind: 'choice',
            name: 'state',
            title: 'State',
            value: state,
            options: packStates.map((one) => [one, one.replaceAll('_', ' ')] as const),
          },
        ]}
        onChange={set}
      />
      <ListTable
        list={list}
        nouns={['pack', 'packs']}
        label="Packs"
        keyOf={({ id }) => id}
        columns={columns}
        {...sorting}
        empty={
          state ? (
            <Empty title="No matching packs">Select another state.</Empty>
          ) : (
            <Empty icon="packs" title="No packs yet" action={build}>
              A pack is one ZIP file with the text of many documents for a language model. Each
              chunk of text in it leads back to its place on the page.
            </Empty>
          )
        }
      />
    </>
  );
}

const columns: readonly Column<PackRecord>[] = [
  {
    title: 'Pack',
    sort: 'name',
    show: ({ id, name }) => <Named id={id} name={name} href={`/${id}`} />,
  },
  { title: 'State', sort: 'state', show: ({ state }) => <State state={state} /> },
  {
    title: 'Progress',
    show: (pack) => (
      <div class="packs-progress">
        <Progress
          percent={pack.progress.percent}
          label={`Progress of ${pack.name}`}
          bad={pack.state === 'failed'}
        />
        <span class="soft">
          {documentsIn(pack)}, {pagesIn(pack)}
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
    highestFirst: true,
    show: (pack) => <Time at={pack.created_at} />,
  },
];
