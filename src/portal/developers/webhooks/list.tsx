import { Link } from 'wouter-preact';
import type { WebhookRecord } from '../../../contracts/wire/webhooks.ts';
import { useList } from '../../api/hooks.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { formatCount } from '../../kit/count.ts';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { HealthState } from './health.tsx';
import { listWebhooks } from './requests.ts';

export function WebhookList() {
  const { can } = useSession();
  const list = useList(listWebhooks());
  const create = can('webhooks:write') && (
    <ButtonLink primary href="/new">
      Create webhook
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Endpoints that receive events as signed HTTP requests, with retries."
        calls={[['List webhooks', listWebhooks()]]}
        actions={create}
      />
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="webhooks" />
      ) : list.items.length === 0 ? (
        <Empty title="No webhooks yet" action={create}>
          A webhook receives each event it subscribes to at least once, with a signature to verify.
        </Empty>
      ) : (
        <>
          <section class="table-frame" tabIndex={0} aria-label="Webhooks">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Webhook</th>
                  <th scope="col">State</th>
                  <th scope="col">Health</th>
                  <th scope="col">Event types</th>
                  <th scope="col" class="number">
                    Pending
                  </th>
                  <th scope="col">Last success</th>
                </tr>
              </thead>
              <tbody>
                {list.items.map((webhook) => (
                  <Row key={webhook.id} of={webhook} />
                ))}
              </tbody>
            </table>
          </section>
          <More list={list} nouns={['webhook', 'webhooks']} />
        </>
      )}
    </>
  );
}

function Row({ of: webhook }: { of: WebhookRecord }) {
  const { health } = webhook;
  return (
    <tr>
      <td class="dev-name">
        <Link href={`/${webhook.id}`} class="dev-any">
          {webhook.url}
        </Link>
        {webhook.description && <div class="soft dev-any">{webhook.description}</div>}
      </td>
      <td>
        <State state={webhook.state} />
      </td>
      <td>
        <HealthState of={health} />
        {health.since && (
          <div class="soft">
            since <Time at={health.since} />
          </div>
        )}
      </td>
      <td class="mono">
        {webhook.event_types.slice(0, 3).join(', ')}
        {webhook.event_types.length > 3 && ` and ${webhook.event_types.length - 3} more`}
      </td>
      <td class="number">{formatCount(health.pending)}</td>
      <td>{health.last_success_at ? <Time at={health.last_success_at} /> : 'Never'}</td>
    </tr>
  );
}
