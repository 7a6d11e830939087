import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/schemas.ts';
import { type Guide, sectionsOf } from '../guides/load.ts';
import { listAt, objectAt, operationsOf, tagPath, textAt } from '../openapi-accessors.ts';
import type { SearchEntry } from './index.ts';

/** All entries of the search, from the guides and the OpenAPI document. */
export function searchEntries(guides: readonly Guide[], document: Json): SearchEntry[] {
  return [
    ...guides.flatMap(guideEntries),
    ...operationEntries(document),
    ...errorEntries(document),
    ...eventTypeEntries(document),
  ];
}

function guideEntries(guide: Guide): SearchEntry[] {
  return sectionsOf(guide).map(({ anchor, heading, text }) => ({
    url: anchor === null ? guide.path : `${guide.path}#${anchor}`,
    page: guide.title,
    title: heading,
    text,
  }));
}

function operationEntries(document: Json): SearchEntry[] {
  return operationsOf(document).map(({ id, method, path, tag, raw }) => {
    const parameters = listAt(raw, 'parameters').filter(isObject);
    const names = parameters.map((parameter) => textAt(parameter, 'name'));
    return {
      url: `${tagPath(tag)}#${id}`,
      page: `API reference: ${tag}`,
      title: textAt(raw, 'summary'),
      text: `${method} ${path} ${textAt(raw, 'description')} ${names.join(' ')} ${id}`,
    };
  });
}

function errorEntries(document: Json): SearchEntry[] {
  const codes = listAt(objectAt(document, 'components', 'schemas', 'ProblemCode'), 'oneOf');
  return codes.filter(isObject).map((code) => ({
    url: `/docs/errors#${String(code.const)}`,
    page: 'Errors',
    title: String(code.const),
    text: `${textAt(code, 'title')} ${textAt(code, 'description')}`,
  }));
}

function eventTypeEntries(document: Json): SearchEntry[] {
  return Object.entries(objectAt(document, 'webhooks')).map(([type, item]) => ({
    url: `/docs/event-types#${type}`,
    page: 'Event types',
    title: type,
    text: textAt(objectAt(item, 'post'), 'summary'),
  }));
}
