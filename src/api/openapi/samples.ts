import { formatCurl } from './curl.ts';
import { formOf, headersOf, type Request, targetOf } from './request-parts.ts';

/** A request in each language of the reference. */
export function createSamples(method: string, path: string, request: Request) {
  return [
    { lang: 'Shell', label: 'curl', source: formatCurl(method, path, request) },
    { lang: 'TypeScript', label: 'TypeScript', source: formatTypeScript(method, path, request) },
    { lang: 'Python', label: 'Python', source: formatPython(method, path, request) },
  ];
}

/** A request with `fetch`, which is available in Node, browsers, Deno and Bun. */
function formatTypeScript(method: string, path: string, request: Request): string {
  const { type, body } = request;
  const form = formOf(request);
  const headers = [
    ...(request.anonymous
      ? []
      : [
          `Authorization: \`Bearer \${process.env.API_KEY}\``,
          `'X-Service-Project-ID': process.env.PROJECT_ID!`,
        ]),
    ...headersOf(request).map(([name, value]) => `${formatKey(name)}: ${quote(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0
      ? [`headers: {\n${headers.map((line) => `    ${line},\n`).join('')}  }`]
      : []),
    ...(form ? ['body: form'] : []),
    ...(body === undefined || form
      ? []
      : [
          typeof body === 'string'
            ? `body: ${quote(body)}`
            : `body: JSON.stringify(${indent(toTypeScript(body), 2)})`,
        ]),
  ];
  const formLines = form
    ? [
        ...(form.some(({ file }) => file) ? ["import { openAsBlob } from 'node:fs';", ''] : []),
        'const form = new FormData();',
        ...form.map(({ name, value, file }) =>
          file
            ? `form.append(${quote(name)}, await openAsBlob(${quote(file)}), ${quote(file)});`
            : `form.append(${quote(name)}, ${quote(value)});`,
        ),
        '',
      ]
    : [];
  const target = `\`\${process.env.SERVICE_URL}${targetOf(path, request)}\``;
  const call =
    options.length > 0
      ? `fetch(${target}, {\n${options.map((line) => `  ${line},\n`).join('')}})`
      : `fetch(${target})`;
  return [
    ...formLines,
    `const response = await ${call};`,
    'if (!response.ok) throw new Error(await response.text());',
    type === undefined && method === 'DELETE'
      ? 'console.log(response.status);'
      : 'console.log(await response.text());',
  ].join('\n');
}

/** A request with `requests`, the most common library. */
function formatPython(method: string, path: string, request: Request): string {
  const { body } = request;
  const form = formOf(request);
  const headers = [
    ...(request.anonymous
      ? []
      : [
          `"Authorization": f"Bearer {os.environ['API_KEY']}"`,
          `"X-Service-Project-ID": os.environ["PROJECT_ID"]`,
        ]),
    ...headersOf(request)
      .filter(([name]) => !(name === 'Content-Type' && typeof body !== 'string'))
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const files = form?.filter(({ file }) => file) ?? [];
  const fields = form?.filter(({ file }) => !file) ?? [];
  const options = [
    ...(headers.length > 0
      ? [`headers={\n${headers.map((line) => `        ${line},\n`).join('')}    }`]
      : []),
    ...(files.length > 0
      ? [
          `files={${files.map(({ name, file }) => `${JSON.stringify(name)}: open(${JSON.stringify(file)}, "rb")`).join(', ')}}`,
        ]
      : []),
    ...(fields.length > 0
      ? [
          `data={${fields.map(({ name, value }) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`,
        ]
      : []),
    ...(body === undefined || form
      ? []
      : [
          typeof body === 'string'
            ? `data=${JSON.stringify(body)}.encode()`
            : `${jsonName(request)}=${jsonValue(request, indent(toPython(body), 4))}`,
        ]),
    'timeout=60',
  ];
  const usesJson = jsonName(request) === 'data' && typeof body === 'object' && !form;
  return [
    ...(usesJson ? ['import json'] : []),
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    os.environ["SERVICE_URL"] + ${JSON.stringify(targetOf(path, request))},`,
    ...options.map((line) => `    ${line},`),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');
}

/** `json` sets its own type; any other body is sent as text. */
function jsonName({ type }: Request): 'json' | 'data' {
  return type === undefined || type === 'application/json' ? 'json' : 'data';
}

function jsonValue(request: Request, text: string): string {
  return jsonName(request) === 'json' ? text : `json.dumps(${text})`;
}

function toTypeScript(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
      text.includes("'") ? text : `'${text.slice(1, -1).replaceAll('\\"', '"')}'`,
    );
}

/** A JSON value as Python writes it. */
function toPython(value: unknown, depth = 0): string {
  const pad = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((one) => `${pad}${toPython(one, depth + 1)},\n`).join('')}${end}]`;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    return `{\n${entries
      .map(([name, one]) => `${pad}${JSON.stringify(name)}: ${toPython(one, depth + 1)},\n`)
      .join('')}${end}}`;
  }
  return JSON.stringify(value);
}

/** Text with all lines after the first indented. */
function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

function formatKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
}
