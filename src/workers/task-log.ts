import type { ClaimedTask } from '../outbox/lease.ts';

/**
 * What every line about a task says of it: which task it is, for which request, of what. Payloads
 * hold identifiers and numbers only.
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

/** A range of pages is called so in lines that have other ranges, too. */
const pageFields = new Map([
  ['from', 'first_page'],
  ['to', 'last_page'],
]);
