import { presentActor } from '@scriptorium/contracts/origin';
import type { PresetRecord } from '@scriptorium/contracts/wire/presets';
import { LessThan } from 'typeorm';
import { currentProject } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Preset } from '../../entities/jobs/preset.ts';
import { type OptionsReader, openOptions, presentOptions } from '../sealing/secret-options.ts';

/** A preset of the current project, or null. */
export function findPreset(tx: Tx, id: string): Promise<Preset | null> {
  return tx.findOneBy(Preset, { projectId: currentProject, id });
}

/** Up to `limit` presets, newest first. */
export function listPresets(
  tx: Tx,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Preset[]> {
  const where = {
    projectId: currentProject,
    ...(before !== undefined && { id: LessThan(before) }),
  };
  return tx.find(Preset, { where, order: { id: 'DESC' }, take: limit });
}

/** The exact number of presets. */
export function countPresets(tx: Tx): Promise<number> {
  return tx.countBy(Preset, { projectId: currentProject });
}

/** A preset as the API returns it, without personal data for callers that may not read it. */
export function presentPreset(preset: Preset, reader: OptionsReader): PresetRecord {
  return {
    id: preset.id,
    project_id: preset.projectId,
    name: preset.name,
    description: preset.description,
    operations: preset.operations.map((operation) => ({
      op: operation.op,
      options: presentOptions(reader, sealContextOf(preset), operation),
    })),
    created_by: presentActor(preset.createdBy),
    created_at: preset.createdAt.toISOString(),
    updated_at: preset.updatedAt.toISOString(),
    version: preset.version,
  };
}

/** The operations of a preset with all their options, to start jobs with. */
export function openPreset(preset: Preset, reader: Pick<OptionsReader, 'unseal'>) {
  return preset.operations.map((operation) => ({
    op: operation.op,
    options: { ...openOptions(reader, sealContextOf(preset), operation) },
  }));
}

/** The context in which the secret options of a preset are sealed. */
export function sealContextOf({ projectId, id }: Pick<Preset, 'projectId' | 'id'>) {
  return { projectId, presetId: id };
}
