import type { PageState } from '@scriptorium/contracts/jobs';
import type { JobRecord, PageStates } from '@scriptorium/contracts/wire/jobs';

/** One operation's row of the matrix: the state of each page, in the order of `PageGrid.pages`. */
export interface GridRow {
  index: number;
  op: string;
  implicit: boolean;
  states: PageState[];
}

export interface PageGrid {
  /** The pages the job works on, ascending. */
  pages: number[];
  rows: GridRow[];
}

/** Builds the matrix from a job and its page states. Pages without a state are pending. */
export function pageGridOf(job: JobRecord, states: PageStates): PageGrid {
  const numbers = new Set<number>();
  const statesByOperation = states.operations.map(({ runs }) => {
    const row = new Map<number, PageState>();
    for (const { from, to, state } of runs) {
      for (let page = from; page <= to; page += 1) {
        row.set(page, state);
        numbers.add(page);
      }
    }
    return row;
  });
  const pages = [...numbers].sort((a, b) => a - b);
  return {
    pages,
    rows: job.operations.map(({ index, op, implicit, state }) => ({
      index,
      op,
      implicit,
      states: pages.map((page) => statesByOperation[index]?.get(page) ?? defaultState(state)),
    })),
  };
}

/** Returns the state of pages without a reported one, from the state of their operation. */
function defaultState(state: JobRecord['operations'][number]['state']): PageState {
  return state === 'skipped' || state === 'cancelled' ? state : 'pending';
}

/** Counts the pages in each state, most important state first. */
export function countStates(row: GridRow): [PageState, number][] {
  const order: PageState[] = ['failed', 'running', 'succeeded', 'skipped', 'cancelled', 'pending'];
  return order.flatMap((state) => {
    const count = row.states.filter((one) => one === state).length;
    return count > 0 ? [[state, count] as [PageState, number]] : [];
  });
}
