import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PageRecord } from '@scriptorium/contracts/wire/jobs';
import { CopyButton, StateBadge } from '../../kit/values.tsx';
import { operationTitle } from '../job-display.ts';
import { describeEntity } from './overlay.tsx';

/** The results of each operation on the page. */
export function PageResults(props: {
  rows: readonly PageRecord[];
  canReadPii: boolean;
  /** The index of the finding whose boxes are highlighted on the page. */
  selectedIndex: number | null;
  onSelect: (at: number | null) => void;
}) {
  const { rows, canReadPii, selectedIndex, onSelect } = props;
  const hasRedaction = rows.some(({ op }) => op === 'redact_pii');
  return (
    <div class="page-side">
      {rows.length === 0 && <p class="notice">The job did not process this page.</p>}
      {rows.map((row) => (
        <section key={row.operation_index} class="card stack" aria-label={operationTitle(row.op)}>
          <div class="row">
            <h2>{operationTitle(row.op)}</h2>
            <StateBadge state={row.state} />
          </div>
          {row.error && (
            <div class="notice bad">
              <p>{row.error.message}</p>
              <p class="mono">{row.error.code}</p>
            </div>
          )}
          <PageMetrics row={row} />
          {row.entities && (
            <FindingList row={row} selectedIndex={selectedIndex} onSelect={onSelect} />
          )}
          {row.text !== null && row.text !== '' && (
            <details open={rows.length < 3}>
              <summary>{row.op === 'redact_pii' ? 'Redacted text' : 'Text'}</summary>
              <div class="stack">
                <div>
                  <CopyButton text={row.text} subject={`the text of “${operationTitle(row.op)}”`} />
                </div>
                <pre class="code page-text" tabIndex={0} dir="auto">
                  {row.text}
                </pre>
              </div>
            </details>
          )}
        </section>
      ))}
      {hasRedaction && !canReadPii && (
        <p class="notice">
          Values and unredacted text require the scope <code>pii:read</code>, which this API key
          does not have.
        </p>
      )}
    </div>
  );
}

function PageMetrics({ row }: { row: PageRecord }) {
  const { mean_confidence: confidence, characters, blank } = row.result ?? {};
  const parts = [
    typeof confidence === 'number' ? `confidence ${Math.round(confidence * 100)}%` : undefined,
    typeof characters === 'number' ? pluralise(characters, 'character') : undefined,
    blank === true ? 'blank' : undefined,
    row.state === 'skipped' && row.op === 'ocr' ? 'already has text' : undefined,
  ].filter((one) => one !== undefined);
  return parts.length > 0 ? <p>{parts.join(', ')}</p> : null;
}

function FindingList(props: {
  row: PageRecord;
  selectedIndex: number | null;
  onSelect: (at: number | null) => void;
}) {
  const { selectedIndex, onSelect } = props;
  const entities = props.row.entities ?? [];
  if (entities.length === 0) return <p>No personal data found on this page</p>;
  return (
    <ul class="page-found" aria-label="Personal data found">
      {entities.map((entity, at) => (
        <li key={at}>
          <button
            type="button"
            class="page-finding"
            aria-pressed={at === selectedIndex}
            onClick={() => onSelect(at === selectedIndex ? null : at)}
          >
            <bdi>{describeEntity(entity)}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
