import { fetchOrProblem, urlOf } from '../../api/request.ts';
import { getContent } from '../requests.ts';

/** So much of a file is read to be looked at, in bytes. */
const mostBytes = 512 * 1024;

export interface Beginning {
  text: string;
  /** There is more than was read. */
  isCut: boolean;
}

/**
 * The beginning of a stored text.
 * @throws ApiProblem when the content is refused
 */
export async function readBeginning(
  objectId: string,
  bytes: number,
  signal: AbortSignal,
): Promise<Beginning> {
  const isCut = bytes > mostBytes;
  const response = await fetchOrProblem(urlOf(getContent(objectId)), {
    signal,
    ...(isCut ? { headers: { Range: `bytes=0-${mostBytes - 1}` } } : {}),
  });
  const text = await response.text();
  if (!isCut) return { text, isCut };
  // The last line may be half, and its last character too.
  const end = text.lastIndexOf('\n');
  return { text: end > 0 ? text.slice(0, end + 1) : text.slice(0, -1), isCut };
}
