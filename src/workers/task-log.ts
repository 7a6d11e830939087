import type { ClaimedTask } from '../outbox/lease.ts';

/**
 * The fields of every line about a task: the task, its request and its resource. Payloads contain
 * identifiers and numbers only.
 */
export function fieldsOf(task: ClaimedTask): Record<string, string | number | null> {
  return {
    task_id: task.taskId,
    kind: task.kind,
    project_id: task.projectId,
    request_id: task.requestId,
    attempt: task.epoch,
    ...Object.fromEntries(
      Object.entries(task.payload).map(([name, value]) => [
        pageFields.get(name) ?? name,
        typeof value === 'number' ? value : String(value),
      ]),
    ),
  };
}

/** `pages`, since other lines have other ranges. */
const pageFields = new Map([
  ['from', 'first_page'],
  ['to', 'last_page'],
]);
