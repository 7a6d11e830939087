import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Icon } from '../kit/icons/icon.tsx';
import type { IconName } from '../kit/icons/icons.ts';
import { Named } from '../kit/named.tsx';
import { State, Time } from '../kit/values.tsx';
import type { HomeData } from './use-home.ts';

interface Item {
  key: string;
  icon: IconName;
  name: ComponentChildren;
  why: ComponentChildren;
}

/** Shows work that waits for a person: failing webhooks, open reviews, failed jobs. */
export function Attention({ data }: { data: HomeData }) {
  const { failed, reviews, webhooks, names } = data;
  if (!failed && !reviews && !webhooks) return null;
  const items: Item[] = [
    ...(webhooks ?? []).filter(isFailing).map(
      (webhook): Item => ({
        key: webhook.id,
        icon: 'webhooks',
        name: <Named id={webhook.id} name={webhook.description || webhook.url} />,
        why: <State state={webhook.state === 'disabled' ? 'disabled' : webhook.health.state} />,
      }),
    ),
    ...(reviews ?? []).map(
      (review): Item => ({
        key: review.id,
        icon: 'reviews',
        name: <Named id={review.id} name={names.get(review.source_object_id) ?? 'Review'} />,
        why: (
          <span class="soft">
            {review.op === 'classify'
              ? 'Label to choose'
              : `${pluralise(review.counts.pending, 'finding')} to decide`}
          </span>
        ),
      }),
    ),
    ...(failed ?? []).map(
      (job): Item => ({
        key: job.id,
        icon: 'jobs',
        name: <Named id={job.id} name={names.get(job.source_object_id) ?? 'Job'} />,
        why: (
          <>
            <State state={job.state} />
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
          {items.map(({ key, icon, name, why }) => (
            <li key={key}>
              <Icon name={icon} />
              {name}
              <span class="home-why">{why}</span>
            </li>
          ))}
        </ul>
      )}
      {(failed?.length ?? 0) > 0 && (
        <Link href="/jobs?state=failed" class="home-all">
          All failed jobs
        </Link>
      )}
    </section>
  );
}

function isFailing({ state, health }: NonNullable<HomeData['webhooks']>[number]): boolean {
  return state === 'disabled' || (state === 'enabled' && health.state === 'failing');
}
