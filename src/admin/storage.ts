import { listProjects } from '../access/projects.ts';
import { type Copied, copyBytes } from '../library/bytes/copy.ts';
import { readUsage, type Usage, usageKinds } from '../library/bytes/usage.ts';
import { pointedAt, type Verified, verifyBytes } from '../library/bytes/verify.ts';
import type { Storage } from '../storage/storage.ts';
import { type Command, type Given, table, UsageError } from './command.ts';
import type { Means } from './means.ts';

const project = { value: 'ID', summary: 'of this project only' } as const;

/** What lies in storage, whether or not a row points at it. */
interface Stored {
  contents: number;
  bytes: number;
}

export const storageCommands: Command[] = [
  {
    name: 'storage usage',
    options: {
      project,
      'no-scan': { summary: 'by rows alone: does not look through the storage' },
    },
    summary: 'what each project takes, by rows and in storage',
    async run(given, means) {
      const scan = !given.flag('no-scan') && means.settings.hasStorage();
      const all: { project_id: string; usage: Usage; stored: Stored | null }[] = [];
      for (const id of await projectsOf(given, means)) {
        const usage = await means.inProject(id, (tx) => readUsage(tx, id));
        all.push({
          project_id: id,
          usage,
          stored: scan ? await measure(await means.storage(), id) : null,
        });
      }
      const rows = all.map(({ project_id, usage, stored }) => [
        project_id,
        Object.entries(usage.objects)
          .map(([state, n]) => `${n} ${state}`)
          .join(', ') || 'none',
        ...usageKinds.map((kind) => usage.bytes[kind]),
        usage.bytes_referenced,
        stored?.bytes,
      ]);
      const headings = ['PROJECT', 'OBJECTS', ...usageKinds.map((kind) => kind.toUpperCase())];
      return {
        json: { projects: all },
        text: `${table([...headings, 'REFERENCED', 'IN STORAGE'], rows)}\n\nBytes; what is shared counts once. What is in storage beyond what is referenced goes a day after it is left.`,
      };
    },
  },
  {
    name: 'storage verify',
    options: {
      project,
      all: { summary: 'reads and hashes every content, not a sample' },
      sample: { value: 'N', summary: 'how many of each project are hashed; 100 unless said' },
    },
    summary: 'holds rows against bytes: after a restore, and now and then',
    async run(given, means) {
      const sample = given.flag('all') ? null : (given.count('sample') ?? 100);
      const storage = await means.storage();
      const all: ({ project_id: string } & Verified)[] = [];
      for (const id of await projectsOf(given, means)) {
        const verified = await verifyBytes(storage, (work) => means.inProject(id, work), id, {
          sample,
          progress: (looked) => means.progress(`${id}: ${looked} looked at`),
        });
        all.push({ project_id: id, ...verified });
      }
      const faults = all.flatMap((each) => each.faults);
      const rows = all.map((each) => [
        each.project_id,
        each.looked,
        each.hashed,
        each.faults.length,
      ]);
      const list = faults.map((fault) => `${fault.fault}  ${fault.project_id}/${fault.sha256}`);
      return {
        json: { projects: all },
        text: [
          table(['PROJECT', 'LOOKED FOR', 'HASHED', 'FAULTS'], rows),
          ...list,
          faults.length === 0
            ? 'Every row finds its bytes.'
            : `${faults.length} are not as they should be.`,
        ].join('\n'),
        notWell: faults.length > 0,
      };
    },
  },
  {
    name: 'storage copy',
    options: {
      to: { value: 'URL', summary: 'the storage to copy to, as in STORAGE_URL: a backup' },
      from: { value: 'URL', summary: 'the storage to copy from: a restore' },
      project,
    },
    summary: 'copies what rows point at and is not there yet; removes nothing',
    async run(given, means) {
      const { from, to } = await otherStorage(given, means);
      const all: ({ project_id: string } & Copied)[] = [];
      for (const id of await projectsOf(given, means)) {
        const contents = pointedAt((work) => means.inProject(id, work), id);
        all.push({ project_id: id, ...(await copyBytes(from, to, id, contents)) });
        means.progress(`${id}: ${all.at(-1)!.copied} copied`);
      }
      const rows = all.map((each) => [
        each.project_id,
        each.copied,
        each.bytes_copied,
        each.present,
        each.faults.length,
      ]);
      const faults = all.flatMap(({ project_id, faults }) =>
        faults.map(({ sha256, fault }) => `${fault}  ${project_id}/${sha256}`),
      );
      return {
        json: { projects: all },
        text: [table(['PROJECT', 'COPIED', 'BYTES', 'PRESENT', 'FAULTS'], rows), ...faults].join(
          '\n',
        ),
        notWell: faults.length > 0,
      };
    },
  },
];

/** The storage that bytes are copied to or from, beside the one of STORAGE_URL. */
async function otherStorage(given: Given, means: Means): Promise<{ from: Storage; to: Storage }> {
  const [from, to] = [given.option('from'), given.option('to')];
  const url = from ?? to;
  if (url === undefined || (from && to)) {
    throw new UsageError('Either --from or --to names the other storage.');
  }
  const [own, other] = await Promise.all([means.storage(), means.openStorage(url)]);
  return from ? { from: other, to: own } : { from: own, to: other };
}

async function projectsOf(given: Given, { asOwner }: Means): Promise<string[]> {
  const one = given.option('project');
  return one ? [one] : (await asOwner(listProjects)).map(({ id }) => id);
}

async function measure(storage: Storage, projectId: string): Promise<Stored> {
  const stored: Stored = { contents: 0, bytes: 0 };
  for await (const sha256 of storage.list(projectId)) {
    const found = await storage.stat(projectId, sha256);
    if (!found) continue;
    stored.contents += 1;
    stored.bytes += found.bytes;
  }
  return stored;
}
