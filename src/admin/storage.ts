import { pluralise } from '@scriptorium/contracts/pluralise';
import { listProjects } from '../access/projects.ts';
import { type CopyResult, copyBytes } from '../library/bytes/copy.ts';
import { readUsage, type Usage, usageKinds } from '../library/bytes/usage.ts';
import { listReferenced, type VerifyResult, verifyBytes } from '../library/bytes/verify.ts';
import type { Storage } from '../storage/storage.ts';
import { type Command, type CommandInput, formatTable, UsageError } from './command.ts';
import type { CommandContext } from './context.ts';

const project = { value: 'ID', summary: 'only this project' } as const;

/** The contents of a project in storage, whether or not they are referenced. */
interface StoredContents {
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
    async run(input, context) {
      const scansStorage = !input.flag('no-scan') && context.settings.hasStorage();
      const reports: { project_id: string; usage: Usage; stored: StoredContents | null }[] = [];
      for (const id of await selectedProjects(input, context)) {
        const usage = await context.inProject(id, (tx) => readUsage(tx, id));
        reports.push({
          project_id: id,
          usage,
          stored: scansStorage ? await measureStorage(await context.storage(), id) : null,
        });
      }
      const rows = reports.map(({ project_id, usage, stored }) => [
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
        json: { projects: reports },
        text: `${formatTable([...headings, 'REFERENCED', 'IN STORAGE'], rows)}\n\nSizes are in bytes. Identical files count once. Unreferenced content is deleted after a day.`,
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
    async run(input, context) {
      const sample = input.flag('all') ? null : (input.positiveInteger('sample') ?? 100);
      const storage = await context.storage();
      const results: ({ project_id: string } & VerifyResult)[] = [];
      for (const id of await selectedProjects(input, context)) {
        const verified = await verifyBytes(storage, (work) => context.inProject(id, work), id, {
          sample,
          progress: (checked) => context.progress(`${id}: ${checked} checked`),
        });
        results.push({ project_id: id, ...verified });
      }
      const faults = results.flatMap((each) => each.faults);
      const rows = results.map((each) => [
        each.project_id,
        each.looked,
        each.hashed,
        each.faults.length,
      ]);
      const list = faults.map((fault) => `${fault.fault}  ${fault.project_id}/${fault.sha256}`);
      return {
        json: { projects: results },
        text: [
          formatTable(['PROJECT', 'CHECKED', 'HASHED', 'FAULTS'], rows),
          ...list,
          faults.length === 0
            ? 'All referenced content is present.'
            : `${pluralise(faults.length, 'content')} missing or damaged.`,
        ].join('\n'),
        hasProblem: faults.length > 0,
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
    async run(input, context) {
      const { from, to } = await openSourceAndTarget(input, context);
      const results: ({ project_id: string } & CopyResult)[] = [];
      for (const id of await selectedProjects(input, context)) {
        const contents = listReferenced((work) => context.inProject(id, work), id);
        results.push({ project_id: id, ...(await copyBytes(from, to, id, contents)) });
        context.progress(`${id}: ${results.at(-1)!.copied} copied`);
      }
      const rows = results.map((each) => [
        each.project_id,
        each.copied,
        each.bytes_copied,
        each.present,
        each.faults.length,
      ]);
      const faults = results.flatMap(({ project_id, faults }) =>
        faults.map(({ sha256, fault }) => `${fault}  ${project_id}/${sha256}`),
      );
      return {
        json: { projects: results },
        text: [
          formatTable(['PROJECT', 'COPIED', 'BYTES', 'PRESENT', 'FAULTS'], rows),
          ...faults,
        ].join('\n'),
        hasProblem: faults.length > 0,
      };
    },
  },
];

/** The source and the target of a copy, one of which is STORAGE_URL. */
async function openSourceAndTarget(
  input: CommandInput,
  context: CommandContext,
): Promise<{ from: Storage; to: Storage }> {
  const [from, to] = [input.option('from'), input.option('to')];
  const url = from ?? to;
  if (url === undefined || (from && to)) {
    throw new UsageError('Exactly one of --from and --to is required.');
  }
  const [own, other] = await Promise.all([context.storage(), context.openStorage(url)]);
  return from ? { from: other, to: own } : { from: own, to: other };
}

async function selectedProjects(
  input: CommandInput,
  { asOwner }: CommandContext,
): Promise<string[]> {
  const projectId = input.option('project');
  return projectId ? [projectId] : (await asOwner(listProjects)).map(({ id }) => id);
}

async function measureStorage(storage: Storage, projectId: string): Promise<StoredContents> {
  const stored: StoredContents = { contents: 0, bytes: 0 };
  for await (const sha256 of storage.list(projectId)) {
    const found = await storage.stat(projectId, sha256);
    if (!found) continue;
    stored.contents += 1;
    stored.bytes += found.bytes;
  }
  return stored;
}
