import { createProject, listProjects, renameProject, showProject } from '../access/projects.ts';
import { type Command, table } from './command.ts';

export const projectCommands: Command[] = [
  {
    name: 'project list',
    summary: 'all projects',
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
    summary: 'one, with how much it holds',
    async run(given, { inProject }) {
      const project = await inProject(given.arg('PROJECT'), (tx) =>
        showProject(tx, given.arg('PROJECT')),
      );
      return {
        json: project,
        text: table(
          ['WHAT', 'COUNT'],
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
    summary: 'a project and its first key',
    async run(given, { asOwner }) {
      const made = await asOwner((tx) => createProject(tx, given.arg('NAME')));
      return {
        json: { project_id: made.projectId, api_key: made.secret },
        text: `Project  ${made.projectId}\nAPI key  ${made.secret}\nThe key is not shown again.`,
      };
    },
  },
  {
    name: 'project rename',
    args: ['PROJECT', 'NAME'],
    summary: 'gives it another name',
    async run(given, { inProject }) {
      const [id, name] = [given.arg('PROJECT'), given.arg('NAME')];
      await inProject(id, (tx) => renameProject(tx, id, name));
      return { json: { project_id: id, name }, text: `${id} is called '${name}' now.` };
    },
  },
];
