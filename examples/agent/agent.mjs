// An agent's work with the tools of the Model Context Protocol alone: it uploads a scan, recognises
// and redacts it, finds a passage, cites it, and opens the page.
//
//   SERVICE_URL=… PROJECT_ID=prj_… API_KEY=sk_… node agent.mjs scan.pdf "a question"
//
// It writes the page as a picture to page.png, and what it found as JSON to stdout.

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

const { SERVICE_URL, PROJECT_ID, API_KEY } = process.env;
const [path, question] = process.argv.slice(2);

let lastId = 0;

/** Sends a message of the protocol, and returns its result. */
async function send(method, params) {
  lastId += 1;
  const response = await fetch(`${SERVICE_URL}/mcp/${PROJECT_ID}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${API_KEY}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${body.detail}`);
  if (body.error) throw new Error(body.error.message);
  return body.result;
}

/** Calls a tool, and returns the first piece of its result. */
async function call(name, args) {
  const { content, isError } = await send('tools/call', { name, arguments: args });
  if (isError) throw new Error(`${name}: ${content[0].text}`);
  return content[0];
}

const callForJson = async (name, args) => JSON.parse((await call(name, args)).text);

/** Waits for the end of a job. */
async function finished({ id }) {
  for (;;) {
    const job = await callForJson('getJob', { id, wait_seconds: 10 });
    if (job.state === 'succeeded') return job;
    if (job.finished_at !== null) throw new Error(`${id}: ${job.state} ${job.error?.message}`);
  }
}

await send('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'example-agent', version: '1.0.0' },
});
const content = (await readFile(path)).toString('base64');
const scan = await callForJson('uploadObject', { filename: basename(path), content });
await finished(await callForJson('startOcr', { source_object_id: scan.id }));
const redaction = await finished(
  await callForJson('startRedaction', { source_object_id: scan.id, style: 'label' }),
);

const [passage] = (await callForJson('searchPassages', { query: question, limit: 1 })).data;
const page = { id: passage.object_id, n: String(passage.page) };
const { text } = await callForJson('getPageText', page);
const picture = await call('getPageImage', { ...page, width: 800 });
await writeFile('page.png', Buffer.from(picture.data, 'base64'));

console.log(
  JSON.stringify({
    question,
    excerpt: passage.excerpt.map((part) => part.text).join(''),
    source: { object_id: passage.object_id, page: passage.page, citation_id: passage.citation_id },
    isOnPage: text.length > 0,
    redacted: redaction.outputs.map(({ object_id }) => object_id),
  }),
);
