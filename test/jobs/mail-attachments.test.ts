import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { maxAttachedFiles } from '@scriptorium/documents/normalize/calls';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { bornDigitalPdf } from '../support/samples.ts';

interface Attachment {
  name?: string;
  type: string;
  bytes: Buffer | string;
}

/** A message with a text and attachments in base64. */
function mail(...attachments: Attachment[]): Buffer {
  const lines = [
    'From: a@b.example',
    'Subject: Lease of the boathouse',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    '',
    'See the attached papers.',
  ];
  for (const { name, type, bytes } of attachments) {
    const named = name === undefined ? '' : `; filename="${name.replaceAll(/["\\]/g, '\\$&')}"`;
    lines.push('--m', `Content-Type: ${type}`, `Content-Disposition: attachment${named}`);
    lines.push('Content-Transfer-Encoding: base64', '', Buffer.from(bytes).toString('base64'));
  }
  return Buffer.from([...lines, '--m--', ''].join('\r\n'));
}

describe('the attachments of a normalised message', () => {
  let on: Redactions;
  before(async () => {
    on = await shareRedactions();
  });
  after(() => on.close());

  const object = async (id: string) => (await on.api.call('GET', `/v1/objects/${id}`)).json;
  const attachedTo = (job: JobRecord) => job.outputs.filter(({ kind }) => kind === 'attachment');
  const normalize = async (...attachments: Attachment[]) => {
    const source = await on.upload(mail(...attachments), 'lease.eml');
    const job = await on.run(source, [{ op: 'normalize_for_llm' }]);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    const objects = await Promise.all(attachedTo(job).map((one) => object(one.object_id)));
    return { source, job, objects };
  };
  const forPolicy = async (rule: object, use: () => Promise<void>): Promise<void> => {
    const path = '/v1/dam/security/policies';
    const body = { name: 'of a test', mode: 'enforce', scope: { type: 'project' }, ...rule };
    const made = await on.api.call('POST', path, { body });
    expect(made.status, JSON.stringify(made.json)).to.equal(201);
    try {
      await use();
    } finally {
      const headers = { 'if-match': made.headers.get('etag')! };
      await on.api.call('DELETE', `${path}/${made.json.id}`, { headers });
    }
  };

  it('become objects derived from the message, of the type that their bytes have', async () => {
    const pdf = await bornDigitalPdf([['The wallaby pays quarterly']]);
    const { source, job, objects } = await normalize(
      { name: 'lease.pdf', type: 'application/octet-stream', bytes: pdf },
      { name: 'rents.csv', type: 'text/csv', bytes: 'month;rent\nMay;90\n' },
      { type: 'message/rfc822', bytes: 'From: c@d.example\r\nSubject: Earlier\r\n\r\nHello' },
    );
    expect(job.outputs.map(({ kind }) => kind)).to.deep.equal([
      'chunks',
      'json',
      'markdown',
      'attachment',
      'attachment',
      'attachment',
    ]);
    expect(objects.map(({ filename, mime }) => [filename, mime])).to.deep.equal([
      ['lease.pdf', 'application/pdf'],
      ['rents.csv', 'text/csv'],
      ['message.eml', 'message/rfc822'],
    ]);
    for (const one of objects) {
      expect(one).to.include({ derived_from: source, state: 'available' });
      expect(one.source).to.deep.equal({ kind: 'job', job_id: job.id });
    }
    expect((await on.content(objects[0].id)).bytes.equals(pdf)).to.equal(true);
    // They are not in the text of the message, so they are found by their own.
    await eventually(async () => {
      const { json } = await on.api.call('GET', '/v1/objects?q=wallaby');
      return json.data.some(({ id }: { id: string }) => id === objects[0].id) || null;
    });
    const inner = await on.run(objects[0].id, [{ op: 'normalize_for_llm' }]);
    expect(inner.state).to.equal('succeeded');
  });

  it('get safe names, whatever the message says', async () => {
    const { objects } = await normalize(
      ...['../../etc/passwd', 'C:\\Users\\x\\a.txt', '..', '', 'a\u202efdp.exe.txt'].map(
        (name) => ({
          name,
          type: 'text/plain',
          bytes: `the words of ${name}`,
        }),
      ),
      { name: `${'n'.repeat(400)}.txt`, type: 'text/plain', bytes: 'long' },
    );
    expect(objects.map(({ filename }) => filename)).to.deep.equal([
      'passwd',
      'a.txt',
      'attachment',
      'attachment',
      'afdp.exe.txt',
      `${'n'.repeat(251)}.txt`,
    ]);
  });

  it('obey the policies on uploads, which record what they deny', async () => {
    const program = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(64)]);
    const { job, objects } = await normalize(
      { name: 'setup.txt', type: 'text/plain', bytes: program },
      { name: 'note.txt', type: 'text/plain', bytes: 'only words' },
    );
    expect(objects.map(({ filename }) => filename)).to.deep.equal(['note.txt']);
    expect(job.warnings.map(({ code }) => code)).to.deep.equal(['attachments_denied']);
    const path = '/v1/events?category=audit&type=dam.policy.denied&order=desc';
    const denied = await eventually(async () => {
      const { json } = await on.api.call('GET', path);
      return json.data.find(({ data }: EventRecord) => data.filename === 'setup.txt');
    });
    expect(denied.data).to.include({ action: 'upload' });
  });

  it('wait for a worker if a policy on uploads needs their pages', async () => {
    const rules = [{ type: 'max_pages', pages: 1 }];
    await forPolicy({ actions: ['upload'], rules }, async () => {
      const { objects } = await normalize(
        { name: 'one.pdf', type: 'application/pdf', bytes: await bornDigitalPdf([['One']]) },
        {
          name: 'two.pdf',
          type: 'application/pdf',
          bytes: await bornDigitalPdf([['One'], ['Two']]),
        },
      );
      const states = await eventually(async () => {
        const found = await Promise.all(objects.map(({ id }) => object(id)));
        return found.every(({ state }) => state !== 'processing') ? found : null;
      });
      expect(states.map(({ filename, state }) => [filename, state])).to.deep.equal([
        ['one.pdf', 'available'],
        ['two.pdf', 'rejected'],
      ]);
    });
  });

  it('stay in the scope of the message’s tags while they wait', async () => {
    const two = await bornDigitalPdf([['First'], ['Second']]);
    const source = await on.upload(
      mail({ name: 'tagged.pdf', type: 'application/pdf', bytes: two }),
      'tagged.eml',
    );
    const tagged = { body: { tags: ['sealed'] } };
    expect((await on.api.call('PATCH', `/v1/objects/${source}`, tagged)).status).to.equal(200);
    const scope = { type: 'tag', tags: ['sealed'] };
    const rules = [{ type: 'max_pages', pages: 1 }];
    await forPolicy({ scope, actions: ['upload'], rules }, async () => {
      const job = await on.run(source, [{ op: 'normalize_for_llm' }]);
      const [attached] = attachedTo(job);
      const ended = await eventually(async () => {
        const found = await object(attached!.object_id);
        return found.state === 'processing' ? null : found;
      });
      expect(ended.state).to.equal('rejected');
    });
  });

  it('inherit the policies of the message, and are purged with its outputs', async () => {
    const { source, objects } = await normalize({
      name: 'plan.txt',
      type: 'text/plain',
      bytes: 'the plan of the boathouse',
    });
    const id = objects[0].id;
    const tagged = { body: { tags: ['sealed'] } };
    expect((await on.api.call('PATCH', `/v1/objects/${source}`, tagged)).status).to.equal(200);
    const scope = { type: 'tag', tags: ['sealed'] };
    const rules = [{ type: 'require_redaction', entities: 'all', fallback: 'deny' }];
    await forPolicy({ scope, actions: ['download'], rules }, async () => {
      expect((await on.content(id)).status).to.equal(403);
    });
    expect((await on.content(id)).status).to.equal(200);
    const purge = `/v1/objects/${source}?purge=true&cascade=outputs`;
    expect((await on.api.call('DELETE', purge)).status).to.be.oneOf([200, 204]);
    expect((await on.api.call('GET', `/v1/objects/${id}`)).status).to.equal(404);
  });

  it('are bounded in number, with a warning', async () => {
    const many = Array.from({ length: maxAttachedFiles + 3 }, (_, at) => ({
      name: `${at}.txt`,
      type: 'text/plain',
      bytes: `number ${at}`,
    }));
    const { job, objects } = await normalize(...many);
    expect(objects).to.have.length(maxAttachedFiles);
    expect(job.warnings.map(({ code }) => code)).to.deep.equal(['attachments_left_out']);
  });
});
