import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { Link } from 'wouter-preact';
import { requestFor, urlOf } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { mimeName } from '../../library/browse/filters/mime-names.ts';
import { useSession } from '../../shell/session.tsx';
import { isComparable, isFinished, operationTitle, outputTitles } from '../job-display.ts';
import { CertificateButtons } from './certificate.tsx';

/** The outputs of a job, with preview and download. */
export function Outputs({ job }: { job: JobRecord }) {
  const { can } = useSession();
  return (
    <section class="card stack" aria-labelledby="jobs-outputs">
      <h2 id="jobs-outputs">Outputs</h2>
      {reservedCount(job) === 0 && <p class="soft">{emptyText(job)}</p>}
      {(job.outputs.length > 0 || !isFinished(job)) && (
        <ul class="jobs-outputs">
          {job.outputs.map((output) => (
            <li key={output.object_id}>
              <div class="jobs-output">
                <NamedResource
                  id={output.object_id}
                  name={outputTitles[output.kind] ?? output.kind}
                  href={`/${job.id}/outputs/${output.object_id}`}
                />
                <span class="soft">
                  {mimeName(output.mime)} · {formatBytes(output.bytes)} · from{' '}
                  {operationTitle(job.operations[output.operation_index]?.op ?? '')}
                </span>
              </div>
              {can('objects:download') && (
                <div class="row">
                  <ButtonLink
                    small
                    href={`/${job.id}/outputs/${output.object_id}`}
                    label={`Preview ${outputTitles[output.kind] ?? output.kind}`}
                  >
                    Preview
                  </ButtonLink>
                  {isComparable(output.kind) && (
                    <ButtonLink
                      small
                      href={`/${job.id}/outputs/${output.object_id}/compare`}
                      label={`Compare ${outputTitles[output.kind] ?? output.kind} with the original`}
                    >
                      Compare
                    </ButtonLink>
                  )}
                  <a
                    class="button small"
                    href={urlOf(requestFor('getObjectContent', { id: output.object_id }))}
                    download
                    aria-label={`Download ${outputTitles[output.kind] ?? output.kind}`}
                  >
                    Download
                  </a>
                </div>
              )}
              {can('documents:write') && (
                <Link href={`/new?object=${output.object_id}`}>Start job with this output</Link>
              )}
            </li>
          ))}
          {Array.from({ length: reservedCount(job) - job.outputs.length }, (_, at) => (
            <li key={at} class="jobs-expected" aria-hidden="true">
              <span class="skeleton" />
            </li>
          ))}
        </ul>
      )}
      {isFinished(job) && job.outputs.some(({ kind }) => kind.startsWith('redacted_')) && (
        <div class="row">
          <CertificateButtons jobId={job.id} />
        </div>
      )}
      {job.outputs.length > 0 && !can('objects:download') && (
        <p class="soft">
          Viewing and downloading outputs requires the scope <code>objects:download</code>.
        </p>
      )}
    </section>
  );
}

/**
 * Returns the number of outputs to reserve space for. For a running job, this is an estimate from
 * its options.
 */
function reservedCount(job: JobRecord): number {
  if (isFinished(job)) return job.outputs.length;
  const outputCounts = job.operations
    .filter(({ implicit }) => !implicit)
    .map(({ op, options: { output } }) =>
      op === 'redact_pii' ? 1 : Array.isArray(output) ? output.length : 0,
    );
  return Math.max(
    job.outputs.length,
    outputCounts.reduce((sum, count) => sum + count, 0),
  );
}

function emptyText(job: JobRecord): string {
  if (!isFinished(job)) return 'Outputs appear here once they are created.';
  if (job.state === 'succeeded') {
    return 'These operations create no outputs. See their results above.';
  }
  return 'No outputs';
}
