// Loaded by `node --import` before dist/worker.js: opening an operation only ends its task. The
// first operation of a job has nothing to store, like the peers' tasks; the others end in separate
// transactions, like every task that stores a result.
import { taskHandlers } from '../../../../dist/workers/task-handlers.js';

let done = 0;
let expected = 0;

taskHandlers['operation.open'].run = async (_deps, run) => {
  if (run.task.payload.operation_index === 0) await run.end();
  else
    await run.finish(
      async () => undefined,
      async () => undefined,
    );
  done += 1;
  if (done === expected) process.send({ at: Number(process.hrtime.bigint()) / 1e6 });
};

process.on('message', ({ expect }) => {
  done = 0;
  expected = expect;
  process.send({ ready: true });
});
// The worker exits on request, whether or not the benchmark still listens.
process.channel.unref();
