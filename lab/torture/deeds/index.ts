import { collectionDeeds } from './collections.ts';
import type { Deed } from './deed.ts';
import { jobDeeds } from './jobs.ts';
import { objectDeeds } from './objects.ts';
import { repeatDeeds } from './repeats.ts';
import { webhookDeeds } from './webhooks.ts';

/** What clients do. */
export const deeds = {
  ...objectDeeds,
  ...collectionDeeds,
  ...jobDeeds,
  ...webhookDeeds,
  ...repeatDeeds,
} satisfies Record<string, Deed>;

export type DeedName = keyof typeof deeds;

/** The weight of each deed. */
export const deedWeights: Readonly<Record<DeedName, number>> = {
  upload: 10,
  uploadShared: 3,
  uploadResumably: 5,
  patch: 8,
  patchOutdated: 2,
  trash: 4,
  restore: 3,
  purge: 4,
  download: 4,
  peek: 3,
  collect: 5,
  rename: 3,
  addMember: 6,
  removeMember: 3,
  trashCollection: 1,
  startJob: 7,
  cancelJob: 2,
  subscribe: 2,
  pauseAndEnable: 4,
  rotate: 2,
  unsubscribe: 1,
  repeat: 4,
  reuseKey: 2,
  acknowledge: 2,
};
