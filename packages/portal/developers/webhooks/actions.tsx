import { pluralise } from '@scriptorium/contracts/pluralise';
import type {
  WebhookRecord,
  WebhookTest,
  WebhookWithSecret,
} from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type LoadedResource, useAction, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButton } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { MoreMenu } from '../../kit/more-menu.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { StateBadge } from '../../kit/values.tsx';
import { webhookTitle } from '../../kit/webhook-title.ts';
import { useSession } from '../../shell/session.tsx';
import { overlapOptions, SecretDialog } from '../secret-dialog.tsx';
import { RequestOutcome } from './deliveries/request-outcome.tsx';
import { VerifyInstructions } from './verify-instructions.tsx';

interface ActionProps {
  webhook: WebhookRecord;
  resource: LoadedResource<WebhookRecord>;
}

type Verb = 'pause' | 'enable' | 'disable';

const stateActions: Record<Verb, { title: string; description: string; successMessage: string }> = {
  pause: {
    title: 'Pause webhook',
    description:
      'No messages are sent while the webhook is paused. Pending and new events are kept and sent when you enable it again.',
    successMessage: 'paused.',
  },
  enable: {
    title: 'Enable webhook',
    description:
      'Pending and new events are sent. Events skipped while the webhook was disabled are not; replay missing events to send them.',
    successMessage: 'enabled.',
  },
  disable: {
    title: 'Disable webhook',
    description:
      'No messages are sent. Pending and new events are skipped; replay missing events to send them later. To keep events instead, pause the webhook.',
    successMessage: 'disabled.',
  },
};

/** The actions on a webhook. */
export function WebhookActions({ webhook, resource }: ActionProps) {
  return (
    <>
      <DialogButton
        label="Send test"
        dialog={(close) => <TestDialog webhook={webhook} onClose={close} />}
      />
      {webhook.state !== 'enabled' && (
        <DialogButton
          label="Enable"
          dialog={(close) => (
            <ChangeStateDialog
              verb="enable"
              webhook={webhook}
              resource={resource}
              onClose={close}
            />
          )}
        />
      )}
      <MoreMenu
        items={[
          {
            label: 'Rotate secret',
            icon: 'refresh',
            dialog: (close) => (
              <RotateSecretDialog webhook={webhook} resource={resource} onClose={close} />
            ),
          },
          webhook.state === 'enabled' && {
            label: 'Pause',
            icon: 'paused',
            dialog: (close) => (
              <ChangeStateDialog
                verb="pause"
                webhook={webhook}
                resource={resource}
                onClose={close}
              />
            ),
          },
          webhook.state !== 'disabled' && {
            label: 'Disable',
            icon: 'off',
            dialog: (close) => (
              <ChangeStateDialog
                verb="disable"
                webhook={webhook}
                resource={resource}
                onClose={close}
              />
            ),
          },
          {
            label: 'Delete',
            icon: 'trash',
            danger: true,
            dialog: (close) => (
              <DeleteDialog webhook={webhook} resource={resource} onClose={close} />
            ),
          },
        ]}
      />
    </>
  );
}

interface DialogProps extends ActionProps {
  onClose: () => void;
}

function ChangeStateDialog({ verb, webhook, resource, onClose }: DialogProps & { verb: Verb }) {
  const { run, busy } = useAction();
  const { title, description, successMessage } = stateActions[verb];
  const changeState = async () => {
    const response = await run(requestFor(`${verb}Webhook`, { id: webhook.id }));
    if (!response) return;
    toast('good', `Webhook “${webhookTitle(webhook)}” ${successMessage}`);
    resource.replace(response);
  };
  return (
    <FormDialog
      title={title}
      action={title}
      danger={verb === 'disable'}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void changeState().then(onClose)}
    >
      <p>{description}</p>
    </FormDialog>
  );
}

function DeleteDialog({ webhook, resource, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const { run, busy, problem } = useAction({ quiet: true });
  const remove = async () => {
    if (!(await run(requestFor('deleteWebhook', { id: webhook.id, version: webhook.version }))))
      return;
    toast('good', `Webhook “${webhookTitle(webhook)}” deleted.`);
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
        if (isStale) resource.reload();
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

function RotateSecretDialog({ webhook, resource, onClose }: DialogProps) {
  const [overlap, setOverlap] = useState('86400');
  const [webhookWithSecret, setWebhookWithSecret] = useState<WebhookWithSecret | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const finish = () => {
    toast('good', 'Secret rotated.');
    resource.reload();
    onClose();
  };
  const rotate = async () => {
    const response = await run(
      requestFor('rotateWebhookSecret', {
        id: webhook.id,
        body: { overlap_seconds: Number(overlap) },
      }),
    );
    if (!response) return;
    if (response.data.secret === null) finish();
    else setWebhookWithSecret(response.data);
  };
  if (webhookWithSecret?.secret) {
    return (
      <SecretDialog
        title="New secret"
        what="secret"
        secret={webhookWithSecret.secret}
        onClose={finish}
      >
        <VerifyInstructions />
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
        options={overlapOptions}
      />
    </FormDialog>
  );
}

/** The default type of test messages. */
const defaultTestType = 'webhooks.endpoint.tested';

function TestDialog({ webhook, onClose }: { webhook: WebhookRecord; onClose: () => void }) {
  const { can } = useSession();
  const types = useResource(can('events:read') ? requestFor('listEventTypes') : null);
  const [type, setType] = useState(defaultTestType);
  const [result, setResult] = useState<WebhookTest | null>(null);
  const example = types.data?.data.find((one) => one.type === type)?.example;
  const { run, busy, problem } = useAction({ quiet: true });
  const sendTest = async () => {
    const response = await run(requestFor('testWebhook', { id: webhook.id, event_type: type }));
    if (response) setResult(response.data);
  };
  return (
    <Dialog
      title="Send test"
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button primary busy={busy} onClick={() => void sendTest()}>
            {result ? 'Send again' : 'Send test message'}
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
          setResult(null);
        }}
        options={[
          [defaultTestType, defaultTestType],
          ...(types.data?.data ?? []).flatMap((one) =>
            one.type === defaultTestType ? [] : [[one.type, one.type] as const],
          ),
        ]}
      />
      {example && !result && (
        <div class="stack">
          <h3>Example</h3>
          <pre class="code webhook-excerpt" tabIndex={0}>
            {JSON.stringify(example, null, 2)}
          </pre>
        </div>
      )}
      <ProblemNotice problem={problem} />
      {result && (
        <div class="stack" role="status">
          <div class="row">
            <h3>Response</h3>
            <StateBadge state={result.outcome} />
          </div>
          <RequestOutcome result={result} />
          <h3>Request</h3>
          <pre class="code" tabIndex={0}>
            {[
              `${result.request.method} ${result.request.url}`,
              ...Object.entries(result.request.headers).map(([name, value]) => `${name}: ${value}`),
              '',
              result.request.body,
            ].join('\n')}
          </pre>
        </div>
      )}
    </Dialog>
  );
}
