import { type QuotaName, quotaNames } from '@scriptorium/contracts/quotas';
import { createProject, listProjects, renameProject, showProject } from '../access/projects.ts';
import { readQuotas, setQuota } from '../policies/quotas.ts';
import { type Command, type Given, table, UsageError } from './command.ts';

export const projectCommands: Command[] = [
  {
    name: 'project list',
    summary: 'list all projects',
    async run(_given, { asOwner }) {
      const projects = await asOwner(listProjects);
      return {
        json: { projects },
        text: table(
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
    async run(given, { inProject }) {
      const project = await inProject(given.arg('PROJECT'), (tx) =>
        showProject(tx, given.arg('PROJECT')),
      );
      return {
        json: project,
        text: table(
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
    async run(given, { asOwner }) {
      const made = await asOwner((tx) => createProject(tx, given.arg('NAME')));
      return {
        json: { project_id: made.projectId, api_key: made.secret },
        text: `Project  ${made.projectId}\nAPI key  ${made.secret}\nThe key is shown only once.`,
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
    async run(given, { inProject }) {
      const id = given.arg('PROJECT');
      const change = changeOf(given);
      const used = await inProject(id, async (tx) => {
        if (change) await setQuota(tx, id, change.name, change.most);
        return readQuotas(tx, id);
      });
      return {
        json: used,
        text: table(
          ['QUOTA', 'USED', 'LIMIT'],
          quotaNames.map((name) => [name, used[name].used, used[name].quota]),
        ),
      };
    },
  },
  {
    name: 'project rename',
    args: ['PROJECT', 'NAME'],
    summary: 'rename a project',
    async run(given, { inProject }) {
      const [id, name] = [given.arg('PROJECT'), given.arg('NAME')];
      await inProject(id, (tx) => renameProject(tx, id, name));
      return { json: { project_id: id, name }, text: `Project ${id} renamed to '${name}'.` };
    },
  },
];

/** The quota to change and its new value; null for the default. */
function changeOf(given: Given): { name: QuotaName; most: number | null } | null {
  const [set, to] = [given.option('set'), given.option('to')];
  if (set === undefined && to === undefined) return null;
  const name = given.oneOf('quota', given.needed('set'), quotaNames);
  const most = given.needed('to');
  if (most === 'default') return { name, most: null };
  if (!/^(0|[1-9]\d{0,14})$/.test(most)) {
    throw new UsageError(`--to must be a whole number or 'default', not '${most}'.`);
  }
  return { name, most: Number(most) };
}
