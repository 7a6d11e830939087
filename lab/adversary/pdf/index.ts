import { families } from '../../../test/support/corpus/index.ts';
import type { Trick } from '../trick.ts';
import { fontTricks } from './fonts.ts';
import { frameTricks } from './frames.ts';
import { paintingTricks } from './painting.ts';
import { pdfPictureTricks } from './pictures.ts';
import { pieceTricks } from './pieces.ts';

/** Ways in which the corpus hides secrets; its own plain pages are the honest twins. */
const hidden = [
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

const corpus: readonly Trick[] = families
  .filter(({ name }) => hidden.includes(name))
  .map(({ name, count, build }) => ({
    name: `corpus ${name}`,
    async build(maker, honest) {
      const plain = families.find((family) => family.name === 'plain')!;
      const made = await (honest ? plain.build(maker, 0) : build(maker, maker.pick(count)));
      return { mime: 'application/pdf', bytes: made.pdf };
    },
  }));

export const pdfTricks: readonly Trick[] = [
  ...fontTricks,
  ...paintingTricks,
  ...pieceTricks,
  ...frameTricks,
  ...pdfPictureTricks,
  ...corpus,
];
