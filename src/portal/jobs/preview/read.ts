import { fetchOrProblem, requestFor, urlOf } from '../../api/request.ts';

/** The maximum size of a preview, in bytes. */
const mostBytes = 512 * 1024;

export interface Beginning {
  text: string;
  /** The text was cut off. */
  isCut: boolean;
}

/**
 * Reads the beginning of a stored text, cut at the end of a line.
 * @throws ApiProblem if the content cannot be downloaded
 */
export async function readBeginning(
  objectId: string,
  bytes: number,
  signal: AbortSignal,
): Promise<Beginning> {
  const isCut = bytes > mostBytes;
  const response = await fetchOrProblem(urlOf(requestFor('getObjectContent', { id: objectId })), {
    signal,
    ...(isCut ? { headers: { Range: `bytes=0-${mostBytes - 1}` } } : {}),
  });
  const text = await response.text();
  if (!isCut) return { text, isCut };
  // The last line, and even its last character, may be incomplete.
  const end = text.lastIndexOf('\n');
  return { text: end > 0 ? text.slice(0, end + 1) : text.slice(0, -1), isCut };
}
