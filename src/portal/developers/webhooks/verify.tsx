import { Copy } from '../../kit/values.tsx';

const node = `import { verifyWebhook } from '@scriptorium/client';

// The exact bytes that came, before anything parses them.
const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET);`;

const shell = `# webhook-id, webhook-timestamp and body as they came; prints what follows "v1," in webhook-signature
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$BODY" \\
  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64`;

/** How a receiver checks that a message is ours (Standard Webhooks 1.0). */
export function Verify() {
  return (
    <>
      <p>
        Every message is signed as Standard Webhooks 1.0 has it: over <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and the exact body. Refuse what does not verify or is older
        than five minutes, and pass over a <code>webhook-id</code> you have seen: a message may come
        twice.
      </p>
      {(
        [
          ['With Node', node],
          ['In a shell', shell],
        ] as const
      ).map(([title, code]) => (
        <div key={title} class="stack">
          <div class="row">
            <h3>{title}</h3>
            <Copy text={code} what={`the code: ${title}`} />
          </div>
          <pre class="code" tabIndex={0}>
            {code}
          </pre>
        </div>
      ))}
    </>
  );
}
