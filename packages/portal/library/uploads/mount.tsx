import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialog.tsx';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { useSession } from '../../shell/session.tsx';
import { readUnfinished } from './sending/unfinished.ts';
import { hasOffers, watchOffers } from './upload-events.ts';

interface TrayProps {
  projectId: string;
  /** Closes the error if the tray cannot be loaded. */
  onClose: () => void;
}

const Tray = lazyComponent<TrayProps>(() => import('./tray/index.tsx'), {
  frame: (error, { onClose }) => (
    <Dialog title="Uploads" onClose={onClose}>
      {error}
    </Dialog>
  ),
});

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
  return <Tray projectId={session.project_id} onClose={() => setShouldMount(false)} />;
}
