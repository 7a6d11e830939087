// Written by script/client-types out of the OpenAPI document; do not change by hand.

/** What can be sent as the body of an upload. */
export type Bytes =
  | string
  | Blob
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array>;

export interface Limits {
  json_body_bytes: number;
  json_depth: number;
  json_values: number;
  direct_upload_bytes: number;
  document_bytes: number;
  document_pages: number;
  image_pixels: number;
  resumable_upload_bytes: number;
  resumable_upload_hours: number;
  tags_per_resource: number;
  tag_characters: number;
  metadata_bytes: number;
  title_characters: number;
  description_characters: number;
  alt_text_characters: number;
  ids_per_patch: number;
  images_per_filter_edit: number;
  search_words: number;
  search_tags: number;
  members_per_batch: number;
  jobs_per_batch: number;
  members_per_collection: number;
  collection_nesting: number;
  smart_collections_per_project: number;
  policies_per_project: number;
  rules_per_policy: number;
  archive_objects: number;
  archive_bytes: number;
  signed_url_min_seconds: number;
  signed_url_max_seconds: number;
  list_limit_default: number;
  list_limit_max: number;
  events_limit_max: number;
  ack_event_ids: number;
  consumers_per_project: number;
  webhooks_per_project: number;
  webhook_max_in_flight: number;
  webhook_max_per_second: number;
  webhook_filter_pointers: number;
  webhook_filter_values: number;
  webhook_secret_overlap_max_seconds: number;
  event_retention_days: number;
  page_results_retention_days: number;
  trash_days: number;
  idempotency_hours: number;
  wait_seconds_max: number;
  read_requests_per_minute: number;
  write_requests_per_minute: number;
  failed_authentications_per_minute: number;
  portal_session_hours: number;
  portal_sessions_per_key: number;
}

export interface Usage {
  /** Bytes of all objects, trash included, and of uploads in progress at their full length. */
  storage_bytes: {
    used: number;
    quota: number;
  };
  /** Objects, trash included, and uploads in progress. */
  objects: {
    used: number;
    quota: number;
  };
  /** Resumable uploads in progress. */
  uploads: {
    used: number;
    quota: number;
  };
  /** Keys that have not been revoked. */
  api_keys: {
    used: number;
    quota: number;
  };
  /** Collections, trash included. */
  collections: {
    used: number;
    quota: number;
  };
  /** Jobs that are queued, running or cancelling. */
  jobs_in_flight: {
    used: number;
    quota: number;
  };
}

export interface Capabilities {
  operations: {
    op: string;
    maturity: 'stable' | 'expanding';
    summary: string;
    /** JSON Schema of its options; each has a default there. */
    options: Record<string, unknown>;
    outputs: string[];
    sources: string[];
    labels:
      | {
          label: string;
          description: string;
        }[]
      | null;
  }[];
  ocr_languages: string[] | null;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The start of the secret, to tell keys apart. */
  prefix: string;
  scopes: (
    | 'objects:read'
    | 'objects:write'
    | 'objects:download'
    | 'objects:purge'
    | 'images:read'
    | 'images:write'
    | 'collections:read'
    | 'collections:write'
    | 'documents:read'
    | 'documents:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'policies:read'
    | 'policies:write'
    | 'keys:read'
    | 'keys:write'
    | 'events:read'
    | 'events:ack'
    | 'pii:read'
    | 'audit:read'
    | '*'
  )[];
  /** Ranges of addresses the key may be used from; empty means anywhere. */
  allowed_cidrs: string[];
  state: 'active' | 'revoked' | 'expired';
  expires_at: string | null;
  /** When it was revoked, or will be: a key that was rolled works until then. */
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
  version: number;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** The start of the secret, to tell keys apart. */
  prefix: string;
  scopes: (
    | 'objects:read'
    | 'objects:write'
    | 'objects:download'
    | 'objects:purge'
    | 'images:read'
    | 'images:write'
    | 'collections:read'
    | 'collections:write'
    | 'documents:read'
    | 'documents:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'policies:read'
    | 'policies:write'
    | 'keys:read'
    | 'keys:write'
    | 'events:read'
    | 'events:ack'
    | 'pii:read'
    | 'audit:read'
    | '*'
  )[];
  /** Ranges of addresses the key may be used from; empty means anywhere. */
  allowed_cidrs: string[];
  state: 'active' | 'revoked' | 'expired';
  expires_at: string | null;
  /** When it was revoked, or will be: a key that was rolled works until then. */
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
  version: number;
  /** The secret: shown this once. */
  api_key: string;
}

export interface RolledApiKey {
  id: string;
  name: string;
  /** The start of the secret, to tell keys apart. */
  prefix: string;
  scopes: (
    | 'objects:read'
    | 'objects:write'
    | 'objects:download'
    | 'objects:purge'
    | 'images:read'
    | 'images:write'
    | 'collections:read'
    | 'collections:write'
    | 'documents:read'
    | 'documents:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'policies:read'
    | 'policies:write'
    | 'keys:read'
    | 'keys:write'
    | 'events:read'
    | 'events:ack'
    | 'pii:read'
    | 'audit:read'
    | '*'
  )[];
  /** Ranges of addresses the key may be used from; empty means anywhere. */
  allowed_cidrs: string[];
  state: 'active' | 'revoked' | 'expired';
  expires_at: string | null;
  /** When it was revoked, or will be: a key that was rolled works until then. */
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
  version: number;
  /** The secret: shown this once. */
  api_key: string;
  /** The key that was rolled, and when it stops working. */
  replaces: {
    id: string;
    ends_at: string;
  };
}

export interface Object {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  filename: string;
  /** What the bytes are, whatever they were declared as. */
  mime: string;
  bytes: number;
  sha256: string;
  pages: number | null;
  /** What the newest `classify` took it for, the likeliest first. Policies go by the first and by those with a score of at least 0.2. */
  labels: {
    label: string;
    score: number;
  }[];
  tags: string[];
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  derived_from: string | null;
  source: {
    kind: 'upload' | 'job';
    job_id: string | null;
  };
  rejection: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface Upload {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  filename: string;
  /** What the bytes are, whatever they were declared as. */
  mime: string;
  bytes: number;
  sha256: string;
  pages: number | null;
  /** What the newest `classify` took it for, the likeliest first. Policies go by the first and by those with a score of at least 0.2. */
  labels: {
    label: string;
    score: number;
  }[];
  tags: string[];
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  derived_from: string | null;
  source: {
    kind: 'upload' | 'job';
    job_id: string | null;
  };
  rejection: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
  version: number;
  image_id: string | null;
  /** True when an available object with these bytes and this name was there. */
  deduplicated: boolean;
  /** `tags_ignored`: the object was there, and the tags and metadata sent were not merged into it. */
  warnings: 'tags_ignored'[];
}

export interface SignedUrl {
  /** To be kept like a secret. Absolute where the service knows its own address: its setting, else the Host of this request; otherwise a path. */
  url: string;
  expires_at: string;
  /** For how long it was made. */
  ttl_seconds: number;
  /** `ttl_shortened`: a policy allows less time than was asked for, or the API key ends before. */
  warnings: 'ttl_shortened'[];
}

export interface Failure {
  code: string;
  message: string;
  retryable: boolean;
}

export interface Operation {
  index: number;
  op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
  /** Without the scope pii:read the `pattern` of each of `custom_patterns` is null, and `allow_list` is null with its length in `allow_list_count`. */
  options: Record<string, unknown>;
  implicit: boolean;
  state:
    | 'pending'
    | 'running'
    | 'succeeded'
    | 'partially_succeeded'
    | 'failed'
    | 'skipped'
    | 'cancelled';
  progress: {
    pages_total: number | null;
    pages_succeeded: number;
    pages_failed: number;
    pages_skipped: number;
    percent: number;
  };
  result: Record<string, unknown> | null;
  error: Failure | null;
  started_at: string | null;
  finished_at: string | null;
}

export interface Output {
  object_id: string;
  operation_index: number;
  kind: string;
  mime: string;
  bytes: number;
  sha256: string;
}

export interface Job {
  id: string;
  project_id: string;
  state:
    | 'queued'
    | 'running'
    | 'cancelling'
    | 'succeeded'
    | 'partially_succeeded'
    | 'failed'
    | 'cancelled';
  source_object_id: string;
  pages: string | null;
  operations: Operation[];
  progress: {
    /** Never falls. 99 while all pages are done and the last outputs are made, and with `redact_pii` proved, from them. */
    percent: number;
    pages_total: number | null;
    pages_completed: number;
    pages_failed: number;
    current_operation_index: number;
    eta_seconds: number | null;
  };
  outputs: Output[];
  warnings: {
    code: string;
    message: string;
  }[];
  error: Failure | null;
  retry_of: string | null;
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  version: number;
}

export interface ImageFilters {
  /** Words are AND, `"a phrase"`, `-not`, `OR` between two of them; the last word matches as a prefix. Title counts most, then tags, description and alternative text, filename. */
  q?: string | undefined;
  /** Repeated, all must hold; a comma is OR; a leading `-` is NOT. Case does not matter. A comma, a leading dash or a backslash in a tag itself is written with a backslash before it. */
  tag?: string[] | undefined;
  /** Only those with no tag, or only those with one. */
  untagged?: boolean | undefined;
  /** Any of these types. */
  mime?:
    | (
        | 'image/jpeg'
        | 'image/png'
        | 'image/webp'
        | 'image/avif'
        | 'image/gif'
        | 'image/tiff'
        | 'image/svg+xml'
      )[]
    | undefined;
  orientation?: ('landscape' | 'portrait' | 'square')[] | undefined;
  min_width?: number | undefined;
  max_width?: number | undefined;
  min_height?: number | undefined;
  max_height?: number | undefined;
  min_bytes?: number | undefined;
  max_bytes?: number | undefined;
  min_rating?: number | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  captured_after?: string | undefined;
  captured_before?: string | undefined;
  collection_id?: string | undefined;
  /** Without it, all but what is in the trash. */
  state?: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed' | undefined;
}

export interface Collection {
  id: string;
  project_id: string;
  state: 'available' | 'trashed';
  name: string;
  description: string | null;
  kind: 'manual' | 'smart';
  query: ImageFilters | null;
  parent_id: string | null;
  /** From the root down to the collection itself. */
  path: {
    id: string;
    name: string;
  }[];
  cover: string | null;
  tags: string[];
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  member_count: number | null;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface TrashEmptied {
  /** Objects that are gone. */
  purged: number;
  /** Objects that a policy keeps in the trash. */
  held: number;
  /** Objects that are looked at in the background: purged, or kept by a policy. */
  remaining: number;
}

export interface ResumableUpload {
  id: string;
  project_id: string;
  state: 'uploading' | 'completed' | 'rejected' | 'expired';
  /** How many bytes are durably there. All of them when the upload is completed. */
  offset: number;
  /** How many there will be. */
  bytes: number;
  filename: string;
  object_id: string | null;
  image_id: string | null;
  deduplicated: boolean | null;
  rejection: Record<string, unknown> | null;
  created_at: string;
  expires_at: string;
}

export interface Camera {
  make: string | null;
  model: string | null;
  lens: string | null;
  exposure_seconds: number | null;
  aperture: number | null;
  iso: number | null;
  focal_length_mm: number | null;
}

/** WGS 84. */
export interface Location {
  latitude: number;
  longitude: number;
  altitude_metres: number | null;
}

export interface Rendition {
  /** A path of this API; needs the same two headers. */
  url: string;
  width: number;
  height: number;
  formats: {
    mime: 'image/webp' | 'image/avif';
    bytes: number;
  }[];
}

export interface ListedImage {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  /** A worker has yet to look: until then what it finds is null. */
  processing: boolean;
  error: Failure | null;
  object_id: string;
  title: string | null;
  description: string | null;
  alt_text: string | null;
  tags: string[];
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  rating: number | null;
  filename: string;
  mime: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  orientation: 'landscape' | 'portrait' | 'square' | null;
  captured_at: string | null;
  camera: Camera | null;
  location: Location | null;
  dominant_color: string | null;
  palette: string[] | null;
  blurhash: string | null;
  renditions: {
    thumb?: Rendition | undefined;
    w320?: Rendition | undefined;
    w640?: Rendition | undefined;
    w1280?: Rendition | undefined;
  };
  created_at: string;
  updated_at: string;
  version: number;
  /** With `include=highlights`: the fields that `q` was found in, as their text in pieces; `tags` tag by tag. */
  highlights?:
    | Record<
        string,
        {
          text: string;
          match: boolean;
        }[]
      >
    | undefined;
  /** With `include=collections`: the manual collections that hold the image. */
  collections?:
    | {
        id: string;
        name: string;
      }[]
    | undefined;
}

/** Exact counts over all that match, the most frequent first. A facet is not narrowed by its own alternatives: with `mime=image/png` the mime facet still counts what the other types would give. */
export interface Facets {
  tag: {
    value: string;
    count: number;
  }[];
  mime: {
    value: string;
    count: number;
  }[];
  orientation: {
    value: string;
    count: number;
  }[];
}

export interface ImagePatch {
  title?: string | null | undefined;
  description?: string | null | undefined;
  alt_text?: string | null | undefined;
  rating?: number | null | undefined;
  tags?: string[] | null | undefined;
  add_tags?: string[] | undefined;
  remove_tags?: string[] | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

export interface ImageUpdate {
  id: string;
  /** The ETag of the image as it was read, with its quotes: `"7"`. */
  if_match?: string | undefined;
  patch: ImagePatch;
}

/** Exactly one of `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}` and `{filter, expected_count, patch}`; each may have `on_error`. No image may stand twice. */
export interface ImageEdits {
  id?: string | undefined;
  /** The ETag of the image as it was read, with its quotes: `"7"`. */
  if_match?: string | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  alt_text?: string | null | undefined;
  rating?: number | null | undefined;
  tags?: string[] | null | undefined;
  add_tags?: string[] | undefined;
  remove_tags?: string[] | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  ids?: string[] | undefined;
  updates?: ImageUpdate[] | undefined;
  filter?: ImageFilters | undefined;
  /** How many images `filter` matches, as `include=total` of the search counts. */
  expected_count?: number | undefined;
  patch?: ImagePatch | undefined;
  /** `abort`: all images change or none. `continue`: each that can; what is wrong with the request by itself is still refused whole. */
  on_error?: 'abort' | 'continue' | undefined;
}

export interface Fault {
  /** Where in the body (RFC 6901). */
  pointer?: string | undefined;
  /** Which query parameter. */
  parameter?: string | undefined;
  /** Which header. */
  header?: string | undefined;
  code: string;
  detail: string;
  allowed?: (string | number)[] | undefined;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  errors?: Fault[] | undefined;
}

export interface ImageEditResult {
  id: string;
  outcome: 'updated' | 'unchanged' | 'failed';
  version: number | null;
  problem: Problem | null;
}

export interface ImageEditResults {
  updated: number;
  unchanged: number;
  failed: number;
  /** What became of each image: in the order of the request, or of identifiers for a filter. */
  results: ImageEditResult[];
}

export interface Image {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  /** A worker has yet to look: until then what it finds is null. */
  processing: boolean;
  error: Failure | null;
  object_id: string;
  title: string | null;
  description: string | null;
  alt_text: string | null;
  tags: string[];
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  rating: number | null;
  filename: string;
  mime: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  orientation: 'landscape' | 'portrait' | 'square' | null;
  captured_at: string | null;
  camera: Camera | null;
  location: Location | null;
  dominant_color: string | null;
  palette: string[] | null;
  blurhash: string | null;
  renditions: {
    thumb?: Rendition | undefined;
    w320?: Rendition | undefined;
    w640?: Rendition | undefined;
    w1280?: Rendition | undefined;
  };
  created_at: string;
  updated_at: string;
  version: number;
}

export interface ImageMemberRef {
  resource_type: 'image';
  resource_id: string;
}

export interface ObjectMemberRef {
  resource_type: 'object';
  resource_id: string;
}

export type MemberRef = ImageMemberRef | ObjectMemberRef;

/** A smart collection has a `query` and no `members`, a manual one no `query`. */
export interface NewCollection {
  name: string;
  description?: string | null | undefined;
  kind?: 'manual' | 'smart' | undefined;
  query?: ImageFilters | undefined;
  parent_id?: string | null | undefined;
  cover?: string | null | undefined;
  tags?: string[] | undefined;
  /** Anything of yours; at most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | undefined;
  members?: MemberRef[] | undefined;
}

export interface CollectionPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  query?:
    | {
        q?: string | null | undefined;
        tag?: string[] | null | undefined;
        untagged?: boolean | null | undefined;
        mime?:
          | (
              | 'image/jpeg'
              | 'image/png'
              | 'image/webp'
              | 'image/avif'
              | 'image/gif'
              | 'image/tiff'
              | 'image/svg+xml'
            )[]
          | null
          | undefined;
        orientation?: ('landscape' | 'portrait' | 'square')[] | null | undefined;
        min_width?: number | null | undefined;
        max_width?: number | null | undefined;
        min_height?: number | null | undefined;
        max_height?: number | null | undefined;
        min_bytes?: number | null | undefined;
        max_bytes?: number | null | undefined;
        min_rating?: number | null | undefined;
        created_after?: string | null | undefined;
        created_before?: string | null | undefined;
        captured_after?: string | null | undefined;
        captured_before?: string | null | undefined;
        collection_id?: string | null | undefined;
        state?: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed' | null | undefined;
      }
    | undefined;
  parent_id?: string | null | undefined;
  cover?: string | null | undefined;
  tags?: string[] | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

export interface ListedCollectionMember {
  resource_type: 'image' | 'object';
  resource_id: string;
  position: string | null;
  added_at: string | null;
  /** With `include=resource`: the image or the object. */
  resource?: Image | Object | null | undefined;
}

export interface CollectionMember {
  resource_type: 'image' | 'object';
  resource_id: string;
  position: string | null;
  added_at: string | null;
}

export interface CollectionMemberResult {
  action: 'add' | 'remove';
  /** Which of the list sent under `action`. */
  index: number;
  resource_type: 'image' | 'object';
  resource_id: string;
  outcome: 'added' | 'already_member' | 'removed' | 'failed';
  problem: Problem | null;
}

export interface OcrJobOperation {
  op: 'ocr';
  options?:
    | {
        /** ISO 639-2 codes of the languages to expect. */
        languages?: string[] | undefined;
        /** Which outputs to make. */
        output?: ('searchable_pdf' | 'text' | 'words')[] | undefined;
        /** What to do with pages that have text: skip them, replace an invisible text layer (redo), or recognise them from their picture (force). */
        existing_text?: 'skip' | 'redo' | 'force' | undefined;
        /** Straighten leaning pages in the PDF. */
        deskew?: boolean | undefined;
        /** Find out which way up a page is, and turn it in the PDF. */
        rotate?: boolean | undefined;
      }
    | undefined;
}

export interface RedactPiiJobOperation {
  op: 'redact_pii';
  options?:
    | {
        /** Which kinds of personal data to remove. */
        entities?:
          | 'all'
          | (
              | 'PERSON'
              | 'TITLE'
              | 'ORGANIZATION'
              | 'LOCATION'
              | 'ADDRESS'
              | 'NRP'
              | 'AGE'
              | 'DATE_OF_BIRTH'
              | 'DATE_TIME'
              | 'EMAIL_ADDRESS'
              | 'PHONE_NUMBER'
              | 'URL'
              | 'IP_ADDRESS'
              | 'MAC_ADDRESS'
              | 'CREDIT_CARD'
              | 'IBAN_CODE'
              | 'SWIFT_CODE'
              | 'CRYPTO'
              | 'PASSPORT'
              | 'DRIVER_LICENSE'
              | 'US_SSN'
              | 'US_ITIN'
              | 'US_BANK_NUMBER'
              | 'UK_NHS'
              | 'UK_NINO'
              | 'DE_TAX_ID'
              | 'DE_ID_CARD'
              | 'DE_SOCIAL_SECURITY'
              | 'FR_NIR'
              | 'ES_NIF'
              | 'IT_FISCAL_CODE'
              | 'NL_BSN'
              | 'SE_PERSONNUMMER'
              | 'PL_PESEL'
              | 'IN_AADHAAR'
              | 'IN_PAN'
              | 'AU_TFN'
              | 'AU_MEDICARE'
              | 'BR_CPF'
              | 'BR_CNPJ'
              | 'CA_SIN'
            )[]
          | undefined;
        /** What the engine is less sure of stays. */
        min_confidence?: number | undefined;
        /** A black box, or a box with the kind of what it hides. In text that is made of it in the same job a mark stands for either: with the kind, but for black boxes in a file without pages, which do not tell theirs. */
        style?: 'blackbox' | 'label' | undefined;
        /** What else to remove. */
        custom_patterns?:
          | {
              /** Findings are of the kind CUSTOM_ and this name. */
              name: string;
              /** An expression in RE2 syntax: no look-around and no back references. What was read from pictures also matches where it has a blank between digits or beside an @ too many. */
              pattern: string;
              case_sensitive?: boolean | undefined;
            }[]
          | undefined;
        /** What is never removed, whatever it looks like; compared without case. */
        allow_list?: string[] | undefined;
        /** Store outputs of the operations before this one as objects, unredacted as they are. Needs pii:read. */
        keep_unredacted?: boolean | undefined;
      }
    | undefined;
}

export interface NormalizeForLlmJobOperation {
  op: 'normalize_for_llm';
  options?:
    | {
        /** Which outputs to make: Markdown, JSON with the page and box of each block, and chunks as JSON Lines. */
        format?: ('markdown' | 'json' | 'chunks')[] | undefined;
        /** At most so many tokens in a chunk. */
        chunk_tokens?: number | undefined;
        /** So many tokens of a chunk are the end of the one before; fewer than a chunk has. */
        overlap_tokens?: number | undefined;
      }
    | undefined;
}

export interface ClassifyJobOperation {
  op: 'classify';
  options?:
    | {
        /** How many of the likeliest labels to tell. */
        top_k?: number | undefined;
      }
    | undefined;
}

export type JobOperation =
  | OcrJobOperation
  | RedactPiiJobOperation
  | NormalizeForLlmJobOperation
  | ClassifyJobOperation;

export interface JobBatchResult {
  source_object_id: string;
  job: Job | null;
  problem: Problem | null;
}

export interface JobBatchResults {
  created: number;
  failed: number;
  /** One for each object, in the order they were sent. */
  results: JobBatchResult[];
}

export interface FoundEntity {
  /** Its kind, or CUSTOM_ and the name of a pattern. */
  type: string;
  score: number;
  /** Only with the scope pii:read. */
  value?: string | undefined;
  /** Where it stands: left, top, right, bottom in points of the page as displayed. None in what has no pages. A picture without a resolution that can be believed (WebP never has one) counts as 11.69 inches long, within 72 to 600 dpi. */
  boxes: number[][];
}

export interface RecognisedWord {
  text: string;
  /** 1 for text that the file had already. */
  confidence: number;
  /** Left, top, right, bottom in points of the page as displayed. */
  box: number[];
}

export interface Page {
  page: number;
  operation_index: number;
  op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
  state: 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';
  result: Record<string, unknown> | null;
  text: string | null;
  entities: FoundEntity[] | null;
  words: RecognisedWord[] | null;
  error: Failure | null;
  finished_at: string | null;
}

export interface PageStates {
  operations: {
    index: number;
    op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
    /** Pages that follow one another in one state, both ends included. */
    runs: {
      from: number;
      to: number;
      state: 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';
    }[];
  }[];
}

export interface ProjectPolicyScope {
  type: 'project';
}

export interface TagPolicyScope {
  type: 'tag';
  /** What has one of these tags, in the same case, and what was made from it. */
  tags: string[];
}

export interface CollectionPolicyScope {
  type: 'collection';
  /** What is in one of these collections or in one nested in it, and what was made from that. */
  ids: string[];
}

/** Which resources of the project it is about. A collection must be manual; what is in the trash with it stays in scope. Whoever may untag a resource, or take it out of the collection, takes it out of such a scope: only `legal_hold` and `retention` stay with what was once in it. A scope of the project cannot be left. */
export type PolicyScope = ProjectPolicyScope | TagPolicyScope | CollectionPolicyScope;

/** Which types of file may pass, told from the bytes. */
export interface AllowedMimeTypesRule {
  type: 'allowed_mime_types';
  /** Nothing but these. */
  include?: string[] | undefined;
  /** None of these. */
  exclude?: string[] | undefined;
}

/** No larger file. */
export interface MaxBytesRule {
  type: 'max_bytes';
  bytes: number;
}

/** No larger image; of what is no image it says nothing. */
export interface MaxPixelsRule {
  type: 'max_pixels';
  pixels: number;
}

/** No longer document; of what has no pages it says nothing. */
export interface MaxPagesRule {
  type: 'max_pages';
  pages: number;
}

/** Bytes leave through signed URLs only. */
export interface RequireSignedUrlRule {
  type: 'require_signed_url';
  /** The longest time a signed URL may be made for, and be used with. */
  max_ttl_seconds?: number | undefined;
}

/** Only from these addresses. */
export interface IpAllowRule {
  type: 'ip_allow';
  /** Ranges of addresses, such as 192.0.2.0/24 or 2001:db8::/32. */
  cidrs: string[];
}

/** Not from these addresses. */
export interface IpDenyRule {
  type: 'ip_deny';
  /** Ranges of addresses, such as 192.0.2.0/24 or 2001:db8::/32. */
  cidrs: string[];
}

/** Only at these times. */
export interface TimeWindowRule {
  type: 'time_window';
  /** Of the IANA database, such as Europe/Lisbon. */
  time_zone: string;
  /** On which days; on all unless said. */
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
  from: string;
  /** Exclusive. A window that ends before it begins goes past midnight and belongs to the day it begins on; one that ends where it begins lasts a day. */
  to: string;
}

/** Images are delivered without these parts of their metadata. Originals are kept, and records still show what was read from them, such as an image’s location. */
export interface StripMetadataRule {
  type: 'strip_metadata';
  fields: ('gps' | 'all')[];
}

/** Shown and delivered only when redacted, and the redaction verified. */
export interface RequireRedactionRule {
  type: 'require_redaction';
  entities: 'all' | string[];
  /** What a download gets instead: a refusal (unless said), or the newest verified redaction of all pages. */
  fallback?: 'deny' | 'serve_redacted' | undefined;
}

/** Nothing that was classified as one of these. */
export interface DenyLabelsRule {
  type: 'deny_labels';
  labels: string[];
  /** Whether what nobody has classified is refused too where it would be shown; true unless said. */
  require_labels?: boolean | undefined;
}

/** Kept so many days, counted from its creation. */
export interface RetentionRule {
  type: 'retention';
  min_days: number;
}

/** Kept until the hold is lifted. */
export interface LegalHoldRule {
  type: 'legal_hold';
  reason: string;
}

export type Rule =
  | AllowedMimeTypesRule
  | MaxBytesRule
  | MaxPixelsRule
  | MaxPagesRule
  | RequireSignedUrlRule
  | IpAllowRule
  | IpDenyRule
  | TimeWindowRule
  | StripMetadataRule
  | RequireRedactionRule
  | DenyLabelsRule
  | RetentionRule
  | LegalHoldRule;

export interface Policy {
  id: string;
  project_id: string;
  name: string;
  /** audit lets everything pass and records what enforce would refuse. */
  mode: 'enforce' | 'audit' | 'disabled';
  scope: PolicyScope;
  /** read: what is shown out of the bytes (renditions, page text, words). download: the bytes themselves, through a signed URL too. sign: making one. process: document jobs. delete: trash and purge. */
  actions: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[];
  when: {
    mime?: string[] | undefined;
    labels?: string[] | undefined;
  } | null;
  rules: Rule[];
  created_at: string;
  updated_at: string;
  version: number;
}

export interface PolicyCreate {
  name: string;
  /** audit lets everything pass and records what enforce would refuse. */
  mode: 'enforce' | 'audit' | 'disabled';
  scope: PolicyScope;
  /** read: what is shown out of the bytes (renditions, page text, words). download: the bytes themselves, through a signed URL too. sign: making one. process: document jobs. delete: trash and purge. */
  actions: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[];
  when?:
    | {
        mime?: string[] | undefined;
        labels?: string[] | undefined;
      }
    | null
    | undefined;
  rules: Rule[];
}

export interface ObjectPolicyResource {
  type: 'object';
  id: string;
}

export interface ImagePolicyResource {
  type: 'image';
  id: string;
}

export type PolicyResource = ObjectPolicyResource | ImagePolicyResource;

export interface PolicyDraft {
  /** Stands in for this policy. */
  id?: string | undefined;
  name: string;
  /** audit lets everything pass and records what enforce would refuse. */
  mode: 'enforce' | 'audit' | 'disabled';
  scope: PolicyScope;
  /** read: what is shown out of the bytes (renditions, page text, words). download: the bytes themselves, through a signed URL too. sign: making one. process: document jobs. delete: trash and purge. */
  actions: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[];
  when?:
    | {
        mime?: string[] | undefined;
        labels?: string[] | undefined;
      }
    | null
    | undefined;
  rules: Rule[];
}

export interface Violation {
  /** A policy, or `draft_1` for the first draft. */
  policy_id: string;
  rule_type:
    | 'allowed_mime_types'
    | 'max_bytes'
    | 'max_pixels'
    | 'max_pages'
    | 'require_signed_url'
    | 'ip_allow'
    | 'ip_deny'
    | 'time_window'
    | 'strip_metadata'
    | 'require_redaction'
    | 'deny_labels'
    | 'retention'
    | 'legal_hold';
  code: string;
  detail: string;
  parameters: Record<string, unknown>;
  remedy: {
    method: string;
    path: string;
    body: Record<string, unknown> | null;
  } | null;
}

export interface UnknownResource {
  policy_id: null;
  rule_type: null;
  code: 'resource_not_found';
  detail: string;
  parameters: Record<string, unknown>;
  remedy: {
    method: string;
    path: string;
    body: Record<string, unknown> | null;
  } | null;
}

export interface StripMetadataObligation {
  type: 'strip_metadata';
  fields: ('gps' | 'all')[];
}

export interface ServeRedactedObligation {
  type: 'serve_redacted';
  entities: 'all' | string[];
  object_id: string;
}

export type Obligation = StripMetadataObligation | ServeRedactedObligation;

export interface Evaluation {
  /** pending: what a rule has to know is not known yet, and nothing refuses so far. */
  decision: 'allow' | 'deny' | 'pending';
  /** A resource that the project does not have is denied as `resource_not_found`. */
  violations: (Violation | UnknownResource)[];
  /** What an allowed delivery must do. */
  obligations: Obligation[];
  /** What policies in audit mode would refuse. */
  denials_observed: Violation[];
}

export interface Impact {
  /** How many objects were looked at. */
  examined: number;
  /** False when there are more: the newest were taken. */
  complete: boolean;
  actions: Record<
    string,
    {
      denied: number;
      pending: number;
      /** A few of those denied. */
      examples: string[];
    }
  >;
}

export interface PolicyPatch {
  name?: string | undefined;
  /** audit lets everything pass and records what enforce would refuse. */
  mode?: 'enforce' | 'audit' | 'disabled' | undefined;
  scope?: PolicyScope | undefined;
  /** read: what is shown out of the bytes (renditions, page text, words). download: the bytes themselves, through a signed URL too. sign: making one. process: document jobs. delete: trash and purge. */
  actions?: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[] | undefined;
  when?:
    | {
        mime?: string[] | null | undefined;
        labels?: string[] | null | undefined;
      }
    | null
    | undefined;
  rules?: Rule[] | undefined;
}

export interface Event {
  id: string;
  type: string;
  project_id: string;
  resource_id: string;
  occurred_at: string;
  data: Record<string, unknown>;
  sequence: number;
  resource_type: string;
  category: 'domain' | 'audit';
  actor: {
    type: string;
    id: string | null;
  };
  address: string | null;
  request_id: string | null;
  published: boolean;
  published_at: string | null;
}

export interface EventList {
  data: Event[];
  has_more: boolean;
  next_cursor: string | null;
  total: number | null;
  latest_sequence: number;
}

export interface Delivery {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  state: 'pending' | 'delivering' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled';
  reason: string | null;
  attempts_made: number;
  next_attempt_at: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface EventType {
  type: string;
  category: 'domain' | 'audit';
  resource_type: string;
  summary: string;
  /** JSON Schema of `data`; every event was held against it when it was recorded. */
  data_schema: Record<string, unknown>;
  /** A body as webhooks send it. */
  example: Record<string, unknown>;
}

export interface Consumer {
  id: string;
  project_id: string;
  name: string;
  category: 'domain' | 'audit';
  event_types: string[] | null;
  resource_type: string | null;
  resource_id: string | null;
  /** The last sequence that is done with; reading goes on after it. */
  position: number;
  /** The sequence of the newest event of the category. */
  latest_sequence: number;
  /** How many events that its filters want are after the position. Exact while the feed is at most 10,000 events ahead; of what is beyond that, every event counts. */
  lag: number;
  /** Part of what follows the position is no longer kept: reading is 410 until it seeks. */
  expired: boolean;
  last_read_at: string | null;
  last_committed_at: string | null;
  created_at: string;
  /** Rises with each commit and seek that moves the position. */
  version: number;
}

export interface ConsumerCreate {
  /** Letters, digits, dots, hyphens and underscores, at most 100; once in a project. */
  name: string;
  /** audit needs the scope audit:read, here and at every use. */
  category?: 'domain' | 'audit' | undefined;
  /** Types of the category. `*` stands for one segment, or as the last one for all that follow; types that come with later releases are matched too. All without it. */
  event_types?: string[] | undefined;
  resource_type?: string | undefined;
  resource_id?: string | undefined;
  /** Where it begins: at the earliest event that is kept, or with what comes from now on. */
  start?: 'earliest' | 'latest' | undefined;
}

export interface ConsumerEvents {
  data: Event[];
  /** More is there already. */
  has_more: boolean;
  /** The last sequence that is done with; reading goes on after it. */
  position: number;
  /** What to commit when all of `data` is done; it passes over what the filters leave out. */
  commit_sequence: number;
  /** The sequence of the newest event of the category. */
  latest_sequence: number;
  /** How many events that its filters want are after the position. Exact while the feed is at most 10,000 events ahead; of what is beyond that, every event counts. */
  lag: number;
}

export interface ConsumerCommit {
  /** Everything up to and with it is done: `commit_sequence`, or that of an event. */
  sequence: number;
  /** Also acknowledges what is passed by this and matches the filters. */
  ack?: boolean | undefined;
}

export interface ConsumerCommitted {
  id: string;
  project_id: string;
  name: string;
  category: 'domain' | 'audit';
  event_types: string[] | null;
  resource_type: string | null;
  resource_id: string | null;
  /** The last sequence that is done with; reading goes on after it. */
  position: number;
  /** The sequence of the newest event of the category. */
  latest_sequence: number;
  /** How many events that its filters want are after the position. Exact while the feed is at most 10,000 events ahead; of what is beyond that, every event counts. */
  lag: number;
  /** Part of what follows the position is no longer kept: reading is 410 until it seeks. */
  expired: boolean;
  last_read_at: string | null;
  last_committed_at: string | null;
  created_at: string;
  /** Rises with each commit and seek that moves the position. */
  version: number;
  /** How many events were not published before; 0 without `ack`. */
  acknowledged: number;
}

/** Exactly one of them. */
export interface ConsumerSeek {
  /** The position itself: reading goes on after it. */
  sequence?: number | undefined;
  event_id?: string | undefined;
  /** Before the earliest event that is kept, or after the newest. */
  to?: 'earliest' | 'latest' | undefined;
}

export interface WebhookHealth {
  /** failing since its first failure with no success after it; warning after a day of that, critical after three, disabled after five. */
  state: 'healthy' | 'failing' | 'warning' | 'critical';
  since: string | null;
  disables_at: string | null;
  failures_in_row: number;
  held_until: string | null;
  /** Deliveries that are still to be made. */
  pending: number;
  oldest_pending_at: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  last_error: {
    code: string;
    message: string;
  } | null;
}

export interface Webhook {
  id: string;
  project_id: string;
  url: string;
  event_types: string[];
  description: string | null;
  state: 'enabled' | 'paused' | 'disabled';
  disabled_reason: string | null;
  /** Its own headers, by name. What they say may be a credential: `••••` stands for every value. */
  headers: Record<string, string>;
  payload: 'full' | 'thin';
  filter: Record<string, (string | number | boolean | null)[]> | null;
  max_per_second: number | null;
  max_in_flight: number;
  signing: ('v1' | 'v1a')[];
  /** What v1a signatures verify with (`whpk_` and the base64 of an ed25519 key), the newest first; during a rotation also the older ones. */
  public_keys: string[];
  health: WebhookHealth;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface WebhookCreate {
  /** Over https, on the public internet. */
  url: string;
  /** Types of events. `*` stands for one segment, or as the last one for all that follow; types of the category audit must be named in full. */
  event_types: string[];
  description?: string | null | undefined;
  /** Sent with every message, an `Authorization` for instance. The values are kept sealed and shown in no answer. */
  headers?: Record<string, string> | undefined;
  /** thin leaves `data` out. */
  payload?: 'full' | 'thin' | undefined;
  filter?:
    | Record<string, string | number | boolean | (string | number | boolean | null)[]>
    | null
    | undefined;
  max_per_second?: number | null | undefined;
  /** How many attempts may be under way at once. */
  max_in_flight?: number | undefined;
  /** Which signatures it gets: v1 (HMAC-SHA256 with the secret), v1a (ed25519, verified with `public_keys`); v1 unless said. One that is taken away ends with its keys; one that is added gets new ones, and a new secret is shown by rotate-secret only. */
  signing?: ('v1' | 'v1a')[] | undefined;
  state?: 'enabled' | 'paused' | undefined;
  /** One of your own: `whsec_` and the base64 of 24 to 64 bytes for v1, or `whsk_` and the base64 of an ed25519 private key (32 bytes, or 64 with the public one) for v1a. */
  secret?: string | undefined;
}

export interface WebhookWithSecret {
  id: string;
  project_id: string;
  url: string;
  event_types: string[];
  description: string | null;
  state: 'enabled' | 'paused' | 'disabled';
  disabled_reason: string | null;
  /** Its own headers, by name. What they say may be a credential: `••••` stands for every value. */
  headers: Record<string, string>;
  payload: 'full' | 'thin';
  filter: Record<string, (string | number | boolean | null)[]> | null;
  max_per_second: number | null;
  max_in_flight: number;
  signing: ('v1' | 'v1a')[];
  /** What v1a signatures verify with (`whpk_` and the base64 of an ed25519 key), the newest first; during a rotation also the older ones. */
  public_keys: string[];
  health: WebhookHealth;
  created_at: string;
  updated_at: string;
  version: number;
  secret: string | null;
}

export interface WebhookPatch {
  /** Over https, on the public internet. */
  url?: string | undefined;
  /** Types of events. `*` stands for one segment, or as the last one for all that follow; types of the category audit must be named in full. */
  event_types?: string[] | undefined;
  description?: string | null | undefined;
  /** thin leaves `data` out. */
  payload?: 'full' | 'thin' | undefined;
  max_per_second?: number | null | undefined;
  /** How many attempts may be under way at once. */
  max_in_flight?: number | undefined;
  /** Which signatures it gets: v1 (HMAC-SHA256 with the secret), v1a (ed25519, verified with `public_keys`); v1 unless said. One that is taken away ends with its keys; one that is added gets new ones, and a new secret is shown by rotate-secret only. */
  signing?: ('v1' | 'v1a')[] | undefined;
  filter?:
    | Record<string, string | number | boolean | (string | number | boolean | null)[] | null>
    | null
    | undefined;
  headers?: Record<string, string | null> | null | undefined;
}

export interface WebhookSecretRotation {
  /** How long the old secrets sign beside the new ones; 0 ends them at once. */
  overlap_seconds?: number | undefined;
  /** One of your own: `whsec_` and the base64 of 24 to 64 bytes for v1, or `whsk_` and the base64 of an ed25519 private key (32 bytes, or 64 with the public one) for v1a. */
  secret?: string | undefined;
}

export interface WebhookTest {
  outcome: 'succeeded' | 'failed';
  at: string;
  status: number | null;
  duration_ms: number | null;
  timings: Record<string, number | null> | null;
  error: {
    code: string;
    message: string;
  } | null;
  response_excerpt: string | null;
  request: {
    method: 'POST';
    url: string;
    /** What was sent, with `••••` for the values of the webhook's own headers. */
    headers: Record<string, string>;
    /** The exact text that was signed. */
    body: string;
  };
}

export interface Attempt {
  number: number;
  trigger: string;
  outcome: 'unknown' | 'succeeded' | 'failed';
  at: string;
  status: number | null;
  duration_ms: number | null;
  timings: Record<string, number | null> | null;
  error: {
    code: string;
    message: string;
  } | null;
  response_excerpt: string | null;
  next_attempt_at: string | null;
}

export interface DeliveryWithAttempts {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  state: 'pending' | 'delivering' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled';
  reason: string | null;
  attempts_made: number;
  next_attempt_at: string | null;
  created_at: string;
  finished_at: string | null;
  attempts: Attempt[];
}

export interface ReplayCreate {
  /** Events that occurred at this time or later. */
  since: string;
  /** And before this one: now unless said. */
  until?: string | undefined;
  /** Only these types; `*` stands for one segment, or as the last one for all that follow. */
  event_types?: string[] | undefined;
  /** failed: what was given up or skipped. missing: what the webhook wants, as it is set now, and neither has got nor is about to: never owed, skipped, given up or cancelled. all: everything it wants, whether it has got it or not. */
  only?: 'failed' | 'missing' | 'all' | undefined;
  /** Only count what would be sent. */
  dry_run?: boolean | undefined;
}

export interface ReplayPreview {
  only: 'failed' | 'missing' | 'all';
  since: string;
  until: string;
  event_types: string[] | null;
  /** Events that were to be sent again when it was asked for. */
  matched: number;
}

export interface Replay {
  id: string;
  project_id: string;
  webhook_id: string;
  state: 'running' | 'completed' | 'cancelled';
  reason: string | null;
  only: 'failed' | 'missing' | 'all';
  since: string;
  until: string;
  event_types: string[] | null;
  /** Events that were to be sent again when it was asked for. */
  matched: number;
  /** Deliveries made so far; what has arrived meanwhile needs none. */
  queued: number;
  /** Of those: to be sent, or to be sent again. */
  pending: number;
  /** Of those: arrived. */
  succeeded: number;
  /** Of those: given up. */
  exhausted: number;
  /** Of those: skipped, since the webhook was disabled or the event is too old. */
  skipped: number;
  /** Of those: cancelled before they arrived. */
  cancelled: number;
  created_at: string;
  finished_at: string | null;
}

export interface BacklogCancel {
  /** Only events that occurred before this time. */
  before?: string | undefined;
  /** Only these types; `*` stands for one segment, or as the last one for all that follow. */
  event_types?: string[] | undefined;
}

export interface BacklogCancelled {
  /** Deliveries that were waiting and are not made any more. */
  cancelled: number;
}

/** One code, one thing for a client to do. */
export type ProblemCode =
  | 'malformed_request'
  | 'malformed_json'
  | 'unknown_parameter'
  | 'invalid_parameter'
  | 'cursor_invalid'
  | 'cursor_mismatch'
  | 'project_header_required'
  | 'authentication_required'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_revoked'
  | 'insufficient_scope'
  | 'key_limits_exceeded'
  | 'project_forbidden'
  | 'csrf_token_invalid'
  | 'origin_not_allowed'
  | 'ip_not_allowed'
  | 'policy_denied'
  | 'quota_exceeded'
  | 'signed_url_invalid'
  | 'signed_url_expired'
  | 'not_found'
  | 'member_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'state_conflict'
  | 'already_exists'
  | 'collection_cycle'
  | 'count_changed'
  | 'results_expired'
  | 'idempotency_in_progress'
  | 'offset_mismatch'
  | 'cursor_expired'
  | 'upload_expired'
  | 'etag_mismatch'
  | 'tus_version_unsupported'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'expectation_failed'
  | 'validation_failed'
  | 'unknown_field'
  | 'id_prefix_mismatch'
  | 'operation_order_invalid'
  | 'idempotency_key_reused'
  | 'reference_not_found'
  | 'pages_out_of_range'
  | 'destination_not_allowed'
  | 'upload_locked'
  | 'precondition_required'
  | 'rate_limited'
  | 'headers_too_large'
  | 'checksum_mismatch'
  | 'internal_error'
  | 'dependency_unavailable'
  | 'query_timeout'
  | 'storage_full';

/** An event as webhooks send it: thin ones without `data`. */
export interface WebhookMessage {
  id: string;
  type: string;
  /** The same as `occurred_at`. */
  timestamp: string;
  project_id: string;
  resource_type: string;
  resource_id: string;
  category: 'domain' | 'audit';
  /** Per project and category, without gaps: it orders what arrives in no order. */
  sequence: number;
  occurred_at: string;
  actor: {
    type: string;
    id: string | null;
  };
  request_id: string | null;
  /** What the type of event says it is. */
  data?: Record<string, unknown> | undefined;
}

/** What each operation takes and answers, by its operationId. */

export interface Operations {
  /** Get the limits that requests are held to. */
  getLimits: { input: Record<string, never>; answer: Limits };
  /**
   * Get what the project uses, and its quotas.
   *
   * What would exceed a quota is refused with `quota_exceeded`. Outputs of jobs count and are never refused; what is purged no longer counts. The operator sets the quotas.
   */
  getUsage: { input: Record<string, never>; answer: Usage };
  /** Get the operations of document jobs and how mature each is. */
  getCapabilities: { input: Record<string, never>; answer: Capabilities };
  /** Get this document: OpenAPI 3.1, from the schemas that requests are held to. */
  getOpenApi: { input: Record<string, never>; answer: Record<string, unknown> };
  /** List the API keys of the project, newest first. */
  listKeys: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            state?: ('active' | 'revoked' | 'expired')[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: ApiKey[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Issue an API key.
   *
   * A key grants only what it has: its scopes or fewer, addresses within its own, a time no later than its own, its rates. What is left out is inherited. The secret is in this answer and nowhere else.
   */
  createKey: {
    input: {
      body: {
        name: string;
        scopes: (
          | 'objects:read'
          | 'objects:write'
          | 'objects:download'
          | 'objects:purge'
          | 'images:read'
          | 'images:write'
          | 'collections:read'
          | 'collections:write'
          | 'documents:read'
          | 'documents:write'
          | 'webhooks:read'
          | 'webhooks:write'
          | 'policies:read'
          | 'policies:write'
          | 'keys:read'
          | 'keys:write'
          | 'events:read'
          | 'events:ack'
          | 'pii:read'
          | 'audit:read'
          | '*'
        )[];
        /** Ranges of addresses the key may be used from; empty means anywhere. */
        allowed_cidrs?: string[] | undefined;
        expires_at?: string | null | undefined;
      };
    };
    answer: NewApiKey;
  };
  /** Get the API key that the request is made with. */
  getOwnKey: { input: Record<string, never>; answer: ApiKey };
  /** Get an API key. */
  getKey: { input: { params: { id: string } }; answer: ApiKey };
  /**
   * Change fields of an API key.
   *
   * A key changes only keys within its own limits, itself included, and never widens one beyond them.
   */
  updateKey: {
    input: {
      params: { id: string };
      body: {
        name?: string | undefined;
        scopes?:
          | (
              | 'objects:read'
              | 'objects:write'
              | 'objects:download'
              | 'objects:purge'
              | 'images:read'
              | 'images:write'
              | 'collections:read'
              | 'collections:write'
              | 'documents:read'
              | 'documents:write'
              | 'webhooks:read'
              | 'webhooks:write'
              | 'policies:read'
              | 'policies:write'
              | 'keys:read'
              | 'keys:write'
              | 'events:read'
              | 'events:ack'
              | 'pii:read'
              | 'audit:read'
              | '*'
            )[]
          | undefined;
        /** Ranges of addresses the key may be used from; empty means anywhere. */
        allowed_cidrs?: string[] | undefined;
        expires_at?: string | null | undefined;
      };
    };
    answer: ApiKey;
  };
  /**
   * Revoke an API key: it stops working at once.
   *
   * A key revokes only keys within its own limits, itself included.
   */
  revokeKey: { input: { params: { id: string } }; answer: undefined };
  /**
   * Replace an API key by a new one with the same rights.
   *
   * The old key goes on working for `overlap_seconds`; `replaces.ends_at` says until when. A key rolls only keys within its own limits, itself included.
   */
  rollKey: {
    input: {
      params: { id: string };
      body: {
        overlap_seconds?: number | undefined;
      };
    };
    answer: RolledApiKey;
  };
  /** List the objects of the project, newest first unless said. */
  listObjects: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            /** Searches the filename, tags, strings of the metadata and the text that jobs have read of its pages: of each page the fullest reading. Text that a policy does not let the caller read, from this address and now, is not searched; where a redaction is required, what it left is. Words are AND, `"a phrase"`, `-not`, `OR`; the last word matches as a prefix. Empty or `*` is the same as no `q`. */
            q?: string | undefined;
            /** Without it, all but what is in the trash. */
            state?: ('processing' | 'available' | 'rejected' | 'failed' | 'trashed')[] | undefined;
            /** Any of these types; `image/*` is all images. */
            mime?: string[] | undefined;
            /** Repeated, all must hold; a comma is OR; a leading `-` is NOT. Case does not matter. A comma, a leading dash or a backslash in a tag itself is written with a backslash before it. */
            tag?: string[] | undefined;
            derived_from?: string | undefined;
            /** Uploaded, or made by a job. */
            source?: 'upload' | 'job' | undefined;
            /** Outputs of jobs of any of these kinds; `searchable_pdf` is what `ocr` made to be searched. */
            kind?:
              | (
                  | 'searchable_pdf'
                  | 'text'
                  | 'words'
                  | 'redacted_pdf'
                  | 'redacted_file'
                  | 'markdown'
                  | 'json'
                  | 'chunks'
                )[]
              | undefined;
            created_after?: string | undefined;
            created_before?: string | undefined;
            sort?:
              | '-created_at'
              | 'created_at'
              | '-filename'
              | 'filename'
              | '-bytes'
              | 'bytes'
              | undefined;
          }
        | undefined;
    };
    answer: {
      data: Object[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Upload a file.
   *
   * As a form (multipart/form-data) with one part `file`, and in any order `tags` (repeated, or a
   * JSON array) and `metadata` (a JSON object); or as the bytes of the file with any other Content-Type
   * and the header `X-Filename`, percent-encoded UTF-8 or an extended value of RFC 8187. The type of the
   * file is told from its bytes. An available upload with the same bytes and name is answered with 200
   * instead of stored again, unless `on_duplicate=allow`. Where a security policy has to know what only a
   * look into the file tells (pixels, pages), the object is `processing` until then.
   */
  uploadObject: {
    input: {
      query?:
        | {
            /** `allow` makes a new object in any case. */
            on_duplicate?: 'reuse' | 'allow' | undefined;
          }
        | undefined;
      body: Bytes;
    };
    answer: Upload;
  };
  /** Get an object, in the trash or not. */
  getObject: { input: { params: { id: string } }; answer: Object };
  /**
   * Change the name, tags or metadata of an object.
   *
   * A JSON Merge Patch: tags replace those that are there, metadata is merged. What changes nothing leaves the version as it is.
   */
  updateObject: {
    input: {
      params: { id: string };
      body: {
        filename?: string | undefined;
        tags?: string[] | null | undefined;
        metadata?: Record<string, unknown> | null | undefined;
      };
    };
    answer: Object;
  };
  /**
   * Put an object into the trash, where it ends after 30 days, or purge it.
   *
   * One that is there already stays there, and its time goes on. One that was rejected or failed ends at once. With `purge=true` the object and its image are gone at once, in the trash or not; that takes the scope `objects:purge`, and policies that keep it still refuse.
   */
  trashObject: {
    input: {
      params: { id: string };
      query?:
        | {
            /** What jobs made from it goes with it. */ cascade?: 'outputs' | undefined;
            /** Purges it at once. There is no way back. */
            purge?: boolean | undefined;
          }
        | undefined;
    };
    answer: undefined;
  };
  /** Bring an object back from the trash. */
  restoreObject: { input: { params: { id: string } }; answer: Object };
  /**
   * Download the bytes of an object.
   *
   * Whole, or one range of them (RFC 9110 §14). The ETag is the SHA-256 of the whole. Always as an attachment, with the type that the bytes have.
   */
  getObjectContent: { input: { params: { id: string } }; answer: Response };
  /**
   * Make a URL that downloads an object without a key, for a while.
   *
   * For a browser, or whoever has no key. It ends with its time, and before that when the key that made it is revoked, expires or loses the scope, or when the object goes to the trash. Where a policy allows less time than is asked for, or the key ends before, it is made for what is left: `expires_at` says until when, `warnings` that it is less. What policies would refuse to everybody who used it is refused here.
   */
  createSignedUrl: {
    input: {
      params: { id: string };
      body: {
        ttl_seconds?: number | undefined;
        /** `inline` lets a browser show pictures, PDF, plain text, sound and film; anything else comes as an attachment all the same. */
        disposition?: 'attachment' | 'inline' | undefined;
      };
    };
    answer: SignedUrl;
  };
  /** List the jobs that have an object as their source, newest first. */
  listObjectJobs: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            state?:
              | (
                  | 'queued'
                  | 'running'
                  | 'cancelling'
                  | 'succeeded'
                  | 'partially_succeeded'
                  | 'failed'
                  | 'cancelled'
                )[]
              | undefined;
          }
        | undefined;
    };
    answer: {
      data: Job[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List the collections that hold an object, or the image that it is.
   *
   * Newest first; those in the trash are left out. Smart collections whose query finds the image now are included; their `member_count` is null.
   */
  listObjectCollections: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Collection[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Purge what is in the trash.
   *
   * Objects that a policy keeps (`legal_hold`, `retention`) stay and are counted as `held`. Up to 50 objects are purged before the answer; when more are left it is 202, the rest is purged in the background, and `GET /v1/objects?state=trashed` shows how far it is. What goes to the trash after the request stays. Repeating it does no harm.
   */
  emptyTrash: { input: Record<string, never>; answer: TrashEmptied };
  /**
   * Download many objects as one ZIP file.
   *
   * Each file is what a download of its object delivers: without its metadata or as its redaction where a policy says so. Policies are asked about all of them before the first byte; what one refuses refuses the whole, unless `on_error` is `continue`, which leaves it out. `manifest.json` in the archive lists the files, with object and hash, and what was left out. Names that several objects have are numbered: `scan (2).pdf`. The same objects give the same bytes. Not resumable: an archive that breaks off is asked for again.
   */
  archiveObjects: {
    input: {
      body: {
        ids: string[];
        /** `continue` leaves out what cannot be delivered and lists it in the manifest; `abort` refuses the whole. */
        on_error?: 'abort' | 'continue' | undefined;
      };
    };
    answer: Response;
  };
  /**
   * Ask what of tus is served here.
   *
   * Answers Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm. It needs the two headers, like all of `/v1`.
   */
  describeUploads: { input: Record<string, never>; answer: undefined };
  /**
   * Begin an upload that survives a broken line.
   *
   * tus 1.0 (https://tus.io), which has clients in many languages. `Upload-Metadata` is pairs of a key and a
   * base64 value: `filename` (needed), `filetype`, `tags` (a JSON array), `metadata` (a JSON object) and
   * `on_duplicate` (`reuse` or `allow`). The answer's Location is where the bytes go, by PATCH. The first of
   * them may come at once, with the Content-Type `application/offset+octet-stream`. What has not arrived in
   * 24 hours is dropped.
   */
  createUpload: { input: { body?: Bytes | undefined }; answer: Response };
  /**
   * Get an upload: how far it is, and what it became.
   *
   * HEAD is of tus: with Tus-Resumable it answers Upload-Offset, Upload-Length and Upload-Metadata, and when all is there Object-Id. GET needs no header of tus.
   */
  getUpload: { input: { params: { id: string } }; answer: ResumableUpload };
  /**
   * Send bytes of an upload.
   *
   * What arrives stays, also when the line breaks; HEAD tells from where to go on. The last bytes make the object: the answer names it in Object-Id. Sent again, an empty last PATCH answers the same.
   */
  appendToUpload: { input: { params: { id: string }; body: Bytes }; answer: undefined };
  /** Give an upload up, with the bytes that have arrived. */
  terminateUpload: { input: { params: { id: string } }; answer: undefined };
  /**
   * Search the images of the project.
   *
   * What was saved before the request is found. `OR` joins its two neighbours and binds more tightly than AND: `red OR blue car` are cars that are red or blue. When a search finds no more than two images and one of its words is in none, that word is mended against the words of the project: `mended_query` says what was searched instead. Words in a phrase, words that are excluded and words with a digit are never mended.
   */
  searchImages: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** Words are AND, `"a phrase"`, `-not`, `OR` between two of them; the last word matches as a prefix. Title counts most, then tags, description and alternative text, filename. Empty or `*` is the same as no `q`. */
            q?: string | undefined;
            /** Repeated, all must hold; a comma is OR; a leading `-` is NOT. Case does not matter. A comma, a leading dash or a backslash in a tag itself is written with a backslash before it. */
            tag?: string[] | undefined;
            /** Only those with no tag, or only those with one. */
            untagged?: boolean | undefined;
            /** Any of these types; `image/*` is all of them. */
            mime?:
              | (
                  | 'image/jpeg'
                  | 'image/png'
                  | 'image/webp'
                  | 'image/avif'
                  | 'image/gif'
                  | 'image/tiff'
                  | 'image/svg+xml'
                  | 'image/*'
                )[]
              | undefined;
            orientation?: ('landscape' | 'portrait' | 'square')[] | undefined;
            min_width?: number | undefined;
            max_width?: number | undefined;
            min_height?: number | undefined;
            max_height?: number | undefined;
            min_bytes?: number | undefined;
            max_bytes?: number | undefined;
            min_rating?: number | undefined;
            created_after?: string | undefined;
            created_before?: string | undefined;
            captured_after?: string | undefined;
            captured_before?: string | undefined;
            collection_id?: string | undefined;
            /** Without it, all but what is in the trash. */
            state?: ('processing' | 'available' | 'rejected' | 'failed' | 'trashed')[] | undefined;
            /** The images that these objects are. */
            object_id?: string[] | undefined;
            /** `relevance` with `q`, over the newest 10,000 matches; else `-created_at`. */
            sort?:
              | 'relevance'
              | '-created_at'
              | 'created_at'
              | '-updated_at'
              | 'updated_at'
              | '-captured_at'
              | 'captured_at'
              | '-filename'
              | 'filename'
              | '-bytes'
              | 'bytes'
              | undefined;
            /** `total` and `facets` count all that match. */
            include?: ('total' | 'facets' | 'highlights' | 'collections')[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedImage[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
      facets?: Facets | undefined;
      /** Present when little was found: `q` with its misspelt word mended, which is what was searched. */
      mended_query?: string | undefined;
    };
  };
  /**
   * Change images: one, several alike, each in its own way, or all that match a filter.
   *
   * The body says which, in exactly one of four forms: `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}`, `{filter, expected_count, patch}`.
   *
   * Patches are merged (RFC 7396). `tags` replaces all tags; `add_tags` and `remove_tags` leave alone what others add and remove at the same time. What changes nothing leaves the version as it is and makes no event.
   *
   * With `on_error: "abort"` all images change or none, and the problem names every fault with its pointer. With `continue` each that can changes, and `results` says what became of the others; a body that breaks a rule whatever the images are is refused whole.
   *
   * `If-Match` goes with the form `{id}` only; elsewhere `if_match` stands beside the `id`. When `filter` matches another number of images than `expected_count`, nothing is changed, and the problem `count_changed` has their number as `actual_count`.
   */
  updateImages: { input: { body: ImageEdits }; answer: ImageEditResults };
  /** Get an image, in the trash or not. */
  getImage: { input: { params: { id: string } }; answer: Image };
  /**
   * Change what is said about an image.
   *
   * A JSON Merge Patch: `tags` replace those that are there, `add_tags` and `remove_tags` leave alone what others add and remove at the same time, metadata is merged. Tags and metadata are the object's too. What changes nothing leaves the version as it is.
   */
  updateImage: { input: { params: { id: string }; body: ImagePatch }; answer: Image };
  /**
   * Put an image and its object into the trash, where they end after 30 days.
   *
   * One that is there already stays there, and its time goes on.
   */
  trashImage: { input: { params: { id: string } }; answer: undefined };
  /** Bring an image and its object back from the trash. */
  restoreImage: { input: { params: { id: string } }; answer: Image };
  /**
   * Get a smaller picture of an image, ready to be shown.
   *
   * `thumb` fits into 160 × 160 pixels, the others are at most as wide as they say; none is larger than the image. WebP or AVIF by `Accept`; WebP when both will do. Upright, sRGB, without metadata. While a worker has yet to make it: 409, `retryable` and with `Retry-After`; when the image cannot be read: 409, not `retryable`, with the reason.
   */
  getRendition: {
    input: { params: { id: string; name: 'thumb' | 'w320' | 'w640' | 'w1280' } };
    answer: Response;
  };
  /**
   * List the collections that hold an image.
   *
   * Newest first; those in the trash are left out. Smart collections whose query finds the image now are included; their `member_count` is null.
   */
  listImageCollections: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Collection[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List the collections of the project, newest first unless said.
   *
   * With `resource_type` and `resource_id`, those that hold this image or object: smart collections whose query finds it are included.
   */
  listCollections: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            /** Those directly in this collection, or in none: `root`. */
            parent_id?: 'root' | string | undefined;
            kind?: ('manual' | 'smart')[] | undefined;
            state?: ('available' | 'trashed')[] | undefined;
            /** Repeated, all must hold; a comma is OR; a leading `-` is NOT. Case does not matter. A comma, a leading dash or a backslash in a tag itself is written with a backslash before it. */
            tag?: string[] | undefined;
            /** A part of the name, in upper or lower case. Empty or `*` is the same as no `q`. */
            q?: string | undefined;
            /** With `resource_id`: the collections that hold this resource, smart ones included. */
            resource_type?: 'image' | 'object' | undefined;
            resource_id?: string | undefined;
            sort?: '-created_at' | 'created_at' | 'name' | '-name' | undefined;
          }
        | undefined;
    };
    answer: {
      data: Collection[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Make a collection, with its first members or with a query.
   *
   * A manual collection lists its members by hand. A smart one has a `query`, filters as GET /v1/images takes them: its members are the images that match at the time. To give a query the key needs images:read, too.
   */
  createCollection: { input: { body: NewCollection }; answer: Collection };
  /** Get a collection, in the trash or not. */
  getCollection: { input: { params: { id: string } }; answer: Collection };
  /**
   * Change fields of a collection, or move it into another one.
   *
   * A JSON Merge Patch: tags replace those that are there; metadata and query are merged. A new name or place changes the `path` of all collections below, whose versions rise. What changes nothing leaves the version as it is. Whether a collection is manual or smart does not change.
   */
  updateCollection: {
    input: { params: { id: string }; body: CollectionPatch };
    answer: Collection;
  };
  /**
   * Put a collection and all below it into the trash, where they end after 30 days.
   *
   * What it holds is not touched. One that is there already stays there, and its time goes on.
   */
  trashCollection: { input: { params: { id: string } }; answer: undefined };
  /** Bring a collection back from the trash, with all that went there with it. */
  restoreCollection: { input: { params: { id: string } }; answer: Collection };
  /**
   * List the members of a collection, in their order.
   *
   * Those of a manual collection in the order given by hand; those of a smart one are the images its query finds now, in the order of the search. Members in the trash are left out.
   */
  listCollectionMembers: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `resource` gives each member’s record, and needs `images:read` and `objects:read`; `total` counts all. */
            include?: ('resource' | 'total')[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedCollectionMember[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Put an image or an object into a collection, at its end.
   *
   * 200 when it is there already, where it stands. An image and the object of that image are two members.
   */
  addCollectionMember: {
    input: { params: { id: string }; body: MemberRef };
    answer: CollectionMember;
  };
  /**
   * Put many members into a collection and take many out.
   *
   * What is added stands at the end, in the order given. At most 500 in all; none may stand in both lists.
   */
  changeCollectionMembers: {
    input: {
      params: { id: string };
      body: {
        add?: MemberRef[] | undefined;
        remove?: MemberRef[] | undefined;
        /** `abort` does all or nothing; `continue` does what can be done. */
        on_error?: 'abort' | 'continue' | undefined;
      };
    };
    answer: {
      member_count: number;
      /** Of the collection, after the batch. */
      version: number;
      /** One for each input: first add, then remove. */
      results: CollectionMemberResult[];
    };
  };
  /** Put a member directly before or after another one. */
  moveCollectionMember: {
    input: {
      params: { id: string; type: 'image' | 'object'; rid: string };
      body: {
        before?: MemberRef | undefined;
        after?: MemberRef | undefined;
      };
    };
    answer: CollectionMember;
  };
  /**
   * Take a member out of a collection.
   *
   * The image or object itself is not touched. One that is in the trash, where its membership is hidden, can be taken out too.
   */
  removeCollectionMember: {
    input: { params: { id: string; type: 'image' | 'object'; rid: string } };
    answer: undefined;
  };
  /**
   * Start a job: operations, in order, on the pages of an object.
   *
   * Answers at once; poll the job, stream it, or let a webhook tell.
   */
  createJob: {
    input: {
      body: {
        source_object_id: string;
        operations: JobOperation[];
        /** Which pages, as in "1-3,7"; all unless said. A page past the last is out of range, even where others are not: 422 `pages_out_of_range` when the object's `pages` is known, else the operation fails with that code. */
        pages?: string | undefined;
        /** Anything of yours; at most 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /** List the jobs of the project, newest first. */
  listJobs: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            state?:
              | (
                  | 'queued'
                  | 'running'
                  | 'cancelling'
                  | 'succeeded'
                  | 'partially_succeeded'
                  | 'failed'
                  | 'cancelled'
                )[]
              | undefined;
            /** Jobs that were asked for one of these. */
            op?: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[] | undefined;
            source_object_id?: string | undefined;
            created_after?: string | undefined;
            created_before?: string | undefined;
          }
        | undefined;
    };
    answer: {
      data: Job[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Start the same job on each of many objects.
   *
   * With `on_error: "abort"` a job is made for every object or for none, and the problem names each object of which none can be made. With `continue` the others get theirs, and `results` says what is wrong with these; what is wrong with the operations is refused whole.
   *
   * Each job is one like any other: it has its own events, and ends on its own. Objects that are worked on wait for their turn; other projects do not wait for them.
   */
  createJobs: {
    input: {
      body: {
        source_object_ids: string[];
        operations: JobOperation[];
        /** Anything of yours; at most 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
        /** `abort`: a job for each or none. `continue`: for each of which one can be made. */
        on_error?: 'abort' | 'continue' | undefined;
      };
    };
    answer: JobBatchResults;
  };
  /** Recognise text: a job with this one operation, its options beside the source. */
  startOcr: {
    input: {
      body: {
        source_object_id: string;
        /** ISO 639-2 codes of the languages to expect. */
        languages?: string[] | undefined;
        /** Which outputs to make. */
        output?: ('searchable_pdf' | 'text' | 'words')[] | undefined;
        /** What to do with pages that have text: skip them, replace an invisible text layer (redo), or recognise them from their picture (force). */
        existing_text?: 'skip' | 'redo' | 'force' | undefined;
        /** Straighten leaning pages in the PDF. */
        deskew?: boolean | undefined;
        /** Find out which way up a page is, and turn it in the PDF. */
        rotate?: boolean | undefined;
        /** Which pages, as in "1-3,7"; all unless said. A page past the last is out of range, even where others are not: 422 `pages_out_of_range` when the object's `pages` is known, else the operation fails with that code. */
        pages?: string | undefined;
        /** Anything of yours; at most 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Find personal data, remove it for good and prove that it is gone.
   *
   * A job with this one operation, its options beside the source. The pages of PDF and pictures are read first, by an `ocr` that is put before it. Nothing is stored that did not pass its checks.
   */
  startRedaction: {
    input: {
      body: {
        source_object_id: string;
        /** Which kinds of personal data to remove. */
        entities?:
          | 'all'
          | (
              | 'PERSON'
              | 'TITLE'
              | 'ORGANIZATION'
              | 'LOCATION'
              | 'ADDRESS'
              | 'NRP'
              | 'AGE'
              | 'DATE_OF_BIRTH'
              | 'DATE_TIME'
              | 'EMAIL_ADDRESS'
              | 'PHONE_NUMBER'
              | 'URL'
              | 'IP_ADDRESS'
              | 'MAC_ADDRESS'
              | 'CREDIT_CARD'
              | 'IBAN_CODE'
              | 'SWIFT_CODE'
              | 'CRYPTO'
              | 'PASSPORT'
              | 'DRIVER_LICENSE'
              | 'US_SSN'
              | 'US_ITIN'
              | 'US_BANK_NUMBER'
              | 'UK_NHS'
              | 'UK_NINO'
              | 'DE_TAX_ID'
              | 'DE_ID_CARD'
              | 'DE_SOCIAL_SECURITY'
              | 'FR_NIR'
              | 'ES_NIF'
              | 'IT_FISCAL_CODE'
              | 'NL_BSN'
              | 'SE_PERSONNUMMER'
              | 'PL_PESEL'
              | 'IN_AADHAAR'
              | 'IN_PAN'
              | 'AU_TFN'
              | 'AU_MEDICARE'
              | 'BR_CPF'
              | 'BR_CNPJ'
              | 'CA_SIN'
            )[]
          | undefined;
        /** What the engine is less sure of stays. */
        min_confidence?: number | undefined;
        /** A black box, or a box with the kind of what it hides. In text that is made of it in the same job a mark stands for either: with the kind, but for black boxes in a file without pages, which do not tell theirs. */
        style?: 'blackbox' | 'label' | undefined;
        /** What else to remove. */
        custom_patterns?:
          | {
              /** Findings are of the kind CUSTOM_ and this name. */
              name: string;
              /** An expression in RE2 syntax: no look-around and no back references. What was read from pictures also matches where it has a blank between digits or beside an @ too many. */
              pattern: string;
              case_sensitive?: boolean | undefined;
            }[]
          | undefined;
        /** What is never removed, whatever it looks like; compared without case. */
        allow_list?: string[] | undefined;
        /** Store outputs of the operations before this one as objects, unredacted as they are. Needs pii:read. */
        keep_unredacted?: boolean | undefined;
        /** Which pages, as in "1-3,7"; all unless said. A page past the last is out of range, even where others are not: 422 `pages_out_of_range` when the object's `pages` is known, else the operation fails with that code. */
        pages?: string | undefined;
        /** Anything of yours; at most 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Tell what kind of document it is, and label the object with it.
   *
   * A job with this one operation, its options beside the source. The pages of PDF and pictures are read first, by an `ocr` that is put before it. Policies go by the labels from then on, when all pages were read with options that find out which way up they are; what some pages tell is shown, and counts for no policy.
   */
  startClassification: {
    input: {
      body: {
        source_object_id: string;
        /** How many of the likeliest labels to tell. */
        top_k?: number | undefined;
        /** Which pages, as in "1-3,7"; all unless said. A page past the last is out of range, even where others are not: 422 `pages_out_of_range` when the object's `pages` is known, else the operation fails with that code. */
        pages?: string | undefined;
        /** Anything of yours; at most 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Get a job, with its progress per operation and page count.
   *
   * While the job runs, `Retry-After` says when to ask again. `Prefer: wait=10` holds the answer until the job changes; with `Accept: text/event-stream` every change is sent until the job ends.
   */
  getJob: { input: { params: { id: string } }; answer: Job };
  /**
   * List what each operation did to each page.
   *
   * What was found on pages that are redacted comes without its values, and without what operations before had read, unless the key has the scope pii:read.
   */
  listJobPages: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. `words` are where each word stands; with them `limit` is brought down to 10. */
            include?: ('total' | 'words')[] | undefined;
            state?:
              | ('pending' | 'running' | 'succeeded' | 'failed' | 'skipped' | 'cancelled')[]
              | undefined;
            op?: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[] | undefined;
            page?: number | undefined;
          }
        | undefined;
    };
    answer: {
      data: Page[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Get the state of every page in every operation, in one small answer.
   *
   * Runs of pages that follow one another in one state, so that a job of 2,000 pages can be drawn and watched. An operation that has not begun has none.
   */
  getJobPageStates: { input: { params: { id: string } }; answer: PageStates };
  /**
   * Ask a job to stop.
   *
   * 202 when it was asked now, 200 when it had been asked before.
   */
  cancelJob: { input: { params: { id: string } }; answer: Job };
  /** Try a job again as a new one: the failed pages, or all. */
  retryJob: {
    input: {
      params: { id: string };
      body: {
        /** With `failed_pages` the results of the good pages are taken over. */
        scope?: 'failed_pages' | 'all' | undefined;
      };
    };
    answer: Job;
  };
  /** List the security policies of the project, newest first. */
  listPolicies: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Policy[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Make a security policy.
   *
   * What it says holds from this answer on. Every rule of every policy must pass: one refusal overrides all
   * else, the least maximum and the longest retention hold, lists of what is allowed intersect, and order
   * changes nothing. Where a rule needs what is not known of a file, showing and delivering it is refused.
   * legal_hold and retention keep what was once in scope by a tag or a collection, whatever it leaves. At
   * most 200 a project.
   */
  createPolicy: { input: { body: PolicyCreate }; answer: Policy };
  /**
   * Ask what the policies say of an action, without doing it.
   *
   * About a stored resource, or a candidate that need not exist; with drafts as if they were saved. Always 200: a refusal is an answer, and so is a resource that is not there: `deny`, with the violation `resource_not_found`.
   */
  evaluatePolicies: {
    input: {
      body: {
        action: 'upload' | 'read' | 'download' | 'sign' | 'process' | 'delete';
        resource?: PolicyResource | undefined;
        /** A file that need not exist. Not known when it is left out. */
        candidate?:
          | {
              mime?: string | undefined;
              traits?: ('executable' | 'scripted')[] | undefined;
              bytes?: number | undefined;
              pixels?: number | undefined;
              pages?: number | undefined;
              labels?: string[] | undefined;
              tags?: string[] | undefined;
            }
          | undefined;
        context?:
          | {
              /** The caller’s own unless said. */
              address?: string | undefined;
              at?: string | undefined;
              signed_url?:
                | {
                    ttl_seconds: number;
                  }
                | null
                | undefined;
            }
          | undefined;
        /** Drafts, as if they were saved. */
        with?: PolicyDraft[] | undefined;
      };
    };
    answer: Evaluation;
  };
  /**
   * Count what a policy that is not saved would refuse if it were enforced, alone.
   *
   * Of the newest available objects, for each of its actions. Nothing is saved.
   */
  getDraftImpact: {
    input: {
      body: {
        with: PolicyCreate;
      };
    };
    answer: Impact;
  };
  /** Get a security policy. */
  getPolicy: { input: { params: { id: string } }; answer: Policy };
  /**
   * Change fields of a security policy.
   *
   * `scope` and `rules` are replaced as a whole, `when` is merged. Holds end when the policy is disabled or loses the rule.
   */
  updatePolicy: { input: { params: { id: string }; body: PolicyPatch }; answer: Policy };
  /** Remove a security policy, and the holds it laid. */
  deletePolicy: { input: { params: { id: string } }; answer: undefined };
  /**
   * Count what a policy would refuse if it were enforced, alone.
   *
   * Of the newest available objects, for each of its actions. With `with`, as if the policy were saved with these contents.
   */
  getPolicyImpact: {
    input: {
      params: { id: string };
      body: {
        with?: PolicyCreate | undefined;
      };
    };
    answer: Impact;
  };
  /**
   * Read events from the outbox, in the order of their sequence.
   *
   * Go on from `next_cursor` to miss nothing, whatever commits late; it is there on the last page too. With `wait_seconds` the answer waits for the first event after it. `published=false` leaves what nobody has confirmed: not delivered to every webhook that should have it, and not acknowledged; it says how an event is now, and a cursor does not come back to one that changes.
   *
   * With `Accept: application/x-ndjson` the answer is an export: an event a line, everything that was there when it began, newest first with `order=desc`. With `Accept: text/csv` it is the same as a table, its first line the names of the columns; values that a spreadsheet would take for formulas begin with an apostrophe. All filters apply, and `after`; `limit` is how many lines at most, all without it. `cursor`, `wait_seconds` and `include` are refused. An export that cannot be completed, since its key was revoked or events were dropped before it came to them, is broken off, never ended: take it for complete when the connection ends cleanly.
   */
  listEvents: {
    input: {
      query?:
        | {
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            /** How many to answer with: on a page 50 unless said, and more than 1000 is brought down to 1000; in an export all unless said. */
            limit?: number | undefined;
            /** audit needs the scope audit:read. */
            category?: 'domain' | 'audit' | undefined;
            /** An event (evt_…) or a sequence: what comes after it in reading order. */
            after?: string | undefined;
            /** Any of these; `documents.*` stands for all that begin so. */
            type?: string[] | undefined;
            /** The identifiers of resources. */
            resource_id?: string[] | undefined;
            /** What kinds of resource they are about. */
            resource_type?:
              | (
                  | 'api_key'
                  | 'collection'
                  | 'delivery'
                  | 'image'
                  | 'job'
                  | 'object'
                  | 'policy'
                  | 'project'
                  | 'replay'
                  | 'vod_job'
                  | 'webhook'
                )[]
              | undefined;
            /** What kinds of actor are behind it. */
            actor_type?: ('api_key' | 'worker' | 'operator' | 'system' | 'service')[] | undefined;
            /** Who is behind it, such as an API key (key_…). */
            actor_id?: string[] | undefined;
            /** The addresses it was asked for from. Needs the scope audit:read. */
            address?: string[] | undefined;
            /** The `X-Request-Id` of the requests that did it. */
            request_id?: string[] | undefined;
            occurred_after?: string | undefined;
            occurred_before?: string | undefined;
            published?: boolean | undefined;
            order?: 'asc' | 'desc' | undefined;
            wait_seconds?: number | undefined;
          }
        | undefined;
    };
    answer: EventList;
  };
  /** Get an event. */
  getEvent: { input: { params: { id: string } }; answer: Event };
  /**
   * List to which webhooks an event was and is owed, newest first.
   *
   * A replay makes a delivery of its own. Those to webhooks that have been removed are listed too.
   */
  listEventDeliveries: {
    input: {
      query: {
        /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
        limit?: number | undefined;
        /** The `next_cursor` of the page before, with the same filters. */
        cursor?: string | undefined;
        /** `total` counts all that match; it costs a count. */
        include?: 'total'[] | undefined;
        event_id: string;
      };
    };
    answer: {
      data: Delivery[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Confirm events: they are published from now on.
   *
   * Either `event_ids`, or `up_to_sequence` for every domain event up to there. Deliveries to webhooks go on.
   */
  acknowledgeEvents: {
    input: {
      body: {
        event_ids?: string[] | undefined;
        up_to_sequence?: number | undefined;
      };
    };
    answer: {
      /** How many were not published before. */
      acknowledged: number;
    };
  };
  /**
   * Follow events as server-sent events.
   *
   * Each event carries its sequence as `id`; a client that comes back with `Last-Event-ID` goes on after it, without loss. Without it and without `after`, from now on; `after=0` starts at the first. A line every 15 s keeps the connection alive; after 10 minutes the stream ends and the client comes back.
   */
  streamEvents: {
    input: {
      query?:
        | {
            /** audit needs the scope audit:read. */ category?: 'domain' | 'audit' | undefined;
            /** An event (evt_…) or a sequence: what comes after it in reading order. */
            after?: string | undefined;
            /** Any of these; `documents.*` stands for all that begin so. */
            type?: string[] | undefined;
            /** The identifiers of resources. */
            resource_id?: string[] | undefined;
            /** What kinds of resource they are about. */
            resource_type?:
              | (
                  | 'api_key'
                  | 'collection'
                  | 'delivery'
                  | 'image'
                  | 'job'
                  | 'object'
                  | 'policy'
                  | 'project'
                  | 'replay'
                  | 'vod_job'
                  | 'webhook'
                )[]
              | undefined;
            /** What kinds of actor are behind it. */
            actor_type?: ('api_key' | 'worker' | 'operator' | 'system' | 'service')[] | undefined;
            /** Who is behind it, such as an API key (key_…). */
            actor_id?: string[] | undefined;
            /** The addresses it was asked for from. Needs the scope audit:read. */
            address?: string[] | undefined;
            /** The `X-Request-Id` of the requests that did it. */
            request_id?: string[] | undefined;
            occurred_after?: string | undefined;
            occurred_before?: string | undefined;
          }
        | undefined;
    };
    answer: Response;
  };
  /** List every type of event there is, with its schema and an example. */
  listEventTypes: {
    input: Record<string, never>;
    answer: {
      data: EventType[];
    };
  };
  /**
   * List the consumers of the project, newest first.
   *
   * Those of the audit feed are shown to keys with the scope audit:read.
   */
  listConsumers: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            /** The one of this name. */
            name?: string | undefined;
          }
        | undefined;
    };
    answer: {
      data: Consumer[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Make a consumer: a named reader whose position is kept here.
   *
   * Its filters are fixed from here on; for others make another one. At most 100 a project.
   */
  createConsumer: { input: { body: ConsumerCreate }; answer: Consumer };
  /** Get a consumer: where it stands, and how far behind. */
  getConsumer: { input: { params: { id: string } }; answer: Consumer };
  /** Remove a consumer. Events stay as they are. */
  deleteConsumer: { input: { params: { id: string } }; answer: undefined };
  /**
   * Read what follows the position of a consumer.
   *
   * Reading does not move the position: commit `commit_sequence` when all of it is done, and read again. What is read and not committed is read again, by whoever reads next, so nothing is lost when a reader dies; two readers at once read the same. The answer carries the ETag of the consumer: a commit with it in `If-Match` is refused (412) if somebody has committed or sought since. With `wait_seconds` the answer waits for the first event. A position older than what is kept is 410 with `earliest_sequence`, until it seeks. What the filters leave out needs no commit: a reading that finds nothing passes over it.
   */
  readConsumerEvents: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 1000 is brought down to 1000. */
            limit?: number | undefined;
            wait_seconds?: number | undefined;
          }
        | undefined;
    };
    answer: ConsumerEvents;
  };
  /**
   * Move a consumer forwards: everything up to a sequence is done.
   *
   * The same sequence again changes nothing; one before the position is 409, since only seeking goes back; one beyond the newest is 422. With `ack` the events passed by this that match the filters are acknowledged in the same transaction.
   */
  commitConsumer: {
    input: { params: { id: string }; body: ConsumerCommit };
    answer: ConsumerCommitted;
  };
  /**
   * Move a consumer to any position that is kept, backwards or forwards.
   *
   * With `sequence` the position is that sequence, with `event_id` that of the event: reading goes on after it, as after a commit. With `to` it goes on with the earliest event that is kept, or with what comes from now on. What is read again is not unpublished.
   */
  seekConsumer: { input: { params: { id: string }; body: ConsumerSeek }; answer: Consumer };
  /** List the webhooks of the project, newest first. */
  listWebhooks: {
    input: {
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Webhook[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Add a webhook.
   *
   * What it is owed is posted to it, signed as Standard Webhooks 1.0 has it. The secret is in this answer and in that of rotate-secret, and nowhere else. Audit types need the scope audit:read too. The webhook belongs to the project: it goes on when the key that added it is revoked or loses a scope.
   */
  createWebhook: { input: { body: WebhookCreate }; answer: WebhookWithSecret };
  /** Get a webhook. */
  getWebhook: { input: { params: { id: string } }; answer: Webhook };
  /**
   * Change fields of a webhook.
   *
   * A change of `url`, `event_types`, `filter` or `payload` needs the scope events:read, and audit:read where the webhook is or was sent audit types. When the origin of `url` (scheme, host, port) changes, the values of `headers` do not go with it: those that the same request does not give are dropped. The signing secret stays, since it is never sent; `rotate-secret` makes a new one. What is pending goes to the new address.
   */
  updateWebhook: { input: { params: { id: string }; body: WebhookPatch }; answer: Webhook };
  /** Remove a webhook; what it was still owed is cancelled. */
  deleteWebhook: { input: { params: { id: string } }; answer: undefined };
  /**
   * Give a webhook a new secret, and new keys where it signs with those.
   *
   * What it had until now signs beside it for `overlap_seconds`, so that receivers can change over: every message then carries a signature of each. At most ten of a kind are kept: the oldest go. Rotations that are asked for at once are carried out one after the other, each with a secret of its own; `If-Match` allows only one of them.
   */
  rotateWebhookSecret: {
    input: { params: { id: string }; body: WebhookSecretRotation };
    answer: WebhookWithSecret;
  };
  /**
   * Send one signed example to a webhook, and see what came of it.
   *
   * The example is a `webhooks.endpoint.tested` event with `sequence` 0, sent before the event of the same `id` is recorded with what came of it. It is no delivery, and is sent whatever the state of the webhook and its filter are. The answer is 200 also when the receiver failed.
   */
  testWebhook: { input: { params: { id: string } }; answer: WebhookTest };
  /**
   * Keep what a webhook is owed for later.
   *
   * One that is so already stays as it is, and nothing is recorded.
   */
  pauseWebhook: { input: { params: { id: string } }; answer: Webhook };
  /**
   * Send to a webhook again, what waited included.
   *
   * One that is so already stays as it is, and nothing is recorded. One that is sent audit types needs the scope audit:read too.
   */
  enableWebhook: { input: { params: { id: string } }; answer: Webhook };
  /**
   * Send nothing more to a webhook: what it is owed is skipped.
   *
   * One that is so already stays as it is, and nothing is recorded.
   */
  disableWebhook: { input: { params: { id: string } }; answer: Webhook };
  /** List what a webhook was and is owed, newest first. */
  listDeliveries: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
            state?:
              | ('pending' | 'delivering' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled')[]
              | undefined;
            /** `documents.*` stands for all that begin so. */
            event_type?: string[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Delivery[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Get a delivery with every attempt at it.
   *
   * What the receiver answered may hold the event: without the scope events:read, and audit:read for an audit type, `response_excerpt` is null.
   */
  getDelivery: {
    input: { params: { id: string; delivery_id: string } };
    answer: DeliveryWithAttempts;
  };
  /**
   * Try a delivery once more, at once.
   *
   * If the attempt fails, the automatic schedule goes on as if it had not been. An audit event needs the scope audit:read too.
   */
  redeliver: { input: { params: { id: string; delivery_id: string } }; answer: Delivery };
  /**
   * Send events of a range again: those that failed, those that are missing, or all.
   *
   * What is sent is fixed by the request: events that are recorded or committed later are not part of it. It is sent behind new events, by the same retry schedule, with the header `webhook-replay-id`; what had failed has succeeded when its replay does. With `dry_run` it is only counted (200). One replay to a webhook runs at a time. Audit types need the scope audit:read too; a replay of what failed leaves them out without it, unless `event_types` names them.
   */
  replayWebhook: {
    input: { params: { id: string }; body: ReplayCreate };
    answer: ReplayPreview | Replay;
  };
  /** List the replays to a webhook, newest first. */
  listReplays: {
    input: {
      params: { id: string };
      query?:
        | {
            /** How many to answer with: 50 unless said; more than 200 is brought down to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the page before, with the same filters. */
            cursor?: string | undefined;
            /** `total` counts all that match; it costs a count. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Replay[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /** Get a replay and how far it is. */
  getReplay: { input: { params: { id: string; replay_id: string } }; answer: Replay };
  /** Stop a replay: what it has not sent yet is not sent. */
  cancelReplay: { input: { params: { id: string; replay_id: string } }; answer: Replay };
  /**
   * Give up what waits for a webhook, or some of it.
   *
   * What is cancelled no longer counts as owed. A replay of what is missing, or redelivering one, brings it back.
   */
  cancelDeliveries: {
    input: { params: { id: string }; body: BacklogCancel };
    answer: BacklogCancelled;
  };
}

export type OperationId = keyof Operations;

/** How an operation is sent. */
export interface Sending {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  path: string;
  /** Takes an Idempotency-Key, so that it may be sent again. */
  keyed: boolean;
  /** Parameters that are one list with commas; other lists are repeated. */
  commas: readonly string[];
}

export const operations: Readonly<Record<OperationId, Sending>> = {
  getLimits: { method: 'GET', path: '/v1/limits', keyed: false, commas: [] },
  getUsage: { method: 'GET', path: '/v1/usage', keyed: false, commas: [] },
  getCapabilities: { method: 'GET', path: '/v1/capabilities', keyed: false, commas: [] },
  getOpenApi: { method: 'GET', path: '/v1/openapi.json', keyed: false, commas: [] },
  listKeys: { method: 'GET', path: '/v1/keys', keyed: false, commas: ['include', 'state'] },
  createKey: { method: 'POST', path: '/v1/keys', keyed: true, commas: [] },
  getOwnKey: { method: 'GET', path: '/v1/keys/self', keyed: false, commas: [] },
  getKey: { method: 'GET', path: '/v1/keys/{id}', keyed: false, commas: [] },
  updateKey: { method: 'PATCH', path: '/v1/keys/{id}', keyed: false, commas: [] },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{id}', keyed: false, commas: [] },
  rollKey: { method: 'POST', path: '/v1/keys/{id}/roll', keyed: true, commas: [] },
  listObjects: {
    method: 'GET',
    path: '/v1/objects',
    keyed: false,
    commas: ['include', 'state', 'mime', 'kind'],
  },
  uploadObject: { method: 'POST', path: '/v1/objects', keyed: true, commas: [] },
  getObject: { method: 'GET', path: '/v1/objects/{id}', keyed: false, commas: [] },
  updateObject: { method: 'PATCH', path: '/v1/objects/{id}', keyed: false, commas: [] },
  trashObject: { method: 'DELETE', path: '/v1/objects/{id}', keyed: false, commas: [] },
  restoreObject: { method: 'POST', path: '/v1/objects/{id}/restore', keyed: true, commas: [] },
  getObjectContent: { method: 'GET', path: '/v1/objects/{id}/content', keyed: false, commas: [] },
  createSignedUrl: {
    method: 'POST',
    path: '/v1/objects/{id}/signed-urls',
    keyed: true,
    commas: [],
  },
  listObjectJobs: {
    method: 'GET',
    path: '/v1/objects/{id}/jobs',
    keyed: false,
    commas: ['include', 'state'],
  },
  listObjectCollections: {
    method: 'GET',
    path: '/v1/objects/{id}/collections',
    keyed: false,
    commas: ['include'],
  },
  emptyTrash: { method: 'POST', path: '/v1/trash/empty', keyed: true, commas: [] },
  archiveObjects: { method: 'POST', path: '/v1/objects/archive', keyed: false, commas: [] },
  describeUploads: { method: 'OPTIONS', path: '/v1/uploads', keyed: false, commas: [] },
  createUpload: { method: 'POST', path: '/v1/uploads', keyed: false, commas: [] },
  getUpload: { method: 'GET', path: '/v1/uploads/{id}', keyed: false, commas: [] },
  appendToUpload: { method: 'PATCH', path: '/v1/uploads/{id}', keyed: false, commas: [] },
  terminateUpload: { method: 'DELETE', path: '/v1/uploads/{id}', keyed: false, commas: [] },
  searchImages: {
    method: 'GET',
    path: '/v1/images',
    keyed: false,
    commas: ['mime', 'orientation', 'state', 'object_id', 'include'],
  },
  updateImages: { method: 'PATCH', path: '/v1/images', keyed: true, commas: [] },
  getImage: { method: 'GET', path: '/v1/images/{id}', keyed: false, commas: [] },
  updateImage: { method: 'PATCH', path: '/v1/images/{id}', keyed: false, commas: [] },
  trashImage: { method: 'DELETE', path: '/v1/images/{id}', keyed: false, commas: [] },
  restoreImage: { method: 'POST', path: '/v1/images/{id}/restore', keyed: true, commas: [] },
  getRendition: {
    method: 'GET',
    path: '/v1/images/{id}/renditions/{name}',
    keyed: false,
    commas: [],
  },
  listImageCollections: {
    method: 'GET',
    path: '/v1/images/{id}/collections',
    keyed: false,
    commas: ['include'],
  },
  listCollections: {
    method: 'GET',
    path: '/v1/collections',
    keyed: false,
    commas: ['include', 'kind', 'state'],
  },
  createCollection: { method: 'POST', path: '/v1/collections', keyed: true, commas: [] },
  getCollection: { method: 'GET', path: '/v1/collections/{id}', keyed: false, commas: [] },
  updateCollection: { method: 'PATCH', path: '/v1/collections/{id}', keyed: false, commas: [] },
  trashCollection: { method: 'DELETE', path: '/v1/collections/{id}', keyed: false, commas: [] },
  restoreCollection: {
    method: 'POST',
    path: '/v1/collections/{id}/restore',
    keyed: true,
    commas: [],
  },
  listCollectionMembers: {
    method: 'GET',
    path: '/v1/collections/{id}/members',
    keyed: false,
    commas: ['include'],
  },
  addCollectionMember: {
    method: 'POST',
    path: '/v1/collections/{id}/members',
    keyed: true,
    commas: [],
  },
  changeCollectionMembers: {
    method: 'POST',
    path: '/v1/collections/{id}/members/batch',
    keyed: true,
    commas: [],
  },
  moveCollectionMember: {
    method: 'PATCH',
    path: '/v1/collections/{id}/members/{type}/{rid}',
    keyed: false,
    commas: [],
  },
  removeCollectionMember: {
    method: 'DELETE',
    path: '/v1/collections/{id}/members/{type}/{rid}',
    keyed: false,
    commas: [],
  },
  createJob: { method: 'POST', path: '/v1/documents/jobs', keyed: true, commas: [] },
  listJobs: {
    method: 'GET',
    path: '/v1/documents/jobs',
    keyed: false,
    commas: ['include', 'state', 'op'],
  },
  createJobs: { method: 'POST', path: '/v1/documents/jobs/batch', keyed: true, commas: [] },
  startOcr: { method: 'POST', path: '/v1/documents/ocr', keyed: true, commas: [] },
  startRedaction: { method: 'POST', path: '/v1/documents/redact', keyed: true, commas: [] },
  startClassification: { method: 'POST', path: '/v1/documents/classify', keyed: true, commas: [] },
  getJob: { method: 'GET', path: '/v1/documents/jobs/{id}', keyed: false, commas: [] },
  listJobPages: {
    method: 'GET',
    path: '/v1/documents/jobs/{id}/pages',
    keyed: false,
    commas: ['include', 'state', 'op'],
  },
  getJobPageStates: {
    method: 'GET',
    path: '/v1/documents/jobs/{id}/page-states',
    keyed: false,
    commas: [],
  },
  cancelJob: { method: 'POST', path: '/v1/documents/jobs/{id}/cancel', keyed: true, commas: [] },
  retryJob: { method: 'POST', path: '/v1/documents/jobs/{id}/retry', keyed: true, commas: [] },
  listPolicies: {
    method: 'GET',
    path: '/v1/dam/security/policies',
    keyed: false,
    commas: ['include'],
  },
  createPolicy: { method: 'POST', path: '/v1/dam/security/policies', keyed: true, commas: [] },
  evaluatePolicies: {
    method: 'POST',
    path: '/v1/dam/security/policies/evaluate',
    keyed: false,
    commas: [],
  },
  getDraftImpact: {
    method: 'POST',
    path: '/v1/dam/security/policies/impact',
    keyed: true,
    commas: [],
  },
  getPolicy: { method: 'GET', path: '/v1/dam/security/policies/{id}', keyed: false, commas: [] },
  updatePolicy: {
    method: 'PATCH',
    path: '/v1/dam/security/policies/{id}',
    keyed: false,
    commas: [],
  },
  deletePolicy: {
    method: 'DELETE',
    path: '/v1/dam/security/policies/{id}',
    keyed: false,
    commas: [],
  },
  getPolicyImpact: {
    method: 'POST',
    path: '/v1/dam/security/policies/{id}/impact',
    keyed: true,
    commas: [],
  },
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    keyed: false,
    commas: [
      'include',
      'type',
      'resource_id',
      'resource_type',
      'actor_type',
      'actor_id',
      'address',
      'request_id',
    ],
  },
  getEvent: { method: 'GET', path: '/v1/events/{id}', keyed: false, commas: [] },
  listEventDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/deliveries',
    keyed: false,
    commas: ['include'],
  },
  acknowledgeEvents: { method: 'POST', path: '/v1/events/ack', keyed: true, commas: [] },
  streamEvents: {
    method: 'GET',
    path: '/v1/events/stream',
    keyed: false,
    commas: [
      'type',
      'resource_id',
      'resource_type',
      'actor_type',
      'actor_id',
      'address',
      'request_id',
    ],
  },
  listEventTypes: { method: 'GET', path: '/v1/event-types', keyed: false, commas: [] },
  listConsumers: { method: 'GET', path: '/v1/events/consumers', keyed: false, commas: ['include'] },
  createConsumer: { method: 'POST', path: '/v1/events/consumers', keyed: true, commas: [] },
  getConsumer: { method: 'GET', path: '/v1/events/consumers/{id}', keyed: false, commas: [] },
  deleteConsumer: { method: 'DELETE', path: '/v1/events/consumers/{id}', keyed: false, commas: [] },
  readConsumerEvents: {
    method: 'GET',
    path: '/v1/events/consumers/{id}/events',
    keyed: false,
    commas: [],
  },
  commitConsumer: {
    method: 'POST',
    path: '/v1/events/consumers/{id}/commit',
    keyed: true,
    commas: [],
  },
  seekConsumer: { method: 'POST', path: '/v1/events/consumers/{id}/seek', keyed: true, commas: [] },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', keyed: false, commas: ['include'] },
  createWebhook: { method: 'POST', path: '/v1/webhooks', keyed: true, commas: [] },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{id}', keyed: false, commas: [] },
  updateWebhook: { method: 'PATCH', path: '/v1/webhooks/{id}', keyed: false, commas: [] },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', keyed: false, commas: [] },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate-secret',
    keyed: true,
    commas: [],
  },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{id}/test', keyed: false, commas: [] },
  pauseWebhook: { method: 'POST', path: '/v1/webhooks/{id}/pause', keyed: true, commas: [] },
  enableWebhook: { method: 'POST', path: '/v1/webhooks/{id}/enable', keyed: true, commas: [] },
  disableWebhook: { method: 'POST', path: '/v1/webhooks/{id}/disable', keyed: true, commas: [] },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    keyed: false,
    commas: ['include', 'state', 'event_type'],
  },
  getDelivery: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
    keyed: false,
    commas: [],
  },
  redeliver: {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    keyed: true,
    commas: [],
  },
  replayWebhook: { method: 'POST', path: '/v1/webhooks/{id}/replay', keyed: true, commas: [] },
  listReplays: {
    method: 'GET',
    path: '/v1/webhooks/{id}/replays',
    keyed: false,
    commas: ['include'],
  },
  getReplay: {
    method: 'GET',
    path: '/v1/webhooks/{id}/replays/{replay_id}',
    keyed: false,
    commas: [],
  },
  cancelReplay: {
    method: 'POST',
    path: '/v1/webhooks/{id}/replays/{replay_id}/cancel',
    keyed: true,
    commas: [],
  },
  cancelDeliveries: {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/cancel',
    keyed: true,
    commas: [],
  },
};

/** What the `data` of an event holds, by its type. */

export interface EventData {
  /** An object was stored. */
  'dam.object.created': {
    filename: string;
    mime: string;
    bytes: number;
    sha256: string;
    derived_from: string | null;
  };
  /** An object can be read and worked on. */
  'dam.object.available': {
    filename: string;
    mime: string;
    bytes: number;
    sha256: string;
    derived_from: string | null;
  };
  /** Fields of an object changed. */
  'dam.object.updated': {
    changed: string[];
  };
  /** An object went to the trash. */
  'dam.object.trashed': Record<string, never>;
  /** An object came back from the trash. */
  'dam.object.restored': Record<string, never>;
  /** An object and its bytes are gone; what was derived from it stays. */
  'dam.object.purged': {
    outputs: string[];
  };
  /** A policy refused an upload once a worker had looked at it. */
  'dam.object.rejected': {
    policy_id: string;
    rule_type: string;
  };
  /** What a policy has to know of an upload could not be found out. */
  'dam.object.failed': {
    error: {
      code: string;
      message: string;
      retryable: boolean;
    };
  };
  /** The trash was emptied: what was purged at once, what a policy keeps, and what is purged in the background. */
  'dam.trash.emptied': {
    purged: number;
    held: number;
    remaining: number;
  };
  /** An image joined the library. */
  'dam.image.created': {
    object_id: string;
    filename: string;
    mime: string;
  };
  /** Fields of an image changed, by somebody or by the worker that looked at it. */
  'dam.image.updated': {
    changed: string[];
  };
  /** Tags of an image changed. */
  'dam.image.tags_changed': {
    added: string[];
    removed: string[];
  };
  /** An image went to the trash. */
  'dam.image.trashed': Record<string, never>;
  /** An image came back from the trash. */
  'dam.image.restored': Record<string, never>;
  /** An image and its renditions are gone. */
  'dam.image.purged': Record<string, never>;
  /** A collection was made. */
  'dam.collection.created': {
    name: string;
    kind: 'manual' | 'smart';
    parent_id: string | null;
  };
  /** Fields of a collection changed. */
  'dam.collection.updated': {
    changed: string[];
  };
  /** A collection went to the trash; what it held is untouched. */
  'dam.collection.trashed': Record<string, never>;
  /** A collection came back from the trash. */
  'dam.collection.restored': Record<string, never>;
  /** A collection is gone. */
  'dam.collection.purged': Record<string, never>;
  /** A collection holds one more resource. */
  'dam.collection_member.added': {
    resource_type: 'image' | 'object';
    resource_id: string;
  };
  /** A collection no longer holds a resource. */
  'dam.collection_member.removed': {
    resource_type: 'image' | 'object';
    resource_id: string;
    reason: 'removed' | 'purged';
  };
  /** A member of a collection has another place. */
  'dam.collection_member.reordered': {
    resource_type: 'image' | 'object';
    resource_id: string;
  };
  /** A policy was made. */
  'dam.policy.created': {
    name: string;
    mode: 'enforce' | 'audit' | 'disabled';
  };
  /** Fields of a policy changed. */
  'dam.policy.updated': {
    changed: string[];
  };
  /** A policy was removed. */
  'dam.policy.deleted': {
    name: string;
    mode: 'enforce' | 'audit' | 'disabled';
  };
  /** An enforced policy refused something: one event each time, for each rule. Refused uploads are told by `filename` and `sha256`, where those were known. */
  'dam.policy.denied': {
    action: string;
    rule_type: string;
    resource_id: string | null;
    filename?: string | null | undefined;
    sha256?: string | null | undefined;
  };
  /** A policy in audit mode would have refused something; at most once per key, rule and minute. */
  'dam.policy.denial_observed': {
    action: string;
    rule_type: string;
    resource_id: string | null;
    filename?: string | null | undefined;
    sha256?: string | null | undefined;
  };
  /** A document job was accepted. */
  'documents.job.created': {
    source_object_id: string;
    operations: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[];
    retry_of: string | null;
  };
  /** The first worker opened the source. */
  'documents.job.started': {
    source_object_id: string;
    operations: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[];
    retry_of: string | null;
  };
  /** The whole percent of a job changed: at most a hundred a job. */
  'documents.job.progressed': {
    percent: number;
    pages_total: number;
    pages_completed: number;
    pages_failed: number;
  };
  /** One operation of a job ended. */
  'documents.job.operation_finished': {
    index: number;
    op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
    state: string;
    pages_total: number;
    pages_succeeded: number;
    pages_failed: number;
    pages_skipped: number;
  };
  /** Somebody asked a job to stop. */
  'documents.job.cancel_requested': Record<string, never>;
  /** A job stopped as asked. */
  'documents.job.cancelled': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    pages_total: number;
    pages_completed: number;
    pages_failed: number;
    outputs: {
      object_id: string;
      kind: string;
    }[];
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** Every page of a job is done. */
  'documents.job.succeeded': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    pages_total: number;
    pages_completed: number;
    pages_failed: number;
    outputs: {
      object_id: string;
      kind: string;
    }[];
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** A job ended; some pages failed, the rest is done. */
  'documents.job.partially_succeeded': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    pages_total: number;
    pages_completed: number;
    pages_failed: number;
    outputs: {
      object_id: string;
      kind: string;
    }[];
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** A job ended without a result. */
  'documents.job.failed': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    pages_total: number;
    pages_completed: number;
    pages_failed: number;
    outputs: {
      object_id: string;
      kind: string;
    }[];
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** A new job was made to try this one again. */
  'documents.job.retried': {
    new_job_id: string;
    scope: 'failed_pages' | 'all';
  };
  /** A page could not be done; the job goes on without it. */
  'documents.job_page.failed': {
    page: number;
    operation_index: number;
    op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
    error: {
      code: string;
      message: string;
      retryable: boolean;
    };
  };
  /** An endpoint was added. */
  'webhooks.endpoint.created': {
    event_types: string[];
    state: string;
  };
  /** Fields of an endpoint changed. */
  'webhooks.endpoint.updated': {
    changed: string[];
  };
  /** An endpoint was removed. */
  'webhooks.endpoint.deleted': Record<string, never>;
  /** An endpoint keeps what it is owed for later. */
  'webhooks.endpoint.paused': Record<string, never>;
  /** An endpoint gets its events again. */
  'webhooks.endpoint.enabled': Record<string, never>;
  /** An endpoint gets nothing more until it is enabled. */
  'webhooks.endpoint.disabled': {
    reason: string;
  };
  /** An endpoint signs with a new secret; the old ones sign beside it for a while. */
  'webhooks.endpoint.secret_rotated': {
    overlap_seconds: number;
  };
  /** Somebody had an example sent to an endpoint; it is no delivery. */
  'webhooks.endpoint.tested': {
    outcome: 'succeeded' | 'failed';
    status: number | null;
  };
  /** Somebody had events sent again. */
  'webhooks.replay.started': {
    webhook_id: string;
    matched: number;
  };
  /** Everything that a replay sent again has ended, or it was cancelled. */
  'webhooks.replay.completed': {
    webhook_id: string;
    matched: number;
    state: 'completed' | 'cancelled';
    succeeded: number;
  };
  /** The last scheduled attempt at a delivery failed. */
  'webhooks.delivery.exhausted': {
    event_id: string;
    webhook_id: string;
    attempts: number;
  };
  /** A key was issued. */
  'access.api_key.created': {
    name: string;
    prefix: string;
    scopes: string[];
  };
  /** A key was replaced by a new one. */
  'access.api_key.rolled': {
    new_key_id: string;
    overlap_seconds: number;
    ends_at?: string | undefined;
  };
  /** Fields of a key changed. */
  'access.api_key.updated': {
    changed: string[];
  };
  /** A key stopped working. */
  'access.api_key.revoked': Record<string, never>;
  /** A key was refused something; at most once per key, code and minute. */
  'access.request.denied': {
    code: string;
    operation: string;
  };
  /** A video job of the neighbouring service is done. */
  'media.vod_job.succeeded': {
    profile: string;
    progress: number;
    error?:
      | {
          code: string;
          message: string;
          retryable: boolean;
        }
      | undefined;
  };
  /** A video job of the neighbouring service went on. */
  'media.vod_job.progressed': {
    profile: string;
    progress: number;
    error?:
      | {
          code: string;
          message: string;
          retryable: boolean;
        }
      | undefined;
  };
  /** A video job of the neighbouring service failed. */
  'media.vod_job.failed': {
    profile: string;
    progress: number;
    error?:
      | {
          code: string;
          message: string;
          retryable: boolean;
        }
      | undefined;
  };
}
