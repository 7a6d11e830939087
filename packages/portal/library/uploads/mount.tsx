import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../../shell/session.tsx';
import { hasOffers, watchOffers } from './inbox.ts';
import { readUnfinished } from './sending/unfinished.ts';

const Tray = lazy(() => import('./tray/index.tsx'));

/**
 * The upload tray. Part of the shell, so that uploads continue across screens; loaded with the
 * first upload to start or resume.
 */
export function Uploads() {
  const { session, can } = useSession();
  const [wanted, setWanted] = useState(
    () => hasOffers() || readUnfinished(session.project_id).length > 0,
  );
  useEffect(() => (wanted ? undefined : watchOffers(() => setWanted(true))), [wanted]);
  if (!wanted || !can('objects:write')) return null;
  return (
    <Suspense fallback={null}>
      <Tray projectId={session.project_id} />
    </Suspense>
  );
}
