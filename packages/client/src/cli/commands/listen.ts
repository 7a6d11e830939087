import { readFile, writeFile } from 'node:fs/promises';
import type { TypedEvent } from '../../resources/events.ts';
import { causeCode } from '../../retry.ts';
import { signWebhook } from '../../webhook.ts';
import type { Call, Command } from '../command.ts';
import { exit, Interrupted, UsageError } from '../exit.ts';
import { printable } from '../terminal.ts';

/** The timeout of the service. */
const timeoutMs = 15_000;

/** The outcome of a message. */
interface Forwarded {
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
  takes: '',
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
      for await (const event of client.events.stream(query, { signal, onBreak: output.broke })) {
        const done = await forward(url, secret, event, signal);
        output.result(done, described(call, done));
      }
    } catch (error) {
      // The only way to stop it.
      if (!(error instanceof Interrupted)) throw error;
    }
    return exit.fine;
  },
};

/** The body of a webhook: the event with a `timestamp`, without the fields of the feed only. */
function frame(event: TypedEvent): string {
  const { id, type, project_id, resource_type, resource_id, category, sequence } = event;
  const { occurred_at, actor, request_id, data } = event;
  return JSON.stringify({
    ...{ id, type, timestamp: occurred_at, project_id, resource_type, resource_id },
    ...{ category, sequence, occurred_at, actor, request_id, data },
  });
}

async function forward(
  url: string,
  secret: string,
  event: TypedEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = frame(event);
  const headers = await signWebhook(body, secret, { id: event.id });
  const began = performance.now();
  const outcome = await post(url, { headers, body }, signal);
  const duration_ms = Math.round(performance.now() - began);
  return { event_id: event.id, type: event.type, ...outcome, duration_ms };
}

async function post(
  url: string,
  message: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<Pick<Forwarded, 'status' | 'error'>> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      ...message,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    // Like the service, waits for the whole response.
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { status: null, error: `no response in ${timeoutMs / 1_000} s` };
    const why = causeCode(error) || (error instanceof Error ? error.message : String(error));
    return { status: null, error: `unreachable (${why})` };
  }
}

function described({ output: { paint } }: Call, done: Forwarded): string {
  const good = done.status !== null && done.status >= 200 && done.status < 300;
  const answer = done.error ?? String(done.status);
  return [
    good ? paint.green(answer) : paint.red(answer),
    `${done.duration_ms} ms`,
    done.type,
    done.event_id,
    ...(good ? [] : ['not retried']),
  ].join('  ');
}

function readTarget(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--forward URL is required.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new UsageError(`--forward must be an http or https URL, not '${text}'.`);
}

/** A new secret, or the one in the file, which is created if missing. */
async function readSecret(file: string | undefined): Promise<string> {
  const made = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  if (file === undefined) return made;
  try {
    await writeFile(file, `${made}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
