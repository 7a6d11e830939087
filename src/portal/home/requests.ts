import type { UsageRecord } from '../../contracts/wire/service.ts';
import type { ApiRequest } from '../api/request.ts';
import type { ImagePage, ObjectPage } from '../library/browse/requests.ts';

/** Usage and quotas, with the last 30 days. */
export const getUsage = (): ApiRequest<UsageRecord> => ({
  method: 'GET',
  path: '/v1/usage',
  query: { days: 30 },
});

/** The newest images. */
export const newestImages = (limit: number): ApiRequest<ImagePage> => ({
  method: 'GET',
  path: '/v1/images',
  query: { limit },
});

/** The newest objects that are not pictures, outputs of jobs among them. */
export const newestObjects = (limit: number): ApiRequest<ObjectPage> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { limit, state: 'available', mime: 'application/*,text/*,message/*' },
});
