import {
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import type { TestApi } from '../../support/api.ts';
import { type PeopleApi, startPeopleApi } from '../../support/people.ts';
import { openPersonBrowser, type PersonBrowser } from '../../support/person-browser.ts';

/** With the official client of the protocol, and an identity provider with resource indicators. */
describe('OAuth of the Model Context Protocol', () => {
  let people: PeopleApi;
  let api: TestApi;
  const clients: Client[] = [];
  before(async () => {
    people = await startPeopleApi();
    ({ api } = people);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  after(() => people.close());

  /** Signs in a new person with a role. */
  const enter = async (role: string): Promise<PersonBrowser> => {
    people.newPerson();
    const browser = openPersonBrowser(api);
    await browser.join(await people.invite(role));
    return browser;
  };
  /** What the client keeps, and where it sent the person. */
  interface Login {
    provider: OAuthClientProvider;
    token(): string;
    url(): URL;
  }
  const newLogin = (): Login => {
    let tokens: { access_token: string; token_type: string } | undefined;
    let [verifier, url] = ['', new URL(api.url)];
    return {
      token: () => tokens!.access_token,
      url: () => url,
      provider: {
        redirectUrl: `${api.url}/model-client`,
        clientMetadata: { redirect_uris: [`${api.url}/model-client`] },
        clientInformation: () => ({ client_id: 'model-client' }),
        tokens: () => tokens,
        saveTokens: (given) => {
          tokens = given;
        },
        redirectToAuthorization: (to) => {
          url = to;
        },
        saveCodeVerifier: (given) => {
          verifier = given;
        },
        codeVerifier: () => verifier,
      },
    };
  };
  type Transport = Parameters<Client['connect']>[0];
  /** Lets the client find the provider by itself, and the person sign in there. */
  const connect = async (
    browser: PersonBrowser,
    path: string,
    login: Login,
    { scope, ...headers }: Record<string, string> = {},
  ): Promise<Client> => {
    const open = () =>
      new StreamableHTTPClientTransport(new URL(path, api.url), {
        authProvider: login.provider,
        requestInit: { headers },
      });
    const first = open();
    const client = new Client({ name: 'test', version: '1' });
    const refused = await client.connect(first as Transport).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(UnauthorizedError);
    const url = login.url();
    if (scope) url.searchParams.set('scope', scope);
    const arrived = await browser.visit(url.href);
    await first.finishAuth(new URL(arrived.url).searchParams.get('code')!);
    const again = new Client({ name: 'test', version: '1' });
    clients.push(again);
    await again.connect(open() as Transport);
    return again;
  };
  const toolsOf = async (client: Client): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const send = (token: string, path = `/mcp/${api.projectId}`) =>
    api.call('POST', path, { body: ping, headers: { authorization: `Bearer ${token}` } });

  it('is described where clients look for it', async () => {
    const resources = ['/mcp', `/mcp/${api.projectId}`];
    for (const path of resources) {
      const { status, headers } = await api.call('POST', path, {
        body: ping,
        headers: { authorization: undefined, 'x-service-project-id': undefined },
      });
      expect(status).to.equal(401);
      const [, url = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate')!)!;
      expect(url).to.equal(`${api.url}/.well-known/oauth-protected-resource${path}`);
      const response = await fetch(url);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      expect(await response.json()).to.deep.include({
        resource: `${api.url}${path}`,
        authorization_servers: [people.provider.settings.issuer],
        bearer_methods_supported: ['header'],
      });
    }
    const root = await fetch(`${api.url}/.well-known/oauth-protected-resource`);
    expect(((await root.json()) as { resource: string }).resource).to.equal(`${api.url}/mcp`);
    for (const path of ['/v1', '/mcp/prj_1', '/mcp/..']) {
      const response = await fetch(`${api.url}/.well-known/oauth-protected-resource${path}`);
      expect(response.status, path).to.equal(404);
    }
  });

  it('lets a person use the tools that their role and the token both allow', async () => {
    const browser = await enter('editor');
    const path = `/mcp/${api.projectId}`;
    const reading = newLogin();
    const reader = await connect(browser, path, reading);
    expect(await toolsOf(reader))
      .to.include('listObjects')
      .and.not.include('createJob');
    const { content } = await reader.callTool({ name: 'listObjects', arguments: {} });
    expect(JSON.stringify(content)).to.include('has_more');
    const args = { source_object_id: 'obj_1', preset_id: 'pst_1' };
    const denied = await api.call('POST', path, {
      body: { ...ping, method: 'tools/call', params: { name: 'createJob', arguments: args } },
      headers: { authorization: `Bearer ${reading.token()}` },
    });
    expect([denied.status, denied.json.code]).to.deep.equal([403, 'insufficient_scope']);
    expect(denied.headers.get('www-authenticate')).to.match(
      /error="insufficient_scope".* scope="objects:read .*documents:write"/,
    );
    const scope = 'documents:write keys:write';
    const writer = await connect(browser, path, newLogin(), { scope });
    expect(await toolsOf(writer)).to.have.members(['createJob', 'startOcr', 'startRedaction']);
    const viewer = await connect(await enter('viewer'), path, newLogin(), { scope });
    expect(await toolsOf(viewer)).to.deep.equal([]);
  });

  it('takes the project from the header at /mcp', async () => {
    const browser = await enter('viewer');
    const header = { 'X-Service-Project-ID': api.projectId };
    const login = newLogin();
    expect(await toolsOf(await connect(browser, '/mcp', login, header))).to.include('search');
    const without = await api.call('POST', '/mcp', {
      body: ping,
      headers: { authorization: `Bearer ${login.token()}`, 'x-service-project-id': undefined },
    });
    expect([without.status, without.json.code]).to.deep.equal([400, 'project_header_required']);
  });

  it('accepts keys at both endpoints', async () => {
    for (const path of ['/mcp', `/mcp/${api.projectId}`]) {
      expect((await api.call('POST', path, { body: ping })).json.result).to.deep.equal({});
    }
    const foreign = await api.call('POST', `/mcp/${api.other.projectId}`, { body: ping });
    expect([foreign.status, foreign.json.code]).to.deep.equal([403, 'project_forbidden']);
  });

  it('rejects tokens for another audience or project, and tokens at the API', async () => {
    const browser = await enter('viewer');
    const login = newLogin();
    await connect(browser, `/mcp/${api.projectId}`, login);
    expect((await send(login.token())).status).to.equal(200);
    for (const path of ['/mcp', `/mcp/${api.other.projectId}`]) {
      const { status, json, headers } = await send(login.token(), path);
      expect([status, json.code], path).to.deep.equal([401, 'authentication_required']);
      expect(json.detail).to.include('audience');
      expect(headers.get('www-authenticate')).to.match(/^Bearer error="invalid_token"/);
    }
    const { status } = await api.call('GET', '/v1/objects', {
      headers: { authorization: `Bearer ${login.token()}` },
    });
    expect(status).to.equal(401);
    const other = newLogin();
    const refused = await connect(browser, `/mcp/${api.other.projectId}`, other).then(
      () => 'accepted',
      String,
    );
    expect(refused).to.match(/project_forbidden/);
  });

  it('stops with the membership, and with the expiry of the token', async () => {
    const browser = await enter('viewer');
    const { user } = (await browser.call('GET', '/portal/session')).json;
    const login = newLogin();
    await connect(browser, `/mcp/${api.projectId}`, login);
    expect((await send(login.token())).status).to.equal(200);
    const [member] = (await api.call('GET', `/v1/members?user_id=${user.id}`)).json.data;
    await api.call('DELETE', `/v1/members/${member.id}`, {
      headers: { 'if-match': `"${member.version}"` },
    });
    expect((await send(login.token())).json.code).to.equal('project_forbidden');
  });

  it('rejects tokens that the provider did not sign', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const claims = {
      iss: people.provider.settings.issuer,
      aud: `${api.url}/mcp/${api.projectId}`,
      sub: 'person-1',
      scope: 'objects:read',
    };
    const soon = Math.floor(Date.now() / 1_000) + 600;
    const signed = (header: object, more: object = {}) =>
      new SignJWT({ ...claims, exp: soon, ...more })
        .setProtectedHeader({ alg: 'RS256', ...header })
        .sign(privateKey);
    const jwk = await exportJWK(publicKey);
    const shared = new TextEncoder().encode('a secret of the tests');
    const forged = [
      await signed({}),
      await signed({ kid: 'another', jwk }),
      await signed({ typ: 'at+jwt', jku: `${api.url}/keys` }),
      new UnsecuredJWT({ ...claims, exp: soon }).encode().replace(/\.$/, '.AA'),
      await new SignJWT({ ...claims, exp: soon }).setProtectedHeader({ alg: 'HS256' }).sign(shared),
      'a.b.c',
      'e30.e30.AA',
    ];
    for (const token of forged) {
      const { status, json } = await send(token);
      expect([status, json.code], token.slice(0, 30)).to.deep.equal([
        401,
        'authentication_required',
      ]);
      expect(JSON.stringify(json)).to.not.include(token);
    }
  });
});
