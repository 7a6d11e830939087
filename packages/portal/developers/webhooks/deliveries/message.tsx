import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import { shellQuote } from '@scriptorium/contracts/helpers/shell-quote';
import type { AttemptRecord, DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButton } from '../../../kit/dialog.tsx';
import { visible } from '../../../kit/json-tree.tsx';
import { Copy } from '../../../kit/values.tsx';
import { Verify } from '../verify.tsx';

type Request = NonNullable<DeliveryWithAttempts['request']>;

interface MessageProps {
  of: Request;
  /** Null before the first attempt. */
  attempt: AttemptRecord | null;
  /** The webhook has changed since. */
  isStale: boolean;
}

/** The message that a webhook sends: its headers, and its body for reading and copying. */
export function Message({ of: request, attempt, isStale }: MessageProps) {
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
            dialog={(close) => <Repeat of={request} headers={headers} onClose={close} />}
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
      {headers && <Headers of={headers} />}
      <Body of={request.body} />
    </section>
  );
}

function Headers({ of: headers }: { of: Record<string, string> }) {
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
              <Verify />
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
            {visible(value)} {value !== hiddenValue && <Copy text={value} what={name} />}
          </dd>,
        ])}
      </dl>
    </div>
  );
}

/**
 * The body of a message: indented for reading, copied byte for byte because these bytes are signed.
 */
export function Body({ of: body }: { of: string }) {
  const bytes = new TextEncoder().encode(body).length;
  return (
    <div class="stack">
      <div class="row">
        <h3>Body</h3>
        <Copy text={body} what="as sent">
          Copy as sent
        </Copy>
        <span class="soft">{bytes} bytes, indented here</span>
      </div>
      <pre class="code webhook-body" tabIndex={0}>
        {visible(indented(body))}
      </pre>
    </div>
  );
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function Repeat(props: { of: Request; headers: Record<string, string>; onClose: () => void }) {
  const { headers, onClose } = props;
  const command = asRepeat(props.of, headers);
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
        <Copy text={command} what="command">
          Copy
        </Copy>
      </div>
      <pre class="code" tabIndex={0}>
        {visible(command)}
      </pre>
    </Dialog>
  );
}

/** Headers that the command sets itself. */
const signed = ['webhook-timestamp', 'webhook-signature'];

/**
 * Returns a shell command that sends a message again, signed again with the secret in
 * `WEBHOOK_SECRET`, because a signature is only valid for minutes. A webhook without `v1` keeps its
 * signature. Values of custom headers are variables.
 */
function asRepeat(
  request: { url: string; body: string },
  headers: Readonly<Record<string, string>>,
): string {
  const signs = /(^| )v1,/.test(headers['webhook-signature'] ?? '');
  const kept = Object.entries(headers).filter(([name]) => !signs || !signed.includes(name));
  const start = [`BODY=${shellQuote(request.body)}`];
  if (signs) {
    start.push(
      'TIMESTAMP=$(date +%s)',
      `KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
      `SIGNATURE=$(printf '%s.%s.%s' ${shellQuote(headers['webhook-id'] ?? '')} "$TIMESTAMP" "$BODY" \\`,
      '  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    );
  }
  const lines = [
    `curl -X POST ${shellQuote(request.url)}`,
    ...kept.map(([name, value]) =>
      value === hiddenValue
        ? `-H "${name}: $${variableOf(name)}"`
        : `-H ${shellQuote(`${name}: ${value}`)}`,
    ),
    ...(signs
      ? ['-H "webhook-timestamp: $TIMESTAMP"', '-H "webhook-signature: v1,$SIGNATURE"']
      : []),
    '--data-raw "$BODY"',
  ];
  return [...start, lines.join(' \\\n  ')].join('\n');
}

function variableOf(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
