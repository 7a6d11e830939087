import type { ComponentChildren } from 'preact';
import { Link, useSearch } from 'wouter-preact';
import type { EventRecord } from '../../../contracts/wire/events.ts';
import { useAction, useAnswer } from '../../api/hooks.ts';
import { asCurl } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { Confirm, DialogButton } from '../../kit/dialog.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { Copy, Id, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { EventDeliveries } from './deliveries.tsx';
import { acknowledgeEvents, getEvent, listEventDeliveries } from './requests.ts';

interface OneEventProps {
  id: string;
  /** Says which events have become published. */
  onPublished: (is: (event: EventRecord) => boolean) => void;
}

export function OneEvent({ id, onPublished }: OneEventProps) {
  const search = useSearch();
  const answer = useAnswer(getEvent(id));
  return (
    <div class="stack">
      <p>
        <Link href={`/${search ? `?${search}` : ''}`}>Close the event</Link>
      </p>
      {answer.problem ? (
        <ProblemState problem={answer.problem} onRetry={answer.reload} />
      ) : answer.data ? (
        <Shown event={answer.data} reload={answer.reload} onPublished={onPublished} />
      ) : (
        <Loading what="the event" lines={6} />
      )}
    </div>
  );
}

interface ShownProps {
  event: EventRecord;
  reload: () => void;
  onPublished: OneEventProps['onPublished'];
}

function Shown({ event, reload, onPublished }: ShownProps) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const mayAck = can('events:ack') && event.category === 'domain';
  const one = acknowledgeEvents({ event_ids: [event.id] });
  const upTo = acknowledgeEvents({ up_to_sequence: event.sequence });
  const acknowledge = async (request: typeof one, is: (other: EventRecord) => boolean) => {
    const answer = await run(request);
    if (!answer) return;
    const { acknowledged } = answer.data;
    toast(
      'good',
      `${acknowledged} ${acknowledged === 1 ? 'event is' : 'events are'} acknowledged.`,
    );
    onPublished(is);
    reload();
  };
  return (
    <>
      <h2 class="dev-any">{event.type}</h2>
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
              <Confirm
                title="Acknowledge up to here"
                action="Acknowledge all of them"
                busy={busy}
                onClose={close}
                onConfirm={() =>
                  void acknowledge(upTo, ({ sequence }) => sequence <= event.sequence).then(close)
                }
              >
                <p>
                  Every domain event of the project up to the sequence {event.sequence} is published
                  from then on, also those that the filters leave out. Deliveries that are still
                  owed go on. It cannot be taken back.
                </p>
              </Confirm>
            )}
          />
        )}
        <Copy text={asCurl(getEvent(event.id))} what="as curl">
          Copy as curl
        </Copy>
        <ApiCalls
          calls={[
            ['Get the event', getEvent(event.id)],
            ['List its deliveries', listEventDeliveries(event.id)],
            ['Acknowledge it', one],
            ['Acknowledge up to here', upTo],
          ]}
        />
      </div>
      <dl class="facts">
        <Fact name="Event">
          <Id id={event.id} />
        </Fact>
        <Fact name="Resource">
          {event.resource_type} <ResourceLink id={event.resource_id} />
        </Fact>
        <Fact name="Occurred">
          <Time at={event.occurred_at} exact />
        </Fact>
        <Fact name="Sequence">
          {event.sequence} of the {event.category} feed
        </Fact>
        <Fact name="Actor">
          {event.actor.type} {event.actor.id && <ResourceLink id={event.actor.id} />}
        </Fact>
        {event.address && (
          <Fact name="From">
            <span class="mono">{event.address}</span>
          </Fact>
        )}
        {event.request_id && (
          <Fact name="Request">
            <span class="mono">{event.request_id}</span>
          </Fact>
        )}
        <Fact name="Published">
          <Published event={event} />
        </Fact>
      </dl>
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

/** What `published` says of this event, in words. */
function Published({ event }: { event: EventRecord }) {
  if (event.category === 'audit') return <>Yes: audit events always are.</>;
  if (event.published) {
    return (
      <>
        Yes, <Time at={event.published_at} />: every webhook that should have it has it, or it was
        acknowledged.
      </>
    );
  }
  return (
    <>
      No: not delivered to every webhook that should have it, or owed to none, and not acknowledged.
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
