import { pluralise } from '@scriptorium/contracts/pluralise';
import type {
  WebhookRecord,
  WebhookTest,
  WebhookWithSecret,
} from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type Loaded, useAction, useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButton } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { MoreMenu } from '../../kit/menu.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { State } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { overlaps, SecretDialog } from '../secret.tsx';
import { Exchange } from './deliveries/attempt.tsx';
import { Verify } from './verify.tsx';

interface ActionProps {
  of: WebhookRecord;
  loaded: Loaded<WebhookRecord>;
}

type Verb = 'pause' | 'enable' | 'disable';

const moves: Record<Verb, { title: string; words: string; done: string }> = {
  pause: {
    title: 'Pause webhook',
    words:
      'No messages are sent while the webhook is paused. Pending and new events are kept and sent when you enable it again.',
    done: 'Webhook paused.',
  },
  enable: {
    title: 'Enable webhook',
    words:
      'Pending and new events are sent. Events skipped while the webhook was disabled are not; replay missing events to send them.',
    done: 'Webhook enabled.',
  },
  disable: {
    title: 'Disable webhook',
    words:
      'No messages are sent. Pending and new events are skipped; replay missing events to send them later. To keep events instead, pause the webhook.',
    done: 'Webhook disabled.',
  },
};

/** The actions on a webhook. */
export function WebhookActions({ of: webhook, loaded }: ActionProps) {
  return (
    <>
      <DialogButton label="Send test" dialog={(close) => <Test of={webhook} onClose={close} />} />
      {webhook.state !== 'enabled' && (
        <DialogButton
          label="Enable"
          dialog={(close) => <Move verb="enable" of={webhook} loaded={loaded} onClose={close} />}
        />
      )}
      <MoreMenu
        items={[
          {
            label: 'Rotate secret',
            icon: 'refresh',
            dialog: (close) => <Rotate of={webhook} loaded={loaded} onClose={close} />,
          },
          webhook.state === 'enabled' && {
            label: 'Pause',
            icon: 'paused',
            dialog: (close) => <Move verb="pause" of={webhook} loaded={loaded} onClose={close} />,
          },
          webhook.state !== 'disabled' && {
            label: 'Disable',
            icon: 'off',
            dialog: (close) => <Move verb="disable" of={webhook} loaded={loaded} onClose={close} />,
          },
          {
            label: 'Delete',
            icon: 'trash',
            danger: true,
            dialog: (close) => <Delete of={webhook} loaded={loaded} onClose={close} />,
          },
        ]}
      />
    </>
  );
}

interface DialogProps extends ActionProps {
  onClose: () => void;
}

function Move({ verb, of: webhook, loaded, onClose }: DialogProps & { verb: Verb }) {
  const { run, busy } = useAction();
  const { title, words, done } = moves[verb];
  const move = async () => {
    const answer = await run(requestFor(`${verb}Webhook`, { id: webhook.id }));
    if (!answer) return;
    toast('good', done);
    loaded.put(answer);
  };
  return (
    <FormDialog
      title={title}
      action={title}
      danger={verb === 'disable'}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void move().then(onClose)}
    >
      <p>{words}</p>
    </FormDialog>
  );
}

function Delete({ of: webhook, loaded, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const { run, busy, problem } = useAction({ quiet: true });
  const remove = async () => {
    if (!(await run(requestFor('deleteWebhook', { id: webhook.id, version: webhook.version }))))
      return;
    toast('good', 'Webhook deleted.');
    navigate('/');
  };
  const { pending } = webhook.health;
  const isStale = problem?.code === 'etag_mismatch';
  return (
    <FormDialog
      title="Delete this webhook?"
      action="Delete webhook"
      danger
      busy={busy}
      onClose={() => {
        if (isStale) loaded.reload();
        onClose();
      }}
      onSubmit={remove}
    >
      <p>
        The webhook and its secret are permanently deleted.{' '}
        {pending === 0
          ? 'It has no pending deliveries.'
          : `Its ${pluralise(pending, 'pending delivery', 'pending deliveries')} will be cancelled.`}{' '}
        To stop sending but keep events, pause the webhook instead.
      </p>
      {isStale ? (
        <p class="notice warn" role="alert">
          This webhook was changed after you opened it, so it was not deleted. Close this dialog and
          review the changes first.
        </p>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </FormDialog>
  );
}

function Rotate({ of: webhook, loaded, onClose }: DialogProps) {
  const [overlap, setOverlap] = useState('86400');
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const finish = () => {
    toast('good', 'Secret rotated.');
    loaded.reload();
    onClose();
  };
  const rotate = async () => {
    const answer = await run(
      requestFor('rotateWebhookSecret', {
        id: webhook.id,
        body: { overlap_seconds: Number(overlap) },
      }),
    );
    if (!answer) return;
    if (answer.data.secret === null) finish();
    else setMade(answer.data);
  };
  if (made?.secret) {
    return (
      <SecretDialog title="New secret" what="secret" secret={made.secret} onClose={finish}>
        <Verify />
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title="Rotate secret"
      onClose={onClose}
      onSubmit={rotate}
      action="Rotate"
      busy={busy}
      problem={problem}
    >
      <p>
        Creates a new secret, and new keys if the webhook signs with v1a. Until the old secret
        expires, every message carries both signatures, so the receiver can switch without missing a
        message.
      </p>
      <SelectField
        label="Old secret expires"
        value={overlap}
        onChange={setOverlap}
        options={overlaps}
      />
    </FormDialog>
  );
}

/** The default type of test messages. */
const testedType = 'webhooks.endpoint.tested';

function Test({ of: webhook, onClose }: { of: WebhookRecord; onClose: () => void }) {
  const { can } = useSession();
  const types = useAnswer(can('events:read') ? requestFor('listEventTypes') : null);
  const [type, setType] = useState(testedType);
  const [sent, setSent] = useState<WebhookTest | null>(null);
  const example = types.data?.data.find((one) => one.type === type)?.example;
  const { run, busy, problem } = useAction({ quiet: true });
  const test = async () => {
    const answer = await run(requestFor('testWebhook', { id: webhook.id, event_type: type }));
    if (answer) setSent(answer.data);
  };
  return (
    <Dialog
      title="Send test"
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button primary busy={busy} onClick={() => void test()}>
            {sent ? 'Send again' : 'Send test message'}
          </Button>
        </>
      }
    >
      <p>
        Sends a signed example to <span class="mono">{webhook.url}</span>, regardless of the
        webhook's state and filter. It is not a delivery. <code>sequence</code> is 0, and it does
        not refer to any of your resources.
      </p>
      <SelectField
        label="Event type"
        value={type}
        onChange={(value) => {
          setType(value);
          setSent(null);
        }}
        options={[
          [testedType, testedType],
          ...(types.data?.data ?? []).flatMap((one) =>
            one.type === testedType ? [] : [[one.type, one.type] as const],
          ),
        ]}
      />
      {example && !sent && (
        <div class="stack">
          <h3>Example</h3>
          <pre class="code webhook-excerpt" tabIndex={0}>
            {JSON.stringify(example, null, 2)}
          </pre>
        </div>
      )}
      <ProblemNotice problem={problem} />
      {sent && (
        <div class="stack" role="status">
          <div class="row">
            <h3>Response</h3>
            <State state={sent.outcome} />
          </div>
          <Exchange of={sent} />
          <h3>Request</h3>
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
