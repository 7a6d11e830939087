import type { Route } from '../frame/route.ts';
import { collectionRoutes } from './collections/index.ts';
import { consumerRoutes } from './consumers.ts';
import { erasureRoutes } from './erasures.ts';
import { eventRoutes } from './events.ts';
import { imageRoutes } from './images/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { keyRoutes } from './keys.ts';
import { memberRoutes } from './members.ts';
import { objectRoutes } from './objects/index.ts';
import { packRoutes } from './packs/index.ts';
import { passageRoutes } from './passages.ts';
import { policyRoutes } from './policies.ts';
import { presetRoutes } from './presets.ts';
import { projectRoutes } from './projects.ts';
import { retentionRoutes } from './retention.ts';
import { reviewRoutes } from './reviews/index.ts';
import { searchRoutes } from './search.ts';
import { serviceRoutes } from './service.ts';
import { shareRoutes } from './shares.ts';
import { uploadRoutes } from './uploads.ts';
import { webhookRoutes } from './webhooks/index.ts';

/** Every route of the API. The OpenAPI document and the tests of bad requests use this list. */
export const routes: readonly Route[] = [
  ...serviceRoutes(() => routes),
  ...projectRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...objectRoutes,
  ...uploadRoutes,
  ...imageRoutes,
  ...searchRoutes,
  ...passageRoutes,
  ...collectionRoutes,
  ...shareRoutes,
  ...jobRoutes,
  ...presetRoutes,
  ...reviewRoutes,
  ...packRoutes,
  ...policyRoutes,
  ...retentionRoutes,
  ...erasureRoutes,
  ...eventRoutes,
  ...consumerRoutes,
  ...webhookRoutes,
];
