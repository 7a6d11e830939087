import type { Certificate } from '../wire/certificates.ts';

/** The largest certificate that is read. Real ones have a few kilobytes. */
export const maxCertificateBytes = 1024 * 1024;

/** Returns the certificate in a text; null if the text is anything else. */
export function parseCertificate(text: string): Certificate | null {
  try {
    const value: unknown = JSON.parse(text);
    return isCertificate(value) ? value : null;
  } catch {
    return null;
  }
}

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isNullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isMissingOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isMapOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const hasFields =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const file = { object_id: isString, mime: isString, bytes: isNumber, sha256: isString };
const actor = { type: isString, id: isNullOr(isString), name: isNullOr(isString) };

/**
 * Whether a value is a certificate as the service writes it. The schema of the API checks the same,
 * but a browser cannot load it.
 */
const hasFieldsOfCertificate = hasFields({
  certificate: hasFields({
    version: isNumber,
    rejected_by_type: isMapOf(isNumber),
    project_id: isString,
    job_id: isString,
    operation_index: isNumber,
    state: isString,
    pages: isNullOr(isString),
    source: hasFields(file),
    outputs: isListOf(hasFields({ ...file, kind: isString })),
    options: isObject,
    result: hasFields({
      verified: isBoolean,
      entities_by_type: isMapOf(isNumber),
      checks: isListOf(
        hasFields({
          name: isString,
          passed: isBoolean,
          detail: isString,
          pages: isListOf(isNumber),
        }),
      ),
    }),
    reviewed: isNullOr(
      hasFields({
        by: isListOf(hasFields({ ...actor, role: isMissingOr(isNullOr(isString)) })),
        at: isString,
        accepted: isNumber,
        rejected: isNumber,
        added: isNumber,
      }),
    ),
    requested_by: hasFields({ type: isString, id: isNullOr(isString) }),
    engines: isMapOf(isString),
    started_at: isString,
    finished_at: isString,
  }),
  signature: hasFields({
    algorithm: (value) => value === 'Ed25519',
    canonicalization: (value) => value === 'RFC 8785',
    key_id: isString,
    public_key: isMissingOr(isString),
    value: isString,
  }),
});

function isCertificate(value: unknown): value is Certificate {
  return hasFieldsOfCertificate(value);
}
