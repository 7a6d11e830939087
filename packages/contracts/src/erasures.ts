/** The states of an erasure. */
export const erasureStates = ['searching', 'ready', 'running', 'finished', 'cancelled'] as const;
export type ErasureState = (typeof erasureStates)[number];

/** What happens to objects that contain a value. */
export const erasureModes = ['purge', 'text'] as const;
export type ErasureMode = (typeof erasureModes)[number];

export const erasureResourceStates = ['found', 'erased', 'kept'] as const;
export type ErasureResourceState = (typeof erasureResourceStates)[number];

/** A value that is a single word, and the number of resources that contain it. */
export interface OrdinaryWord {
  value_index: number;
  resources: number;
}

/** The rule that keeps an object. */
export interface ErasureKeeper {
  policy_id: string;
  rule_type: string;
}
