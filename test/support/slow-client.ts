import { type IncomingMessage, request } from 'node:http';
import type { TestApi } from './api.ts';
import { eventually } from './eventually.ts';

/** The data that a client received, and whether it was complete. */
interface SlowResponse {
  text: string;
  ended: 'whole' | 'broken off';
}

/**
 * Asks for lines of JSON and takes nothing more once the first bytes are there. What the sender is
 * doing by then is not known: it goes on until the buffers between the two are full.
 * @returns what takes the rest, to the end
 */
export async function requestSlowly(
  api: TestApi,
  path: string,
  { key = api.key } = {},
): Promise<() => Promise<SlowResponse>> {
  const client = request(api.url + path, {
    headers: {
      accept: 'application/x-ndjson',
      authorization: `Bearer ${key}`,
      'x-service-project-id': api.projectId,
    },
  });
  client.end();
  let text = '';
  let ended: SlowResponse['ended'] | undefined;
  const response = await new Promise<IncomingMessage>((resolve) =>
    client.once('response', resolve),
  );
  response.setEncoding('utf8');
  response.once('end', () => {
    ended ??= 'whole';
  });
  response.once('error', () => {
    ended ??= 'broken off';
  });
  await new Promise<void>((resolve) =>
    response.once('data', (chunk: string) => {
      text += chunk;
      response.pause();
      resolve();
    }),
  );
  return async () => {
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.resume();
    const ending = await eventually(async () => ended);
    return { text, ended: ending };
  };
}
