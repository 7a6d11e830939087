import { variantFields } from '@scriptorium/contracts/variants';
import type { TaskRun } from '../../outbox/task-run.ts';
import type { ImagingDeps } from '../images/deps.ts';
import { giveUpVariant, makeVariant } from './make-variant.ts';

/** Shorter than the task's deadline, to distinguish a damaged file from a machine that hangs. */
const stripTimeoutMs = 60_000;

type StripRun = TaskRun<'object.strip'>;

/** Makes a variant of an object without some of its metadata. */
export async function stripObject(deps: ImagingDeps, run: StripRun): Promise<void> {
  const { variant } = run.task.payload;
  await makeVariant(deps, run, variant, ({ projectId, mime }, path, outPath) =>
    deps.imaging.stripMetadata(
      { path, mime, fields: variantFields[variant], outPath },
      { deadlineMs: stripTimeoutMs, signal: run.signal, isolation: projectId },
    ),
  );
}

/** Fails a variant after the worker crashed in each attempt to make it. */
export async function giveUpStripping(run: StripRun): Promise<void> {
  await giveUpVariant(run, run.task.payload.variant, 'Removing the metadata');
}
