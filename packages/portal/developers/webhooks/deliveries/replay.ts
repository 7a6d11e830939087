import type {
  ReplayCreate,
  ReplayPreview,
  ReplayRecord,
} from '@scriptorium/contracts/wire/replays';
import { type ApiRequest, requestFor } from '../../../api/request.ts';

const replay = (id: string, body: ReplayCreate) => requestFor('replayWebhook', { id, body });

/** Counts the events that a replay would send. */
export const previewReplay = (id: string, body: ReplayCreate) =>
  replay(id, { ...body, dry_run: true }) as ApiRequest<ReplayPreview>;

export const startReplay = (id: string, body: ReplayCreate) =>
  replay(id, { ...body, dry_run: false }) as ApiRequest<ReplayRecord>;
