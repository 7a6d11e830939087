import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import { shellQuote } from '@scriptorium/contracts/helpers/shell-quote';
import type { AttemptRecord, DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButton } from '../../../kit/dialog.tsx';
import { escapeInvisible } from '../../../kit/json-tree.tsx';
import { CopyButton } from '../../../kit/values.tsx';
import { VerifyInstructions } from '../verify-instructions.tsx';

type MessageRequest = NonNullable<DeliveryWithAttempts['request']>;

interface MessageProps {
  request: MessageRequest;
  /** Null before the first attempt. */
  attempt: AttemptRecord | null;
  /** Whether the webhook has changed since the attempt. */
  isStale: boolean;
}

/** The message that a webhook sends: its headers, and its body for reading and copying. */
export function Message({ request, attempt, isStale }: MessageProps) {
  const headers = attempt?.request_headers;
  return (
    <section class="card stack" aria-label="Request">
      <div class="row">
        <h2>Request</h2>
        <span class="soft">{attempt ? `attempt ${attempt.number}` : 'as it will be sent'}</span>
        {headers && (
          <DialogButton
            small
            icon="code"
            label="Repeat with curl"
            dialog={(close) => <RepeatDialog request={request} headers={headers} onClose={close} />}
          />
        )}
      </div>
      <p class="mono dev-any">
        {request.method} {request.url}
      </p>
      {isStale && (
        <p class="notice warn">
          The webhook has changed since this attempt. The message is shown as it would be sent with
          the current settings and secrets.
        </p>
      )}
      {headers && <MessageHeaders headers={headers} />}
      <MessageBody body={request.body} />
    </section>
  );
}

function MessageHeaders({ headers }: { headers: Record<string, string> }) {
  return (
    <div class="stack">
      <div class="row">
        <h3>Headers</h3>
        <DialogButton
          small
          quiet
          label="Verify the signature"
          dialog={(close) => (
            <Dialog
              title="Verify the signature"
              wide
              onClose={close}
              footer={<Button onClick={close}>Close</Button>}
            >
              <VerifyInstructions />
            </Dialog>
          )}
        />
      </div>
      <dl class="facts webhook-headers">
        {Object.entries(headers).map(([name, value]) => [
          <dt key={name} class="mono">
            {name}
          </dt>,
          <dd key={`${name} value`} class="mono dev-any">
            {escapeInvisible(value)}{' '}
            {value !== hiddenValue && <CopyButton text={value} subject={name} />}
          </dd>,
        ])}
      </dl>
    </div>
  );
}

/**
 * The body of a message: indented for reading, copied byte for byte because these bytes are signed.
 */
export function MessageBody({ body }: { body: string }) {
  const bytes = new TextEncoder().encode(body).length;
  return (
    <div class="stack">
      <div class="row">
        <h3>Body</h3>
        <CopyButton text={body} subject="as sent">
          Copy as sent
        </CopyButton>
        <span class="soft">{bytes} bytes, indented here</span>
      </div>
      <pre class="code webhook-body" tabIndex={0}>
        {escapeInvisible(indentJson(body))}
      </pre>
    </div>
  );
}

function indentJson(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function RepeatDialog(props: {
  request: MessageRequest;
  headers: Record<string, string>;
  onClose: () => void;
}) {
  const { headers, onClose } = props;
  const command = repeatCommand(props.request, headers);
  return (
    <Dialog
      title="Repeat with curl"
      wide
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p>
        Sends the same message from your machine. Receivers reject signatures that are older than
        five minutes, so the command signs it again, with the secret in <code>WEBHOOK_SECRET</code>.
        Values of custom headers are also read from variables.
      </p>
      <div class="row">
        <CopyButton text={command} subject="command">
          Copy
        </CopyButton>
      </div>
      <pre class="code" tabIndex={0}>
        {escapeInvisible(command)}
      </pre>
    </Dialog>
  );
}

/** Headers that the command computes. */
const signatureHeaders = ['webhook-timestamp', 'webhook-signature'];

/**
 * Returns a shell command that sends a message again, with a new signature by the secret in
 * `WEBHOOK_SECRET`, because signatures expire after minutes. Without a `v1` signature, the command
 * repeats the original headers. Values of custom headers are variables.
 */
function repeatCommand(
  request: { url: string; body: string },
  headers: Readonly<Record<string, string>>,
): string {
  const hasV1 = /(^| )v1,/.test(headers['webhook-signature'] ?? '');
  const copiedHeaders = Object.entries(headers).filter(
    ([name]) => !hasV1 || !signatureHeaders.includes(name),
  );
  const assignments = [`BODY=${shellQuote(request.body)}`];
  if (hasV1) {
    assignments.push(
      'TIMESTAMP=$(date +%s)',
      `KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
      `SIGNATURE=$(printf '%s.%s.%s' ${shellQuote(headers['webhook-id'] ?? '')} "$TIMESTAMP" "$BODY" \\`,
      '  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    );
  }
  const lines = [
    `curl -X POST ${shellQuote(request.url)}`,
    ...copiedHeaders.map(([name, value]) =>
      value === hiddenValue
        ? `-H "${name}: $${variableName(name)}"`
        : `-H ${shellQuote(`${name}: ${value}`)}`,
    ),
    ...(hasV1
      ? ['-H "webhook-timestamp: $TIMESTAMP"', '-H "webhook-signature: v1,$SIGNATURE"']
      : []),
    '--data-raw "$BODY"',
  ];
  return [...assignments, lines.join(' \\\n  ')].join('\n');
}

function variableName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
