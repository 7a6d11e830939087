import { EngineError } from '@scriptorium/sandbox/errors';
import type { PlannedPage } from '../contract/plan.ts';

/**
 * Returns the only plan of a picture.
 * @throws EngineError `invalid_argument` if there is not exactly one plan
 */
export function requireSinglePlan(plans: readonly PlannedPage[]): PlannedPage {
  const [plan, second] = plans;
  if (!plan || second)
    throw new EngineError('invalid_argument', 'A picture must have exactly one planned page.');
  return plan;
}
