import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { faultAt, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import type { Work } from '../store/work.ts';
import { typeNamed, typeOptions } from './use-tool-keys.ts';

/** Adds each occurrence of a text, and reports how many there are and on which pages. */
export function Everywhere(props: {
  work: Work;
  type: string;
  onType: (type: string) => void;
  onClose: () => void;
}) {
  const { work, type, onType, onClose } = props;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [found, setFound] = useState<FindingRecord[] | undefined>();
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setFound(undefined);
    const body = { text: text.trim(), everywhere: true as const, type: typeNamed(type) };
    const answer = await work.add(body, true);
    setBusy(false);
    if (answer instanceof ApiProblem) setProblem(answer);
    else setFound(answer);
  };
  const fault = faultAt(problem, '/text');
  return (
    <Dialog
      title="Redact everywhere"
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          {found && (
            <Button
              onClick={() => {
                void work.undo();
                setFound(undefined);
              }}
            >
              Undo
            </Button>
          )}
          <Button onClick={onClose}>{found ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" primary busy={busy} disabled={text.trim() === ''}>
            Redact everywhere
          </Button>
        </>
      }
    >
      <TextField
        label="Text"
        hint="Every place where it occurs is added. Case, accents and spaces are ignored."
        value={text}
        onInput={setText}
        fault={fault}
        autofocus
      />
      <SelectField label="Type" value={type} onChange={onType} options={typeOptions} />
      {!fault && <ProblemNotice problem={problem} />}
      {found && (
        <p class="notice good" role="status">
          {placesOf(found)}
        </p>
      )}
    </Dialog>
  );
}

/** Maximum number of pages listed. */
const named = 30;

function placesOf(found: readonly FindingRecord[]): string {
  const pages = [...new Set(found.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b);
  const list = pages.slice(0, named).join(', ');
  const more = pages.length > named ? ` and ${pages.length - named} more` : '';
  const where = pages.length === 0 ? '' : ` on page${pages.length === 1 ? '' : 's'} ${list}${more}`;
  return `${pluralise(found.length, 'place')}${where}. All will be redacted.`;
}
