import type { ConsumerRecord } from '../../../contracts/wire/consumers.ts';
import { useAction, useList } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { formatCount } from '../../kit/count.ts';
import { Confirm, DialogButton } from '../../kit/dialog.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { CreateConsumer, SeekConsumer } from './consumer-forms.tsx';
import { deleteConsumer, listConsumers, seekConsumer } from './requests.ts';
import { EventTabs } from './tabs.tsx';

/** The consumers of the feed, with their positions and lag. */
export function Consumers() {
  const { can } = useSession();
  const list = useList(listConsumers());
  const create = can('events:ack') && (
    <DialogButton
      primary
      label="Create consumer"
      dialog={(close) => <CreateConsumer onClose={close} onDone={list.reload} />}
    />
  );
  return (
    <>
      <PageHead
        title="Consumers"
        about="Named readers of the feed. The service stores their position, so they miss no events."
        calls={[['List consumers', listConsumers()]]}
        actions={create}
      />
      <EventTabs />
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="consumers" />
      ) : list.items.length === 0 ? (
        <Empty title="No consumers yet">
          A consumer reads the feed at its own pace and commits its progress. Alternatively, use the
          event stream or webhooks.
        </Empty>
      ) : (
        <>
          <section class="table-frame" tabIndex={0} aria-label="Consumers">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Reads</th>
                  <th scope="col" class="number">
                    Lag
                  </th>
                  <th scope="col" class="number">
                    Position
                  </th>
                  <th scope="col">Last read</th>
                  <th scope="col">Last commit</th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                {list.items.map((consumer) => (
                  <Row key={consumer.id} of={consumer} reload={list.reload} />
                ))}
              </tbody>
            </table>
          </section>
          <More list={list} nouns={['consumer', 'consumers']} />
        </>
      )}
    </>
  );
}

function Row({ of: consumer, reload }: { of: ConsumerRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const remove = async () => {
    if (!(await run(deleteConsumer(consumer.id)))) return;
    toast('good', `Consumer ${consumer.name} deleted.`);
    reload();
  };
  return (
    <tr>
      <td class="dev-name">
        <span class="dev-any">{consumer.name}</span>
        <div class="mono soft">{consumer.id}</div>
      </td>
      <td>
        {consumer.event_types?.join(', ') ?? `all ${consumer.category} events`}
        {consumer.resource_type && <div class="soft">of {consumer.resource_type}</div>}
        {consumer.resource_id && <ResourceLink id={consumer.resource_id} />}
      </td>
      <td class="number">
        {formatCount(consumer.lag)} {consumer.expired && <span class="badge bad">expired</span>}
      </td>
      <td class="number">
        {consumer.position} of {consumer.latest_sequence}
      </td>
      <td>{consumer.last_read_at ? <Time at={consumer.last_read_at} /> : 'Never'}</td>
      <td>{consumer.last_committed_at ? <Time at={consumer.last_committed_at} /> : 'Never'}</td>
      <td>
        <div class="row">
          {can('events:ack') && (
            <>
              <DialogButton
                small
                label="Move"
                dialog={(close) => <SeekConsumer of={consumer} onClose={close} onDone={reload} />}
              />
              <DialogButton
                small
                danger
                label="Delete"
                dialog={(close) => (
                  <Confirm
                    title="Delete this consumer?"
                    action="Delete consumer"
                    danger
                    busy={busy}
                    onClose={close}
                    onConfirm={() => void remove().then(close)}
                  >
                    <p>
                      The position of <b class="dev-any">{consumer.name}</b> is deleted. Programs
                      that read with it get a 404 error. Events are not affected.
                    </p>
                  </Confirm>
                )}
              />
            </>
          )}
          <ApiCalls
            calls={[
              ['Read events', readOf(consumer)],
              ['Move to the latest event', seekConsumer(consumer.id, { to: 'latest' })],
              ['Delete consumer', deleteConsumer(consumer.id)],
            ]}
          />
        </div>
      </td>
    </tr>
  );
}

const readOf = ({ id }: ConsumerRecord) => ({
  method: 'GET' as const,
  path: `/v1/events/consumers/${id}/events`,
});
