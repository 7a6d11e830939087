import type { PageState } from '../../../contracts/jobs.ts';
import type { JobRecord, PageStates } from '../../../contracts/wire/jobs.ts';

/** One operation's row of the matrix: the state of each page, in the order of `Grid.pages`. */
export interface GridRow {
  index: number;
  op: string;
  implicit: boolean;
  states: PageState[];
}

export interface Grid {
  /** The pages the job works on, ascending. */
  pages: number[];
  rows: GridRow[];
}

/** The matrix out of the job and the runs of its pages: what has not begun is pending. */
export function gridOf(job: JobRecord, states: PageStates): Grid {
  const numbers = new Set<number>();
  const known = states.operations.map(({ runs }) => {
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
      states: pages.map((page) => known[index]?.get(page) ?? restOf(state)),
    })),
  };
}

/** What pages of an operation are that has no rows of its own. */
function restOf(state: JobRecord['operations'][number]['state']): PageState {
  return state === 'skipped' || state === 'cancelled' ? state : 'pending';
}

/** How many pages of a row are in each state, the most telling first. */
export function countStates(row: GridRow): [PageState, number][] {
  const order: PageState[] = ['failed', 'running', 'succeeded', 'skipped', 'cancelled', 'pending'];
  return order.flatMap((state) => {
    const number = row.states.filter((one) => one === state).length;
    return number > 0 ? [[state, number] as [PageState, number]] : [];
  });
}
