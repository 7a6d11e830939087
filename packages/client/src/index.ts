export { Scriptorium } from './client.ts';
export { type LocalCode, ScriptoriumError } from './error.ts';
export * from './generated.ts';
export { Listing, type Page as ListPage } from './listing.ts';
export type { EventType, FollowOptions, TypedEvent } from './resources/events.ts';
export { isEnded } from './resources/jobs.ts';
export type { WaitOptions } from './resources/waiting.ts';
export type { ClientOptions, RequestOptions } from './transport.ts';
export type { Source, Uploadable } from './upload/source.ts';
export type { UploadOptions } from './upload/upload.ts';
export {
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhook.ts';
