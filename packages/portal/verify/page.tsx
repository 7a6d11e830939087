import { verdictOf } from '@scriptorium/contracts/certificates/verdict';
import { fileRole } from '@scriptorium/contracts/certificates/verify';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { CertificateContents } from './contents.tsx';
import { DropZone } from './drop-zone.tsx';
import { KeyPanel } from './key-panel.tsx';
import type { PageData } from './page-data.ts';
import { useFiles, useVerification } from './use-verification.ts';

/** The page on which anyone verifies a certificate, and the file that it certifies. */
export function VerifyPage({ data }: { data: PageData }) {
  const { opened, file, reading, error, read } = useFiles();
  const [givenKey, setGivenKey] = useState('');
  const given = givenKey.trim() === '' ? [] : [givenKey.trim()];
  const keys = { published: data.published, given };
  const certificate = opened?.certificate ?? null;
  const verification = useVerification(certificate, keys);
  const role = certificate && file && fileRole(certificate, file);
  const verdict = verification && verdictOf(verification, role);
  return (
    <main class="verify">
      <header class="stack">
        <h1>Verify a certificate of redaction</h1>
        <p>
          Open a certificate and the redacted file. This page checks that the certificate is
          genuine, and that the file is the one that was certified, unchanged.{' '}
          <strong>Nothing is sent: the files stay in your browser.</strong>
        </p>
      </header>
      <DropZone onFiles={(files) => void read(files)} isBusy={reading !== null} />
      <div role="status" class="stack">
        {reading && (
          <p class="reading">
            Reading “{reading.name}” … {Math.round(reading.share * 100)}%
          </p>
        )}
        {error && <p class="message bad">{error}</p>}
        {verdict && (
          <div class={`verdict ${verdict.tone}`}>
            <h2>{verdict.title}</h2>
            <p>{verdict.text}</p>
            {!file && <p>Open the redacted file as well to compare it.</p>}
          </div>
        )}
        {file && !certificate && (
          <p class="message">Open the certificate as well: its JSON, or its PDF.</p>
        )}
      </div>
      {(opened || file) && (
        <dl class="facts">
          {opened && (
            <>
              <dt>Certificate</dt>
              <dd>{opened.name}</dd>
            </>
          )}
          {file && (
            <>
              <dt>File</dt>
              <dd>
                {file.name}, {pluralise(file.bytes, 'byte')}
                <br />
                <code>SHA-256 {file.sha256}</code>
              </dd>
            </>
          )}
        </dl>
      )}
      {opened?.isPdf && (
        <p class="message">
          Only the file attached to this PDF is signed, not its pages: rely on the contents shown
          here.
        </p>
      )}
      {certificate && verification && (
        <>
          <KeyPanel
            data={data}
            certificate={certificate}
            verification={verification}
            givenKey={givenKey}
            onGivenKey={setGivenKey}
          />
          <CertificateContents
            contents={certificate.certificate}
            isTrusted={verdictOf(verification, null).tone !== 'bad'}
          />
        </>
      )}
      <footer>
        {data.savedAt ? (
          <p>
            A copy of the page of {data.origin}, saved on {data.savedAt}. It works offline.
          </p>
        ) : (
          <p>
            <a href={`verify/offline.html${location.search}`} download="verify.html">
              Save a copy
            </a>{' '}
            that works offline, or read <a href="docs/guides/certificates">how this works</a>.
          </p>
        )}
      </footer>
    </main>
  );
}
