import { type QuotaName, quotaNames } from '@scriptorium/contracts/quotas';
import {
  createProject,
  listProjects,
  operatorOrigin,
  renameProject,
  showProject,
} from '../access/projects.ts';
import { listDeletions, presentProgress } from '../erasure/project/read.ts';
import { requestDeletion } from '../erasure/project/request.ts';
import { readQuotas, setQuota } from '../policies/quotas.ts';
import { type Command, type CommandInput, formatTable, UsageError } from './command.ts';

export const projectCommands: Command[] = [
  {
    name: 'project list',
    summary: 'list all projects',
    async run(_input, { asOwner }) {
      const projects = await asOwner(listProjects);
      return {
        json: { projects },
        text: formatTable(
          ['PROJECT', 'NAME', 'CREATED'],
          projects.map(({ id, name, created_at }) => [id, name, created_at.toISOString()]),
        ),
      };
    },
  },
  {
    name: 'project show',
    args: ['PROJECT'],
    summary: 'show a project with the number of its resources',
    async run(input, { inProject }) {
      const project = await inProject(input.arg('PROJECT'), (tx) =>
        showProject(tx, input.arg('PROJECT')),
      );
      return {
        json: project,
        text: formatTable(
          ['FIELD', 'VALUE'],
          [
            ['project', project.id],
            ['name', project.name],
            ['created', project.created_at.toISOString()],
            ...Object.entries(project.counts),
          ],
        ),
      };
    },
  },
  {
    name: 'project create',
    args: ['NAME'],
    summary: 'create a project with an API key',
    async run(input, { asOwner }) {
      const created = await asOwner((tx) => createProject(tx, input.arg('NAME')));
      return {
        json: { project_id: created.projectId, api_key: created.secret },
        text: `Project  ${created.projectId}\nAPI key  ${created.secret}\nThe key is shown only once.`,
      };
    },
  },
  {
    name: 'project quota',
    args: ['PROJECT'],
    options: {
      set: { value: 'QUOTA', summary: 'the quota to change' },
      to: { value: 'N', summary: 'its new value, or `default`' },
    },
    summary: 'show the usage and quotas of a project',
    async run(input, { inProject }) {
      const id = input.arg('PROJECT');
      const change = parseQuotaChange(input);
      const quotas = await inProject(id, async (tx) => {
        if (change) await setQuota(tx, id, change.name, change.max);
        return readQuotas(tx, id);
      });
      return {
        json: quotas,
        text: formatTable(
          ['QUOTA', 'USED', 'LIMIT'],
          quotaNames.map((name) => [name, quotas[name].used, quotas[name].quota]),
        ),
      };
    },
  },
  {
    name: 'project rename',
    args: ['PROJECT', 'NAME'],
    summary: 'rename a project',
    async run(input, { inProject }) {
      const [id, name] = [input.arg('PROJECT'), input.arg('NAME')];
      await inProject(id, (tx) => renameProject(tx, id, name));
      return { json: { project_id: id, name }, text: `Project ${id} renamed to '${name}'.` };
    },
  },
  {
    name: 'project delete',
    args: ['PROJECT'],
    options: {
      name: { value: 'NAME', summary: 'the name of the project, to confirm', required: true },
    },
    summary: 'delete a project with everything in it',
    async run(input, { inProject }) {
      const id = input.arg('PROJECT');
      const name = input.requiredOption('name');
      const deletion = await inProject(id, (tx) => requestDeletion(tx, operatorOrigin(id), name));
      return {
        json: presentProgress(deletion),
        text: `Deletion ${deletion.id} of project ${id} was requested.\nSee its progress and report with: project deletions`,
      };
    },
  },
  {
    name: 'project deletions',
    summary: 'show deletions of projects with their progress; with --json, their signed reports',
    async run(_input, { asOwner }) {
      const deletions = (await asOwner(listDeletions)).map(presentProgress);
      return {
        json: { deletions },
        text: formatTable(
          ['PROJECT', 'STATE', 'REQUESTED', 'FINISHED', 'ROWS', 'FILES'],
          deletions.map((one) => [
            one.project_id,
            one.state,
            one.requested_at,
            one.finished_at ?? '',
            one.rows_deleted,
            one.files_deleted,
          ]),
        ),
      };
    },
  },
];

/** The quota to change and its new value; null for the default. */
function parseQuotaChange(input: CommandInput): { name: QuotaName; max: number | null } | null {
  const [set, to] = [input.option('set'), input.option('to')];
  if (set === undefined && to === undefined) return null;
  const name = input.oneOf('quota', input.requiredOption('set'), quotaNames);
  const value = input.requiredOption('to');
  if (value === 'default') return { name, max: null };
  if (!/^(0|[1-9]\d{0,14})$/.test(value)) {
    throw new UsageError(`--to must be a whole number or 'default', not '${value}'.`);
  }
  return { name, max: Number(value) };
}
