import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { JobRecord, PageRecord } from '../../../contracts/wire/jobs.ts';
import { count, pageSigns } from '../words.ts';
import { countStates, type Grid, gridOf } from './grid.ts';
import { usePageStates } from './live.ts';

/** The sizes of the matrix in pixels, as in jobs.css. */
const cell = 26;
const labels = 150;
const bandGap = 14;
const heading = 20;
const frameHeight = 420;

/** A place in the matrix. */
interface Spot {
  /** Index into `Grid.pages`. */
  at: number;
  /** Index into `Grid.rows`. */
  row: number;
}

/**
 * Every page in every operation, a cell each, in bands as wide as the screen. Only the bands in sight
 * are drawn, so 2,000 pages are as quick as 20.
 */
export function Matrix({ job, failures }: { job: JobRecord; failures: readonly PageRecord[] }) {
  const states = usePageStates(job);
  const grid = useMemo(() => (states ? gridOf(job, states) : undefined), [job, states]);
  if (!grid || grid.pages.length === 0) {
    return <p class="soft">The pages stand here as soon as the file has been opened.</p>;
  }
  return (
    <>
      <Summary grid={grid} />
      <Bands job={job} grid={grid} failures={failures} />
    </>
  );
}

/** The same in a few words, for whoever does not want to look at thousands of cells. */
function Summary({ grid }: { grid: Grid }) {
  return (
    <ul class="jobs-summary" aria-label="Pages by operation">
      {grid.rows.map((row) => (
        <li key={row.index}>
          <code>{row.op}</code>
          {countStates(row).map(([state, number]) => (
            <span key={state} class="jobs-count">
              <span class={`jobs-cell ${state}`} aria-hidden="true">
                {pageSigns[state]}
              </span>
              {number.toLocaleString()} {state}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Bands(props: { job: JobRecord; grid: Grid; failures: readonly PageRecord[] }) {
  const { job, grid, failures } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [top, setTop] = useState(0);
  const [spot, setSpot] = useState<Spot>({ at: 0, row: 0 });
  const [told, setTold] = useState<Spot | undefined>();
  const [, navigate] = useLocation();
  useEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const perBand = Math.max(5, Math.floor((width - (width < 500 ? 0 : labels) - 16) / cell));
  const narrow = width < 500;
  const bandHeight = heading + grid.rows.length * (narrow ? cell + heading : cell) + bandGap;
  const bandCount = Math.ceil(grid.pages.length / perBand);
  const first = Math.max(0, Math.floor(top / bandHeight) - 1);
  const last = Math.min(bandCount, Math.ceil((top + frameHeight) / bandHeight) + 1);

  const open = ({ at }: Spot): void => navigate(`/${job.id}/pages/${grid.pages[at]}`);
  const move = (next: Spot): void => {
    const at = Math.min(grid.pages.length - 1, Math.max(0, next.at));
    const row = Math.min(grid.rows.length - 1, Math.max(0, next.row));
    setSpot({ at, row });
    // Of a mouse that lies on the matrix and a key that was pressed, the key is later.
    setTold(undefined);
    const bandTop = Math.floor(at / perBand) * bandHeight;
    const element = frame.current!;
    if (bandTop < element.scrollTop) element.scrollTop = bandTop;
    else if (bandTop + bandHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = bandTop + bandHeight - element.clientHeight;
    }
    setTop(element.scrollTop);
    wantsFocus.current = true;
  };
  const wantsFocus = useRef(false);
  // Before the next key: the focus of a cell that came late would undo that key's step.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    frame.current?.querySelector<HTMLElement>('td[tabindex="0"]')?.focus();
  });
  const steps: Record<string, (now: Spot) => Spot> = {
    ArrowRight: ({ at, row }) => ({ at: at + 1, row }),
    ArrowLeft: ({ at, row }) => ({ at: at - 1, row }),
    ArrowDown: ({ at, row }) =>
      row < grid.rows.length - 1 ? { at, row: row + 1 } : { at: at + perBand, row: 0 },
    ArrowUp: ({ at, row }) =>
      row > 0 ? { at, row: row - 1 } : { at: at - perBand, row: grid.rows.length - 1 },
    PageDown: ({ at, row }) => ({ at: at + 4 * perBand, row }),
    PageUp: ({ at, row }) => ({ at: at - 4 * perBand, row }),
    Home: ({ row }) => ({ at: 0, row }),
    End: ({ row }) => ({ at: grid.pages.length - 1, row }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      move(step(spot));
    } else if (event.key === 'Enter') open(spot);
  };
  const shown = told ?? spot;
  const at = (event: Event): Spot | undefined => {
    const { target } = event;
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
    return cell ? { at: Number(cell.dataset.at), row: Number(cell.dataset.row) } : undefined;
  };
  return (
    <>
      <div
        ref={frame}
        class="jobs-matrix"
        style={{ maxHeight: `${frameHeight}px` }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells are gone to by arrow keys
          role="grid"
          aria-label="Pages and operations"
          aria-rowcount={bandCount * grid.rows.length}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const clicked = at(event);
            if (clicked) open(clicked);
          }}
          onMouseMove={(event) => {
            // Browsers tell of a mouse at rest, too, when what lies under it has changed.
            if (event.movementX !== 0 || event.movementY !== 0) setTold(at(event));
          }}
          onMouseLeave={() => setTold(undefined)}
          onFocusIn={(event) => {
            const focused = at(event);
            if (focused) setSpot(focused);
          }}
        >
          <tbody aria-hidden="true" style={{ height: `${first * bandHeight}px` }} />
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => (
            <Band
              key={first + offset}
              band={first + offset}
              perBand={perBand}
              narrow={narrow}
              height={bandHeight}
              grid={grid}
              spot={spot}
            />
          ))}
          <tbody aria-hidden="true" style={{ height: `${(bandCount - last) * bandHeight}px` }} />
        </table>
      </div>
      <p class="jobs-told">
        <Told grid={grid} spot={shown} failures={failures} />
      </p>
      <p class="soft">
        {count(grid.pages.length, 'page')} × {count(grid.rows.length, 'operation')}. Arrow keys move
        from cell to cell, Enter opens the page.
      </p>
    </>
  );
}

interface BandProps {
  band: number;
  perBand: number;
  narrow: boolean;
  height: number;
  grid: Grid;
  spot: Spot;
}

/** So many pages beside each other, an operation a line. */
function Band({ band, perBand, grid, spot, height, narrow }: BandProps) {
  const from = band * perBand;
  const to = Math.min(grid.pages.length, from + perBand);
  const [first, last] = [grid.pages[from], grid.pages[to - 1]];
  return (
    <tbody class={`jobs-band${narrow ? ' narrow' : ''}`} style={{ height: `${height}px` }}>
      <tr class="jobs-band-head">
        <td>{first === last ? `Page ${first}` : `Pages ${first}–${last}`}</td>
      </tr>
      {grid.rows.map((row, at) => (
        <tr key={row.index} class="jobs-band-row" aria-rowindex={band * grid.rows.length + at + 1}>
          <th class="jobs-band-op" scope="row">
            {row.op}
          </th>
          {row.states.slice(from, to).map((state, offset) => {
            const page = grid.pages[from + offset]!;
            const isSpot = spot.at === from + offset && spot.row === at;
            return (
              <td
                key={page}
                data-at={from + offset}
                data-row={at}
                tabIndex={isSpot ? 0 : -1}
                class={`jobs-cell ${state}`}
                aria-label={`Page ${page}, ${row.op}: ${state}`}
              >
                {pageSigns[state]}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

/** What is known of one cell. */
function Told(props: { grid: Grid; spot: Spot; failures: readonly PageRecord[] }) {
  const { grid, spot, failures } = props;
  const page = grid.pages[spot.at];
  const row = grid.rows[spot.row];
  if (page === undefined || !row) return null;
  const failure = failures.find((one) => one.page === page && one.operation_index === row.index);
  return (
    <>
      <strong>Page {page}</strong> · <code>{row.op}</code> · {row.states[spot.at]}
      {failure?.error && <> · {failure.error.message}</>}
    </>
  );
}
