import type { RecordedExchange } from './examples.ts';

/** A recorded request, from which samples are created. */
export type Request = RecordedExchange['request'];

/** The path with its parameters and query. */
export function targetOf(path: string, { params = {}, query }: Request): string {
  const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? `{${name}}`);
  if (!query) return target;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  );
  return `${target}?${pairs.join('&')}`;
}

/** The headers of a request, as they are usually written. */
export function headersOf({ headers = {}, type }: Request): [string, string][] {
  const own = Object.entries(headers).map(([name, value]): [string, string] => [
    name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  // A form sets its own type, with the boundary.
  return type && type !== 'multipart/form-data' ? [...own, ['Content-Type', type]] : own;
}

/** The fields of a form; `file` is the name of the file that a field sends. */
export function formOf({ type, body }: Request) {
  if (type !== 'multipart/form-data') return null;
  return Object.entries(body ?? {}).map(([name, given]) => {
    const value = String(given);
    return { name, value, file: /^\(the bytes of (.+)\)$/.exec(value)?.[1] };
  });
}
