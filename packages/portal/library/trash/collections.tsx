import { pluralise } from '@scriptorium/contracts/pluralise';
import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import { useState } from 'preact/hooks';
import { asProblem, useList } from '../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { ListFooter } from '../../kit/list-footer.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { toast } from '../../kit/toasts.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { restore } from '../browse/trash-requests.ts';

/** The collections in the trash, which can be restored. */
export function TrashedCollections({ days }: { days: number | undefined }) {
  const request = requestFor('listCollections', { state: 'trashed', limit: 100, include: 'total' });
  const list = useList(request);
  const { can } = useSession();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const canWrite = can('collections:write');
  const { items } = list;
  const run = async (records: readonly CollectionRecord[]): Promise<void> => {
    setBusy(true);
    let doneCount = 0;
    let problem: ApiProblem | undefined;
    for (const { id } of records) {
      try {
        await send<unknown>(restore(id));
        doneCount += 1;
      } catch (error) {
        problem = asProblem(error);
      }
    }
    setBusy(false);
    setSelected(new Set());
    // Restoring a collection also restores those inside it.
    list.reload();
    const [first] = records;
    if (problem) {
      const failedCount = records.length - doneCount;
      toast('bad', `${doneCount} restored, ${failedCount} failed: ${problem.message}`);
    } else if (records.length === 1 && first) toast('good', `“${first.name}” restored.`);
    else toast('good', `${pluralise(doneCount, 'collection')} restored.`);
  };
  if (list.problem && items.length === 0) {
    return <ProblemState problem={list.problem} onRetry={list.reload} />;
  }
  if (list.loading && items.length === 0) return <Loading what="collections" />;
  if (items.length === 0) return <Empty icon="trash" title="No trashed collections" />;
  const selectedItems = items.filter(({ id }) => selected.has(id));
  const columns = [nameColumn, locationColumn, ...timeColumns(days)];
  return (
    <>
      <p class="soft trash-about">
        Restoring a collection also restores the collections trashed with it. Its images and objects
        were not affected.
      </p>
      <div class="row trash-bar">
        <span role="status">
          {selectedItems.length > 0
            ? `${selectedItems.length} selected`
            : pluralise(list.firstPage?.total ?? items.length, 'collection')}
        </span>
        {canWrite && selectedItems.length > 0 && (
          <Button small busy={busy} onClick={() => void run(selectedItems)}>
            Restore {selectedItems.length}
          </Button>
        )}
        <ApiCalls
          calls={[
            ['List collections', request],
            ['Restore collection', restore(items[0]!.id)],
          ]}
        />
      </div>
      <Table
        label="Table of collections"
        items={items}
        keyOf={({ id }) => id}
        columns={
          canWrite
            ? [
                selectColumn(items, selected, setSelected),
                ...columns,
                restoreColumn(busy, (record) => void run([record])),
              ]
            : columns
        }
      />
      <ListFooter list={list} nouns={['collection', 'collections']} />
    </>
  );
}

const nameColumn: Column<CollectionRecord> = {
  title: 'Name',
  show: ({ id, name }) => <NamedResource id={id} name={name} href={`~/portal/collections/${id}`} />,
};

const locationColumn: Column<CollectionRecord> = {
  title: 'Location',
  show: ({ path }) => (
    <bdi>
      {path
        .slice(0, -1)
        .map(({ name }) => name)
        .join(' / ') || 'Top level'}
    </bdi>
  ),
};

/** When a collection was trashed, and when it will be purged. */
function timeColumns(days: number | undefined): Column<CollectionRecord>[] {
  // Trashed collections do not change, so `updated_at` is when it was trashed.
  const purgeTime = (at: string): string | null =>
    days === undefined ? null : new Date(new Date(at).getTime() + days * 86_400_000).toISOString();
  return [
    { title: 'Trashed', kind: 'line', show: ({ updated_at: at }) => <Time at={at} /> },
    { title: 'Purged', kind: 'line', show: ({ updated_at: at }) => <Time at={purgeTime(at)} /> },
  ];
}

function selectColumn(
  items: readonly CollectionRecord[],
  selected: ReadonlySet<string>,
  onSelect: (ids: ReadonlySet<string>) => void,
): Column<CollectionRecord> {
  return {
    title: 'Select',
    kind: 'select',
    heading: (
      <input
        type="checkbox"
        aria-label={`Select all ${items.length} shown`}
        checked={items.every(({ id }) => selected.has(id))}
        onChange={(event) =>
          onSelect(new Set(event.currentTarget.checked ? items.map(({ id }) => id) : []))
        }
      />
    ),
    show: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selected.has(id)}
        onChange={(event) => {
          const next = new Set(selected);
          if (event.currentTarget.checked) next.add(id);
          else next.delete(id);
          onSelect(next);
        }}
      />
    ),
  };
}

function restoreColumn(
  busy: boolean,
  onRestore: (record: CollectionRecord) => void,
): Column<CollectionRecord> {
  return {
    title: 'Restore',
    kind: 'actions',
    show: (record) => (
      <Button
        small
        disabled={busy}
        label={`Restore ${record.name}`}
        onClick={() => onRestore(record)}
      >
        Restore
      </Button>
    ),
  };
}
