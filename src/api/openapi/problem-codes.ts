import { type ProblemCode, problemCodes } from '../../contracts/problems.ts';

/** What each code of a problem means, and what whoever meets it does. */
export const problemMeanings: Record<ProblemCode, string> = {
  malformed_request:
    'The request is not well-formed HTTP, or one of its headers cannot be read. Mend it as `detail` says.',
  malformed_json: 'The body is no JSON, or nests too deep. Mend it.',
  unknown_parameter:
    'The query has a parameter that this operation does not know. `errors` names it; take it away.',
  invalid_parameter: 'A parameter of the query cannot be read. `errors` says which, and why.',
  cursor_invalid: 'The cursor is none of ours. Begin again without it.',
  cursor_mismatch:
    'The cursor belongs to other filters. Send the filters it came with, or begin again without it.',
  project_header_required:
    'X-Service-Project-ID is missing, there twice or malformed. Send it once.',
  authentication_required: 'No API key came. Send it as `Authorization: Bearer sk_…`.',
  api_key_invalid: 'There is no such API key. Look whether it was copied whole.',
  api_key_expired: 'The time of the API key is over. Make another.',
  api_key_revoked: 'The API key was revoked. Make another.',
  insufficient_scope: 'The API key lacks a scope that the operation needs. Use one that has it.',
  key_limits_exceeded:
    'The calling key can neither grant nor manage more than its own addresses, expiry and rates. `errors` names the fields; stay within them, or use a wider key.',
  project_forbidden: 'The API key is not of this project, or there is no such project.',
  csrf_token_invalid:
    'A change in the portal came without its session’s token. Log in to the portal again.',
  origin_not_allowed:
    'A browser sent this from a page of another origin. The portal takes changes from its own pages only.',
  ip_not_allowed: 'The API key is not good for the address that the request came from.',
  policy_denied:
    'A security policy refuses it. `violations` says which rule, and in `remedy` what would help.',
  quota_exceeded:
    'The project has as much as its quota allows. `quota` says of what, `limit` how much. Remove some, or ask the operator for more.',
  signed_url_invalid: 'The signed URL is not one of ours, or its key was revoked. Ask for another.',
  signed_url_expired: 'The time of the signed URL is over. Ask for another.',
  not_found: 'There is nothing of that name in this project. What a stranger owns looks the same.',
  member_not_found: 'The collection does not hold it. Nothing is left to be removed or moved.',
  method_not_allowed: 'The path does not answer this method. `Allow` has those that it does.',
  not_acceptable: 'The operation cannot answer with a type that `Accept` wants. Ask for another.',
  request_timeout: 'The body did not arrive in time. Send it again.',
  state_conflict:
    'The state of the resource does not allow it now. `detail` says which state; with `retryable` it will pass.',
  already_exists:
    'Something of that name is there already. Take another name, or use what there is.',
  collection_cycle: 'A collection would hold itself, or be nested too deep. Choose another parent.',
  count_changed:
    'The filter no longer matches as many images as were expected. Look at `actual_count`, then decide again.',
  results_expired: 'The results of the pages are no longer kept. Retry the job with `scope` `all`.',
  idempotency_in_progress:
    'A request with this Idempotency-Key is still under way. Ask again in a moment.',
  offset_mismatch: 'Upload-Offset is not where the upload is. Ask with HEAD and go on from there.',
  cursor_expired:
    'The events after this position are no longer kept. Go on from `earliest_sequence`, knowing of the gap.',
  upload_expired: 'The time of the upload is over. Begin a new one.',
  etag_mismatch: 'The resource has changed since it was read. Read it again, then decide again.',
  tus_version_unsupported: 'Tus-Resumable is missing or not 1.0.0. Send `Tus-Resumable: 1.0.0`.',
  payload_too_large:
    'The body is larger than the operation takes: `GET /v1/limits` says how large.',
  uri_too_long: 'Path and query are too long. Ask for less at once.',
  unsupported_media_type: 'The body is of a type that the operation does not take.',
  range_not_satisfiable: 'The range begins after the end. `Content-Range` says how long it all is.',
  expectation_failed: '`Expect` may be `100-continue` only.',
  validation_failed:
    'The body is well formed and breaks rules: `errors` has all of them, each with its pointer.',
  unknown_field:
    'The body has a field that is not known there, or that cannot be set, and no other fault. `errors` names it and has those that are known.',
  id_prefix_mismatch:
    'The body has the identifier of another kind of resource, and no other fault. `errors` says which prefix belongs there.',
  operation_order_invalid: '`ocr` reads pages for the others, so it must come first.',
  idempotency_key_reused:
    'The Idempotency-Key was used with another body. Take a new key for a new request.',
  reference_not_found:
    'The body names something that is not in this project. `errors` points at it.',
  pages_out_of_range:
    '`pages` names a page that the document does not have. `detail` says which, and how many there are.',
  destination_not_allowed: 'The URL leads to an address that webhooks are not sent to.',
  upload_locked: 'Another request goes on with this upload. Ask again in a moment.',
  precondition_required: 'The operation demands If-Match. Read the resource and send its ETag.',
  rate_limited: 'Too many requests at once, or in this minute. Wait for Retry-After.',
  headers_too_large: 'The headers and the request line are too long together.',
  checksum_mismatch: 'The bytes do not match Upload-Checksum, and were not kept. Send them again.',
  internal_error: 'Something went wrong here. An operator finds out what by the request id.',
  dependency_unavailable:
    'Something that the service stands on cannot be reached. Nothing was done; ask again after Retry-After.',
  query_timeout:
    'The database needed longer for this than a request may take, and stopped. Ask for less at once, or again after Retry-After.',
  storage_full: 'There is no room left to store this. Tell the operator.',
};

/** Every code, as a schema that says what each means. */
export const problemCodeSchema = {
  description: 'One code, one thing for a client to do.',
  oneOf: (Object.keys(problemCodes) as ProblemCode[]).map((code) => ({
    const: code,
    title: `${problemCodes[code]} ${code}`,
    description: problemMeanings[code],
  })),
};
