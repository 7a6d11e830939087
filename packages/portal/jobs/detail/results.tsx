import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { entityTitle } from '../../kit/entity-titles.ts';
import { Fact } from '../../kit/fact.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { StateBadge } from '../../kit/values.tsx';
import { durationBetween, humanise, operationTitle } from '../job-display.ts';

/** The operations of a job, with their results. */
export function OperationResults({ job }: { job: JobRecord }) {
  return (
    <section class="stack" aria-labelledby="jobs-operations">
      <h2 id="jobs-operations">Operations</h2>
      <div class="jobs-operations">
        {job.operations.map((operation) => (
          <OperationCard key={operation.index} operation={operation} />
        ))}
      </div>
    </section>
  );
}

function OperationCard({ operation }: { operation: JobRecord['operations'][number] }) {
  const { op, state, progress, result, error, implicit, started_at, finished_at } = operation;
  return (
    <article class="card stack">
      <div class="row">
        <h3>{operationTitle(op)}</h3>
        <StateBadge state={state} />
      </div>
      <p class="soft">
        <code>{op}</code>
        {implicit && ' · added by the service to read the pages; creates no outputs'}
        {started_at && finished_at && ` · took ${durationBetween(started_at, finished_at)}`}
      </p>
      {progress.pages_total !== null && (
        <p>
          {pluralise(progress.pages_succeeded, 'page')} done
          {progress.pages_skipped > 0 && `, ${formatCount(progress.pages_skipped)} skipped`}
          {progress.pages_failed > 0 && `, ${formatCount(progress.pages_failed)} failed`}
        </p>
      )}
      {error && (
        <div class="notice bad">
          <p>{error.message}</p>
          <p class="mono">{error.code}</p>
        </div>
      )}
      {result && <OperationResult op={op} result={result} />}
      <details>
        <summary>Options</summary>
        <pre class="code" tabIndex={0}>
          {JSON.stringify(operation.options, null, 2)}
        </pre>
      </details>
    </article>
  );
}

type Result = Record<string, unknown>;

function OperationResult({ op, result }: { op: string; result: Result }) {
  if (op === 'redact_pii') return <RedactionResult result={result} />;
  if (op === 'classify') return <ClassificationResult result={result} />;
  const entries = Object.entries(result).filter(([, value]) => value !== null);
  return (
    <dl class="facts">
      {entries.map(([name, value]) => (
        <Fact
          key={name}
          name={humanise(name)}
          value={name === 'mean_confidence' ? formatPercent(value) : formatValue(value)}
        />
      ))}
    </dl>
  );
}

function RedactionResult({ result }: { result: Result }) {
  const entityCounts = Object.entries(toRecord(result.entities_by_type));
  const checks = Array.isArray(result.checks) ? result.checks.map(toRecord) : [];
  return (
    <>
      <p class={`notice ${result.verified === true ? 'good' : 'bad'}`}>
        {result.verified === true
          ? 'Verified: an independent check confirmed that everything found was removed.'
          : 'Not verified: parts of the document could not be processed and were left out of the output.'}
      </p>
      {entityCounts.length === 0 ? (
        <p>No personal data found</p>
      ) : (
        <dl class="facts">
          {entityCounts.map(([type, number]) => (
            <Fact key={type} name={entityTitle(type)} value={formatValue(number)} />
          ))}
        </dl>
      )}
      <p class="soft">
        {typeof result.profile === 'string' && <>Profile: {result.profile}. </>}
        Regions removed: {formatValue(result.regions)}
      </p>
      <EmbeddedFiles result={result} />
      {checks.length > 0 && (
        <details>
          <summary>
            {checks.filter(({ passed }) => passed === true).length} of {checks.length} checks passed
          </summary>
          <ul class="jobs-checks">
            {checks.map((check) => (
              <li key={formatValue(check.name)}>
                <strong>{check.passed === true ? 'Passed' : 'Failed'}</strong>{' '}
                {humanise(formatValue(check.name))}{' '}
                <span class="soft">{formatValue(check.detail)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** What became of the pictures and PDF files inside a file without pages. */
function EmbeddedFiles({ result }: { result: Result }) {
  const counts = [result.embedded_redacted, result.embedded_kept, result.pictures_replaced];
  const [redacted = 0, kept = 0, replaced = 0] = counts.map(Number);
  if (!(redacted + kept + replaced > 0)) return null;
  return (
    <p class="soft">
      Pictures and PDF files inside: {formatCount(redacted)} redacted, {formatCount(kept)} kept.
      Pictures replaced: {formatCount(replaced)}.
    </p>
  );
}

function ClassificationResult({ result }: { result: Result }) {
  const labels = Array.isArray(result.labels) ? result.labels.map(toRecord) : [];
  const signals = Array.isArray(result.signals) ? result.signals : [];
  return (
    <>
      <ul class="jobs-labels">
        {labels.map(({ label, score }) => (
          <li key={formatValue(label)}>
            <span>{humanise(formatValue(label))}</span>
            <span class="jobs-bar" aria-hidden="true">
              <span style={{ width: formatPercent(score) }} />
            </span>
            <span>{formatPercent(score)}</span>
          </li>
        ))}
      </ul>
      {signals.length > 0 && (
        <details>
          <summary>Supporting signals</summary>
          <pre class="code" tabIndex={0}>
            {signals
              .map((signal) => (typeof signal === 'string' ? signal : JSON.stringify(signal)))
              .join('\n')}
          </pre>
        </details>
      )}
    </>
  );
}

function toRecord(value: unknown): Result {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function formatValue(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString() : String(value ?? '–');
}

/** 0.987 as `98.7%`. */
function formatPercent(value: unknown): string {
  return typeof value === 'number' ? `${Math.round(value * 1000) / 10}%` : '–';
}
