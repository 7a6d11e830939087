import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { permission } from './outside.ts';

/** Whether the browser may show notices outside the page, and a way to allow it. */
export function NoticeSetting() {
  const [now, setNow] = useState(permission);
  return (
    <section class="card stack" aria-labelledby="account-notices">
      <h2 id="account-notices">Notices</h2>
      <p>
        When a job or a pack that you started ends while you are on another screen, a message
        appears. With your permission, your browser also shows it, with the name of the file, while
        you are in another tab or program.
      </p>
      {now === 'default' && (
        <div class="row">
          <Button onClick={() => void Notification.requestPermission().then(setNow)}>
            Allow notices of the browser
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
  granted: 'This browser shows notices. Withdraw the permission in its settings for this site.',
  denied: 'This browser shows no notices. Its settings for this site have the permission.',
  unsupported: 'This browser cannot show notices.',
};
