import { isDeepStrictEqual } from 'node:util';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import {
  nextVersion,
  sendDelete,
  sendInsert,
  sendUpdate,
  transactionTime,
} from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { Preset } from '../../entities/jobs/preset.ts';
import { record } from '../../outbox/record.ts';
import { checkOperations, type JobRequest } from '../creating/check.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { sealOptions } from '../sealing/secret-options.ts';
import { countPresets, findPreset, openPreset, sealContextOf } from './read.ts';

/** The contents of a preset: operations with complete options. */
interface PresetDraft extends Omit<JobRequest, 'pages'> {
  name: string;
  description: string | null;
}

/**
 * Creates a preset.
 * @throws Problem 403 for an option that requires a scope, 409 for a name that is taken or too many
 *   presets, 422 for invalid operations
 */
export async function createPreset(
  tx: Tx,
  origin: Origin,
  seal: Pick<PageSeal, 'seal'>,
  draft: PresetDraft,
): Promise<Preset> {
  checkOperations({ ...draft, pages: null });
  await lockPresets(tx, origin.projectId);
  await rejectTakenName(tx, draft.name, null);
  if ((await countPresets(tx)) >= limits.presets_per_project) {
    const detail = `The project already has ${pluralise(limits.presets_per_project, 'preset')}, the maximum. Delete one first.`;
    throw new Problem('state_conflict', detail, { extra: { limit: limits.presets_per_project } });
  }
  const key = { projectId: origin.projectId, id: newId('preset') };
  sendInsert(tx, Preset, {
    ...key,
    name: draft.name,
    description: draft.description,
    operations: sealOperations(seal, key, draft.operations),
    createdBy: origin.actor,
  });
  const preset = await tx.findOneByOrFail(Preset, key);
  const data = eventDataOf(preset);
  await record(tx, origin, { type: 'documents.preset.created', resourceId: preset.id, data });
  return preset;
}

/** A preset to change, after locking the presets of the project; or null. */
export async function lockPreset(tx: Tx, projectId: string, id: string): Promise<Preset | null> {
  await lockPresets(tx, projectId);
  return findPreset(tx, id);
}

/**
 * Changes a locked preset. If nothing changes, it keeps its version and no event is recorded.
 * @throws Problem as `createPreset` does
 */
export async function changePreset(
  tx: Tx,
  origin: Origin,
  seal: PageSeal,
  preset: Preset,
  patch: Partial<PresetDraft> & Pick<PresetDraft, 'mayReadPii' | 'ocrLanguages'>,
): Promise<Preset> {
  const current = { ...preset, operations: openPreset(preset, seal) };
  const { operations = current.operations } = patch;
  if (patch.operations) checkOperations({ ...patch, operations, pages: null });
  const next = {
    name: patch.name ?? preset.name,
    description: patch.description === undefined ? preset.description : patch.description,
    operations: operations.map(({ op, options }) => ({ op, options })),
  };
  const fields = ['name', 'description', 'operations'] as const;
  const changed = fields.filter((field) => !isDeepStrictEqual(next[field], current[field]));
  if (changed.length === 0) return preset;
  await rejectTakenName(tx, next.name, preset.id);
  const { projectId, id } = preset;
  sendUpdate(
    tx,
    Preset,
    { projectId, id },
    {
      ...next,
      operations: sealOperations(seal, preset, operations),
      updatedAt: transactionTime,
      version: nextVersion,
    },
  );
  await record(tx, origin, {
    type: 'documents.preset.updated',
    resourceId: id,
    data: { changed: [...changed] },
  });
  return tx.findOneByOrFail(Preset, { projectId, id });
}

/** Deletes a locked preset. Jobs that were started with it continue. */
export async function deletePreset(tx: Tx, origin: Origin, preset: Preset): Promise<void> {
  const { projectId, id } = preset;
  sendDelete(tx, Preset, { projectId, id });
  const data = eventDataOf(preset);
  await record(tx, origin, { type: 'documents.preset.deleted', resourceId: id, data });
}

/** Serialises changes, so that two requests cannot both take a name or exceed the maximum. */
async function lockPresets(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('presets ' || $1, 0))`, [
    projectId,
  ]);
}

/** @throws Problem 409 if another preset of the project has the name */
async function rejectTakenName(tx: Tx, name: string, presetId: string | null): Promise<void> {
  const [taken] = await query<{ id: string }>(
    tx,
    `SELECT id FROM preset
     WHERE project_id = current_setting('app.project_id') AND lower(name) = lower($1)
       AND id IS DISTINCT FROM $2`,
    [name, presetId],
  );
  if (!taken) return;
  throw new Problem('already_exists', `A preset named '${name}' already exists.`, {
    errors: [{ pointer: '/name', code: 'already_exists', detail: 'It must be unique.' }],
  });
}

function sealOperations(
  seal: Pick<PageSeal, 'seal'>,
  preset: Pick<Preset, 'projectId' | 'id'>,
  operations: PresetDraft['operations'],
): Preset['operations'] {
  return operations.map(({ op, options }) => ({
    op,
    options: sealOptions(seal, sealContextOf(preset), { op, options }),
  }));
}

function eventDataOf({ name, operations }: Preset) {
  return { name, operations: operations.map(({ op }) => op) };
}
