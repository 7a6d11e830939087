import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../../shell/session.tsx';
import { readUnfinished } from './sending/unfinished.ts';
import { hasOffers, watchOffers } from './upload-events.ts';

const Tray = lazy(() => import('./tray/index.tsx'));

/**
 * The upload tray. Part of the shell, so that uploads continue across screens; loaded with the
 * first upload to start or resume.
 */
export function Uploads() {
  const { session, can } = useSession();
  const [shouldMount, setShouldMount] = useState(
    () => hasOffers() || readUnfinished(session.project_id).length > 0,
  );
  useEffect(
    () => (shouldMount ? undefined : watchOffers(() => setShouldMount(true))),
    [shouldMount],
  );
  if (!shouldMount || !can('objects:write')) return null;
  return (
    <Suspense fallback={null}>
      <Tray projectId={session.project_id} />
    </Suspense>
  );
}
