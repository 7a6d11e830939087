// Loaded by `node --import` before dist/worker.js: opening an operation does nothing but finish its
// task, as every run does, in a transaction that its lease guards.
import { taskHandlers } from '../../../dist/workers/task-handlers.js';

taskHandlers['operation.open'].run = (_deps, run) =>
  run.finish(
    async () => undefined,
    async () => undefined,
  );
