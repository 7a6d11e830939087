import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { memo } from 'preact/compat';
import { Icon } from '../../../kit/icons/icon.tsx';
import { Time } from '../../../kit/values.tsx';
import { mimeName } from '../filters/mime-names.ts';
import { Thumb } from './thumb.tsx';
import { Caption, DerivedLink, SelectBox, type TileProps, ViewButton } from './tile.tsx';

/** The columns, with the key that sorts by each. */
const columns = [
  ['name', 'Name', 'filename'],
  ['kind', 'Kind', 'mime'],
  ['size', 'Size', 'bytes'],
  ['added', 'Added', 'created_at'],
] as const;

export const listColumnCount = columns.length;

/** The columns that are sorted in descending order first. */
const descendingFirst = ['bytes', 'created_at'];

/** The head of the list. The server sorts by the selected column, across all results. */
export function ListHead(props: {
  /** The orders that can be chosen. */
  sorts: readonly string[];
  /** The order of the results. */
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}) {
  const { sorts, sort, onSort } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are focusable
    <div class="browse-head" role="row" aria-rowindex={1}>
      {columns.map(([name, label, key]) => {
        const sorted = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
        const isDescendingFirst = descendingFirst.includes(key);
        const isNextDescending = sorted === 'none' ? isDescendingFirst : sorted === 'ascending';
        return (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          // biome-ignore lint/a11y/useFocusableInteractive: its button is focusable
          <span key={name} class={`browse-col ${name}`} role="columnheader" aria-sort={sorted}>
            {!onSort || !sorts.includes(key) ? (
              label
            ) : (
              <button type="button" onClick={() => onSort(`${isNextDescending ? '-' : ''}${key}`)}>
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
export const ListCells = memo(function Line(props: TileProps) {
  const { item, index, selected } = props;
  const tabIndex = props.active ? 0 : -1;
  const nameCellProps = {
    class: `browse-col name browse-line-name${selected ? ' selected' : ''}${props.dropSide ? ` drop-${props.dropSide}` : ''}`,
    draggable: props.movable,
    'data-index': index,
    'aria-colindex': 1,
  };
  if (!item) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: see grid.tsx
      <span
        {...nameCellProps}
        role="gridcell"
        tabIndex={tabIndex}
        aria-label="Loading"
        aria-busy="true"
      />
    );
  }
  if (props.nameOnly) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: see grid.tsx
      <span
        {...nameCellProps}
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
        {...nameCellProps}
        role="gridcell"
        tabIndex={tabIndex}
        aria-selected={props.selectable ? selected : undefined}
      >
        {props.selectable && (
          <SelectBox
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
            {(item.highlights || item.caption !== undefined) && <Caption item={item} />}
          </span>
        </a>
        <DerivedLink item={item} />
        <ViewButton name={item.name} onView={() => props.onView(index)} />
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: see grid.tsx */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the first cell has the focus */}
      <span class="browse-col kind" role="gridcell" aria-colindex={2}>
        {mimeName(item.mime, item.filename)}
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
        <Time at={item.createdAt || null} />
      </span>
    </>
  );
});
