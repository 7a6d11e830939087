import { pluralise } from '@scriptorium/contracts/pluralise';
import { listProjects } from '../access/projects.ts';
import { type Copied, copyBytes } from '../library/bytes/copy.ts';
import { readUsage, type Usage, usageKinds } from '../library/bytes/usage.ts';
import { pointedAt, type Verified, verifyBytes } from '../library/bytes/verify.ts';
import type { Storage } from '../storage/storage.ts';
import { type Command, type Given, table, UsageError } from './command.ts';
import type { Means } from './means.ts';

const project = { value: 'ID', summary: 'only this project' } as const;

/** The contents of the storage, whether or not they are referenced. */
interface Stored {
  contents: number;
  bytes: number;
}

export const storageCommands: Command[] = [
  {
    name: 'storage usage',
    options: {
      project,
      'no-scan': { summary: 'report references only, without scanning the storage' },
    },
    summary: 'report the storage use of each project',
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
        text: `${table([...headings, 'REFERENCED', 'IN STORAGE'], rows)}\n\nSizes are in bytes; shared contents count once. Unreferenced contents are deleted after a day.`,
      };
    },
  },
  {
    name: 'storage verify',
    options: {
      project,
      all: { summary: 'hash all contents instead of a sample' },
      sample: { value: 'N', summary: 'how many contents per project to hash, 100 by default' },
    },
    summary: 'check that all referenced bytes exist and are intact',
    async run(given, means) {
      const sample = given.flag('all') ? null : (given.count('sample') ?? 100);
      const storage = await means.storage();
      const all: ({ project_id: string } & Verified)[] = [];
      for (const id of await projectsOf(given, means)) {
        const verified = await verifyBytes(storage, (work) => means.inProject(id, work), id, {
          sample,
          progress: (looked) => means.progress(`${id}: ${looked} checked`),
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
          table(['PROJECT', 'CHECKED', 'HASHED', 'FAULTS'], rows),
          ...list,
          faults.length === 0
            ? 'All referenced contents are present.'
            : `${pluralise(faults.length, 'content')} missing or damaged.`,
        ].join('\n'),
        notWell: faults.length > 0,
      };
    },
  },
  {
    name: 'storage copy',
    options: {
      to: { value: 'URL', summary: 'the storage to copy to (backup)' },
      from: { value: 'URL', summary: 'the storage to copy from (restore)' },
      project,
    },
    summary: 'copy missing contents to or from another storage',
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

/** The source and the target of a copy, one of which is STORAGE_URL. */
async function otherStorage(given: Given, means: Means): Promise<{ from: Storage; to: Storage }> {
  const [from, to] = [given.option('from'), given.option('to')];
  const url = from ?? to;
  if (url === undefined || (from && to)) {
    throw new UsageError('Exactly one of --from and --to is required.');
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
