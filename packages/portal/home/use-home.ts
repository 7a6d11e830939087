import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { UsageRecord } from '@scriptorium/contracts/wire/service';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { type Loaded, type LoadedList, type Page, useAnswer, useList } from '../api/hooks.ts';
import { useLiveList } from '../api/live-list.ts';
import { type ApiProblem, requestFor } from '../api/request.ts';
import { isFinished } from '../jobs/words.ts';
import { useNames } from '../kit/names.ts';
import { useStored } from '../library/uploads/index.tsx';
import { useSession } from '../shell/session.tsx';

/** Maximum number of entries of each kind on Home. */
const shown = 5;

/** The data of Home that the session may see; undefined if it may not. */
export interface HomeData {
  usage: UsageRecord | undefined;
  failed: readonly JobRecord[] | undefined;
  reviews: readonly ReviewRecord[] | undefined;
  webhooks: readonly WebhookRecord[] | undefined;
  running: readonly JobRecord[] | undefined;
  /** Whether the project has had a job. */
  hasJobs: boolean | undefined;
  images: readonly ListedImage[] | undefined;
  files: readonly ObjectRecord[] | undefined;
  /** The file names of documents. */
  names: ReadonlyMap<string, string | null>;
}

/** Loaded together: items that appear one after the other would move the existing ones. */
export function useHome(): {
  data: HomeData | undefined;
  problem: ApiProblem | undefined;
  reload: () => void;
} {
  const { can } = useSession();
  const seesJobs = can('documents:read');
  const usage = useAnswer(can('objects:read') ? requestFor('getUsage', { days: 30 }) : null);
  const latest = useAnswer(seesJobs ? requestFor('listJobs', { limit: 1 }) : null);
  const failed = useAnswer(
    seesJobs ? requestFor('listJobs', { state: 'failed', limit: shown }) : null,
  );
  const running = useRunning(seesJobs);
  const reviews = useAnswer(
    seesJobs ? requestFor('listReviews', { state: 'open', limit: shown }) : null,
  );
  const webhooks = useAnswer(
    can('webhooks:read') ? requestFor('listWebhooks', { limit: 200 }) : null,
  );
  const images = useAnswer(can('images:read') ? requestFor('searchImages', { limit: 8 }) : null);
  const files = useAnswer(
    can('objects:read')
      ? requestFor('listObjects', {
          limit: 40,
          state: 'available',
          mime: 'application/*,text/*,message/*',
        })
      : null,
  );
  useStored(() => {
    for (const one of [usage, images, files]) one.reload();
  });
  const documents = [failed.data, running.first, reviews.data].flatMap((page) =>
    (page?.data ?? []).map(({ source_object_id: id }: { source_object_id: string }) => id),
  );
  const names = useNames(can('objects:read') ? documents : []);

  const parts = [usage, latest, failed, reviews, webhooks, images, files];
  const reload = (): void => {
    for (const part of parts) part.reload();
    running.reload();
  };
  const problem = [...parts, running].find((one) => one.problem)?.problem;
  const isLoading = parts.some(isFirst) || (seesJobs && running.first === undefined);
  if (problem || isLoading) return { data: undefined, problem, reload };
  return {
    problem,
    reload,
    data: {
      usage: usage.data,
      failed: failed.data?.data,
      reviews: reviews.data?.data,
      webhooks: webhooks.data?.data,
      running: seesJobs ? running.items.filter((job) => !isFinished(job)) : undefined,
      hasJobs: latest.data && latest.data.data.length > 0,
      images: images.data?.data,
      files: files.data?.data.filter(({ source }) => source.kind !== 'job').slice(0, shown),
      names,
    },
  };
}

const isFirst = ({ data, loading }: Pick<Loaded<unknown>, 'data' | 'loading'>): boolean =>
  loading && data === undefined;

/** The running jobs, updated live. */
function useRunning(isAllowed: boolean): LoadedList<JobRecord, Page<JobRecord>> {
  const { can } = useSession();
  const list = useList(
    isAllowed ? requestFor('listJobs', { state: 'queued,running,cancelling', limit: shown }) : null,
  );
  useLiveList(list, {
    listens: isAllowed && can('events:read'),
    type: 'documents.job',
    passing: ['progressed', 'operation_finished', 'cancel_requested'],
    get: (id) => requestFor('getJob', { id }),
    perPage: shown,
    runs: (job) => !isFinished(job),
  });
  return list;
}
