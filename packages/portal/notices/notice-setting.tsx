import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { notificationPermission, type Permission } from './browser-notification.ts';

/** Shows whether the browser may show notifications, with a button to request permission. */
export function NoticeSetting() {
  const [current, setCurrent] = useState(notificationPermission);
  return (
    <section class="card stack" aria-labelledby="account-notices">
      <h2 id="account-notices">Notifications</h2>
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

const permissionHints: Record<Permission, string> = {
  default: 'Your browser will ask you to confirm.',
  granted:
    'Browser notifications are on. To turn them off, change the browser’s settings for this site.',
  denied:
    'Browser notifications are blocked. To allow them, change the browser’s settings for this site.',
  unsupported: 'This browser does not support notifications.',
};
