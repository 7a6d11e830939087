import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { notificationPermission } from './browser-notification.ts';

/** Whether the browser may show notifications, and a button that requests permission. */
export function NoticeSetting() {
  const [current, setCurrent] = useState(notificationPermission);
  return (
    <section class="card stack" aria-labelledby="account-notices">
      <h2 id="account-notices">Notices</h2>
      <p>
        When a job or a pack that you started ends while you are on another screen, a message
        appears. If you allow it, your browser also shows a notification with the file name while
        you use another tab or application.
      </p>
      {current === 'default' && (
        <div class="row">
          <Button onClick={() => void Notification.requestPermission().then(setCurrent)}>
            Allow browser notifications
          </Button>
        </div>
      )}
      <p class="soft" role="status">
        {permissionHints[current]}
      </p>
    </section>
  );
}

const permissionHints: Record<ReturnType<typeof notificationPermission>, string> = {
  default: 'The browser asks you once.',
  granted:
    'Browser notifications are on. To turn them off, change the browser’s settings for this site.',
  denied:
    'Browser notifications are blocked. To allow them, change the browser’s settings for this site.',
  unsupported: 'This browser does not support notifications.',
};
