import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Trait } from '@scriptorium/contracts/rules';
import { scanMarkup } from './markup/scan.ts';
import { applyMarkup } from './markup/sniff.ts';
import { GZIP, type SniffedType, type SniffHints } from './sniffed-type.ts';
import { readZipKind, type ZipKind } from './zip-kind.ts';

/** The detected traits of a file, in addition to its type. */
function traitsOf({ executable, scripted }: Pick<SniffedType, 'executable' | 'scripted'>): Trait[] {
  return [
    ...(executable ? (['executable'] as const) : []),
    ...(scripted ? (['scripted'] as const) : []),
  ];
}

/**
 * The facts that a file's first bytes establish, for policies that apply before the rest is read.
 */
export function certainFacts(sniffed: SniffedType): { mime?: string; traits?: Trait[] } {
  if (sniffed.scanNeeded === 'archive') return {};
  const { mime } = sniffed;
  return sniffed.scanNeeded ? { mime } : { mime, traits: traitsOf(sniffed) };
}

/** Opens the bytes of a file; `end` is inclusive. */
export type OpenBytes = (range?: { start: number; end: number }) => Promise<Readable>;

/**
 * The type and the traits of a whole file: markup that is longer than the sniffed part is read to its
 * end, and the directory of an archive.
 */
export async function readTypeAndTraits(
  sniffed: SniffedType,
  hints: SniffHints,
  open: OpenBytes,
): Promise<{ mime: string; traits: Trait[] }> {
  const resolved = await resolveType(sniffed, hints, open);
  return { mime: resolved.mime, traits: traitsOf(resolved) };
}

async function resolveType(sniffed: SniffedType, hints: SniffHints, open: OpenBytes) {
  switch (sniffed.scanNeeded) {
    case 'markup':
      return applyMarkup(sniffed, await scanMarkup(await open(), sniffed.mime === GZIP), hints);
    case 'archive': {
      const kind = await detectZipKind(hints.bytes ?? 0, open);
      return { ...kind, executable: kind.executable || sniffed.executable };
    }
    case false:
      return sniffed;
  }
}

async function detectZipKind(size: number, open: OpenBytes): Promise<ZipKind> {
  const reading = readZipKind(size);
  let step = reading.next();
  while (!step.done) {
    const start = Math.min(step.value.start, size);
    const end = Math.min(step.value.end, size);
    const isEmpty = start >= end;
    step = reading.next(
      isEmpty ? Buffer.alloc(0) : await buffer(await open({ start, end: end - 1 })),
    );
  }
  return step.value;
}
