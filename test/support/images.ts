import type { Tenant, TestApi } from './api.ts';
import { onePixelPng } from './fixtures.ts';
import { postRaw } from './uploads.ts';

/** An image made by an upload, and its object. */
export interface UploadedImage {
  id: string;
  objectId: string;
}

/** Uploads a picture under a unique name. */
export async function uploadImage(
  api: TestApi,
  filename: string,
  tags: string[] = [],
  tenant: Tenant = api,
): Promise<UploadedImage> {
  const response = await postRaw(api, onePixelPng, filename, tenant);
  if (response.status !== 201) throw new Error(`Upload: ${response.status} ${response.text}`);
  const objectId: string = response.json.id;
  const [image] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [
    objectId,
  ]);
  if (tags.length > 0) {
    await api.call('PATCH', `/v1/objects/${objectId}`, { ...tenant, body: { tags } });
  }
  return { id: image!.id, objectId };
}

interface RecordedEvent {
  type: string;
  resource_id: string;
  data: unknown;
  actor_type: string;
  actor_id: string | null;
  address: string | null;
  request_id: string | null;
}

/** Events of resources, as they were recorded. */
export function eventsOf(api: TestApi, ...resourceIds: string[]): Promise<RecordedEvent[]> {
  return api.rows<RecordedEvent>(
    `SELECT type, resource_id, data, actor_type, actor_id, address, request_id FROM event
     WHERE resource_id = ANY($1) ORDER BY ordinal`,
    [resourceIds],
  );
}
