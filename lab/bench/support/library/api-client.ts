import { Agent, request } from 'node:http';

/** A response, with the time until its body was complete. */
export interface TimedResponse {
  milliseconds: number;
  body: { total?: number | null; next_cursor: string | null; mended_query?: string };
}

/** Reads lists of the API, one request at a time, over one connection. */
export function openApiClient(
  port: number,
  headers: Record<string, string>,
): { get(path: string): Promise<TimedResponse>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string): Promise<TimedResponse> => {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const milliseconds = performance.now() - start;
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve({ milliseconds, body: JSON.parse(text) });
          else reject(new Error(`${path}: ${response.statusCode} ${text}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  };
  return { get, close: () => agent.destroy() };
}

/** Formats parameters as a query string; a list is repeated. */
export function searchOf(parameters: Record<string, string | string[]>): string {
  const search = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  ).toString();
  return search && `?${search}`;
}
