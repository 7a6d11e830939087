import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { Code } from 'mdast';
import { parseGuide } from '../../../src/api/docs/guides/load.ts';
import { startApi, type TestApi } from '../../support/api.ts';

interface Tool {
  name: string;
  inputSchema: object;
}

describe('the skill file', () => {
  let api: TestApi;
  let text: string;
  before(async () => {
    api = await startApi();
    const response = await fetch(new URL('/docs/SKILL.md', api.url));
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
    text = await response.text();
  });
  after(() => api.close());

  it('starts with a name and a description within the limits of the format', () => {
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
    expect(name).to.match(/^[a-z0-9-]{1,64}$/);
    expect(description).to.have.lengthOf.within(1, 1_024);
    expect(text.split('\n')).to.have.lengthOf.below(500);
  });

  it('shows calls that the schemas of the tools accept', async () => {
    const { json } = await api.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    const tools: Tool[] = json.result.tools;
    const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const calls = parseGuide(text).children.filter((node): node is Code => node.type === 'code');
    for (const { meta, value } of calls) {
      const schema = schemas.get(meta ?? '');
      expect(schema, `${meta}`).to.be.an('object');
      const accepts = ajv.compile(schema!);
      expect(accepts(JSON.parse(value)), `${meta}: ${ajv.errorsText(accepts.errors)}`).to.equal(
        true,
      );
    }
    expect(calls.map(({ meta }) => meta)).to.include.members([
      ...['uploadObject', 'startOcr', 'getJob', 'startRedaction', 'searchPassages'],
      ...['getPageText', 'getCitation', 'getPageImage'],
    ]);
  });
});
