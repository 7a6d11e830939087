import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '@scriptorium/sandbox/errors';

/** Reads values from a file with one JSON value per line. Throws EngineError `invalid_argument`. */
export async function* readJsonLines<T>(
  path: string,
  isValid: (value: unknown) => value is T,
): AsyncGenerator<T> {
  const file = await open(path);
  try {
    for await (const line of file.readLines()) {
      if (line.trim() === '') continue;
      const value: unknown = JSON.parse(line);
      if (!isValid(value))
        throw new EngineError('invalid_argument', 'A line of a file is malformed.');
      yield value;
    }
  } finally {
    await file.close();
  }
}

/** Writes values to a file, one JSON value per line. */
export async function writeJsonLines(
  path: string,
  values: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const value of values) yield `${JSON.stringify(value)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
}
