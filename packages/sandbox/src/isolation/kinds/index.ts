/** The kinds of isolation, the strongest first. */
export const isolationKinds = ['bubblewrap', 'unshare', 'account', 'process'] as const;
export type IsolationKind = (typeof isolationKinds)[number];

/** Whether children of a kind run in separate namespaces. */
export function usesNamespaces(kind: IsolationKind): boolean {
  return kind === 'bubblewrap' || kind === 'unshare';
}

/** The values of the operator's setting. */
export const isolationModes = ['auto', 'required', 'off'] as const;
export type IsolationMode = (typeof isolationModes)[number];

const firstUid = 64_800;
const accountCount = 500;

/** Returns an account without a name for a child, so that it owns no other files or processes. */
export function accountFor(index: number): { uid: number; gid: number } {
  const uid = firstUid + (index % accountCount);
  return { uid, gid: uid };
}
