import { pluralise } from '@scriptorium/contracts/pluralise';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { formatCount } from '../kit/format-count.ts';
import { Icon } from '../kit/icons/icon.tsx';
import type { IconName } from '../kit/icons/icons.ts';
import { NamedResource } from '../kit/named-resource.tsx';
import { StateBadge, Time } from '../kit/values.tsx';
import { webhookTitle } from '../kit/webhook-title.ts';
import type { HomeData } from './use-home.ts';

interface Item {
  key: string;
  icon: IconName;
  name: ComponentChildren;
  detail: ComponentChildren;
}

/** Shows work that waits for a person: failing webhooks, open reviews, failed jobs. */
export function NeedsAttention({ data }: { data: HomeData }) {
  const { failedJobs, reviews, webhooks, names } = data;
  if (!failedJobs && !reviews && !webhooks) return null;
  const items: Item[] = [
    ...(webhooks ?? []).filter(isFailing).map(
      (webhook): Item => ({
        key: webhook.id,
        icon: 'webhooks',
        name: <NamedResource id={webhook.id} name={webhookTitle(webhook)} />,
        detail: (
          <>
            <StateBadge state={webhook.state === 'disabled' ? 'disabled' : webhook.health.state} />
            {webhook.health.pending > 0 && (
              <span class="soft">{formatCount(webhook.health.pending)} pending</span>
            )}
          </>
        ),
      }),
    ),
    ...(reviews ?? []).map(
      (review): Item => ({
        key: review.id,
        icon: 'reviews',
        name: (
          <NamedResource id={review.id} name={names.get(review.source_object_id) ?? 'Review'} />
        ),
        detail: (
          <span class="soft">
            {review.op === 'classify'
              ? 'Label to choose'
              : `${pluralise(review.counts.pending, 'finding')} to decide`}
          </span>
        ),
      }),
    ),
    ...(failedJobs ?? []).map(
      (job): Item => ({
        key: job.id,
        icon: 'jobs',
        name: <NamedResource id={job.id} name={names.get(job.source_object_id) ?? 'Job'} />,
        detail: (
          <>
            <StateBadge state={job.state} />
            <span class="soft home-when">
              <Time at={job.finished_at ?? job.created_at} />
            </span>
          </>
        ),
      }),
    ),
  ];
  return (
    <section class="card" aria-labelledby="home-attention">
      <h2 id="home-attention">Needs attention</h2>
      {items.length === 0 ? (
        <p class="home-calm">
          <Icon name="good" />
          No failed jobs, failing webhooks or open reviews
        </p>
      ) : (
        <ul class="home-lines">
          {items.map(({ key, icon, name, detail }) => (
            <li key={key}>
              <Icon name={icon} />
              {name}
              <span class="home-why">{detail}</span>
            </li>
          ))}
        </ul>
      )}
      {(failedJobs?.length ?? 0) > 0 && (
        <Link href="/jobs?state=failed" class="home-all">
          All failed jobs
        </Link>
      )}
    </section>
  );
}

/** The states in which no delivery succeeds. */
const isFailingState: Record<WebhookRecord['health']['state'], boolean> = {
  healthy: false,
  degraded: false,
  failing: true,
  warning: true,
  critical: true,
};

function isFailing({ state, health }: WebhookRecord): boolean {
  return state === 'disabled' || (state === 'enabled' && isFailingState[health.state]);
}
