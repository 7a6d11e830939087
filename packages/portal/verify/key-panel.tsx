import type { KeySource, Verification } from '@scriptorium/contracts/certificates/verify';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import type { PageData } from './page-data.ts';

const sources: Record<KeySource, string> = {
  published:
    'Compared with the keys that the service publishes for the project: it is one of them.',
  given: 'It is the key that you entered.',
  enclosed: 'Not compared with the keys that the service publishes.',
  foreign:
    'It is none of the keys that the service publishes for the project, or that you entered.',
  missing: 'The certificate does not contain its key, and none was entered.',
};

/** The key that signed a certificate, where it comes from, and how to compare it. */
export function KeyPanel({
  data: { origin, published, savedAt },
  certificate: { certificate, signature },
  verification,
  givenKey,
  onGivenKey,
}: {
  data: PageData;
  certificate: Certificate;
  verification: Verification;
  givenKey: string;
  onGivenKey: (key: string) => void;
}) {
  const { project_id: projectId } = certificate;
  const printed = printedSignature();
  return (
    <section class="stack">
      <h2>Key</h2>
      <dl class="facts">
        <dt>Key</dt>
        <dd>
          <code>{verification.keyId}</code>
        </dd>
        <dt>Comparison</dt>
        <dd>{sources[verification.key]}</dd>
        {verification.key === 'published' && (
          <>
            <dt>Published by</dt>
            <dd>
              {origin}
              {savedAt && `, as saved in this copy on ${savedAt}`}
            </dd>
          </>
        )}
        {printed !== null && (
          <>
            <dt>Printed signature</dt>
            <dd>
              {printed === withoutPadding(signature.value)
                ? 'The link of the printed certificate belongs to this certificate.'
                : 'The link of the printed certificate belongs to another certificate.'}
            </dd>
          </>
        )}
      </dl>
      {published?.projectId !== projectId && !savedAt && (
        <p>
          <a href={`?project=${encodeURIComponent(projectId)}`}>
            Load the keys that this service publishes for the project
          </a>
          , then open the files again. This sends the identifier of the project to this service.
        </p>
      )}
      <label for="key">Public key that you got from the signer (base64)</label>
      <input
        id="key"
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={givenKey}
        onInput={(event) => onGivenKey(event.currentTarget.value)}
      />
    </section>
  );
}

/** The signature in the link of a printed certificate; null without one. Browsers never send it. */
function printedSignature(): string | null {
  return location.hash.length > 1 ? location.hash.slice(1) : null;
}

function withoutPadding(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
