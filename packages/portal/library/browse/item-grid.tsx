import type { ComponentChildren } from 'preact';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Grid } from './grid/grid.tsx';
import type { Selection } from './grid/selection.ts';
import type { Results } from './results.ts';
import type { View } from './view.ts';
import './browse.css';

/** A list of items as a grid, or the reason why it is empty. */
export function ItemGrid(props: {
  results: Results;
  selection: Selection;
  selectable: boolean;
  view: View;
  /** The query of the addresses of the items' pages, which is that of the list in Browse. */
  query?: string;
  onSort?: (sort: string) => void;
  /** Moves an item within the list; false if it cannot be moved there. */
  onMove?: ((from: number, to: number) => boolean) | undefined;
  /** Shown if the list has no items. */
  empty: ComponentChildren;
  /** Offered if the list is rejected. */
  problemAction?: ComponentChildren;
}) {
  const { results, empty, problemAction, ...grid } = props;
  const { problem, items, noun } = results;
  if (problem && items.end === 0) {
    return (
      <>
        <ProblemState problem={problem} onRetry={results.reload} />
        {problem.status === 400 && problemAction && <div class="state">{problemAction}</div>}
      </>
    );
  }
  return (
    <>
      {results.count === 0 && !results.loading && empty}
      {results.loading && items.end === 0 && <Loading what={`${noun}s`} lines={6} />}
      <div hidden={items.end === 0}>
        <Grid {...grid} results={results} label={`${noun[0]!.toUpperCase()}${noun.slice(1)}s`} />
      </div>
      {problem && (
        <div class="browse-problem">
          <ProblemState problem={problem} onRetry={results.reload} />
        </div>
      )}
    </>
  );
}
