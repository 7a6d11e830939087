import { expect } from 'chai';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { scannedPdf } from '../support/samples.ts';

/** Through the tools of the Model Context Protocol, with workers. */
describe('a language model', () => {
  let on: Redactions;
  before(async () => {
    on = await shareRedactions();
  });
  after(() => on.close());

  const call = async (name: string, args: object) => {
    const { status, text, json } = await on.api.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
    expect(status, text).to.equal(200);
    const { content, isError } = json.result;
    expect(isError, text).to.equal(undefined);
    return content[0];
  };
  const read = async (name: string, args: object) => JSON.parse((await call(name, args)).text);

  it('starts a job from a preset, waits for it, reads its output and looks at the page', async () => {
    const source = await on.upload(await scannedPdf([['The aardvark sleeps']]), 'scan.pdf');
    const preset = await on.api.call('POST', '/v1/documents/presets', {
      body: { name: 'Read', operations: [{ op: 'ocr', options: { output: ['text'] } }] },
    });
    expect((await read('listPresets', {})).data[0].id).to.equal(preset.json.id);
    const started = await read('createJob', {
      source_object_id: source,
      preset_id: preset.json.id,
    });
    let job = started;
    while (job.finished_at === null) {
      job = await read('getJob', { id: started.id, wait_seconds: 10 });
    }
    expect(job.state).to.equal('succeeded');
    const { text } = await read('getObjectContent', { id: job.outputs[0].object_id });
    expect(text).to.match(/aardvark/);
    const [found] = (await read('searchPassages', { query: 'sleeping aardvarks' })).data;
    expect([found.object_id, found.page]).to.deep.equal([source, 1]);
    expect((await read('getPageText', { id: source, n: '1' })).text).to.match(/aardvark/);
    const picture = await call('getPageImage', { id: source, n: '1', width: 200 });
    expect([picture.type, picture.mimeType]).to.deep.equal(['image', 'image/png']);
    const bytes = Buffer.from(picture.data, 'base64');
    expect(bytes.subarray(1, 4).toString()).to.equal('PNG');
  });
});
