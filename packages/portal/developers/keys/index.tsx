import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { KeyList } from './list.tsx';
import { NewKey } from './new.tsx';
import { OneKey } from './one.tsx';
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
      <Route path="/:id">{({ id }) => <OneKey key={id} id={id} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
