import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../api/hooks.ts';
import type { ApiProblem } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { formatBytes, formatCount, Progress } from '../../kit/values.tsx';
import { BrokenOff, download, type Received } from './download.ts';
import { countRecords, type ExportForm, exportRecords, type Filters } from './requests.ts';

const forms: readonly (readonly [ExportForm, string])[] = [
  ['csv', 'Table (CSV), for a spreadsheet'],
  ['ndjson', 'Lines of JSON (NDJSON), for programs'],
];

type Stage =
  | { name: 'choosing' }
  | { name: 'running'; received: Received }
  | { name: 'done'; received: Received; file: string }
  | { name: 'broken'; received: Received }
  | { name: 'refused'; problem: ApiProblem };

/** Puts what is filtered into a file, all of it or nothing. */
export function ExportDialog({ filters, onClose }: { filters: Filters; onClose: () => void }) {
  const [form, setForm] = useState<ExportForm>('csv');
  const [stage, setStage] = useState<Stage>({ name: 'choosing' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const count = useAnswer(countRecords(filters));
  const total = count.data?.total ?? null;
  const filtered = Object.keys(filters.values).length > 0;
  const busy = stage.name === 'running';

  const start = async () => {
    const gone = new AbortController();
    running.current = gone;
    const file = `audit-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${form}`;
    let received: Received = { bytes: 0, lines: 0 };
    setStage({ name: 'running', received });
    try {
      await download(exportRecords(filters, form), file, gone.signal, (now) => {
        received = now;
        setStage({ name: 'running', received });
      });
      setStage({ name: 'done', received, file });
    } catch (error) {
      if (gone.signal.aborted) setStage({ name: 'choosing' });
      else if (error instanceof BrokenOff) setStage({ name: 'broken', received });
      else setStage({ name: 'refused', problem: asProblem(error) });
    }
  };
  // The first line of a table is its head.
  const recordsIn = ({ lines }: Received) => Math.max(0, form === 'csv' ? lines - 1 : lines);
  return (
    <Dialog
      title="Export"
      onClose={onClose}
      footer={
        <>
          <ApiCalls calls={[['Export', exportRecords(filters, form)]]} />
          {busy ? (
            <Button onClick={() => running.current?.abort()}>Stop</Button>
          ) : (
            <Button onClick={onClose}>Close</Button>
          )}
          <Button primary busy={busy} onClick={() => void start()}>
            {stage.name === 'broken' ? 'Try again' : 'Export'}
          </Button>
        </>
      }
    >
      <p>
        {total === null ? 'Every record' : `${formatCount(total)} records`}{' '}
        {filtered ? 'that the filters leave' : 'that are kept'}, the newest first.
      </p>
      <ProblemNotice problem={count.problem} />
      <SelectField
        label="Form"
        value={form}
        options={forms}
        hint={
          form === 'csv'
            ? 'Values that a spreadsheet would run as formulas begin with an apostrophe.'
            : 'Each line is the record as the API shows it.'
        }
        onChange={(value) => {
          setForm(value === 'ndjson' ? 'ndjson' : 'csv');
          setStage({ name: 'choosing' });
        }}
      />
      {stage.name === 'running' && (
        <>
          <Progress
            label="Export"
            percent={
              total ? Math.min(100, Math.round((100 * recordsIn(stage.received)) / total)) : 0
            }
          />
          <p role="status">
            {formatCount(recordsIn(stage.received))} records, {formatBytes(stage.received.bytes)}
          </p>
        </>
      )}
      {stage.name === 'done' && (
        <p class="notice good" role="status">
          {formatCount(recordsIn(stage.received))} records, {formatBytes(stage.received.bytes)}:{' '}
          {stage.file}
        </p>
      )}
      {stage.name === 'broken' && (
        <div class="notice bad" role="alert">
          <p>
            The export broke off after {formatCount(recordsIn(stage.received))} records
            {total !== null && ` of ${formatCount(total)}`}, and no file was saved: half an export
            looks like a whole one.
          </p>
          <p>
            The connection was lost, the key of this session was revoked, or records passed out of
            their 90 days meanwhile. Try again.
          </p>
        </div>
      )}
      {stage.name === 'refused' && <ProblemNotice problem={stage.problem} />}
    </Dialog>
  );
}
