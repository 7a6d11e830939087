import type { Upload } from '../generated.ts';
import { openFile } from '../node.ts';
import { bytesSource } from '../upload/source.ts';
import type { UploadOptions } from '../upload/upload.ts';
import type { CommandContext } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { formatSize, printable, progressBar } from './terminal.ts';

/** Whether an argument is the id of an object. */
export const isObjectId = (text: string): boolean => /^obj_[0-9a-z]{26}$/.test(text);

/** Uploads a file, or stdin for `-`, with progress on the terminal. */
export async function sendFile(
  { client, output, signal }: Pick<CommandContext, 'client' | 'output' | 'signal'>,
  path: string,
  options: UploadOptions = {},
): Promise<Upload> {
  const line = output.progressLine();
  const name = printable(options.filename ?? path);
  let uploadId = options.uploadId;
  const uploadOptions: UploadOptions = {
    ...options,
    signal,
    onUpload: (id) => {
      uploadId = id;
    },
    onProgress: ({ sent, total }) => {
      const percent = total ? Math.floor((sent / total) * 100) : 0;
      const size =
        total === null ? formatSize(sent) : `${formatSize(sent)} of ${formatSize(total)}`;
      if (!output.json)
        line.show(`${total ? progressBar(percent) : ''} ${percent} %  ${size}  ${name}`);
    },
  };
  if (path === '-') {
    if (!options.filename) throw new UsageError('--filename is required with stdin.');
    const source = process.stdin as AsyncIterable<Uint8Array>;
    return client.objects.upload(source, uploadOptions).finally(() => line.clear());
  }
  const file = await openFile(path);
  try {
    // An empty file is sent from memory; the service rejects it.
    const source =
      file.bytes === 0 ? { ...bytesSource(new Uint8Array()), filename: file.filename } : file;
    return await client.objects.upload(source, uploadOptions);
  } catch (error) {
    line.clear();
    if (uploadId) output.note(`To continue: scriptorium upload --resume ${uploadId} ${name}`);
    throw error;
  } finally {
    line.clear();
    await file.close();
  }
}
