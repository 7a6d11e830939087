import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { streamOf } from './event.ts';
import type { Message } from './verify.ts';

/**
 * What this receiver must not forget, as lines of JSON in one file that only grows: messages that
 * were taken in, and how far each stream was handled. A line counts once it is on the disk.
 */
export interface Journal {
  /** Whether a message came before, however long ago. */
  knows(message: Message): boolean;
  /** Keeps a message; resolves when it is on the disk. */
  receive(message: Message): Promise<void>;
  /** Of the messages of a stream that are not handled yet, the one with the lowest sequence. */
  next(stream: string): Message | null;
  /** The replays that are not handled yet. */
  replays(stream: string): Message[];
  /** The sequence up to which a stream was handled. */
  position(stream: string): number;
  /** Every stream that anything is known of. */
  streams(): string[];
  /** Notes that a stream was handled up to and with an event. */
  advance(stream: string, sequence: number): Promise<void>;
  /** Notes that a replayed message was handled. */
  finish(message: Message): Promise<void>;
  close(): Promise<void>;
}

type Line =
  | { received: Message }
  | { position: { stream: string; sequence: number } }
  | { finished: string };

/** Opens the journal in a folder, shortened to what still matters. */
export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'journal.jsonl');
  const positions = new Map<string, number>();
  /** Not handled yet, by key. */
  const pending = new Map<string, Message>();
  /** Replays that were handled. Of other events the position says it, and it takes no room. */
  const finished = new Set<string>();

  const positionOf = (stream: string): number => positions.get(stream) ?? 0;
  const isHandled = ({ event, replayId }: Message): boolean =>
    replayId === null && event.sequence <= positionOf(streamOf(event));
  const take = (line: Line): void => {
    if ('received' in line) {
      // The feed may have been quicker than the disk.
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
  // A crash may have cut off what follows the last line break. It was never acknowledged.
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
    // Lines that come while others are on their way to the disk go there together, after them.
    next ??= last.then(async () => {
      const batch = queued.join('');
      queued = [];
      next = null;
      try {
        await file.appendFile(batch);
        await file.datasync();
        size += Buffer.byteLength(batch);
      } catch (error) {
        // Half a line would spoil the one after it.
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

/** Puts a file in the place of another, whole or not at all, and leaves it open for more. */
async function replaceFile(path: string, text: string): Promise<FileHandle> {
  const temporary = `${path}.new`;
  const written = await open(temporary, 'w', 0o600);
  await written.writeFile(text);
  await written.datasync();
  await written.close();
  await rename(temporary, path);
  return open(path, 'a', 0o600);
}
