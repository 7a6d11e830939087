import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { removeLeftovers } from './download.ts';
import { ExportDialog } from './export-dialog.tsx';
import { AuditFilterBar } from './filters.tsx';
import { NamesProvider, useNames } from './names.tsx';
import {
  addressOf,
  type Category,
  exportRecords,
  filterNames,
  listRecords,
  readFilters,
} from './query.ts';
import { Entry } from './record.tsx';

const categories: readonly (readonly [Category, string, string])[] = [
  [
    'audit',
    'Access and settings',
    'Changes to API keys, webhooks and policies, and denied requests.',
  ],
  ['domain', 'Changes', 'Changes to objects, images, collections and jobs.'],
];

/** The audit log: who did what, from where and when, newest first. */
export function Records() {
  const [query, setQuery] = useQueryState();
  const filters = readFilters(query);
  const list = useList(listRecords(filters));
  useEffect(() => void removeLeftovers(), []);
  const filtered = Object.keys(filters.values).length > 0;
  const clear = () =>
    setQuery(Object.fromEntries(filterNames.map((name) => [name, undefined])), 'push');
  const shown = categories.find(([category]) => category === filters.category);
  return (
    <NamesProvider>
      <PageHead
        title="Audit"
        about={<>{shown?.[2]} Kept for 90 days.</>}
        calls={[
          ['List records', listRecords(filters)],
          ['Export as CSV', exportRecords(filters, 'csv')],
          ['Export as NDJSON', exportRecords(filters, 'ndjson')],
        ]}
        actions={
          <>
            <IconButton icon="refresh" label="Refresh" busy={list.loading} onClick={list.reload} />
            <DialogButton
              label="Export"
              icon="download"
              disabled={list.problem !== undefined}
              dialog={(close) => <ExportDialog filters={filters} onClose={close} />}
            />
          </>
        }
      />
      <nav class="tabs audit-tabs" aria-label="Category">
        {/* Event types belong to a category, so changing it clears them; other filters are kept. */}
        {categories.map(([category, title]) => (
          <Link
            key={category}
            href={addressOf({ category, values: { ...filters.values, type: [] } })}
            aria-current={category === filters.category ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <AuditFilterBar filters={filters} onChange={(changes) => setQuery(changes, 'push')} />
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.items.length > 0 ? (
        <Days events={list.items} />
      ) : list.loading ? (
        <Loading what="records" lines={8} />
      ) : (
        <Empty
          icon={filtered ? 'search-none' : 'audit'}
          title={filtered ? 'No matching records' : 'No records yet'}
          action={filtered && <Button onClick={clear}>Clear all filters</Button>}
        >
          {filtered
            ? 'Widen the time range, or remove a filter.'
            : 'Actions in this project appear here within seconds.'}
        </Empty>
      )}
      <More list={list} nouns={['record', 'records']} />
    </NamesProvider>
  );
}

/**
 * Groups of records by day, shown once the names in them are known: identifiers are longer, and
 * would move the rest.
 */
function Days({ events }: { events: readonly EventRecord[] }) {
  const { loaded } = useNames();
  if (!loaded) return <Loading what="records" lines={8} />;
  return (
    <>
      {byDay(events).map(([day, ofDay]) => (
        <section key={day} class="audit-day" aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {ofDay.map((event) => (
              <Entry key={event.id} event={event} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** Groups records by day in the browser's time zone, keeping their order. */
function byDay<E extends { occurred_at: string }>(events: readonly E[]): [day: string, E[]][] {
  const days = new Map<string, E[]>();
  for (const event of events) {
    const day = dayFormat.format(new Date(event.occurred_at));
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}
