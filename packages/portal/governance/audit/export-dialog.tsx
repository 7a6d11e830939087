import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../api/hooks.ts';
import type { ApiProblem } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { formatCount } from '../../kit/count.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { Progress } from '../../kit/values.tsx';
import { DownloadInterrupted, download, type Received } from './download.ts';
import { type AuditFilters, type ExportForm, exportRecords, listRecords } from './query.ts';

const forms: readonly (readonly [ExportForm, string])[] = [
  ['csv', 'CSV, for spreadsheets'],
  ['ndjson', 'NDJSON, for programs'],
];

type Stage =
  | { name: 'choosing' }
  | { name: 'running'; received: Received }
  | { name: 'done'; received: Received; file: string }
  | { name: 'interrupted'; received: Received }
  | { name: 'failed'; problem: ApiProblem };

/** Exports the filtered records to a file: all of them, or none. */
export function ExportDialog({ filters, onClose }: { filters: AuditFilters; onClose: () => void }) {
  const [form, setForm] = useState<ExportForm>('csv');
  const { stage, start, stop, reset } = useExport(filters, form);
  const listed = listRecords(filters);
  const counted = { ...listed.query, include: 'total', limit: 1 };
  const count = useAnswer({ ...listed, query: counted });
  const total = count.data?.total ?? null;
  const filtered = Object.keys(filters.values).length > 0;
  const busy = stage.name === 'running';
  return (
    <Dialog
      title="Export"
      onClose={onClose}
      footer={
        <>
          <ApiCalls calls={[['Export', exportRecords(filters, form)]]} />
          {busy ? <Button onClick={stop}>Stop</Button> : <Button onClick={onClose}>Close</Button>}
          <Button primary busy={busy} onClick={() => void start()}>
            {stage.name === 'interrupted' ? 'Try again' : 'Export'}
          </Button>
        </>
      }
    >
      <p>
        {total === null ? 'All records' : pluralise(total, 'record')}
        {filtered && ' matching the filters'}, newest first.
      </p>
      <ProblemNotice problem={count.problem} />
      <SelectField
        label="Format"
        value={form}
        options={forms}
        hint={
          form === 'csv'
            ? 'Values that a spreadsheet would run as formulas are prefixed with an apostrophe.'
            : 'One JSON record per line, as returned by the API.'
        }
        onChange={(value) => {
          setForm(value === 'ndjson' ? 'ndjson' : 'csv');
          reset();
        }}
      />
      <ExportStage stage={stage} form={form} total={total} />
    </Dialog>
  );
}

function useExport(filters: AuditFilters, form: ExportForm) {
  const [stage, setStage] = useState<Stage>({ name: 'choosing' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
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
      else if (error instanceof DownloadInterrupted) setStage({ name: 'interrupted', received });
      else setStage({ name: 'failed', problem: asProblem(error) });
    }
  };
  return {
    stage,
    start,
    stop: () => running.current?.abort(),
    reset: () => setStage({ name: 'choosing' }),
  };
}

/** The progress or outcome of an export. */
function ExportStage(props: { stage: Stage; form: ExportForm; total: number | null }) {
  const { stage, form, total } = props;
  if (stage.name === 'choosing') return null;
  if (stage.name === 'failed') return <ProblemNotice problem={stage.problem} />;
  const { bytes, lines } = stage.received;
  // The first line of a CSV file is its header.
  const records = Math.max(0, form === 'csv' ? lines - 1 : lines);
  const size = `${pluralise(records, 'record')}, ${formatBytes(bytes)}`;
  if (stage.name === 'done') {
    return (
      <p class="notice good" role="status">
        {size}: {stage.file}
      </p>
    );
  }
  if (stage.name === 'running') {
    const percent = total ? Math.min(100, Math.round((100 * records) / total)) : 0;
    return (
      <>
        <Progress label="Export" percent={percent} />
        <p role="status">{size}</p>
      </>
    );
  }
  return (
    <div class="notice bad" role="alert">
      <p>
        The export was interrupted after {pluralise(records, 'record')}
        {total !== null && ` of ${formatCount(total)}`}. No file was saved, because a partial export
        would look complete.
      </p>
      <p>
        The connection was lost, the session’s API key was revoked, or records expired during the
        export. Try again.
      </p>
    </div>
  );
}
