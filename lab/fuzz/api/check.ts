import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document, Operation } from './schema.ts';
import type { ApiResponse } from './send.ts';

/** What is wrong with a response, as text; null if nothing is. */
export type Check = (operation: Operation | null, response: ApiResponse) => string | null;

/** Text that would reveal the implementation. */
const implementationDetails =
  /node_modules|\.ts:\d|\.js:\d|\bat \w+ \(|QueryFailed|relation "|violates |syntax error at/;

/** Checks responses against the OpenAPI document. */
export function createCheck(document: Document): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    let validate = compiled.get(pointer);
    if (!validate) {
      validate = ajv.compile({ $ref: `api#${pointer}` });
      compiled.set(pointer, validate);
    }
    return validate;
  };

  const body = (pointer: string, { text }: ApiResponse): string | null => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'the body is not JSON';
    }
    const validate = validator(pointer);
    if (validate(value)) return null;
    const [first] = validate.errors ?? [];
    return `the body breaks its schema: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
  };

  return (operation, response) => {
    const { status, headers, text } = response;
    if (status >= 500) return `status ${status}`;
    if (status < 200) return `status ${status}`;
    if (implementationDetails.test(text.slice(0, 5_000)) && status >= 400)
      return 'the error reveals innards';
    if (!headers['x-request-id']) return 'no X-Request-Id';
    const type = headers['content-type']?.split(';')[0];
    if (operation === null) {
      if (status < 400) return null;
      // Of HEAD.
      if (text === '') return null;
      if (type !== 'application/problem+json') return `an error of type ${type}`;
      return body('/components/schemas/Problem', response);
    }
    const documented = operation.responses[status];
    if (!documented) return `status ${status} is not documented: ${text.slice(0, 200)}`;
    if (status === 204 || status === 304) {
      return text === '' ? null : `a body with status ${status}`;
    }
    const content = documented.content ?? {};
    const media = type === undefined ? undefined : (content[type] ?? content['*/*']);
    if (!media) {
      // Bytes of objects can have any type.
      const isAny = Object.keys(content).length === 0;
      if (isAny && status < 300) return null;
      if (text === '' && type === undefined && isAny) return null;
      return `the type ${type} is not documented for ${status}`;
    }
    if (!media.schema || !type?.endsWith('json')) return null;
    const steps = ['paths', operation.path, operation.method.toLowerCase(), 'responses'];
    const pointer = [...steps, String(status), 'content', type, 'schema']
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    return body(`/${pointer}`, response);
  };
}
