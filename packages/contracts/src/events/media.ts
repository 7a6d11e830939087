import { Type } from 'typebox';
import { domainEvent, failureSchema, strictOptions } from './event-type.ts';

const mediaJob = Type.Object(
  {
    profile: Type.String(),
    progress: Type.Number({ minimum: 0, maximum: 100 }),
    error: Type.Optional(failureSchema),
  },
  strictOptions,
);

/** Video jobs. A neighbouring service records these in SQL, with `outbox_record`. */
export const mediaEvents = {
  'media.vod_job.succeeded': domainEvent(
    'vod_job',
    'A video job of the neighbouring service succeeded.',
    mediaJob,
    { profile: 'hls_1080p', progress: 100 },
  ),
  'media.vod_job.progressed': domainEvent(
    'vod_job',
    'A video job of the neighbouring service made progress.',
    mediaJob,
    { profile: 'hls_1080p', progress: 40 },
  ),
  'media.vod_job.failed': domainEvent(
    'vod_job',
    'A video job of the neighbouring service failed.',
    mediaJob,
    {
      profile: 'hls_1080p',
      progress: 40,
      error: { code: 'source_unreadable', message: 'The video has no picture.', retryable: false },
    },
  ),
} as const;
