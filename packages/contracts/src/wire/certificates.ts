import { type Static, Type } from 'typebox';
import { operationStates } from '../jobs.ts';
import { ActorRecord, Id, Nullable, Time } from './common.ts';
import { strictObject } from './shapes.ts';

const Hash = Type.String({ description: 'SHA-256 of the bytes, in hexadecimal.' });

const file = {
  object_id: Id('object'),
  mime: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Hash,
};

const Check = strictObject(
  {
    name: Type.String(),
    passed: Type.Boolean(),
    detail: Type.String(),
    pages: Type.Array(Type.Integer({ minimum: 1 })),
  },
  { title: 'RedactionCheck' },
);

const Reviewer = strictObject(
  {
    ...ActorRecord.properties,
    role: Type.Optional(
      Nullable(
        Type.String({
          description:
            'The role of a person in the project when the redaction ended; null for all other actors.',
        }),
      ),
    ),
  },
  { title: 'Reviewer' },
);

const FirstPage = strictObject(
  {
    width: Type.Integer({ description: 'In whole points, as displayed.' }),
    height: Type.Integer(),
    boxes: Type.Array(Type.Array(Type.Integer(), { minItems: 4, maxItems: 4 }), {
      description:
        'Where content was removed: `[x, y, width, height]` from the top left corner. At most 500.',
    }),
  },
  { title: 'CertifiedPage' },
);

const Reviewed = strictObject(
  {
    by: Type.Array(Reviewer),
    at: Time,
    accepted: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
    added: Type.Integer({ minimum: 0 }),
  },
  { title: 'ReviewSummary' },
);

/** The signature over a field of the same object. */
export const signatureField = (field: string) =>
  strictObject(
    {
      algorithm: Type.Literal('Ed25519'),
      canonicalization: Type.Literal('RFC 8785', {
        description: `The signature is over the UTF-8 of \`${field}\` as canonical JSON.`,
      }),
      key_id: Type.String(),
      public_key: Type.Optional(
        Type.String({
          description:
            '32 bytes in base64. Proves who signed only if you compare it with `GET /v1/documents/certificate-keys`.',
        }),
      ),
      value: Type.String({ description: '64 bytes in base64.' }),
    },
    { title: field === 'certificate' ? 'CertificateSignature' : 'ReportSignature' },
  );

/** The redacted bytes and data, and the verification and review of the redaction. */
export const Certificate = strictObject(
  {
    certificate: strictObject(
      {
        version: Type.Integer({ minimum: 1, description: 'The version of this format.' }),
        rejected_by_type: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
          description:
            'The findings that people rejected, and that are therefore still in the output, by detected type. Empty if no finding was rejected.',
        }),
        project_id: Id('project'),
        job_id: Id('job'),
        operation_index: Type.Integer({ minimum: 0 }),
        state: Type.Enum([...operationStates]),
        pages: Nullable(Type.String({ description: 'The selected pages; null for all.' })),
        source: strictObject(file),
        outputs: Type.Array(strictObject({ ...file, kind: Type.String() })),
        first_page: Type.Optional(
          Type.Union([FirstPage, Type.Null()], {
            description: 'The first page of the output; null for files without pages.',
          }),
        ),
        options: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Without custom patterns and the allow list, which may name people.',
        }),
        result: Type.Object(
          {
            verified: Type.Boolean(),
            entities_by_type: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
            checks: Type.Array(Check),
          },
          { additionalProperties: true, description: 'The result of the operation.' },
        ),
        reviewed: Nullable(Reviewed),
        requested_by: strictObject({ type: Type.String(), id: Nullable(Type.String()) }),
        engines: Type.Record(Type.String(), Type.String(), {
          description: 'Versions of the engines, and hashes of the weights that find names.',
        }),
        started_at: Time,
        finished_at: Time,
      },
      { title: 'CertificateFacts' },
    ),
    signature: signatureField('certificate'),
  },
  { title: 'Certificate' },
);
export type Certificate = Static<typeof Certificate>;

export const CertificateKeyRecord = strictObject(
  {
    id: Type.String(),
    algorithm: Type.Literal('Ed25519'),
    public_key: Type.String({ description: '32 bytes in base64.' }),
    created_at: Time,
  },
  { title: 'CertificateKey' },
);
export type CertificateKeyRecord = Static<typeof CertificateKeyRecord>;
