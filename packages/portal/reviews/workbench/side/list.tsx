import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { formatPercent, outcomeSymbols, outcomeTitles } from '../../finding-text.ts';
import type { FindingFocus } from '../finding-focus.ts';
import { type FindingGroup, groupWith, leadOf } from './groups.ts';

/** The height of a row, in pixels; must match `workbench.css`. */
const rowHeight = 52;
/** Number of rows rendered above and below the visible ones. */
const overscanRows = 6;

/** The findings as a list of values. Only the visible rows are drawn. */
export function FindingList(props: {
  groups: readonly FindingGroup[];
  findingFocus: FindingFocus;
  onStep: (direction: 1 | -1) => void;
}) {
  const { groups, findingFocus, onStep } = props;
  const { current, hovered } = findingFocus;
  const listElement = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ top: 0, height: 400 });
  useEffect(() => {
    const element = listElement.current!;
    const observer = new ResizeObserver(() =>
      setViewport({ top: element.scrollTop, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const currentGroup = groupWith(groups, current);
  const hoveredGroup = groupWith(groups, hovered);
  const at = currentGroup ? groups.indexOf(currentGroup) : -1;
  useLayoutEffect(() => {
    const element = listElement.current;
    if (!element || at < 0) return;
    const top = at * rowHeight;
    const { scrollTop, clientHeight } = element;
    if (top >= scrollTop && top + rowHeight <= scrollTop + clientHeight) return;
    element.scrollTop = top - clientHeight / 2 + rowHeight / 2;
    setViewport({ top: element.scrollTop, height: clientHeight });
  }, [current, at]);
  const first = Math.max(0, Math.floor(viewport.top / rowHeight) - overscanRows);
  const last = Math.ceil((viewport.top + viewport.height) / rowHeight) + overscanRows;
  const visibleGroups = groups.slice(first, last);
  const isRendered = currentGroup !== undefined && visibleGroups.includes(currentGroup);
  return (
    <div
      ref={listElement}
      class="bench-list"
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={isRendered ? rowId(currentGroup) : undefined}
      onScroll={({ currentTarget }) =>
        setViewport({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
      onKeyDown={(event) => {
        const direction = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
        if (direction === undefined) return;
        event.preventDefault();
        onStep(direction);
      }}
      onMouseLeave={() => findingFocus.hover(undefined)}
    >
      <div
        role="presentation"
        class="bench-rows"
        style={{ height: `${groups.length * rowHeight}px` }}
      >
        {visibleGroups.map((group, index) => (
          <GroupRow
            key={rowId(group)}
            group={group}
            at={first + index}
            total={groups.length}
            isCurrent={group === currentGroup}
            isHovered={group === hoveredGroup}
            findingFocus={findingFocus}
          />
        ))}
      </div>
    </div>
  );
}

const rowId = ({ findings }: FindingGroup): string => `row-${findings[0]?.id}`;

/** Returns the page or, in text without pages, the cell or line. */
function shortLocation({ page, location }: FindingRecord): string {
  if (!location) return page === null ? '' : `p. ${page}`;
  return location.part === 'hidden' ? 'hidden' : (location.cell ?? `l. ${location.line}`);
}

function GroupRow(props: {
  group: FindingGroup;
  at: number;
  total: number;
  isCurrent: boolean;
  isHovered: boolean;
  findingFocus: FindingFocus;
}) {
  const { group, at, total, isCurrent, isHovered, findingFocus } = props;
  const { findings, outcome, score, pageCount } = group;
  const { type, text } = findings[0]!;
  const lead = leadOf(group);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys, as its ARIA pattern requires.
    <div
      id={rowId(group)}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-setsize={total}
      aria-posinset={at + 1}
      class={`bench-row ${outcome}${isCurrent ? ' current' : ''}${isHovered ? ' hovered' : ''}`}
      style={{ top: `${at * rowHeight}px` }}
      onClick={() => findingFocus.select(lead.id, 'list')}
      onMouseEnter={() => findingFocus.hover(lead.id)}
    >
      <span class={`bench-sign ${outcome}`} aria-hidden="true">
        {outcome === 'mixed' ? '±' : outcomeSymbols[outcome]}
      </span>
      <span class="bench-what">
        <bdi class="bench-value">{text ?? entityTitle(type)}</bdi>
        <span class="bench-type">
          {entityTitle(type)}
          {score !== null && ` · ${formatPercent(score)}`}
          {findings.length > 1 && ` · ${pluralise(findings.length, 'place')}`}
          <span class="visually-hidden">
            , {outcome === 'mixed' ? 'Mixed decisions' : outcomeTitles[outcome]}
          </span>
        </span>
      </span>
      <span class="bench-page">
        {pageCount === 1 ? shortLocation(lead) : pluralise(pageCount, 'page')}
      </span>
    </div>
  );
}
