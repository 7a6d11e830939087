import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { UsageRecord } from '@scriptorium/contracts/wire/service';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import {
  type LoadedList,
  type LoadedResource,
  type Page,
  useList,
  useResource,
} from '../api/hooks.ts';
import type { ListUse } from '../api/list-use.ts';
import { useLiveList } from '../api/live-list.ts';
import { type ApiProblem, requestFor } from '../api/request.ts';
import { isFinished } from '../jobs/job-display.ts';
import { useNames } from '../kit/names.ts';
import { useStoredUploads } from '../library/uploads/index.tsx';
import { useSession } from '../shell/session.tsx';

/** Maximum number of entries of each kind on Home. */
const maxEntries = 5;

/** The data of Home that the session may see; undefined if it may not. */
export interface HomeData {
  usage: UsageRecord | undefined;
  failedJobs: readonly JobRecord[] | undefined;
  reviews: readonly ReviewRecord[] | undefined;
  webhooks: readonly WebhookRecord[] | undefined;
  runningJobs: readonly JobRecord[] | undefined;
  /** The element of the running jobs, which hold still while it is in use. */
  runningElement: ListUse['element'];
  /** Whether the project has had a job. */
  hasJobs: boolean | undefined;
  images: readonly ListedImage[] | undefined;
  files: readonly ObjectRecord[] | undefined;
  /** The file names of documents. */
  names: ReadonlyMap<string, string | null>;
}

/** Loads the data of Home together, because items that appear one by one would move the others. */
export function useHome(): {
  data: HomeData | undefined;
  problem: ApiProblem | undefined;
  reload: () => void;
} {
  const { can } = useSession();
  const canReadJobs = can('documents:read');
  const usage = useResource(can('objects:read') ? requestFor('getUsage', { days: 30 }) : null);
  const latestJob = useResource(canReadJobs ? requestFor('listJobs', { limit: 1 }) : null);
  const failed = useResource(
    canReadJobs ? requestFor('listJobs', { state: 'failed', limit: maxEntries }) : null,
  );
  const { list: running, element: runningElement } = useRunning(canReadJobs);
  const reviews = useResource(
    canReadJobs ? requestFor('listReviews', { state: 'open', limit: maxEntries }) : null,
  );
  const webhooks = useResource(
    can('webhooks:read') ? requestFor('listWebhooks', { limit: 200 }) : null,
  );
  const images = useResource(can('images:read') ? requestFor('searchImages', { limit: 8 }) : null);
  const files = useResource(
    can('objects:read')
      ? requestFor('listObjects', {
          limit: 40,
          state: 'available',
          mime: 'application/*,text/*,message/*',
        })
      : null,
  );
  useStoredUploads(() => {
    for (const one of [usage, images, files]) one.reload();
  });
  const runningJobs = running.items.slice(0, maxEntries);
  const documents = [failed.data?.data ?? [], runningJobs, reviews.data?.data ?? []]
    .flat()
    .map(({ source_object_id: id }) => id);
  const names = useNames(can('objects:read') ? documents : []);

  const resources = [usage, latestJob, failed, reviews, webhooks, images, files];
  const reload = (): void => {
    for (const part of resources) part.reload();
    running.reload();
  };
  const problem = [...resources, running].find((one) => one.problem)?.problem;
  const isLoading = resources.some(isFirstLoad) || (canReadJobs && running.firstPage === undefined);
  if (problem || isLoading) return { data: undefined, problem, reload };
  return {
    problem,
    reload,
    data: {
      usage: usage.data,
      failedJobs: failed.data?.data,
      reviews: reviews.data?.data,
      webhooks: webhooks.data?.data,
      // A job that has ended stays as long as the list is in use, so that no row moves.
      runningJobs: canReadJobs ? runningJobs : undefined,
      runningElement,
      hasJobs: latestJob.data && latestJob.data.data.length > 0,
      images: images.data?.data,
      files: files.data?.data.filter(({ source }) => source.kind !== 'job').slice(0, maxEntries),
      names,
    },
  };
}

const isFirstLoad = ({
  data,
  loading,
}: Pick<LoadedResource<unknown>, 'data' | 'loading'>): boolean => loading && data === undefined;

/** The running jobs, updated live. */
function useRunning(canReadJobs: boolean): {
  list: LoadedList<JobRecord, Page<JobRecord>>;
  element: ListUse['element'];
} {
  const { can } = useSession();
  const request = canReadJobs
    ? requestFor('listJobs', { state: 'queued,running,cancelling', limit: maxEntries })
    : null;
  const list = useList(request);
  const { element } = useLiveList(list, {
    canReadEvents: canReadJobs && can('events:read'),
    eventPrefix: 'documents.job',
    ignoredSuffixes: ['progressed', 'operation_finished', 'cancel_requested'],
    listRequest: request,
    itemRequest: (id) => requestFor('getJob', { id }),
    mayChange: (job) => !isFinished(job),
    belongs: (job) => !isFinished(job),
  });
  return { list, element };
}
