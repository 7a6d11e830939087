import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { faultAt, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import type { ReviewWork } from '../store/review-work.ts';
import { assignableType, typeOptions } from './use-tool-keys.ts';

/** Adds all occurrences of a text as findings, and reports their number and pages. */
export function RedactEverywhereDialog(props: {
  work: ReviewWork;
  type: string;
  onType: (type: string) => void;
  onClose: () => void;
}) {
  const { work, type, onType, onClose } = props;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [addedFindings, setAddedFindings] = useState<FindingRecord[] | undefined>();
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setAddedFindings(undefined);
    const body = { text: text.trim(), everywhere: true as const, type: assignableType(type) };
    const answer = await work.add(body, true);
    setBusy(false);
    if (answer instanceof ApiProblem) setProblem(answer);
    else setAddedFindings(answer);
  };
  const fault = faultAt(problem, '/text');
  return (
    <Dialog
      title="Redact everywhere"
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          {addedFindings && (
            <Button
              onClick={() => {
                void work.undo();
                setAddedFindings(undefined);
              }}
            >
              Undo
            </Button>
          )}
          <Button onClick={onClose}>{addedFindings ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" primary busy={busy} disabled={text.trim() === ''}>
            Redact everywhere
          </Button>
        </>
      }
    >
      <TextField
        label="Text"
        hint="Adds all occurrences. Case, accents and spaces are ignored."
        value={text}
        onInput={setText}
        fault={fault}
        autofocus
      />
      <SelectField label="Type" value={type} onChange={onType} options={typeOptions} />
      {!fault && <ProblemNotice problem={problem} />}
      {addedFindings && (
        <p class="notice good" role="status">
          {describeAdded(addedFindings)}
        </p>
      )}
    </Dialog>
  );
}

/** Maximum number of pages listed. */
const maxListedPages = 30;

function describeAdded(findings: readonly FindingRecord[]): string {
  const pages = [...new Set(findings.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b);
  const list = pages.slice(0, maxListedPages).join(', ');
  const more = pages.length > maxListedPages ? ` and ${pages.length - maxListedPages} more` : '';
  const location =
    pages.length === 0 ? '' : ` on page${pages.length === 1 ? '' : 's'} ${list}${more}`;
  return `${pluralise(findings.length, 'place')}${location}. All will be redacted.`;
}
