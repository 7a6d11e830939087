import { CopyButton } from '../../kit/values.tsx';

const nodeExample = `import { verifyWebhook } from '@scriptorium/client';

// Use the raw body, before anything parses it.
const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET);`;

const shellExample = `# Prints the signature, to compare with the part after "v1," in webhook-signature
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$BODY" \\
  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64`;

/** Explains how a receiver verifies messages (Standard Webhooks 1.0). */
export function VerifyInstructions() {
  return (
    <>
      <p>
        Every message is signed as defined by Standard Webhooks 1.0, over <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and the raw body. Reject messages that do not verify or are
        older than five minutes. A message can arrive twice: ignore any <code>webhook-id</code> you
        have already processed.
      </p>
      {(
        [
          ['Node.js', nodeExample],
          ['Shell', shellExample],
        ] as const
      ).map(([title, code]) => (
        <div key={title} class="stack">
          <div class="row">
            <h3>{title}</h3>
            <CopyButton text={code} subject={`code for ${title}`} />
          </div>
          <pre class="code" tabIndex={0}>
            {code}
          </pre>
        </div>
      ))}
    </>
  );
}
