import type { Json } from '../../openapi/json.ts';
import { fieldList, typeText } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import {
  collectSchemaNames,
  type DocsOperation,
  objectAt,
  operationsOf,
  tagPath,
  tagsOf,
} from '../openapi-accessors.ts';
import { operationSection } from '../operation.ts';
import { prose } from '../prose.ts';

/** A page for each group of operations, with the schemas that they use. */
export function referencePages(document: Json): DocsPage[] {
  const operations = operationsOf(document);
  return tagsOf(document).flatMap(({ name, description }) => {
    const operationsOfTag = operations.filter(({ tag }) => tag === name);
    if (operationsOfTag.length === 0) return [];
    const content = html`<h1>${name}</h1><div class="lead">${prose(description)}</div>
${operationsOfTag.map((operation) => operationSection(document, operation))}
${schemas(document, operationsOfTag)}`;
    return [{ path: tagPath(name), title: name, content }];
  });
}

function schemas(document: Json, operations: DocsOperation[]): Html {
  const names = collectSchemaNames(document, operations.map(documentedPartsOf));
  if (names.size === 0) return html``;
  return html`<h2 class="part">Schemas</h2>${[...names].sort().map((name) => {
    const schema = objectAt(document, 'components', 'schemas', name);
    const fields = fieldList(schema);
    return html`<section class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>${prose(schema.description)}${fields.text ? fields : html`<p>${typeText(schema)}</p>`}</section>`;
  })}`;
}

/** The requests and successful responses. Errors have a separate page. */
function documentedPartsOf({ raw }: DocsOperation): unknown[] {
  const successes = Object.entries(objectAt(raw, 'responses')).filter(
    ([status]) => Number(status) < 400,
  );
  return [raw.parameters, raw.requestBody, successes];
}
