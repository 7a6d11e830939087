import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OperationName, operationNames, operations } from '@scriptorium/contracts/operations';
import { variantFields, variantNames } from '@scriptorium/contracts/variants';
import {
  imageMimes,
  renditionMimes,
  renditionNames,
} from '@scriptorium/contracts/wire/library/images';
import { createEngines, EngineError, type Engines, engineErrorCodes } from '@scriptorium/documents';
import { createImaging, type Imaging } from '@scriptorium/documents/imaging';
import { openSteps } from '../../bench/documents/steps.ts';
import type { SeedFile } from './seeds.ts';

/**
 * The treatments of every file: the operations of jobs, and the library's processing of pictures.
 */
export const treatmentNames = [
  ...operationNames,
  'draw_page',
  'read_image',
  'strip_image',
] as const;
export type TreatmentName = (typeof treatmentNames)[number];

/**
 * The treatments in a comma-separated list, or all.
 * @throws Error if a name is unknown
 */
export function readTreatments(list: string | undefined): TreatmentName[] {
  const names: readonly string[] = list?.split(',') ?? treatmentNames;
  const unknown = names.find((name) => !treatmentNames.some((known) => known === name));
  if (unknown !== undefined) {
    throw new Error(
      `Unknown operation '${unknown}'. Expected one of: ${treatmentNames.join(', ')}.`,
    );
  }
  return treatmentNames.filter((name) => names.includes(name));
}

/** How a treatment ended. */
export interface TreatmentOutcome {
  /** `result`, `in part`, or the code of the error. */
  outcome: string;
  /** All error codes, including those of single pages. */
  codes: string[];
  outputs: string[];
  verified: boolean;
}

export interface EngineSet {
  engines: Engines;
  imaging: Imaging;
}

/** The errors that a file may cause. All are documented. */
export const fileErrorCodes: readonly string[] = [
  ...engineErrorCodes.filter(
    (code) =>
      !['crashed', 'deadline_exceeded', 'memory_exceeded', 'machine_fault', 'cancelled'].includes(
        code,
      ),
  ),
  'redaction_not_verified',
  'too_many_findings',
];

const deadlineMs = 60_000;
const callOptions = { deadlineMs, isolation: 'fuzz' };
const isPicture = (mime: string): boolean => imageMimes.some((one) => one === mime);

/** Whether a treatment takes files of this kind. */
export function accepts(name: TreatmentName, mime: string, isDocument: boolean): boolean {
  if (name === 'read_image' || name === 'strip_image') return isPicture(mime);
  if (name === 'draw_page') return isDocument;
  const sources: readonly string[] = operations[name].sources;
  return sources.includes(mime);
}

/** The treatments of one file, to be called in order. */
export function openTreatments(
  { engines, imaging }: EngineSet,
  { mime, isDocument }: SeedFile,
  path: string,
  folder: string,
): (name: TreatmentName) => Promise<TreatmentOutcome> {
  // Never used for kinds that jobs do not accept.
  const source = { path, mime } as Parameters<typeof openSteps>[1];
  const step = isDocument ? openSteps(engines, source, folder) : null;
  const operation = async (name: OperationName): Promise<TreatmentOutcome> => {
    if (!step) throw new Error(`No operation takes ${mime}.`);
    const { error, failed, outputs, result } = await step(name);
    const codes = [error, ...failed].flatMap((one) => one?.code ?? []);
    const outcome = error ? error.code : failed.length > 0 ? 'in part' : 'result';
    return { outcome, codes, outputs, verified: result?.verified === true };
  };
  const libraryTreatments: Record<Exclude<TreatmentName, OperationName>, () => Promise<unknown>> = {
    draw_page: () => {
      const drawn = { page: 1, width: 400, format: 'image/webp', boxes: [[1, 1, 9, 9]] } as const;
      return engines.drawPage({ path, mime, ...drawn, outPath: join(folder, 'page') }, callOptions);
    },
    read_image: () => {
      const names = renditionNames.flatMap((name) =>
        renditionMimes.map((kind) => `${name}.${kind.slice('image/'.length)}`),
      );
      const files = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
      return imaging.read({ path, mime, files }, callOptions);
    },
    strip_image: async () => {
      for (const variant of variantNames) {
        const outPath = join(folder, variant.replace(':', '-'));
        await imaging.stripMetadata(
          { path, mime, fields: variantFields[variant], outPath },
          callOptions,
        );
      }
    },
  };
  return async (name) => {
    await mkdir(folder, { recursive: true });
    if (name !== 'draw_page' && name !== 'read_image' && name !== 'strip_image') {
      return operation(name);
    }
    try {
      await libraryTreatments[name]();
      return { outcome: 'result', codes: [], outputs: [], verified: false };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { outcome: error.code, codes: [error.code], outputs: [], verified: false };
    }
  };
}

export function openEngineSet(memoryBytes: number): EngineSet {
  const options = { processes: 1, memoryBytes, tmpDir: tmpdir() };
  return { engines: createEngines(options), imaging: createImaging(options) };
}
