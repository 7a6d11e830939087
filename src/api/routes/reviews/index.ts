import { decideRoutes } from './decide.ts';
import { findingRoutes } from './findings.ts';
import { readRoutes } from './read.ts';

export const reviewRoutes = [...readRoutes, ...findingRoutes, ...decideRoutes];
