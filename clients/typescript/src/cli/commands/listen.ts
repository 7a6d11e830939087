import { readFile, writeFile } from 'node:fs/promises';
import type { TypedEvent } from '../../resources/events.ts';
import { causeCode } from '../../retry.ts';
import { signWebhook } from '../../webhook.ts';
import type { Call, Command } from '../command.ts';
import { exit, Interrupted, UsageError } from '../exit.ts';
import { printable } from '../terminal.ts';

/** As long as the service waits for an answer. */
const timeoutMs = 15_000;

/** What became of a message. */
interface Forwarded {
  event_id: string;
  type: string;
  /** Null where nobody answered. */
  status: number | null;
  error: string | null;
  duration_ms: number;
}

export const listen: Command = {
  name: 'webhooks listen',
  summary: 'Forward events to a local address, signed as webhooks are.',
  takes: '',
  arity: [0, 0],
  options: {
    forward: { value: 'URL', help: 'where to: http://localhost:3000/hook (needed)' },
    type: { value: 'TYPE', many: true, help: "only these; 'documents.*' stands for all of them" },
    after: {
      value: 'WHERE',
      help: 'an event (evt_…) or sequence to begin after; else from now on',
    },
    'secret-file': { value: 'FILE', help: 'keep the secret here, so that it stays the same' },
  },
  help: `Prints a secret for your receiver to verify with, then a line for each event: what your
receiver answered and how long it took. One at a time and once each: what fails is said, and not
sent again. Nothing is registered with the service. Ends with Ctrl-C.`,
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
    output.note(`Forwarding to ${printable(url)}; Ctrl-C ends it.`);
    try {
      for await (const event of client.events.stream(query, { signal, onBreak: output.broke })) {
        const done = await forward(url, secret, event, signal);
        output.result(done, described(call, done));
      }
    } catch (error) {
      // There is no other end.
      if (!(error instanceof Interrupted)) throw error;
    }
    return exit.fine;
  },
};

/** The body of a webhook: the event without what only readers see, and with a `timestamp`. */
export function frame(event: TypedEvent): string {
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
    // The exchange is over when all of the answer is there, as it is for the service.
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { status: null, error: `no answer in ${timeoutMs / 1_000} s` };
    const why = causeCode(error) || (error instanceof Error ? error.message : String(error));
    return { status: null, error: `not reached (${why})` };
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
    ...(good ? [] : ['not sent again']),
  ].join('  ');
}

function readTarget(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--forward URL is missing.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new UsageError(`--forward takes an http or https URL, not '${text}'.`);
}

/** A new secret, or the one in the file, which is made when it is not there. */
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
