import type { ComponentChildren } from 'preact';
import type { LoadedList } from '../api/hooks.ts';
import { ListFooter } from './list-footer.tsx';
import { ProblemState } from './states.tsx';
import { type Column, type Order, Table } from './table.tsx';

/**
 * A list of the API as a table, with loading, error and empty states, and a button that loads more.
 */
export function ListTable<Item, P>(props: {
  list: LoadedList<Item, P>;
  /** Singular, then plural. */
  nouns: readonly [one: string, many: string];
  label: string;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  /** Shown instead of an empty table. */
  empty: ComponentChildren;
  order?: Order;
  onOrder?: (order: Order) => void;
  class?: string;
}) {
  const { list, nouns, empty, ...table } = props;
  const problem = list.problem && <ProblemState problem={list.problem} onRetry={list.retry} />;
  if (problem && list.items.length === 0) return problem;
  if (list.items.length === 0 && !list.loading) return <>{empty}</>;
  return (
    <>
      <Table {...table} items={list.items} loading={list.loading} />
      {problem ?? <ListFooter list={list} nouns={nouns} />}
    </>
  );
}
