import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { RecordPage } from './record-page.tsx';
import { Records } from './records.tsx';
import './audit.css';

export default function Audit() {
  return (
    <Switch>
      <Route path="/" component={Records} />
      <Route path="/:id">{({ id }) => <RecordPage id={id} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
