import { lazy } from 'preact/compat';
import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../kit/states.tsx';
import { ReviewList } from './list/index.tsx';

const Precision = lazy(() => import('./stats/index.tsx'));
const Workbench = lazy(() => import('./workbench/index.tsx'));

/** The routes of reviews: list, workbench, and statistics. */
export default function Reviews() {
  return (
    <Switch>
      <Route path="/stats">
        <Precision />
      </Route>
      <Route path="/:id">{({ id }) => <Workbench key={id} id={id} />}</Route>
      <Route path="/">
        <ReviewList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
