import type Koa from 'koa';
import type { Deps } from './deps.ts';

/** What is for the operator alone: the board of queues and the metrics. */
export function mountOperator(_app: Koa, _deps: Deps): void {}
