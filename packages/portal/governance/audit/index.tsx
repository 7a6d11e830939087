import { Route, Switch } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { AnswerView, PageNotFound } from '../../kit/states.tsx';
import { Actor } from './names.tsx';
import { RecordDetails } from './record.tsx';
import { AuditRecords } from './records.tsx';
import { EventSentence } from './sentences.tsx';
import './audit.css';

export default function Audit() {
  return (
    <Switch>
      <Route path="/" component={AuditRecords} />
      <Route path="/:id">{({ id }) => <RecordPage id={id} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The page of a record, with an address to share. */
function RecordPage({ id }: { id: string }) {
  const record = useResource(requestFor('getEvent', { id }));
  return (
    <>
      <PageHead title="Audit record" crumbs={[['Audit', '/']]} />
      <AnswerView of={record} content="record">
        {(event) => (
          <div class="card stack">
            <p class="audit-sentence">
              <Actor actor={event.actor} /> <EventSentence event={event} />.
            </p>
            <RecordDetails event={event} />
          </div>
        )}
      </AnswerView>
    </>
  );
}
