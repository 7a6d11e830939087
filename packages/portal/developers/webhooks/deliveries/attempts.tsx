import type { AttemptRecord } from '@scriptorium/contracts/wire/webhooks';
import { Button } from '../../../kit/button.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { StateBadge, Time } from '../../../kit/values.tsx';

const triggerLabels: Record<string, string> = {
  schedule: 'scheduled',
  manual: 'redelivered manually',
  probe: 'probe of a failing endpoint',
};

/** The attempts at a delivery, latest first. */
export function Attempts(props: {
  attempts: readonly AttemptRecord[];
  /** The number of the attempt shown below. */
  openNumber: number;
  onOpen: (number: number) => void;
}) {
  const columns: readonly Column<AttemptRecord>[] = [
    {
      title: 'Attempt',
      kind: 'line',
      show: ({ number }) => (
        <Button
          small
          quiet
          class="webhook-attempt"
          pressed={number === props.openNumber}
          label={`Show attempt ${number}`}
          onClick={() => props.onOpen(number)}
        >
          {number}
        </Button>
      ),
    },
    { title: 'Time', kind: 'line', show: ({ at }) => <Time at={at} exact /> },
    { title: 'Outcome', show: ({ outcome }) => <StateBadge state={outcome} /> },
    {
      title: 'Response',
      kind: 'line',
      show: ({ status }) => (status === null ? 'None' : `HTTP ${status}`),
    },
    {
      title: 'Duration',
      kind: 'number',
      show: ({ duration_ms: ms }) => (ms === null ? '–' : `${Math.round(ms)} ms`),
    },
    {
      title: 'Error',
      show: ({ error }) => (error ? <code>{error.code}</code> : '–'),
    },
    {
      title: 'Trigger',
      show: ({ trigger }) => <span class="table-words">{triggerLabels[trigger] ?? trigger}</span>,
    },
  ];
  return (
    <Table
      label="Attempts, latest first"
      columns={columns}
      items={props.attempts.toReversed()}
      keyOf={({ number }) => String(number)}
    />
  );
}
