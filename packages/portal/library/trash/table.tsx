import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Scope } from '@scriptorium/contracts/scopes';
import { useState } from 'preact/hooks';
import { asProblem, type LoadedList } from '../../api/hooks.ts';
import { type ApiProblem, type ApiRequest, requestFor, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { More } from '../../kit/more.tsx';
import { Named } from '../../kit/named.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { restore } from '../browse/trashing.ts';

/** The states of objects that are trashed, or were never available. */
export type EndedState = 'trashed' | 'rejected' | 'failed';

interface TableProps<T, P> {
  list: LoadedList<T, P>;
  request: ApiRequest<P>;
  state: EndedState;
  /** Required to restore and delete. */
  scope: Scope;
  noun: string;
  about: string;
  nameOf: (record: T) => string;
  hrefOf: (record: T) => string;
  /** Beside the name. */
  columns: readonly Column<T>[];
}

/**
 * A table of trashed, rejected or failed items, with actions that restore trashed ones or delete
 * the others.
 */
export function EndedTable<T extends { id: string }, P extends { total: number | null }>(
  props: TableProps<T, P>,
) {
  const { list, state, noun, about, nameOf } = props;
  const { can } = useSession();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<readonly T[] | null>(null);
  const canWrite = can(props.scope);
  const isTrash = state === 'trashed';
  const { items } = list;

  const run = async (records: readonly T[]): Promise<void> => {
    setBusy(true);
    let done = 0;
    let problem: ApiProblem | undefined;
    for (const { id } of records) {
      try {
        await send<unknown>(isTrash ? restore(id) : requestFor('trashObject', { id }));
        done += 1;
      } catch (error) {
        problem = asProblem(error);
      }
    }
    setBusy(false);
    setAsked(null);
    setSelected(new Set());
    // Restoring a collection also restores those inside it.
    list.reload();
    const word = isTrash ? 'restored' : 'deleted';
    const [only] = records;
    if (problem) {
      const rest = records.length - done;
      toast('bad', `${done} ${word}, ${rest} failed: ${problem.message}`);
    } else if (records.length === 1 && only) toast('good', `“${nameOf(only)}” ${word}.`);
    else toast('good', `${pluralise(done, noun)} ${word}.`);
  };

  if (list.problem && items.length === 0) {
    return <ProblemState problem={list.problem} onRetry={list.reload} />;
  }
  if (list.loading && items.length === 0) return <Loading what={`${noun}s`} />;
  if (items.length === 0) return <Empty icon="trash" title={`No ${state} ${noun}s`} />;
  const chosen = items.filter(({ id }) => selected.has(id));
  const start = (records: readonly T[]): void => {
    if (isTrash) void run(records);
    else setAsked(records);
  };
  const action = isTrash ? 'Restore' : 'Delete';
  const first = items[0]!.id;
  return (
    <>
      <p class="soft trash-about">{about}</p>
      <div class="row trash-bar">
        <span role="status">
          {chosen.length > 0
            ? `${chosen.length} selected`
            : pluralise(list.first?.total ?? items.length, noun)}
        </span>
        {canWrite && chosen.length > 0 && (
          <Button small busy={busy} danger={!isTrash} onClick={() => start(chosen)}>
            {action} {chosen.length}
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
      <More list={list} nouns={[noun, `${noun}s`]} />
      {asked && (
        <FormDialog
          title={`Permanently delete ${asked.length === 1 ? 'this object' : `${asked.length} objects`}?`}
          action="Delete permanently"
          danger
          busy={busy}
          onClose={() => setAsked(null)}
          onSubmit={() => void run(asked)}
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
  const select: Column<T> = {
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
  const act: Column<T> = {
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
  const name: Column<T> = {
    title: 'Name',
    show: (record) => <Named id={record.id} name={nameOf(record)} href={props.hrefOf(record)} />,
  };
  const columns = [name, ...props.columns];
  return (
    <Table
      label={`Table of ${noun}s`}
      items={items}
      keyOf={({ id }) => id}
      columns={canWrite ? [select, ...columns, act] : columns}
    />
  );
}
