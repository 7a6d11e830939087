import type { Command } from '../command.ts';
import { exit, Interrupted } from '../exit-codes.ts';
import { printable } from '../terminal.ts';
import { readLimit } from './limit.ts';

const tail: Command = {
  name: 'events tail',
  summary: 'Follow events as they happen. Reconnects automatically.',
  usage: '',
  arity: [0, 0],
  options: {
    type: {
      value: 'TYPE',
      many: true,
      help: "only these event types; 'documents.*' matches a prefix",
    },
    after: {
      value: 'WHERE',
      help: 'start after this event (evt_…) or sequence; 0 starts at the first',
    },
    resource: { value: 'ID', help: 'only events of this resource' },
    audit: { help: 'audit events; requires audit:read' },
    limit: { value: 'N', help: 'stop after this many events' },
  },
  help: 'Prints time, sequence, type and resource, or with --json the whole event. Press Ctrl-C to stop.',
  examples: [
    "events tail --type 'documents.*'",
    'events tail --after 0 --json | jq -r .type',
    'events tail --resource job_… --limit 1',
  ],
  async run({ client, output, options, signal }) {
    const max = options.text('limit') === undefined ? Number.POSITIVE_INFINITY : readLimit(options);
    const resource = options.text('resource');
    const query = {
      type: options.list('type'),
      after: options.text('after'),
      resource_id: resource === undefined ? undefined : [resource],
      category: options.flag('audit') ? ('audit' as const) : undefined,
    };
    let count = 0;
    try {
      for await (const event of client.events.stream(query, {
        signal,
        onBreak: output.reportBreak,
      })) {
        const { occurred_at: at, sequence, type, resource_id } = event;
        output.result(event, [at, sequence, type, printable(resource_id)].join('  '));
        count += 1;
        if (count >= max) break;
      }
    } catch (error) {
      // Ctrl-C is the usual way to stop.
      if (!(error instanceof Interrupted)) throw error;
    }
    return exit.success;
  },
};

export const eventCommands = [tail];
