import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/schemas.ts';
import { type Guide, linksOf, sectionsOf } from '../guides/load.ts';
import { listAt, objectAt, operationsOf, tagPath, textAt } from '../openapi-accessors.ts';
import type { SearchEntry } from './index.ts';

/** The page whose links are questions, and lead to their answers. */
const questionsFile = 'questions.md';

/** Pages about the development of the service rank below those about its use. */
const isBackground = (file: string): boolean => /^(?:decisions\/|history\/|torture)/.test(file);
const backgroundWeight = 0.3;
/** A guide explains what an entry of the reference defines. */
const referenceWeight = 0.45;

/** All entries of the search, from the guides and the OpenAPI document. */
export function searchEntries(guides: readonly Guide[], document: Json): SearchEntry[] {
  const questionsPage = guides.find(({ file }) => file === questionsFile);
  const questions = questionsPage ? linksOf(questionsPage) : [];
  const reference = [
    ...operationEntries(document),
    ...errorEntries(document),
    ...eventTypeEntries(document),
  ];
  return [
    ...guides.filter(({ file }) => file !== questionsFile).flatMap(guideEntries),
    ...reference.map((entry) => ({ ...entry, weight: referenceWeight })),
  ].map((entry) => ({
    ...entry,
    questions: questions
      .filter(({ url }) => url === entry.url)
      .map(({ text }) => text)
      .join(' '),
  }));
}

function guideEntries(guide: Guide): Omit<SearchEntry, 'questions'>[] {
  return sectionsOf(guide).map(({ anchor, heading, text }) => ({
    url: anchor === null ? guide.path : `${guide.path}#${anchor}`,
    page: guide.title,
    title: heading,
    text,
    weight: isBackground(guide.file) ? backgroundWeight : 1,
  }));
}

type ReferenceEntry = Omit<SearchEntry, 'questions' | 'weight'>;

function operationEntries(document: Json): ReferenceEntry[] {
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

function errorEntries(document: Json): ReferenceEntry[] {
  const codes = listAt(objectAt(document, 'components', 'schemas', 'ProblemCode'), 'oneOf');
  return codes.filter(isObject).map((code) => ({
    url: `/docs/errors#${String(code.const)}`,
    page: 'Errors',
    title: String(code.const),
    text: `${textAt(code, 'title')} ${textAt(code, 'description')}`,
  }));
}

function eventTypeEntries(document: Json): ReferenceEntry[] {
  return Object.entries(objectAt(document, 'webhooks')).map(([type, item]) => ({
    url: `/docs/event-types#${type}`,
    page: 'Event types',
    title: type,
    text: textAt(objectAt(item, 'post'), 'summary'),
  }));
}
