import { type Static, Type } from 'typebox';
import { downloadContents, downloadMethods } from '../../downloads.ts';
import { idPattern } from '../../ids.ts';
import { Id, Nullable, Time } from '../common.ts';
import { listQuery, listSchema, strictObject } from '../shapes.ts';

/** The actor of a download. Unlike other actors, keys have names, and all names are current. */
const Downloader = strictObject(
  {
    type: Type.Enum(['api_key', 'user', 'share']),
    id: Type.String(),
    name: Nullable(
      Type.String({
        description: 'The name of the key or person, or the title of the share.',
      }),
    ),
  },
  { title: 'Downloader' },
);

export const DownloadRecord = strictObject(
  {
    actor: Downloader,
    object_id: Id('object'),
    delivered_object_id: Type.String({
      pattern: idPattern('object'),
      description: 'The delivered file: the object, or its redaction.',
    }),
    content: Type.Enum([...downloadContents], {
      description:
        '`variant` is the file without the metadata that a policy removes. `rendition` and `page_image` are pictures that are at least 1,280 pixels wide.',
    }),
    via: Type.Enum([...downloadMethods], {
      description: '`signed_url` names the key or person that created the URL as the actor.',
    }),
    count: Type.Integer({
      minimum: 1,
      description: 'The number of requests. A client that reads a file in ranges sends several.',
    }),
    first_at: Time,
    last_at: Time,
  },
  { title: 'Download' },
);
export type DownloadRecord = Static<typeof DownloadRecord>;

export const DownloadList = strictObject(
  {
    ...listSchema(DownloadRecord).properties,
    recorded_since: Type.String({
      format: 'date-time',
      description:
        'Downloads since this time are in the list: since the object was created, or since recording began, and for as long as events are kept.',
    }),
  },
  { title: 'DownloadList' },
);
export type DownloadList = Static<typeof DownloadList>;

export const DownloadQuery = strictObject(listQuery());
