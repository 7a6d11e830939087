/** The states of a review. All except `open` are final. */
export const reviewStates = ['open', 'submitted', 'rejected', 'cancelled', 'expired'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** The source of a finding: the operation, or a person. */
export const findingSources = ['detector', 'person'] as const;
export type FindingSource = (typeof findingSources)[number];

export const findingDecisions = ['pending', 'accepted', 'rejected'] as const;
export type FindingDecision = (typeof findingDecisions)[number];

/** The actions of a reviewer on findings of the detector. */
export const decisionVerbs = ['accept', 'reject', 'reset'] as const;
export type DecisionVerb = (typeof decisionVerbs)[number];

/** The decision that results from each verb. */
export const decisionOf: Record<DecisionVerb, FindingDecision> = {
  accept: 'accepted',
  reject: 'rejected',
  reset: 'pending',
};
