import type { EventTypeRecord } from '@scriptorium/contracts/wire/events';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { TextField } from '../../kit/fields/field.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Prose } from '../../kit/prose.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { EventTabs } from './filters.tsx';

/** The catalogue of event types, each with its schema and an example. */
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
        <ul class="dev-lines">
          {matchingTypes.map((type) => (
            <li key={type.type}>
              <EventTypeDetails eventType={type} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function EventTypeDetails({
  eventType: { type, category, summary, data_schema, example },
}: {
  eventType: EventTypeRecord;
}) {
  // Collapsed entries are not rendered, because there are many long ones.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <code>{type}</code> {category === 'audit' && <span class="badge">audit</span>}{' '}
        <span class="soft">
          <Prose text={summary} />
        </span>
      </summary>
      {isOpen && (
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
      )}
    </details>
  );
}
