import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord, PageRecord, PageStates } from '@scriptorium/contracts/wire/jobs';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { formatCount } from '../../kit/format-count.ts';
import { useMeasure } from '../../kit/use-measure.ts';
import { isFinished, operationTitle, pageSymbols } from '../job-display.ts';
import { countStates, type PageGrid, pageGridOf } from './page-grid.ts';

/** Sizes in pixels, as in jobs.css. */
const cellSize = 26;
const labelWidth = 170;
const bandGap = 14;
const headingHeight = 20;
const frameHeight = 420;

/** A cell of the matrix. */
interface CellPosition {
  /** Index into `PageGrid.pages`. */
  at: number;
  /** Index into `PageGrid.rows`. */
  row: number;
}

/**
 * A cell for each page and operation, in bands as wide as the screen. Only visible bands are
 * rendered, so that 2,000 pages are as fast as 20.
 */
export function Matrix(props: {
  job: JobRecord;
  states: PageStates | undefined;
  failures: readonly PageRecord[];
}) {
  const { job, states, failures } = props;
  const grid = useMemo(() => (states ? pageGridOf(job, states) : undefined), [job, states]);
  if (!grid || grid.pages.length === 0) {
    return (
      <p class="soft" style={{ minHeight: `${isFinished(job) ? 0 : reservedHeight(job)}px` }}>
        {isFinished(job)
          ? 'No pages: the file was not opened.'
          : 'Pages appear here once the file has been opened.'}
      </p>
    );
  }
  return (
    <>
      <PageStateCounts grid={grid} />
      <MatrixBands job={job} grid={grid} failures={failures} />
    </>
  );
}

/**
 * Returns the height of a short document's matrix, in pixels, which is reserved until the file has
 * been opened.
 */
function reservedHeight({ operations }: JobRecord): number {
  const summary = operations.length * 30;
  const band = headingHeight + operations.length * cellSize + bandGap;
  return summary + band + 80;
}

/** The number of pages in each state, per operation. */
function PageStateCounts({ grid }: { grid: PageGrid }) {
  return (
    <ul class="jobs-summary" aria-label="Pages by operation">
      {grid.rows.map((row) => (
        <li key={row.index}>
          <span>{operationTitle(row.op)}</span>
          {countStates(row).map(([state, number]) => (
            <span key={state} class="jobs-count">
              <span class={`jobs-cell ${state}`} aria-hidden="true">
                {pageSymbols[state]}
              </span>
              {formatCount(number)} {state}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function MatrixBands(props: { job: JobRecord; grid: PageGrid; failures: readonly PageRecord[] }) {
  const { job, grid, failures } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useMeasure(frame, 0, ({ clientWidth }) => clientWidth);
  const [scrollTop, setScrollTop] = useState(0);
  const [activeCell, setActiveCell] = useState<CellPosition>({ at: 0, row: 0 });
  const [hoveredCell, setHoveredCell] = useState<CellPosition | undefined>();
  const [, navigate] = useLocation();
  const perBand = Math.max(5, Math.floor((width - (width < 500 ? 0 : labelWidth) - 16) / cellSize));
  const isNarrow = width < 500;
  const bandHeight =
    headingHeight + grid.rows.length * (isNarrow ? cellSize + headingHeight : cellSize) + bandGap;
  const bandCount = Math.ceil(grid.pages.length / perBand);
  const firstBand = Math.max(0, Math.floor(scrollTop / bandHeight) - 1);
  const lastBand = Math.min(bandCount, Math.ceil((scrollTop + frameHeight) / bandHeight) + 1);

  const openPage = ({ at }: CellPosition): void => navigate(`/${job.id}/pages/${grid.pages[at]}`);
  const moveTo = (next: CellPosition): void => {
    const at = Math.min(grid.pages.length - 1, Math.max(0, next.at));
    const row = Math.min(grid.rows.length - 1, Math.max(0, next.row));
    setActiveCell({ at, row });
    // A key press takes precedence over a mouse at rest.
    setHoveredCell(undefined);
    const bandTop = Math.floor(at / perBand) * bandHeight;
    const element = frame.current!;
    if (bandTop < element.scrollTop) element.scrollTop = bandTop;
    else if (bandTop + bandHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = bandTop + bandHeight - element.clientHeight;
    }
    setScrollTop(element.scrollTop);
    shouldFocus.current = true;
  };
  const shouldFocus = useRef(false);
  // Moves the focus before the next key press is handled, which would otherwise start from the
  // previous cell.
  useLayoutEffect(() => {
    if (!shouldFocus.current) return;
    shouldFocus.current = false;
    frame.current?.querySelector<HTMLElement>('td[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextCell(event.key, activeCell, grid, perBand);
    if (next) {
      event.preventDefault();
      moveTo(next);
    } else if (event.key === 'Enter') openPage(activeCell);
  };
  const detailCell = hoveredCell ?? activeCell;
  return (
    <>
      <div
        ref={frame}
        class="jobs-matrix"
        style={{ maxHeight: `${frameHeight}px` }}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      >
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between cells
          role="grid"
          aria-label="Pages and operations"
          aria-rowcount={bandCount * grid.rows.length}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const clicked = cellOf(event);
            if (clicked) openPage(clicked);
          }}
          onMouseMove={(event) => {
            // Browsers also fire this for a mouse at rest when the content below it changes.
            if (event.movementX !== 0 || event.movementY !== 0) setHoveredCell(cellOf(event));
          }}
          onMouseLeave={() => setHoveredCell(undefined)}
          onFocusIn={(event) => {
            const focused = cellOf(event);
            if (focused) setActiveCell(focused);
          }}
        >
          <tbody aria-hidden="true" style={{ height: `${firstBand * bandHeight}px` }} />
          {Array.from({ length: Math.max(0, lastBand - firstBand) }, (_, offset) => (
            <Band
              key={firstBand + offset}
              band={firstBand + offset}
              perBand={perBand}
              isNarrow={isNarrow}
              height={bandHeight}
              grid={grid}
              activeCell={activeCell}
            />
          ))}
          <tbody
            aria-hidden="true"
            style={{ height: `${(bandCount - lastBand) * bandHeight}px` }}
          />
        </table>
      </div>
      <p class="jobs-told">
        <CellDetail grid={grid} position={detailCell} failures={failures} />
      </p>
      <p class="soft">
        {pluralise(grid.pages.length, 'page')} × {pluralise(grid.rows.length, 'operation')}. Use the
        arrow keys to move between cells and Enter to open a page.
      </p>
    </>
  );
}

/** Returns the cell that a key moves to; undefined if the key does not move. */
function nextCell(
  key: string,
  { at, row }: CellPosition,
  grid: PageGrid,
  perBand: number,
): CellPosition | undefined {
  const lastRow = grid.rows.length - 1;
  const steps: Record<string, CellPosition> = {
    ArrowRight: { at: at + 1, row },
    ArrowLeft: { at: at - 1, row },
    ArrowDown: row < lastRow ? { at, row: row + 1 } : { at: at + perBand, row: 0 },
    ArrowUp: row > 0 ? { at, row: row - 1 } : { at: at - perBand, row: lastRow },
    PageDown: { at: at + 4 * perBand, row },
    PageUp: { at: at - 4 * perBand, row },
    Home: { at: 0, row },
    End: { at: grid.pages.length - 1, row },
  };
  return steps[key];
}

/** Returns the cell that an event targets. */
function cellOf({ target }: Event): CellPosition | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
  return cell ? { at: Number(cell.dataset.at), row: Number(cell.dataset.row) } : undefined;
}

interface BandProps {
  band: number;
  perBand: number;
  isNarrow: boolean;
  height: number;
  grid: PageGrid;
  activeCell: CellPosition;
}

/** A range of pages, with a row per operation. */
function Band({ band, perBand, grid, activeCell, height, isNarrow }: BandProps) {
  const from = band * perBand;
  const to = Math.min(grid.pages.length, from + perBand);
  const [first, last] = [grid.pages[from], grid.pages[to - 1]];
  return (
    <tbody class={`jobs-band${isNarrow ? ' narrow' : ''}`} style={{ height: `${height}px` }}>
      <tr class="jobs-band-head">
        <td>{first === last ? `Page ${first}` : `Pages ${first}–${last}`}</td>
      </tr>
      {grid.rows.map((row, at) => (
        <tr key={row.index} class="jobs-band-row" aria-rowindex={band * grid.rows.length + at + 1}>
          <th class="jobs-band-op" scope="row">
            {operationTitle(row.op)}
          </th>
          {row.states.slice(from, to).map((state, offset) => {
            const page = grid.pages[from + offset]!;
            const isActive = activeCell.at === from + offset && activeCell.row === at;
            return (
              <td
                key={page}
                data-at={from + offset}
                data-row={at}
                tabIndex={isActive ? 0 : -1}
                class={`jobs-cell ${state}`}
                aria-label={`Page ${page}, ${operationTitle(row.op)}: ${state}`}
              >
                {pageSymbols[state]}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

/** The page, operation and state of a cell, with its error. */
function CellDetail(props: {
  grid: PageGrid;
  position: CellPosition;
  failures: readonly PageRecord[];
}) {
  const { grid, position, failures } = props;
  const page = grid.pages[position.at];
  const row = grid.rows[position.row];
  if (page === undefined || !row) return null;
  const failure = failures.find((one) => one.page === page && one.operation_index === row.index);
  return (
    <>
      <strong>Page {page}</strong> · {operationTitle(row.op)} · {row.states[position.at]}
      {failure?.error && <> · {failure.error.message}</>}
    </>
  );
}
