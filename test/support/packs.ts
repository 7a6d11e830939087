import { isTerminal } from '@scriptorium/contracts/jobs';
import type { PackDocumentRecord, PackRecord } from '@scriptorium/contracts/wire/packs';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { eventually } from './eventually.ts';
import { type Redactions, shareRedactions } from './redactions.ts';

export const packsPath = '/v1/documents/packs';

/** Packs that are built by the engines of the service. */
export interface Packs extends Redactions {
  /** Uploads a document whose content no other has. */
  uploadLetter(name: string, text?: string): Promise<string>;
  create(body: object): Promise<PackRecord>;
  untilEnded(id: string): Promise<PackRecord>;
  /** Creates a pack and waits for its end. */
  build(body: object): Promise<PackRecord>;
  documents(pack: PackRecord): Promise<PackDocumentRecord[]>;
  /** The files of a pack's archive, as text. */
  unpack(pack: PackRecord): Promise<Record<string, string>>;
  /** The status and the code with which a request for a pack is rejected. */
  rejection(body: object): Promise<[number, string]>;
  /** Requires that what packs count is what their documents are. */
  requireTrueCounts(): Promise<void>;
}

let letterCount = 0;

/** Over the service that the tests of a run share. */
export async function sharePacks(): Promise<Packs> {
  const redactions = await shareRedactions('real');
  const { api } = redactions;
  const create = async (body: object): Promise<PackRecord> => {
    const response = await api.call('POST', packsPath, { body: { name: 'Letters', ...body } });
    expect(response.status, response.text).to.equal(202);
    return response.json;
  };
  const ended = (id: string): Promise<PackRecord> =>
    eventually(async () => {
      const { json } = await api.call('GET', `${packsPath}/${id}`);
      return isTerminal(json.state) ? (json as PackRecord) : null;
    });
  return {
    ...redactions,
    create,
    untilEnded: ended,
    uploadLetter: (name, text = 'The harbour is open.') => {
      letterCount += 1;
      return redactions.upload(Buffer.from(`# Letter ${letterCount}\n\n${text}\n`), name);
    },
    build: async (body) => ended((await create(body)).id),
    documents: async (pack) =>
      (await api.call('GET', `${packsPath}/${pack.id}/documents?limit=200`)).json.data,
    unpack: async (pack) => {
      expect(pack.output, JSON.stringify(pack.error)).not.to.equal(null);
      const { status, bytes } = await redactions.content(pack.output!.object_id);
      expect(status).to.equal(200);
      const files = unzipSync(bytes);
      return Object.fromEntries(Object.entries(files).map(([name, one]) => [name, strFromU8(one)]));
    },
    rejection: async (body) => {
      const { status, json } = await api.call('POST', packsPath, { body: { name: 'No', ...body } });
      return [status, json.errors?.[0]?.code ?? json.code];
    },
    requireTrueCounts: async () => {
      expect(await api.rows(wrongCountsSql)).to.deep.equal([]);
    },
  };
}

const wrongCountsSql = `
  SELECT id FROM pack p JOIN LATERAL (
    SELECT count(*) AS total,
      count(*) FILTER (WHERE state IN ('pending', 'running')) AS open,
      count(*) FILTER (WHERE state = 'succeeded') AS completed,
      count(*) FILTER (WHERE state = 'failed') AS failed,
      count(*) FILTER (WHERE state = 'withheld') AS withheld,
      count(*) FILTER (WHERE reused) AS reused,
      coalesce(sum(coalesce(pages, 1)), 0) AS pages,
      coalesce(sum(coalesce(pages, 1)) FILTER (WHERE state = 'succeeded'), 0) AS done
    FROM pack_document d WHERE d.pack_id = p.id) c ON true
  WHERE (documents_total, documents_open, documents_completed, documents_failed,
      documents_withheld, documents_reused, pages_total, pages_completed)
    <> (c.total, c.open, c.completed, c.failed, c.withheld, c.reused, c.pages, c.done)`;

/** The values of a file of JSON lines. */
export const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
