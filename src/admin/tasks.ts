import { workQueues } from '../outbox/relay/hand-over.ts';
import { listStuck, retryTask, showTask, stuckReasons } from '../outbox/stuck.ts';
import { type Command, table } from './command.ts';

export const taskCommands: Command[] = [
  {
    name: 'task list',
    options: {
      queue: { value: 'QUEUE', summary: 'of this queue only' },
      project: { value: 'ID', summary: 'of this project only' },
      limit: { value: 'N', summary: 'at most so many; 50 unless said' },
    },
    summary: 'those that do not get on, and why',
    async run(given, { asOwner }) {
      const queue = given.option('queue');
      const tasks = await asOwner((tx) =>
        listStuck(tx, {
          queue: queue === undefined ? null : given.oneOf('queue', queue, workQueues),
          projectId: given.option('project') ?? null,
          limit: given.count('limit') ?? 50,
        }),
      );
      if (tasks.length === 0) return { json: { tasks }, text: 'No task is stuck.' };
      const rows = tasks.map((task) => [
        task.id,
        task.kind,
        task.resource_id,
        task.due_at.toISOString(),
        task.crashes,
        task.reason,
        task.last_error,
      ]);
      const why = [...new Set(tasks.flatMap(({ reason }) => (reason ? [reason] : [])))]
        .map((reason) => `${reason}: ${stuckReasons[reason]}`)
        .join('\n');
      return {
        json: { tasks },
        text: `${table(['TASK', 'KIND', 'FOR', 'DUE', 'CRASHES', 'WHY', 'LAST ERROR'], rows)}\n\n${why}`,
      };
    },
  },
  {
    name: 'task show',
    args: ['TASK'],
    summary: 'one, with all that is known of it',
    async run(given, { asOwner }) {
      const id = given.arg('TASK');
      const task = await asOwner((tx) => showTask(tx, id));
      if (!task) throw new Error(`There is no task '${id}': it was done, or never was.`);
      const why = task.reason ? `\n\n${task.reason}: ${stuckReasons[task.reason]}` : '';
      const rows = Object.entries(task).map(([name, value]) => [
        name,
        value instanceof Date
          ? value.toISOString()
          : typeof value === 'object' && value !== null
            ? JSON.stringify(value)
            : value,
      ]);
      return { json: task, text: table(['FIELD', 'VALUE'], rows) + why };
    },
  },
  {
    name: 'task retry',
    args: ['TASK'],
    summary: 'makes it due now, with all its tries before it again',
    async run(given, { asOwner }) {
      const id = given.arg('TASK');
      const task = await asOwner((tx) => showTask(tx, id));
      if (!task) throw new Error(`There is no task '${id}': it was done, or never was.`);
      if (!(await asOwner((tx) => retryTask(tx, id)))) {
        throw new Error(`'${id}' is in a worker's hands: wait until its lease ends.`);
      }
      return { json: { task_id: id, state: 'pending' }, text: `${id} is due now.` };
    },
  },
];
