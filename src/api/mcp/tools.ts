/**
 * How the response of a route becomes the content of a tool result. An `upload` sends the bytes of a
 * file and returns JSON.
 */
type ResultForm = 'json' | 'upload' | 'page text' | 'file text' | 'picture';

/** A route that language models may call. Its description and its arguments are those of the route. */
export interface ToolDeclaration {
  /** The arguments that the tool takes, of the parameters and body fields of the route. */
  arguments: readonly string[];
  form: ResultForm;
  /** Whether it changes anything. Such tools are listed for keys with the scopes only. */
  writes?: true;
  /** Required for the tool, in addition to the scopes of the route. */
  required?: readonly string[];
}

const objectFilters = [
  'mime',
  'tag',
  'derived_from',
  'source',
  'originals',
  'created_after',
  'created_before',
];

/** The tools by the operationId of their route. */
export const tools = {
  searchPassages: { arguments: ['query', 'filter', 'languages', 'limit'], form: 'json' },
  search: { arguments: ['q', 'kind', ...objectFilters, 'limit', 'cursor'], form: 'json' },
  listObjects: {
    arguments: ['q', 'id', 'state', 'kind', ...objectFilters, 'sort', 'limit', 'cursor'],
    form: 'json',
  },
  getObject: { arguments: ['id'], form: 'json' },
  getPageText: { arguments: ['id', 'n'], form: 'page text' },
  getPageImage: { arguments: ['id', 'n', 'width', 'boxes'], form: 'picture' },
  getObjectContent: { arguments: ['id'], form: 'file text' },
  getCitation: { arguments: ['id'], form: 'json' },
  uploadObject: {
    arguments: [],
    form: 'upload',
    writes: true,
    required: ['filename', 'content'],
  },
  startOcr: {
    arguments: ['source_object_id', 'languages', 'pages'],
    form: 'json',
    writes: true,
  },
  startRedaction: {
    arguments: ['source_object_id', 'entities', 'style', 'pages'],
    form: 'json',
    writes: true,
  },
  listPresets: { arguments: ['limit', 'cursor'], form: 'json' },
  createJob: {
    arguments: ['source_object_id', 'preset_id', 'pages', 'metadata'],
    form: 'json',
    writes: true,
    required: ['preset_id'],
  },
  listJobs: {
    arguments: [
      'state',
      'op',
      'source_object_id',
      'created_after',
      'created_before',
      'limit',
      'cursor',
    ],
    form: 'json',
  },
  getJob: { arguments: ['id'], form: 'json' },
  listEvents: { arguments: ['type', 'resource_id', 'order', 'limit', 'cursor'], form: 'json' },
} as const satisfies Record<string, ToolDeclaration>;

export type ToolName = keyof typeof tools;

export const isToolName = (name: unknown): name is ToolName =>
  typeof name === 'string' && Object.hasOwn(tools, name);

/** The number of items in a list. */
export const listLimit = { default: 10, maximum: 20 };
/** The characters of a text, and of any other result. */
export const textLimit = { default: 4_000, maximum: 12_000 };
export const maxResultCharacters = 40_000;
/** The size of an uploaded file in base64, so that the message stays below the limit of JSON. */
export const maxUploadCharacters = 960_000;
/** The width of a picture in pixels. */
export const pictureWidth = { default: 800, maximum: 1_200 };
export const maxWaitSeconds = 10;
