import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Scope } from '@scriptorium/contracts/scopes';
import { useState } from 'preact/hooks';
import { asProblem, type LoadedList } from '../../api/hooks.ts';
import { type ApiProblem, type ApiRequest, requestFor, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ListFooter } from '../../kit/list-footer.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { restore } from '../browse/trash-requests.ts';

/** The states of objects that are not available any more, or never were. */
export type TrashState = 'trashed' | 'rejected' | 'failed';

interface TableProps<T, P> {
  list: LoadedList<T, P>;
  request: ApiRequest<P>;
  state: TrashState;
  /** Required to restore and delete. */
  scope: Scope;
  noun: string;
  about: string;
  nameOf: (record: T) => string;
  hrefOf: (record: T) => string;
  /** The columns besides the name. */
  columns: readonly Column<T>[];
}

/**
 * A table of trashed, rejected or failed items, with actions that restore trashed ones or delete
 * the others.
 */
export function TrashTable<T extends { id: string }, P extends { total: number | null }>(
  props: TableProps<T, P>,
) {
  const { list, state, noun, about, nameOf } = props;
  const { can } = useSession();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [toDelete, setToDelete] = useState<readonly T[] | null>(null);
  const canWrite = can(props.scope);
  const isTrash = state === 'trashed';
  const { items } = list;

  const run = async (records: readonly T[]): Promise<void> => {
    setBusy(true);
    let doneCount = 0;
    let problem: ApiProblem | undefined;
    for (const { id } of records) {
      try {
        await send<unknown>(isTrash ? restore(id) : requestFor('trashObject', { id }));
        doneCount += 1;
      } catch (error) {
        problem = asProblem(error);
      }
    }
    setBusy(false);
    setToDelete(null);
    setSelected(new Set());
    // Restoring a collection also restores those inside it.
    list.reload();
    const word = isTrash ? 'restored' : 'deleted';
    const [firstRecord] = records;
    if (problem) {
      const failedCount = records.length - doneCount;
      toast('bad', `${doneCount} ${word}, ${failedCount} failed: ${problem.message}`);
    } else if (records.length === 1 && firstRecord)
      toast('good', `“${nameOf(firstRecord)}” ${word}.`);
    else toast('good', `${pluralise(doneCount, noun)} ${word}.`);
  };

  if (list.problem && items.length === 0) {
    return <ProblemState problem={list.problem} onRetry={list.reload} />;
  }
  if (list.loading && items.length === 0) return <Loading what={`${noun}s`} />;
  if (items.length === 0) return <Empty icon="trash" title={`No ${state} ${noun}s`} />;
  const selectedItems = items.filter(({ id }) => selected.has(id));
  const start = (records: readonly T[]): void => {
    if (isTrash) void run(records);
    else setToDelete(records);
  };
  const action = isTrash ? 'Restore' : 'Delete';
  const first = items[0]!.id;
  return (
    <>
      <p class="soft trash-about">{about}</p>
      <div class="row trash-bar">
        <span role="status">
          {selectedItems.length > 0
            ? `${selectedItems.length} selected`
            : pluralise(list.firstPage?.total ?? items.length, noun)}
        </span>
        {canWrite && selectedItems.length > 0 && (
          <Button small busy={busy} danger={!isTrash} onClick={() => start(selectedItems)}>
            {action} {selectedItems.length}
          </Button>
        )}
        <ApiCalls
          calls={[
            [`List ${noun}s`, props.request],
            [
              `${action} ${noun}`,
              isTrash ? restore(first) : requestFor('trashObject', { id: first }),
            ],
          ]}
        />
      </div>
      <Rows
        {...props}
        action={action}
        busy={busy}
        canWrite={canWrite}
        selected={selected}
        onSelect={setSelected}
        onAct={(record) => start([record])}
      />
      <ListFooter list={list} nouns={[noun, `${noun}s`]} />
      {toDelete && (
        <FormDialog
          title={`Permanently delete ${toDelete.length === 1 ? 'this object' : `${toDelete.length} objects`}?`}
          action="Delete permanently"
          danger
          busy={busy}
          onClose={() => setToDelete(null)}
          onSubmit={() => void run(toDelete)}
        >
          <p>The records, including the reasons, are deleted. This cannot be undone.</p>
        </FormDialog>
      )}
    </>
  );
}

interface RowsProps<T, P> extends TableProps<T, P> {
  /** The label of the button in each row. */
  action: string;
  busy: boolean;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onAct: (record: T) => void;
}

function Rows<T extends { id: string }, P>(props: RowsProps<T, P>) {
  const { noun, nameOf, action, busy, canWrite, selected, onSelect, onAct } = props;
  const { items } = props.list;
  const selectColumn: Column<T> = {
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
    show: (record) => (
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(record)}`}
        checked={selected.has(record.id)}
        onChange={(event) => {
          const next = new Set(selected);
          if (event.currentTarget.checked) next.add(record.id);
          else next.delete(record.id);
          onSelect(next);
        }}
      />
    ),
  };
  const actionColumn: Column<T> = {
    title: action,
    kind: 'actions',
    show: (record) => (
      <Button
        small
        disabled={busy}
        label={`${action} ${nameOf(record)}`}
        onClick={() => onAct(record)}
      >
        {action}
      </Button>
    ),
  };
  const nameColumn: Column<T> = {
    title: 'Name',
    show: (record) => (
      <NamedResource id={record.id} name={nameOf(record)} href={props.hrefOf(record)} />
    ),
  };
  const columns = [nameColumn, ...props.columns];
  return (
    <Table
      label={`Table of ${noun}s`}
      items={items}
      keyOf={({ id }) => id}
      columns={canWrite ? [selectColumn, ...columns, actionColumn] : columns}
    />
  );
}
