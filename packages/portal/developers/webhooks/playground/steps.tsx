import { visible } from '../../../kit/json-tree.tsx';
import { Copy } from '../../../kit/values.tsx';
import type { SignedParts, Signing } from './signature.ts';

interface StepsProps {
  message: SignedParts;
  signing: Signing;
  /** The signatures that were sent; null before the first message. */
  sent: string | null;
  /** Whether the secret is the example's. */
  isExample: boolean;
}

/** Shows how the signature of a message is computed, step by step. */
export function Steps({ message, signing, sent, isExample }: StepsProps) {
  return (
    <section class="card stack" aria-label="Signature">
      <h2>Signature, step by step</h2>
      <ol class="webhook-steps">
        <li>
          <h3>Take the headers and the raw body</h3>
          <pre class="code" tabIndex={0}>
            {`webhook-id: ${message.id}\nwebhook-timestamp: ${message.timestamp}`}
          </pre>
        </li>
        {typeof signing === 'string' ? (
          <li>
            <p class={signing === 'pending' ? 'soft' : 'notice warn'} role="status">
              {troubles[signing]}
            </p>
          </li>
        ) : (
          <>
            <li>
              <h3>Join them with dots</h3>
              <pre class="code webhook-excerpt" tabIndex={0}>
                {visible(signing.content)}
              </pre>
            </li>
            <li>
              <h3>Decode the key</h3>
              <p>
                The part of the secret after <code>whsec_</code>, from base64: {signing.keyBytes}{' '}
                bytes.
              </p>
            </li>
            <li>
              <h3>Compute HMAC-SHA256</h3>
              <p class="mono dev-any">{signing.hex}</p>
            </li>
            <li>
              <h3>Encode it as base64, after the version</h3>
              <p class="mono dev-any">
                webhook-signature: {signing.value} <Copy text={signing.value} what="signature" />
              </p>
            </li>
            {sent !== null && (
              <li>
                <h3>Compare it with the signatures that were sent</h3>
                <p class="mono dev-any">{sent}</p>
                <Verdict matches={sent.split(' ').includes(signing.value)} isExample={isExample} />
              </li>
            )}
          </>
        )}
      </ol>
    </section>
  );
}

const troubles = {
  pending: 'Computing…',
  invalid: 'A secret is “whsec_” followed by base64.',
  unavailable: 'Browsers compute signatures only on pages served by https.',
};

function Verdict({ matches, isExample }: { matches: boolean; isExample: boolean }) {
  if (matches) {
    return (
      <p class="notice good" role="status">
        Match: the message was signed with this secret.
      </p>
    );
  }
  return (
    <p class={isExample ? 'soft' : 'notice warn'} role="status">
      {isExample
        ? 'Computed with the example secret. Paste the secret of the webhook to compare.'
        : 'No match: the message was signed with a different secret.'}
    </p>
  );
}
