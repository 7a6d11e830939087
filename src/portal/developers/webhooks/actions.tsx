import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type {
  WebhookRecord,
  WebhookTest,
  WebhookWithSecret,
} from '../../../contracts/wire/webhooks.ts';
import { type Loaded, useAction } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm, Dialog, DialogButton } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { formatCount, State } from '../../kit/values.tsx';
import { overlaps } from '../overlaps.ts';
import { SecretDialog } from '../secret.tsx';
import { Exchange } from './deliveries/attempt.tsx';
import { deleteWebhook, moveWebhook, rotateSecret, testWebhook } from './requests.ts';
import { Verify } from './verify.tsx';

interface ActionProps {
  of: WebhookRecord;
  loaded: Loaded<WebhookRecord>;
}

type Verb = 'pause' | 'enable' | 'disable';

const moves: Record<Verb, { title: string; words: string; done: string }> = {
  pause: {
    title: 'Pause the webhook',
    words:
      'Nothing more is sent for now. What it is owed, and what happens meanwhile, is kept and sent when it is enabled again.',
    done: 'The webhook is paused.',
  },
  enable: {
    title: 'Enable the webhook',
    words:
      'What waits for it is sent, and what happens from now on. What was skipped while it was disabled is not: a replay of what is missing sends that.',
    done: 'The webhook is enabled.',
  },
  disable: {
    title: 'Disable the webhook',
    words:
      'Nothing more is sent. What it is owed, and what happens meanwhile, is skipped; a replay of what is missing sends it after all. To keep it instead, pause the webhook.',
    done: 'The webhook is disabled.',
  },
};

/** What can be done with a webhook. */
export function Actions({ of: webhook, loaded }: ActionProps) {
  return (
    <>
      <DialogButton label="Send a test" dialog={(close) => <Test of={webhook} onClose={close} />} />
      <DialogButton
        label="Rotate the secret"
        dialog={(close) => <Rotate of={webhook} loaded={loaded} onClose={close} />}
      />
      {webhook.state !== 'enabled' && <Move verb="enable" of={webhook} loaded={loaded} />}
      {webhook.state === 'enabled' && <Move verb="pause" of={webhook} loaded={loaded} />}
      {webhook.state !== 'disabled' && <Move verb="disable" of={webhook} loaded={loaded} />}
      <Delete of={webhook} loaded={loaded} />
    </>
  );
}

function Move({ verb, of: webhook, loaded }: ActionProps & { verb: Verb }) {
  const { run, busy } = useAction();
  const { title, words, done } = moves[verb];
  const label = `${verb[0]!.toUpperCase()}${verb.slice(1)}`;
  const move = async () => {
    const answer = await run(moveWebhook(webhook.id, verb));
    if (!answer) return;
    toast('good', done);
    loaded.put(answer);
  };
  return (
    <DialogButton
      label={label}
      dialog={(close) => (
        <Confirm
          title={title}
          action={title}
          danger={verb === 'disable'}
          busy={busy}
          onClose={close}
          onConfirm={() => void move().then(close)}
        >
          <p>{words}</p>
        </Confirm>
      )}
    />
  );
}

function Delete({ of: webhook, loaded }: ActionProps) {
  const [, navigate] = useLocation();
  const { run, busy, problem, forget } = useAction({ quiet: true });
  const remove = async () => {
    if (!(await run(deleteWebhook(webhook)))) return;
    toast('good', 'The webhook is deleted.');
    navigate('/');
  };
  const { pending } = webhook.health;
  const isStale = problem?.code === 'etag_mismatch';
  return (
    <DialogButton
      danger
      label="Delete"
      dialog={(close) => (
        <Confirm
          title="Delete the webhook"
          action="Delete the webhook"
          danger
          busy={busy}
          onClose={() => {
            forget();
            if (isStale) loaded.reload();
            close();
          }}
          onConfirm={() => void remove()}
        >
          <p>
            It is gone for good, with its secret.{' '}
            {pending === 0
              ? 'Nothing is owed to it at the moment.'
              : `What it is still owed is cancelled: ${formatCount(pending)} at the moment.`}{' '}
            To stop sending and keep what is owed, pause it.
          </p>
          {isStale ? (
            <p class="notice warn" role="alert">
              Somebody has changed this webhook since it was shown, so it was not deleted. Close
              this, look at it again, then decide.
            </p>
          ) : (
            <ProblemNotice problem={problem} />
          )}
        </Confirm>
      )}
    />
  );
}

function Rotate({ of: webhook, loaded, onClose }: ActionProps & { onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400');
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const finish = () => {
    toast('good', 'The secret is rotated.');
    loaded.reload();
    onClose();
  };
  const rotate = async () => {
    const answer = await run(rotateSecret(webhook.id, Number(overlap)));
    if (!answer) return;
    if (answer.data.secret === null) finish();
    else setMade(answer.data);
  };
  if (made?.secret) {
    return (
      <SecretDialog title="The new secret" what="the secret" secret={made.secret} onClose={finish}>
        <Verify />
      </SecretDialog>
    );
  }
  return (
    <Dialog
      title="Rotate the secret"
      onClose={onClose}
      onSubmit={() => void rotate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" busy={busy}>
            Rotate
          </Button>
        </>
      }
    >
      <p>
        A new secret is made, and new keys where it signs with v1a. Until the old ones stop, every
        message carries a signature of each, so that the receiver can change over without missing
        one.
      </p>
      <SelectField
        label="The old secret stops signing"
        value={overlap}
        onChange={setOverlap}
        options={overlaps}
      />
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}

function Test({ of: webhook, onClose }: { of: WebhookRecord; onClose: () => void }) {
  const [sent, setSent] = useState<WebhookTest | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const test = async () => {
    const answer = await run(testWebhook(webhook.id));
    if (answer) setSent(answer.data);
  };
  return (
    <Dialog
      title="Send a test"
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button primary busy={busy} onClick={() => void test()}>
            {sent ? 'Send it again' : 'Send the test'}
          </Button>
        </>
      }
    >
      <p>
        One signed example, a <code>webhooks.endpoint.tested</code>, goes to{' '}
        <span class="mono">{webhook.url}</span> at once, whatever its state and filter are. It is in
        no feed, and no delivery.
      </p>
      <ProblemNotice problem={problem} />
      {sent && (
        <div class="stack" role="status">
          <div class="row">
            <h3>What came back</h3>
            <State state={sent.outcome} />
          </div>
          <Exchange of={sent} />
          <h3>What was sent</h3>
          <pre class="code" tabIndex={0}>
            {[
              `${sent.request.method} ${sent.request.url}`,
              ...Object.entries(sent.request.headers).map(([name, value]) => `${name}: ${value}`),
              '',
              sent.request.body,
            ].join('\n')}
          </pre>
        </div>
      )}
    </Dialog>
  );
}
