import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useAnswer } from '../../api/hooks.ts';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Actor, NamesProvider } from './names.tsx';
import { RecordDetails } from './record.tsx';
import { getRecord } from './requests.ts';
import { EventSentence } from './sentences.tsx';

/** The page of a record, with an address to share. */
export function RecordPage({ id }: { id: string }) {
  const { data: event, problem, reload } = useAnswer(getRecord(id));
  const events = useMemo(() => (event ? [event] : []), [event]);
  return (
    <NamesProvider events={events}>
      <div class="page-head">
        <h1>Audit record</h1>
        <Link href="/">All records</Link>
      </div>
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
