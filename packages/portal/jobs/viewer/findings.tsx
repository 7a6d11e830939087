import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PageRecord } from '@scriptorium/contracts/wire/jobs';
import { Copy, State } from '../../kit/values.tsx';
import { operationTitle } from '../words.ts';
import { describeEntity } from './overlay.tsx';

/** The results of each operation on the page. */
export function Findings(props: {
  rows: readonly PageRecord[];
  mayReadPii: boolean;
  /** The index of the finding whose boxes are highlighted on the page. */
  picked: number | null;
  onPick: (at: number | null) => void;
}) {
  const { rows, mayReadPii, picked, onPick } = props;
  const redacts = rows.some(({ op }) => op === 'redact_pii');
  return (
    <div class="page-side">
      {rows.length === 0 && <p class="notice">The job did not process this page.</p>}
      {rows.map((row) => (
        <section key={row.operation_index} class="card stack" aria-label={operationTitle(row.op)}>
          <div class="row">
            <h2>{operationTitle(row.op)}</h2>
            <State state={row.state} />
          </div>
          {row.error && (
            <div class="notice bad">
              <p>{row.error.message}</p>
              <p class="mono">{row.error.code}</p>
            </div>
          )}
          <Numbers row={row} />
          {row.entities && <Entities row={row} picked={picked} onPick={onPick} />}
          {row.text !== null && row.text !== '' && (
            <details open={rows.length < 3}>
              <summary>{row.op === 'redact_pii' ? 'Redacted text' : 'Text'}</summary>
              <div class="stack">
                <div>
                  <Copy text={row.text} what={`the text of “${operationTitle(row.op)}”`} />
                </div>
                <pre class="code page-text" tabIndex={0} dir="auto">
                  {row.text}
                </pre>
              </div>
            </details>
          )}
        </section>
      ))}
      {redacts && !mayReadPii && (
        <p class="notice">
          Values and unredacted text require the scope <code>pii:read</code>, which this API key
          does not have.
        </p>
      )}
    </div>
  );
}

function Numbers({ row }: { row: PageRecord }) {
  const { mean_confidence: confidence, characters, blank } = row.result ?? {};
  const said = [
    typeof confidence === 'number' ? `confidence ${Math.round(confidence * 100)}%` : undefined,
    typeof characters === 'number' ? pluralise(characters, 'character') : undefined,
    blank === true ? 'blank' : undefined,
    row.state === 'skipped' && row.op === 'ocr' ? 'already has text' : undefined,
  ].filter((one) => one !== undefined);
  return said.length > 0 ? <p>{said.join(', ')}</p> : null;
}

function Entities(props: {
  row: PageRecord;
  picked: number | null;
  onPick: (at: number | null) => void;
}) {
  const { picked, onPick } = props;
  const found = props.row.entities ?? [];
  if (found.length === 0) return <p>No personal data found on this page</p>;
  return (
    <ul class="page-found" aria-label="Personal data found">
      {found.map((entity, at) => (
        <li key={at}>
          <button
            type="button"
            class="page-finding"
            aria-pressed={at === picked}
            onClick={() => onPick(at === picked ? null : at)}
          >
            <bdi>{describeEntity(entity)}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
