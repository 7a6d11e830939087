import { type ProblemCode, problemCodes } from '@scriptorium/contracts/problems';

/** The meaning of each error code, and the action for the client. */
const problemMeanings: Record<ProblemCode, string> = {
  malformed_request:
    'The request is not well-formed HTTP, or a header is invalid. `detail` says what to change.',
  malformed_json: 'The body is not valid JSON, or is nested too deeply.',
  unknown_parameter:
    'The query has an unknown parameter. `errors` names it and lists the known parameters.',
  invalid_parameter: 'A query parameter is invalid. `errors` has the parameter and the reason.',
  cursor_invalid: 'The cursor is invalid. Start again without a cursor.',
  cursor_mismatch:
    'The cursor belongs to a list with other filters. Send the original filters, or start again without a cursor.',
  project_header_required: 'The `X-Service-Project-ID` header is missing, repeated or malformed.',
  authentication_required: 'The API key is missing. Send it as `Authorization: Bearer sk_…`.',
  api_key_invalid: 'The API key is invalid. Check that you copied the whole key.',
  api_key_expired: 'The API key has expired. Create a new key.',
  api_key_revoked: 'The API key was revoked. Create a new key.',
  insufficient_scope: 'The API key lacks a required scope. `required_scopes` lists what is needed.',
  key_limits_exceeded:
    'A key cannot grant or manage more than its own IP ranges, expiry and rate limits. `errors` names the fields that exceed them.',
  project_forbidden: 'The API key does not belong to this project, or the project does not exist.',
  csrf_token_invalid:
    'The CSRF token of the portal session is missing or invalid. Log in to the portal again.',
  origin_not_allowed:
    'A page of another origin sent the request. The portal accepts changes from its own pages only.',
  ip_not_allowed: 'The API key, or a link that it created, is not allowed from this IP address.',
  four_eyes:
    'The review requires the four-eyes principle: it cannot be decided by the actor who started the job, or by a key of the same person or key. Another actor must decide it.',
  policy_denied:
    'A security policy denies the action. `violations` names the rule, with a `remedy` if there is one.',
  quota_exceeded:
    'The request would exceed a quota of the project. `quota` and `limit` have the name and the value. Delete resources, or ask the operator for a higher quota.',
  sign_in_failed:
    'The sign-in at the identity provider could not be completed. Start it again in the portal.',
  membership_required:
    'The person is not a member of any project. Ask an administrator for an invitation.',
  signed_url_invalid:
    'The signed URL is invalid, or the key that created it was revoked. Create a new URL.',
  signed_url_expired: 'The signed URL has expired. Create a new URL.',
  share_entry_required:
    'The shared link must be opened first: POST to it, with its password if it has one.',
  not_found: 'The resource was not found. Resources of other projects also return 404.',
  member_not_found: 'The resource is not a member of the collection.',
  method_not_allowed: 'The path does not support this method. `Allow` lists the supported methods.',
  not_acceptable: 'The operation cannot produce a media type that `Accept` allows.',
  request_timeout: 'The body did not arrive in time. Retry the request.',
  state_conflict:
    'The state of the resource does not allow the request. If `retryable` is true, the state is temporary.',
  already_exists:
    'A resource with this name already exists. Choose another name, or use the existing resource.',
  last_admin: 'The member is the last admin of the project. Make another member an admin first.',
  claimed:
    'Another reviewer holds the review. `claimed_by` is the reviewer, and `claimed_until` the time after which you can retry.',
  findings_pending:
    'Findings are undecided. Decide them, or submit with `pending` set to `accept`.',
  collection_cycle:
    'The collection would contain itself or be nested too deeply. Choose another parent.',
  count_changed:
    'The number of images that match the filter is not `expected_count`. Check `actual_count` before you retry.',
  project_deleting:
    'The project is being deleted, and accepts no more requests. Use another project.',
  held_by_policy:
    'Policies with `legal_hold` or `retention` keep objects of the project. `held_by` names the policies. Release the holds, or wait until they end.',
  confirmation_required:
    'The erasure needs a confirmation. Check `ordinary_words`, then send `whole_values: true`.',
  results_expired:
    'The page results are no longer retained. Retry the job with `scope` set to `all`.',
  idempotency_in_progress:
    'A request with the same Idempotency-Key is in progress. Retry in a moment.',
  offset_mismatch:
    '`Upload-Offset` is not the current offset. Get the offset with HEAD and continue from there.',
  cursor_expired:
    'The events after this position are no longer retained. Continue from `earliest_sequence` and account for the gap.',
  share_closed:
    'The shared link has expired, has reached its maximum number of uses or was revoked, or its target no longer exists. Ask for a new link.',
  invitation_closed: 'The invitation was used, was revoked or has expired. Ask for a new one.',
  upload_expired: 'The upload has expired. Create a new one.',
  etag_mismatch:
    'The resource has changed since you read it. Get the current version and apply your change to it.',
  tus_version_unsupported:
    '`Tus-Resumable` is missing or is not a supported version. Send `Tus-Resumable: 1.0.0`.',
  payload_too_large: 'The body is too large. `GET /v1/limits` returns the limits.',
  uri_too_long: 'The path and query are too long.',
  unsupported_media_type: 'The operation does not accept the media type of the body.',
  range_not_satisfiable: 'The range starts after the end. `Content-Range` has the length.',
  expectation_failed: '`Expect` must be `100-continue`.',
  validation_failed: 'The body is invalid. `errors` lists every fault with its pointer.',
  unknown_field:
    'The body has a field that is unknown or cannot be set, and no other fault. `errors` names it and lists the known fields.',
  id_prefix_mismatch:
    'The body has an identifier of the wrong kind, and no other fault. `errors` has the expected prefix.',
  operation_order_invalid: 'The order of the operations is invalid. `ocr` must come first.',
  idempotency_key_reused:
    'The Idempotency-Key was already used for a different request. Use a new key for each request.',
  reference_not_found:
    'The body refers to a resource that was not found in this project. `errors` has the pointer.',
  text_not_found:
    'The text does not occur on any page, or not on the given page or at the given position. No findings were added.',
  pages_out_of_range:
    '`pages` includes a page that the document does not have. `detail` has its number, and the number of pages.',
  destination_not_allowed: 'The URL resolves to an IP address that is not allowed for webhooks.',
  upload_locked: 'Another request is writing to this upload. Retry in a moment.',
  precondition_required: 'The `If-Match` header is required. Get the resource and send its ETag.',
  rate_limited: 'Too many requests. Retry after the time in `Retry-After`.',
  headers_too_large: 'The request line and headers are too large.',
  checksum_mismatch:
    'The bytes do not match `Upload-Checksum` and were discarded. Send them again.',
  internal_error: 'An internal error occurred. Report the `request_id` to the operator.',
  dependency_unavailable: 'A dependency is unavailable. Retry after the time in `Retry-After`.',
  query_timeout:
    'The database query took too long and was cancelled. Narrow the request, or retry after the time in `Retry-After`.',
  storage_full: 'The storage is full. Contact the operator.',
};

/** Every error code with its meaning, as a schema. */
export const problemCodeSchema = {
  description: 'The error code, by which clients handle the error.',
  oneOf: (Object.keys(problemCodes) as ProblemCode[]).map((code) => ({
    const: code,
    title: `${problemCodes[code]} ${code}`,
    description: problemMeanings[code],
  })),
};
