import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { downloadInto, downloadTo } from '../../node.ts';
import type { Command } from '../command.ts';
import { exit, UsageError } from '../exit-codes.ts';
import { formatSize, printable, progressBar } from '../terminal.ts';
import { readLimit, take } from './limit.ts';

const kinds = ['image', 'object'] as const;

const search: Command = {
  name: 'search',
  summary: 'Search images and files, with their text.',
  usage: 'QUERY',
  arity: [1, 1],
  options: {
    kind: { value: 'KIND', help: 'only results of this kind: image or object' },
    tag: {
      value: 'TAG',
      many: true,
      help: 'only with this tag; a,b means either, -a means without',
    },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  help: 'Words are combined with AND. Supports "a phrase", -not and OR. The last word matches as a prefix.',
  examples: [
    "search 'harbour -night'",
    'search invoice --kind object --json',
    'search pier --tag sea',
  ],
  async run({ client, output, args, options, signal }) {
    const limit = readLimit(options);
    const kindName = options.text('kind');
    const kind = kinds.filter((one) => one === kindName);
    if (kindName !== undefined && kind.length === 0) {
      throw new UsageError(`--kind must be image or object, not '${kindName}'.`);
    }
    const query = { q: args[0]!, tag: options.list('tag'), limit, ...(kindName && { kind }) };
    const results = await take(client.search.list(query, { signal }), limit);
    output.table(results, ({ id, title, page, excerpt }) => [
      id,
      title,
      page === null ? '' : `page ${page}`,
      (excerpt ?? []).map(({ text }) => text).join(''),
    ]);
    return exit.success;
  },
};

const collections: Command = {
  name: 'collections list',
  summary: 'List collections.',
  usage: '',
  arity: [0, 0],
  options: {
    holding: { value: 'ID', help: 'only collections that contain this image or object' },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  examples: ['collections list', 'collections list --holding img_…'],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    const holding = options.text('holding');
    const type = holding?.startsWith('img_') ? ('image' as const) : ('object' as const);
    const member = holding ? { resource_type: type, resource_id: holding } : {};
    const list = client.collections.list({ ...member, limit }, { signal });
    output.table(await take(list, limit), ({ id, name, kind, member_count, path }) => [
      id,
      [...path.map((above) => above.name), name].join(' / '),
      kind,
      `${member_count}`,
    ]);
    return exit.success;
  },
};

const download: Command = {
  name: 'download',
  summary: 'Download an object and verify its SHA-256.',
  usage: 'OBJECT',
  arity: [1, 1],
  options: { output: { value: 'PATH', help: 'a file, a folder, or - for stdout' } },
  help: 'Saves to the current folder under its own name by default. Never overwrites a file.',
  examples: [
    'download obj_…',
    'download obj_… --output scan.pdf',
    'download obj_… --output - | less',
  ],
  async run({ client, output, args, options, signal }) {
    const id = args[0]!;
    const target = options.text('output') ?? '.';
    if (target === '-') {
      if (process.stdout.isTTY)
        throw new UsageError('Cannot write bytes to a terminal. Use a pipe or a file.');
      const response = await client.objects.download(id, { signal });
      await response.body?.pipeTo(Writable.toWeb(process.stdout), { signal });
      return exit.success;
    }
    const line = output.progressLine();
    const onProgress = ({ received, total }: { received: number; total: number | null }): void => {
      const percent = total ? Math.floor((received / total) * 100) : 0;
      if (!output.json) line.show(`${progressBar(percent)} ${percent} %  ${formatSize(received)}`);
    };
    try {
      const object = await client.objects.get(id, { signal });
      const isTargetFolder = await isFolder(target);
      const path = isTargetFolder
        ? await downloadInto(client, object, target, { signal, onProgress })
        : target;
      if (!isTargetFolder) await downloadTo(client, id, target, { signal, onProgress });
      line.clear();
      output.result({ object_id: id, path: resolve(path), bytes: object.bytes }, printable(path));
    } finally {
      line.clear();
    }
    return exit.success;
  },
};

/** Whether a path is an existing folder or ends with a slash. */
async function isFolder(path: string): Promise<boolean> {
  if (path.endsWith('/')) return true;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

const whoami: Command = {
  name: 'whoami',
  summary: 'Show the service, project and key in use, and the scopes of the key.',
  usage: '',
  arity: [0, 0],
  options: {},
  examples: ['whoami'],
  async run({ client, output, signal }) {
    const key = await client.keys.self({ signal });
    const { baseUrl: url, projectId: project_id } = client.transport;
    output.result(
      { url, project_id, ...key },
      `${url}\n${project_id}\n${key.prefix}…  ${printable(key.name)}\n${key.scopes.join(' ')}`,
    );
    return exit.success;
  },
};

export const libraryCommands = [search, collections, download, whoami];
