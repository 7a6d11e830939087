import { type Static, Type } from 'typebox';
import { Id, Time } from './common.ts';
import { KeyRecord } from './keys.ts';
import { strictObject } from './shapes.ts';

/** A session of the portal. Every request that changes something must carry `csrf_token`. */
export const PortalSessionRecord = strictObject(
  { project_id: Id('project'), key: KeyRecord, csrf_token: Type.String(), expires_at: Time },
  { title: 'PortalSession' },
);
export type PortalSessionRecord = Static<typeof PortalSessionRecord>;
