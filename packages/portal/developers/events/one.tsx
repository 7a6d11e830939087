import { pluralise } from '@scriptorium/contracts/pluralise';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { Link, useSearch } from 'wouter-preact';
import { useAction, useAnswer } from '../../api/hooks.ts';
import { asCurl, requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { Fact } from '../../kit/fact.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { Named, NamedById } from '../../kit/named.tsx';
import { Answered } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { Copy, Id, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { EventDeliveries } from './deliveries.tsx';

interface OneEventProps {
  id: string;
  /** Reports which events are now published. */
  onPublished: (is: (event: EventRecord) => boolean) => void;
}

/** The open event. */
export function OneEvent({ id, onPublished }: OneEventProps) {
  const search = useSearch();
  const answer = useAnswer(requestFor('getEvent', { id }));
  return (
    <div class="stack">
      <p>
        <Link href={`/${search ? `?${search}` : ''}`}>Close event</Link>
      </p>
      <Answered of={answer} what="event" lines={6}>
        {(data) => <Shown event={data} reload={answer.reload} onPublished={onPublished} />}
      </Answered>
    </div>
  );
}

interface ShownProps {
  event: EventRecord;
  reload: () => void;
  onPublished: OneEventProps['onPublished'];
}

function Shown(props: ShownProps) {
  const { event } = props;
  const { can } = useSession();
  return (
    <>
      <h2 class="dev-any">{event.type}</h2>
      <EventActions {...props} />
      <EventFacts event={event} />
      <div class="row">
        <h3>Payload</h3>
        <Copy text={JSON.stringify(event, null, 2)} what="JSON">
          Copy JSON
        </Copy>
      </div>
      <JsonTree value={event.data} />
      {event.category === 'domain' || can('audit:read') ? <EventDeliveries of={event} /> : null}
    </>
  );
}

function EventActions({ event, reload, onPublished }: ShownProps) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const mayAck = can('events:ack') && event.category === 'domain';
  const one = requestFor('acknowledgeEvents', { body: { event_ids: [event.id] } });
  const upTo = requestFor('acknowledgeEvents', { body: { up_to_sequence: event.sequence } });
  const acknowledge = async (request: typeof one, is: (other: EventRecord) => boolean) => {
    const answer = await run(request);
    if (!answer) return;
    toast('good', `${pluralise(answer.data.acknowledged, 'event')} acknowledged.`);
    onPublished(is);
    reload();
  };
  return (
    <div class="row">
      {mayAck && !event.published && (
        <Button
          small
          busy={busy}
          onClick={() => void acknowledge(one, ({ id }) => id === event.id)}
        >
          Acknowledge
        </Button>
      )}
      {mayAck && (
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
                void acknowledge(upTo, ({ sequence }) => sequence <= event.sequence).then(close)
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
      <Copy text={asCurl(requestFor('getEvent', { id: event.id }))} what="as curl">
        Copy as curl
      </Copy>
      <ApiCalls
        calls={[
          ['Get event', requestFor('getEvent', { id: event.id })],
          ['List deliveries', requestFor('listEventDeliveries', { event_id: event.id })],
          ['Acknowledge event', one],
          ['Acknowledge up to here', upTo],
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
        {event.resource_type.replaceAll('_', ' ')} <NamedById id={event.resource_id} />
      </Fact>
      <Fact name="Occurred" value={<Time at={event.occurred_at} exact />} />
      <Fact name="Sequence">
        {event.sequence} ({event.category})
      </Fact>
      <Fact name="Actor">
        {event.actor.type.replaceAll('_', ' ')}{' '}
        {event.actor.id &&
          (event.actor.name === null ? (
            <NamedById id={event.actor.id} />
          ) : (
            <Named id={event.actor.id} name={event.actor.name} />
          ))}
      </Fact>
      <Fact name="IP address" value={event.address && <span class="mono">{event.address}</span>} />
      <Fact
        name="Request"
        value={event.request_id && <span class="mono">{event.request_id}</span>}
      />
      <Fact name="Published" value={<Published event={event} />} />
    </dl>
  );
}

/** The publication state of an event, as text. */
function Published({ event }: { event: EventRecord }) {
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
