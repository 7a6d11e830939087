import { actionRoutes } from './actions.ts';
import { deliveryRoutes } from './deliveries.ts';
import { endpointRoutes } from './endpoints.ts';
import { recoveryRoutes } from './recovery.ts';
import { statsRoutes } from './stats.ts';

export const webhookRoutes = [
  ...endpointRoutes,
  ...actionRoutes,
  ...deliveryRoutes,
  ...recoveryRoutes,
  ...statsRoutes,
];
