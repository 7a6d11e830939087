import { escapeInvisible } from '../../../kit/json-tree.tsx';
import { CopyButton } from '../../../kit/values.tsx';
import type { MessageParts, SignatureState } from './signature.ts';

interface SignatureStepsProps {
  message: MessageParts;
  signature: SignatureState;
  /** The signatures that were sent; null before the first message. */
  sentSignatures: string | null;
  /** Whether the example secret is used. */
  isExample: boolean;
}

/** Shows how the signature of a message is computed, step by step. */
export function SignatureSteps({
  message,
  signature,
  sentSignatures,
  isExample,
}: SignatureStepsProps) {
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
        {typeof signature === 'string' ? (
          <li>
            <p class={signature === 'pending' ? 'soft' : 'notice warn'} role="status">
              {statusMessages[signature]}
            </p>
          </li>
        ) : (
          <>
            <li>
              <h3>Join them with dots</h3>
              <pre class="code webhook-excerpt" tabIndex={0}>
                {escapeInvisible(signature.content)}
              </pre>
            </li>
            <li>
              <h3>Decode the key</h3>
              <p>
                The part of the secret after <code>whsec_</code>, from base64: {signature.keyLength}{' '}
                bytes.
              </p>
            </li>
            <li>
              <h3>Compute HMAC-SHA256</h3>
              <p class="mono dev-any">{signature.hex}</p>
            </li>
            <li>
              <h3>Encode it as base64, after the version</h3>
              <p class="mono dev-any">
                webhook-signature: {signature.value}{' '}
                <CopyButton text={signature.value} subject="signature" />
              </p>
            </li>
            {sentSignatures !== null && (
              <li>
                <h3>Compare it with the signatures that were sent</h3>
                <p class="mono dev-any">{sentSignatures}</p>
                <SignatureMatch
                  matches={sentSignatures.split(' ').includes(signature.value)}
                  isExample={isExample}
                />
              </li>
            )}
          </>
        )}
      </ol>
    </section>
  );
}

const statusMessages = {
  pending: 'Computing…',
  invalid: 'A secret is “whsec_” followed by base64.',
  unavailable: 'Browsers compute signatures only on pages served by https.',
};

function SignatureMatch({ matches, isExample }: { matches: boolean; isExample: boolean }) {
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
