import { createInterface } from 'node:readline';
import type { Scriptorium } from '../../client.ts';
import { ScriptoriumError } from '../../error.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit-codes.ts';

/** The error of JSON-RPC for a message that could not be passed on. */
const serverError = -32_000;

/** Passes messages of the Model Context Protocol from stdin to `POST /mcp`, and the answers to stdout. */
export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the project to a language model, over the Model Context Protocol on stdio.',
  usage: '',
  arity: [0, 0],
  options: {},
  help: 'Chat clients and editors start it. Its tools are those that the scopes of the key allow.',
  examples: ['mcp', 'mcp --key-file reader.key'],
  async run({ client, signal }) {
    const lines = createInterface({ input: process.stdin, crlfDelay: Infinity, signal });
    // A slow call does not delay the others.
    const pending: Promise<void>[] = [];
    for await (const line of lines) {
      if (line.trim() !== '') pending.push(passOn(client, line, signal));
    }
    await Promise.all(pending);
    return exit.success;
  },
};

async function passOn(client: Scriptorium, message: string, signal: AbortSignal): Promise<void> {
  const answer = await send(client, message, signal);
  // Notifications have no answer.
  if (answer !== '') process.stdout.write(`${answer}\n`);
}

async function send(client: Scriptorium, message: string, signal: AbortSignal): Promise<string> {
  try {
    return await client.transport.sendWithRetries(
      {
        method: 'POST',
        path: '/mcp',
        body: message,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        repeatable: 'untouched',
      },
      { signal },
      (response) => response.text(),
    );
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error;
    const id = idOf(message);
    const failure = { code: serverError, message: error.message };
    return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, error: failure });
  }
}

/** The id of a message; undefined for a notification, and null if the message cannot be read. */
function idOf(message: string): unknown {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  } catch {
    return null;
  }
}
