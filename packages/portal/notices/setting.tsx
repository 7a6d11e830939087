import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { permission } from './outside.ts';

/** Whether the browser may show notifications, and a button that requests permission. */
export function NoticeSetting() {
  const [now, setNow] = useState(permission);
  return (
    <section class="card stack" aria-labelledby="account-notices">
      <h2 id="account-notices">Notices</h2>
      <p>
        When a job or a pack that you started ends while you are on another screen, a message
        appears. If you allow it, your browser also shows a notification with the file name while
        you use another tab or application.
      </p>
      {now === 'default' && (
        <div class="row">
          <Button onClick={() => void Notification.requestPermission().then(setNow)}>
            Allow browser notifications
          </Button>
        </div>
      )}
      <p class="soft" role="status">
        {said[now]}
      </p>
    </section>
  );
}

const said: Record<ReturnType<typeof permission>, string> = {
  default: 'The browser asks you once.',
  granted:
    'Browser notifications are on. To turn them off, change the browser’s settings for this site.',
  denied:
    'Browser notifications are blocked. To allow them, change the browser’s settings for this site.',
  unsupported: 'This browser does not support notifications.',
};
