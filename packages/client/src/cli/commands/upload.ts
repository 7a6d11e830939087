import type { Upload } from '../../generated.ts';
import type { Command, CommandContext } from '../command.ts';
import { exitCodeOfMany, Interrupted, UsageError } from '../exit-codes.ts';
import { sendFile } from '../send-file.ts';
import { formatSize, printable } from '../terminal.ts';

export const upload: Command = {
  name: 'upload',
  summary: 'Upload files. Large uploads can be resumed.',
  usage: 'FILE…',
  arity: [1, Number.POSITIVE_INFINITY],
  options: {
    tag: { value: 'TAG', many: true, help: 'a tag for the object' },
    metadata: { value: 'JSON', help: 'metadata as a JSON object' },
    filename: { value: 'NAME', help: 'the filename; required with - (stdin)' },
    'allow-duplicate': { help: 'create a new object even if the same file exists' },
    resume: { value: 'UPLOAD', help: 'resume this upload (upl_…)' },
  },
  help: 'Prints the id, name, type and size of each object.',
  examples: [
    'upload scan.pdf',
    'upload *.jpg --tag 2026 --tag harbour',
    'upload - --filename a.txt',
  ],
  async run(call) {
    const { args, output } = call;
    const options = readOptions(call);
    const errors: unknown[] = [];
    for (const path of args) {
      try {
        const object = await sendFile(call, path, options);
        output.result(object, describeUpload(object));
      } catch (error) {
        // An invalid option applies to all files.
        if (error instanceof Interrupted || error instanceof UsageError) throw error;
        output.error(error, path);
        errors.push(error);
      }
    }
    return exitCodeOfMany(errors, args.length);
  },
};

function describeUpload({ id, filename, mime, bytes, deduplicated }: Upload): string {
  const notes = deduplicated ? ['already exists'] : [];
  return [id, printable(filename), printable(mime), formatSize(bytes), ...notes].join('  ');
}

function readOptions({ options, args }: CommandContext) {
  const filename = options.text('filename');
  const uploadId = options.text('resume');
  if ((filename || uploadId) && args.length > 1) {
    throw new UsageError('--filename and --resume require a single file.');
  }
  return {
    tags: options.list('tag'),
    metadata: readMetadata(options.text('metadata')),
    filename,
    uploadId,
    onDuplicate: options.flag('allow-duplicate') ? ('allow' as const) : undefined,
  };
}

function readMetadata(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new UsageError(`--metadata must be a JSON object, not '${text}'.`);
}
