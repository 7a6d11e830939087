import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '@scriptorium/documents';
import type { StepWork } from './operation.ts';

/**
 * Splits a file into which a child wrote several files one after the other.
 * @param sizes the reported number of bytes of each file
 * @throws EngineError when they do not match: a child's report is untrusted
 */
export async function splitFile(
  { newFile }: Pick<StepWork<never>, 'newFile'>,
  path: string,
  sizes: readonly number[],
): Promise<string[]> {
  if ((await stat(path)).size !== sizes.reduce((sum, size) => sum + size, 0)) {
    throw new EngineError('crashed', 'The engine failed on this file.');
  }
  const paths: string[] = [];
  let start = 0;
  for (const size of sizes) {
    const to = await newFile();
    const end = start + size - 1;
    await pipeline(createReadStream(path, { start, end }), createWriteStream(to));
    paths.push(to);
    start += size;
  }
  return paths;
}
