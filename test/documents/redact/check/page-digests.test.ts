import { expect } from 'chai';
import { pageDigests } from '../../../../packages/documents/src/redact/check/file/page-digests.ts';
import { PdfWriter, ref } from '../../../support/corpus/pdf-writer.ts';

interface Parts {
  first: string;
  second: string;
  shared: string;
  /** What the node above the pages says of them. */
  tree?: string;
  catalog?: string;
  /** How many objects are written before all others. */
  before?: number;
}

const same: Parts = { first: 'BT ET', second: 'q Q', shared: 'q 1 0 0 1 0 0 cm Q' };

/** A file of two pages, of which the second draws what is shared. */
function file({ first, second, shared, tree = '', catalog = '', before = 0 }: Parts): Buffer {
  const writer = new PdfWriter();
  for (let at = 0; at < before; at += 1) writer.add('null');
  const [root, nodes, one, two] = [0, 1, 2, 3].map(() => writer.reserve()) as [
    number,
    number,
    number,
    number,
  ];
  const form = writer.stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', shared);
  const page = (content: string, resources: string) =>
    `<< /Type /Page /Parent ${ref(nodes)} /Contents ${ref(writer.stream('', content))} /Resources << ${resources} >> >>`;
  writer.set(one, page(first, ''));
  writer.set(two, page(second, `/XObject << /F ${ref(form)} >>`));
  writer.set(root, `<< /Type /Catalog /Pages ${ref(nodes)} ${catalog} >>`);
  writer.set(
    nodes,
    `<< /Type /Pages /Kids [${ref(one)} ${ref(two)}] /Count 2 /MediaBox [0 0 99 99] ${tree} >>`,
  );
  return writer.toBuffer(`/Root ${ref(root)}`);
}

describe('digests of pages', () => {
  const alike = (other: Partial<Parts>): boolean[] => {
    const [before, after] = [pageDigests(file(same)), pageDigests(file({ ...same, ...other }))];
    expect(before).to.have.length(2);
    expect(after).to.have.length(2);
    return after.map((digest, at) => digest === before[at]);
  };

  it('are equal for the same pages, whatever their objects are called', () => {
    expect(alike({})).to.deep.equal([true, true]);
    expect(alike({ before: 3 })).to.deep.equal([true, true]);
    expect(new Set(pageDigests(file(same))).size).to.equal(2);
  });

  it('differ for a page of which anything differs, also what it shares or inherits', () => {
    expect(alike({ first: 'BT  ET' })).to.deep.equal([false, true]);
    expect(alike({ shared: 'q Q' })).to.deep.equal([true, false]);
    expect(alike({ tree: '/Rotate 90' })).to.deep.equal([false, false]);
    expect(alike({ catalog: '/Version /1.7' })).to.deep.equal([false, false]);
  });

  it('are none for a file that cannot be read', () => {
    expect(pageDigests(Buffer.from('%PDF-1.7\nnothing else'))).to.deep.equal([]);
  });
});
