import type { ClientAction } from './action.ts';
import { collectionActions } from './collections.ts';
import { jobActions } from './jobs.ts';
import { objectActions } from './objects.ts';
import { repeatActions } from './repeats.ts';
import { webhookActions } from './webhooks.ts';

/** What clients do. */
export const actions = {
  ...objectActions,
  ...collectionActions,
  ...jobActions,
  ...webhookActions,
  ...repeatActions,
} satisfies Record<string, ClientAction>;

export type ActionName = keyof typeof actions;

/** The weight of each deed. */
export const actionWeights: Readonly<Record<ActionName, number>> = {
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
