import type { RecordedExchange } from './examples.ts';

/** Formats a request as a curl command. Shell variables hold the URL, the key and the project. */
export function curlOf(method: string, path: string, request: RecordedExchange['request']): string {
  const { params = {}, query, headers = {}, type, body, anonymous } = request;
  const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? `{${name}}`);
  const search = query
    ? `?${Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
        .join('&')}`
    : '';
  const isForm = type === 'multipart/form-data';
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SERVICE_URL${target}${search}"`,
    ...(anonymous
      ? []
      : [`-H "Authorization: Bearer $API_KEY"`, `-H "X-Service-Project-ID: $PROJECT_ID"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${title(name)}: ${value}`)}`),
    ...(type && !isForm ? [`-H ${quote(`Content-Type: ${type}`)}`] : []),
    ...(isForm ? formLines(body) : bodyLines(type, body)),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines(type: string | undefined, body: unknown): string[] {
  if (body === undefined) return [];
  if (typeof body === 'string') return [`--data-binary ${quote(body)}`];
  return [`-d ${quote(JSON.stringify(body, null, type ? 2 : 0))}`];
}

function formLines(body: unknown): string[] {
  return Object.entries(body ?? {}).map(([name, value]) => {
    const file = /^\(the bytes of (.+)\)$/.exec(String(value))?.[1];
    return `-F ${quote(file ? `${name}=@${file}` : `${name}=${value}`)}`;
  });
}

/** Quotes a text for the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function title(name: string): string {
  return name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase());
}
