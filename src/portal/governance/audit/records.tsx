import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { More } from '../../kit/more.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { removeLeftovers } from './download.ts';
import { ExportDialog } from './export-dialog.tsx';
import { FilterForm } from './filters.tsx';
import { NamesProvider } from './names.tsx';
import { Entry } from './record.tsx';
import {
  addressOf,
  type Category,
  exportRecords,
  filterNames,
  listRecords,
  readFilters,
} from './requests.ts';

const categories: readonly (readonly [Category, string, string])[] = [
  [
    'audit',
    'Access and settings',
    'Keys, webhooks, policies, and what was refused: what is no change of the library.',
  ],
  ['domain', 'Changes', 'Every change of objects, images, collections and jobs.'],
];

/** Who did what, on what, from where and when, the newest first. */
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
    <NamesProvider events={list.items}>
      <div class="page-head">
        <div>
          <h1>Audit</h1>
          <p>{shown?.[2]} Kept for 90 days.</p>
        </div>
        <Button onClick={list.reload} busy={list.loading}>
          Refresh
        </Button>
        <DialogButton
          label="Export"
          disabled={list.problem !== undefined}
          dialog={(close) => <ExportDialog filters={filters} onClose={close} />}
        />
        <ApiCalls
          calls={[
            ['List these records', listRecords(filters)],
            ['Export them as a table', exportRecords(filters, 'csv')],
            ['Export them as lines of JSON', exportRecords(filters, 'ndjson')],
          ]}
        />
      </div>
      <nav class="tabs audit-tabs" aria-label="Which records">
        {/* Types belong to a category; who, where and when do not. */}
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
      <FilterForm filters={filters} onChange={(changes) => setQuery(changes, 'push')} />
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.items.length > 0 ? (
        byDay(list.items).map(([day, events]) => (
          <section key={day} class="audit-day" aria-label={day}>
            <h2>{day}</h2>
            <ol>
              {events.map((event) => (
                <Entry key={event.id} event={event} />
              ))}
            </ol>
          </section>
        ))
      ) : list.loading ? (
        <Loading what="records" lines={8} />
      ) : (
        <Empty
          title={filtered ? 'Nothing matches these filters' : 'Nothing is recorded yet'}
          action={filtered && <Button onClick={clear}>Clear all filters</Button>}
        >
          {filtered
            ? 'Widen the time range, or take a filter away.'
            : 'What is done with this project’s keys appears here a moment later.'}
        </Empty>
      )}
      <More list={list} noun="records" />
    </NamesProvider>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** Records in the order they came, under the days of whoever looks. */
function byDay<E extends { occurred_at: string }>(events: readonly E[]): [day: string, E[]][] {
  const days = new Map<string, E[]>();
  for (const event of events) {
    const day = dayFormat.format(new Date(event.occurred_at));
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}
