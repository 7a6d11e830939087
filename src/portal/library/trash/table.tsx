import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Scope } from '../../../contracts/scopes.ts';
import { asProblem, type LoadedList } from '../../api/hooks.ts';
import { type ApiProblem, type ApiRequest, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { More } from '../../kit/more.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { formatCount } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { type EndedState, remove, restore } from './requests.ts';

interface TableProps<T, P> {
  list: LoadedList<T, P>;
  request: ApiRequest<P>;
  state: EndedState;
  /** What restoring and removing need. */
  scope: Scope;
  noun: string;
  words: { about: string; empty: string };
  nameOf: (record: T) => string;
  hrefOf: (record: T) => string;
  columns: readonly string[];
  cellsOf: (record: T) => readonly ComponentChildren[];
}

/** A table of what is gone, to bring back one or many, or to remove what may be removed. */
export function EndedTable<T extends { id: string }, P extends { total: number | null }>(
  props: TableProps<T, P>,
) {
  const { list, state, noun, words, nameOf } = props;
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
        await send<unknown>(isTrash ? restore(id) : remove(id));
        done += 1;
      } catch (error) {
        problem = asProblem(error);
      }
    }
    setBusy(false);
    setAsked(null);
    setSelected(new Set());
    // A collection brings others along.
    list.reload();
    const word = isTrash ? 'restored' : 'removed';
    const [only] = records;
    if (problem) {
      const rest = records.length - done;
      toast('bad', `${done} ${word}, ${rest} not: ${problem.message}`);
    } else if (records.length === 1 && only) toast('good', `“${nameOf(only)}” is ${word}.`);
    else toast('good', `${done} ${noun} ${word}.`);
  };

  if (list.problem && items.length === 0) {
    return <ProblemState problem={list.problem} onRetry={list.reload} />;
  }
  if (list.loading && items.length === 0) return <Loading what={noun} />;
  if (items.length === 0) return <Empty title="Nothing is here">{words.empty}</Empty>;
  const chosen = items.filter(({ id }) => selected.has(id));
  const start = (records: readonly T[]): void => {
    if (isTrash) void run(records);
    else setAsked(records);
  };
  const action = isTrash ? 'Restore' : 'Remove';
  const first = items[0]!.id;
  return (
    <>
      <p class="soft trash-about">{words.about}</p>
      <div class="row trash-bar">
        <span role="status">
          {chosen.length > 0
            ? `${chosen.length} selected`
            : `${formatCount(list.first?.total ?? items.length)} ${noun}`}
        </span>
        {canWrite && chosen.length > 0 && (
          <Button small busy={busy} danger={!isTrash} onClick={() => start(chosen)}>
            {action} {chosen.length}
          </Button>
        )}
        <ApiCalls
          calls={[
            ['List them', props.request],
            [`${action} one`, isTrash ? restore(first) : remove(first)],
          ]}
        />
      </div>
      <section class="table-frame" tabIndex={0} aria-label={`Table of ${noun}`}>
        <table class="table">
          <thead>
            <tr>
              {canWrite && (
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label={`Select all ${items.length} shown`}
                    checked={chosen.length === items.length}
                    onChange={(event) =>
                      setSelected(
                        new Set(event.currentTarget.checked ? items.map(({ id }) => id) : []),
                      )
                    }
                  />
                </th>
              )}
              {['Name', ...props.columns].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              {canWrite && (
                <th scope="col">
                  <span class="visually-hidden">{action}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {items.map((record) => (
              <tr key={record.id}>
                {canWrite && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Select ${nameOf(record)}`}
                      checked={selected.has(record.id)}
                      onChange={(event) => {
                        const next = new Set(selected);
                        if (event.currentTarget.checked) next.add(record.id);
                        else next.delete(record.id);
                        setSelected(next);
                      }}
                    />
                  </td>
                )}
                <td class="trash-name">
                  <Link href={props.hrefOf(record)}>
                    <bdi>{nameOf(record)}</bdi>
                  </Link>
                </td>
                {props.cellsOf(record).map((cell, at) => (
                  <td key={at}>{cell}</td>
                ))}
                {canWrite && (
                  <td>
                    <Button
                      small
                      disabled={busy}
                      label={`${action} ${nameOf(record)}`}
                      onClick={() => start([record])}
                    >
                      {action}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <More list={list} noun={noun} />
      {asked && (
        <Confirm
          title={`Remove ${asked.length === 1 ? 'this file' : `${asked.length} files`} for good?`}
          action="Remove for good"
          danger
          busy={busy}
          onClose={() => setAsked(null)}
          onConfirm={() => void run(asked)}
        >
          <p>
            Their records and the reasons kept with them are gone after that. There is no way back.
          </p>
        </Confirm>
      )}
    </>
  );
}
