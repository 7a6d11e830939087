import { isId } from '@scriptorium/contracts/ids';

/** The target of a path below a link. */
export interface Place {
  kind: 'root' | 'uploads' | 'collection' | 'file' | 'preview' | 'download' | 'archive';
  /** The identifier of the collection or the object; null at the root. */
  id: string | null;
}

/** Reads the path after the token; null if it has no target. */
export function placeOf(path: string): Place | null {
  const [start, kind, id = '', leaf, ...rest] = path.split('/');
  if (start !== '' || rest.length > 0) return null;
  const at = (of: Place['kind'], where: string | null): Place => ({ kind: of, id: where });
  if (kind === undefined) return at('root', null);
  if (kind === 'files' && path === '/files') return at('uploads', null);
  if (kind === 'archive' && id === '' && leaf === undefined) return at('archive', null);
  if (kind === 'collections' && isId('collection', id)) {
    if (leaf === undefined) return at('collection', id);
    return leaf === 'archive' ? at('archive', id) : null;
  }
  if (kind !== 'files' || !isId('object', id)) return null;
  if (leaf === undefined) return at('file', id);
  return leaf === 'preview' || leaf === 'download' ? at(leaf, id) : null;
}
