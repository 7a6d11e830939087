import type { Pack, PackDocument } from '../../generated.ts';
import { downloadInto } from '../../node.ts';
import type { Body } from '../../resources/resource.ts';
import { isFinalState } from '../../resources/waiting.ts';
import type { Command, CommandContext } from '../command.ts';
import { exit, UsageError } from '../exit-codes.ts';
import { stateText } from '../job-view.ts';
import { formatSize, LiveLine } from '../terminal.ts';
import { readLimit, take } from './limit.ts';

type PackOptions = NonNullable<Body<'createPack'>['options']>;

const summaryOf = ({ id, state, name, progress, output }: Pack): string =>
  [
    `${id}  ${stateText(state)}  ${progress.percent} %  ${name}`,
    `  ${progress.documents_completed}/${progress.documents_total} documents, ${progress.documents_failed} failed, ${progress.documents_withheld} withheld`,
    ...(output ? [`  ${output.object_id}  ${formatSize(output.bytes)}`] : []),
  ].join('\n');

/** Waits for a pack, and downloads it if a folder is given. */
async function waitForPack(call: CommandContext, id: string): Promise<number> {
  const { client, output, options, signal } = call;
  const line = new LiveLine(process.stdout);
  const pack = await client.packs
    .wait(id, {
      signal,
      onProgress: (now) => {
        if (output.json) output.result(now, '');
        else if (!isFinalState(now.state))
          line.show(`${stateText(now.state)} ${now.progress.percent} %`);
      },
    })
    .finally(() => line.clear());
  if (!output.json) output.result(pack, summaryOf(pack));
  const folder = options.text('output');
  if (folder && pack.output) {
    const object = await client.objects.get(pack.output.object_id, { signal });
    await downloadInto(client, object, folder);
  }
  if (pack.state === 'partially_succeeded') return exit.partial;
  return pack.state === 'succeeded' ? exit.success : exit.failed;
}

const build: Command = {
  name: 'pack build',
  summary: 'Build a pack of documents for language models, and wait for it.',
  usage: 'NAME [OBJECT…]',
  arity: [1, 10_001],
  options: {
    collection: { value: 'COLLECTION', help: 'the documents of this collection instead of a list' },
    redact: {
      value: 'PROFILE',
      help: 'redact each document first: personal, hipaa, pci, gdpr, all',
    },
    include: { value: 'PART', many: true, help: 'markdown, chunks, blocks, pages' },
    refreshes: { value: 'PACK', help: 'list what has changed since this pack' },
    output: { value: 'DIR', help: 'download the archive into this folder' },
  },
  examples: [
    'pack build Contracts --collection col_… --output .',
    'pack build Letters obj_… obj_…',
  ],
  async run(call) {
    const { client, options, args, signal } = call;
    const [name, ...ids] = args;
    const collection = options.text('collection');
    if ((collection === undefined) === (ids.length === 0)) {
      throw new UsageError('Name the objects, or a collection with --collection.');
    }
    const source = collection ? { collection_id: collection } : { object_ids: ids };
    // The API validates the values.
    const packOptions = {
      redact: options.text('redact'),
      include: options.list('include'),
    } as PackOptions;
    const body = {
      name: name!,
      source,
      options: packOptions,
      refreshes: options.text('refreshes'),
    };
    const { id } = await client.packs.create(body, { signal });
    return waitForPack(call, id);
  },
};

const list: Command = {
  name: 'pack list',
  summary: 'List packs, newest first.',
  usage: '',
  arity: [0, 0],
  options: { limit: { value: 'N', help: 'the maximum number (default: 20)' } },
  examples: ['pack list'],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    const packs = await take(client.packs.list({ limit }, { signal }), limit);
    output.table(packs, ({ id, state, name, progress, created_at }) => [
      id,
      stateText(state),
      `${progress.percent} %`,
      name,
      created_at,
    ]);
    return exit.success;
  },
};

const get: Command = {
  name: 'pack get',
  summary: 'Show a pack and the documents that are not in it.',
  usage: 'PACK',
  arity: [1, 1],
  options: {},
  examples: ['pack get pack_…'],
  async run({ client, output, args, signal }) {
    const pack = await client.packs.get(args[0]!, { signal });
    const missingDocuments: PackDocument[] = await take(
      client.packs.documents(pack.id, { state: ['failed', 'withheld'] }, { signal }),
      50,
    );
    const reasons = missingDocuments.map(
      ({ filename, state, error }) => `  ${filename}  ${state}: ${error?.message ?? ''}`,
    );
    output.result(pack, [summaryOf(pack), ...reasons].join('\n'));
    return exit.success;
  },
};

const cite: Command = {
  name: 'pack cite',
  summary: 'Show where the text of a chunk is.',
  usage: 'CHUNK',
  arity: [1, 1],
  options: {},
  examples: ['pack cite chk_…'],
  async run({ client, output, args, signal }) {
    const citation = await client.packs.citation(args[0]!, { signal });
    const location = `${citation.filename}  ${citation.object_id}  pages ${citation.pages.join('-')}`;
    output.result(citation, `${location}\n${citation.text}`);
    return exit.success;
  },
};

export const packCommands = [build, list, get, cite];
