import { lazy } from 'preact/compat';
import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../kit/states.tsx';
import { PackDetail } from './detail/index.tsx';
import { PackList } from './list/index.tsx';

const NewPack = lazy(() => import('./new/index.tsx'));

/** The routes of packs: list, form, and one pack. */
export default function Packs() {
  return (
    <Switch>
      <Route path="/new">
        <NewPack />
      </Route>
      <Route path="/:id">{({ id }) => <PackDetail key={id} id={id} />}</Route>
      <Route path="/">
        <PackList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
