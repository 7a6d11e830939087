import { pluralise } from '@scriptorium/contracts/pluralise';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { pathOf, requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icons/icon.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { Time } from '../../kit/values.tsx';
import { EventFilterBar, type EventFilters, EventTabs, filtersOf } from './filters.tsx';
import { type Live, streamAfter, useLive } from './live.ts';
import { OneEvent } from './one.tsx';

const listOf = (filters: EventFilters) => requestFor('listEvents', { ...filters, order: 'desc' });

/** The feed with live updates, and the open event beside it. */
export function Feed({ open }: { open: string | null }) {
  const [query] = useQueryState();
  const [, navigate] = useLocation();
  const filters = filtersOf(query);
  const request = listOf(filters);
  // Changing the filters keeps the open event.
  const filter = (next: EventFilters) => {
    const wanted = pathOf({ path: open ? `/${open}` : '/', query: { ...next } });
    navigate(wanted.replace(/([?&])category=domain(&|$)/, '$1').replace(/[?&]$/, ''));
  };
  return (
    <>
      <PageHead
        title="Events"
        about="Everything that happened in the project in the last 90 days."
        calls={[
          ['List events', request],
          ['Stream events', streamAfter(filters, 0)],
        ]}
      />
      <EventTabs />
      <EventFilterBar filters={filters} onFilter={filter} />
      <Rows key={`rows ${pathOf(request)}`} filters={filters} open={open} />
    </>
  );
}

function Rows({ filters, open }: { filters: EventFilters; open: string | null }) {
  const list = useList(listOf(filters));
  const follows = filters.occurred_before === '';
  const live = useLive(
    filters,
    follows && !list.loading ? list.first?.latest_sequence : undefined,
    list.reload,
  );
  const known = new Set(live.fresh.map(({ id }) => id));
  const events = [...live.fresh, ...list.items.filter(({ id }) => !known.has(id))];
  const published = (is: (event: EventRecord) => boolean) => {
    const change = (event: EventRecord) => (is(event) ? { ...event, published: true } : event);
    list.edit((items) => items.map(change));
    live.edit(change);
  };
  return (
    <div class={`events-panes${open ? ' open' : ''}`}>
      <section class="events-list" aria-label="Events, newest first">
        {follows && !list.problem && <LiveBar live={live} />}
        {list.problem ? (
          <ProblemState problem={list.problem} onRetry={list.reload} />
        ) : events.length === 0 && list.loading ? (
          <Loading what="events" lines={8} />
        ) : events.length === 0 ? (
          <Empty icon="events" title="No matching events">
            {follows && 'New events that match the filters appear here.'}
          </Empty>
        ) : (
          <>
            <ol class="events-rows">
              {events.map((event) => (
                <Row key={event.id} event={event} isOpen={event.id === open} />
              ))}
            </ol>
            <More list={list} nouns={['event', 'events']} />
          </>
        )}
      </section>
      {open && (
        <aside class="events-one" aria-label="Event details">
          <OneEvent key={open} id={open} onPublished={published} />
        </aside>
      )}
    </div>
  );
}

function Row({ event, isOpen }: { event: EventRecord; isOpen: boolean }) {
  const search = useSearch();
  return (
    <li>
      <Link
        href={`/${event.id}${search ? `?${search}` : ''}`}
        class="events-row"
        aria-current={isOpen ? 'true' : undefined}
      >
        <span class="events-type">{event.type}</span>
        <span class="soft events-resource" title={event.resource_id}>
          <ResourceName event={event} />
        </span>
        <span class={`badge ${event.published ? 'good' : ''}`}>
          <Icon name={event.published ? 'good' : 'waiting'} size={14} />
          {event.published ? 'Published' : 'Not published'}
        </span>
        <span class="soft events-when">
          <Time at={event.occurred_at} />
        </span>
      </Link>
    </li>
  );
}

/** The name of the resource, if the event contains it. */
function ResourceName({ event: { data, resource_id } }: { event: EventRecord }) {
  const name = ['filename', 'title', 'name', 'url']
    .map((key) => data[key])
    .find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? <bdi>{name}</bdi> : <span class="mono">{resource_id}</span>;
}

function LiveBar({ live }: { live: Live }) {
  const { held, paused, state } = live;
  const words = {
    open: paused ? 'Paused' : 'Live',
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    closed: 'Not connected',
  }[state];
  return (
    <div class="events-live">
      <span class={`badge ${state === 'open' && !paused ? 'good' : 'warn'}`} role="status">
        {words}
      </span>
      {held.length > 0 && (
        <Button
          small
          primary
          class="events-held"
          onClick={() => {
            live.release();
            window.scrollTo({ top: 0 });
          }}
        >
          {pluralise(held.length, 'new event')}
        </Button>
      )}
      {state === 'closed' && (
        <Button small onClick={live.reconnect}>
          Reconnect
        </Button>
      )}
      <Button small quiet pressed={paused} onClick={() => live.pause(!paused)}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}
