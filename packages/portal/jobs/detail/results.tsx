import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { formatCount } from '../../kit/count.ts';
import { entityTitle } from '../../kit/entity-titles.ts';
import { Fact } from '../../kit/fact.tsx';
import { State } from '../../kit/values.tsx';
import { inWords, operationTitle, took } from '../words.ts';

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
        <State state={state} />
      </div>
      <p class="soft">
        <code>{op}</code>
        {implicit && ' · added by the service to read the pages; creates no outputs'}
        {started_at && finished_at && ` · took ${took(started_at, finished_at)}`}
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
      {result && <Found op={op} result={result} />}
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

function Found({ op, result }: { op: string; result: Result }) {
  if (op === 'redact_pii') return <Redacted result={result} />;
  if (op === 'classify') return <Classified result={result} />;
  const shown = Object.entries(result).filter(([, value]) => value !== null);
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <Fact
          key={name}
          name={inWords(name)}
          value={name === 'mean_confidence' ? percent(value) : plain(value)}
        />
      ))}
    </dl>
  );
}

function Redacted({ result }: { result: Result }) {
  const found = Object.entries(fieldsOf(result.entities_by_type));
  const checks = Array.isArray(result.checks) ? result.checks.map(fieldsOf) : [];
  return (
    <>
      <p class={`notice ${result.verified === true ? 'good' : 'bad'}`}>
        {result.verified === true
          ? 'Verified: an independent check confirmed that everything found was removed.'
          : 'Not verified: parts of the document could not be processed and were left out of the output.'}
      </p>
      {found.length === 0 ? (
        <p>No personal data found</p>
      ) : (
        <dl class="facts">
          {found.map(([type, number]) => (
            <Fact key={type} name={entityTitle(type)} value={plain(number)} />
          ))}
        </dl>
      )}
      <p class="soft">
        {typeof result.profile === 'string' && <>Profile: {result.profile}. </>}
        Regions removed: {plain(result.regions)}
      </p>
      {checks.length > 0 && (
        <details>
          <summary>
            {checks.filter(({ passed }) => passed === true).length} of {checks.length} checks passed
          </summary>
          <ul class="jobs-checks">
            {checks.map((check) => (
              <li key={plain(check.name)}>
                <strong>{check.passed === true ? 'Passed' : 'Failed'}</strong>{' '}
                {inWords(plain(check.name))} <span class="soft">{plain(check.detail)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Classified({ result }: { result: Result }) {
  const labels = Array.isArray(result.labels) ? result.labels.map(fieldsOf) : [];
  const signals = Array.isArray(result.signals) ? result.signals : [];
  return (
    <>
      <ul class="jobs-labels">
        {labels.map(({ label, score }) => (
          <li key={plain(label)}>
            <span>{inWords(plain(label))}</span>
            <span class="jobs-bar" aria-hidden="true">
              <span style={{ width: percent(score) }} />
            </span>
            <span>{percent(score)}</span>
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

function fieldsOf(value: unknown): Result {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function plain(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString() : String(value ?? '–');
}

/** 0.987 as `98.7%`. */
function percent(value: unknown): string {
  return typeof value === 'number' ? `${Math.round(value * 1000) / 10}%` : '–';
}
