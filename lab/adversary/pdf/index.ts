import { families } from '../../../test/support/corpus/index.ts';
import type { Trick } from '../trick.ts';
import { fontTricks } from './fonts.ts';
import { frameTricks } from './frames.ts';
import { paintingTricks } from './painting.ts';
import { pdfPictureTricks } from './pictures.ts';
import { pieceTricks } from './pieces.ts';

/** Ways in which the corpus hides secrets; its own plain pages are the honest twins. */
const hidingFamilies = [
  'attachments',
  'metadata',
  'bookmarks',
  'scripts',
  'form-data',
  'residues',
  'marks',
  'revisions',
  'object-streams',
];

const corpusTricks: readonly Trick[] = families
  .filter(({ name }) => hidingFamilies.includes(name))
  .map(({ name, count, build }) => ({
    name: `corpus ${name}`,
    async build(maker, isHonest) {
      const plain = families.find((family) => family.name === 'plain')!;
      const made = await (isHonest ? plain.build(maker, 0) : build(maker, maker.pick(count)));
      return { mime: 'application/pdf', bytes: made.pdf };
    },
  }));

export const pdfTricks: readonly Trick[] = [
  ...fontTricks,
  ...paintingTricks,
  ...pieceTricks,
  ...frameTricks,
  ...pdfPictureTricks,
  ...corpusTricks,
];
