import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { EditPolicy, NewPolicy } from './editor.tsx';
import { PolicyList } from './policy-list.tsx';
import { PolicyPage } from './policy-page.tsx';
import './policies.css';

export default function Policies() {
  return (
    <Switch>
      <Route path="/" component={PolicyList} />
      <Route path="/new" component={NewPolicy} />
      <Route path="/:id">{({ id }) => <PolicyPage key={id} id={id} />}</Route>
      <Route path="/:id/edit">{({ id }) => <EditPolicy key={id} id={id} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
