import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Actor, NamesProvider } from './names.tsx';
import { RecordDetails } from './record.tsx';
import { EventSentence } from './sentences.tsx';

/** The page of a record, with an address to share. */
export function RecordPage({ id }: { id: string }) {
  const { data: event, problem, reload } = useAnswer(requestFor('getEvent', { id }));
  const events = useMemo(() => (event ? [event] : []), [event]);
  return (
    <NamesProvider events={events}>
      <PageHead title="Audit record" crumbs={[['Audit', '/']]} />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : event ? (
        <div class="card stack">
          <p class="audit-sentence">
            <Actor actor={event.actor} /> <EventSentence event={event} />.
          </p>
          <RecordDetails event={event} />
        </div>
      ) : (
        <Loading what="record" />
      )}
    </NamesProvider>
  );
}
