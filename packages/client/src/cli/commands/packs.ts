import type { Pack, PackDocument } from '../../generated.ts';
import { downloadInto } from '../../node.ts';
import type { Body } from '../../resources/resource.ts';
import { isOver } from '../../resources/waiting.ts';
import type { Call, Command } from '../command.ts';
import { exit, UsageError } from '../exit.ts';
import { words } from '../job-view.ts';
import { LiveLine, sizeOf } from '../terminal.ts';
import { readLimit, some } from './some.ts';

type Options = NonNullable<Body<'createPack'>['options']>;

const summaryOf = ({ id, state, name, progress, output }: Pack): string =>
  [
    `${id}  ${words(state)}  ${progress.percent} %  ${name}`,
    `  ${progress.documents_completed}/${progress.documents_total} documents, ${progress.documents_failed} failed, ${progress.documents_withheld} withheld`,
    ...(output ? [`  ${output.object_id}  ${sizeOf(output.bytes)}`] : []),
  ].join('\n');

/** Waits for a pack, and downloads it if a folder is given. */
async function finish(call: Call, id: string): Promise<number> {
  const { client, output, options, signal } = call;
  const line = new LiveLine(process.stdout);
  const pack = await client.packs
    .wait(id, {
      signal,
      onProgress: (now) => {
        if (output.json) output.result(now, '');
        else if (!isOver(now.state)) line.show(`${words(now.state)} ${now.progress.percent} %`);
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
  return pack.state === 'succeeded' ? exit.fine : exit.failed;
}

const build: Command = {
  name: 'pack build',
  summary: 'Build a pack of documents for language models, and wait for it.',
  takes: 'NAME [OBJECT…]',
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
    const wanted = { redact: options.text('redact'), include: options.list('include') } as Options;
    const body = { name: name!, source, options: wanted, refreshes: options.text('refreshes') };
    const { id } = await client.packs.create(body, { signal });
    return finish(call, id);
  },
};

const list: Command = {
  name: 'pack list',
  summary: 'List packs, newest first.',
  takes: '',
  arity: [0, 0],
  options: { limit: { value: 'N', help: 'the maximum number (default: 20)' } },
  examples: ['pack list'],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    const packs = await some(client.packs.list({ limit }, { signal }), limit);
    output.table(packs, ({ id, state, name, progress, created_at }) => [
      ...[id, words(state), `${progress.percent} %`, name, created_at],
    ]);
    return exit.fine;
  },
};

const get: Command = {
  name: 'pack get',
  summary: 'Show a pack and the documents that are not in it.',
  takes: 'PACK',
  arity: [1, 1],
  options: {},
  examples: ['pack get pack_…'],
  async run({ client, output, args, signal }) {
    const pack = await client.packs.get(args[0]!, { signal });
    const left: PackDocument[] = await some(
      client.packs.documents(pack.id, { state: ['failed', 'withheld'] }, { signal }),
      50,
    );
    const reasons = left.map(
      ({ filename, state, error }) => `  ${filename}  ${state}: ${error?.message ?? ''}`,
    );
    output.result(pack, [summaryOf(pack), ...reasons].join('\n'));
    return exit.fine;
  },
};

const cite: Command = {
  name: 'pack cite',
  summary: 'Show where the text of a chunk is.',
  takes: 'CHUNK',
  arity: [1, 1],
  options: {},
  examples: ['pack cite chk_…'],
  async run({ client, output, args, signal }) {
    const cited = await client.packs.citation(args[0]!, { signal });
    const where = `${cited.filename}  ${cited.object_id}  pages ${cited.pages.join('-')}`;
    output.result(cited, `${where}\n${cited.text}`);
    return exit.fine;
  },
};

export const packCommands = [build, list, get, cite];
