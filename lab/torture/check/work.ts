import { laterTasks } from '../quiet.ts';
import type { Check } from './check-input.ts';

/** No task or lease remains; every job ended once, with one result for each page. */
export const checkWork: Check = async ({ world, ledger }) => {
  const faults: string[] = [];
  const tasks = await world.rows<{
    id: string;
    kind: string;
    state: string;
    last_error: string | null;
  }>(
    `SELECT id, kind, state, last_error FROM task
     WHERE lease_until IS NOT NULL OR state <> 'pending' OR due_at <= now() OR kind <> ALL ($1)`,
    [laterTasks],
  );
  for (const task of tasks)
    faults.push(`task ${task.id} ${task.kind} is left, ${task.state}: ${task.last_error}`);
  const outputs = await world.rows<{ id: string; created: number; available: number }>(
    `SELECT o.id, count(*) FILTER (WHERE e.type = 'dam.object.created') AS created,
       count(*) FILTER (WHERE e.type = 'dam.object.available') AS available
     FROM object o LEFT JOIN event e ON e.resource_id = o.id WHERE o.source_kind = 'job'
     GROUP BY o.id HAVING count(*) FILTER (WHERE e.type = 'dam.object.created') <> 1
       OR count(*) FILTER (WHERE e.type = 'dam.object.available') <> 1`,
  );
  for (const { id, created, available } of outputs) {
    faults.push(`output ${id} was created ${created} times and available ${available} times`);
  }
  const jobs = await world.rows<{
    id: string;
    state: string;
    error: unknown;
    percent: number;
    ends: string[];
    percents: number[];
    created: number;
    started: number;
    operations: number;
    results: number;
    totals: number;
    open: number;
    done: number;
    outputs: number;
    lost: number;
  }>(
    `SELECT j.id, j.state, j.error, j.percent,
       array(SELECT type FROM event e WHERE e.resource_id = j.id
         AND type ~ '^documents\\.job\\.(succeeded|partially_succeeded|failed|cancelled)$') AS ends,
       array(SELECT (data->>'percent')::integer FROM event e WHERE e.resource_id = j.id
         AND type = 'documents.job.progressed' ORDER BY sequence) AS percents,
       (SELECT count(*) FROM event e WHERE e.resource_id = j.id AND type = 'documents.job.created') AS created,
       (SELECT count(*) FROM event e WHERE e.resource_id = j.id AND type = 'documents.job.started') AS started,
       (SELECT count(*) FROM event e WHERE e.resource_id = j.id AND type = 'documents.job.operation_finished') AS operations,
       (SELECT count(*) FROM job_page p WHERE p.job_id = j.id AND p.state <> 'pending') AS results,
       (SELECT coalesce(sum(pages_total), 0) FROM job_operation o WHERE o.job_id = j.id) AS totals,
       (SELECT count(*) FROM job_operation o WHERE o.job_id = j.id AND o.state = 'running') AS open,
       (SELECT count(*) FROM job_operation o WHERE o.job_id = j.id AND o.state = 'succeeded') AS done,
       (SELECT count(*) FROM job_output u WHERE u.job_id = j.id) AS outputs,
       (SELECT count(*) FROM object o WHERE o.source_job_id = j.id) AS lost
     FROM job j`,
  );
  for (const job of jobs) {
    const addFault = (what: string) => faults.push(`job ${job.id} (${job.state}) ${what}`);
    if (job.ends.length !== 1 || job.ends[0] !== `documents.job.${job.state}`)
      addFault(`ended with [${job.ends.join(' ')}]`);
    if (job.created !== 1) addFault(`was created ${job.created} times`);
    if (job.started > 1) addFault(`was started ${job.started} times`);
    const sortedPercents = [...new Set(job.percents)].sort((a, b) => a - b);
    if (sortedPercents.join() !== job.percents.join())
      addFault(`progressed ${job.percents.join()}`);
    if (job.outputs !== job.lost) addFault(`has ${job.outputs} outputs and ${job.lost} objects`);
    if (job.open > 0) addFault('has an operation that runs');
    const isCancelled = ledger.jobs.get(job.id)?.isCancelled;
    if (job.state !== (isCancelled ? 'cancelled' : 'succeeded'))
      addFault(`was not expected to end so: ${JSON.stringify(job.error)}`);
    if (job.state === 'succeeded' && job.operations !== job.done)
      addFault(`finished ${job.operations} operations of ${job.done}`);
    if (job.state === 'succeeded' && job.results !== job.totals)
      addFault(`has ${job.results} results of ${job.totals} pages`);
  }
  return faults;
};
