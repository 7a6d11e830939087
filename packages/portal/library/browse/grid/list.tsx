import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { memo } from 'preact/compat';
import { Icon } from '../../../kit/icons/icon.tsx';
import { Time } from '../../../kit/values.tsx';
import { type Changes, type Kind, mimeName } from '../filters/filters.ts';
import { Thumb } from './thumb.tsx';
import { Caption, DerivedLink, Tick, type TileProps, ViewButton } from './tile.tsx';

/** The columns, with the key that sorts by each; images are not sorted by their type. */
const columns = [
  ['name', 'Name', 'filename'],
  ['kind', 'Kind', 'mime'],
  ['size', 'Size', 'bytes'],
  ['added', 'Added', 'created_at'],
] as const;

export const lineColumns = columns.length;

/** The columns that are sorted in descending order first. */
const fromHighest = ['bytes', 'created_at'];

/** The head of the list: a column is sorted by the server, over all results. */
export function ListHead(props: {
  kind: Kind;
  /** The order of the results. */
  sort: string;
  set: (changes: Changes) => void;
}) {
  const { kind, sort, set } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are focusable
    <div class="browse-head" role="row" aria-rowindex={1}>
      {columns.map(([name, label, key]) => {
        const sorted = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
        const isHighest = fromHighest.includes(key);
        const next = sorted === 'none' ? isHighest : sorted === 'ascending';
        return (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          // biome-ignore lint/a11y/useFocusableInteractive: its button is focusable
          <span key={name} class={`browse-col ${name}`} role="columnheader" aria-sort={sorted}>
            {key === 'mime' && kind === 'images' ? (
              label
            ) : (
              <button type="button" onClick={() => set({ sort: `${next ? '-' : ''}${key}` })}>
                {label}
                {sorted !== 'none' && (
                  <Icon name={sorted === 'ascending' ? 'up' : 'down'} size={14} />
                )}
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

/** The cells of one row of the list; grey while its item is loading. */
export const Line = memo(function Line(props: TileProps) {
  const { item, index, selected } = props;
  const tabIndex = props.active ? 0 : -1;
  const common = {
    class: `browse-col name browse-line-name${selected ? ' selected' : ''}`,
    'data-index': index,
    'aria-colindex': 1,
  };
  if (!item) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: see grid.tsx
      <span {...common} role="gridcell" tabIndex={tabIndex} aria-label="Loading" aria-busy="true" />
    );
  }
  if (props.passing) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: see grid.tsx
      <span
        {...common}
        role="gridcell"
        tabIndex={tabIndex}
        aria-selected={props.selectable ? selected : undefined}
      >
        {item.name}
      </span>
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: see grid.tsx */}
      <span
        {...common}
        role="gridcell"
        tabIndex={tabIndex}
        aria-selected={props.selectable ? selected : undefined}
      >
        {props.selectable && (
          <Tick
            name={item.name}
            checked={selected}
            onCheck={(extend) => props.onCheck(index, extend)}
          />
        )}
        <a
          href={props.href}
          tabIndex={-1}
          draggable={false}
          onClick={(event) => props.onOpen(index, event)}
        >
          <Thumb item={item} width={40} />
          <span class="browse-both">
            <span class="browse-name" dir="auto">
              {item.name}
            </span>
            {item.highlights && <Caption item={item} />}
          </span>
        </a>
        <DerivedLink item={item} />
        <ViewButton name={item.name} onView={() => props.onView(index)} />
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: see grid.tsx */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the first cell has the focus */}
      <span class="browse-col kind" role="gridcell" aria-colindex={2}>
        {mimeName(item.mime)}
        {item.state === 'available' ? '' : ` · ${item.state}`}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: see grid.tsx */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the first cell has the focus */}
      <span class="browse-col size" role="gridcell" aria-colindex={3}>
        {formatBytes(item.bytes)}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: see grid.tsx */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the first cell has the focus */}
      <span class="browse-col added" role="gridcell" aria-colindex={4}>
        <Time at={item.createdAt} />
      </span>
    </>
  );
});
