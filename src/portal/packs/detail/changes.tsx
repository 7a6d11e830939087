import type { PackChange } from '../../../contracts/packs.ts';
import type { PackChangeRecord } from '../../../contracts/wire/packs.ts';
import { useList } from '../../api/hooks.ts';
import { More } from '../../kit/more.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { listPackChanges } from '../requests.ts';

const signs: Record<PackChange, string> = { added: '+', changed: '±', removed: '−' };

/** What is different since the pack that was refreshed. */
export function Changes({ id }: { id: string }) {
  const list = useList(listPackChanges(id, { limit: 50 }));
  return (
    <section class="card stack" aria-labelledby="packs-changes">
      <h2 id="packs-changes">Changes since the pack before</h2>
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.items.length > 0 ? (
        <Rows changes={list.items} />
      ) : list.loading ? (
        <Loading what="changes" />
      ) : (
        <p class="soft">All documents are the same.</p>
      )}
      <More list={list} nouns={['change', 'changes']} />
    </section>
  );
}

function Rows({ changes }: { changes: PackChangeRecord[] }) {
  return (
    <Table label="Changes" class="packs-table" headings={['Document', 'Change', 'Before']}>
      {changes.map(({ change, filename, object_id, before }) => (
        <tr key={`${change} ${object_id}`}>
          <td>
            <ResourceLink id={object_id}>
              <bdi>{filename}</bdi>
            </ResourceLink>
            <div class="mono soft">{object_id}</div>
          </td>
          <td>
            <span aria-hidden="true">{signs[change]}</span> {change}
          </td>
          <td>{before ? <ResourceLink id={before.object_id} /> : <span class="soft">–</span>}</td>
        </tr>
      ))}
    </Table>
  );
}
