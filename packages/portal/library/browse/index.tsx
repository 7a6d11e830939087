import { lazy, Suspense } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Route, Switch, useLocation } from 'wouter-preact';
import { useQueryState } from '../../api/location.ts';
import { Loading, PageNotFound } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { changedAddress, redirectOf } from './filters/kinds.ts';
import { useSelection } from './grid/selection.ts';
import { useNewUploads } from './new-uploads.ts';
import { useResults } from './results.ts';
import { BrowseScreen } from './screen.tsx';
import './browse.css';

const Detail = lazy(() => import('../detail/index.tsx'));
const PlacesMap = lazy(() => import('../map/index.tsx'));

/**
 * Browse, and the page of one image or object. Results and selection live above both, so that they
 * survive opening a page, and the page knows its neighbours.
 */
export default function Library() {
  const [path] = useLocation();
  const [given, setAddress] = useQueryState();
  const { can } = useSession();
  const isList = path === '/';
  const maySeeObjects = can('objects:read');
  const redirect = useMemo(
    () => (isList ? redirectOf(given, maySeeObjects) : null),
    [given, isList, maySeeObjects],
  );
  useLayoutEffect(() => {
    if (redirect) setAddress(redirect);
  }, [redirect]);
  const address = useMemo(
    () => (redirect ? changedAddress(given, redirect) : given),
    [given, redirect],
  );
  const listed = useRef<URLSearchParams | null>(null);
  if (isList) listed.current = address;
  const results = useResults(
    listed.current ?? address,
    listed.current !== null,
    can('images:read'),
  );
  const selection = useSelection(results);
  const newUploads = useNewUploads(results, isList, !selection.isEmpty);
  return (
    <Switch>
      <Route path="/">
        <BrowseScreen
          address={address}
          setAddress={setAddress}
          results={results}
          selection={selection}
          newUploads={newUploads}
        />
      </Route>
      <Route path="/map">
        <Suspense fallback={<Loading what="map" lines={8} />}>
          <PlacesMap />
        </Suspense>
      </Route>
      <Route path="/:kind/:id">
        {({ kind, id }) => (
          <Suspense fallback={<Loading what="details" />}>
            <Detail kind={kind} id={id} results={results} />
          </Suspense>
        )}
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
