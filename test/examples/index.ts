import type { RecordedExchange } from '../../src/api/openapi/examples.ts';
import { collections } from './collections.ts';
import { documents, waitingJobs } from './documents.ts';
import { erasures, waitingErasure } from './erasures.ts';
import { consumers, events } from './events.ts';
import { images } from './images.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { objects } from './objects.ts';
import { packs, waitingPacks } from './packs.ts';
import { policies } from './policies.ts';
import { presets } from './presets.ts';
import { projects } from './projects.ts';
import { retention } from './retention.ts';
import { reviews } from './reviews.ts';
import { service } from './service.ts';
import { shares } from './shares.ts';
import { openStage } from './stage.ts';
import type { Teller } from './teller.ts';
import { uploads } from './uploads.ts';
import { waitingReplay, webhooks } from './webhooks.ts';

type Scene = (scene: Teller) => Promise<void>;

/** Played before any worker starts: operations on queued work. */
const waiting: Scene[] = [waitingJobs, waitingPacks, waitingReplay, waitingErasure];

const scenes: Scene[] = [
  service,
  projects,
  keys,
  members,
  objects,
  uploads,
  images,
  collections,
  shares,
  documents,
  presets,
  reviews,
  packs,
  policies,
  retention,
  erasures,
  events,
  consumers,
  webhooks,
];

/** Plays every scene, each in its own project, and returns the exchanges. */
export async function playAll(): Promise<RecordedExchange[]> {
  const stage = await openStage();
  const play = async (scene: Scene): Promise<RecordedExchange[]> => {
    const teller = await stage.scene();
    await scene(teller);
    return teller.record();
  };
  const told: RecordedExchange[][] = [];
  try {
    for (const scene of waiting) told.push(await play(scene));
    stage.startWorkers();
    for (const scene of scenes) told.push(await play(scene));
  } finally {
    await stage.close();
  }
  return [...told.slice(waiting.length), ...told.slice(0, waiting.length)].flat();
}
