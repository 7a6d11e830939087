import { type Static, Type } from 'typebox';
import { scopes } from '../scopes.ts';
import { ActorRecord, Id, Nullable, Time } from './common.ts';
import { listSchema, strictObject } from './shapes.ts';

const name = Type.String({ minLength: 1, maxLength: 100 });
const scopeList = Type.Array(Type.Enum([...scopes]), { minItems: 1, uniqueItems: true });
const cidrs = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'IP address ranges from which the key may be used. Empty: any address.',
});

export const keyStates = ['active', 'revoked', 'expired'] as const;

/** The sort keys of keys. */
export const keySorts = ['created_at', 'name', 'last_used_at', 'expires_at'] as const;
export type KeySort = (typeof keySorts)[number];

const keyFields = {
  id: Id('key'),
  name,
  prefix: Type.String({ description: 'The first characters of the secret, to identify the key.' }),
  scopes: scopeList,
  allowed_cidrs: cidrs,
  state: Type.Enum([...keyStates]),
  expires_at: Nullable(Time),
  revoked_at: Type.Union([Time, Type.Null()], {
    description: 'When the key was or will be revoked. A rolled key works until then.',
  }),
  last_used_at: Nullable(Time),
  created_by: ActorRecord,
  created_at: Time,
  version: Type.Integer(),
};

export const KeyRecord = strictObject(keyFields, { title: 'ApiKey' });
export const NewKeyRecord = strictObject(
  {
    ...keyFields,
    api_key: Type.String({ description: 'The secret. It is shown only once.' }),
  },
  { title: 'NewApiKey' },
);
export const RolledKeyRecord = strictObject(
  {
    ...NewKeyRecord.properties,
    replaces: strictObject(
      { id: Id('key'), ends_at: Time },
      { description: 'The rolled key, and when it stops working.' },
    ),
  },
  { title: 'RolledApiKey' },
);
export const KeyList = listSchema(KeyRecord);

export const KeyCreate = strictObject({
  name,
  scopes: scopeList,
  allowed_cidrs: Type.Optional(cidrs),
  expires_at: Type.Optional(Nullable(Time)),
});
export const KeyPatch = strictObject(
  {
    name: Type.Optional(name),
    scopes: Type.Optional(scopeList),
    allowed_cidrs: Type.Optional(cidrs),
    expires_at: Type.Optional(Nullable(Time)),
  },
  { minProperties: 1 },
);

export type KeyRecord = Static<typeof KeyRecord>;
export type NewKeyRecord = Static<typeof NewKeyRecord>;
export type RolledKeyRecord = Static<typeof RolledKeyRecord>;
export type KeyCreate = Static<typeof KeyCreate>;
export type KeyPatch = Static<typeof KeyPatch>;
export type KeyState = (typeof keyStates)[number];
