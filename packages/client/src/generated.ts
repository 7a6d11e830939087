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
  pack_documents: number;
  packs_in_progress: number;
  members_per_collection: number;
  collection_nesting: number;
  smart_collections_per_project: number;
  policies_per_project: number;
  rules_per_policy: number;
  archive_objects: number;
  archive_bytes: number;
  signed_url_min_seconds: number;
  signed_url_max_seconds: number;
  shares_per_project: number;
  share_max_days: number;
  share_title_characters: number;
  share_message_characters: number;
  share_password_min_characters: number;
  share_password_max_characters: number;
  share_accept_patterns: number;
  share_visit_hours: number;
  share_download_minutes: number;
  share_requests_per_minute: number;
  share_archives_per_minute: number;
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
  usage_days: number;
  page_image_width: number;
  page_image_retention_days: number;
  page_images_in_progress: number;
  page_results_retention_days: number;
  presets_per_project: number;
  review_claim_minutes: number;
  review_expiry_max_seconds: number;
  review_findings: number;
  review_findings_per_request: number;
  review_places: number;
  review_retention_days: number;
  trash_days: number;
  idempotency_hours: number;
  wait_seconds_max: number;
  read_requests_per_minute: number;
  write_requests_per_minute: number;
  failed_authentications_per_minute: number;
  members_per_project: number;
  open_invitations_per_project: number;
  invitation_days: number;
  sign_ins_per_minute: number;
  portal_session_hours: number;
  portal_session_idle_hours: number;
  portal_sessions_per_key: number;
}

export interface UsageDay {
  /** In UTC, such as `2026-11-27`. */
  day: string;
  storage_bytes: number | null;
  /** The requests of the day with a key, in the portal, or through a shared link. They are added within 10 seconds. */
  requests: {
    /** Requests with a status below 400. */
    succeeded: number;
    /** Requests with a status of 400 or more. */
    failed: number;
  };
}

export interface Usage {
  /** Bytes of all objects, including the trash, of pictures of pages while they are kept, and of uploads in progress at their full length. */
  storage_bytes: {
    used: number;
    quota: number;
  };
  /** Objects, including the trash, and uploads in progress. */
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
  /** Collections, including the trash. */
  collections: {
    used: number;
    quota: number;
  };
  /** Jobs that are queued, running or cancelling. */
  jobs_in_flight: {
    used: number;
    quota: number;
  };
  /** The last days, oldest first. Only with `days`. */
  days?: UsageDay[] | undefined;
}

export interface RedactionProfile {
  profile: string;
  description: string;
  /** The rules that the choice of types follows. */
  source: string;
  entities: string[];
  /** The types that are removed only in part. */
  narrowed: {
    entity: string;
    description: string;
  }[];
}

export interface PresetOperation {
  op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
  options: Record<string, unknown>;
}

export interface Capabilities {
  operations: {
    op: string;
    maturity: 'stable' | 'expanding';
    summary: string;
    /** The JSON Schema of the options, with defaults. */
    options: Record<string, unknown>;
    outputs: string[];
    sources: string[];
    labels:
      | {
          label: string;
          description: string;
        }[]
      | null;
    profiles: RedactionProfile[] | null;
    entities:
      | {
          entity: string;
          description: string;
        }[]
      | null;
  }[];
  /** Features for documents beyond single operations. */
  features: {
    feature: string;
    maturity: 'stable' | 'expanding';
    summary: string;
  }[];
  /** Lists of operations to start with. Those of the project are in `GET /v1/documents/presets`. */
  presets: {
    name: string;
    description: string;
    operations: PresetOperation[];
  }[];
  ocr_languages: string[] | null;
}

export interface Actor {
  type: string;
  id: string | null;
  /** The name of a person or the title of a share at that time; null for all other actors. */
  name: string | null;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the secret, to identify the key. */
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
    | 'shares:read'
    | 'shares:write'
    | 'documents:read'
    | 'documents:write'
    | 'documents:review'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'policies:read'
    | 'policies:write'
    | 'keys:read'
    | 'keys:write'
    | 'members:read'
    | 'members:write'
    | 'events:read'
    | 'events:ack'
    | 'pii:read'
    | 'audit:read'
    | '*'
  )[];
  /** IP address ranges from which the key may be used. Empty: any address. */
  allowed_cidrs: string[];
  state: 'active' | 'revoked' | 'expired';
  expires_at: string | null;
  /** When the key was or will be revoked. A rolled key works until then. */
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: Actor;
  created_at: string;
  version: number;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the secret, to identify the key. */
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
    | 'shares:read'
    | 'shares:write'
    | 'documents:read'
    | 'documents:write'
    | 'documents:review'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'policies:read'
    | 'policies:write'
    | 'keys:read'
    | 'keys:write'
    | 'members:read'
    | 'members:write'
    | 'events:read'
    | 'events:ack'
    | 'pii:read'
    | 'audit:read'
    | '*'
  )[];
  /** IP address ranges from which the key may be used. Empty: any address. */
  allowed_cidrs: string[];
  state: 'active' | 'revoked' | 'expired';
  expires_at: string | null;
  /** When the key was or will be revoked. A rolled key works until then. */
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: Actor;
  created_at: string;
  version: number;
  /** The secret. It is shown only once. */
  api_key: string;
}

export interface RolledApiKey {
  id: string;
  name: string;
  /** The first characters of the secret, to identify the key. */
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
    | 'shares:read'
    | 'shares:write'
    | 'documents:read'
    | 'documents:write'
    | 'documents:review'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'policies:read'
    | 'policies:write'
    | 'keys:read'
    | 'keys:write'
    | 'members:read'
    | 'members:write'
    | 'events:read'
    | 'events:ack'
    | 'pii:read'
    | 'audit:read'
    | '*'
  )[];
  /** IP address ranges from which the key may be used. Empty: any address. */
  allowed_cidrs: string[];
  state: 'active' | 'revoked' | 'expired';
  expires_at: string | null;
  /** When the key was or will be revoked. A rolled key works until then. */
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: Actor;
  created_at: string;
  version: number;
  /** The secret. It is shown only once. */
  api_key: string;
  /** The rolled key, and when it stops working. */
  replaces: {
    id: string;
    ends_at: string;
  };
}

export interface Member {
  id: string;
  project_id: string;
  user_id: string;
  /** `invited` until the person has accepted a membership that was made for them. Until then nothing of them is shown but what the project has given. */
  state: 'invited' | 'active';
  /** As given when the person was added; otherwise null. */
  issuer: string | null;
  subject: string | null;
  /** As the identity provider gave it at the last sign-in. While `invited`, as given by the project. */
  name: string | null;
  email: string | null;
  role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
  /** The scopes of the role. */
  scopes: string[];
  /** How the person became a member. The role of a member from `groups` is set by the identity provider at each sign-in. */
  source: 'added' | 'invitation' | 'groups';
  created_at: string;
  updated_at: string;
  version: number;
}

export interface Invitation {
  id: string;
  project_id: string;
  /** For whom it is, as given. */
  name: string | null;
  role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
  /** The scopes of the role. */
  scopes: string[];
  state: 'open' | 'accepted' | 'revoked' | 'expired';
  created_by: Actor;
  accepted_by: string | null;
  accepted_at: string | null;
  revoked_at: string | null;
  expires_at: string;
  created_at: string;
  version: number;
}

export interface NewInvitation {
  id: string;
  project_id: string;
  /** For whom it is, as given. */
  name: string | null;
  role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
  /** The scopes of the role. */
  scopes: string[];
  state: 'open' | 'accepted' | 'revoked' | 'expired';
  created_by: Actor;
  accepted_by: string | null;
  accepted_at: string | null;
  revoked_at: string | null;
  expires_at: string;
  created_at: string;
  version: number;
  /** The link to send. It works once, for 7 days, and is shown only here. */
  url: string;
}

export interface ListedObject {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  filename: string;
  /** The media type detected from the bytes, whatever the client declared. */
  mime: string;
  bytes: number;
  sha256: string;
  pages: number | null;
  /** The labels of the latest `classify`, most likely first. Policies use the first, and any other with a score of at least 0.2. */
  labels: {
    label: string;
    score: number;
  }[];
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
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
  /** With `include=derived_count`: how many objects outside the trash are derived from it. */
  derived_count?: number | undefined;
}

/** Exact counts of all matches, most frequent first. A facet ignores its own filter: with `mime=application/pdf`, the `mime` facet still counts other types. */
export interface ObjectFacets {
  tag: {
    value: string;
    count: number;
  }[];
  mime: {
    value: string;
    count: number;
  }[];
}

export interface MonthCount {
  /** In UTC, such as `2026-11`. */
  month: string;
  count: number;
}

/** With `include=stops`: cursors to places far down the list, in its order, without the pages between. Use them as `next_cursor`. */
export interface Stops {
  /** How many matches there are from one stop to the next: 200, or a multiple of it. */
  every: number;
  /** The first starts the page after `every` matches, the second after twice as many. A cursor at the end of the list starts an empty page. */
  cursors: string[];
}

export interface Upload {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  filename: string;
  /** The media type detected from the bytes, whatever the client declared. */
  mime: string;
  bytes: number;
  sha256: string;
  pages: number | null;
  /** The labels of the latest `classify`, most likely first. Policies use the first, and any other with a score of at least 0.2. */
  labels: {
    label: string;
    score: number;
  }[];
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
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
  /** Whether an available object with the same bytes and filename already existed. */
  deduplicated: boolean;
  /** `tags_ignored`: the object already existed, and the tags and metadata of the request were not merged into it. */
  warnings: 'tags_ignored'[];
}

export interface Object {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  filename: string;
  /** The media type detected from the bytes, whatever the client declared. */
  mime: string;
  bytes: number;
  sha256: string;
  pages: number | null;
  /** The labels of the latest `classify`, most likely first. Policies use the first, and any other with a score of at least 0.2. */
  labels: {
    label: string;
    score: number;
  }[];
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
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

export interface PageTextWord {
  text: string;
  /** Left, top, right and bottom sides in points of the page as displayed. */
  box: number[];
  /** The index of its line on the page. */
  line: number;
}

export interface PageText {
  page: number;
  /** The width of the page in points, as displayed. */
  width: number;
  /** The height of the page in points, as displayed. */
  height: number;
  source: 'file' | 'ocr' | null;
  /** In reading order. */
  words: PageTextWord[];
}

export interface SignedUrl {
  /** Treat it as a secret. Absolute if the service knows its public address, from its configuration or the Host header; otherwise a path. */
  url: string;
  expires_at: string;
  /** The lifetime of the URL in seconds. */
  ttl_seconds: number;
  /** `ttl_shortened`: a policy allows a shorter lifetime than requested, or the API key expires earlier. */
  warnings: 'ttl_shortened'[];
}

export interface Downloader {
  type: 'api_key' | 'user' | 'share';
  id: string;
  name: string | null;
}

export interface Download {
  actor: Downloader;
  object_id: string;
  /** The delivered file: the object, or its redaction. */
  delivered_object_id: string;
  /** `variant` is the file without the metadata that a policy removes. `rendition` and `page_image` are pictures that are at least 1,280 pixels wide. */
  content: 'original' | 'variant' | 'redaction' | 'rendition' | 'page_image';
  /** `signed_url` names the key or person that created the URL as the actor. */
  via: 'direct' | 'signed_url' | 'archive' | 'share';
  /** The number of requests. A client that reads a file in ranges sends several. */
  count: number;
  first_at: string;
  last_at: string;
}

export interface DownloadList {
  data: Download[];
  has_more: boolean;
  next_cursor: string | null;
  total: number | null;
  /** Downloads since this time are in the list: since the object was created, or since recording began, and for as long as events are kept. */
  recorded_since: string;
}

export interface Failure {
  code: string;
  message: string;
  retryable: boolean;
}

export interface Operation {
  index: number;
  op: 'ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify';
  /** Without the `pii:read` scope, every `pattern` in `custom_patterns` is null, and `allow_list` is null with its length in `allow_list_count`. */
  options: Record<string, unknown>;
  implicit: boolean;
  state:
    | 'pending'
    | 'running'
    | 'awaiting_review'
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
    | 'awaiting_review'
    | 'cancelling'
    | 'succeeded'
    | 'partially_succeeded'
    | 'failed'
    | 'cancelled';
  source_object_id: string;
  pages: string | null;
  operations: Operation[];
  progress: {
    /** Never decreases. Stays at 99 while the last outputs are assembled and, with `redact_pii`, verified. */
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
  /** Your own data, up to 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  version: number;
}

export interface ImageFilters {
  /** Full-text search. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix. The title ranks highest, then tags, description and alternative text, filename. */
  q?: string | undefined;
  /** Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash. */
  tag?: string[] | undefined;
  /** Only images without tags, or only images with tags. */
  untagged?: boolean | undefined;
  /** Any of these media types. */
  mime?:
    | (
        | 'image/jpeg'
        | 'image/png'
        | 'image/webp'
        | 'image/avif'
        | 'image/heic'
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
  /** Only images taken in this part of the world: `west,south,east,north` in degrees (WGS 84). West may be greater than east, across the 180th meridian. */
  bbox?: string | undefined;
  collection_id?: string | undefined;
  /** Default: all states except `trashed`. */
  state?: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed' | undefined;
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

export interface ListedCollection {
  id: string;
  project_id: string;
  state: 'available' | 'trashed';
  name: string;
  description: string | null;
  kind: 'manual' | 'smart';
  query: ImageFilters | null;
  parent_id: string | null;
  /** The collections from the root down to this one. */
  path: {
    id: string;
    name: string;
  }[];
  cover: string | null;
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  member_count: number | null;
  created_at: string;
  updated_at: string;
  version: number;
  /** With `include=covers`: what to show as the cover. `cover` alone, if it is set; otherwise up to four of the first members that are images with a `thumb` rendition, or PDFs with pages. For a smart collection without `cover`, up to four of its newest images with a `thumb` rendition, among the newest 2,000 of the project. Members in the trash are left out. */
  covers?: MemberRef[] | undefined;
}

export interface TrashEmptied {
  /** Objects that were purged. */
  purged: number;
  /** Objects that a policy keeps in the trash. */
  held: number;
  /** Objects that are processed in the background: purged, or kept by a policy. */
  remaining: number;
}

export interface ResumableUpload {
  id: string;
  project_id: string;
  state: 'uploading' | 'completed' | 'rejected' | 'expired';
  /** How many bytes are durably stored. Equals `bytes` once the upload is completed. */
  offset: number;
  /** The total size of the upload. */
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
  /** A path of this API. Requires the same two headers. */
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
  /** Whether the image is still being processed. Until then the properties read from it are null. */
  processing: boolean;
  error: Failure | null;
  object_id: string;
  title: string | null;
  description: string | null;
  alt_text: string | null;
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
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
  /** With `include=highlights`: the fields that match `q`, with their text in pieces. `tags` is split tag by tag. */
  highlights?:
    | Record<
        string,
        {
          text: string;
          match: boolean;
        }[]
      >
    | undefined;
  /** With `include=collections`: the manual collections that contain the image. */
  collections?:
    | {
        id: string;
        name: string;
      }[]
    | undefined;
}

/** Exact counts of all matches, most frequent first. A facet ignores its own filter: with `mime=image/png`, the `mime` facet still counts other types. */
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

export interface Fault {
  /** The place in the body, as a JSON pointer (RFC 6901). */
  pointer?: string | undefined;
  /** The query parameter. */
  parameter?: string | undefined;
  /** The header. */
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
  /** One result per image, in the order of the request, or by `id` for a filter. */
  results: ImageEditResult[];
}

export interface ImagePlace {
  /** The mean of its images. */
  latitude: number;
  /** The mean of its images. */
  longitude: number;
  /** West, south, east and north of its images, as the filter `bbox` takes them. */
  bbox: number[];
  count: number;
  image_id: string;
}

export interface ImagePlaces {
  /** Those with most images first; the first 1,000. */
  places: ImagePlace[];
  /** The images with a place, in all cells. */
  total: number;
}

export interface Image {
  id: string;
  project_id: string;
  state: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';
  /** Whether the image is still being processed. Until then the properties read from it are null. */
  processing: boolean;
  error: Failure | null;
  object_id: string;
  title: string | null;
  description: string | null;
  alt_text: string | null;
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
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

export interface Collection {
  id: string;
  project_id: string;
  state: 'available' | 'trashed';
  name: string;
  description: string | null;
  kind: 'manual' | 'smart';
  query: ImageFilters | null;
  parent_id: string | null;
  /** The collections from the root down to this one. */
  path: {
    id: string;
    name: string;
  }[];
  cover: string | null;
  tags: string[];
  /** Your own data, up to 16 KiB as JSON. */
  metadata: Record<string, unknown>;
  member_count: number | null;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface ListedCollectionMember {
  resource_type: 'image' | 'object';
  resource_id: string;
  position: string | null;
  added_at: string | null;
  /** The image or object, with `include=resource`. */
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
  /** The index in the list of this action. */
  index: number;
  resource_type: 'image' | 'object';
  resource_id: string;
  outcome: 'added' | 'already_member' | 'removed' | 'failed';
  problem: Problem | null;
}

export interface Share {
  id: string;
  project_id: string;
  kind: 'view' | 'upload';
  /** `used_up`: a limit was reached. An `active` link does not work either while its target is in the trash, or once its creator has lost access. */
  state: 'active' | 'expired' | 'used_up' | 'revoked';
  object_id: string | null;
  collection_id: string | null;
  /** The link. Treat it as a secret. Null for a caller that lacks a scope that the link grants to its visitors. */
  url: string | null;
  /** Shown to visitors. Without it, they see the name of the target. */
  title: string | null;
  /** Shown to visitors as plain text. */
  message: string | null;
  /** When the link stops working. Null: never. At most 3650 days ahead. */
  expires_at: string | null;
  /** `view` only: whether visitors can download files, or only see previews. */
  allow_download: boolean;
  /** `view` only: how many visits the link allows. A visit lasts some hours. */
  max_views: number | null;
  /** `view` only: how many downloads of files or archives the link allows. */
  max_downloads: number | null;
  /** `upload` only: the media types that are accepted, such as `image/*`, compared with the type detected from the bytes. Empty: all. */
  accept: string[];
  /** `upload` only: the maximum size of a file. Null: 104857600 bytes. */
  max_bytes: number | null;
  /** `upload` only: how many files can be uploaded in total. */
  max_files: number | null;
  has_password: boolean;
  /** Visits. */
  views: number;
  /** Downloads of files and archives. Resumed ones count once. */
  downloads: number;
  /** Uploaded files. */
  uploads: number;
  last_used_at: string | null;
  created_by: Actor;
  revoked_at: string | null;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface JobBatchResult {
  source_object_id: string;
  job: Job | null;
  problem: Problem | null;
}

export interface JobBatchResults {
  created: number;
  failed: number;
  /** One result per object, in the order of the request. */
  results: JobBatchResult[];
}

export interface FoundEntity {
  /** The type of personal data, or `CUSTOM_` and the name of a custom pattern. */
  type: string;
  score: number;
  /** Only with the `pii:read` scope. */
  value?: string | undefined;
  /** Where the finding is: left, top, right, bottom in points of the displayed page. Empty for files without pages. An image without a plausible resolution (WebP never has one) counts as 11.69 inches long, within 72 to 600 dpi. */
  boxes: number[][];
}

export interface RecognisedWord {
  text: string;
  /** 1 for text that was already in the file. */
  confidence: number;
  /** Left, top, right, bottom in points of the displayed page. */
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
    /** Runs of consecutive pages in the same state, both ends included. */
    runs: {
      from: number;
      to: number;
      state: 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';
    }[];
  }[];
}

export interface RedactionCheck {
  name: string;
  passed: boolean;
  detail: string;
  pages: number[];
}

export interface ReviewSummary {
  by: Actor[];
  at: string;
  accepted: number;
  rejected: number;
  added: number;
}

export interface CertificateFacts {
  /** Of this format. */
  version: number;
  /** The findings that people rejected, and that are therefore still in the output, by detected type. Empty if no finding was rejected. */
  rejected_by_type: Record<string, number>;
  project_id: string;
  job_id: string;
  operation_index: number;
  state:
    | 'pending'
    | 'running'
    | 'awaiting_review'
    | 'succeeded'
    | 'partially_succeeded'
    | 'failed'
    | 'skipped'
    | 'cancelled';
  pages: string | null;
  source: {
    object_id: string;
    mime: string;
    bytes: number;
    /** SHA-256 of the bytes, in hexadecimal. */
    sha256: string;
  };
  outputs: {
    object_id: string;
    mime: string;
    bytes: number;
    /** SHA-256 of the bytes, in hexadecimal. */
    sha256: string;
    kind: string;
  }[];
  /** Without custom patterns and the allow list, which may name people. */
  options: Record<string, unknown>;
  /** The result of the operation. */
  result: {
    verified: boolean;
    entities_by_type: Record<string, number>;
    checks: RedactionCheck[];
  };
  reviewed: ReviewSummary | null;
  requested_by: {
    type: string;
    id: string | null;
  };
  /** Versions of the engines, and hashes of the weights that find names. */
  engines: Record<string, string>;
  started_at: string;
  finished_at: string;
}

export interface CertificateSignature {
  algorithm: 'Ed25519';
  /** The signature is over the UTF-8 of `certificate` as canonical JSON. */
  canonicalization: 'RFC 8785';
  key_id: string;
  /** 64 bytes in base64. */
  value: string;
}

export interface Certificate {
  certificate: CertificateFacts;
  signature: CertificateSignature;
}

export interface CertificateKey {
  id: string;
  algorithm: 'Ed25519';
  /** 32 bytes in base64. */
  public_key: string;
  created_at: string;
}

export interface Preset {
  id: string;
  project_id: string;
  name: string;
  description: string | null;
  /** With all options. Without the `pii:read` scope, every `pattern` in `custom_patterns` is null, and `allow_list` is null with its length in `allow_list_count`. */
  operations: PresetOperation[];
  created_by: Actor;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface ReviewCounts {
  /** Findings of the detector without a decision. */
  pending: number;
  /** Findings of the detector that were accepted. */
  accepted: number;
  /** Findings of the detector that were rejected. */
  rejected: number;
  /** Findings that people added. */
  added: number;
}

export interface Review {
  id: string;
  project_id: string;
  job_id: string;
  operation_index: number;
  op: 'redact_pii' | 'classify';
  source_object_id: string;
  state: 'open' | 'submitted' | 'rejected' | 'cancelled' | 'expired';
  reviewers: 'anyone' | 'not_requester';
  counts: ReviewCounts;
  /** The number of pages that were searched. */
  pages: number;
  located_by: 'boxes' | 'ranges' | null;
  claimed_by: Actor | null;
  claimed_until: string | null;
  requested_by: Actor;
  /** Everyone who decided, in order. */
  decided_by: Actor[];
  label: string | null;
  reason: string | null;
  expires_at: string;
  created_at: string;
  submitted_at: string | null;
  ended_at: string | null;
  version: number;
}

export interface ReviewStatsOfType {
  op: 'redact_pii' | 'classify';
  type: string;
  /** Findings of the detector that people decided. */
  findings: number;
  /** Of these, accepted. */
  accepted: number;
  /** Of these, rejected. */
  rejected: number;
  /** Findings that people added with this type. */
  added: number;
  precision: number | null;
  recall: number | null;
  /** By tenth of the score, from 0 to 0.9. Empty tenths are left out. */
  tenths: {
    min_score: number;
    /** Findings whose score is in the tenth that starts here. */
    findings: number;
    accepted: number;
    rejected: number;
    precision: number | null;
  }[];
  /** The outcome without a review if only findings with at least this score were removed. */
  thresholds: {
    min_score: number;
    /** Findings at or above this score that people rejected. */
    wrong: number;
    /** Accepted findings below this score, and added ones. */
    missed: number;
    error_rate: number | null;
  }[];
  suggested_min_score: number | null;
}

export interface ReviewStats {
  /** Submitted reviews in the period. */
  reviews: number;
  types: ReviewStatsOfType[];
}

export interface ReviewPage {
  /** In a workbook a sheet; in other files without pages, all of it is page 1. 0 for text that no reader sees, such as link targets. */
  page: number;
  width: number | null;
  height: number | null;
  text: {
    /** `lines`: running text. `table`: a row per line, cells apart by tabs. `sheet`: the same, with the number of the row as the first cell. */
    layout: 'lines' | 'table' | 'sheet';
    /** Its length in UTF-16 units. */
    characters: number;
    /** The pieces in which `GET /v1/documents/reviews/{id}/text` returns it. */
    pieces: {
      /** Its first character in the text of the page. */
      start: number;
      /** The number of its line ends. */
      lines: number;
    }[];
  } | null;
  counts: ReviewCounts;
}

export interface ReviewText {
  page: number;
  /** Its number on the page, from 0. */
  piece: number;
  /** `lines`: running text. `table`: a row per line, cells apart by tabs. `sheet`: the same, with the number of the row as the first cell. */
  layout: 'lines' | 'table' | 'sheet';
  name: string | null;
  /** Its first character in the text of the page, in UTF-16 units. */
  start: number;
  /** The number of its first line. */
  line: number;
  /** The number of its line ends. */
  lines: number;
  /** Whole lines, as far as these are not too long. Line ends and tabs inside cells are U+2028 and spaces. */
  text: string;
  /** The parts of the page that contain it, and where each starts. */
  parts: {
    start: number;
    /** `hidden`: no reader sees it, such as link targets and names of sheets. */
    part: 'body' | 'header' | 'footer' | 'notes' | 'chart' | 'drawing' | 'hidden';
  }[];
}

export interface TextLocation {
  /** `hidden`: no reader sees it, such as link targets and names of sheets. */
  part: 'body' | 'header' | 'footer' | 'notes' | 'chart' | 'drawing' | 'hidden';
  /** The line in the text of the page. */
  line: number;
  cell: string | null;
}

export interface Finding {
  id: string;
  review_id: string;
  page: number | null;
  /** The type of personal data or, for `classify`, the label. */
  type: string;
  score: number | null;
  source: 'detector' | 'person';
  /** Where the words are: left, top, right, bottom in points of the displayed page. Empty for files without pages. */
  boxes: number[][];
  removal: number[][] | null;
  range: {
    start: number;
    /** The first character after it. */
    end: number;
  } | null;
  location: TextLocation | null;
  text: string | null;
  decision: 'pending' | 'accepted' | 'rejected';
  decided_by: Actor | null;
  reason: string | null;
  version: number;
}

export interface FindingsChanged {
  /** How many findings changed. */
  changed: number;
  review: Review;
}

export interface FindingsAdded {
  /** The findings that were added, and those that cover a place and are accepted now. */
  data: Finding[];
  review: Review;
}

export interface Pack {
  id: string;
  project_id: string;
  name: string;
  state:
    | 'queued'
    | 'running'
    | 'cancelling'
    | 'succeeded'
    | 'partially_succeeded'
    | 'failed'
    | 'cancelled';
  source: {
    collection_id: string | null;
    filter: Record<string, unknown> | null;
    object_count: number | null;
  };
  options: {
    /** Redact each document with this profile first, so that the pack has redacted text only. Null: no redaction. */
    redact: 'personal' | 'hipaa' | 'pci' | 'gdpr' | 'all' | null;
    /** With `redact`: whether a person decides about the findings in each document before it goes into the pack. */
    review: 'none' | 'required';
    /** The maximum number of tokens in a chunk. */
    chunk_tokens: number;
    /** How many tokens a chunk repeats from the end of the previous one. Must be less than `chunk_tokens`. */
    overlap_tokens: number;
    /** The contents: a Markdown file per document, one `chunks.jsonl`, the blocks of each document as JSON, and a picture of each page. */
    include: ('markdown' | 'chunks' | 'blocks' | 'pages')[];
    /** `continue` leaves out documents that fail or that a policy withholds, and names them in the manifest. `abort` fails the pack with the first of them. */
    on_error: 'continue' | 'abort';
  };
  refreshes: string | null;
  retry_of: string | null;
  progress: {
    /** Never decreases. */
    percent: number;
    documents_total: number;
    documents_completed: number;
    documents_failed: number;
    documents_withheld: number;
    /** Documents whose text an earlier job had already produced. */
    documents_reused: number;
    pages_total: number;
    pages_completed: number;
  };
  output: {
    object_id: string;
    mime: string;
    bytes: number;
    sha256: string;
  } | null;
  error: Failure | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  version: number;
}

export interface PackDocument {
  /** The number in the names of its files. */
  position: number;
  object_id: string;
  filename: string;
  sha256: string;
  mime: string;
  state: 'pending' | 'running' | 'succeeded' | 'withheld' | 'failed' | 'cancelled';
  job_id: string | null;
  reused: boolean;
  pages: number | null;
  chunks: number | null;
  tokens: number | null;
  redaction: {
    profile: string;
    verified: boolean;
    reviewed: boolean;
  } | null;
  error: Failure | null;
  finished_at: string | null;
}

export interface PackChange {
  /** A document has changed if its filename is the same and its content is not. */
  change: 'added' | 'changed' | 'removed';
  filename: string;
  object_id: string;
  sha256: string;
  before: {
    object_id: string;
    sha256: string;
  } | null;
}

/** The `id` of a chunk. */
export type chunk = string;

export interface Citation {
  id: chunk;
  object_id: string;
  /** The object whose pages show the text: the redaction, or `object_id`. */
  shown_object_id: string;
  /** Of the object that shows the text. */
  filename: string;
  sha256: string;
  headings: string[];
  /** The first and the last page. */
  pages: number[];
  boxes: {
    page: number;
    /** Left, top, right, bottom in points of the displayed page. */
    box: number[];
  }[];
  text: string;
  /** Empty for files without pages. */
  images: {
    page: number;
    object_id: string;
    /** The parameter `boxes` of the picture. */
    boxes: string;
    /** A picture of the page with the boxes marked. */
    url: string;
  }[];
}

export interface ProjectPolicyScope {
  type: 'project';
}

export interface TagPolicyScope {
  type: 'tag';
  /** Resources with one of these tags (case-sensitive), and what is derived from them. */
  tags: string[];
}

export interface CollectionPolicyScope {
  type: 'collection';
  /** Members of these collections or of collections nested in them, and what is derived from them. */
  ids: string[];
}

/** The resources that the policy covers. Collections must be manual; members of a trashed collection stay in scope. A resource that loses the tag or leaves the collection also leaves the scope: only `legal_hold` and `retention` continue to apply. Use the type `project` for rules that must not be evaded. */
export type PolicyScope = ProjectPolicyScope | TagPolicyScope | CollectionPolicyScope;

/** Allows only certain file types, detected from the bytes. */
export interface AllowedMimeTypesRule {
  type: 'allowed_mime_types';
  /** Only these types are allowed. */
  include?: string[] | undefined;
  /** These types are not allowed. */
  exclude?: string[] | undefined;
}

/** Limits the size of files. */
export interface MaxBytesRule {
  type: 'max_bytes';
  bytes: number;
}

/** Limits the pixels of images. Does not apply to other files. */
export interface MaxPixelsRule {
  type: 'max_pixels';
  pixels: number;
}

/** Limits the pages of documents. Does not apply to files without pages. */
export interface MaxPagesRule {
  type: 'max_pages';
  pages: number;
}

/** Allows downloads through signed URLs only. */
export interface RequireSignedUrlRule {
  type: 'require_signed_url';
  /** The longest lifetime of a signed URL, when it is created and when it is used. */
  max_ttl_seconds?: number | undefined;
}

/** Allows requests from these IP addresses only. */
export interface IpAllowRule {
  type: 'ip_allow';
  /** IP address ranges in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`. */
  cidrs: string[];
}

/** Denies requests from these IP addresses. */
export interface IpDenyRule {
  type: 'ip_deny';
  /** IP address ranges in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`. */
  cidrs: string[];
}

/** Allows access at certain times only. */
export interface TimeWindowRule {
  type: 'time_window';
  /** A time zone of the IANA database, such as `Europe/Lisbon`. */
  time_zone: string;
  /** The days of the week. Default: every day. */
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
  from: string;
  /** The end of the window, exclusive. A window that ends before it begins runs past midnight and belongs to the day on which it begins. Equal times mean a whole day. */
  to: string;
}

/** Removes metadata from images on delivery. Originals are kept, and records still show values read from them, such as the location of an image. */
export interface StripMetadataRule {
  type: 'strip_metadata';
  fields: ('gps' | 'all')[];
}

/** Requires a verified redaction before content is shown or delivered. */
export interface RequireRedactionRule {
  type: 'require_redaction';
  entities: 'personal' | 'hipaa' | 'pci' | 'gdpr' | 'all' | string[];
  /** What happens to the original. `deny` (default) denies the action. `serve_redacted` allows it on the newest verified redaction of all pages, which is downloaded, shown, signed or shared in place of the original. */
  fallback?: 'deny' | 'serve_redacted' | undefined;
  /** Whether only redactions count whose review a person submitted. Default: false. */
  reviewed?: boolean | undefined;
  /** Whether only redactions count whose review someone other than the requester had to submit (option `reviewers`: `not_requester`). Default: false. */
  four_eyes?: boolean | undefined;
  /** Whether a redaction counts for a type if findings of that type were rejected in its review, and so remain in the file. Default: false. */
  accept_rejections?: boolean | undefined;
}

/** Holds outputs of jobs in which one of these operations was not reviewed. Does not apply to uploads. */
export interface RequireReviewRule {
  type: 'require_review';
  /** The operations that a person must have reviewed. */
  ops: ('redact_pii' | 'classify')[];
}

/** Denies access to objects classified with one of these labels. */
export interface DenyLabelsRule {
  type: 'deny_labels';
  labels: string[];
  /** Whether to also deny objects that have not been classified where their content would be shown. Default: true. */
  require_labels?: boolean | undefined;
}

/** Keeps resources for a number of days after their creation. */
export interface RetentionRule {
  type: 'retention';
  min_days: number;
}

/** Keeps resources until the hold is lifted. */
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
  | RequireReviewRule
  | DenyLabelsRule
  | RetentionRule
  | LegalHoldRule;

export interface Policy {
  id: string;
  project_id: string;
  name: string;
  /** `enforce` denies violations. `audit` allows them and records an event. `disabled` does nothing. */
  mode: 'enforce' | 'audit' | 'disabled';
  scope: PolicyScope;
  /** `read`: content derived from the bytes (renditions, page text, words). `download`: the bytes, also through a signed URL. `sign`: creating a signed URL. `process`: document jobs. `delete`: trash and purge. */
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

export interface Violation {
  /** The identifier of a policy, or `draft_1` for the first draft. */
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
    | 'require_review'
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
  entities: 'personal' | 'hipaa' | 'pci' | 'gdpr' | 'all' | string[];
  object_id: string;
}

export type Obligation = StripMetadataObligation | ServeRedactedObligation;

export interface Evaluation {
  /** `pending`: a rule depends on facts that are not known yet, and nothing denies the action so far. */
  decision: 'allow' | 'deny' | 'pending';
  /** A resource that the project does not have is denied with `resource_not_found`. */
  violations: (Violation | UnknownResource)[];
  /** The obligations on delivery if the action is allowed. */
  obligations: Obligation[];
  /** The violations that policies in audit mode would deny. */
  denials_observed: Violation[];
}

export interface Impact {
  /** How many objects were examined. */
  examined: number;
  /** Whether all objects were examined. If false, only the newest were. */
  complete: boolean;
  actions: Record<
    string,
    {
      denied: number;
      pending: number;
      /** Some of the denied objects. */
      examples: string[];
    }
  >;
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
  actor: Actor;
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

export interface LastAttempt {
  number: number;
  at: string;
  outcome: 'unknown' | 'succeeded' | 'failed';
  status: number | null;
  duration_ms: number | null;
  error: {
    code: string;
    message: string;
  } | null;
}

export interface Delivery {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  state: 'pending' | 'delivering' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled';
  reason: string | null;
  attempts_made: number;
  /** The latest attempt that has ended. Null before the first. */
  last_attempt: LastAttempt | null;
  next_attempt_at: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface EventType {
  type: string;
  category: 'domain' | 'audit';
  resource_type: string;
  summary: string;
  /** The JSON Schema of `data`. Every event was validated against it when it was recorded. */
  data_schema: Record<string, unknown>;
  /** An example body, as sent to webhooks. */
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
  /** The sequence of the last committed event. Reading continues after it. */
  position: number;
  /** The sequence of the newest event of the category. */
  latest_sequence: number;
  /** How many events that match the filters follow the position. Exact if the feed is at most 10,000 events ahead; events beyond that count whether they match or not. */
  lag: number;
  /** Events after the position are no longer retained. Reading returns 410 until the consumer seeks. */
  expired: boolean;
  last_read_at: string | null;
  last_committed_at: string | null;
  created_at: string;
  /** Increases with each commit or seek that moves the position. */
  version: number;
}

export interface ConsumerEvents {
  data: Event[];
  /** Whether more events are available now. */
  has_more: boolean;
  /** The sequence of the last committed event. Reading continues after it. */
  position: number;
  /** The sequence to commit after processing all of `data`. It also covers events that the filters exclude. */
  commit_sequence: number;
  /** The sequence of the newest event of the category. */
  latest_sequence: number;
  /** How many events that match the filters follow the position. Exact if the feed is at most 10,000 events ahead; events beyond that count whether they match or not. */
  lag: number;
}

export interface ConsumerCommitted {
  id: string;
  project_id: string;
  name: string;
  category: 'domain' | 'audit';
  event_types: string[] | null;
  resource_type: string | null;
  resource_id: string | null;
  /** The sequence of the last committed event. Reading continues after it. */
  position: number;
  /** The sequence of the newest event of the category. */
  latest_sequence: number;
  /** How many events that match the filters follow the position. Exact if the feed is at most 10,000 events ahead; events beyond that count whether they match or not. */
  lag: number;
  /** Events after the position are no longer retained. Reading returns 410 until the consumer seeks. */
  expired: boolean;
  last_read_at: string | null;
  last_committed_at: string | null;
  created_at: string;
  /** Increases with each commit or seek that moves the position. */
  version: number;
  /** How many events became published. 0 without `ack`. */
  acknowledged: number;
}

export interface WebhookHealth {
  /** `degraded` if the latest attempt succeeded, but at least one in twenty failed in the last hour. `failing` from the first failure until the next success. `warning` after one day of failures, `critical` after three. After five days the webhook is disabled. */
  state: 'healthy' | 'degraded' | 'failing' | 'warning' | 'critical';
  since: string | null;
  disables_at: string | null;
  failures_in_row: number;
  held_until: string | null;
  /** The number of pending deliveries. */
  pending: number;
  oldest_pending_at: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  last_error: {
    code: string;
    message: string;
  } | null;
  /** The number of attempts in the last hour, and how many of them failed. */
  last_hour: {
    attempts: number;
    failed: number;
  };
}

export interface Webhook {
  id: string;
  project_id: string;
  url: string;
  event_types: string[];
  description: string | null;
  state: 'enabled' | 'paused' | 'disabled';
  disabled_reason: string | null;
  /** Custom headers by name. Values may be credentials, so every value is shown as `••••`. */
  headers: Record<string, string>;
  payload: 'full' | 'thin';
  filter: Record<string, (string | number | boolean | null)[]> | null;
  max_per_second: number | null;
  max_in_flight: number;
  signing: ('v1' | 'v1a')[];
  /** The public keys for `v1a` signatures (`whpk_` and the base64 of an Ed25519 key), newest first. During a rotation the older keys are included. */
  public_keys: string[];
  health: WebhookHealth;
  created_at: string;
  updated_at: string;
  version: number;
}

export interface WebhookWithSecret {
  id: string;
  project_id: string;
  url: string;
  event_types: string[];
  description: string | null;
  state: 'enabled' | 'paused' | 'disabled';
  disabled_reason: string | null;
  /** Custom headers by name. Values may be credentials, so every value is shown as `••••`. */
  headers: Record<string, string>;
  payload: 'full' | 'thin';
  filter: Record<string, (string | number | boolean | null)[]> | null;
  max_per_second: number | null;
  max_in_flight: number;
  signing: ('v1' | 'v1a')[];
  /** The public keys for `v1a` signatures (`whpk_` and the base64 of an Ed25519 key), newest first. During a rotation the older keys are included. */
  public_keys: string[];
  health: WebhookHealth;
  created_at: string;
  updated_at: string;
  version: number;
  secret: string | null;
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
    /** The headers that were sent, with `••••` for the values of custom headers. */
    headers: Record<string, string>;
    /** The exact text that was signed. */
    body: string;
  };
}

export interface DeliveryRequest {
  method: 'POST';
  url: string;
  /** The exact text that is signed and sent. */
  body: string;
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
  request_headers: Record<string, string> | null;
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
  /** The latest attempt that has ended. Null before the first. */
  last_attempt: LastAttempt | null;
  next_attempt_at: string | null;
  created_at: string;
  finished_at: string | null;
  /** The message, composed with the current settings of the webhook. Its headers differ by attempt. */
  request: DeliveryRequest | null;
  attempts: Attempt[];
}

export interface ReplayPreview {
  only: 'failed' | 'missing' | 'all';
  since: string;
  until: string;
  event_types: string[] | null;
  /** Events that matched when the replay was requested. */
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
  /** Events that matched when the replay was requested. */
  matched: number;
  /** Deliveries created so far. Events that were delivered in the meantime need none. */
  queued: number;
  /** Deliveries that wait for an attempt. */
  pending: number;
  /** Deliveries that succeeded. */
  succeeded: number;
  /** Deliveries that failed for good. */
  exhausted: number;
  /** Deliveries skipped because the webhook was disabled or the event is too old. */
  skipped: number;
  /** Deliveries that were cancelled. */
  cancelled: number;
  created_at: string;
  finished_at: string | null;
}

export interface BacklogCancelled {
  /** How many pending deliveries were cancelled. */
  cancelled: number;
}

export interface WebhookStatsTotals {
  attempts: number;
  succeeded: number;
  failed: number;
  /** Failed attempts by class: the class of the status, or what kept the receiver from answering. Classes without failures are absent. */
  failures: {
    http_3xx?: number | undefined;
    http_4xx?: number | undefined;
    http_5xx?: number | undefined;
    timeout?: number | undefined;
    connection?: number | undefined;
    tls?: number | undefined;
    dns?: number | undefined;
    response?: number | undefined;
    destination?: number | undefined;
    other?: number | undefined;
  };
  p50_ms: number | null;
  p95_ms: number | null;
  mean_ms: number | null;
}

export interface WebhookStatsPoint {
  since: string;
  attempts: number;
  succeeded: number;
  failed: number;
  /** Failed attempts by class: the class of the status, or what kept the receiver from answering. Classes without failures are absent. */
  failures: {
    http_3xx?: number | undefined;
    http_4xx?: number | undefined;
    http_5xx?: number | undefined;
    timeout?: number | undefined;
    connection?: number | undefined;
    tls?: number | undefined;
    dns?: number | undefined;
    response?: number | undefined;
    destination?: number | undefined;
    other?: number | undefined;
  };
  p50_ms: number | null;
  p95_ms: number | null;
  mean_ms: number | null;
}

export interface WebhookStats {
  webhook_id: string;
  period: '24h' | '7d' | '30d';
  since: string;
  until: string;
  /** The time that each point covers. */
  step_seconds: number;
  totals: WebhookStatsTotals;
  /** A point for each step, oldest first, also where nothing was sent. */
  series: WebhookStatsPoint[];
}

export interface MemberCreate {
  /** The issuer of the identity provider, as in its ID tokens (`iss`). */
  issuer: string;
  /** The person at the identity provider, as in its ID tokens (`sub`). */
  subject: string;
  role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
  name?: string | null | undefined;
  email?: string | null | undefined;
}

export interface MemberPatch {
  role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
}

export interface InvitationCreate {
  role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
  name?: string | null | undefined;
}

/** The number of the page, from 1. */
export type page = string;

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
  /** The ETag of the image as you read it, with its quotes: `"7"`. */
  if_match?: string | undefined;
  patch: ImagePatch;
}

export interface ImageFilterInput {
  /** Full-text search. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix. The title ranks highest, then tags, description and alternative text, filename. */
  q?: string | undefined;
  /** Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash. A text stands for a list with one item. */
  tag?: string[] | string | undefined;
  /** Only images without tags, or only images with tags. */
  untagged?: boolean | undefined;
  /** Any of these media types. A text stands for a list, separated by commas. */
  mime?:
    | (
        | 'image/jpeg'
        | 'image/png'
        | 'image/webp'
        | 'image/avif'
        | 'image/heic'
        | 'image/gif'
        | 'image/tiff'
        | 'image/svg+xml'
      )[]
    | string
    | undefined;
  /** Any of these. A text stands for a list, separated by commas. */
  orientation?: ('landscape' | 'portrait' | 'square')[] | string | undefined;
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
  /** Only images taken in this part of the world: `west,south,east,north` in degrees (WGS 84). West may be greater than east, across the 180th meridian. */
  bbox?: string | undefined;
  collection_id?: string | undefined;
  /** Default: all states except `trashed`. */
  state?: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed' | undefined;
}

/** Exactly one of `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}` and `{filter, expected_count, patch}`, each with an optional `on_error`. Every image may be named only once. */
export interface ImageEdits {
  id?: string | undefined;
  /** The ETag of the image as you read it, with its quotes: `"7"`. */
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
  filter?: ImageFilterInput | undefined;
  /** How many images `filter` matches, as counted by `include=total` of the search. */
  expected_count?: number | undefined;
  patch?: ImagePatch | undefined;
  /** `abort`: all images change or none. `continue`: every image that can be changed is. An invalid request is rejected as a whole in both cases. Default: `"abort"`. */
  on_error?: 'abort' | 'continue' | undefined;
}

export interface ImageMemberRefInput {
  resource_type: 'image';
  resource_id: string;
}

export interface ObjectMemberRefInput {
  resource_type: 'object';
  resource_id: string;
}

export type MemberRefInput = ImageMemberRefInput | ObjectMemberRefInput;

/** A smart collection has a `query` and no `members`. A manual collection has no `query`. */
export interface NewCollection {
  name: string;
  description?: string | null | undefined;
  /** Default: `"manual"`. */
  kind?: 'manual' | 'smart' | undefined;
  query?: ImageFilterInput | undefined;
  parent_id?: string | null | undefined;
  cover?: string | null | undefined;
  tags?: string[] | undefined;
  /** Your own data, up to 16 KiB as JSON. */
  metadata?: Record<string, unknown> | undefined;
  members?: MemberRefInput[] | undefined;
}

export interface CollectionPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  query?:
    | {
        q?: string | null | undefined;
        tag?: string[] | string | null | undefined;
        untagged?: boolean | null | undefined;
        mime?:
          | (
              | 'image/jpeg'
              | 'image/png'
              | 'image/webp'
              | 'image/avif'
              | 'image/heic'
              | 'image/gif'
              | 'image/tiff'
              | 'image/svg+xml'
            )[]
          | string
          | null
          | undefined;
        orientation?: ('landscape' | 'portrait' | 'square')[] | string | null | undefined;
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
        bbox?: string | null | undefined;
        collection_id?: string | null | undefined;
        state?: 'processing' | 'available' | 'rejected' | 'failed' | 'trashed' | null | undefined;
      }
    | undefined;
  parent_id?: string | null | undefined;
  cover?: string | null | undefined;
  tags?: string[] | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

export interface ShareCreate {
  /** `view` shows an object or a collection. `upload` lets visitors add files, to a collection if `collection_id` is sent. Default: `"view"`. */
  kind?: 'view' | 'upload' | undefined;
  object_id?: string | undefined;
  collection_id?: string | undefined;
  /** Shown to visitors. Without it, they see the name of the target. */
  title?: string | null | undefined;
  /** Shown to visitors as plain text. */
  message?: string | null | undefined;
  /** When the link stops working. Null: never. At most 3650 days ahead. */
  expires_at?: string | null | undefined;
  /** The password that visitors must enter. It is stored as a hash and never returned. */
  password?: string | null | undefined;
  /** `view` only: whether visitors can download files, or only see previews. */
  allow_download?: boolean | undefined;
  /** `view` only: how many visits the link allows. A visit lasts some hours. */
  max_views?: number | null | undefined;
  /** `view` only: how many downloads of files or archives the link allows. */
  max_downloads?: number | null | undefined;
  /** `upload` only: the media types that are accepted, such as `image/*`, compared with the type detected from the bytes. Empty: all. */
  accept?: string[] | undefined;
  /** `upload` only: the maximum size of a file. Null: 104857600 bytes. */
  max_bytes?: number | null | undefined;
  /** `upload` only: how many files can be uploaded in total. */
  max_files?: number | null | undefined;
}

export interface SharePatch {
  /** Shown to visitors. Without it, they see the name of the target. */
  title?: string | null | undefined;
  /** Shown to visitors as plain text. */
  message?: string | null | undefined;
  /** When the link stops working. Null: never. At most 3650 days ahead. */
  expires_at?: string | null | undefined;
  /** The password that visitors must enter. It is stored as a hash and never returned. */
  password?: string | null | undefined;
  /** `view` only: whether visitors can download files, or only see previews. */
  allow_download?: boolean | undefined;
  /** `view` only: how many visits the link allows. A visit lasts some hours. */
  max_views?: number | null | undefined;
  /** `view` only: how many downloads of files or archives the link allows. */
  max_downloads?: number | null | undefined;
  /** `upload` only: the media types that are accepted, such as `image/*`, compared with the type detected from the bytes. Empty: all. */
  accept?: string[] | undefined;
  /** `upload` only: the maximum size of a file. Null: 104857600 bytes. */
  max_bytes?: number | null | undefined;
  /** `upload` only: how many files can be uploaded in total. */
  max_files?: number | null | undefined;
}

export interface OcrJobOperation {
  op: 'ocr';
  options?:
    | {
        /** The languages to expect, as ISO 639-2 codes. Default: `["eng"]`. */
        languages?: string[] | undefined;
        /** Which outputs to produce. Default: `["searchable_pdf"]`. */
        output?: ('searchable_pdf' | 'text' | 'words')[] | undefined;
        /** What to do with pages that already have text. `skip`: keep their text, and recognise only pictures that hold other text. `redo`: replace an invisible text layer. `force`: rasterise and recognise them. Default: `"skip"`. */
        existing_text?: 'skip' | 'redo' | 'force' | undefined;
        /** Straighten skewed pages in the PDF. Default: `false`. */
        deskew?: boolean | undefined;
        /** Detect the orientation of each page and rotate it in the PDF. Default: `true`. */
        rotate?: boolean | undefined;
        /** Write the searchable PDF as PDF/A-2b (ISO 19005-2). A warning lists what was removed and which pages became pictures. Default: `false`. */
        pdfa?: boolean | undefined;
      }
    | undefined;
}

export interface RedactPiiJobOperation {
  op: 'redact_pii';
  options?:
    | {
        /** What to remove: a profile, or a list of types of personal data. `GET /v1/capabilities` describes both. Default: `"personal"`. */
        entities?:
          | 'personal'
          | 'hipaa'
          | 'pci'
          | 'gdpr'
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
              | 'NATIONAL_ID'
              | 'PERSONAL_ID'
              | 'SPECIAL_CATEGORY'
            )[]
          | undefined;
        /** Findings with a lower confidence are not removed. Default: `0.4`. */
        min_confidence?: number | undefined;
        /** `blackbox` draws a black box. `label` draws a box with the type of data it hides. In text that the same job produces, a mark replaces the data. The mark shows the type, except with `blackbox` in files without pages. Default: `"blackbox"`. */
        style?: 'blackbox' | 'label' | undefined;
        /** How far boxes extend in PDFs and images. `to_edge`: to what follows on the line, to the next column or to the edge of the page, so a box does not tell the length of what it hides. `padded`: to a multiple of 54 points, which tells the length in steps. `tight`: around the text, which tells its length. Default: `"to_edge"`. */
        box?: 'tight' | 'padded' | 'to_edge' | undefined;
        /** Make the redacted PDF of a scan searchable: the recognised words that were not removed become invisible text. Default: `true`. */
        text_layer?: boolean | undefined;
        /** Patterns of your own to remove. Default: `[]`. */
        custom_patterns?:
          | {
              /** Findings get the type `CUSTOM_` followed by this name. */
              name: string;
              /** A regular expression in RE2 syntax, without look-around or backreferences. In recognised text it also matches across stray blanks between digits or beside an @. */
              pattern: string;
              /** Default: `false`. */
              case_sensitive?: boolean | undefined;
            }[]
          | undefined;
        /** Values that are never removed. Case is ignored. Default: `[]`. */
        allow_list?: string[] | undefined;
        /** Also store the unredacted outputs of earlier operations as objects. Requires the `pii:read` scope. Default: `false`. */
        keep_unredacted?: boolean | undefined;
        /** Whether a person decides about the findings before the operation continues. `required`: about all of them. `below`: about those with a score below `review_below`; the others are accepted, and without any below the operation does not wait. Default: `"none"`. */
        review?: 'none' | 'required' | 'below' | undefined;
        /** With `review: "below"`, the score from which a finding is accepted at once. Default: `0.8`. */
        review_below?: number | undefined;
        /** Who may submit the review. `not_requester`: not who started the job (the four-eyes principle). A key counts as the person or key that it comes from. Default: `"anyone"`. */
        reviewers?: 'anyone' | 'not_requester' | undefined;
        /** After this many seconds without a submission the operation fails with `review_expired`. Default: 14 days. */
        review_expires_in?: number | undefined;
      }
    | undefined;
}

export interface NormalizeForLlmJobOperation {
  op: 'normalize_for_llm';
  options?:
    | {
        /** Which outputs to produce: Markdown, JSON with the page and box of each block, or chunks as JSON Lines. Default: `["markdown","json","chunks"]`. */
        format?: ('markdown' | 'json' | 'chunks')[] | undefined;
        /** The maximum number of tokens in a chunk. Default: `800`. */
        chunk_tokens?: number | undefined;
        /** How many tokens a chunk repeats from the end of the previous one. Must be less than `chunk_tokens`. Default: `80`. */
        overlap_tokens?: number | undefined;
      }
    | undefined;
}

export interface ClassifyJobOperation {
  op: 'classify';
  options?:
    | {
        /** How many labels to return, most likely first. Default: `3`. */
        top_k?: number | undefined;
        /** Whether a person decides about the findings before the operation continues. `required`: about all of them. `below`: about those with a score below `review_below`; the others are accepted, and without any below the operation does not wait. Default: `"none"`. */
        review?: 'none' | 'required' | 'below' | undefined;
        /** With `review: "below"`, the score from which a finding is accepted at once. Default: `0.8`. */
        review_below?: number | undefined;
        /** Who may submit the review. `not_requester`: not who started the job (the four-eyes principle). A key counts as the person or key that it comes from. Default: `"anyone"`. */
        reviewers?: 'anyone' | 'not_requester' | undefined;
        /** After this many seconds without a submission the operation fails with `review_expired`. Default: 14 days. */
        review_expires_in?: number | undefined;
      }
    | undefined;
}

export type JobOperation =
  | OcrJobOperation
  | RedactPiiJobOperation
  | NormalizeForLlmJobOperation
  | ClassifyJobOperation;

/** All findings of the detector that match; an empty filter matches all. */
export interface FindingFilter {
  /** 0 for what is on no page. */
  page?: number | undefined;
  /** Only findings with at least this score. */
  min_score?: number | undefined;
  /** Only findings with at most this score. */
  max_score?: number | undefined;
  /** Any of these. A text stands for a list, separated by commas. */
  decision?: ('pending' | 'accepted' | 'rejected')[] | string | undefined;
  /** Any of these. A text stands for a list, separated by commas. */
  type?: string[] | string | undefined;
}

/** Exactly one of `ids` and `filter` selects the findings. */
export interface FindingDecisions {
  ids?: string[] | undefined;
  filter?: FindingFilter | undefined;
  /** `reset` makes a decided finding pending again. */
  decision: 'accept' | 'reject' | 'reset';
  /** A type of personal data, or `CUSTOM_` and a name. */
  type?:
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
    | 'NATIONAL_ID'
    | 'PERSONAL_ID'
    | 'SPECIAL_CATEGORY'
    | string
    | undefined;
  /** Kept encrypted with the finding. */
  reason?: string | undefined;
}

/** Exactly one of `boxes`, `words` and `range`, each with `page`, and `text` with `everywhere`. */
export interface NewFinding {
  page?: number | undefined;
  /** A range of the text of the page, in UTF-16 units, for files without pages. It is extended to whole characters with their marks. */
  range?:
    | {
        start: number;
        /** The first character after it. */
        end: number;
      }
    | undefined;
  /** Areas of the page: left, top, right, bottom in points of the displayed page. They are one finding. */
  boxes?: number[][] | undefined;
  /** Words of the page, by their position in `words` of `GET /v1/documents/jobs/{id}/pages?include=words`. They are one finding. */
  words?: number[] | undefined;
  /** A text to remove everywhere. Requires `everywhere` and the `pii:read` scope. */
  text?: string | undefined;
  /** Find every place of `text`, as the verification of the output will: case, accents and what stands between letters are ignored. A finding is added for each place; findings that cover one are accepted. */
  everywhere?: true | undefined;
  /** A type of personal data, or `CUSTOM_` and a name. */
  type:
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
    | 'NATIONAL_ID'
    | 'PERSONAL_ID'
    | 'SPECIAL_CATEGORY'
    | string;
  /** Kept encrypted with the finding. */
  reason?: string | undefined;
}

export interface ReviewSubmission {
  /** What to do about findings without a decision. `refuse`: return 409 `findings_pending`. `accept`: accept them. Default: `"refuse"`. */
  pending?: 'refuse' | 'accept' | undefined;
  /** Required for `classify`: the right label. */
  label?:
    | 'invoice'
    | 'receipt'
    | 'contract'
    | 'letter'
    | 'form'
    | 'identity_document'
    | 'bank_statement'
    | 'cv'
    | 'report'
    | 'email'
    | 'presentation'
    | 'other'
    | undefined;
}

export interface ReviewRejection {
  /** Kept encrypted. */
  reason: string;
}

export interface NewPack {
  name: string;
  /** Exactly one of the fields. The documents are determined once, at creation. */
  source: {
    collection_id?: string | undefined;
    object_ids?: string[] | undefined;
    filter?:
      | {
          /** Full-text search in the filename, tags, metadata strings and text: what the file itself holds (read in the background after the upload) and what jobs have recognised, using the most complete text of each page. Text that a policy does not let this caller read now is excluded; where a policy requires redaction, the redacted text is searched. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix. Empty or `*` means no search. */
          q?: string | undefined;
          /** Any of these media types. `image/*` matches all images. A text stands for a list, separated by commas. */
          mime?: string[] | string | undefined;
          /** Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash. A text stands for a list with one item. */
          tag?: string[] | string | undefined;
          derived_from?: string | undefined;
          /** Outputs of jobs of any of these kinds, such as `searchable_pdf`. A text stands for a list, separated by commas. */
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
                | 'attachment'
              )[]
            | string
            | undefined;
          created_after?: string | undefined;
          created_before?: string | undefined;
          /** Uploaded objects, or those that jobs produced. Default: `"upload"`. */
          source?: 'upload' | 'job' | undefined;
        }
      | undefined;
  };
  options?:
    | {
        /** Redact each document with this profile first, so that the pack has redacted text only. Null: no redaction. Default: `null`. */
        redact?: 'personal' | 'hipaa' | 'pci' | 'gdpr' | 'all' | null | undefined;
        /** With `redact`: whether a person decides about the findings in each document before it goes into the pack. Default: `"none"`. */
        review?: 'none' | 'required' | undefined;
        /** The maximum number of tokens in a chunk. Default: `800`. */
        chunk_tokens?: number | undefined;
        /** How many tokens a chunk repeats from the end of the previous one. Must be less than `chunk_tokens`. Default: `80`. */
        overlap_tokens?: number | undefined;
        /** The contents: a Markdown file per document, one `chunks.jsonl`, the blocks of each document as JSON, and a picture of each page. Default: `["markdown","chunks"]`. */
        include?: ('markdown' | 'chunks' | 'blocks' | 'pages')[] | undefined;
        /** `continue` leaves out documents that fail or that a policy withholds, and names them in the manifest. `abort` fails the pack with the first of them. Default: `"continue"`. */
        on_error?: 'continue' | 'abort' | undefined;
      }
    | undefined;
  refreshes?: string | undefined;
}

export interface ProjectPolicyScopeInput {
  type: 'project';
}

export interface TagPolicyScopeInput {
  type: 'tag';
  /** Resources with one of these tags (case-sensitive), and what is derived from them. */
  tags: string[];
}

export interface CollectionPolicyScopeInput {
  type: 'collection';
  /** Members of these collections or of collections nested in them, and what is derived from them. */
  ids: string[];
}

/** The resources that the policy covers. Collections must be manual; members of a trashed collection stay in scope. A resource that loses the tag or leaves the collection also leaves the scope: only `legal_hold` and `retention` continue to apply. Use the type `project` for rules that must not be evaded. */
export type PolicyScopeInput =
  | ProjectPolicyScopeInput
  | TagPolicyScopeInput
  | CollectionPolicyScopeInput;

/** Allows only certain file types, detected from the bytes. */
export interface AllowedMimeTypesRuleInput {
  type: 'allowed_mime_types';
  /** Only these types are allowed. */
  include?: string[] | undefined;
  /** These types are not allowed. */
  exclude?: string[] | undefined;
}

/** Limits the size of files. */
export interface MaxBytesRuleInput {
  type: 'max_bytes';
  bytes: number;
}

/** Limits the pixels of images. Does not apply to other files. */
export interface MaxPixelsRuleInput {
  type: 'max_pixels';
  pixels: number;
}

/** Limits the pages of documents. Does not apply to files without pages. */
export interface MaxPagesRuleInput {
  type: 'max_pages';
  pages: number;
}

/** Allows downloads through signed URLs only. */
export interface RequireSignedUrlRuleInput {
  type: 'require_signed_url';
  /** The longest lifetime of a signed URL, when it is created and when it is used. */
  max_ttl_seconds?: number | undefined;
}

/** Allows requests from these IP addresses only. */
export interface IpAllowRuleInput {
  type: 'ip_allow';
  /** IP address ranges in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`. */
  cidrs: string[];
}

/** Denies requests from these IP addresses. */
export interface IpDenyRuleInput {
  type: 'ip_deny';
  /** IP address ranges in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`. */
  cidrs: string[];
}

/** Allows access at certain times only. */
export interface TimeWindowRuleInput {
  type: 'time_window';
  /** A time zone of the IANA database, such as `Europe/Lisbon`. */
  time_zone: string;
  /** The days of the week. Default: every day. */
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
  from: string;
  /** The end of the window, exclusive. A window that ends before it begins runs past midnight and belongs to the day on which it begins. Equal times mean a whole day. */
  to: string;
}

/** Removes metadata from images on delivery. Originals are kept, and records still show values read from them, such as the location of an image. */
export interface StripMetadataRuleInput {
  type: 'strip_metadata';
  fields: ('gps' | 'all')[];
}

/** Requires a verified redaction before content is shown or delivered. */
export interface RequireRedactionRuleInput {
  type: 'require_redaction';
  entities: 'personal' | 'hipaa' | 'pci' | 'gdpr' | 'all' | string[];
  /** What happens to the original. `deny` (default) denies the action. `serve_redacted` allows it on the newest verified redaction of all pages, which is downloaded, shown, signed or shared in place of the original. */
  fallback?: 'deny' | 'serve_redacted' | undefined;
  /** Whether only redactions count whose review a person submitted. Default: false. */
  reviewed?: boolean | undefined;
  /** Whether only redactions count whose review someone other than the requester had to submit (option `reviewers`: `not_requester`). Default: false. */
  four_eyes?: boolean | undefined;
  /** Whether a redaction counts for a type if findings of that type were rejected in its review, and so remain in the file. Default: false. */
  accept_rejections?: boolean | undefined;
}

/** Holds outputs of jobs in which one of these operations was not reviewed. Does not apply to uploads. */
export interface RequireReviewRuleInput {
  type: 'require_review';
  /** The operations that a person must have reviewed. */
  ops: ('redact_pii' | 'classify')[];
}

/** Denies access to objects classified with one of these labels. */
export interface DenyLabelsRuleInput {
  type: 'deny_labels';
  labels: string[];
  /** Whether to also deny objects that have not been classified where their content would be shown. Default: true. */
  require_labels?: boolean | undefined;
}

/** Keeps resources for a number of days after their creation. */
export interface RetentionRuleInput {
  type: 'retention';
  min_days: number;
}

/** Keeps resources until the hold is lifted. */
export interface LegalHoldRuleInput {
  type: 'legal_hold';
  reason: string;
}

export type RuleInput =
  | AllowedMimeTypesRuleInput
  | MaxBytesRuleInput
  | MaxPixelsRuleInput
  | MaxPagesRuleInput
  | RequireSignedUrlRuleInput
  | IpAllowRuleInput
  | IpDenyRuleInput
  | TimeWindowRuleInput
  | StripMetadataRuleInput
  | RequireRedactionRuleInput
  | RequireReviewRuleInput
  | DenyLabelsRuleInput
  | RetentionRuleInput
  | LegalHoldRuleInput;

export interface PolicyCreate {
  name: string;
  /** `enforce` denies violations. `audit` allows them and records an event. `disabled` does nothing. */
  mode: 'enforce' | 'audit' | 'disabled';
  scope: PolicyScopeInput;
  /** `read`: content derived from the bytes (renditions, page text, words). `download`: the bytes, also through a signed URL. `sign`: creating a signed URL. `process`: document jobs. `delete`: trash and purge. */
  actions: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[];
  when?:
    | {
        mime?: string[] | undefined;
        labels?: string[] | undefined;
      }
    | null
    | undefined;
  rules: RuleInput[];
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
  /** The saved policy that the draft replaces. */
  id?: string | undefined;
  name: string;
  /** `enforce` denies violations. `audit` allows them and records an event. `disabled` does nothing. */
  mode: 'enforce' | 'audit' | 'disabled';
  scope: PolicyScopeInput;
  /** `read`: content derived from the bytes (renditions, page text, words). `download`: the bytes, also through a signed URL. `sign`: creating a signed URL. `process`: document jobs. `delete`: trash and purge. */
  actions: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[];
  when?:
    | {
        mime?: string[] | undefined;
        labels?: string[] | undefined;
      }
    | null
    | undefined;
  rules: RuleInput[];
}

export interface PolicyPatch {
  name?: string | undefined;
  /** `enforce` denies violations. `audit` allows them and records an event. `disabled` does nothing. */
  mode?: 'enforce' | 'audit' | 'disabled' | undefined;
  scope?: PolicyScopeInput | undefined;
  /** `read`: content derived from the bytes (renditions, page text, words). `download`: the bytes, also through a signed URL. `sign`: creating a signed URL. `process`: document jobs. `delete`: trash and purge. */
  actions?: ('upload' | 'read' | 'download' | 'sign' | 'process' | 'delete')[] | undefined;
  when?:
    | {
        mime?: string[] | null | undefined;
        labels?: string[] | null | undefined;
      }
    | null
    | undefined;
  rules?: RuleInput[] | undefined;
}

export interface ConsumerCreate {
  /** Up to 100 letters, digits, dots, hyphens and underscores. Unique in the project. */
  name: string;
  /** `audit` requires the `audit:read` scope, both to create and to use the consumer. Default: `"domain"`. */
  category?: 'domain' | 'audit' | undefined;
  /** Event types of the category. `*` matches one segment, or as the last segment all that follow, including types of later releases. Default: all types. */
  event_types?: string[] | undefined;
  resource_type?: string | undefined;
  resource_id?: string | undefined;
  /** Where reading starts: at the earliest retained event, or with new events only. Default: `"earliest"`. */
  start?: 'earliest' | 'latest' | undefined;
}

export interface ConsumerCommit {
  /** The last processed sequence: `commit_sequence`, or the `sequence` of an event. */
  sequence: number;
  /** Also acknowledge the committed events that match the filters. Default: `false`. */
  ack?: boolean | undefined;
}

/** Exactly one of the fields is required. */
export interface ConsumerSeek {
  /** The new position. Reading continues after it. */
  sequence?: number | undefined;
  event_id?: string | undefined;
  /** `earliest`: before the earliest retained event. `latest`: after the newest event. */
  to?: 'earliest' | 'latest' | undefined;
}

export interface WebhookCreate {
  /** An https URL on the public internet. */
  url: string;
  /** Event types. `*` matches one segment, or as the last segment all that follow. Audit types must be named in full. */
  event_types: string[];
  description?: string | null | undefined;
  /** Sent with every message, such as `Authorization`. Values are stored encrypted and never returned. */
  headers?: Record<string, string> | undefined;
  /** `thin` omits `data`. */
  payload?: 'full' | 'thin' | undefined;
  filter?:
    | Record<string, string | number | boolean | (string | number | boolean | null)[]>
    | null
    | undefined;
  max_per_second?: number | null | undefined;
  /** The maximum number of concurrent attempts. */
  max_in_flight?: number | undefined;
  /** The signatures of each message: `v1` (HMAC-SHA256 with the secret), `v1a` (Ed25519, verified with `public_keys`). Default: `v1`. Removing a scheme discards its keys. Adding one creates new keys; the new secret is shown only by rotate-secret. */
  signing?: ('v1' | 'v1a')[] | undefined;
  state?: 'enabled' | 'paused' | undefined;
  /** Your own secret instead of a generated one: `whsec_` and the base64 of 24 to 64 bytes for `v1`, or `whsk_` and the base64 of an Ed25519 private key (32 bytes, or 64 with the public key) for `v1a`. */
  secret?: string | undefined;
}

export interface WebhookPatch {
  /** An https URL on the public internet. */
  url?: string | undefined;
  /** Event types. `*` matches one segment, or as the last segment all that follow. Audit types must be named in full. */
  event_types?: string[] | undefined;
  description?: string | null | undefined;
  /** `thin` omits `data`. */
  payload?: 'full' | 'thin' | undefined;
  max_per_second?: number | null | undefined;
  /** The maximum number of concurrent attempts. */
  max_in_flight?: number | undefined;
  /** The signatures of each message: `v1` (HMAC-SHA256 with the secret), `v1a` (Ed25519, verified with `public_keys`). Default: `v1`. Removing a scheme discards its keys. Adding one creates new keys; the new secret is shown only by rotate-secret. */
  signing?: ('v1' | 'v1a')[] | undefined;
  filter?:
    | Record<string, string | number | boolean | (string | number | boolean | null)[] | null>
    | null
    | undefined;
  headers?: Record<string, string | null> | null | undefined;
}

export interface WebhookSecretRotation {
  /** How long the old secrets remain valid alongside the new ones. 0 revokes them at once. Default: `86400`. */
  overlap_seconds?: number | undefined;
  /** Your own secret instead of a generated one: `whsec_` and the base64 of 24 to 64 bytes for `v1`, or `whsk_` and the base64 of an Ed25519 private key (32 bytes, or 64 with the public key) for `v1a`. */
  secret?: string | undefined;
}

export interface ReplayCreate {
  /** Only events that occurred at or after this time. */
  since: string;
  /** Only events that occurred before this time. Default: now. */
  until?: string | undefined;
  /** Only these event types. `*` matches one segment, or as the last segment all that follow. */
  event_types?: string[] | undefined;
  /** `failed`: events whose delivery was exhausted or skipped. `missing`: events that match the current settings of the webhook and have neither been delivered nor are pending. `all`: all events that match, delivered or not, except those whose delivery is pending. Default: `"failed"`. */
  only?: 'failed' | 'missing' | 'all' | undefined;
  /** Only count the events; send nothing. Default: `false`. */
  dry_run?: boolean | undefined;
}

export interface BacklogCancel {
  /** Only events that occurred before this time. */
  before?: string | undefined;
  /** Only these event types. `*` matches one segment, or as the last segment all that follow. */
  event_types?: string[] | undefined;
}

/** The error code. It tells a client how to react. */
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
  | 'four_eyes'
  | 'policy_denied'
  | 'quota_exceeded'
  | 'sign_in_failed'
  | 'membership_required'
  | 'signed_url_invalid'
  | 'signed_url_expired'
  | 'share_entry_required'
  | 'not_found'
  | 'member_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'state_conflict'
  | 'already_exists'
  | 'last_admin'
  | 'claimed'
  | 'findings_pending'
  | 'collection_cycle'
  | 'count_changed'
  | 'results_expired'
  | 'idempotency_in_progress'
  | 'offset_mismatch'
  | 'cursor_expired'
  | 'upload_expired'
  | 'invitation_closed'
  | 'share_closed'
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
  | 'text_not_found'
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

/** An event as sent to webhooks. Thin payloads have no `data`. */
export interface WebhookMessage {
  id: string;
  type: string;
  /** The same as `occurred_at`. */
  timestamp: string;
  project_id: string;
  resource_type: string;
  resource_id: string;
  category: 'domain' | 'audit';
  /** Increases by one per project and category. Messages may arrive out of order; sort by it. */
  sequence: number;
  occurred_at: string;
  actor: {
    type: string;
    id: string | null;
    /** The name of a person at that time; null for all other actors. */
    name: string | null;
  };
  request_id: string | null;
  /** The data of the event type. */
  data?: Record<string, unknown> | undefined;
}

/** What each operation takes and answers, by its operationId. */

export interface Operations {
  /** Get the limits of the API. */
  getLimits: { input: Record<string, never>; answer: Limits };
  /**
   * Get the usage and quotas of the project.
   *
   * Requests that would exceed a quota return `quota_exceeded`. Outputs of jobs count but are never rejected. Purged objects do not count. The operator sets the quotas. `days` adds the storage and the requests of each day.
   */
  getUsage: {
    input: {
      query?:
        | {
            /** The number of days to return, today included. */ days?: number | undefined;
          }
        | undefined;
    };
    answer: Usage;
  };
  /** Get the operations of document jobs and their maturity. */
  getCapabilities: { input: Record<string, never>; answer: Capabilities };
  /** Get this OpenAPI 3.1 document. */
  getOpenApi: { input: Record<string, never>; answer: Record<string, unknown> };
  /** List the API keys of the project, by default newest first. */
  listKeys: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            /** Only these keys. */
            id?: string[] | undefined;
            state?: ('active' | 'revoked' | 'expired')[] | undefined;
            sort?:
              | '-created_at'
              | 'created_at'
              | '-name'
              | 'name'
              | '-last_used_at'
              | 'last_used_at'
              | '-expires_at'
              | 'expires_at'
              | undefined;
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
   * Create an API key.
   *
   * A key can grant only what it has: its scopes or fewer, IP ranges within its own, an expiry no later than its own, and its rate limits. Omitted fields are inherited. The secret is returned only in this response.
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
          | 'shares:read'
          | 'shares:write'
          | 'documents:read'
          | 'documents:write'
          | 'documents:review'
          | 'webhooks:read'
          | 'webhooks:write'
          | 'policies:read'
          | 'policies:write'
          | 'keys:read'
          | 'keys:write'
          | 'members:read'
          | 'members:write'
          | 'events:read'
          | 'events:ack'
          | 'pii:read'
          | 'audit:read'
          | '*'
        )[];
        /** IP address ranges from which the key may be used. Empty: any address. */
        allowed_cidrs?: string[] | undefined;
        expires_at?: string | null | undefined;
      };
    };
    answer: NewApiKey;
  };
  /** Get the API key of the request. */
  getOwnKey: { input: Record<string, never>; answer: ApiKey };
  /** Get an API key. */
  getKey: { input: { params: { id: string } }; answer: ApiKey };
  /**
   * Update an API key.
   *
   * A key can change itself and keys within its own limits, and cannot widen a key beyond them.
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
              | 'shares:read'
              | 'shares:write'
              | 'documents:read'
              | 'documents:write'
              | 'documents:review'
              | 'webhooks:read'
              | 'webhooks:write'
              | 'policies:read'
              | 'policies:write'
              | 'keys:read'
              | 'keys:write'
              | 'members:read'
              | 'members:write'
              | 'events:read'
              | 'events:ack'
              | 'pii:read'
              | 'audit:read'
              | '*'
            )[]
          | undefined;
        /** IP address ranges from which the key may be used. Empty: any address. */
        allowed_cidrs?: string[] | undefined;
        expires_at?: string | null | undefined;
      };
    };
    answer: ApiKey;
  };
  /**
   * Revoke an API key. It stops working immediately.
   *
   * A key can revoke itself and keys within its own limits. Open invitations made with the key end.
   */
  revokeKey: { input: { params: { id: string } }; answer: undefined };
  /**
   * Replace an API key by a new one with the same permissions.
   *
   * The old key keeps working for `overlap_seconds`, until `replaces.ends_at`. A key can roll itself and keys within its own limits. A key that rolls itself keeps working for at least a minute, so that it can repeat the request with its Idempotency-Key if the response is lost; revoke it to end it at once.
   */
  rollKey: {
    input: {
      params: { id: string };
      body: {
        /** Default: `0`. */
        overlap_seconds?: number | undefined;
      };
    };
    answer: RolledApiKey;
  };
  /**
   * List the members of the project, newest first.
   *
   * Roles are named sets of scopes. `viewer`: Sees and downloads the library and its jobs. `editor`: Also uploads, edits, shares and starts jobs. `reviewer`: Sees what a viewer sees, and decides reviews. `developer`: Also manages webhooks, consumers and API keys. `admin`: May do everything.
   */
  listMembers: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            role?: ('viewer' | 'editor' | 'reviewer' | 'developer' | 'admin')[] | undefined;
            user_id?: string[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Member[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Make a person a member, by their identity at the provider.
   *
   * For people whose `sub` at the identity provider is known, whether or not they have signed in. The membership is `invited` until the person accepts it at a sign-in; until then nothing of them is shown. To invite someone else, create an invitation. A caller can grant only roles within its own scopes, and keys with IP address ranges, an expiry or lowered rates cannot change members. The maximum is 1000 members per project.
   */
  addMember: { input: { body: MemberCreate }; answer: Member };
  /** Get a member. */
  getMember: { input: { params: { id: string } }; answer: Member };
  /**
   * Change the role of a member. It takes effect immediately.
   *
   * A caller can change only members whose role is within its own scopes, to a role within them. A narrower role ends the open invitations that the person has made, themselves or through keys they created. The last admin of a project cannot become anything else.
   */
  updateMember: { input: { params: { id: string }; body: MemberPatch }; answer: Member };
  /**
   * Remove a member. Their sessions in the project end immediately.
   *
   * API keys that the person created continue to work: revoke them separately. Open invitations that were made by the person or with these keys end. The last admin of a project cannot be removed.
   */
  removeMember: { input: { params: { id: string } }; answer: undefined };
  /** List the invitations of the project, newest first. */
  listInvitations: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            state?: ('open' | 'accepted' | 'revoked' | 'expired')[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Invitation[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Invite a person by a link.
   *
   * The first person who opens the link and signs in becomes a member with the role. The link works once, for 7 days, and is returned only in this response. It ends when its creator may no longer grant the role: a person who is demoted or removed, a key that is revoked, rolled, narrowed or given an end. Keys with IP address ranges, an expiry or lowered rates cannot invite. The maximum is 200 open invitations per project.
   */
  createInvitation: { input: { body: InvitationCreate }; answer: NewInvitation };
  /** Get an invitation, without its link. */
  getInvitation: { input: { params: { id: string } }; answer: Invitation };
  /** Revoke an invitation. Its link stops working immediately. */
  revokeInvitation: { input: { params: { id: string } }; answer: undefined };
  /** List the objects of the project, by default newest first. */
  listObjects: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total`, `facets` and `months` count all matches, and `stops` reads them, which takes extra time. `derived_count` counts what was made from each object. */
            include?: ('total' | 'facets' | 'months' | 'stops' | 'derived_count')[] | undefined;
            /** Only these objects. */
            id?: string[] | undefined;
            /** Full-text search in the filename, tags, metadata strings and text: what the file itself holds (read in the background after the upload) and what jobs have recognised, using the most complete text of each page. Text that a policy does not let this caller read now is excluded; where a policy requires redaction, the redacted text is searched. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix. Empty or `*` means no search. */
            q?: string | undefined;
            /** Default: all states except `trashed`. */
            state?: ('processing' | 'available' | 'rejected' | 'failed' | 'trashed')[] | undefined;
            /** Any of these media types. `image/*` matches all images. */
            mime?: string[] | undefined;
            /** Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash. */
            tag?: string[] | undefined;
            derived_from?: string | undefined;
            /** Uploaded, or produced by a job. */
            source?: 'upload' | 'job' | undefined;
            /** Outputs of jobs of any of these kinds, such as `searchable_pdf`. */
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
                  | 'attachment'
                )[]
              | undefined;
            /** Leaves out objects derived from an object that the same filters match: a redaction is not listed beside its source, but is if the source is in the trash. Default: false. */
            originals?: boolean | undefined;
            /** Only images taken in this part of the world: `west,south,east,north` in degrees (WGS 84). West may be greater than east, across the 180th meridian. Requires the `images:read` scope. */
            bbox?: string | undefined;
            created_after?: string | undefined;
            created_before?: string | undefined;
            sort?:
              | '-created_at'
              | 'created_at'
              | '-filename'
              | 'filename'
              | '-bytes'
              | 'bytes'
              | '-mime'
              | 'mime'
              | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedObject[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
      facets?: ObjectFacets | undefined;
      /** With `include=months`: all matches by the month in which they were added, newest first. Months without any are left out. */
      months?: MonthCount[] | undefined;
      stops?: Stops | undefined;
    };
  };
  /**
   * Upload a file.
   *
   * Send a form (multipart/form-data) with one part `file` and optional parts `tags` (repeated, or a JSON array) and `metadata` (a JSON object), in any order. Or send the bytes of the file with any other Content-Type and the header `X-Filename` (percent-encoded UTF-8, or an extended value as in RFC 8187). The media type is detected from the bytes. If an available object with the same bytes and filename exists, it is returned with 200, unless `on_duplicate=allow`. If a security policy depends on properties that require inspection (pixels, pages), the object is `processing` until they are known.
   */
  uploadObject: {
    input: {
      query?:
        | {
            /** `allow` always creates a new object. */
            on_duplicate?: 'reuse' | 'allow' | undefined;
          }
        | undefined;
      body: Bytes;
    };
    answer: Upload;
  };
  /** Get an object, including one in the trash. */
  getObject: { input: { params: { id: string } }; answer: Object };
  /**
   * Update the filename, tags or metadata of an object.
   *
   * A JSON Merge Patch. `tags` replaces all tags; `metadata` is merged. A patch without effect does not change the version.
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
   * Move an object to the trash, or purge it.
   *
   * Objects in the trash are purged after 30 days. Repeating the request does not extend that time. Rejected and failed objects are purged immediately. `purge=true` permanently deletes the object and its image at once; it requires the `objects:purge` scope, and policies can still deny it.
   */
  trashObject: {
    input: {
      params: { id: string };
      query?:
        | {
            /** Include the objects that jobs derived from it. */ cascade?: 'outputs' | undefined;
            /** Delete the object permanently. */
            purge?: boolean | undefined;
          }
        | undefined;
    };
    answer: undefined;
  };
  /** Restore an object from the trash. */
  restoreObject: { input: { params: { id: string } }; answer: Object };
  /**
   * Download the bytes of an object.
   *
   * Returns all bytes or a single range (RFC 9110 §14), always as an attachment with the detected media type. The ETag is the SHA-256 of the whole file.
   */
  getObjectContent: { input: { params: { id: string } }; answer: Response };
  /**
   * Get a page of an object as a picture, with places marked.
   *
   * Draws a page of a PDF, PNG, JPEG, TIFF or WebP file. Of Office, e-mail, EPUB and text files, draws what they say plainly: a sheet of a workbook, a slide of a presentation, the beginning of others. A small picture of the first slide is the thumbnail that the file carries, if any. `boxes` marks places on it, such as those of a chunk or a finding. `Accept` selects WebP or PNG; WebP is preferred. Where a policy requires a redaction and serves it instead, the picture shows the page of the redaction. The first page of a document is drawn on arrival as WebP with `width=480`. Pictures are kept for a while, count towards `storage_bytes` meanwhile, and are shared by equal requests. If a worker has not drawn the page after 10 seconds, the response is 409 with `retryable: true` and `Retry-After`.
   */
  getPageImage: {
    input: {
      params: { id: string; n: page };
      query?:
        | {
            /** The least width in pixels. Default: 1000. The page is drawn in the next of 160, 320, 480, 700, 1000, 1280, 1400, 2000, 2400. Very long pages become narrower. */
            width?: number | undefined;
            /** Places to mark: `x,y,width,height` in points of the page as displayed, from its top left corner, separated by semicolons. Chunks and words have the same unit, but as left, top, right and bottom sides. */
            boxes?: string | undefined;
          }
        | undefined;
    };
    answer: Response;
  };
  /**
   * Get the words of a page with their places.
   *
   * Reads the text that a PDF holds for the page, visible or not. For a page without any, and for pictures, returns the words that the latest `ocr` job recognised, if its results have not expired and no redaction follows in the job. Nothing is recognised by this request. Where a policy requires a redaction and serves it instead, the words are those of the redaction. If a worker has not read the page after 10 seconds, the response is 409 with `retryable: true` and `Retry-After`.
   */
  getPageText: { input: { params: { id: string; n: page } }; answer: PageText };
  /**
   * Create a temporary URL that downloads an object without an API key.
   *
   * For browsers and other clients without a key. The URL stops working when it expires, when the key that created it is revoked, expires or loses the scope, when the person who created it is no longer a member, and when the object is trashed. If a policy allows a shorter lifetime, or the key expires earlier, the lifetime is shortened: see `expires_at` and `warnings`. If a policy on `sign` requires a redaction and serves it instead, the URL downloads the redaction. A URL that policies would always deny is not created.
   */
  createSignedUrl: {
    input: {
      params: { id: string };
      body: {
        /** Default: `3600`. */
        ttl_seconds?: number | undefined;
        /** `inline` lets a browser display images, PDF, plain text, audio and video. Other types are always attachments. Default: `"attachment"`. */
        disposition?: 'attachment' | 'inline' | undefined;
      };
    };
    answer: SignedUrl;
  };
  /**
   * List who downloaded an object, the latest first.
   *
   * One entry for each actor, content and way: with a key or a session, by a signed URL, in an archive, by a shared link. Downloads of another object that delivered this one, its redaction, are included. They appear within seconds and stay for 90 days after the last one. Previews are not recorded. Requires `audit:read`, since it shows what people do; `dam.object.downloaded` and `dam.share.downloaded` are the events.
   */
  listObjectDownloads: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: DownloadList;
  };
  /** List the jobs of an object, newest first. */
  listObjectJobs: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            state?:
              | (
                  | 'queued'
                  | 'running'
                  | 'awaiting_review'
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
   * List the collections that contain an object or its image.
   *
   * Newest first, without the trash. Includes smart collections whose query matches the image; their `member_count` is null.
   */
  listObjectCollections: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedCollection[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Empty the trash.
   *
   * Objects that a policy keeps (`legal_hold`, `retention`) remain and are counted as `held`. Up to 50 objects are purged before the response. If more remain, the response is 202 and the rest is purged in the background; `GET /v1/objects?state=trashed` shows the progress. Objects trashed after the request are not purged. The request is safe to repeat.
   */
  emptyTrash: { input: Record<string, never>; answer: TrashEmptied };
  /**
   * Download many objects as one ZIP file.
   *
   * Each file is what a download of the object would deliver, so policies may remove metadata or substitute a redaction. Policies are evaluated for all objects before the first byte. If one is denied the request is rejected, or with `on_error` set to `continue` the object is left out. `manifest.json` in the archive lists the files with object and hash, and the objects left out. Duplicate names are numbered: `scan (2).pdf`. The same objects produce the same bytes. The download cannot be resumed.
   */
  archiveObjects: {
    input: {
      body: {
        ids: string[];
        /** `continue` leaves out objects that cannot be delivered and lists them in the manifest. `abort` rejects the request. Default: `"abort"`. */
        on_error?: 'abort' | 'continue' | undefined;
      };
    };
    answer: Response;
  };
  /**
   * Get the supported tus version and extensions.
   *
   * Returns Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm. Requires the two credential headers, like all of `/v1`.
   */
  describeUploads: { input: Record<string, never>; answer: undefined };
  /**
   * Create a resumable upload.
   *
   * Uses tus 1.0 (https://tus.io), which has clients in many languages. `Upload-Metadata` has pairs of a key and a base64 value: `filename` (required), `filetype`, `tags` (a JSON array), `metadata` (a JSON object) and `on_duplicate` (`reuse` or `allow`). Other keys, and keys without a value, are ignored. Send the bytes with PATCH to the URL in the Location header. The first bytes may be in the body of this request, with the Content-Type `application/offset+octet-stream`. Uploads that are not complete after 24 hours expire.
   */
  createUpload: { input: { body?: Bytes | undefined }; answer: Response };
  /**
   * Get an upload with its progress and result.
   *
   * HEAD follows tus: it requires Tus-Resumable and returns Upload-Offset, Upload-Length and Upload-Metadata, and Object-Id once the upload is complete. GET needs no tus headers.
   */
  getUpload: { input: { params: { id: string } }; answer: ResumableUpload };
  /**
   * Append bytes to an upload.
   *
   * Received bytes are kept even if the connection breaks; HEAD returns the offset to continue from. The last bytes create the object, and the response has its identifier in Object-Id. Repeating the last PATCH with an empty body returns the same. Clients that cannot send PATCH send POST with `X-HTTP-Method-Override: PATCH`.
   */
  appendToUpload: { input: { params: { id: string }; body: Bytes }; answer: undefined };
  /**
   * Terminate an upload and delete its bytes.
   *
   * Clients that cannot send DELETE send POST with `X-HTTP-Method-Override: DELETE`.
   */
  terminateUpload: { input: { params: { id: string } }; answer: undefined };
  /**
   * Search the images of the project.
   *
   * The search sees everything that was saved before the request. `OR` binds more tightly than AND: `red OR blue car` finds cars that are red or blue. If a search has at most two results and a word matches no image, the word is corrected to a similar word of the project, and `mended_query` has the corrected query. `collection_id` requires the `collections:read` scope. Words in phrases, excluded words and words with digits are not corrected.
   */
  searchImages: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** Full-text search. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix. The title ranks highest, then tags, description and alternative text, filename. Empty or `*` means no search. */
            q?: string | undefined;
            /** Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash. */
            tag?: string[] | undefined;
            /** Only images without tags, or only images with tags. */
            untagged?: boolean | undefined;
            /** Any of these media types. `image/*` matches all. */
            mime?:
              | (
                  | 'image/jpeg'
                  | 'image/png'
                  | 'image/webp'
                  | 'image/avif'
                  | 'image/heic'
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
            /** Only images taken in this part of the world: `west,south,east,north` in degrees (WGS 84). West may be greater than east, across the 180th meridian. */
            bbox?: string | undefined;
            collection_id?: string | undefined;
            /** Default: all states except `trashed`. */
            state?: ('processing' | 'available' | 'rejected' | 'failed' | 'trashed')[] | undefined;
            /** Only these images. */
            id?: string[] | undefined;
            /** Only the images of these objects. */
            object_id?: string[] | undefined;
            /** Default: `relevance` (over the newest 10,000 matches) with `q`, otherwise `-created_at`. */
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
            /** `total`, `facets` and `months` count all matches, and `stops` reads them. */
            include?:
              | ('total' | 'facets' | 'months' | 'stops' | 'highlights' | 'collections')[]
              | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedImage[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
      facets?: Facets | undefined;
      /** With `include=months`: all matches by the month in which they were added, newest first. Months without any are left out. */
      months?: MonthCount[] | undefined;
      stops?: Stops | undefined;
      /** Set when `q` matched little: `q` with a misspelt word corrected. The results are those of the corrected query. */
      mended_query?: string | undefined;
    };
  };
  /**
   * Update one image, several images, or all images that match a filter.
   *
   * The body has one of four forms: `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}` or `{filter, expected_count, patch}`.
   *
   * Patches are merged (RFC 7396). `tags` replaces all tags. `add_tags` and `remove_tags` are safe with concurrent edits. A patch without effect does not change the version and records no event.
   *
   * With `on_error: "abort"`, all images change or none, and the problem lists every fault with its pointer. With `continue`, every image that can be changed is, and `results` has the problems of the others. An invalid body rejects the request in both cases.
   *
   * The `If-Match` header applies to the form `{id}` only. In `updates`, use `if_match` next to each `id`. If the number of images that match `filter` is not `expected_count`, nothing changes and the request returns `count_changed` with `actual_count`. `filter` requires the `images:read` scope, and its `collection_id` also `collections:read`.
   */
  updateImages: { input: { body: ImageEdits }; answer: ImageEditResults };
  /**
   * Count the images by where they were taken.
   *
   * For maps: images outside the trash whose file says where they were taken, counted in the cells of a grid. The `bbox` of a place is a filter of `GET /v1/images` and `GET /v1/objects` that finds its images.
   */
  listImagePlaces: {
    input: {
      query?:
        | {
            /** Only images taken in this part of the world: `west,south,east,north` in degrees (WGS 84). West may be greater than east, across the 180th meridian. */
            bbox?: string | undefined;
            /** How finely places are told apart: images in one cell of a grid are counted together. Its cells are 30 degrees wide at 0, and half as wide with each further step. Default: 0. */
            zoom?: number | undefined;
          }
        | undefined;
    };
    answer: ImagePlaces;
  };
  /** Get an image, including one in the trash. */
  getImage: { input: { params: { id: string } }; answer: Image };
  /**
   * Update an image.
   *
   * A JSON Merge Patch. `tags` replaces all tags. `add_tags` and `remove_tags` are safe with concurrent edits. `metadata` is merged. Tags and metadata are shared with the object. A patch without effect does not change the version.
   */
  updateImage: { input: { params: { id: string }; body: ImagePatch }; answer: Image };
  /**
   * Move an image and its object to the trash.
   *
   * They are purged after 30 days. Repeating the request does not extend that time.
   */
  trashImage: { input: { params: { id: string } }; answer: undefined };
  /** Restore an image and its object from the trash. */
  restoreImage: { input: { params: { id: string } }; answer: Image };
  /**
   * Get a rendition of an image for display.
   *
   * `thumb` fits into 160 × 160 pixels; the others have the maximum width in their name. Renditions are never larger than the image. `Accept` selects WebP or AVIF; WebP is preferred. Renditions are upright, sRGB and without metadata. While a rendition is being made, the response is 409 with `retryable: true` and `Retry-After`. If the image cannot be read, it is 409 with `retryable: false`.
   */
  getRendition: {
    input: { params: { id: string; name: 'thumb' | 'w320' | 'w640' | 'w1280' } };
    answer: Response;
  };
  /**
   * List the collections that contain an image.
   *
   * Newest first, without the trash. Includes smart collections whose query matches the image; their `member_count` is null.
   */
  listImageCollections: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedCollection[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List the collections of the project, by default newest first.
   *
   * `resource_type` and `resource_id` select the collections that contain an image or object, including smart collections whose query matches it.
   */
  listCollections: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. `covers` adds what to show as the cover of each. */
            include?: ('total' | 'covers')[] | undefined;
            /** Only these collections. */
            id?: string[] | undefined;
            /** Only direct children of this collection. `root`: only collections without a parent. */
            parent_id?: 'root' | string | undefined;
            kind?: ('manual' | 'smart')[] | undefined;
            state?: ('available' | 'trashed')[] | undefined;
            /** Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash. */
            tag?: string[] | undefined;
            /** Part of the name. Case is ignored. Empty or `*` means no search. */
            q?: string | undefined;
            /** With `resource_id`: only collections that contain this resource, including smart collections. */
            resource_type?: 'image' | 'object' | undefined;
            resource_id?: string | undefined;
            sort?: '-created_at' | 'created_at' | 'name' | '-name' | undefined;
          }
        | undefined;
    };
    answer: {
      data: ListedCollection[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Create a manual or smart collection.
   *
   * A manual collection has a list of members. A smart collection has a `query` with the filters of GET /v1/images, and contains the images that match at any time. A query requires the `images:read` scope, and its `collection_id` also `collections:read`.
   */
  createCollection: { input: { body: NewCollection }; answer: Collection };
  /** Get a collection, including one in the trash. */
  getCollection: { input: { params: { id: string } }; answer: Collection };
  /**
   * Update a collection, or move it to another parent.
   *
   * A JSON Merge Patch. `tags` replaces all tags; `metadata` and `query` are merged. A new name or parent changes the `path` and version of all nested collections. A patch without effect does not change the version. `kind` cannot be changed.
   */
  updateCollection: {
    input: { params: { id: string }; body: CollectionPatch };
    answer: Collection;
  };
  /**
   * Move a collection and its nested collections to the trash.
   *
   * Members are not affected. Collections in the trash are purged after 30 days. Repeating the request does not extend that time.
   */
  trashCollection: { input: { params: { id: string } }; answer: undefined };
  /** Restore a collection and everything trashed with it. */
  restoreCollection: { input: { params: { id: string } }; answer: Collection };
  /**
   * List the members of a collection in order.
   *
   * A manual collection has its own order. A smart collection contains the images that currently match its query, in the order of the search. Members in the trash are left out.
   */
  listCollectionMembers: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `resource` adds the record of each member and requires `images:read` and `objects:read`. `total` adds the number of members. */
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
   * Add an image or object to the end of a collection.
   *
   * Returns 200 if it is already a member, without moving it. An image and its object are separate members.
   */
  addCollectionMember: {
    input: { params: { id: string }; body: MemberRefInput };
    answer: CollectionMember;
  };
  /**
   * Add and remove several members of a collection.
   *
   * Members are added at the end in the given order. The maximum is 500 members in total. A member must not be in both lists.
   */
  changeCollectionMembers: {
    input: {
      params: { id: string };
      body: {
        /** Default: `[]`. */
        add?: MemberRefInput[] | undefined;
        /** Default: `[]`. */
        remove?: MemberRefInput[] | undefined;
        /** `abort`: all or nothing. `continue`: apply every change that is possible. Default: `"abort"`. */
        on_error?: 'abort' | 'continue' | undefined;
      };
    };
    answer: {
      member_count: number;
      /** The version of the collection after the batch. */
      version: number;
      /** One result per input: first `add`, then `remove`. */
      results: CollectionMemberResult[];
    };
  };
  /** Move a member directly before or after another one. */
  moveCollectionMember: {
    input: {
      params: { id: string; type: 'image' | 'object'; rid: string };
      body: {
        before?: MemberRefInput | undefined;
        after?: MemberRefInput | undefined;
      };
    };
    answer: CollectionMember;
  };
  /**
   * Remove a member from a collection.
   *
   * The image or object itself is not affected. Members in the trash, which lists do not show, can be removed too.
   */
  removeCollectionMember: {
    input: { params: { id: string; type: 'image' | 'object'; rid: string } };
    answer: undefined;
  };
  /**
   * List the shares of the project, newest first.
   *
   * Revoked and expired ones stay in the list for 90 days.
   */
  listShares: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            state?: ('active' | 'expired' | 'used_up' | 'revoked')[] | undefined;
            kind?: ('view' | 'upload')[] | undefined;
            /** The shared objects. */
            object_id?: string[] | undefined;
            /** The shared collections, and those that uploads are added to. */
            collection_id?: string[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Share[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Share an object or a collection by a link, or let people upload by one.
   *
   * The link works without a key, in any browser. It shows what is available at that time and passes the policies: a collection with what is in it and below it, with previews. It stops working when it expires, when one of its limits is reached, when it is revoked, and when the key that created it is revoked, expires or loses a scope or the person who created it loses access. The creator needs the scopes that the link grants: `objects:read` and `images:read`, for a collection `collections:read`, for downloads `objects:download`; for uploads `objects:write` and, with a target collection, `collections:write`. The maximum is 10000 shares per project.
   */
  createShare: { input: { body: ShareCreate }; answer: Share };
  /** Get a share, with its link and its counters. */
  getShare: { input: { params: { id: string } }; answer: Share };
  /**
   * Change a share. Its link stays the same.
   *
   * Takes effect immediately, also for visitors who have opened the link. A new `password` has to be entered by them, too. An expired or used up share works again with a later end or a higher limit.
   */
  updateShare: { input: { params: { id: string }; body: SharePatch }; answer: Share };
  /** Revoke a share. Its link stops working immediately. */
  revokeShare: { input: { params: { id: string } }; answer: undefined };
  /**
   * Start a job that runs operations in order on the pages of an object.
   *
   * Returns immediately. To follow the job, poll it, stream it or use a webhook.
   */
  createJob: {
    input: {
      body: {
        source_object_id: string;
        operations?: JobOperation[] | undefined;
        /** A preset, instead of `operations`. */
        preset_id?: string | undefined;
        /** The pages to process, such as `1-3,7`. Default: all pages. Every page must exist. If the page count of the object is known, the request returns 422 `pages_out_of_range`; otherwise the operation fails with that code. */
        pages?: string | undefined;
        /** Your own data, up to 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /** List the jobs of the project, by default newest first. */
  listJobs: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            state?:
              | (
                  | 'queued'
                  | 'running'
                  | 'awaiting_review'
                  | 'cancelling'
                  | 'succeeded'
                  | 'partially_succeeded'
                  | 'failed'
                  | 'cancelled'
                )[]
              | undefined;
            /** Only jobs with one of these operations. */
            op?: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[] | undefined;
            source_object_id?: string | undefined;
            created_after?: string | undefined;
            created_before?: string | undefined;
            sort?: '-created_at' | 'created_at' | '-state' | 'state' | undefined;
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
   * With `on_error: "abort"`, a job is created for every object or for none, and the problem names each object that cannot be processed. With `continue`, `results` has the job or the problem of each object. Invalid operations reject the request in both cases.
   *
   * Each job is independent and has its own events. Large batches do not delay other projects.
   */
  createJobs: {
    input: {
      body: {
        source_object_ids: string[];
        operations?: JobOperation[] | undefined;
        /** A preset, instead of `operations`. */
        preset_id?: string | undefined;
        /** Your own data, up to 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
        /** `abort`: a job for every object or for none. `continue`: a job for every object that can be processed. Default: `"abort"`. */
        on_error?: 'abort' | 'continue' | undefined;
      };
    };
    answer: JobBatchResults;
  };
  /** Start a job with the single operation `ocr`. */
  startOcr: {
    input: {
      body: {
        source_object_id: string;
        /** The languages to expect, as ISO 639-2 codes. Default: `["eng"]`. */
        languages?: string[] | undefined;
        /** Which outputs to produce. Default: `["searchable_pdf"]`. */
        output?: ('searchable_pdf' | 'text' | 'words')[] | undefined;
        /** What to do with pages that already have text. `skip`: keep their text, and recognise only pictures that hold other text. `redo`: replace an invisible text layer. `force`: rasterise and recognise them. Default: `"skip"`. */
        existing_text?: 'skip' | 'redo' | 'force' | undefined;
        /** Straighten skewed pages in the PDF. Default: `false`. */
        deskew?: boolean | undefined;
        /** Detect the orientation of each page and rotate it in the PDF. Default: `true`. */
        rotate?: boolean | undefined;
        /** Write the searchable PDF as PDF/A-2b (ISO 19005-2). A warning lists what was removed and which pages became pictures. Default: `false`. */
        pdfa?: boolean | undefined;
        /** The pages to process, such as `1-3,7`. Default: all pages. Every page must exist. If the page count of the object is known, the request returns 422 `pages_out_of_range`; otherwise the operation fails with that code. */
        pages?: string | undefined;
        /** Your own data, up to 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Start a job with the single operation `redact_pii`.
   *
   * Finds personal data, removes it permanently, and verifies that it is gone. PDFs and images get an implicit `ocr` operation first. An output is stored only if it passes verification.
   */
  startRedaction: {
    input: {
      body: {
        source_object_id: string;
        /** What to remove: a profile, or a list of types of personal data. `GET /v1/capabilities` describes both. Default: `"personal"`. */
        entities?:
          | 'personal'
          | 'hipaa'
          | 'pci'
          | 'gdpr'
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
              | 'NATIONAL_ID'
              | 'PERSONAL_ID'
              | 'SPECIAL_CATEGORY'
            )[]
          | undefined;
        /** Findings with a lower confidence are not removed. Default: `0.4`. */
        min_confidence?: number | undefined;
        /** `blackbox` draws a black box. `label` draws a box with the type of data it hides. In text that the same job produces, a mark replaces the data. The mark shows the type, except with `blackbox` in files without pages. Default: `"blackbox"`. */
        style?: 'blackbox' | 'label' | undefined;
        /** How far boxes extend in PDFs and images. `to_edge`: to what follows on the line, to the next column or to the edge of the page, so a box does not tell the length of what it hides. `padded`: to a multiple of 54 points, which tells the length in steps. `tight`: around the text, which tells its length. Default: `"to_edge"`. */
        box?: 'tight' | 'padded' | 'to_edge' | undefined;
        /** Make the redacted PDF of a scan searchable: the recognised words that were not removed become invisible text. Default: `true`. */
        text_layer?: boolean | undefined;
        /** Patterns of your own to remove. Default: `[]`. */
        custom_patterns?:
          | {
              /** Findings get the type `CUSTOM_` followed by this name. */
              name: string;
              /** A regular expression in RE2 syntax, without look-around or backreferences. In recognised text it also matches across stray blanks between digits or beside an @. */
              pattern: string;
              /** Default: `false`. */
              case_sensitive?: boolean | undefined;
            }[]
          | undefined;
        /** Values that are never removed. Case is ignored. Default: `[]`. */
        allow_list?: string[] | undefined;
        /** Also store the unredacted outputs of earlier operations as objects. Requires the `pii:read` scope. Default: `false`. */
        keep_unredacted?: boolean | undefined;
        /** Whether a person decides about the findings before the operation continues. `required`: about all of them. `below`: about those with a score below `review_below`; the others are accepted, and without any below the operation does not wait. Default: `"none"`. */
        review?: 'none' | 'required' | 'below' | undefined;
        /** With `review: "below"`, the score from which a finding is accepted at once. Default: `0.8`. */
        review_below?: number | undefined;
        /** Who may submit the review. `not_requester`: not who started the job (the four-eyes principle). A key counts as the person or key that it comes from. Default: `"anyone"`. */
        reviewers?: 'anyone' | 'not_requester' | undefined;
        /** After this many seconds without a submission the operation fails with `review_expired`. Default: 14 days. */
        review_expires_in?: number | undefined;
        /** The pages to process, such as `1-3,7`. Default: all pages. Every page must exist. If the page count of the object is known, the request returns 422 `pages_out_of_range`; otherwise the operation fails with that code. */
        pages?: string | undefined;
        /** Your own data, up to 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Start a job with the single operation `classify`.
   *
   * Detects the type of document and labels the object with it. PDFs and images get an implicit `ocr` operation first. Policies use the labels only if all pages were processed with `rotate` enabled; labels of a part of the pages are only shown.
   */
  startClassification: {
    input: {
      body: {
        source_object_id: string;
        /** How many labels to return, most likely first. Default: `3`. */
        top_k?: number | undefined;
        /** Whether a person decides about the findings before the operation continues. `required`: about all of them. `below`: about those with a score below `review_below`; the others are accepted, and without any below the operation does not wait. Default: `"none"`. */
        review?: 'none' | 'required' | 'below' | undefined;
        /** With `review: "below"`, the score from which a finding is accepted at once. Default: `0.8`. */
        review_below?: number | undefined;
        /** Who may submit the review. `not_requester`: not who started the job (the four-eyes principle). A key counts as the person or key that it comes from. Default: `"anyone"`. */
        reviewers?: 'anyone' | 'not_requester' | undefined;
        /** After this many seconds without a submission the operation fails with `review_expired`. Default: 14 days. */
        review_expires_in?: number | undefined;
        /** The pages to process, such as `1-3,7`. Default: all pages. Every page must exist. If the page count of the object is known, the request returns 422 `pages_out_of_range`; otherwise the operation fails with that code. */
        pages?: string | undefined;
        /** Your own data, up to 16 KiB as JSON. */
        metadata?: Record<string, unknown> | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Get a job with its progress.
   *
   * While the job runs, `Retry-After` says when to poll again. `Prefer: wait=10` delays the response until the job changes, up to 10 seconds. `Accept: text/event-stream` streams every change until the job ends.
   */
  getJob: { input: { params: { id: string } }; answer: Job };
  /**
   * List the results of each operation on each page.
   *
   * Values found by `redact_pii`, and the text of earlier operations, require the `pii:read` scope.
   */
  listJobPages: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. `words` adds each word with its box and reduces `limit` to 10. */
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
   * Get the state of every page in every operation.
   *
   * Returns runs of consecutive pages in the same state, so that the response stays small for a job of 2,000 pages. An operation that has not started has no runs.
   */
  getJobPageStates: { input: { params: { id: string } }; answer: PageStates };
  /**
   * Cancel a job.
   *
   * Returns 202, or 200 if cancellation was already requested.
   */
  cancelJob: { input: { params: { id: string } }; answer: Job };
  /** Retry the failed pages of a job, or all pages, as a new job. */
  retryJob: {
    input: {
      params: { id: string };
      body: {
        /** `failed_pages` keeps the results of pages that succeeded. Default: `"failed_pages"`. */
        scope?: 'failed_pages' | 'all' | undefined;
      };
    };
    answer: Job;
  };
  /**
   * Get the signed certificate of a redaction.
   *
   * Says what was redacted from which bytes, how that was verified, and who reviewed it. The Ed25519 signature is over `certificate` as canonical JSON (RFC 8785); `GET /v1/documents/certificate-keys` has the public key. `Accept: application/pdf` returns a PDF for people, with the signed JSON attached.
   */
  getCertificate: { input: { params: { id: string } }; answer: Certificate };
  /**
   * List the public keys that verify certificates.
   *
   * Empty before the first certificate of the project.
   */
  listCertificateKeys: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: CertificateKey[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List the presets of the project, newest first.
   *
   * The presets of the service are in `GET /v1/capabilities`.
   */
  listPresets: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Preset[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Create a preset.
   *
   * A named list of operations with their options. Start jobs with its `preset_id`. Options that are left out get their current defaults. The maximum is 100 presets per project.
   */
  createPreset: {
    input: {
      body: {
        /** Unique in the project, whatever its case. */
        name: string;
        description?: string | null | undefined;
        operations: JobOperation[];
      };
    };
    answer: Preset;
  };
  /** Get a preset. */
  getPreset: { input: { params: { id: string } }; answer: Preset };
  /**
   * Update a preset.
   *
   * `operations` are replaced. Jobs that were started before do not change.
   */
  updatePreset: {
    input: {
      params: { id: string };
      body: {
        /** Unique in the project, whatever its case. */
        name?: string | undefined;
        description?: string | null | undefined;
        operations?: JobOperation[] | undefined;
      };
    };
    answer: Preset;
  };
  /** Delete a preset. Jobs that were started with it continue. */
  deletePreset: { input: { params: { id: string } }; answer: undefined };
  /** List the reviews of the project, by default oldest first. */
  listReviews: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            sort?:
              | '-created_at'
              | 'created_at'
              | '-expires_at'
              | 'expires_at'
              | '-state'
              | 'state'
              | undefined;
            state?: ('open' | 'submitted' | 'rejected' | 'cancelled' | 'expired')[] | undefined;
            op?: ('redact_pii' | 'classify')[] | undefined;
            /** Only reviews that this key or person holds now. */
            claimed_by?: string | undefined;
            job_id?: string | undefined;
          }
        | undefined;
    };
    answer: {
      data: Review[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Get how people decided about findings, by type and score.
   *
   * Counts the findings of submitted reviews, also after these have been deleted. For each type: how many were right, by tenth of the score, and which errors each threshold would have had.
   */
  getReviewStats: {
    input: {
      query?:
        | {
            /** Only reviews submitted at this time or later. */ from?: string | undefined;
            /** Only reviews submitted before this time. */
            to?: string | undefined;
            op?: ('redact_pii' | 'classify')[] | undefined;
          }
        | undefined;
    };
    answer: ReviewStats;
  };
  /** Get a review. */
  getReview: { input: { params: { id: string } }; answer: Review };
  /** List the pages of a review with their sizes and the number of findings by decision. */
  listReviewPages: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: ReviewPage[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List the text of a file without pages, piece by piece.
   *
   * The text that findings refer to by their `range`. It is kept encrypted for 30 days after the review has ended; then the list is empty, as it is for reviews of pages.
   */
  listReviewText: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            page?: number | undefined;
            /** Start with this piece of `page`. */
            piece?: number | undefined;
          }
        | undefined;
    };
    answer: {
      data: ReviewText[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List the findings of a review by page.
   *
   * Findings are kept encrypted for 30 days after the review has ended; then the list is empty and only `counts` of the review remain.
   */
  listFindings: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            /** 0 for what is on no page. */
            page?: number | undefined;
            /** Only findings with at least this score. */
            min_score?: number | undefined;
            /** Only findings with at most this score. */
            max_score?: number | undefined;
            decision?: ('pending' | 'accepted' | 'rejected')[] | undefined;
            type?: string[] | undefined;
            source?: ('detector' | 'person')[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: Finding[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Accept, reject or reset findings.
   *
   * Selects findings by `ids` or by `filter`, which matches findings of the detector only. `type` also changes their type. The change is atomic. Rejected findings stay in the file, so `reject` requires the `pii:read` scope.
   */
  decideFindings: {
    input: { params: { id: string }; body: FindingDecisions };
    answer: FindingsChanged;
  };
  /**
   * Add what was not found: areas, words, or a text wherever it occurs.
   *
   * Added findings are accepted. Areas and words are removed from their place; a text with `everywhere` is also verified to be gone from the whole output. `text` requires the `pii:read` scope, and that policies allow reading the source.
   */
  addFindings: { input: { params: { id: string }; body: NewFinding }; answer: FindingsAdded };
  /**
   * Delete a finding that a person added.
   *
   * Deleting what someone else added requires the `pii:read` scope.
   */
  removeFinding: { input: { params: { id: string; finding_id: string } }; answer: FindingsChanged };
  /**
   * Claim a review for 30 minutes, or renew the claim.
   *
   * While a review is claimed, others cannot change it. Every decision claims it, too.
   */
  claimReview: { input: { params: { id: string } }; answer: Review };
  /** Release a claimed review. Its decisions stay. */
  releaseReview: { input: { params: { id: string } }; answer: Review };
  /**
   * Submit a review: the operation continues with its decisions.
   *
   * Exactly what was accepted or added is removed, and the removal is verified. What was rejected stays. `If-Match` makes sure that the caller has seen the latest decisions.
   */
  submitReview: { input: { params: { id: string }; body: ReviewSubmission }; answer: Review };
  /** Reject a review: the operation fails with `review_rejected`. */
  rejectReview: { input: { params: { id: string }; body: ReviewRejection }; answer: Review };
  /**
   * Build a pack of documents for language models.
   *
   * Each document becomes text by a separate job, or by an earlier job with the same bytes and options. The output is a ZIP file with a manifest, a Markdown file per document, and the chunks of all documents with what is needed to cite them. The same documents and options produce the same bytes. With `refreshes`, `changes.json` lists what is different from that pack. A `filter` requires the `objects:read` scope, a `collection_id` also `collections:read`. Policies are evaluated for each document; the manifest names those that are left out.
   */
  createPack: { input: { body: NewPack }; answer: Pack };
  /** List the packs of the project, by default newest first. */
  listPacks: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
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
            sort?: '-created_at' | 'created_at' | '-name' | 'name' | '-state' | 'state' | undefined;
          }
        | undefined;
    };
    answer: {
      data: Pack[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Get a pack with its progress.
   *
   * While the pack is built, `Retry-After` says when to poll again. `Prefer: wait=10` delays the response until the pack changes, up to 10 seconds. `Accept: text/event-stream` streams every change until the pack ends.
   */
  getPack: { input: { params: { id: string } }; answer: Pack };
  /** List the documents of a pack, by filename. */
  listPackDocuments: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            state?:
              | ('pending' | 'running' | 'succeeded' | 'withheld' | 'failed' | 'cancelled')[]
              | undefined;
          }
        | undefined;
    };
    answer: {
      data: PackDocument[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * List what is different since the pack that a pack refreshes.
   *
   * The content of `changes.json`, by the filenames of the documents: those that were added, changed and removed, in this order.
   */
  listPackChanges: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            change?: ('added' | 'changed' | 'removed')[] | undefined;
          }
        | undefined;
    };
    answer: {
      data: PackChange[];
      has_more: boolean;
      next_cursor: string | null;
      total: number | null;
    };
  };
  /**
   * Cancel a pack, and the jobs that were started for it.
   *
   * Returns 202, or 200 if cancellation was already requested.
   */
  cancelPack: { input: { params: { id: string } }; answer: Pack };
  /**
   * Retry a pack that lacks documents, as a new pack.
   *
   * The new pack has the same documents and options. Documents that succeeded are not processed again.
   */
  retryPack: { input: { params: { id: string } }; answer: Pack };
  /**
   * Get the object, pages, boxes and text of a chunk.
   *
   * Resolves the `id` of a chunk in `chunks.jsonl` of a pack. Policies for reading apply. `images` has the URL of a picture of each page with the text marked; in a redacted pack, of the redaction.
   */
  getCitation: { input: { params: { id: chunk } }; answer: Citation };
  /** List the security policies of the project, by default newest first. */
  listPolicies: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            sort?:
              | '-created_at'
              | 'created_at'
              | '-updated_at'
              | 'updated_at'
              | '-name'
              | 'name'
              | '-mode'
              | 'mode'
              | undefined;
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
   * Create a security policy.
   *
   * The policy takes effect with this response. Every rule of every policy must pass: any denial overrides everything else, the lowest maximum and the longest retention apply, allow lists intersect, and order does not matter. If a rule depends on facts about a file that are unknown, showing and delivering it is denied. `legal_hold` and `retention` continue to apply to resources that have left the scope. The maximum is 200 policies per project.
   */
  createPolicy: { input: { body: PolicyCreate }; answer: Policy };
  /**
   * Evaluate the policies for an action without performing it.
   *
   * Evaluates a stored resource or a hypothetical file, optionally with unsaved drafts. Always returns 200 with a decision. `resource` requires the `objects:read` scope, or `images:read` for an image. A resource that does not exist is denied with the violation `resource_not_found`.
   */
  evaluatePolicies: {
    input: {
      body: {
        action: 'upload' | 'read' | 'download' | 'sign' | 'process' | 'delete';
        resource?: PolicyResource | undefined;
        /** A hypothetical file. Fields that are left out are unknown. */
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
              /** The IP address of the request. Default: the address of the caller. */
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
        /** Policy drafts to evaluate as if they were saved. */
        with?: PolicyDraft[] | undefined;
      };
    };
    answer: Evaluation;
  };
  /**
   * Count the objects that an unsaved policy alone would deny.
   *
   * Examines the newest available objects for each action of the policy. Nothing is saved. Requires the `objects:read` scope, too.
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
   * Update a security policy.
   *
   * `scope` and `rules` are replaced, `when` is merged. Holds end when the policy is disabled or the rule is removed.
   */
  updatePolicy: { input: { params: { id: string }; body: PolicyPatch }; answer: Policy };
  /** Delete a security policy and its holds. */
  deletePolicy: { input: { params: { id: string } }; answer: undefined };
  /**
   * Count the objects that a policy alone would deny.
   *
   * Examines the newest available objects for each action of the policy. `with` evaluates a changed version of the policy, and requires the `objects:read` scope.
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
   * Read events in the order of their sequence.
   *
   * Continue from `next_cursor` to miss no event, even if a transaction commits late. It is also set on the last page. `wait_seconds` waits for the first event. `published=false` returns only events that are neither acknowledged nor delivered to every webhook that should get them. It filters by the current state: a cursor does not return to an event that changes later.
   *
   * With `Accept: application/x-ndjson` the response is an export with one event per line, of all events at the start of the request. With `Accept: text/csv` it is a table with a header line; values that a spreadsheet would treat as formulas are prefixed with an apostrophe. All filters, `after` and `order` apply. `limit` is the maximum number of events (default: all). `cursor`, `wait_seconds` and `include` are not allowed. If an export cannot be completed, because the key is revoked or events expire, the connection is aborted: an export is complete only if the connection ends cleanly.
   */
  listEvents: {
    input: {
      query?:
        | {
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            /** The page size. Default: 50. Larger values are reduced to 1000. For an export, the maximum number of events. Default: all. */
            limit?: number | undefined;
            /** `audit` requires the `audit:read` scope. */
            category?: 'domain' | 'audit' | undefined;
            /** An event (`evt_…`) or a sequence. Reading starts after it. */
            after?: string | undefined;
            /** Event types. `documents.*` matches all types with this prefix. */
            type?: string[] | undefined;
            /** Resource identifiers. */
            resource_id?: string[] | undefined;
            /** Resource types. */
            resource_type?:
              | (
                  | 'api_key'
                  | 'collection'
                  | 'consumer'
                  | 'delivery'
                  | 'image'
                  | 'invitation'
                  | 'job'
                  | 'member'
                  | 'object'
                  | 'pack'
                  | 'policy'
                  | 'preset'
                  | 'project'
                  | 'replay'
                  | 'review'
                  | 'share'
                  | 'vod_job'
                  | 'webhook'
                )[]
              | undefined;
            /** Actor types. */
            actor_type?:
              | ('api_key' | 'user' | 'share' | 'worker' | 'operator' | 'system' | 'service')[]
              | undefined;
            /** Actor identifiers, such as an API key (`key_…`). */
            actor_id?: string[] | undefined;
            /** Client IP addresses. Requires the `audit:read` scope. */
            address?: string[] | undefined;
            /** The `X-Request-Id` of the requests that caused the events. */
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
   * List the deliveries of an event to all webhooks, newest first.
   *
   * A replay creates a new delivery. Deliveries to deleted webhooks are included.
   */
  listEventDeliveries: {
    input: {
      query: {
        /** The page size. Default: 50. Larger values are reduced to 200. */
        limit?: number | undefined;
        /** The `next_cursor` of the previous page. Requires the same filters. */
        cursor?: string | undefined;
        /** `total` adds the number of all matches, which takes extra time. */
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
   * Acknowledge events, which marks them as published.
   *
   * Send either `event_ids`, or `up_to_sequence` for all domain events up to a sequence. Deliveries to webhooks continue. Many events are published in batches: if such a request fails, some of them may be published, and it can be repeated.
   */
  acknowledgeEvents: {
    input: {
      body: {
        event_ids?: string[] | undefined;
        up_to_sequence?: number | undefined;
      };
    };
    answer: {
      /** How many events became published. */
      acknowledged: number;
    };
  };
  /**
   * Follow events as server-sent events.
   *
   * The `id` of each message is the sequence of the event. A client that reconnects with `Last-Event-ID` continues without loss. Without it and without `after`, the stream starts with new events; `after=0` starts with the first. A comment every 15 seconds keeps the connection alive. The stream ends after 10 minutes, and the client reconnects.
   */
  streamEvents: {
    input: {
      query?:
        | {
            /** `audit` requires the `audit:read` scope. */
            category?: 'domain' | 'audit' | undefined;
            /** An event (`evt_…`) or a sequence. Reading starts after it. */
            after?: string | undefined;
            /** Event types. `documents.*` matches all types with this prefix. */
            type?: string[] | undefined;
            /** Resource identifiers. */
            resource_id?: string[] | undefined;
            /** Resource types. */
            resource_type?:
              | (
                  | 'api_key'
                  | 'collection'
                  | 'consumer'
                  | 'delivery'
                  | 'image'
                  | 'invitation'
                  | 'job'
                  | 'member'
                  | 'object'
                  | 'pack'
                  | 'policy'
                  | 'preset'
                  | 'project'
                  | 'replay'
                  | 'review'
                  | 'share'
                  | 'vod_job'
                  | 'webhook'
                )[]
              | undefined;
            /** Actor types. */
            actor_type?:
              | ('api_key' | 'user' | 'share' | 'worker' | 'operator' | 'system' | 'service')[]
              | undefined;
            /** Actor identifiers, such as an API key (`key_…`). */
            actor_id?: string[] | undefined;
            /** Client IP addresses. Requires the `audit:read` scope. */
            address?: string[] | undefined;
            /** The `X-Request-Id` of the requests that caused the events. */
            request_id?: string[] | undefined;
            occurred_after?: string | undefined;
            occurred_before?: string | undefined;
          }
        | undefined;
    };
    answer: Response;
  };
  /** List every event type with its schema and an example. */
  listEventTypes: {
    input: Record<string, never>;
    answer: {
      data: EventType[];
    };
  };
  /**
   * List the consumers of the project, newest first.
   *
   * Consumers of audit events are listed only with the `audit:read` scope.
   */
  listConsumers: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            /** Only the consumer with this name. */
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
   * Create a consumer, a named reader with a stored position.
   *
   * The filters of a consumer cannot be changed. The maximum is 100 consumers per project.
   */
  createConsumer: { input: { body: ConsumerCreate }; answer: Consumer };
  /** Get a consumer with its position and lag. */
  getConsumer: { input: { params: { id: string } }; answer: Consumer };
  /** Delete a consumer. Events are not affected. */
  deleteConsumer: { input: { params: { id: string } }; answer: undefined };
  /**
   * Read the events after the position of a consumer.
   *
   * Reading does not move the position. Process the events, commit `commit_sequence`, and read again. Uncommitted events are read again, so none is lost if a reader crashes; two concurrent readers get the same events. The response has the ETag of the consumer: a commit with it in `If-Match` returns 412 if the position has moved in the meantime. `wait_seconds` waits for the first event. If the events after the position are no longer retained, the response is 410 with `earliest_sequence`. Events that the filters exclude need no commit.
   */
  readConsumerEvents: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 1000. */
            limit?: number | undefined;
            wait_seconds?: number | undefined;
          }
        | undefined;
    };
    answer: ConsumerEvents;
  };
  /**
   * Commit the position of a consumer after processing events.
   *
   * Committing the same sequence again has no effect. A sequence before the position returns 409: use seek to go back. A sequence after the newest event returns 422. `ack` also acknowledges the committed events that match the filters: many of them in batches, before the position moves. If such a request fails, some of them may be published, and it can be repeated.
   */
  commitConsumer: {
    input: { params: { id: string }; body: ConsumerCommit };
    answer: ConsumerCommitted;
  };
  /**
   * Move a consumer to any retained position, backwards or forwards.
   *
   * `sequence` or `event_id` sets the position to that event, and reading continues after it. `to` continues with the earliest retained event, or with new events only. Seeking does not change whether events are published.
   */
  seekConsumer: { input: { params: { id: string }; body: ConsumerSeek }; answer: Consumer };
  /** List the webhooks of the project, by default newest first. */
  listWebhooks: {
    input: {
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            /** Only these webhooks. */
            id?: string[] | undefined;
            sort?:
              | '-created_at'
              | 'created_at'
              | '-updated_at'
              | 'updated_at'
              | '-url'
              | 'url'
              | '-state'
              | 'state'
              | undefined;
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
   * Create a webhook.
   *
   * Events are sent with POST, signed according to Standard Webhooks 1.0. The secret is returned only in this response and by rotate-secret. Audit types also require the `audit:read` scope. The webhook belongs to the project and keeps working if the key that created it is revoked or loses a scope.
   */
  createWebhook: { input: { body: WebhookCreate }; answer: WebhookWithSecret };
  /** Get a webhook. */
  getWebhook: { input: { params: { id: string } }; answer: Webhook };
  /**
   * Update a webhook.
   *
   * Changing `url`, `event_types`, `filter` or `payload` requires the `events:read` scope, and `audit:read` if the webhook has or had audit types. If the origin of `url` (scheme, host, port) changes, custom headers are dropped unless the same request sets them again. The signing secret does not change, since it is never sent. Pending deliveries go to the new URL.
   */
  updateWebhook: { input: { params: { id: string }; body: WebhookPatch }; answer: Webhook };
  /** Delete a webhook and cancel its pending deliveries. */
  deleteWebhook: { input: { params: { id: string } }; answer: undefined };
  /**
   * Rotate the secret and signing keys of a webhook.
   *
   * For `overlap_seconds` every message also carries signatures of the old secrets, so that receivers can migrate. At most ten secrets of a kind are kept; the oldest are dropped. Concurrent rotations run one after the other, each with a new secret; use `If-Match` to allow only one.
   */
  rotateWebhookSecret: {
    input: { params: { id: string }; body: WebhookSecretRotation };
    answer: WebhookWithSecret;
  };
  /**
   * Send a signed test message to a webhook.
   *
   * Sends an example event with `sequence` 0, then records a `webhooks.endpoint.tested` event with the same `id` and the outcome. An example has the data and identifiers that `GET /v1/event-types` shows, so that it matches none of your resources. It is not a delivery, and ignores the state and filter of the webhook. The response is 200 even if the receiver failed.
   */
  testWebhook: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The type of the example. */
            event_type?:
              | 'dam.object.created'
              | 'dam.object.available'
              | 'dam.object.updated'
              | 'dam.object.trashed'
              | 'dam.object.restored'
              | 'dam.object.purged'
              | 'dam.object.rejected'
              | 'dam.object.failed'
              | 'dam.object.url_signed'
              | 'dam.object.downloaded'
              | 'dam.trash.emptied'
              | 'dam.image.created'
              | 'dam.image.updated'
              | 'dam.image.tags_changed'
              | 'dam.image.trashed'
              | 'dam.image.restored'
              | 'dam.image.purged'
              | 'dam.collection.created'
              | 'dam.collection.updated'
              | 'dam.collection.trashed'
              | 'dam.collection.restored'
              | 'dam.collection.purged'
              | 'dam.collection_member.added'
              | 'dam.collection_member.removed'
              | 'dam.collection_member.reordered'
              | 'dam.share.created'
              | 'dam.share.updated'
              | 'dam.share.revoked'
              | 'dam.share.downloaded'
              | 'dam.policy.created'
              | 'dam.policy.updated'
              | 'dam.policy.deleted'
              | 'dam.policy.denied'
              | 'dam.policy.denial_observed'
              | 'documents.job.created'
              | 'documents.job.started'
              | 'documents.job.progressed'
              | 'documents.job.operation_finished'
              | 'documents.job.cancel_requested'
              | 'documents.job.cancelled'
              | 'documents.job.succeeded'
              | 'documents.job.partially_succeeded'
              | 'documents.job.failed'
              | 'documents.job.retried'
              | 'documents.job_page.failed'
              | 'documents.preset.created'
              | 'documents.preset.updated'
              | 'documents.preset.deleted'
              | 'documents.review.requested'
              | 'documents.review.claimed'
              | 'documents.review.released'
              | 'documents.review.submitted'
              | 'documents.review.rejected'
              | 'documents.review.expired'
              | 'documents.review.decided'
              | 'documents.pack.created'
              | 'documents.pack.started'
              | 'documents.pack.progressed'
              | 'documents.pack.succeeded'
              | 'documents.pack.partially_succeeded'
              | 'documents.pack.failed'
              | 'documents.pack.cancel_requested'
              | 'documents.pack.cancelled'
              | 'webhooks.endpoint.created'
              | 'webhooks.endpoint.updated'
              | 'webhooks.endpoint.deleted'
              | 'webhooks.endpoint.paused'
              | 'webhooks.endpoint.enabled'
              | 'webhooks.endpoint.disabled'
              | 'webhooks.endpoint.secret_rotated'
              | 'webhooks.endpoint.tested'
              | 'webhooks.deliveries.cancelled'
              | 'webhooks.replay.started'
              | 'webhooks.replay.completed'
              | 'webhooks.delivery.redelivered'
              | 'webhooks.delivery.exhausted'
              | 'events.consumer.created'
              | 'events.consumer.changed'
              | 'events.consumer.deleted'
              | 'access.api_key.created'
              | 'access.api_key.rolled'
              | 'access.api_key.updated'
              | 'access.api_key.revoked'
              | 'access.request.denied'
              | 'access.member.added'
              | 'access.member.accepted'
              | 'access.member.role_changed'
              | 'access.member.removed'
              | 'access.member.invited'
              | 'access.member.invitation_revoked'
              | 'media.vod_job.succeeded'
              | 'media.vod_job.progressed'
              | 'media.vod_job.failed'
              | undefined;
          }
        | undefined;
    };
    answer: WebhookTest;
  };
  /**
   * Pause a webhook. Its deliveries wait.
   *
   * Has no effect and records no event if the webhook is already in that state.
   */
  pauseWebhook: { input: { params: { id: string } }; answer: Webhook };
  /**
   * Enable a webhook and send its waiting deliveries.
   *
   * Has no effect and records no event if the webhook is already in that state. Audit types also require the `audit:read` scope.
   */
  enableWebhook: { input: { params: { id: string } }; answer: Webhook };
  /**
   * Disable a webhook. Its deliveries are skipped.
   *
   * Has no effect and records no event if the webhook is already in that state.
   */
  disableWebhook: { input: { params: { id: string } }; answer: Webhook };
  /** List the deliveries of a webhook, newest first. */
  listDeliveries: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
            include?: 'total'[] | undefined;
            state?:
              | ('pending' | 'delivering' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled')[]
              | undefined;
            /** The outcome of the latest attempt that has ended. */
            outcome?: ('succeeded' | 'failed' | 'unknown')[] | undefined;
            /** The status of the latest attempt that has ended: a code such as `503`, a class such as `5xx`, or `none` if the receiver did not answer. */
            status_code?: string[] | undefined;
            /** Event types. `documents.*` matches all types with this prefix. */
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
   * Get a delivery with its attempts.
   *
   * `request` and `request_headers` show the message as it is sent, `response_excerpt` the start of the response, which may contain the event. They are null without the `events:read` scope, and for audit types without `audit:read`.
   */
  getDelivery: {
    input: { params: { id: string; delivery_id: string } };
    answer: DeliveryWithAttempts;
  };
  /**
   * Retry a delivery immediately.
   *
   * If the attempt fails, the automatic schedule continues unchanged. Audit events also require the `audit:read` scope.
   */
  redeliver: { input: { params: { id: string; delivery_id: string } }; answer: Delivery };
  /**
   * Replay events of a time range: failed, missing, or all.
   *
   * The events are fixed when the replay starts; later events are not included. They are sent after new events, with the same retry schedule and the header `webhook-replay-id`. A failed delivery counts as succeeded once its replay succeeds. `dry_run` only counts the events and returns 200. A webhook can have one running replay at a time. Audit types also require the `audit:read` scope; without it, a replay of failed events leaves them out unless `event_types` names them.
   */
  replayWebhook: {
    input: { params: { id: string }; body: ReplayCreate };
    answer: ReplayPreview | Replay;
  };
  /** List the replays of a webhook, newest first. */
  listReplays: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The page size. Default: 50. Larger values are reduced to 200. */
            limit?: number | undefined;
            /** The `next_cursor` of the previous page. Requires the same filters. */
            cursor?: string | undefined;
            /** `total` adds the number of all matches, which takes extra time. */
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
  /** Get a replay with its progress. */
  getReplay: { input: { params: { id: string; replay_id: string } }; answer: Replay };
  /** Cancel a replay. Events not yet sent are not sent. */
  cancelReplay: { input: { params: { id: string; replay_id: string } }; answer: Replay };
  /**
   * Cancel pending deliveries of a webhook.
   *
   * To send cancelled deliveries later, replay missing events or redeliver them one by one.
   */
  cancelDeliveries: {
    input: { params: { id: string }; body: BacklogCancel };
    answer: BacklogCancelled;
  };
  /**
   * Get the success rate and response times of a webhook over time.
   *
   * Counts attempts, first ones and retries, by the time they ended. Response times are those of all attempts that were answered, whatever the status. Percentiles are estimates: each lies in the same class of the histogram as the exact value, and classes are at most twice as wide as their lower bound. Tests are not counted.
   */
  getWebhookStats: {
    input: {
      params: { id: string };
      query?:
        | {
            /** The last 24 hours in steps of 15 minutes, the last 7 days by hour, or the last 30 days in steps of six hours. */
            period?: '24h' | '7d' | '30d' | undefined;
          }
        | undefined;
    };
    answer: WebhookStats;
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
  listKeys: { method: 'GET', path: '/v1/keys', keyed: false, commas: ['include', 'id', 'state'] },
  createKey: { method: 'POST', path: '/v1/keys', keyed: true, commas: [] },
  getOwnKey: { method: 'GET', path: '/v1/keys/self', keyed: false, commas: [] },
  getKey: { method: 'GET', path: '/v1/keys/{id}', keyed: false, commas: [] },
  updateKey: { method: 'PATCH', path: '/v1/keys/{id}', keyed: false, commas: [] },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{id}', keyed: false, commas: [] },
  rollKey: { method: 'POST', path: '/v1/keys/{id}/roll', keyed: true, commas: [] },
  listMembers: {
    method: 'GET',
    path: '/v1/members',
    keyed: false,
    commas: ['include', 'role', 'user_id'],
  },
  addMember: { method: 'POST', path: '/v1/members', keyed: true, commas: [] },
  getMember: { method: 'GET', path: '/v1/members/{id}', keyed: false, commas: [] },
  updateMember: { method: 'PATCH', path: '/v1/members/{id}', keyed: false, commas: [] },
  removeMember: { method: 'DELETE', path: '/v1/members/{id}', keyed: false, commas: [] },
  listInvitations: {
    method: 'GET',
    path: '/v1/members/invitations',
    keyed: false,
    commas: ['include', 'state'],
  },
  createInvitation: { method: 'POST', path: '/v1/members/invitations', keyed: true, commas: [] },
  getInvitation: { method: 'GET', path: '/v1/members/invitations/{id}', keyed: false, commas: [] },
  revokeInvitation: {
    method: 'DELETE',
    path: '/v1/members/invitations/{id}',
    keyed: false,
    commas: [],
  },
  listObjects: {
    method: 'GET',
    path: '/v1/objects',
    keyed: false,
    commas: ['include', 'id', 'state', 'mime', 'kind'],
  },
  uploadObject: { method: 'POST', path: '/v1/objects', keyed: true, commas: [] },
  getObject: { method: 'GET', path: '/v1/objects/{id}', keyed: false, commas: [] },
  updateObject: { method: 'PATCH', path: '/v1/objects/{id}', keyed: false, commas: [] },
  trashObject: { method: 'DELETE', path: '/v1/objects/{id}', keyed: false, commas: [] },
  restoreObject: { method: 'POST', path: '/v1/objects/{id}/restore', keyed: true, commas: [] },
  getObjectContent: { method: 'GET', path: '/v1/objects/{id}/content', keyed: false, commas: [] },
  getPageImage: {
    method: 'GET',
    path: '/v1/objects/{id}/pages/{n}/image',
    keyed: false,
    commas: [],
  },
  getPageText: { method: 'GET', path: '/v1/objects/{id}/pages/{n}/text', keyed: false, commas: [] },
  createSignedUrl: {
    method: 'POST',
    path: '/v1/objects/{id}/signed-urls',
    keyed: true,
    commas: [],
  },
  listObjectDownloads: {
    method: 'GET',
    path: '/v1/objects/{id}/downloads',
    keyed: false,
    commas: ['include'],
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
    commas: ['mime', 'orientation', 'state', 'id', 'object_id', 'include'],
  },
  updateImages: { method: 'PATCH', path: '/v1/images', keyed: true, commas: [] },
  listImagePlaces: { method: 'GET', path: '/v1/images/places', keyed: false, commas: [] },
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
    commas: ['include', 'id', 'kind', 'state'],
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
  listShares: {
    method: 'GET',
    path: '/v1/shares',
    keyed: false,
    commas: ['include', 'state', 'kind', 'object_id', 'collection_id'],
  },
  createShare: { method: 'POST', path: '/v1/shares', keyed: true, commas: [] },
  getShare: { method: 'GET', path: '/v1/shares/{id}', keyed: false, commas: [] },
  updateShare: { method: 'PATCH', path: '/v1/shares/{id}', keyed: false, commas: [] },
  revokeShare: { method: 'DELETE', path: '/v1/shares/{id}', keyed: false, commas: [] },
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
  getCertificate: {
    method: 'GET',
    path: '/v1/documents/jobs/{id}/certificate',
    keyed: false,
    commas: [],
  },
  listCertificateKeys: {
    method: 'GET',
    path: '/v1/documents/certificate-keys',
    keyed: false,
    commas: ['include'],
  },
  listPresets: { method: 'GET', path: '/v1/documents/presets', keyed: false, commas: ['include'] },
  createPreset: { method: 'POST', path: '/v1/documents/presets', keyed: true, commas: [] },
  getPreset: { method: 'GET', path: '/v1/documents/presets/{id}', keyed: false, commas: [] },
  updatePreset: { method: 'PATCH', path: '/v1/documents/presets/{id}', keyed: false, commas: [] },
  deletePreset: { method: 'DELETE', path: '/v1/documents/presets/{id}', keyed: false, commas: [] },
  listReviews: {
    method: 'GET',
    path: '/v1/documents/reviews',
    keyed: false,
    commas: ['include', 'state', 'op'],
  },
  getReviewStats: {
    method: 'GET',
    path: '/v1/documents/reviews/stats',
    keyed: false,
    commas: ['op'],
  },
  getReview: { method: 'GET', path: '/v1/documents/reviews/{id}', keyed: false, commas: [] },
  listReviewPages: {
    method: 'GET',
    path: '/v1/documents/reviews/{id}/pages',
    keyed: false,
    commas: ['include'],
  },
  listReviewText: {
    method: 'GET',
    path: '/v1/documents/reviews/{id}/text',
    keyed: false,
    commas: ['include'],
  },
  listFindings: {
    method: 'GET',
    path: '/v1/documents/reviews/{id}/findings',
    keyed: false,
    commas: ['include', 'decision', 'type', 'source'],
  },
  decideFindings: {
    method: 'PATCH',
    path: '/v1/documents/reviews/{id}/findings',
    keyed: false,
    commas: [],
  },
  addFindings: {
    method: 'POST',
    path: '/v1/documents/reviews/{id}/findings',
    keyed: true,
    commas: [],
  },
  removeFinding: {
    method: 'DELETE',
    path: '/v1/documents/reviews/{id}/findings/{finding_id}',
    keyed: false,
    commas: [],
  },
  claimReview: {
    method: 'POST',
    path: '/v1/documents/reviews/{id}/claim',
    keyed: true,
    commas: [],
  },
  releaseReview: {
    method: 'POST',
    path: '/v1/documents/reviews/{id}/release',
    keyed: true,
    commas: [],
  },
  submitReview: {
    method: 'POST',
    path: '/v1/documents/reviews/{id}/submit',
    keyed: true,
    commas: [],
  },
  rejectReview: {
    method: 'POST',
    path: '/v1/documents/reviews/{id}/reject',
    keyed: true,
    commas: [],
  },
  createPack: { method: 'POST', path: '/v1/documents/packs', keyed: true, commas: [] },
  listPacks: {
    method: 'GET',
    path: '/v1/documents/packs',
    keyed: false,
    commas: ['include', 'state'],
  },
  getPack: { method: 'GET', path: '/v1/documents/packs/{id}', keyed: false, commas: [] },
  listPackDocuments: {
    method: 'GET',
    path: '/v1/documents/packs/{id}/documents',
    keyed: false,
    commas: ['include', 'state'],
  },
  listPackChanges: {
    method: 'GET',
    path: '/v1/documents/packs/{id}/changes',
    keyed: false,
    commas: ['include', 'change'],
  },
  cancelPack: { method: 'POST', path: '/v1/documents/packs/{id}/cancel', keyed: true, commas: [] },
  retryPack: { method: 'POST', path: '/v1/documents/packs/{id}/retry', keyed: true, commas: [] },
  getCitation: { method: 'GET', path: '/v1/documents/citations/{id}', keyed: false, commas: [] },
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
  listWebhooks: { method: 'GET', path: '/v1/webhooks', keyed: false, commas: ['include', 'id'] },
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
    commas: ['include', 'state', 'outcome', 'status_code', 'event_type'],
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
  getWebhookStats: { method: 'GET', path: '/v1/webhooks/{id}/stats', keyed: false, commas: [] },
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
  /** An object became available. */
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
  /** An object was moved to the trash. */
  'dam.object.trashed': Record<string, never>;
  /** An object was restored from the trash. */
  'dam.object.restored': Record<string, never>;
  /** An object and its bytes were permanently deleted. Objects derived from it remain. */
  'dam.object.purged': {
    outputs: string[];
  };
  /** A policy rejected an upload after a worker had inspected it. */
  'dam.object.rejected': {
    policy_id: string;
    rule_type: string;
  };
  /** An upload could not be inspected, and a policy depends on the result. */
  'dam.object.failed': {
    error: {
      code: string;
      message: string;
      retryable: boolean;
    };
  };
  /** A signed URL was created for an object. */
  'dam.object.url_signed': {
    delivered_object_id: string;
    ttl_seconds: number;
    expires_at: string;
  };
  /** A key, a person or a signed URL downloaded an object, or a picture of it that is large enough to be a copy. Recorded within seconds, then at most once an hour for the same actor, object, content and way: `count` is the number of requests since the last event, each range among them. */
  'dam.object.downloaded': {
    delivered_object_id: string;
    content: 'original' | 'variant' | 'redaction' | 'rendition' | 'page_image';
    via: 'direct' | 'signed_url' | 'archive' | 'share';
    count: number;
    first_at: string;
    last_at: string;
  };
  /** The trash was emptied. `purged` objects are gone, a policy keeps `held`, and `remaining` are processed in the background. */
  'dam.trash.emptied': {
    purged: number;
    held: number;
    remaining: number;
  };
  /** An image was created. */
  'dam.image.created': {
    object_id: string;
    filename: string;
    mime: string;
  };
  /** Fields of an image changed, by a request or by the worker that processed it. */
  'dam.image.updated': {
    changed: string[];
  };
  /** Tags of an image changed. */
  'dam.image.tags_changed': {
    added: string[];
    removed: string[];
  };
  /** An image was moved to the trash. */
  'dam.image.trashed': Record<string, never>;
  /** An image was restored from the trash. */
  'dam.image.restored': Record<string, never>;
  /** An image and its renditions were permanently deleted. */
  'dam.image.purged': Record<string, never>;
  /** A collection was created. */
  'dam.collection.created': {
    name: string;
    kind: 'manual' | 'smart';
    parent_id: string | null;
  };
  /** Fields of a collection changed. */
  'dam.collection.updated': {
    changed: string[];
  };
  /** A collection was moved to the trash. Its members are not affected. */
  'dam.collection.trashed': Record<string, never>;
  /** A collection was restored from the trash. */
  'dam.collection.restored': Record<string, never>;
  /** A collection was permanently deleted. */
  'dam.collection.purged': Record<string, never>;
  /** A member was added to a collection. */
  'dam.collection_member.added': {
    resource_type: 'image' | 'object';
    resource_id: string;
  };
  /** A member was removed from a collection. */
  'dam.collection_member.removed': {
    resource_type: 'image' | 'object';
    resource_id: string;
    reason: 'removed' | 'purged';
  };
  /** A member of a collection was moved to another position. */
  'dam.collection_member.reordered': {
    resource_type: 'image' | 'object';
    resource_id: string;
  };
  /** A link to an object or a collection, or one for uploads, was created. */
  'dam.share.created': {
    kind: 'view' | 'upload';
    object_id: string | null;
    collection_id: string | null;
    allow_download: boolean;
    has_password: boolean;
    expires_at: string | null;
  };
  /** Fields of a share changed. */
  'dam.share.updated': {
    changed: string[];
  };
  /** A share was revoked. Its link stopped working. */
  'dam.share.revoked': {
    kind: 'view' | 'upload';
    object_id: string | null;
    collection_id: string | null;
    allow_download: boolean;
    has_password: boolean;
    expires_at: string | null;
  };
  /** A visitor of a shared link began to download an object, by itself or in an archive. The actor is the share. */
  'dam.share.downloaded': {
    share_id: string;
    delivered_object_id: string;
    archive: boolean;
  };
  /** A policy was created. */
  'dam.policy.created': {
    name: string;
    mode: 'enforce' | 'audit' | 'disabled';
  };
  /** Fields of a policy changed. */
  'dam.policy.updated': {
    changed: string[];
  };
  /** A policy was deleted. */
  'dam.policy.deleted': {
    name: string;
    mode: 'enforce' | 'audit' | 'disabled';
  };
  /** A policy in enforce mode denied an action: one event per denial and rule. Denied uploads have `filename` and `sha256`, if known. */
  'dam.policy.denied': {
    action: string;
    rule_type: string;
    resource_id: string | null;
    filename?: string | null | undefined;
    sha256?: string | null | undefined;
  };
  /** A policy in audit mode would have denied an action. Recorded at most once per key, rule and minute. */
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
  /** A worker opened the source of the job. */
  'documents.job.started': {
    source_object_id: string;
    operations: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[];
    retry_of: string | null;
  };
  /** The progress of a job changed by a whole percent. At most 100 events per job. */
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
  /** Cancellation of a job was requested. */
  'documents.job.cancel_requested': Record<string, never>;
  /** A job was cancelled. */
  'documents.job.cancelled': {
    state:
      | 'queued'
      | 'running'
      | 'awaiting_review'
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
  /** A job succeeded on every page. */
  'documents.job.succeeded': {
    state:
      | 'queued'
      | 'running'
      | 'awaiting_review'
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
  /** A job ended with results, but some pages failed. */
  'documents.job.partially_succeeded': {
    state:
      | 'queued'
      | 'running'
      | 'awaiting_review'
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
      | 'awaiting_review'
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
  /** A new job was created to retry this one. */
  'documents.job.retried': {
    new_job_id: string;
    scope: 'failed_pages' | 'all';
  };
  /** A page failed. The job continues without it. */
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
  /** A preset was created. */
  'documents.preset.created': {
    name: string;
    operations: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[];
  };
  /** The name, description or operations of a preset changed. */
  'documents.preset.updated': {
    changed: string[];
  };
  /** A preset was deleted. */
  'documents.preset.deleted': {
    name: string;
    operations: ('ocr' | 'redact_pii' | 'normalize_for_llm' | 'classify')[];
  };
  /** An operation waits for a person to decide about its findings. */
  'documents.review.requested': {
    job_id: string;
    operation_index: number;
    op: 'redact_pii' | 'classify';
    source_object_id: string;
    counts: {
      pending: number;
      accepted: number;
      rejected: number;
      added: number;
    };
    expires_at: string;
  };
  /** A reviewer took a review. Renewals are not recorded. */
  'documents.review.claimed': {
    job_id: string;
    operation_index: number;
    op: 'redact_pii' | 'classify';
    claimed_until: string;
  };
  /** A reviewer released a review for others. */
  'documents.review.released': {
    job_id: string;
    operation_index: number;
    op: 'redact_pii' | 'classify';
  };
  /** A review was submitted, and the operation continues. */
  'documents.review.submitted': {
    job_id: string;
    operation_index: number;
    op: 'redact_pii' | 'classify';
    counts: {
      pending: number;
      accepted: number;
      rejected: number;
      added: number;
    };
  };
  /** A review was rejected, and the operation failed. */
  'documents.review.rejected': {
    job_id: string;
    operation_index: number;
    op: 'redact_pii' | 'classify';
    counts: {
      pending: number;
      accepted: number;
      rejected: number;
      added: number;
    };
  };
  /** A review was not submitted in time, and the operation failed. */
  'documents.review.expired': {
    job_id: string;
    operation_index: number;
    op: 'redact_pii' | 'classify';
    counts: {
      pending: number;
      accepted: number;
      rejected: number;
      added: number;
    };
  };
  /** A reviewer decided about findings, added or removed some. One entry per request. */
  'documents.review.decided': {
    job_id: string;
    decision: 'accepted' | 'rejected' | 'reset' | 'added' | 'removed';
    findings: number;
    by_type: {
      type: string;
      findings: number;
    }[];
  };
  /** A pack of documents was accepted. */
  'documents.pack.created': {
    name: string;
    documents_total: number;
    refreshes: string | null;
    retry_of: string | null;
  };
  /** Work on a pack started. */
  'documents.pack.started': {
    documents_total: number;
  };
  /** The progress of a pack changed by a whole percent. At most 100 events per pack. */
  'documents.pack.progressed': {
    percent: number;
    documents_total: number;
    documents_completed: number;
    documents_failed: number;
    documents_withheld: number;
  };
  /** A pack was built with all of its documents. */
  'documents.pack.succeeded': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    documents_total: number;
    documents_completed: number;
    documents_failed: number;
    documents_withheld: number;
    object_id: string | null;
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** A pack was built, but without documents that failed or that a policy withholds. */
  'documents.pack.partially_succeeded': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    documents_total: number;
    documents_completed: number;
    documents_failed: number;
    documents_withheld: number;
    object_id: string | null;
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** A pack ended without an archive. */
  'documents.pack.failed': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    documents_total: number;
    documents_completed: number;
    documents_failed: number;
    documents_withheld: number;
    object_id: string | null;
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** Cancellation of a pack was requested. */
  'documents.pack.cancel_requested': Record<string, never>;
  /** A pack was cancelled. */
  'documents.pack.cancelled': {
    state:
      | 'queued'
      | 'running'
      | 'cancelling'
      | 'succeeded'
      | 'partially_succeeded'
      | 'failed'
      | 'cancelled';
    documents_total: number;
    documents_completed: number;
    documents_failed: number;
    documents_withheld: number;
    object_id: string | null;
    error: {
      code: string;
      message: string;
      retryable: boolean;
    } | null;
  };
  /** A webhook was created. */
  'webhooks.endpoint.created': {
    event_types: string[];
    state: string;
  };
  /** Fields of a webhook changed. */
  'webhooks.endpoint.updated': {
    changed: string[];
  };
  /** A webhook was deleted. */
  'webhooks.endpoint.deleted': Record<string, never>;
  /** A webhook was paused. Its deliveries wait. */
  'webhooks.endpoint.paused': Record<string, never>;
  /** A webhook was enabled. */
  'webhooks.endpoint.enabled': Record<string, never>;
  /** A webhook was disabled. It gets no deliveries until it is enabled. */
  'webhooks.endpoint.disabled': {
    reason: string;
  };
  /** The secret of a webhook was rotated. The old secret also signs for `overlap_seconds`. */
  'webhooks.endpoint.secret_rotated': {
    overlap_seconds: number;
  };
  /** A test message was sent to a webhook. It is not a delivery. */
  'webhooks.endpoint.tested': {
    outcome: 'succeeded' | 'failed';
    status: number | null;
  };
  /** Waiting deliveries of a webhook were cancelled on request. Many are cancelled in several steps, each with an event. */
  'webhooks.deliveries.cancelled': {
    count: number;
  };
  /** A replay of events was started. */
  'webhooks.replay.started': {
    webhook_id: string;
    matched: number;
  };
  /** All deliveries of a replay have ended, or the replay was cancelled. */
  'webhooks.replay.completed': {
    webhook_id: string;
    matched: number;
    state: 'completed' | 'cancelled';
    succeeded: number;
  };
  /** One more attempt of a delivery was requested. */
  'webhooks.delivery.redelivered': {
    event_id: string;
    webhook_id: string;
  };
  /** The last scheduled attempt of a delivery failed. */
  'webhooks.delivery.exhausted': {
    event_id: string;
    webhook_id: string;
    attempts: number;
  };
  /** A consumer was created. */
  'events.consumer.created': {
    name: string;
    category: string;
  };
  /** A consumer was moved to another position (seek). */
  'events.consumer.changed': {
    from: number;
    to: number;
  };
  /** A consumer was deleted. */
  'events.consumer.deleted': Record<string, never>;
  /** An API key was created. */
  'access.api_key.created': {
    name: string;
    prefix: string;
    scopes: string[];
  };
  /** An API key was replaced by a new one. */
  'access.api_key.rolled': {
    new_key_id: string;
    overlap_seconds: number;
    ends_at: string;
  };
  /** Fields of an API key changed. */
  'access.api_key.updated': {
    changed: string[];
  };
  /** An API key was revoked. */
  'access.api_key.revoked': Record<string, never>;
  /** A request was denied. Recorded at most once per key, code and minute. */
  'access.request.denied': {
    code: string;
    operation: string;
  };
  /** A person became a member of the project, or was added and has not accepted yet (`source` is `added`). */
  'access.member.added': {
    user_id: string;
    name: string | null;
    role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    source: 'added' | 'invitation' | 'groups';
  };
  /** A person who had been added accepted the membership. */
  'access.member.accepted': {
    user_id: string;
    name: string | null;
    role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    source: 'added' | 'invitation' | 'groups';
  };
  /** The role of a member changed. */
  'access.member.role_changed': {
    user_id: string;
    name: string | null;
    from: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    to: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    source: 'added' | 'invitation' | 'groups';
  };
  /** A member was removed, or left or declined. Their sessions in the project ended. */
  'access.member.removed': {
    user_id: string;
    name: string | null;
    role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    source: 'added' | 'invitation' | 'groups';
  };
  /** An invitation was created. */
  'access.member.invited': {
    role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    expires_at: string;
  };
  /** An invitation was revoked before it was accepted. */
  'access.member.invitation_revoked': {
    role: 'viewer' | 'editor' | 'reviewer' | 'developer' | 'admin';
    expires_at: string;
  };
  /** A video job of the neighbouring service succeeded. */
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
  /** A video job of the neighbouring service made progress. */
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
