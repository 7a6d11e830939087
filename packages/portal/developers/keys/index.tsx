import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { KeyPage } from './key-page.tsx';
import { KeyList } from './list.tsx';
import { NewKey } from './new.tsx';
import '../developers.css';

export default function Keys() {
  return (
    <Switch>
      <Route path="/">
        <KeyList />
      </Route>
      <Route path="/new">
        <NewKey />
      </Route>
      <Route path="/:id">{({ id }) => <KeyPage key={id} id={id} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
