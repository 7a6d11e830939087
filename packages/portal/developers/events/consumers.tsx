import type { ConsumerRecord } from '@scriptorium/contracts/wire/consumers';
import { useAction, useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { toast } from '../../kit/toasts.tsx';
import { TimeOrNever } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { CreateConsumerDialog, SeekConsumerDialog } from './consumer-dialogs.tsx';
import { EventTabs } from './filters.tsx';

/** The consumers of the feed, with their positions and lag. */
export function Consumers() {
  const { can } = useSession();
  const list = useList(requestFor('listConsumers'));
  const createButton = can('events:ack') && (
    <DialogButton
      primary
      label="Create consumer"
      dialog={(close) => <CreateConsumerDialog onClose={close} onDone={list.reload} />}
    />
  );
  const renderActions = (consumer: ConsumerRecord) => (
    <ConsumerActions consumer={consumer} reload={list.reload} />
  );
  return (
    <>
      <PageHead
        title="Consumers"
        about="Named readers of the feed. The service stores their position, so they miss no events."
        calls={[['List consumers', requestFor('listConsumers')]]}
        primary={createButton}
      />
      <EventTabs />
      <ListTable
        list={list}
        nouns={['consumer', 'consumers']}
        label="Consumers"
        keyOf={({ id }) => id}
        columns={[...columns, { title: 'Actions', kind: 'actions', show: renderActions }]}
        empty={
          <Empty icon="events" title="No consumers yet">
            A consumer reads the feed at its own pace and commits its progress. Alternatively, use
            the event stream or webhooks.
          </Empty>
        }
      />
    </>
  );
}

const columns: readonly Column<ConsumerRecord>[] = [
  { title: 'Name', show: ({ id, name }) => <NamedResource id={id} name={name} /> },
  {
    title: 'Reads',
    show: (consumer) => (
      <div class="table-words">
        {consumer.event_types?.join(', ') ?? `all ${consumer.category} events`}
        {consumer.resource_type && <div class="soft">of {consumer.resource_type}</div>}
        {consumer.resource_id && <ResourceLink id={consumer.resource_id} />}
      </div>
    ),
  },
  {
    title: 'Lag',
    kind: 'number',
    show: ({ lag, expired }) => (
      <>
        {formatCount(lag)} {expired && <span class="badge bad">expired</span>}
      </>
    ),
  },
  {
    title: 'Position',
    kind: 'number',
    show: (consumer) => `${consumer.position} of ${consumer.latest_sequence}`,
  },
  { title: 'Last read', show: (consumer) => <TimeOrNever at={consumer.last_read_at} /> },
  { title: 'Last commit', show: (consumer) => <TimeOrNever at={consumer.last_committed_at} /> },
];

function ConsumerActions({ consumer, reload }: { consumer: ConsumerRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const remove = async () => {
    if (!(await run(requestFor('deleteConsumer', { id: consumer.id })))) return;
    toast('good', `Consumer ${consumer.name} deleted.`);
    reload();
  };
  return (
    <div class="row">
      {can('events:ack') && (
        <>
          <DialogButton
            small
            label="Move"
            dialog={(close) => (
              <SeekConsumerDialog consumer={consumer} onClose={close} onDone={reload} />
            )}
          />
          <DialogButton
            small
            danger
            label="Delete"
            dialog={(close) => (
              <FormDialog
                title="Delete this consumer?"
                action="Delete consumer"
                danger
                busy={busy}
                onClose={close}
                onSubmit={() => void remove().then(close)}
              >
                <p>
                  The position of <b class="dev-any">{consumer.name}</b> is deleted. Programs that
                  read with it get a 404 error. Events are not affected.
                </p>
              </FormDialog>
            )}
          />
        </>
      )}
      <ApiCalls
        calls={[
          ['Read events', requestFor('readConsumerEvents', { id: consumer.id })],
          [
            'Move to the latest event',
            requestFor('seekConsumer', { id: consumer.id, body: { to: 'latest' } }),
          ],
          ['Delete consumer', requestFor('deleteConsumer', { id: consumer.id })],
        ]}
      />
    </div>
  );
}
