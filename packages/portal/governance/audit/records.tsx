import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { removeUnfinishedExports } from '../../api/download.ts';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { ListFooter } from '../../kit/list-footer.tsx';
import { useNamesLoading } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { AuditFilterBar } from './filters.tsx';
import {
  type Category,
  exportRequest,
  filterNames,
  queryStringOf,
  readFilters,
  recordsRequest,
} from './query.ts';
import { RecordEntry } from './record.tsx';

const categories: readonly (readonly [Category, string, string])[] = [
  [
    'audit',
    'Access and settings',
    'Changes to API keys, webhooks and policies, and denied requests.',
  ],
  ['domain', 'Changes', 'Changes to objects, images, collections and jobs.'],
];

/** The audit log: who did what, from where and when, newest first. */
export function AuditRecords() {
  const [query, setQuery] = useQueryState();
  const filters = readFilters(query);
  const list = useList(recordsRequest(filters));
  useEffect(() => void removeUnfinishedExports(), []);
  const isFiltered = Object.keys(filters.values).length > 0;
  const clear = () =>
    setQuery(Object.fromEntries(filterNames.map((name) => [name, undefined])), 'push');
  const currentCategory = categories.find(([category]) => category === filters.category);
  return (
    <>
      <PageHead
        title="Audit"
        about={<>{currentCategory?.[2]} Kept for 90 days.</>}
        calls={[
          ['List records', recordsRequest(filters)],
          ['Export as CSV', exportRequest(filters, 'csv')],
          ['Export as NDJSON', exportRequest(filters, 'ndjson')],
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
            href={queryStringOf({ category, values: { ...filters.values, type: [] } })}
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
        <RecordsByDay events={list.items}>
          <ListFooter list={list} nouns={['record', 'records']} />
        </RecordsByDay>
      ) : list.loading ? (
        <Loading what="records" lines={8} />
      ) : (
        <Empty
          icon={isFiltered ? 'search-none' : 'audit'}
          title={isFiltered ? 'No matching records' : 'No records yet'}
          action={isFiltered && <Button onClick={clear}>Clear all filters</Button>}
        >
          {isFiltered
            ? 'Widen the time range, or remove a filter.'
            : 'Actions in this project appear here within seconds.'}
        </Empty>
      )}
    </>
  );
}

/**
 * Shows records by day and what follows them, once the names in them have loaded: identifiers are
 * longer, and would move the content.
 */
function RecordsByDay({
  events,
  children,
}: {
  events: readonly EventRecord[];
  children: ComponentChildren;
}) {
  const isLoading = useNamesLoading(events.flatMap(idsIn));
  const [shown, setShown] = useState<readonly EventRecord[]>([]);
  useEffect(() => {
    if (!isLoading) setShown(events);
  }, [isLoading, events]);
  if (shown.length === 0) return <Loading what="records" lines={8} />;
  return (
    <>
      {groupByDay(shown).map(([day, dayEvents]) => (
        <section key={day} class="audit-day" aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {dayEvents.map((event) => (
              <RecordEntry key={event.id} event={event} />
            ))}
          </ol>
        </section>
      ))}
      {children}
    </>
  );
}

/** The identifiers in a record. */
const idsIn = ({ actor, resource_id, data }: EventRecord): string[] => [
  ...new Set(JSON.stringify([actor.id, resource_id, data]).match(/\b[a-z]{3,4}_[0-9a-z]{26}\b/g)),
];

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** Groups records by day in the browser's time zone, keeping their order. */
function groupByDay<E extends { occurred_at: string }>(events: readonly E[]): [day: string, E[]][] {
  const days = new Map<string, E[]>();
  for (const event of events) {
    const day = dayFormat.format(new Date(event.occurred_at));
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}
