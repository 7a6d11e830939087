import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { Fact } from '../../kit/fact.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { CopyButton, Id, Time } from '../../kit/values.tsx';
import { Actor } from './names.tsx';
import { type FilterName, queryStringOf } from './query.ts';
import { EventSentence } from './sentences.tsx';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The records to highlight: denials, and observed denials. */
const highlights: Record<string, readonly [tone: 'bad' | 'warn', badge: string]> = {
  'access.request.denied': ['bad', 'Denied'],
  'dam.policy.denied': ['bad', 'Denied'],
  'dam.policy.denial_observed': ['warn', 'Denial observed'],
};

function HighlightBadge({ type }: { type: string }) {
  const [tone, badge] = highlights[type] ?? [];
  return badge ? <span class={`badge ${tone}`}>{badge}</span> : null;
}

/** A record in the list; it expands to show its details. */
export function RecordEntry({ event }: { event: EventRecord }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li class={`audit-entry ${highlights[event.type]?.[0] ?? ''}`}>
      <div class="audit-line">
        <time dateTime={event.occurred_at} title={event.occurred_at}>
          {timeFormat.format(new Date(event.occurred_at))}
        </time>
        <p>
          <HighlightBadge type={event.type} /> <Actor actor={event.actor} />{' '}
          <EventSentence event={event} />.
        </p>
        <span class="audit-from mono">{event.address ?? ''}</span>
        <Button
          small
          quiet
          expanded={isOpen}
          label={`Details of ${event.type} at ${event.occurred_at}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          Details
        </Button>
      </div>
      {isOpen && <RecordDetails event={event} />}
    </li>
  );
}

/** The details of a record. Each property links to the records that share it. */
export function RecordDetails({ event }: { event: EventRecord }) {
  const { actor, category } = event;
  const filterLink = (name: FilterName, value: string, what: string) => (
    <Link
      class="audit-alike"
      href={queryStringOf({ category, values: { [name]: [value] } })}
      aria-label={`Filter by this ${what}`}
    >
      Filter
    </Link>
  );
  return (
    <div class="audit-details stack">
      <dl class="facts">
        <Fact name="Event type">
          <code>{event.type}</code> {filterLink('type', event.type, 'type')}
        </Fact>
        <Fact name="Actor">
          <Actor actor={actor} /> <span class="soft">{actor.type.replace('_', ' ')}</span>{' '}
          {actor.id && <span class="mono">{actor.id}</span>}{' '}
          {actor.id
            ? filterLink('actor_id', actor.id, 'actor')
            : filterLink('actor_type', actor.type, 'actor type')}
        </Fact>
        <Fact name="Resource">
          {event.resource_type.replace('_', ' ')} <ResourceLink id={event.resource_id} />{' '}
          {filterLink('resource_id', event.resource_id, 'resource')}
        </Fact>
        <Fact
          name="IP address"
          value={
            event.address ? (
              <>
                <span class="mono">{event.address}</span>{' '}
                {filterLink('address', event.address, 'address')}
              </>
            ) : (
              <span class="soft">None (not a network request)</span>
            )
          }
        />
        <Fact name="Time">
          <Time at={event.occurred_at} exact /> (<Time at={event.occurred_at} />)
        </Fact>
        <Fact
          name="Request"
          value={
            event.request_id ? (
              <>
                <Id id={event.request_id} /> {filterLink('request_id', event.request_id, 'request')}
              </>
            ) : (
              <span class="soft">None</span>
            )
          }
        />
        <Fact name="Record">
          <Link href={`/${event.id}`} class="mono">
            {event.id}
          </Link>{' '}
          <span class="soft">sequence {event.sequence}</span>
        </Fact>
      </dl>
      <div class="row">
        <h3>Data</h3>
        <CopyButton text={JSON.stringify(event, null, 2)} subject="record as JSON" />
        <ApiCalls calls={[['Get record', requestFor('getEvent', { id: event.id })]]} />
      </div>
      <pre class="code" tabIndex={0}>
        {JSON.stringify(event.data, null, 2)}
      </pre>
    </div>
  );
}
