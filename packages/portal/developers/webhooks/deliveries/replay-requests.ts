import type {
  ReplayCreate,
  ReplayPreview,
  ReplayRecord,
} from '@scriptorium/contracts/wire/replays';
import { type ApiRequest, requestFor } from '../../../api/request.ts';

const replayRequest = (id: string, body: ReplayCreate) => requestFor('replayWebhook', { id, body });

/** Counts the events that a replay would send. */
export const replayPreviewRequest = (id: string, body: ReplayCreate) =>
  replayRequest(id, { ...body, dry_run: true }) as ApiRequest<ReplayPreview>;

export const replayStartRequest = (id: string, body: ReplayCreate) =>
  replayRequest(id, { ...body, dry_run: false }) as ApiRequest<ReplayRecord>;
