import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../../shell/session.tsx';
import { hasOffers, watchOffers } from './inbox.ts';
import { readUnfinished } from './unfinished.ts';

const Tray = lazy(() => import('./tray/index.tsx'));

/**
 * Uploads, in the shell: what is under way goes on whatever screen is shown. Nothing is loaded before
 * there is something to upload, or to go on with.
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
