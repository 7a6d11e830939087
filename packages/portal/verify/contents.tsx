import {
  checkInWords,
  countsInWords,
  decisionsInWords,
  resultInWords,
  reviewerInWords,
  timeInWords,
} from '@scriptorium/contracts/certificates/words';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';

type Contents = Certificate['certificate'];

/** What a certificate says, in the same words as its PDF. */
export function CertificateContents({
  contents,
  isTrusted,
}: {
  contents: Contents;
  isTrusted: boolean;
}) {
  const { result, reviewed, rejected_by_type: rejected } = contents;
  const kept = countsInWords(rejected);
  return (
    <section class="stack" aria-label="Contents of the certificate">
      <h2>What the certificate says</h2>
      {!isTrusted && <p class="message bad">Do not rely on these contents.</p>}
      <p>{resultInWords(contents)}</p>
      {kept.length > 0 && (
        <>
          <h3>Not removed, because reviewers rejected the findings</h3>
          <Counts counts={kept} />
        </>
      )}
      <h3>Removed</h3>
      <Counts counts={countsInWords(result.entities_by_type)} />
      <h3>Review</h3>
      {reviewed ? (
        <dl class="facts">
          <dt>Reviewed by</dt>
          <dd>{reviewed.by.map(reviewerInWords).join('; ')}</dd>
          <dt>Submitted</dt>
          <dd>{timeInWords(reviewed.at)}</dd>
          <dt>Decisions</dt>
          <dd>{decisionsInWords(reviewed)}</dd>
        </dl>
      ) : (
        <p>No person reviewed the findings.</p>
      )}
      <h3>Checks</h3>
      <ul class="checks">
        {result.checks.map((check) => {
          const { text, detail } = checkInWords(check);
          return (
            <li key={check.name}>
              <strong class={check.passed ? 'passed' : 'failed'}>
                {check.passed ? 'Passed' : 'Failed'}
              </strong>{' '}
              {text} {detail && <small>{detail}</small>}
            </li>
          );
        })}
      </ul>
      <h3>Times and files</h3>
      <dl class="facts">
        <dt>Started</dt>
        <dd>{timeInWords(contents.started_at)}</dd>
        <dt>Redacted</dt>
        <dd>{timeInWords(contents.finished_at)}</dd>
        <NamedFile name="Original" file={contents.source} />
        {contents.outputs.map((file) => (
          <NamedFile key={file.object_id} name="Redacted file" file={file} />
        ))}
        <dt>Project</dt>
        <dd>{contents.project_id}</dd>
        <dt>Job</dt>
        <dd>{contents.job_id}</dd>
      </dl>
    </section>
  );
}

function Counts({ counts }: { counts: ReturnType<typeof countsInWords> }) {
  if (counts.length === 0) return <p>Nothing was found to remove.</p>;
  return (
    <dl class="facts">
      {counts.map(({ kind, places }) => (
        <>
          <dt>{kind}</dt>
          <dd>{places}</dd>
        </>
      ))}
    </dl>
  );
}

function NamedFile({ name, file }: { name: string; file: Contents['source'] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {file.mime}, {pluralise(file.bytes, 'byte')}
        <br />
        <code>SHA-256 {file.sha256}</code>
      </dd>
    </>
  );
}
