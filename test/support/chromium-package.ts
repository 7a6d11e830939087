import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { StartError } from '../../lab/embedded/start-error.ts';

const execute = promisify(execFile);

// Not a dependency of package.json: 70 MB that few machines need.
const name = '@sparticuz/chromium@153.0.0';
const file = 'sparticuz-chromium-153.0.0.tgz';
const integrity =
  'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';

/** Whether the npm package has a Chromium for this machine. */
export const hasChromiumPackage = process.platform === 'linux' && process.arch === 'x64';

/**
 * Unpacks the Chromium of an npm package into a folder: `chromium`, its libraries in `lib`, a font in
 * `fonts`. Throws StartError when the package cannot be had.
 */
export async function fetchChromiumPackage(target: string): Promise<void> {
  const draft = `${target}.draft-${process.pid}`;
  const files = join(draft, 'files');
  await rm(draft, { recursive: true, force: true });
  await mkdir(files, { recursive: true });
  try {
    await execute('npm', ['pack', name, '--ignore-scripts', '--pack-destination', draft]);
    const packed = await readFile(join(draft, file));
    if (createHash('sha512').update(packed).digest('base64') !== integrity) {
      throw new StartError(`${name} is not the package that was expected: its checksum differs.`);
    }
    await execute('tar', ['-xzf', join(draft, file), '-C', draft]);
    const decompress = (packedName: string, to: string, mode: number): Promise<void> =>
      pipeline(
        createReadStream(join(draft, 'package', 'bin', packedName)),
        createBrotliDecompress(),
        createWriteStream(to, { mode }),
      );
    await decompress('chromium.br', join(files, 'chromium'), 0o755);
    for (const archive of ['al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
      await decompress(`${archive}.br`, join(draft, archive), 0o644);
      await execute('tar', ['-xf', join(draft, archive), '-C', files]);
    }
    // Names folders that only its own code fills.
    await rm(join(files, 'fonts.conf'));
    await rm(target, { recursive: true, force: true });
    await rename(files, target);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    throw new StartError(
      `${name} could not be fetched (${reason}). Check the network connection, or install Chromium.`,
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
