import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Journal } from './journal.ts';
import { accept, type Order } from './order.ts';
import { type Message, NotVerified } from './verify.ts';

/** No event is larger, so larger bodies are rejected. */
const mostBytes = 1024 * 1024;

/**
 * The server: verifies the bytes as they came, keeps the message, answers 204. What the event is
 * about is handled afterwards, because the sender is waiting.
 */
export function createReceiver(parts: {
  verify: (body: Buffer, headers: IncomingMessage['headers']) => Message;
  journal: Journal;
  order: Order;
  log: (message: string) => void;
}): Server {
  const answer = async (request: IncomingMessage): Promise<[status: number, text?: string]> => {
    if (request.url !== '/hooks') return [404, 'Webhooks go to /hooks.'];
    if (request.method !== 'POST') return [405, 'Webhooks are POSTed.'];
    const body = await readBody(request);
    if (!body) return [413, 'This is larger than any event.'];
    let message: Message;
    try {
      message = parts.verify(body, request.headers);
    } catch (error) {
      if (error instanceof NotVerified) return [401, error.message];
      return [400, 'The body is not an event.'];
    }
    await accept(parts.journal, parts.order, message);
    return [204];
  };
  return createServer((request, response) => {
    answer(request).then(
      ([status, text]) => response.writeHead(status, { allow: 'POST' }).end(text),
      (error: unknown) => {
        // Not kept, so it must come again: any 5xx says that.
        parts.log(`a message could not be kept: ${error instanceof Error ? error.message : error}`);
        response.writeHead(500).end();
      },
    );
  });
}

/** The bytes exactly as they came; null when there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
