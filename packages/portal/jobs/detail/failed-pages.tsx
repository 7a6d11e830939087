import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord, PageRecord } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type LoadedList, type Page, useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { operationTitle } from '../job-display.ts';

type FailedPageList = LoadedList<PageRecord, Page<PageRecord>>;

/** The failed pages of a job, reloaded when their number changes. */
export function useFailedPages(job: JobRecord | undefined): FailedPageList {
  const failedCount = job ? failedPageCount(job) : 0;
  const list = useList(
    job && failedCount > 0
      ? requestFor('listJobPages', { id: job.id, state: 'failed', limit: 200 })
      : null,
  );
  const { reload } = list;
  const loadedCount = useRef(failedCount);
  useEffect(() => {
    // The list itself loads the first failures.
    if (loadedCount.current > 0 && failedCount > loadedCount.current) reload();
    loadedCount.current = failedCount;
  }, [failedCount]);
  return list;
}

function failedPageCount(job: JobRecord): number {
  return job.operations.reduce((sum, { progress }) => sum + progress.pages_failed, 0);
}

/** Lists the failed pages with their errors. */
export function FailedPages({ job, failures }: { job: JobRecord; failures: FailedPageList }) {
  const failedCount = failedPageCount(job);
  if (failedCount === 0) return null;
  return (
    <div class="stack">
      <h3>{pluralise(failedCount, 'page')} failed</h3>
      <ProblemNotice problem={failures.problem} />
      {failures.items.length > 0 && (
        <Table
          label="Failed pages"
          items={failures.items}
          keyOf={(page) => `${page.operation_index} ${page.page}`}
          columns={[
            {
              title: 'Page',
              show: ({ page }) => <Link href={`/${job.id}/pages/${page}`}>Page {page}</Link>,
            },
            { title: 'Operation', show: ({ op }) => operationTitle(op) },
            {
              title: 'Error',
              show: ({ error }) => (
                <>
                  {error?.message}{' '}
                  <span class="mono soft">
                    {error?.code}
                    {error?.retryable ? ', retryable' : ''}
                  </span>
                </>
              ),
            },
          ]}
        />
      )}
      {failures.hasMore && (
        <div>
          <Button onClick={failures.loadMore} busy={failures.loading}>
            Load more failed pages
          </Button>
        </div>
      )}
    </div>
  );
}
