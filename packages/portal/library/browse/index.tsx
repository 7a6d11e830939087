import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Route, Switch, useLocation } from 'wouter-preact';
import { useQueryState } from '../../api/location.ts';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { Loading, PageNotFound } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { applyChanges, fileKindOf, redirectOf } from './filters/file-kinds.ts';
import { useSelection } from './grid/selection.ts';
import { useNewUploads } from './new-uploads.ts';
import { useResults } from './results.ts';
import { BrowseScreen } from './screen.tsx';
import './browse.css';

const Detail = lazyComponent(() => import('../detail/index.tsx'), {
  placeholder: <Loading what="details" />,
});
const PlacesMap = lazyComponent(() => import('../map/index.tsx'), {
  placeholder: <Loading what="map" lines={8} />,
});

/**
 * Browse, and the page of one image or object. Both share the results and the selection, which
 * therefore survive opening a page; the page uses the results to find its neighbours.
 */
export default function Library() {
  const [path] = useLocation();
  const [currentAddress, setAddress] = useQueryState();
  const { can } = useSession();
  const isList = path === '/';
  const maySeeObjects = can('objects:read');
  const redirect = useMemo(
    () => (isList ? redirectOf(currentAddress, maySeeObjects) : null),
    [currentAddress, isList, maySeeObjects],
  );
  useLayoutEffect(() => {
    if (redirect) setAddress(redirect);
  }, [redirect]);
  const address = useMemo(
    () => (redirect ? applyChanges(currentAddress, redirect) : currentAddress),
    [currentAddress, redirect],
  );
  const listAddress = useRef<URLSearchParams | null>(null);
  if (isList) listAddress.current = address;
  const shownAddress = listAddress.current ?? address;
  const results = useResults(shownAddress, listAddress.current !== null, can('images:read'));
  const selection = useSelection(results);
  const newUploads = useNewUploads(
    fileKindOf(shownAddress),
    results.reload,
    isList,
    !selection.isEmpty,
  );
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
        <PlacesMap />
      </Route>
      <Route path="/:kind/:id">
        {({ kind, id }) => <Detail kind={kind} id={id} results={results} />}
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
