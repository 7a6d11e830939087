import { Link } from 'wouter-preact';
import { packStates } from '../../../contracts/packs.ts';
import type { PackRecord } from '../../../contracts/wire/packs.ts';
import { useList } from '../../api/hooks.ts';
import { streamEvents, useLiveList } from '../../api/live-list.ts';
import { useQueryState } from '../../api/location.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { formatBytes, Progress, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import '../packs.css';
import { getPack, listPacks } from '../requests.ts';
import { documentsIn, isEnded, pagesIn } from '../words.ts';

/** The number of packs per page. */
const packsPerPage = 25;

/** The project's packs, newest first, updated live. */
export function PackList() {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const state = search.get('state') ?? '';
  const request = listPacks({ state: state || undefined, limit: packsPerPage });
  const list = useList(request);
  useLiveList(list, {
    listens: can('events:read'),
    type: 'documents.pack',
    passing: ['progressed'],
    get: getPack,
    perPage: packsPerPage,
    runs: (pack) => !isEnded(pack),
  });
  return (
    <>
      <PageHead
        title="Packs"
        calls={[
          ['List packs', request],
          ['Stream pack events', streamEvents('documents.pack.*')],
        ]}
        actions={<ButtonLink href="/citations">Look up a citation</ButtonLink>}
        primary={
          can('documents:write') && (
            <ButtonLink primary href="/new">
              Build pack
            </ButtonLink>
          )
        }
      />
      <div class="stack">
        <div class="packs-filters">
          <SelectField
            label="State"
            value={state}
            onChange={(value) => set({ state: value })}
            options={[
              ['', 'Any'],
              ...packStates.map((one) => [one, one.replaceAll('_', ' ')] as const),
            ]}
          />
        </div>
        {list.problem ? (
          <ProblemState problem={list.problem} onRetry={list.reload} />
        ) : list.items.length > 0 ? (
          <Rows packs={list.items} />
        ) : list.loading ? (
          <Loading what="packs" />
        ) : state ? (
          <Empty title="No matching packs">Select another state.</Empty>
        ) : (
          <Empty title="No packs yet">
            A pack is one ZIP file with the text of many documents for a language model. Each chunk
            of text in it leads back to its place on the page.
          </Empty>
        )}
        <More list={list} nouns={['pack', 'packs']} />
      </div>
    </>
  );
}

function Rows({ packs }: { packs: PackRecord[] }) {
  return (
    <Table
      label="Packs"
      class="packs-table"
      headings={['Pack', 'Progress', ['Size', 'number'], 'Created']}
    >
      {packs.map((pack) => (
        <tr key={pack.id}>
          <td>
            <Link href={`/${pack.id}`} class="packs-name">
              <bdi>{pack.name}</bdi>
            </Link>
            <div class="row">
              <State state={pack.state} />
              <span class="mono soft">{pack.id}</span>
            </div>
          </td>
          <td class="packs-progress">
            <Progress
              percent={pack.progress.percent}
              label={`Progress of ${pack.id}`}
              bad={pack.state === 'failed'}
            />
            <div class="soft">{documentsIn(pack)}</div>
            <div class="soft">{pagesIn(pack)}</div>
          </td>
          <td class="number packs-brief">
            {pack.output ? formatBytes(pack.output.bytes) : <span class="soft">–</span>}
          </td>
          <td class="packs-brief">
            <Time at={pack.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
