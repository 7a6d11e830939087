import type { DownloadWay } from '@scriptorium/contracts/downloads';
import type { DownloadContent } from '../objects/delivery.ts';
import type { Download } from './queries.ts';

/** The download of an object, whose content the policies chose. */
export function downloadOf(
  objectId: string,
  { object, strip }: DownloadContent,
  via: DownloadWay,
): Download {
  const itself = strip ? 'variant' : 'original';
  const content = object.id === objectId ? itself : 'redaction';
  return { objectId, deliveredObjectId: object.id, content, via };
}
