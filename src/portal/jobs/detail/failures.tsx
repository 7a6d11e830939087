import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { pluralise } from '../../../contracts/pluralise.ts';
import type { JobRecord, PageRecord } from '../../../contracts/wire/jobs.ts';
import { type LoadedList, type Page, useList } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { listPages } from '../requests.ts';

type FailedPageList = LoadedList<PageRecord, Page<PageRecord>>;

/** The failed pages of a job, reloaded when their number changes. */
export function useFailures(job: JobRecord): FailedPageList {
  const failed = failedOf(job);
  const list = useList(failed > 0 ? listPages(job.id, { state: 'failed', limit: 200 }) : null);
  const { reload } = list;
  useEffect(() => {
    if (failed > 0) reload();
  }, [failed]);
  return list;
}

function failedOf(job: JobRecord): number {
  return job.operations.reduce((sum, { progress }) => sum + progress.pages_failed, 0);
}

/** Lists the failed pages with their errors. */
export function FailedPages({ job, failures }: { job: JobRecord; failures: FailedPageList }) {
  const failed = failedOf(job);
  if (failed === 0) return null;
  return (
    <div class="stack">
      <h3>{pluralise(failed, 'page')} failed</h3>
      <ProblemNotice problem={failures.problem} />
      {failures.items.length > 0 && (
        <section class="table-frame" aria-label="Failed pages" tabIndex={0}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Page</th>
                <th scope="col">Operation</th>
                <th scope="col">Error</th>
              </tr>
            </thead>
            <tbody>
              {failures.items.map((page) => (
                <tr key={`${page.operation_index} ${page.page}`}>
                  <td>
                    <Link href={`/${job.id}/pages/${page.page}`}>Page {page.page}</Link>
                  </td>
                  <td>
                    <code>{page.op}</code>
                  </td>
                  <td>
                    {page.error?.message}{' '}
                    <span class="mono soft">
                      {page.error?.code}
                      {page.error?.retryable ? ', retryable' : ''}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {failures.hasMore && (
        <div>
          <Button onClick={failures.more} busy={failures.loading}>
            Load more failed pages
          </Button>
        </div>
      )}
    </div>
  );
}
