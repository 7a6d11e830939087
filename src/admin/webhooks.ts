import { listCircuits } from '../webhooks/circuit-queries.ts';
import { type Command, formatTable } from './command.ts';

export const webhookCommands: Command[] = [
  {
    name: 'webhook list',
    options: { all: { summary: 'include healthy webhooks' } },
    summary: 'list unhealthy webhooks: failing, circuit open, or paused with a backlog',
    async run(input, { asOwner }) {
      const webhooks = await asOwner((tx) => listCircuits(tx, input.flag('all')));
      if (webhooks.length === 0) return { json: { webhooks }, text: 'All webhooks are healthy.' };
      const headings = ['WEBHOOK', 'PROJECT', 'ORIGIN', 'STATE', 'CIRCUIT', 'FAILING SINCE'];
      const rows = webhooks.map((each) => [
        each.id,
        each.project_id,
        each.origin,
        each.state,
        each.circuit,
        each.failing_since?.toISOString(),
        each.failures_in_row,
        each.pending,
        each.last_error?.code,
      ]);
      return {
        json: { webhooks },
        text: formatTable([...headings, 'FAILURES', 'PENDING', 'LAST ERROR'], rows),
      };
    },
  },
];
