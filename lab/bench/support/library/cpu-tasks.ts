import type { Browser } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** The start and duration in microseconds; `t`: of the thread's CPU. */
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string; data?: { functionName?: string; url?: string; type?: string } };
}

/**
 * The tasks of the page's main thread, in milliseconds of CPU time, and the parts of the longest
 * ones.
 */
export interface CpuTasks {
  tasks: number[];
  longest: string[];
}

/** Whether the parts of the longest tasks are recorded, which itself takes time. */
const isDetailed = process.env.TRACE === '1';

/**
 * Traces Chromium until the returned function is called. CPU time is meaningful even on a busy
 * machine, where tasks are interrupted.
 */
export async function traceTasks(browser: Browser): Promise<() => Promise<CpuTasks>> {
  await browser.startTracing(undefined, {
    categories: ['toplevel', ...(isDetailed ? ['devtools.timeline'] : [])],
  });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[];
    };
    const thread = mainThread(traceEvents);
    const threadEvents = traceEvents.filter(
      ({ pid, tid, ph }) => `${pid} ${tid}` === thread && ph === 'X',
    );
    const tasks = threadEvents.filter(({ name }) => name === 'ThreadControllerImpl::RunTask');
    const sorted = [...tasks].sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
    return {
      tasks: tasks.map(({ tdur = 0 }) => tdur / 1000),
      longest: isDetailed ? sorted.slice(0, 5).map((task) => describe(task, threadEvents)) : [],
    };
  };
}

/** The main thread that used the most CPU, which is that of the tab. */
function mainThread(events: readonly TraceEvent[]): string | undefined {
  const used = new Map<string, number>();
  for (const { ph, name, args, pid, tid } of events) {
    if (ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain') {
      used.set(`${pid} ${tid}`, 0);
    }
  }
  for (const { pid, tid, tdur = 0 } of events) {
    const thread = `${pid} ${tid}`;
    const now = used.get(thread);
    if (now !== undefined) used.set(thread, now + tdur);
  }
  return [...used].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** A task with its parts of at least 3 ms, outermost first. */
function describe(task: TraceEvent, all: readonly TraceEvent[]): string {
  const end = task.ts + (task.dur ?? 0);
  const parts = all
    .filter(
      ({ ts, tdur = 0, ...one }) =>
        ts >= task.ts && ts <= end && tdur > 3_000 && one.name !== task.name,
    )
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
    .map(({ name, tdur = 0, args }) => {
      const what = args?.data?.functionName ?? args?.data?.type ?? '';
      return `${name} ${what} ${(tdur / 1000).toFixed(0)}`.replaceAll(/ +/g, ' ');
    });
  return `${((task.tdur ?? 0) / 1000).toFixed(0)} ms: ${parts.slice(0, 14).join(' · ')}`;
}
