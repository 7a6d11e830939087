import { problemCodes } from '@scriptorium/contracts/problems';
import type { Json } from '../openapi/json.ts';
import { isObject } from '../openapi/schemas.ts';
import { codeBlock, highlightJson } from './code.ts';
import { fieldItem, fieldList, typeText } from './fields.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import {
  type DocsOperation,
  listAt,
  objectAt,
  refName,
  resolve,
  textAt,
} from './openapi-accessors.ts';
import { inlineProse, prose } from './prose.ts';

/** The section of an operation. Its operationId is the anchor. */
export function operationSection(document: Json, operation: DocsOperation): Html {
  const { id, method, path, raw } = operation;
  const scopes = listAt(raw, 'x-required-scopes').map(String);
  const isOpen = Array.isArray(raw.security) && raw.security.length === 0;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="told"><h2 id="${id}-title"><a href="#${id}">${inlineProse(textAt(raw, 'summary'))}</a></h2>
<p class="route"><span class="method">${method}</span> <code>${breakable(path)}</code></p>
<p class="needs">${scopesText(scopes, isOpen)}</p>
${prose(raw.description)}
${parameters(document, raw)}
${body(document, raw)}
${responseList(document, raw)}</div>
<div class="shown">${samples(document, raw)}</div>
</section>`;
}

/** A path that may be broken after each slash. */
export function breakable(path: string): HtmlPiece {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);
}

function scopesText(scopes: string[], isOpen: boolean): HtmlPiece {
  if (isOpen) return 'No API key required.';
  if (scopes.length === 0) return 'Any API key of the project.';
  return html`Required ${scopes.length === 1 ? 'scope' : 'scopes'}: ${scopes.map(
    (scope, index) => html`${index > 0 && ' and '}<code>${scope}</code>`,
  )}.`;
}

function parameters(document: Json, raw: Json): Html {
  const all = listAt(raw, 'parameters').map((one) => resolve(document, one));
  if (all.length === 0) return html``;
  return html`<h3>Parameters</h3><ul class="fields">${all.map((parameter) => {
    const schema = objectAt(parameter, 'schema');
    const described = { ...schema, description: parameter.description ?? schema.description };
    const where =
      parameter.explode === false ? `${parameter.in}, comma-separated` : `${parameter.in}`;
    return fieldItem(textAt(parameter, 'name'), described, parameter.required === true, where);
  })}</ul>`;
}

function body(document: Json, raw: Json): Html {
  const content = Object.entries(objectAt(raw, 'requestBody', 'content'));
  if (content.length === 0) return html``;
  const types = content.map(([type], index) => html`${index > 0 && ' or '}<code>${type}</code>`);
  const [, media] = content.find(([type]) => type.endsWith('json')) ?? content[0]!;
  const schema = objectAt(media, 'schema');
  const described = resolve(document, schema);
  const fields = fieldList(described);
  return html`<h3>Body</h3><p class="soft">${types}</p>${prose(described.description)}${
    fields.text
      ? fields
      : 'type' in schema || '$ref' in schema
        ? html`<p>${typeText(schema)}</p>`
        : null
  }`;
}

function responseList(document: Json, raw: Json): Html {
  const all = Object.entries(objectAt(raw, 'responses'));
  const successes = all.filter(([status]) => Number(status) < 400);
  const errors = all.filter(([status]) => Number(status) >= 400);
  return html`<h3>Responses</h3><ul class="answers">${successes.map(([status, answer]) =>
    successItem(document, status, isObject(answer) ? answer : {}),
  )}</ul>
<details class="errors"><summary>Errors</summary><ul class="answers">${errors.map(
    ([status, answer]) => errorItem(status, isObject(answer) ? answer : {}),
  )}</ul></details>`;
}

function successItem(document: Json, status: string, answer: Json): Html {
  const content = Object.entries(objectAt(answer, 'content'));
  return html`<li><span class="status">${status}</span> ${textAt(answer, 'description')}${content.map(
    ([type, media]) => {
      const schema = objectAt(media, 'schema');
      const isInline = refName(schema) === null;
      return html`<div class="soft"><code>${type}</code>${Object.keys(schema).length > 0 && !('properties' in schema) && html` ${typeText(schema)}`}</div>${isInline && fieldList(resolve(document, schema))}`;
    },
  )}</li>`;
}

function errorItem(status: string, answer: Json): Html {
  // `Not Found: \`not_found\`.`: the name of the status, and its codes with descriptions.
  const [words, codes = ''] = textAt(answer, 'description').split(/: (.*)/s);
  const pieces = codes
    .replace(/\.$/, '')
    .split(/(`\w+`)/)
    .map((part) => {
      const name = part.startsWith('`') ? part.slice(1, -1) : '';
      return name in problemCodes
        ? html`<a href="/docs/errors#${name}"><code>${name}</code></a>`
        : inlineProse(part);
    });
  return html`<li><span class="status">${status}</span> ${words} ${pieces}</li>`;
}

/** The samples, followed by the examples with their requests and responses. */
function samples(document: Json, raw: Json): Html {
  const languages = listAt(raw, 'x-codeSamples').filter(isObject);
  const requests = examplesIn(document, Object.values(objectAt(raw, 'requestBody', 'content')));
  const blocks = Object.entries(objectAt(raw, 'responses')).flatMap(([status, answer]) =>
    Object.entries(examplesIn(document, Object.values(objectAt(answer, 'content'))))
      .filter(
        ([name, example]) =>
          Number(status) < 400 || name in requests || isOfOperation(name, example),
      )
      .map(([name, example]) => ({ status, name, example })),
  );
  // The example that the samples use comes first.
  const sampleName = Object.keys(requests)[0];
  const first = blocks.findIndex(({ name, status }) => name === sampleName && Number(status) < 400);
  if (first > 0) blocks.unshift(...blocks.splice(first, 1));
  return html`${languages.length > 0 && html`<div class="samples">${languages.map((sample) => languageBlock(raw, sample))}</div>`}${blocks.map(
    ({ status, name, example }, index) => {
      const body = requests[name]?.value ?? objectAt(example, 'x-request').body;
      const open = index === 0 && Number(status) < 400;
      return html`<details class="example"${open && html` open`}><summary><span class="status">${status}</span> ${textAt(example, 'summary')}</summary>${
        body !== undefined && index > 0 && codeBlock('Request', highlightJson(body))
      }${codeBlock('Response', highlightJson(example.value))}</details>`;
    },
  )}`;
}

function languageBlock(raw: Json, sample: Json): Html {
  const language = textAt(sample, 'label');
  const id = `${textAt(raw, 'operationId')}-${language.toLowerCase()}`;
  return html`<div class="sample" id="${id}" data-language="${language}">${codeBlock(language, textAt(sample, 'source'))}</div>`;
}

/** Whether an example belongs to this operation. Examples of errors are shared by code. */
function isOfOperation(name: string, example: Json): boolean {
  return objectAt(example, 'value').code !== name;
}

function examplesIn(document: Json, media: unknown[]): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const one of media) {
    for (const [name, example] of Object.entries(objectAt(one, 'examples'))) {
      found[name] ??= resolve(document, example);
    }
  }
  return found;
}
