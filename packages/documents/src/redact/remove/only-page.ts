import { EngineError } from '@scriptorium/sandbox/errors';
import type { PlannedPage } from '../contract/plan.ts';

/** Returns the plan of a picture, which has one page. Throws EngineError invalid_argument. */
export function onlyPage(plans: readonly PlannedPage[]): PlannedPage {
  const [plan, more] = plans;
  if (!plan || more)
    throw new EngineError('invalid_argument', 'A picture must have exactly one planned page.');
  return plan;
}
