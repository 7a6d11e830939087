import { isId } from '@scriptorium/contracts/ids';

/** The target of a path below a link. */
export interface ShareTarget {
  kind: 'root' | 'uploads' | 'collection' | 'file' | 'preview' | 'download' | 'archive';
  /** The identifier of the collection or the object; null at the root. */
  id: string | null;
}

/** Reads the path after the token; null if it has no target. */
export function parseTarget(path: string): ShareTarget | null {
  const [start, kind, id = '', leaf, ...rest] = path.split('/');
  if (start !== '' || rest.length > 0) return null;
  const target = (targetKind: ShareTarget['kind'], targetId: string | null): ShareTarget => ({
    kind: targetKind,
    id: targetId,
  });
  if (kind === undefined) return target('root', null);
  if (kind === 'files' && path === '/files') return target('uploads', null);
  if (kind === 'archive' && id === '' && leaf === undefined) return target('archive', null);
  if (kind === 'collections' && isId('collection', id)) {
    if (leaf === undefined) return target('collection', id);
    return leaf === 'archive' ? target('archive', id) : null;
  }
  if (kind !== 'files' || !isId('object', id)) return null;
  if (leaf === undefined) return target('file', id);
  return leaf === 'preview' || leaf === 'download' ? target(leaf, id) : null;
}
