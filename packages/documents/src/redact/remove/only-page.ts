import { EngineError } from '@scriptorium/sandbox/errors';
import type { PlannedPage } from '../contract/plan.ts';

/**
 * Returns the only plan of a picture.
 * @throws EngineError `invalid_argument` if there is not exactly one plan
 */
export function onlyPage(plans: readonly PlannedPage[]): PlannedPage {
  const [plan, more] = plans;
  if (!plan || more)
    throw new EngineError('invalid_argument', 'A picture must have exactly one planned page.');
  return plan;
}
