import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { pathOf, requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icons/icon.tsx';
import { ListFooter } from '../../kit/list-footer.tsx';
import { useName } from '../../kit/names.ts';
import { NewItemsButton } from '../../kit/new-items-button.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { Time } from '../../kit/values.tsx';
import { EventDetails } from './event-details.tsx';
import { EventFilterBar, type EventFilters, EventTabs, filtersOf } from './filters.tsx';
import { type LiveFeed, streamRequest, useLiveFeed } from './live-feed.ts';

const listRequest = (filters: EventFilters) =>
  requestFor('listEvents', { ...filters, order: 'desc' });

/** The feed with live updates, and the open event beside it. */
export function Feed({ openId }: { openId: string | null }) {
  const [query] = useQueryState();
  const [, navigate] = useLocation();
  const filters = filtersOf(query);
  const request = listRequest(filters);
  // Changing the filters keeps the open event.
  const applyFilters = (next: EventFilters) => {
    const target = pathOf({ path: openId ? `/${openId}` : '/', query: { ...next } });
    navigate(target.replace(/([?&])category=domain(&|$)/, '$1').replace(/[?&]$/, ''));
  };
  return (
    <>
      <PageHead
        title="Events"
        about="Everything that happened in the project in the last 90 days."
        calls={[
          ['List events', request],
          ['Stream events', streamRequest(filters, 0)],
        ]}
      />
      <EventTabs />
      <EventFilterBar filters={filters} onFilter={applyFilters} />
      <FeedPanes key={`rows ${pathOf(request)}`} filters={filters} openId={openId} />
    </>
  );
}

function FeedPanes({ filters, openId }: { filters: EventFilters; openId: string | null }) {
  const list = useList(listRequest(filters));
  const isLive = filters.occurred_before === '';
  const live = useLiveFeed(
    filters,
    isLive && !list.loading ? list.firstPage?.latest_sequence : undefined,
    list.reload,
  );
  const liveIds = new Set(live.shownEvents.map(({ id }) => id));
  const events = [...live.shownEvents, ...list.items.filter(({ id }) => !liveIds.has(id))];
  const markPublished = (matches: (event: EventRecord) => boolean) => {
    const update = (event: EventRecord) => (matches(event) ? { ...event, published: true } : event);
    list.updateItems((items) => items.map(update));
    live.updateEvents(update);
  };
  return (
    <div class={`events-panes${openId ? ' open' : ''}`}>
      <section class="events-list" aria-label="Events, newest first">
        {isLive && !list.problem && <LiveBar live={live} />}
        {list.problem ? (
          <ProblemState problem={list.problem} onRetry={list.reload} />
        ) : events.length === 0 && list.loading ? (
          <Loading what="events" lines={8} />
        ) : events.length === 0 ? (
          <Empty icon="events" title="No matching events">
            {isLive && 'New events that match the filters appear here.'}
          </Empty>
        ) : (
          <div class="live-list" ref={live.element}>
            <ol class="events-rows">
              {events.map((event) => (
                <EventRow key={event.id} event={event} isOpen={event.id === openId} />
              ))}
            </ol>
            <ListFooter list={list} nouns={['event', 'events']} />
          </div>
        )}
      </section>
      {openId && (
        <aside class="events-one" aria-label="Event details">
          <EventDetails key={openId} id={openId} onPublished={markPublished} />
        </aside>
      )}
    </div>
  );
}

function EventRow({ event, isOpen }: { event: EventRecord; isOpen: boolean }) {
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

/** The name of the resource: that in the event, or the current one. */
function ResourceName({ event: { data, resource_id } }: { event: EventRecord }) {
  const recorded = ['filename', 'title', 'name', 'url']
    .map((key) => data[key])
    .find((value) => typeof value === 'string' && value !== '');
  const current = useName(recorded === undefined ? resource_id : undefined);
  const name = typeof recorded === 'string' ? recorded : current;
  if (name === undefined) return <span class="skeleton named-skeleton" />;
  return name === null ? <span class="mono">{resource_id}</span> : <bdi>{name}</bdi>;
}

function LiveBar({ live }: { live: LiveFeed }) {
  const { heldCount, isPaused, state } = live;
  const label = {
    open: isPaused ? 'Paused' : 'Live',
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    closed: 'Not connected',
  }[state];
  return (
    <div class="events-live">
      <span class={`badge ${state === 'open' && !isPaused ? 'good' : 'warn'}`} role="status">
        {label}
      </span>
      <NewItemsButton count={heldCount} nouns={['event', 'events']} onShow={live.release} />
      {state === 'closed' && (
        <Button small onClick={live.reconnect}>
          Reconnect
        </Button>
      )}
      <Button small quiet pressed={isPaused} onClick={() => live.pause(!isPaused)}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}
