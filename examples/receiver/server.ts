import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Journal } from './journal.ts';
import { accept, type Order } from './order.ts';
import { type Message, WebhookVerificationError } from './verify.ts';

/** The maximum size of an event. */
const maxBytes = 1024 * 1024;

/**
 * The HTTP server: verifies the bytes as received, stores the message and returns 204. The event is
 * handled afterwards, so that the sender does not wait.
 */
export function createReceiver(parts: {
  verify: (body: Buffer, headers: IncomingMessage['headers']) => Message;
  journal: Journal;
  order: Order;
  log: (message: string) => void;
}): Server {
  const answer = async (request: IncomingMessage): Promise<[status: number, text?: string]> => {
    if (request.url !== '/hooks') return [404, 'Send webhooks to /hooks.'];
    if (request.method !== 'POST') return [405, 'Send webhooks with POST.'];
    const body = await readBody(request);
    if (!body) return [413, 'The body is larger than any event.'];
    let message: Message;
    try {
      message = parts.verify(body, request.headers);
    } catch (error) {
      if (error instanceof WebhookVerificationError) return [401, error.message];
      return [400, 'The body is not an event.'];
    }
    await accept(parts.journal, parts.order, message);
    return [204];
  };
  return createServer((request, response) => {
    answer(request).then(
      ([status, text]) => response.writeHead(status, { allow: 'POST' }).end(text),
      (error: unknown) => {
        // The message was not stored. Any 5xx makes the sender retry.
        parts.log(
          `a message could not be stored: ${error instanceof Error ? error.message : error}`,
        );
        response.writeHead(500).end();
      },
    );
  });
}

/** The body exactly as received; null if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
