import { readFile, writeFile } from 'node:fs/promises';
import type { TypedEvent } from '../../resources/events.ts';
import { causeCode } from '../../retry.ts';
import { signWebhook } from '../../webhook.ts';
import type { Command, CommandContext } from '../command.ts';
import { exit, Interrupted, UsageError } from '../exit-codes.ts';
import { printable } from '../terminal.ts';

/** The timeout of the service for webhooks. */
const timeoutMs = 15_000;

/** The outcome of a message. */
interface ForwardResult {
  event_id: string;
  type: string;
  /** Null without a response. */
  status: number | null;
  error: string | null;
  duration_ms: number;
}

export const listen: Command = {
  name: 'webhooks listen',
  summary: 'Forward events to a local URL, signed like webhooks.',
  usage: '',
  arity: [0, 0],
  options: {
    forward: { value: 'URL', help: 'the target, such as http://localhost:3000/hook (required)' },
    type: {
      value: 'TYPE',
      many: true,
      help: "only these event types; 'documents.*' matches a prefix",
    },
    after: {
      value: 'WHERE',
      help: 'start after this event (evt_…) or sequence (default: now)',
    },
    'secret-file': { value: 'FILE', help: 'store the secret in this file to reuse it' },
  },
  help: `Prints the webhook secret, then a line per event with the response status of your receiver and the
duration. Each event is sent once, one at a time; failures are reported but not retried. Nothing is
registered with the service. Press Ctrl-C to stop.`,
  examples: [
    'webhooks listen --forward http://localhost:3000/hook',
    "webhooks listen --forward http://localhost:3000/hook --type 'documents.job.*' --after 0",
  ],
  async run(call) {
    const { client, output, options, signal } = call;
    const url = readTarget(options.text('forward'));
    const secret = await readSecret(options.text('secret-file'));
    const query = { type: options.list('type'), after: options.text('after') };
    output.result({ secret, forward: url }, `Your webhook secret is ${secret}`);
    output.note(`Forwarding to ${printable(url)}. Press Ctrl-C to stop.`);
    try {
      for await (const event of client.events.stream(query, {
        signal,
        onBreak: output.reportBreak,
      })) {
        const result = await forward(url, secret, event, signal);
        output.result(result, describeResult(call, result));
      }
    } catch (error) {
      // Ctrl-C is the only way to stop.
      if (!(error instanceof Interrupted)) throw error;
    }
    return exit.success;
  },
};

/** Returns the body of a webhook: the event with a `timestamp`, without fields of the feed. */
function webhookBody(event: TypedEvent): string {
  const { id, type, project_id, resource_type, resource_id, category, sequence } = event;
  const { occurred_at, actor, request_id, data } = event;
  return JSON.stringify({
    id,
    type,
    timestamp: occurred_at,
    project_id,
    resource_type,
    resource_id,
    category,
    sequence,
    occurred_at,
    actor,
    request_id,
    data,
  });
}

async function forward(
  url: string,
  secret: string,
  event: TypedEvent,
  signal: AbortSignal,
): Promise<ForwardResult> {
  const body = webhookBody(event);
  const headers = await signWebhook(body, secret, { id: event.id });
  const startedAt = performance.now();
  const outcome = await post(url, { headers, body }, signal);
  const duration_ms = Math.round(performance.now() - startedAt);
  return { event_id: event.id, type: event.type, ...outcome, duration_ms };
}

async function post(
  url: string,
  message: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<Pick<ForwardResult, 'status' | 'error'>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      ...message,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    // Like the service, waits for the whole response.
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { status: null, error: `no response in ${timeoutMs / 1_000} s` };
    const reason = causeCode(error) || (error instanceof Error ? error.message : String(error));
    return { status: null, error: `unreachable (${reason})` };
  }
}

function describeResult({ output: { paint } }: CommandContext, result: ForwardResult): string {
  const isSuccess = result.status !== null && result.status >= 200 && result.status < 300;
  const outcome = result.error ?? String(result.status);
  return [
    isSuccess ? paint.green(outcome) : paint.red(outcome),
    `${result.duration_ms} ms`,
    result.type,
    result.event_id,
    ...(isSuccess ? [] : ['not retried']),
  ].join('  ');
}

function readTarget(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--forward URL is required.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new UsageError(`--forward must be an http or https URL, not '${text}'.`);
}

/** Returns a new secret or, with a file, the secret in it. A missing file is created. */
async function readSecret(file: string | undefined): Promise<string> {
  const newSecret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  if (file === undefined) return newSecret;
  try {
    await writeFile(file, `${newSecret}\n`, { flag: 'wx', mode: 0o600 });
    return newSecret;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
