import type { Upload } from '../../generated.ts';
import type { Call, Command } from '../command.ts';
import { exitCodeOfMany, Interrupted, UsageError } from '../exit.ts';
import { sendFile } from '../sending.ts';
import { printable, sizeOf } from '../terminal.ts';

export const upload: Command = {
  name: 'upload',
  summary: 'Store files. Large ones survive a broken line.',
  takes: 'FILE…',
  arity: [1, Number.POSITIVE_INFINITY],
  options: {
    tag: { value: 'TAG', many: true, help: 'a tag it gets' },
    metadata: { value: 'JSON', help: 'an object of yours to keep with it' },
    filename: { value: 'NAME', help: 'what it is called; needed with - (stdin)' },
    'allow-duplicate': { help: 'a new object, also where the same file is there already' },
    resume: { value: 'UPLOAD', help: 'go on with this upload (upl_…)' },
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
    const failed: unknown[] = [];
    for (const path of args) {
      try {
        const object = await sendFile(call, path, options);
        output.result(object, described(object));
      } catch (error) {
        // A wrong option is wrong for all of them.
        if (error instanceof Interrupted || error instanceof UsageError) throw error;
        output.error(error, path);
        failed.push(error);
      }
    }
    return exitCodeOfMany(failed, args.length);
  },
};

function described({ id, filename, mime, bytes, deduplicated }: Upload): string {
  const known = deduplicated ? ['was there already'] : [];
  return [id, printable(filename), printable(mime), sizeOf(bytes), ...known].join('  ');
}

function readOptions({ options, args }: Call) {
  const filename = options.text('filename');
  const uploadId = options.text('resume');
  if ((filename || uploadId) && args.length > 1) {
    throw new UsageError('--filename and --resume are for one file.');
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
    // Told below, like everything that is no object.
  }
  throw new UsageError(`--metadata takes a JSON object, not '${text}'.`);
}
