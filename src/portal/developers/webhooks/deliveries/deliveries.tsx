import { Link } from 'wouter-preact';
import type { WebhookRecord } from '../../../../contracts/wire/webhooks.ts';
import { useList } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { More } from '../../../kit/more.tsx';
import { Empty, Loading, ProblemState } from '../../../kit/states.tsx';
import { NextAttempt, State, Time } from '../../../kit/values.tsx';
import { listDeliveries } from '../requests.ts';

const states = [
  ['', 'All'],
  ['pending', 'Pending: waiting to be sent or retried'],
  ['delivering', 'Delivering: in progress'],
  ['succeeded', 'Succeeded'],
  ['exhausted', 'Exhausted: all attempts failed'],
  ['skipped', 'Skipped: not sent'],
  ['cancelled', 'Cancelled'],
] as const;

/** The deliveries of a webhook. */
export function Deliveries({ of: webhook }: { of: WebhookRecord }) {
  const [query, setQuery] = useQueryState();
  const state = query.get('state') ?? '';
  const type = query.get('event_type') ?? '';
  const list = useList(listDeliveries(webhook.id, { state, event_type: type }));
  const types = [...new Set([...webhook.event_types, ...(type ? [type] : [])])];
  return (
    <section class="stack" aria-label="Deliveries">
      <div class="dev-filters">
        <SelectField
          label="State"
          value={state}
          onChange={(value) => setQuery({ state: value })}
          options={states}
        />
        <SelectField
          label="Event type"
          value={type}
          onChange={(value) => setQuery({ event_type: value })}
          options={[['', 'All'], ...types.map((one) => [one, one] as const)]}
        />
        <div class="webhook-reload">
          <Button busy={list.loading} onClick={list.reload}>
            Refresh
          </Button>
        </div>
      </div>
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="deliveries" />
      ) : list.items.length === 0 ? (
        <Empty title={state || type ? 'No matching deliveries' : 'No deliveries yet'}>
          {!state && !type && 'Send a test to try the webhook.'}
        </Empty>
      ) : (
        <>
          <section class="table-frame" tabIndex={0} aria-label="Deliveries, newest first">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Event</th>
                  <th scope="col">State</th>
                  <th scope="col" class="number">
                    Attempts
                  </th>
                  <th scope="col">Created</th>
                  <th scope="col">Next attempt</th>
                </tr>
              </thead>
              <tbody>
                {list.items.map((one) => (
                  <tr key={one.id}>
                    <td>
                      <Link href={`/${webhook.id}/deliveries/${one.id}`} class="dev-any">
                        {one.event_type}
                      </Link>
                      <div class="mono soft">{one.event_id}</div>
                    </td>
                    <td>
                      <State state={one.state} />
                      {one.reason && <div class="soft">{one.reason.replaceAll('_', ' ')}</div>}
                    </td>
                    <td class="number">{one.attempts_made}</td>
                    <td>
                      <Time at={one.created_at} />
                    </td>
                    <td>
                      <NextAttempt at={one.next_attempt_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <More list={list} nouns={['delivery', 'deliveries']} />
        </>
      )}
    </section>
  );
}
