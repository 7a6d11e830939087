import type { DownloadMethod } from '@scriptorium/contracts/downloads';
import type { DownloadContent } from '../objects/delivery.ts';
import type { Download } from './queries.ts';

/** The download to count when the content that policies chose for an object is delivered. */
export function downloadOf(
  objectId: string,
  { object, strip }: DownloadContent,
  via: DownloadMethod,
): Download {
  const objectContent = strip ? 'variant' : 'original';
  const content = object.id === objectId ? objectContent : 'redaction';
  return { objectId, deliveredObjectId: object.id, content, via };
}
