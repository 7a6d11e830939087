import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { newId } from '@scriptorium/contracts/ids';
import type { Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { addDocument } from '../../support/document-text.ts';
import { addPolicy } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

/** With the official client of the protocol. */
describe('the Model Context Protocol', () => {
  let api: TestApi;
  const clients: Client[] = [];
  before(async () => {
    api = await startApi();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await api.rows('DELETE FROM policy');
  });
  after(() => api.close());

  const connect = async ({ key, projectId }: Tenant = api): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const headers = { Authorization: `Bearer ${key}`, 'X-Service-Project-ID': projectId };
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', api.url), {
      requestInit: { headers },
    });
    // The SDK does not declare its own transport for `exactOptionalPropertyTypes`.
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return client;
  };
  interface Called {
    isError: boolean;
    text: string;
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
    json: any;
  }
  const call = async (client: Client, name: string, args: object = {}): Promise<Called> => {
    const result = await client.callTool({ name, arguments: { ...args } });
    const [content] = result.content as { type: string; text: string }[];
    return {
      isError: result.isError === true,
      text: content!.text,
      get json() {
        return JSON.parse(content!.text);
      },
    };
  };
  const failure = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  const post = (body: unknown, headers: Record<string, string | undefined> = {}) =>
    api.call('POST', '/mcp', { body, headers });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('is spoken by the official client, in its latest revision', async () => {
    const client = await connect();
    expect(client.getServerVersion()).to.include({ name: 'scriptorium', title: 'Scriptorium' });
    expect(await client.ping()).to.deep.equal({});
    const { status, json } = await post({
      ...ping,
      method: 'initialize',
      params: { protocolVersion: LATEST_PROTOCOL_VERSION },
    });
    expect([status, json.result.protocolVersion]).to.deep.equal([200, LATEST_PROTOCOL_VERSION]);
  });

  it('describes tools as the OpenAPI document describes their operations', async () => {
    const { tools } = await (await connect()).listTools();
    const { json: document } = await api.call('GET', '/v1/openapi.json');
    const operations = new Map(
      Object.values(document.paths as Record<string, Record<string, unknown>>)
        .flatMap((item) => Object.values(item) as { operationId: string }[])
        .map((operation) => [operation.operationId, operation]),
    );
    /** Arguments that the protocol adds or bounds. */
    const ownArguments = [
      ...['limit', 'width', 'offset', 'max_characters', 'wait_seconds'],
      ...['filename', 'content'],
    ];
    const writing = ['createJob', 'uploadObject', 'startOcr', 'startRedaction'];
    expect(tools).to.have.lengthOf(16);
    for (const { name, description, inputSchema, annotations } of tools) {
      // biome-ignore lint/suspicious/noExplicitAny: the document of the service
      const operation = operations.get(name) as any;
      expect(description, name).to.include(operation.summary);
      const body = operation.requestBody?.content['application/json']?.schema ?? {};
      const named = body.$ref ? document.components.schemas[body.$ref.split('/').at(-1)] : body;
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        if (ownArguments.includes(argument)) continue;
        const parameter = operation.parameters.find(
          (one: { name: string }) => one.name === argument,
        );
        const described = parameter?.schema ?? named.properties?.[argument];
        expect(described, `${name} ${argument}`).to.not.equal(undefined);
        if (described.type) expect((schema as { type: string }).type).to.equal(described.type);
        if (described.pattern) {
          expect((schema as { pattern: string }).pattern).to.equal(described.pattern);
        }
      }
      expect(JSON.stringify(inputSchema), name).to.not.include('$ref');
      expect(annotations?.readOnlyHint, name).to.equal(!writing.includes(name));
    }
  });

  it('lists only the tools that the scopes of the key allow, and calls only those', async () => {
    const namesFor = async (scopes: Scope[]): Promise<string[]> => {
      const { tools } = await (await connect(await api.issue(scopes))).listTools();
      return tools.map(({ name }) => name);
    };
    expect(await namesFor(['events:read'])).to.deep.equal(['listEvents']);
    expect(await namesFor(['documents:read'])).to.not.include('createJob');
    expect(await namesFor(['documents:write'])).to.have.members([
      'createJob',
      'startOcr',
      'startRedaction',
    ]);
    const client = await connect(await api.issue(['documents:read']));
    const args = { source_object_id: 'obj_1', preset_id: 'pre_1' };
    expect((await call(client, 'createJob', args)).json.error).to.equal('insufficient_scope');
  });

  it('finds passages, and lists and gets objects with bounded results', async () => {
    const client = await connect();
    const id = await addDocument(api, 'tide.txt', 'The ferry leaves at high tide.');
    const found = await call(client, 'searchPassages', { query: 'When does the ferry leave?' });
    expect(found.json.data[0]).to.include({ object_id: id, page: 1 });
    expect((await call(client, 'getObject', { id })).json.filename).to.equal('tide.txt');
    const listed = await call(client, 'listObjects', { mime: ['text/plain'], limit: 1 });
    expect(listed.json.data).to.have.lengthOf(1);
    expect((await call(client, 'search', { q: 'ferry' })).json.data[0].object_id).to.equal(id);
    expect((await call(client, 'listEvents', { limit: 2 })).json.data).to.be.an('array');
  });

  it('reads the text of a file in parts', async () => {
    const client = await connect();
    const { json } = await postRaw(api, 'Line one ä\nLine two 😀', 'a.txt', {
      headers: { 'content-type': 'text/plain' },
    });
    const first = await call(client, 'getObjectContent', { id: json.id, max_characters: 12 });
    expect(first.json).to.deep.equal({
      text: 'Line one ä\nL',
      offset: 0,
      total_characters: 22,
      next_offset: 12,
    });
    const rest = await call(client, 'getObjectContent', { id: json.id, offset: 12 });
    expect(rest.json).to.include({ text: 'ine two 😀', next_offset: null });
  });

  it('stores a file that a model sends, once', async () => {
    const client = await connect();
    const content = Buffer.from('A short letter.').toString('base64');
    const file = { filename: 'Brief ä 😀.txt', content };
    const { json } = await call(client, 'uploadObject', file);
    expect(json).to.include({ filename: 'Brief ä 😀.txt', mime: 'text/plain', bytes: 15 });
    expect((await call(client, 'uploadObject', file)).json.id).to.equal(json.id);
    for (const [wrong, reason] of [
      [{ filename: '' }, /`filename` must be/],
      [{ content: 'not base64!' }, /must be base64/],
      [{ content: 'QQ' }, /must be base64/],
      [{ content: 7 }, /must be the file in base64/],
      [{ content: 'A'.repeat(960_004) }, /Upload larger files with the API/],
      [{ filename: undefined }, /`filename` is required/],
    ] as const) {
      expect(await failure(call(client, 'uploadObject', { ...file, ...wrong }))).to.match(reason);
    }
    const reader = await connect(await api.issue(['objects:read']));
    expect((await call(reader, 'uploadObject', file)).json.error).to.equal('insufficient_scope');
  });

  it('obeys the policies', async () => {
    const client = await connect();
    const id = await addDocument(api, 'secret.txt', 'The codeword is heron.');
    await addPolicy(api, {
      actions: ['read', 'download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    expect((await call(client, 'searchPassages', { query: 'heron' })).json.data).to.deep.equal([]);
    const denied = await call(client, 'getObjectContent', { id });
    expect([denied.isError, denied.json.error]).to.deep.equal([true, 'policy_denied']);
  });

  it('counts calls and denials of the key as everywhere', async () => {
    const client = await connect(await api.issue(['objects:read'], { read: 8 }));
    const errors: string[] = [];
    for (let n = 0; n < 12; n++) {
      errors.push(await failure(call(client, 'listObjects')));
    }
    expect(errors.at(-1)).to.match(/rate_limited/);
  });

  it('returns clear errors for wrong calls', async () => {
    const client = await connect();
    const foreign = (
      await api.call('POST', '/v1/collections', { ...api.other, body: { name: 'C' } })
    ).json.id;
    expect(await failure(call(client, 'deleteEverything'))).to.match(/Unknown tool/);
    expect(await failure(call(client, 'getObject'))).to.match(/`id` is required/);
    expect(await failure(call(client, 'getObject', { id: {} }))).to.match(/must be a string/);
    expect(await failure(call(client, 'getObject', { id: 'a', extra: 1 }))).to.match(
      /Unknown argument/,
    );
    expect(await failure(call(client, 'listObjects', { limit: 1e9 }))).to.match(/from 1 to 20/);
    expect(await failure(call(client, 'listObjects', { limit: '5' }))).to.match(/integer/);
    for (const [name, args] of [
      ['getObject', { id: foreign }],
      ['getObject', { id: '../keys' }],
      ['getJob', { id: 'job_0' }],
      ['getCitation', { id: 'chk_0' }],
      ['getPageText', { id: 'obj_1', n: '-1' }],
    ] as const) {
      const { isError, json } = await call(client, name, args);
      expect([isError, json.error], name).to.deep.equal([true, 'not_found']);
    }
    const invalid = await call(client, 'listObjects', { state: ['gone'] });
    expect(invalid.json.errors[0].parameter).to.equal('state');
  });

  it('offers prompts and citations', async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).to.include('answer_from_documents');
    const { messages } = await client.getPrompt({
      name: 'answer_from_documents',
      arguments: { question: 'Why?' },
    });
    expect(JSON.stringify(messages)).to.include('Why?');
    expect((await client.listResourceTemplates()).resourceTemplates).to.have.lengthOf(1);
    expect(
      await failure(
        client.readResource({ uri: `scriptorium://citations/chk_${'0'.repeat(24)}_1` }),
      ),
    ).to.match(/not_found/);
    expect(await failure(client.readResource({ uri: 'file:///etc/passwd' }))).to.match(
      /must begin/,
    );
  });

  it('rejects requests without a valid key before it reads them', async () => {
    const { status, headers, json } = await post(ping, { authorization: undefined });
    expect([status, json.code]).to.deep.equal([401, 'authentication_required']);
    expect(headers.get('www-authenticate')).to.match(/^Bearer scope="objects:read /);
    const other = await post(ping, { 'x-service-project-id': api.other.projectId });
    expect([other.status, other.json.code]).to.deep.equal([403, 'project_forbidden']);
    const [foreign, missing] = await Promise.all(
      [api.other.projectId, newId('project')].map((id) =>
        api.call('POST', `/mcp/${id}`, { body: ping, headers: { 'x-request-id': 'same' } }),
      ),
    );
    expect([foreign!.status, foreign!.text]).to.deep.equal([missing!.status, missing!.text]);
    expect(foreign!.json.code).to.equal('project_forbidden');
  });

  it('rejects pages of other origins, whatever the Host header is', async () => {
    for (const origin of ['https://evil.example', 'http://evil.example:80', 'null']) {
      const { status, json } = await post(ping, { origin });
      expect([status, json.code], origin).to.deep.equal([403, 'origin_not_allowed']);
    }
    expect((await post(ping, { origin: 'http://localhost:6274' })).status).to.equal(200);
  });

  it('returns the errors of JSON-RPC for malformed messages', async () => {
    const cases: [unknown, number, number][] = [
      ['{', 400, -32700],
      ['[]', 400, -32600],
      [{ ...ping, jsonrpc: '1.0' }, 400, -32600],
      [{ ...ping, id: {} }, 400, -32600],
      [{ ...ping, method: 7 }, 400, -32600],
      [{ ...ping, method: 'nothing' }, 200, -32601],
      [{ ...ping, method: '__proto__' }, 200, -32601],
      [{ ...ping, method: 'tools/call' }, 200, -32602],
      [{ ...ping, method: 'tools/call', params: { name: 'constructor' } }, 200, -32602],
      [{ ...ping, method: 'tools/call', params: { name: 'search', arguments: [] } }, 200, -32602],
    ];
    for (const [body, status, code] of cases) {
      const answer = await api.call('POST', '/mcp', {
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, answer.json.error.code], JSON.stringify(body)).to.deep.equal([
        status,
        code,
      ]);
    }
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).to.equal(
      202,
    );
    expect((await api.call('GET', '/mcp')).status).to.equal(405);
    expect((await api.call('DELETE', '/mcp')).status).to.equal(405);
    expect((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).status).to.equal(400);
    expect(
      (await post('x'.repeat(2_000_000), { 'content-type': 'application/json' })).status,
    ).to.equal(413);
  });
});
