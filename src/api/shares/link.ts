import { type IdKind, idPrefixes, isId } from '@scriptorium/contracts/ids';
import type { Signer } from '../../access/signer.ts';

/** Distinguishes these tokens from other signed texts. */
const purpose = 'share';

/** The prefix of the paths of links. */
export const sharePrefix = '/l/';

/** The share that a link refers to. */
export interface ShareRef {
  projectId: string;
  id: string;
}

/** The path of a link. It can be derived again at any time, so it is not stored. */
export function sharePath(signer: Signer, { projectId, id }: ShareRef): string {
  // Without the prefixes of the identifiers, to keep links short.
  return sharePrefix + signer.sign(purpose, removePrefix(projectId) + removePrefix(id));
}

/** The share that the token of a link names; null if the token is invalid. */
export function readShareToken(signer: Signer, token: string): ShareRef | null {
  const payload = signer.verify(purpose, token);
  if (payload === null) return null;
  const half = payload.length / 2;
  const projectId = addPrefix('project', payload.slice(0, half));
  const id = addPrefix('share', payload.slice(half));
  return isId('project', projectId) && isId('share', id) ? { projectId, id } : null;
}

function removePrefix(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

function addPrefix(kind: IdKind, suffix: string): string {
  return `${idPrefixes[kind]}_${suffix}`;
}
