import type { EventTypeRecord } from '@scriptorium/contracts/wire/events';
import { useResource } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { Dialog, DialogButton } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/fields/field.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Prose } from '../../kit/prose.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { EventTabs } from './filters.tsx';

/** The catalogue of event types as a table, each with its schema and an example. */
export function EventTypes() {
  const [query, setQuery] = useQueryState();
  const types = useResource(requestFor('listEventTypes'));
  const search = query.get('q') ?? '';
  const matchingTypes = types.data?.data.filter(({ type, summary }) =>
    `${type} ${summary}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <PageHead
        title="Event types"
        about="All event types, with their schema and an example."
        calls={[['List event types', requestFor('listEventTypes')]]}
      />
      <EventTabs />
      <div class="dev-filters">
        <TextField
          label="Search event types"
          type="search"
          value={search}
          onInput={(q) => setQuery({ q })}
        />
      </div>
      {types.problem ? (
        <ProblemState problem={types.problem} onRetry={types.reload} />
      ) : !matchingTypes ? (
        <Loading what="event types" lines={8} />
      ) : matchingTypes.length === 0 ? (
        <Empty title="No event types match" />
      ) : (
        <Table
          label="Event types"
          columns={columns}
          items={matchingTypes}
          keyOf={({ type }) => type}
        />
      )}
    </>
  );
}

const columns: readonly Column<EventTypeRecord>[] = [
  { title: 'Event type', show: ({ type }) => <code>{type}</code> },
  {
    title: 'Category',
    show: ({ category }) => (category === 'audit' ? <span class="badge">audit</span> : category),
  },
  { title: 'Resource', show: ({ resource_type: resource }) => resource.replaceAll('_', ' ') },
  { title: 'Description', show: ({ summary }) => <Prose text={summary} /> },
  {
    title: 'Schema and example',
    kind: 'actions',
    show: (eventType) => (
      <DialogButton
        small
        quiet
        label="Schema"
        name={`Schema of ${eventType.type}`}
        dialog={(close) => <EventTypeDialog eventType={eventType} onClose={close} />}
      />
    ),
  },
];

/** The schema and an example of an event type. */
function EventTypeDialog(props: { eventType: EventTypeRecord; onClose: () => void }) {
  const { type, data_schema, example } = props.eventType;
  return (
    <Dialog title={type} wide onClose={props.onClose}>
      <div class="events-type-parts">
        <section class="stack">
          <h3>Webhook payload</h3>
          <JsonTree value={example} example />
        </section>
        <section class="stack">
          <h3>
            Schema of <code>data</code>
          </h3>
          <JsonTree value={data_schema} example />
        </section>
      </div>
    </Dialog>
  );
}
