import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DownloadInterrupted, download } from '../../api/download.ts';
import { asProblem, useResource } from '../../api/hooks.ts';
import type { ApiProblem } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { ProblemNotice } from '../../kit/states.tsx';
import { Progress } from '../../kit/values.tsx';
import { type AuditFilters, type ExportFormat, exportRequest, recordsRequest } from './query.ts';

const formatOptions: readonly (readonly [ExportFormat, string])[] = [
  ['csv', 'CSV, for spreadsheets'],
  ['ndjson', 'NDJSON, for programs'],
];

/** What has arrived of an export. */
interface DownloadProgress {
  bytes: number;
  lines: number;
}

const newlineByte = 10;

type Stage =
  | { name: 'choosing' }
  | { name: 'running'; received: DownloadProgress }
  | { name: 'done'; received: DownloadProgress; file: string }
  | { name: 'interrupted'; received: DownloadProgress }
  | { name: 'failed'; problem: ApiProblem };

/** Exports the filtered records to a file: all of them, or none. */
export function ExportDialog({ filters, onClose }: { filters: AuditFilters; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const { stage, start, stop, reset } = useExport(filters, format);
  const baseRequest = recordsRequest(filters);
  const countQuery = { ...baseRequest.query, include: 'total', limit: 1 };
  const countResource = useResource({ ...baseRequest, query: countQuery });
  const total = countResource.data?.total ?? null;
  const isFiltered = Object.keys(filters.values).length > 0;
  const isRunning = stage.name === 'running';
  return (
    <Dialog
      title="Export"
      onClose={onClose}
      footer={
        <>
          <ApiCalls calls={[['Export', exportRequest(filters, format)]]} />
          {isRunning ? (
            <Button onClick={stop}>Stop</Button>
          ) : (
            <Button onClick={onClose}>Close</Button>
          )}
          <Button primary busy={isRunning} onClick={() => void start()}>
            {stage.name === 'interrupted' ? 'Try again' : 'Export'}
          </Button>
        </>
      }
    >
      <p>
        {total === null ? 'All records' : pluralise(total, 'record')}
        {isFiltered && ' matching the filters'}, newest first.
      </p>
      <ProblemNotice problem={countResource.problem} />
      <SelectField
        label="Format"
        value={format}
        options={formatOptions}
        hint={
          format === 'csv'
            ? 'Values that a spreadsheet would run as formulas are prefixed with an apostrophe.'
            : 'One JSON record per line, as returned by the API.'
        }
        onChange={(value) => {
          setFormat(value === 'ndjson' ? 'ndjson' : 'csv');
          reset();
        }}
      />
      <ExportStage stage={stage} format={format} total={total} />
    </Dialog>
  );
}

function useExport(filters: AuditFilters, format: ExportFormat) {
  const [stage, setStage] = useState<Stage>({ name: 'choosing' });
  const currentController = useRef<AbortController | null>(null);
  useEffect(() => () => currentController.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    currentController.current = controller;
    const file = `audit-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${format}`;
    let received: DownloadProgress = { bytes: 0, lines: 0 };
    setStage({ name: 'running', received });
    try {
      await download(exportRequest(filters, format), file, controller.signal, (chunk) => {
        const lines = chunk.reduce((sum, byte) => sum + (byte === newlineByte ? 1 : 0), 0);
        received = { bytes: received.bytes + chunk.length, lines: received.lines + lines };
        setStage({ name: 'running', received });
      });
      setStage({ name: 'done', received, file });
    } catch (error) {
      if (controller.signal.aborted) setStage({ name: 'choosing' });
      else if (error instanceof DownloadInterrupted) setStage({ name: 'interrupted', received });
      else setStage({ name: 'failed', problem: asProblem(error) });
    }
  };
  return {
    stage,
    start,
    stop: () => currentController.current?.abort(),
    reset: () => setStage({ name: 'choosing' }),
  };
}

/** The progress or outcome of an export. */
function ExportStage(props: { stage: Stage; format: ExportFormat; total: number | null }) {
  const { stage, format, total } = props;
  if (stage.name === 'choosing') return null;
  if (stage.name === 'failed') return <ProblemNotice problem={stage.problem} />;
  const { bytes, lines } = stage.received;
  // The first line of a CSV file is its header.
  const records = Math.max(0, format === 'csv' ? lines - 1 : lines);
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
