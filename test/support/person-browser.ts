import type { ApiResponse, CallOptions, TestApi } from './api.ts';

/** A person's browser: it keeps cookies and follows redirects. */
export interface PersonBrowser {
  /** Follows a link to where it ends. `meddle` may change the addresses on the way. */
  visit(
    path: string,
    changeUrl?: (url: URL) => void | Promise<void>,
  ): Promise<{ status: number; text: string; url: string }>;
  /** Follows a link, and joins what the page that it leads to asks about, if it asks. */
  join(
    path: string,
    changeUrl?: (url: URL) => void | Promise<void>,
  ): Promise<{ status: number; text: string; url: string }>;
  /** Sends a form of a page, and follows it. */
  send(action: string): Promise<{ status: number; text: string; url: string }>;
  /** Calls the service as the portal does, with the CSRF token of its session. */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** The cookie of the session, as a header. */
  cookie(): string;
}

const noCredentials = { Authorization: undefined, 'X-Service-Project-ID': undefined };

export function openPersonBrowser(api: TestApi): PersonBrowser {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (origin: string): Map<string, string> => {
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    return cookies;
  };
  const header = (origin: string): string =>
    [...cookiesOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  const storeCookies = (origin: string, headers: Headers): void => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|1970/i.test(line)) cookiesOf(origin).delete(name);
      else cookiesOf(origin).set(name, value);
    }
  };
  let token = '';
  const follow = async (
    method: 'GET' | 'POST',
    path: string,
    changeUrl: (url: URL) => void | Promise<void> = () => undefined,
  ) => {
    let url = new URL(path, api.url);
    for (let hop = 0; hop < 12; hop++) {
      await changeUrl(url);
      const headers = { Cookie: header(url.origin), 'X-Request-Id': 'visit' };
      const response = await fetch(url, {
        redirect: 'manual',
        method: hop === 0 ? method : 'GET',
        headers,
      });
      storeCookies(url.origin, response.headers);
      const next = response.headers.get('Location');
      const text = await response.text();
      if (next === null) return { status: response.status, text, url: url.href };
      url = new URL(next, url);
      // The portal's page, which needs no browser to be reached.
      if (url.origin === api.url && url.pathname === '/portal/') break;
    }
    const session = await browser.call('GET', '/portal/session');
    token = session.status === 200 ? session.json.csrf_token : '';
    return { status: session.status, text: session.text, url: url.href };
  };
  const browser: PersonBrowser = {
    visit: (path, changeUrl) => follow('GET', path, changeUrl),
    send: (action) => follow('POST', action),
    async join(path, changeUrl) {
      const page = await browser.visit(path, changeUrl);
      const [, action] = /action="([^"]*accept=[^"]*)"/.exec(page.text) ?? [];
      return action === undefined ? page : browser.send(action);
    },
    async call(method, path, options = {}) {
      const sessionHeaders = {
        ...noCredentials,
        Cookie: header(api.url),
        ...(token && { 'X-CSRF-Token': token }),
      };
      const response = await api.call(method, path, {
        ...options,
        headers: { ...sessionHeaders, ...options.headers },
      });
      storeCookies(api.url, response.headers);
      return response;
    },
    cookie: () => header(api.url),
  };
  return browser;
}
