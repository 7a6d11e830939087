import { setTimeout as wait } from 'node:timers/promises';
import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from '@scriptorium/pii/finding';
import { mainLanguage } from '@scriptorium/pii/language';
import { Agent, request } from 'undici';
import { RecogniserError, readAnswer } from './answer.ts';
import { chunksOf } from './chunks.ts';

/** The external recogniser that the operator has configured. */
export interface RecogniserSettings {
  /** The URL of `/analyze`. */
  url: URL;
  /** Our types by the recogniser's own. */
  types: ReadonlyMap<string, EntityType>;
  /** The languages it supports. Texts in others are sent as the first. */
  languages: readonly string[];
  timeoutMs: number;
  /** Pauses before a request is sent again. Default: 250 ms, 1 s. */
  retryMs?: readonly number[];
  /** How long nothing is sent after all attempts have failed. Default: 5 s. */
  restMs?: number;
}

/** An HTTP service that finds personal data in text, as Presidio's analyzer does. */
export interface Recogniser {
  /**
   * Returns the findings in a text, in UTF-16 units.
   * @throws RecogniserError if it is unavailable or its answer is malformed
   */
  find(text: string, minScore: number, signal: AbortSignal): Promise<PiiFinding[]>;
  close(): Promise<void>;
}

/** Larger responses are not read. */
const maxResponseBytes = 4 * 1024 * 1024;
const maxConnections = 8;

export function createRecogniser({
  url,
  types,
  languages,
  timeoutMs,
  retryMs = [250, 1_000],
  restMs = 5_000,
}: RecogniserSettings): Recogniser {
  const dispatcher = new Agent({ connections: maxConnections, connect: { timeout: timeoutMs } });
  const { target, authorization } = splitCredentials(url);
  let restsUntil = 0;

  async function ask(text: string, minScore: number, signal: AbortSignal): Promise<string> {
    const language = mainLanguage(text);
    const body = JSON.stringify({
      text,
      language: languages.find((known) => known === language) ?? languages[0],
      score_threshold: minScore,
    });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(authorization === null ? {} : { authorization }),
    };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await request(target, {
        method: 'POST',
        headers,
        body,
        signal: deadline,
        dispatcher,
      });
      return await readBody(response);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RecogniserError) throw error;
      const reason = deadline.aborted
        ? `it did not respond within ${timeoutMs / 1_000} s`
        : 'the connection failed';
      throw new RecogniserError(reason, true);
    }
  }

  async function askRepeatedly(
    text: string,
    minScore: number,
    signal: AbortSignal,
  ): Promise<string> {
    if (performance.now() < restsUntil) throw new RecogniserError('it was unavailable', true);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await ask(text, minScore, signal);
      } catch (error) {
        if (!(error instanceof RecogniserError && error.isTransient)) throw error;
        const pauseMs = retryMs[attempt];
        if (pauseMs === undefined) {
          restsUntil = performance.now() + restMs;
          throw error;
        }
        await wait(pauseMs, undefined, { signal });
      }
    }
  }

  return {
    async find(text, minScore, signal) {
      const found: PiiFinding[] = [];
      for (const chunk of chunksOf(text)) {
        if (chunk.text.trim() === '') continue;
        // Halves of surrogate pairs have no form in UTF-8.
        const sent = chunk.text.replace(/\p{Surrogate}/gu, '\ufffd');
        const answer = readAnswer(await askRepeatedly(sent, minScore, signal), sent, types);
        for (const finding of answer) {
          if (finding.score < minScore) continue;
          found.push({
            ...finding,
            start: finding.start + chunk.start,
            end: finding.end + chunk.start,
          });
        }
      }
      return found;
    },
    close: () => dispatcher.destroy(),
  };
}

/** Credentials of the URL are sent as a header. */
function splitCredentials(url: URL): { target: URL; authorization: string | null } {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  if (url.username === '' && url.password === '') return { target, authorization: null };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { target, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Redirects are not followed: the text would be sent to a service that the operator did not name. */
async function readBody({
  statusCode,
  body,
}: Awaited<ReturnType<typeof request>>): Promise<string> {
  if (statusCode !== 200) {
    // Ends with an error, since the body was not read.
    body.on('error', () => undefined).destroy();
    const isTransient = statusCode >= 500 || statusCode === 429;
    throw new RecogniserError(`it responded with the status ${statusCode}`, isTransient);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxResponseBytes) {
      throw new RecogniserError(`its response is larger than ${maxResponseBytes} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
