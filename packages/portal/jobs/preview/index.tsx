import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { JobRecord, PageRecord } from '@scriptorium/contracts/wire/jobs';
import { useList, useResource } from '../../api/hooks.ts';
import { requestFor, urlOf } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { Compare } from '../../kit/compare/compare.tsx';
import { useName } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { mimeName } from '../../library/browse/filters/mime-names.ts';
import { useSession } from '../../shell/session.tsx';
import { isComparable, outputTitles } from '../job-display.ts';
import FilePreview from './file.tsx';
import '../jobs.css';

/** Previews an output of a job, or shows its pages beside those of the source. */
export default function OutputPreview(props: {
  id: string;
  objectId: string;
  isComparison: boolean;
}) {
  const { id, objectId, isComparison } = props;
  const { data: job, problem, reload } = useResource(requestFor('getJob', { id }));
  const { can } = useSession();
  const name = useName(job?.source_object_id);
  const output = job?.outputs.find((one) => one.object_id === objectId);
  const contentRequest = requestFor('getObjectContent', { id: objectId });
  return (
    <>
      <PageHead
        title={output ? (outputTitles[output.kind] ?? output.kind) : 'Output'}
        crumbs={[
          ['Jobs', '/'],
          [name ?? 'Job', `/${id}`],
        ]}
        calls={[['Download content', contentRequest]]}
        about={output && `${mimeName(output.mime)} · ${formatBytes(output.bytes)}`}
        actions={
          <>
            {output && isComparable(output.kind) && (
              <ButtonLink href={`/${id}/outputs/${objectId}${isComparison ? '' : '/compare'}`}>
                {isComparison ? 'Result only' : 'Compare with the original'}
              </ButtonLink>
            )}
            {output && can('objects:download') && (
              <a class="button" href={urlOf(contentRequest)} download>
                Download
              </a>
            )}
          </>
        }
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !job ? (
        <Loading what="output" lines={8} />
      ) : !output ? (
        <Empty title="Not found">The job does not have this output.</Empty>
      ) : !can('objects:download') ? (
        <Empty title="Access denied">
          Outputs require the scope <code>objects:download</code>. Ask your administrator for an API
          key that has it, then log in with that key.
        </Empty>
      ) : isComparison && isComparable(output.kind) ? (
        <Comparison job={job} objectId={objectId} />
      ) : (
        <FilePreview
          objectId={objectId}
          mime={output.mime}
          bytes={output.bytes}
          kind={output.kind}
        />
      )}
    </>
  );
}

/** The pages of a job's source beside those of its output. */
function Comparison({ job, objectId }: { job: JobRecord; objectId: string }) {
  const { items, loading, problem, reload } = useList(
    requestFor('listJobPages', { id: job.id, limit: 200 }),
  );
  if (problem) return <ProblemState problem={problem} onRetry={reload} />;
  if (loading) return <Loading what="pages" lines={8} />;
  const pages = pageSizes(items);
  if (pages.length === 0) return <Empty title="No pages">The job has no pages to compare.</Empty>;
  return <Compare original={job.source_object_id} result={objectId} pages={pages} />;
}

/** Returns each page once, with its size if an operation reported it. */
function pageSizes(rows: readonly PageRecord[]) {
  const sizes = new Map<number, { width: number | null; height: number | null }>();
  for (const { page, result } of rows) {
    const { width, height } = result ?? {};
    const hasSize = typeof width === 'number' && typeof height === 'number';
    if (hasSize) sizes.set(page, { width, height });
    else if (!sizes.has(page)) sizes.set(page, { width: null, height: null });
  }
  return [...sizes].map(([page, size]) => ({ page, ...size })).sort((a, b) => a.page - b.page);
}
