import { queueNames } from '@scriptorium/contracts/work/queues';
import { listStuck, retryTask, showTask, stuckReasons } from '../outbox/stuck-queries.ts';
import { type Command, formatTable } from './command.ts';

export const taskCommands: Command[] = [
  {
    name: 'task list',
    options: {
      queue: { value: 'QUEUE', summary: 'only this queue' },
      project: { value: 'ID', summary: 'only this project' },
      limit: { value: 'N', summary: 'the maximum number, 50 by default' },
    },
    summary: 'list stuck tasks with the reason',
    async run(input, { asOwner }) {
      const queue = input.option('queue');
      const tasks = await asOwner((tx) =>
        listStuck(tx, {
          queue: queue === undefined ? null : input.oneOf('queue', queue, queueNames),
          projectId: input.option('project') ?? null,
          limit: input.positiveInteger('limit') ?? 50,
        }),
      );
      if (tasks.length === 0) return { json: { tasks }, text: 'No tasks are stuck.' };
      const rows = tasks.map((task) => [
        task.id,
        task.kind,
        task.resource_id,
        task.due_at.toISOString(),
        task.crashes,
        task.reason,
        task.last_error,
      ]);
      const reasons = [...new Set(tasks.flatMap(({ reason }) => (reason ? [reason] : [])))]
        .map((reason) => `${reason}: ${stuckReasons[reason]}`)
        .join('\n');
      return {
        json: { tasks },
        text: `${formatTable(['TASK', 'KIND', 'FOR', 'DUE', 'CRASHES', 'REASON', 'LAST ERROR'], rows)}\n\n${reasons}`,
      };
    },
  },
  {
    name: 'task show',
    args: ['TASK'],
    summary: 'show a task',
    async run(input, { asOwner }) {
      const id = input.arg('TASK');
      const task = await asOwner((tx) => showTask(tx, id));
      if (!task) throw new Error(`Task '${id}' was not found. It may have finished.`);
      const explanation = task.reason ? `\n\n${task.reason}: ${stuckReasons[task.reason]}` : '';
      const rows = Object.entries(task).map(([name, value]) => [
        name,
        value instanceof Date
          ? value.toISOString()
          : typeof value === 'object' && value !== null
            ? JSON.stringify(value)
            : value,
      ]);
      return { json: task, text: formatTable(['FIELD', 'VALUE'], rows) + explanation };
    },
  },
  {
    name: 'task retry',
    args: ['TASK'],
    summary: 'make a task due now and reset its attempts',
    async run(input, { asOwner }) {
      const id = input.arg('TASK');
      const task = await asOwner((tx) => showTask(tx, id));
      if (!task) throw new Error(`Task '${id}' was not found. It may have finished.`);
      if (!(await asOwner((tx) => retryTask(tx, id)))) {
        throw new Error(`Task '${id}' is held by a worker. Wait until its lease ends.`);
      }
      return { json: { task_id: id, state: 'pending' }, text: `Task ${id} is due now.` };
    },
  },
];
