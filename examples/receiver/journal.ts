import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { streamOf } from './event.ts';
import type { Message } from './verify.ts';

/**
 * The durable state of the receiver, as lines of JSON in an append-only file: the messages that were
 * accepted, and the position of each stream. A line counts once it has been flushed to disk.
 */
export interface Journal {
  /** Whether a message has been received before, at any time. */
  knows(message: Message): boolean;
  /** Stores a message; resolves once it is on disk. */
  receive(message: Message): Promise<void>;
  /** The pending message of a stream with the lowest sequence, or null. */
  next(stream: string): Message | null;
  /** The pending replays of a stream. */
  replays(stream: string): Message[];
  /** The sequence of the last handled event of a stream, or 0. */
  position(stream: string): number;
  /** The streams with a position or pending messages. */
  streams(): string[];
  /** Records that the events of a stream up to `sequence`, inclusive, were handled. */
  advance(stream: string, sequence: number): Promise<void>;
  /** Records that a replay was handled. */
  finish(message: Message): Promise<void>;
  close(): Promise<void>;
}

type Line =
  | { received: Message }
  | { position: { stream: string; sequence: number } }
  | { finished: string };

/** Opens the journal in a folder and removes lines that are no longer needed. */
export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'journal.jsonl');
  const positions = new Map<string, number>();
  /** Messages that are not handled yet, by key. */
  const pending = new Map<string, Message>();
  /** Replays that were handled. Other events need no entry: the position covers them. */
  const finished = new Set<string>();

  const positionOf = (stream: string): number => positions.get(stream) ?? 0;
  const isHandled = ({ event, replayId }: Message): boolean =>
    replayId === null && event.sequence <= positionOf(streamOf(event));
  const take = (line: Line): void => {
    if ('received' in line) {
      // The event may have been read from the feed while the message was being written.
      if (!isHandled(line.received)) pending.set(line.received.key, line.received);
    } else if ('finished' in line) {
      pending.delete(line.finished);
      finished.add(line.finished);
    } else {
      positions.set(line.position.stream, line.position.sequence);
      for (const message of pending.values()) if (isHandled(message)) pending.delete(message.key);
    }
  };

  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  // A crash may have truncated the last line. Its message was never acknowledged.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line !== '') take(JSON.parse(line) as Line);
  }
  const still: Line[] = [
    ...[...positions].map(([stream, sequence]) => ({ position: { stream, sequence } })),
    ...[...finished].map((key) => ({ finished: key })),
    ...[...pending.values()].map((message) => ({ received: message })),
  ];
  const file = await replaceFile(path, still.map(lineOf).join(''));

  let queued: string[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  let size = (await file.stat()).size;
  const write = (line: Line): Promise<void> => {
    queued.push(lineOf(line));
    // Lines that arrive during a write are written together, after it.
    next ??= last.then(async () => {
      const batch = queued.join('');
      queued = [];
      next = null;
      try {
        await file.appendFile(batch);
        await file.datasync();
        size += Buffer.byteLength(batch);
      } catch (error) {
        // A partial line would corrupt the next one.
        await file.truncate(size);
        throw error;
      }
    });
    const mine = next;
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    knows: (message) => pending.has(message.key) || finished.has(message.key) || isHandled(message),
    async receive(message) {
      await write({ received: message });
      take({ received: message });
    },
    next(stream) {
      let lowest: Message | null = null;
      for (const message of pending.values()) {
        if (message.replayId !== null || streamOf(message.event) !== stream) continue;
        if (!lowest || message.event.sequence < lowest.event.sequence) lowest = message;
      }
      return lowest;
    },
    replays: (stream) =>
      [...pending.values()].filter(
        ({ event, replayId }) => replayId !== null && streamOf(event) === stream,
      ),
    position: positionOf,
    streams: () => [
      ...new Set([
        ...positions.keys(),
        ...[...pending.values()].map(({ event }) => streamOf(event)),
      ]),
    ],
    async advance(stream, sequence) {
      const line = { position: { stream, sequence } };
      await write(line);
      take(line);
    },
    async finish({ key }) {
      await write({ finished: key });
      take({ finished: key });
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

const lineOf = (line: Line): string => `${JSON.stringify(line)}\n`;

/** Replaces a file atomically and opens it for appending. */
async function replaceFile(path: string, text: string): Promise<FileHandle> {
  const temporary = `${path}.new`;
  const written = await open(temporary, 'w', 0o600);
  await written.writeFile(text);
  await written.datasync();
  await written.close();
  await rename(temporary, path);
  return open(path, 'a', 0o600);
}
