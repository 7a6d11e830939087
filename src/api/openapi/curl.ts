import { shellQuote } from '@scriptorium/contracts/helpers/shell-quote';
import { formOf, headersOf, type Request, targetOf } from './request-parts.ts';

/** Formats a request as a curl command. Shell variables hold the URL, the key and the project. */
export function formatCurl(method: string, path: string, request: Request): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SERVICE_URL${targetOf(path, request)}"`,
    ...(request.anonymous
      ? []
      : [`-H "Authorization: Bearer $API_KEY"`, `-H "X-Service-Project-ID: $PROJECT_ID"`]),
    ...headersOf(request).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(formLines(request) ?? bodyLines(request)),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines({ type, body }: Request): string[] {
  if (body === undefined) return [];
  if (typeof body === 'string') return [`--data-binary ${shellQuote(body)}`];
  return [`-d ${shellQuote(JSON.stringify(body, null, type ? 2 : 0))}`];
}

function formLines(request: Request): string[] | undefined {
  return formOf(request)?.map(
    ({ name, value, file }) => `-F ${shellQuote(file ? `${name}=@${file}` : `${name}=${value}`)}`,
  );
}
