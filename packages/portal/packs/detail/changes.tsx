import type { PackChange } from '@scriptorium/contracts/packs';
import type { PackChangeRecord } from '@scriptorium/contracts/wire/packs';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import type { Column } from '../../kit/table.tsx';

const symbols: Record<PackChange, string> = { added: '+', changed: '±', removed: '−' };

/** The changes since the pack that was refreshed. */
export function PackChanges({ id }: { id: string }) {
  const list = useList(requestFor('listPackChanges', { id, limit: 50 }));
  return (
    <section class="card stack" aria-labelledby="packs-changes">
      <h2 id="packs-changes">Changes since the previous pack</h2>
      <ListTable
        list={list}
        nouns={['change', 'changes']}
        label="Changes"
        keyOf={({ change, object_id }) => `${change} ${object_id}`}
        columns={columns}
        empty={<p class="soft">No documents have changed.</p>}
      />
    </section>
  );
}

const columns: readonly Column<PackChangeRecord>[] = [
  { title: 'Document', show: (one) => <NamedResource id={one.object_id} name={one.filename} /> },
  {
    title: 'Change',
    show: ({ change }) => (
      <>
        <span aria-hidden="true">{symbols[change]}</span> {change}
      </>
    ),
  },
  {
    title: 'Before',
    show: ({ before }) =>
      before ? <ResourceLink id={before.object_id} /> : <span class="soft">–</span>,
  },
];
