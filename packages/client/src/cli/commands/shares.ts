import { readFile } from 'node:fs/promises';
import type { Share } from '../../generated.ts';
import type { Body } from '../../resources/resource.ts';
import type { Command, CommandContext } from '../command.ts';
import { exit, UsageError } from '../exit-codes.ts';
import { printable } from '../terminal.ts';
import { readLimit, take } from './limit.ts';

/** Returns the shared resource, or the destination of uploads. */
const targetOf = ({ object_id, collection_id }: Share): string => object_id ?? collection_id ?? '';

const usesOf = ({ kind, views, downloads, uploads }: Share): string =>
  kind === 'upload' ? `${uploads} uploads` : `${views} views, ${downloads} downloads`;

const settings = {
  title: { value: 'TEXT', help: 'what visitors see instead of the name' },
  message: { value: 'TEXT', help: 'a message to visitors' },
  days: { value: 'N', help: 'the link expires in so many days' },
  'password-file': { value: 'FILE', help: 'a file with the password that visitors must enter' },
};

async function settingsOf({ options }: CommandContext): Promise<Partial<Body<'createShare'>>> {
  const days = options.number('days');
  if (days !== undefined && !(days > 0)) throw new UsageError('--days must be a positive number.');
  const file = options.text('password-file');
  const title = options.text('title');
  const message = options.text('message');
  return {
    ...(title !== undefined && { title }),
    ...(message !== undefined && { message }),
    ...(days !== undefined && {
      expires_at: new Date(Date.now() + days * 24 * 3_600_000).toISOString(),
    }),
    ...(file !== undefined && { password: (await readFile(file, 'utf8')).trimEnd() }),
  };
}

async function createShare(call: CommandContext, body: Body<'createShare'>): Promise<number> {
  const share = await call.client.shares.create(body, { signal: call.signal });
  call.output.result(share, share.url ?? share.id);
  return exit.success;
}

const create: Command = {
  name: 'share create',
  summary: 'Share an object or a collection by a link, and print the link.',
  usage: 'OBJECT|COLLECTION',
  arity: [1, 1],
  options: {
    ...settings,
    'no-download': { help: 'previews only' },
    'max-views': { value: 'N', help: 'how many visits the link allows' },
    'max-downloads': { value: 'N', help: 'how many downloads the link allows' },
  },
  examples: ['share create col_…', 'share create obj_… --days 7 --max-downloads 3'],
  async run(call) {
    const target = call.args[0]!;
    const limits = {
      max_views: call.options.number('max-views'),
      max_downloads: call.options.number('max-downloads'),
    };
    return createShare(call, {
      ...(target.startsWith('col_') ? { collection_id: target } : { object_id: target }),
      ...(await settingsOf(call)),
      ...(call.options.flag('no-download') && { allow_download: false }),
      ...(limits.max_views !== undefined && { max_views: limits.max_views }),
      ...(limits.max_downloads !== undefined && { max_downloads: limits.max_downloads }),
    });
  },
};

const request: Command = {
  name: 'share request',
  summary: 'Let people upload files by a link, and print the link.',
  usage: '[COLLECTION]',
  arity: [0, 1],
  options: {
    ...settings,
    accept: { value: 'TYPE', many: true, help: 'only this media type, such as image/*' },
    'max-bytes': { value: 'N', help: 'the maximum size of a file' },
    'max-files': { value: 'N', help: 'how many files can be uploaded in total' },
  },
  examples: ['share request col_… --accept image/* --days 14'],
  async run(call) {
    const [collection] = call.args;
    const accept = call.options.list('accept') ?? [];
    const bytes = call.options.number('max-bytes');
    const files = call.options.number('max-files');
    return createShare(call, {
      kind: 'upload',
      ...(collection !== undefined && { collection_id: collection }),
      ...(await settingsOf(call)),
      ...(accept.length > 0 && { accept }),
      ...(bytes !== undefined && { max_bytes: bytes }),
      ...(files !== undefined && { max_files: files }),
    });
  },
};

const list: Command = {
  name: 'share list',
  summary: 'List links, newest first.',
  usage: '',
  arity: [0, 0],
  options: {
    all: { help: 'also those that have expired, were used up or revoked' },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  examples: ['share list', 'share list --all --json'],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    const state = options.flag('all') ? {} : { state: ['active' as const] };
    const shares = await take(client.shares.list({ ...state, limit }, { signal }), limit);
    output.table(shares, (share) => [
      share.id,
      share.kind,
      share.state,
      targetOf(share),
      usesOf(share),
      printable(share.title ?? ''),
      share.url ?? '',
    ]);
    return exit.success;
  },
};

const revoke: Command = {
  name: 'share revoke',
  summary: 'Revoke links.',
  usage: 'SHARE…',
  arity: [1, 100],
  options: {},
  examples: ['share revoke shr_…'],
  async run({ client, output, args, signal }) {
    for (const id of args) {
      await client.shares.revoke(id, { signal });
      output.result({ id, state: 'revoked' }, `${id}  revoked`);
    }
    return exit.success;
  },
};

export const shareCommands = [create, request, list, revoke];
