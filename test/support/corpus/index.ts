import { documentPartFamilies } from './families/document-parts.ts';
import type { Family } from './families/family.ts';
import { fileFamilies } from './families/files.ts';
import { geometryFamilies } from './families/geometry.ts';
import { hiddenFamilies } from './families/hidden.ts';
import { placementFamilies } from './families/picture-placement.ts';
import { pictureFamilies } from './families/pictures.ts';
import { textFamilies } from './families/text.ts';
import { type CorpusFile, Maker } from './maker.ts';
import { SecretSource } from './secrets.ts';

export type { CorpusFile, PlantedSecret } from './maker.ts';

/** Every way of hiding a secret in a PDF that the corpus knows. */
export const families: readonly Family[] = [
  ...textFamilies,
  ...pictureFamilies,
  ...geometryFamilies,
  ...hiddenFamilies,
  ...documentPartFamilies,
  ...fileFamilies,
  ...placementFamilies,
];

/** Makes one file. The same seeds give the same bytes. */
export async function makeFile(
  family: Family,
  index: number,
  source: SecretSource,
  seed = 1,
): Promise<CorpusFile> {
  const familyIndex = families.indexOf(family);
  const maker = new Maker(seed * 100_003 + familyIndex * 1009 + index, source);
  const built = await family.build(maker, index);
  return {
    name: `${family.name}-${String(index + 1).padStart(2, '0')}`,
    family: family.name,
    pdf: built.pdf,
    pages: maker.pageCount,
    secrets: maker.secrets,
    keptWords: maker.keptWords,
    mayBurn: built.mayBurn ?? false,
    ownerPassword: built.ownerPassword ?? null,
  };
}

/**
 * The corpus, file by file: at most `max` files of each family. No two secrets are the same.
 */
export async function* makeCorpus(
  options: { seed?: number; max?: number; only?: (family: string) => boolean } = {},
): AsyncGenerator<CorpusFile> {
  const { seed = 1, max = Number.POSITIVE_INFINITY, only = () => true } = options;
  const source = new SecretSource(seed);
  for (const family of families) {
    if (!only(family.name)) continue;
    for (let index = 0; index < Math.min(max, family.count); index += 1) {
      yield makeFile(family, index, source, seed);
    }
  }
}
