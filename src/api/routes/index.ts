import type { Route } from '../route.ts';
import { keyRoutes } from './keys.ts';
import { objectRoutes } from './objects.ts';
import { serviceRoutes } from './service.ts';

/** Every route of the API. The OpenAPI document and the suites of bad requests read this list. */
export const routes: readonly Route[] = [...serviceRoutes, ...keyRoutes, ...objectRoutes];
