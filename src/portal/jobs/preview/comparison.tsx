import type { JobRecord, PageRecord } from '../../../contracts/wire/jobs.ts';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Compare } from '../../kit/compare/compare.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';

/** The pages of a job's source beside those of its output. */
export function Comparison({ job, objectId }: { job: JobRecord; objectId: string }) {
  const { items, loading, problem, reload } = useList(
    requestFor('listJobPages', { id: job.id, limit: 200 }),
  );
  if (problem) return <ProblemState problem={problem} onRetry={reload} />;
  if (loading) return <Loading what="pages" lines={8} />;
  const pages = sizesOf(items);
  if (pages.length === 0) return <Empty title="No pages">The job has no pages to compare.</Empty>;
  return <Compare original={job.source_object_id} result={objectId} pages={pages} />;
}

/** Each page once, with the size that an operation has reported. */
function sizesOf(rows: readonly PageRecord[]) {
  const sizes = new Map<number, { width: number | null; height: number | null }>();
  for (const { page, result } of rows) {
    const { width, height } = result ?? {};
    const isSized = typeof width === 'number' && typeof height === 'number';
    if (isSized) sizes.set(page, { width, height });
    else if (!sizes.has(page)) sizes.set(page, { width: null, height: null });
  }
  return [...sizes].map(([page, size]) => ({ page, ...size })).sort((a, b) => a.page - b.page);
}
