import { pluralise } from '@scriptorium/contracts/pluralise';
import type { DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { useAction, useAnswer } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { requestFor, send } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { Fact } from '../../../kit/fact.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { Answered, Loading } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { Id, NextAttempt, State, Time } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { Response } from './attempt.tsx';
import { Attempts } from './attempts.tsx';
import { useGlances, useLooks } from './live.ts';
import { Message } from './message.tsx';

/** The page of a delivery, with all attempts. */
export function OneDelivery({ webhookId, id }: { webhookId: string; id: string }) {
  const answer = useAnswer(requestFor('getDelivery', { id: webhookId, delivery_id: id }));
  const { data, reload, put } = answer;
  const looks = useLooks(data ? [data] : [], async () =>
    put(await send(requestFor('getDelivery', { id: webhookId, delivery_id: id }))),
  );
  useGlances(looks.now);
  return (
    <>
      {!data && (
        <PageHead
          title="Delivery"
          crumbs={[
            ['Webhooks', '/'],
            ['Webhook', `/${webhookId}`],
          ]}
        />
      )}
      <Answered of={answer} what="delivery" lines={6}>
        {(data) => <Shown of={data} reload={reload} />}
      </Answered>
    </>
  );
}

function Shown({ of: delivery, reload }: { of: DeliveryWithAttempts; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const again = requestFor('redeliver', { id: delivery.webhook_id, delivery_id: delivery.id });
  const [query, setQuery] = useQueryState();
  const webhook = useAnswer(requestFor('getWebhook', { id: delivery.webhook_id }));
  const { attempts } = delivery;
  const latest = attempts.at(-1) ?? null;
  const attempt = attempts.find(({ number }) => String(number) === query.get('attempt')) ?? latest;
  const isPending = delivery.state === 'pending';
  const isStale = Boolean(
    attempt && webhook.data && Date.parse(webhook.data.updated_at) > Date.parse(attempt.at),
  );
  const needed = can('events:read') ? 'audit:read' : 'events:read';
  const tryAgain = async () => {
    if (!(await run(again))) return;
    toast('good', 'Redelivery started.');
    reload();
  };
  // Its URL is part of the header, which would move the rest if it took two lines.
  if (webhook.loading && !webhook.data) return <Loading what="delivery" lines={6} />;
  return (
    <>
      <PageHead
        title={delivery.event_type}
        crumbs={[
          ['Webhooks', '/'],
          [webhook.data?.url ?? 'Webhook', `/${delivery.webhook_id}`],
        ]}
        state={<State state={delivery.state} />}
        calls={[
          [
            'Get delivery',
            requestFor('getDelivery', { id: delivery.webhook_id, delivery_id: delivery.id }),
          ],
          ['Redeliver', again],
        ]}
        primary={
          can('webhooks:write') && (
            <Button
              primary
              busy={busy}
              disabled={delivery.state === 'delivering'}
              onClick={() => void tryAgain()}
            >
              Redeliver
            </Button>
          )
        }
      />
      <div class="stack">
        <section class="card">
          <dl class="facts">
            <Fact name="Delivery" value={<Id id={delivery.id} />} />
            <Fact name="Event" value={<ResourceLink id={delivery.event_id} />} />
            <Fact name="Reason" value={delivery.reason?.replaceAll('_', ' ')} />
            <Fact name="Created" value={<Time at={delivery.created_at} exact />} />
            <Fact name="Finished" value={<Time at={delivery.finished_at} exact />} />
            <Fact
              name="Next attempt"
              value={
                delivery.next_attempt_at ? (
                  <NextAttempt at={delivery.next_attempt_at} exact />
                ) : (
                  'None'
                )
              }
            />
          </dl>
        </section>
        <h2>{pluralise(attempts.length, 'attempt')}</h2>
        {attempts.length > 0 && (
          <Attempts
            of={attempts}
            open={attempt?.number ?? 0}
            onOpen={(number) => setQuery({ attempt: String(number) })}
          />
        )}
        <div class="webhook-exchange">
          {delivery.request ? (
            <Message of={delivery.request} attempt={attempt} isStale={isStale} />
          ) : (
            <p class="soft">
              Showing messages and responses requires the scope <code>{needed}</code>.
            </p>
          )}
          {attempt && <Response of={attempt} isNext={attempt === latest && isPending} />}
        </div>
      </div>
    </>
  );
}
