import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from './icons/icon.tsx';
import { useFits } from './use-measure.ts';

export interface Column<Item> {
  title: string;
  show: (item: Item) => ComponentChildren;
  /**
   * `number`: right-aligned. `line`: not wrapped. `cut`: a single line, truncated. `actions`: at
   * the end, with a heading only for screen readers. `select`: a checkbox.
   */
  kind?: 'number' | 'line' | 'cut' | 'actions' | 'select';
  /** Shown instead of the title. */
  heading?: ComponentChildren;
  /** The sort key of the column. */
  sort?: string;
  /** The first click sorts in descending order, such as latest first. */
  descendingFirst?: boolean;
}

export interface Order {
  by: string;
  descending: boolean;
}

interface TableProps<Item> {
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Shows grey rows until there are items. */
  loading?: boolean;
  order?: Order;
  onOrder?: (order: Order) => void;
  class?: string;
}

/** The number of grey rows. */
const skeletonRows = 6;

/**
 * A table. Its head stays visible. A table that is too wide scrolls sideways within its frame, also
 * by keyboard. Below 640 pixels, each row is a card.
 */
export function Table<Item>(props: TableProps<Item>) {
  const { label, columns, items, keyOf, loading = false } = props;
  const frame = useRef<HTMLElement>(null);
  const fits = useFits(frame);
  const titleColumn = columns.find(({ kind }) => kind !== 'select');
  const isLabelled = (column: Column<Item>): boolean =>
    column !== titleColumn && column.kind !== 'actions' && column.kind !== 'select';
  return (
    <section
      ref={frame}
      class={`table-frame${fits ? ' fits' : ''}`}
      aria-label={label}
      aria-busy={loading}
      {...(fits ? {} : { tabIndex: 0 })}
    >
      <table class={`table cards ${props.class ?? ''}`.trim()}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} of={column} order={props.order} onOrder={props.onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td
                  key={column.title}
                  class={column.kind}
                  {...(isLabelled(column) ? { 'data-label': column.title } : {})}
                >
                  {column.show(item)}
                </td>
              ))}
            </tr>
          ))}
          {items.length === 0 && loading && <Skeletons columns={columns.length} label={label} />}
        </tbody>
      </table>
    </section>
  );
}

function Heading<Item>(props: {
  of: Column<Item>;
  order: Order | undefined;
  onOrder: ((order: Order) => void) | undefined;
}) {
  const { of: column, order, onOrder } = props;
  const { title, kind, sort, descendingFirst = false, heading } = column;
  if (kind === 'actions') {
    return (
      <th scope="col">
        <span class="visually-hidden">{title}</span>
      </th>
    );
  }
  if (!sort || !onOrder) {
    return (
      <th scope="col" class={kind}>
        {heading ?? title}
      </th>
    );
  }
  const isSorted = order?.by === sort;
  const descending = isSorted && order.descending;
  return (
    <th
      scope="col"
      class={kind}
      {...(isSorted ? { 'aria-sort': descending ? 'descending' : 'ascending' } : {})}
    >
      <button
        type="button"
        class="table-sort"
        onClick={() => onOrder({ by: sort, descending: isSorted ? !descending : descendingFirst })}
      >
        {title}
        <Icon name={descending ? 'down' : 'up'} size={12} />
      </button>
    </th>
  );
}

function Skeletons({ columns, label }: { columns: number; label: string }) {
  return (
    <>
      {Array.from({ length: skeletonRows }, (_, row) => (
        <tr key={row} class="table-skeleton">
          {Array.from({ length: columns }, (_, at) => (
            <td key={at}>
              {row === 0 && at === 0 && (
                <span class="visually-hidden" role="status">
                  Loading {label}
                </span>
              )}
              <span class="skeleton" />
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}
