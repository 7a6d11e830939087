/** The ways to keep a child apart, the strongest first. */
export const isolationKinds = ['bubblewrap', 'unshare', 'account', 'process'] as const;
export type IsolationKind = (typeof isolationKinds)[number];

/** What an operator may ask for. */
export const isolationModes = ['auto', 'required', 'off'] as const;
export type IsolationMode = (typeof isolationModes)[number];

const firstUid = 64_800;
const accounts = 500;

/** A number without a name for a child, so that neither files nor other children are its own. */
export function account(number: number): { uid: number; gid: number } {
  const uid = firstUid + (number % accounts);
  return { uid, gid: uid };
}
