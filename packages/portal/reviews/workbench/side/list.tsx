import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { formatPercent, outcomeOf, outcomeSymbols, outcomeTitles } from '../../finding-text.ts';
import type { FindingFocus } from '../finding-focus.ts';

/** The height of a row, in pixels; must match `workbench.css`. */
const rowHeight = 52;
/** Number of rows rendered above and below the visible ones. */
const overscanRows = 6;

/** The findings as a list. Only the visible rows are drawn. */
export function FindingList(props: {
  findings: readonly FindingRecord[];
  findingFocus: FindingFocus;
  onStep: (direction: 1 | -1) => void;
}) {
  const { findings, findingFocus, onStep } = props;
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
  const at = findings.findIndex(({ id }) => id === current);
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
  const visibleFindings = findings.slice(first, last);
  const isRendered = visibleFindings.some(({ id }) => id === current);
  return (
    <div
      ref={listElement}
      class="bench-list"
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={isRendered ? `row-${current}` : undefined}
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
        style={{ height: `${findings.length * rowHeight}px` }}
      >
        {visibleFindings.map((finding, index) => (
          <FindingRow
            key={finding.id}
            finding={finding}
            at={first + index}
            total={findings.length}
            isCurrent={finding.id === current}
            isHovered={finding.id === hovered}
            findingFocus={findingFocus}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the page or, in text without pages, the cell or line. */
function shortLocation({ page, location }: FindingRecord): string {
  if (!location) return page === null ? '' : `p. ${page}`;
  return location.part === 'hidden' ? 'hidden' : (location.cell ?? `l. ${location.line}`);
}

function FindingRow(props: {
  finding: FindingRecord;
  at: number;
  total: number;
  isCurrent: boolean;
  isHovered: boolean;
  findingFocus: FindingFocus;
}) {
  const { finding, at, total, isCurrent, isHovered, findingFocus } = props;
  const outcome = outcomeOf(finding);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys, as its ARIA pattern requires.
    <div
      id={`row-${finding.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-setsize={total}
      aria-posinset={at + 1}
      class={`bench-row ${outcome}${isCurrent ? ' current' : ''}${isHovered ? ' hovered' : ''}`}
      style={{ top: `${at * rowHeight}px` }}
      onClick={() => findingFocus.select(finding.id, 'list')}
      onMouseEnter={() => findingFocus.hover(finding.id)}
    >
      <span class={`bench-sign ${outcome}`} aria-hidden="true">
        {outcomeSymbols[outcome]}
      </span>
      <span class="bench-what">
        <bdi class="bench-value">{finding.text ?? entityTitle(finding.type)}</bdi>
        <span class="bench-type">
          {entityTitle(finding.type)}
          {finding.score !== null && ` · ${formatPercent(finding.score)}`}
          <span class="visually-hidden">, {outcomeTitles[outcome]}</span>
        </span>
      </span>
      <span class="bench-page">{shortLocation(finding)}</span>
    </div>
  );
}
