import { readFile } from 'node:fs/promises';
import type { Share } from '../../generated.ts';
import type { Body } from '../../resources/resource.ts';
import type { Command, CommandContext, OptionValues } from '../command.ts';
import { exit, UsageError } from '../exit-codes.ts';
import { pluralise } from '../pluralise.ts';
import { readLimit, take } from './limit.ts';

/** The longest validity of a link. */
const maxDays = 36_500;
const dayMs = 24 * 3_600_000;

/** Returns the id of the shared resource, or of the collection that receives uploads. */
const targetOf = ({ object_id, collection_id }: Share): string => object_id ?? collection_id ?? '';

const usesOf = ({ kind, views, downloads, uploads }: Share): string =>
  kind === 'upload'
    ? pluralise(uploads, 'upload')
    : `${pluralise(views, 'view')}, ${pluralise(downloads, 'download')}`;

const commonOptions = {
  title: { value: 'TEXT', help: 'what visitors see instead of the name' },
  message: { value: 'TEXT', help: 'a message to visitors' },
  days: { value: 'N', help: 'days until the link expires' },
  'password-file': { value: 'FILE', help: 'a file with the password that visitors must enter' },
};

async function readCommonOptions({
  options,
}: CommandContext): Promise<Partial<Body<'createShare'>>> {
  const expiresAt = readExpiry(options);
  const file = options.text('password-file');
  const title = options.text('title');
  const message = options.text('message');
  return {
    ...(title !== undefined && { title }),
    ...(message !== undefined && { message }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(file !== undefined && { password: await readPassword(file) }),
  };
}

function readExpiry(options: OptionValues): string | undefined {
  const days = options.number('days');
  if (days === undefined) return undefined;
  if (days <= 0) throw new UsageError(`--days must be a positive number, not '${days}'.`);
  if (days > maxDays) throw new UsageError(`--days must be at most ${maxDays}, not '${days}'.`);
  return new Date(Date.now() + days * dayMs).toISOString();
}

/** Reads a password without the line end that editors add. Other white space belongs to it. */
async function readPassword(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
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
    ...commonOptions,
    'no-download': { help: 'previews only' },
    'max-views': { value: 'N', help: 'the maximum number of visits' },
    'max-downloads': { value: 'N', help: 'the maximum number of downloads' },
  },
  examples: ['share create col_…', 'share create obj_… --days 7 --max-downloads 3'],
  async run(call) {
    const target = call.args[0]!;
    const views = call.options.number('max-views');
    const downloads = call.options.number('max-downloads');
    return createShare(call, {
      ...(target.startsWith('col_') ? { collection_id: target } : { object_id: target }),
      ...(await readCommonOptions(call)),
      ...(call.options.flag('no-download') && { allow_download: false }),
      ...(views !== undefined && { max_views: views }),
      ...(downloads !== undefined && { max_downloads: downloads }),
    });
  },
};

const request: Command = {
  name: 'share request',
  summary: 'Let people upload files by a link, and print the link.',
  usage: '[COLLECTION]',
  arity: [0, 1],
  options: {
    ...commonOptions,
    accept: { value: 'TYPE', many: true, help: 'only this media type, such as image/*' },
    'max-bytes': { value: 'N', help: 'the maximum size of a file in bytes' },
    'max-files': { value: 'N', help: 'the maximum number of files in total' },
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
      ...(await readCommonOptions(call)),
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
    all: { help: 'also expired, used-up and revoked links' },
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
      share.title ?? '',
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
