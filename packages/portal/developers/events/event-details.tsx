import { pluralise } from '@scriptorium/contracts/pluralise';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { Link, useSearch } from 'wouter-preact';
import { useAction, useResource } from '../../api/hooks.ts';
import { asCurl, requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { Fact } from '../../kit/fact.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { NamedResource, NamedResourceById } from '../../kit/named-resource.tsx';
import { AnswerView } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { CopyButton, Id, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { EventDeliveries } from './deliveries.tsx';

interface EventDetailsProps {
  id: string;
  /** Reports which events are now published. */
  onPublished: (is: (event: EventRecord) => boolean) => void;
}

/** The open event. */
export function EventDetails({ id, onPublished }: EventDetailsProps) {
  const search = useSearch();
  const resource = useResource(requestFor('getEvent', { id }));
  return (
    <div class="stack">
      <p>
        <Link href={`/${search ? `?${search}` : ''}`}>Close event</Link>
      </p>
      <AnswerView of={resource} content="event" lines={6}>
        {(data) => <LoadedEvent event={data} reload={resource.reload} onPublished={onPublished} />}
      </AnswerView>
    </div>
  );
}

interface LoadedEventProps {
  event: EventRecord;
  reload: () => void;
  onPublished: EventDetailsProps['onPublished'];
}

function LoadedEvent(props: LoadedEventProps) {
  const { event } = props;
  const { can } = useSession();
  return (
    <>
      <h2 class="dev-any">{event.type}</h2>
      <EventActions {...props} />
      <EventFacts event={event} />
      <div class="row">
        <h3>Payload</h3>
        <CopyButton text={JSON.stringify(event, null, 2)} subject="JSON">
          Copy JSON
        </CopyButton>
      </div>
      <JsonTree value={event.data} />
      {event.category === 'domain' || can('audit:read') ? <EventDeliveries event={event} /> : null}
    </>
  );
}

function EventActions({ event, reload, onPublished }: LoadedEventProps) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const canAcknowledge = can('events:ack') && event.category === 'domain';
  const acknowledgeOne = requestFor('acknowledgeEvents', { body: { event_ids: [event.id] } });
  const acknowledgeUpTo = requestFor('acknowledgeEvents', {
    body: { up_to_sequence: event.sequence },
  });
  const acknowledge = async (
    request: typeof acknowledgeOne,
    matches: (other: EventRecord) => boolean,
  ) => {
    const response = await run(request);
    if (!response) return;
    toast('good', `${pluralise(response.data.acknowledged, 'event')} acknowledged.`);
    onPublished(matches);
    reload();
  };
  return (
    <div class="row">
      {canAcknowledge && !event.published && (
        <Button
          small
          busy={busy}
          onClick={() => void acknowledge(acknowledgeOne, ({ id }) => id === event.id)}
        >
          Acknowledge
        </Button>
      )}
      {canAcknowledge && (
        <DialogButton
          small
          label="Acknowledge up to here"
          dialog={(close) => (
            <FormDialog
              title="Acknowledge up to here?"
              action="Acknowledge events"
              busy={busy}
              onClose={close}
              onSubmit={() =>
                void acknowledge(
                  acknowledgeUpTo,
                  ({ sequence }) => sequence <= event.sequence,
                ).then(close)
              }
            >
              <p>
                Marks all domain events of the project up to sequence {event.sequence} as published,
                including events hidden by the filters. Pending deliveries continue. This cannot be
                undone.
              </p>
            </FormDialog>
          )}
        />
      )}
      <CopyButton text={asCurl(requestFor('getEvent', { id: event.id }))} subject="as curl">
        Copy as curl
      </CopyButton>
      <ApiCalls
        calls={[
          ['Get event', requestFor('getEvent', { id: event.id })],
          ['List deliveries', requestFor('listEventDeliveries', { event_id: event.id })],
          ['Acknowledge event', acknowledgeOne],
          ['Acknowledge up to here', acknowledgeUpTo],
        ]}
      />
    </div>
  );
}

function EventFacts({ event }: { event: EventRecord }) {
  return (
    <dl class="facts">
      <Fact name="Event" value={<Id id={event.id} />} />
      <Fact name="Resource">
        {event.resource_type.replaceAll('_', ' ')} <NamedResourceById id={event.resource_id} />
      </Fact>
      <Fact name="Occurred" value={<Time at={event.occurred_at} exact />} />
      <Fact name="Sequence">
        {event.sequence} ({event.category})
      </Fact>
      <Fact name="Actor">
        {event.actor.type.replaceAll('_', ' ')}{' '}
        {event.actor.id &&
          (event.actor.name === null ? (
            <NamedResourceById id={event.actor.id} />
          ) : (
            <NamedResource id={event.actor.id} name={event.actor.name} />
          ))}
      </Fact>
      <Fact name="IP address" value={event.address && <span class="mono">{event.address}</span>} />
      <Fact
        name="Request"
        value={event.request_id && <span class="mono">{event.request_id}</span>}
      />
      <Fact name="Published" value={<PublishedState event={event} />} />
    </dl>
  );
}

/** The publication state of an event, as text. */
function PublishedState({ event }: { event: EventRecord }) {
  if (event.category === 'audit') return <>Yes: audit events are always published.</>;
  if (event.published) {
    return (
      <>
        Yes, <Time at={event.published_at} />: delivered to all subscribed webhooks, or
        acknowledged.
      </>
    );
  }
  return <>No: not acknowledged, and not delivered to all subscribed webhooks.</>;
}
