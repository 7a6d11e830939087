import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { memo } from 'preact/compat';
import { useReducer } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatCount } from '../../../kit/format-count.ts';
import { Icon } from '../../../kit/icons/icon.tsx';
import { Time } from '../../../kit/values.tsx';
import { mimeName } from '../filters/mime-names.ts';
import type { Item } from '../item.ts';
import { Thumb } from './thumb.tsx';
import type { DropSide } from './use-reorder.ts';

export interface TileProps {
  item: Item | undefined;
  index: number;
  column: number;
  /** In pixels, within the row. */
  left: number;
  width: number;
  href: string;
  active: boolean;
  /** Shows only an empty picture and the name, because the tile is scrolled past or rendered soon. */
  nameOnly: boolean;
  selected: boolean;
  selectable: boolean;
  onCheck: (index: number, extend: boolean) => void;
  onOpen: (index: number, event: MouseEvent) => void;
  onView: (index: number) => void;
  /** The item can be dragged to another position. */
  movable: boolean;
  dropSide: DropSide;
}

/** One cell of the grid; grey while its item is loading. */
export const Tile = memo(function Tile(props: TileProps) {
  const { item, index, selected } = props;
  const tabIndex = props.active ? 0 : -1;
  const cellProps = {
    class: `browse-tile${selected ? ' selected' : ''}${item && !item.picture ? ' plain' : ''}${props.dropSide ? ` drop-${props.dropSide}` : ''}`,
    draggable: props.movable,
    'data-index': index,
    'aria-colindex': props.column + 1,
    style: { width: `${props.width}px`, transform: `translateX(${props.left}px)` },
  };
  if (!item) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: see grid.tsx
      <div {...cellProps} role="gridcell" tabIndex={tabIndex} aria-label="Loading" aria-busy="true">
        <span class="browse-picture" />
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: see grid.tsx
    <div
      {...cellProps}
      role="gridcell"
      tabIndex={tabIndex}
      aria-selected={props.selectable ? selected : undefined}
    >
      {props.nameOnly ? (
        <>
          <span class="browse-picture" />
          <span class="browse-name" dir="auto">
            {item.name}
          </span>
        </>
      ) : (
        <TileContent {...props} item={item} />
      )}
    </div>
  );
});

function TileContent(props: TileProps & { item: Item }) {
  const { item, index, selected } = props;
  return (
    <>
      <a
        href={props.href}
        tabIndex={-1}
        draggable={false}
        onClick={(event) => props.onOpen(index, event)}
      >
        <Thumb item={item} width={props.width} />
        <span class="browse-name" dir="auto">
          {item.name}
        </span>
        <Caption item={item} />
      </a>
      <DerivedLink item={item} />
      <ViewButton name={item.name} onView={() => props.onView(index)} />
      {props.selectable && (
        <SelectBox
          name={item.name}
          checked={selected}
          onCheck={(extend) => props.onCheck(index, extend)}
        />
      )}
    </>
  );
}

/** Shows an item in full size; V does the same. */
export function ViewButton({ name, onView }: { name: string; onView: () => void }) {
  return (
    <button
      type="button"
      class="browse-view"
      tabIndex={-1}
      aria-label={`View ${name}`}
      title="View (V)"
      onClick={onView}
    >
      <Icon name="view" />
    </button>
  );
}

/** A link to the objects derived from an item, if there are any. */
export function DerivedLink({ item: { objectId, derivedCount } }: { item: Item }) {
  if (derivedCount === 0) return null;
  return (
    <Link
      class="browse-made"
      href={`~/portal/library?${new URLSearchParams({ derived_from: objectId })}`}
      tabIndex={-1}
    >
      {formatCount(derivedCount)} derived
    </Link>
  );
}

/** The checkbox that selects a tile. */
export function SelectBox(props: {
  name: string;
  checked: boolean;
  onCheck: (extend: boolean) => void;
}) {
  // The browser toggles the checkbox on every click, but the selection may stay the same, for
  // example when a range is extended over this tile again. Rendering then corrects the checkbox.
  const [, render] = useReducer((count: number) => count + 1, 0);
  return (
    <input
      type="checkbox"
      class="browse-check"
      tabIndex={-1}
      aria-label={`Select ${props.name}`}
      checked={props.checked}
      onClick={(event) => {
        props.onCheck(event.shiftKey);
        render(undefined);
      }}
    />
  );
}

/** The text that matched the search; otherwise the file type and size. */
export function Caption({ item }: { item: Item }) {
  const matchingField = Object.entries(item.highlights ?? {}).find(
    ([field, parts]) => field !== 'title' && parts.some(({ match }) => match),
  );
  if (matchingField) {
    const [field, parts] = matchingField;
    // The line is short, so it starts shortly before the first match.
    const first = parts.findIndex(({ match }) => match);
    const lead = parts[first - 1]?.text.slice(-16) ?? '';
    return (
      <span class="browse-told" dir="auto">
        {item.foundOnPage === null ? field.replace('_', ' ') : `Page ${item.foundOnPage}`}: {lead}
        {parts
          .slice(first)
          .map(({ text, match }, at) => (match ? <mark key={at}>{text}</mark> : text))}
      </span>
    );
  }
  if (item.caption !== undefined) {
    return (
      <span class="browse-told" dir="auto">
        {item.caption.text} {item.caption.at && <Time at={item.caption.at} />}
      </span>
    );
  }
  return (
    <span class="browse-told">
      {mimeName(item.mime, item.filename)} ·{' '}
      {item.pages !== null && `${pluralise(item.pages, 'page')} · `}
      {formatBytes(item.bytes)}
      {item.state === 'available' ? '' : ` · ${item.state}`}
    </span>
  );
}
