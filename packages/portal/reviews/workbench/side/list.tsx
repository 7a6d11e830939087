import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { percentOf, standingOf, standingSigns, standingTitles } from '../../words.ts';
import type { Pointing } from '../pointing.ts';

/** The height of a row, in pixels; the same as in the styles. */
const rowHeight = 52;
/** Number of rows drawn above and below the visible ones. */
const spare = 6;

/** The findings as a list. Only the visible rows are drawn. */
export function FindingList(props: {
  findings: readonly FindingRecord[];
  pointing: Pointing;
  onStep: (by: 1 | -1) => void;
}) {
  const { findings, pointing, onStep } = props;
  const { current, hovered } = pointing;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() =>
      setView({ top: element.scrollTop, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const at = findings.findIndex(({ id }) => id === current);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || at < 0) return;
    const top = at * rowHeight;
    const { scrollTop, clientHeight } = element;
    if (top >= scrollTop && top + rowHeight <= scrollTop + clientHeight) return;
    element.scrollTop = top - clientHeight / 2 + rowHeight / 2;
    setView({ top: element.scrollTop, height: clientHeight });
  }, [current, at]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const last = Math.ceil((view.top + view.height) / rowHeight) + spare;
  const shown = findings.slice(first, last);
  const isDrawn = shown.some(({ id }) => id === current);
  return (
    <div
      ref={box}
      class="bench-list"
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={isDrawn ? `row-${current}` : undefined}
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
      onKeyDown={(event) => {
        const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onStep(by);
      }}
      onMouseLeave={() => pointing.hover(undefined)}
    >
      <div
        role="presentation"
        class="bench-rows"
        style={{ height: `${findings.length * rowHeight}px` }}
      >
        {shown.map((finding, index) => (
          <Row
            key={finding.id}
            finding={finding}
            at={first + index}
            of={findings.length}
            isCurrent={finding.id === current}
            isHovered={finding.id === hovered}
            pointing={pointing}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the page or, in a text, the cell or line. */
function shortPlace({ page, location }: FindingRecord): string {
  if (!location) return page === null ? '' : `p. ${page}`;
  return location.part === 'hidden' ? 'hidden' : (location.cell ?? `l. ${location.line}`);
}

function Row(props: {
  finding: FindingRecord;
  at: number;
  of: number;
  isCurrent: boolean;
  isHovered: boolean;
  pointing: Pointing;
}) {
  const { finding, at, of, isCurrent, isHovered, pointing } = props;
  const standing = standingOf(finding);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox has the keys, as its pattern wants.
    <div
      id={`row-${finding.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-setsize={of}
      aria-posinset={at + 1}
      class={`bench-row ${standing}${isCurrent ? ' current' : ''}${isHovered ? ' hovered' : ''}`}
      style={{ top: `${at * rowHeight}px` }}
      onClick={() => pointing.pick(finding.id, 'list')}
      onMouseEnter={() => pointing.hover(finding.id)}
    >
      <span class={`bench-sign ${standing}`} aria-hidden="true">
        {standingSigns[standing]}
      </span>
      <span class="bench-what">
        <bdi class="bench-value">{finding.text ?? entityTitle(finding.type)}</bdi>
        <span class="bench-type">
          {entityTitle(finding.type)}
          {finding.score !== null && ` · ${percentOf(finding.score)}`}
          <span class="visually-hidden">, {standingTitles[standing]}</span>
        </span>
      </span>
      <span class="bench-page">{shortPlace(finding)}</span>
    </div>
  );
}
