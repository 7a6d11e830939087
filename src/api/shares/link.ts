import { type IdKind, idPrefixes, isId } from '@scriptorium/contracts/ids';
import type { Signer } from '../../access/signer.ts';

/** Separates these tokens from all other signed texts. */
const purpose = 'share';

/** The prefix of the paths of links. */
export const sharePrefix = '/l/';

/** The share that a link refers to. */
export interface NamedShare {
  projectId: string;
  id: string;
}

/** The path of a link, which can be derived again at any time. No part of it is stored. */
export function sharePath(signer: Signer, { projectId, id }: NamedShare): string {
  // Without the prefixes of the identifiers, because people copy it.
  return sharePrefix + signer.sign(purpose, bare(projectId) + bare(id));
}

/** The share that the token of a link names; null if the token is invalid. */
export function readShareToken(signer: Signer, token: string): NamedShare | null {
  const payload = signer.verify(purpose, token);
  if (payload === null) return null;
  const half = payload.length / 2;
  const projectId = named('project', payload.slice(0, half));
  const id = named('share', payload.slice(half));
  return isId('project', projectId) && isId('share', id) ? { projectId, id } : null;
}

function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

function named(kind: IdKind, rest: string): string {
  return `${idPrefixes[kind]}_${rest}`;
}
