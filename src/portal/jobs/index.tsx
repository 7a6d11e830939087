import { lazy } from 'preact/compat';
import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../kit/states.tsx';
import { JobDetail } from './detail/index.tsx';
import { JobList } from './list/index.tsx';
import { StartJob } from './start/index.tsx';

const PageViewer = lazy(() => import('./viewer/index.tsx'));
const OutputPreview = lazy(() => import('./preview/index.tsx'));

/** The routes of jobs: list, start form, one job, its pages and its outputs. */
export default function Jobs() {
  return (
    <Switch>
      <Route path="/new">
        <StartJob />
      </Route>
      <Route path="/:id/pages/:page">
        {({ id, page }) => <PageViewer id={id} page={Number(page)} />}
      </Route>
      <Route path="/:id/outputs/:output/:view?">
        {({ id, output, view }) =>
          view === undefined || view === 'compare' ? (
            <OutputPreview id={id} objectId={output} compares={view === 'compare'} />
          ) : (
            <PageNotFound />
          )
        }
      </Route>
      <Route path="/:id">{({ id }) => <JobDetail key={id} id={id} />}</Route>
      <Route path="/">
        <JobList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
