import { lazy } from 'preact/compat';
import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../kit/states.tsx';
import { ReviewList } from './list/index.tsx';

const Workbench = lazy(() => import('./workbench/index.tsx'));

/** The routes of reviews: list and workbench. */
export default function Reviews() {
  return (
    <Switch>
      <Route path="/:id">{({ id }) => <Workbench key={id} id={id} />}</Route>
      <Route path="/">
        <ReviewList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
