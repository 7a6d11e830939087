import { standardFont } from '../fonts.ts';
import { drawText, type Maker } from '../maker.ts';
import { literal, ref, utf16 } from '../pdf-writer.ts';
import { drawImage } from '../pictures.ts';
import type { Built, Family } from './family.ts';

/** A page with its own secret, so that there is something to redact, and space below it. */
function writePage(maker: Maker, extra = '', number = maker.writer.reserve()): number {
  const font = standardFont(maker.writer, 'F1');
  const page = maker.pageCount + 1;
  const lines = maker.prose({ channel: 'text of the page', page }, 9, 1);
  maker.requireKept(page, lines);
  return maker.page(drawText(lines, { font }), { fonts: [font], number, extra });
}

const hideSecret = (maker: Maker, channel: string, page: number | null = null): string =>
  maker.secret({ channel, page, findable: false }).value;

const finish = (maker: Maker, catalog = '', info = ''): Built => ({
  pdf: maker.writer.toBuffer(maker.root(catalog).trailer + info),
});

const annotations: Family = {
  name: 'annotations',
  count: 14,
  build(maker, index) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const page = writer.reserve();
    const rect = (row: number): string => `/Rect [40 ${300 - row * 45} 380 ${330 - row * 45}]`;
    const annots: string[] = [];
    const add = (body: string): string => {
      const number = ref(writer.add(`<< /Type /Annot /P ${ref(page)} ${body} >>`));
      annots.push(number);
      return number;
    };
    const appearance = (text: string): string =>
      `/AP << /N ${ref(
        writer.stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 340 30] /Resources << /Font << ${font.resource} >> >>`,
          drawText([maker.plain(text)], { font, x: 4, y: 10 }),
        ),
      )} >>`;
    const seen = { page: 1, findable: true };
    const free = maker.secret({ channel: 'FreeText annotation', ...seen }).value;
    add(
      `/Subtype /FreeText ${rect(0)} /F 4 /DA (/F1 11 Tf) /Contents ${utf16(free)} /RC ${utf16(`<p>${free}</p>`)} ${appearance(free)}`,
    );
    const stamp = maker.secret({ channel: 'Stamp annotation', ...seen }).value;
    add(`/Subtype /Stamp ${rect(1)} /F 4 /Name /Draft ${appearance(stamp)}`);
    const note = add(
      `/Subtype /Text ${rect(2)} /Contents ${literal(hideSecret(maker, 'Text annotation', 1))} /T ${utf16(hideSecret(maker, 'author of an annotation', 1))} /Subj ${utf16('note')}`,
    );
    if (index % 2) {
      add(
        `/Subtype /Popup ${rect(3)} /Parent ${note} /Contents ${utf16(hideSecret(maker, 'Popup annotation', 1))}`,
      );
    } else {
      const address = hideSecret(maker, 'URI of a link', 1);
      add(
        `/Subtype /Link ${rect(3)} /Border [0 0 1] /A << /S /URI /URI ${literal(`https://portal.kestrel.com/?who=${address}`)} >>`,
      );
    }
    add(
      `/Subtype /Highlight ${rect(5)} /C [1 1 0] /CA 0.4 /QuadPoints [40 105 380 105 40 75 380 75] /Contents ${utf16(hideSecret(maker, 'Highlight annotation', 1))}`,
    );
    writePage(maker, `/Annots [${annots.join(' ')}]`, page);
    return finish(maker);
  },
};

const bookmarks: Family = {
  name: 'bookmarks',
  count: 8,
  build(maker) {
    const { writer } = maker;
    const page = writePage(maker);
    const outline = writer.reserve();
    const item = writer.reserve();
    const child = writer.add(
      `<< /Title ${literal(hideSecret(maker, 'bookmark below a bookmark'))} /Parent ${ref(item)} /Dest [${ref(page)} /Fit] >>`,
    );
    writer.set(
      item,
      `<< /Title ${utf16(hideSecret(maker, 'bookmark'))} /Parent ${ref(outline)} /First ${ref(child)} /Last ${ref(child)} /Count 1 /Dest [${ref(page)} /Fit] >>`,
    );
    writer.set(outline, `<< /Type /Outlines /First ${ref(item)} /Last ${ref(item)} /Count 2 >>`);
    const named = literal(hideSecret(maker, 'named destination'));
    const label = literal(hideSecret(maker, 'page label'));
    return finish(
      maker,
      `/Outlines ${ref(outline)} /Names << /Dests << /Names [${named} [${ref(page)} /Fit]] >> >> /PageLabels << /Nums [0 << /P ${label} >>] >> /Dests << /Old [${ref(page)} /Fit] >>`,
    );
  },
};

const attachments: Family = {
  name: 'attachments',
  count: 8,
  build(maker, index) {
    const { writer } = maker;
    const file = (channel: string): string => {
      const text = `name;value\n${hideSecret(maker, channel)};1\n`;
      const stream = writer.stream(
        `/Type /EmbeddedFile /Subtype /text#2Fcsv /Params << /Size ${text.length} >>`,
        text,
        index % 2 === 0,
      );
      return ref(
        writer.add(
          `<< /Type /Filespec /F ${literal(`${hideSecret(maker, 'name of an attachment')}.csv`)} /UF ${utf16('values.csv')} /Desc ${utf16(hideSecret(maker, 'description of an attachment'))} /EF << /F ${ref(stream)} >> >>`,
        ),
      );
    };
    const named = file('attachment');
    const onPage = file('attachment of an annotation');
    writePage(
      maker,
      `/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [40 100 60 120] /FS ${onPage} >>]${index % 2 ? ` /AF [${named}]` : ''}`,
    );
    return finish(
      maker,
      `/Names << /EmbeddedFiles << /Names [(values) ${named}] >> >> /AF [${named}]`,
    );
  },
};

const scripts: Family = {
  name: 'scripts',
  count: 8,
  build(maker, index) {
    const { writer } = maker;
    const action = (channel: string): string => {
      const code = `app.alert("${hideSecret(maker, channel)}");`;
      return `<< /S /JavaScript /JS ${index % 2 ? ref(writer.stream('', code)) : utf16(code)} >>`;
    };
    writePage(maker, `/AA << /O ${action('JavaScript of a page')} >>`);
    return finish(
      maker,
      `/OpenAction ${action('JavaScript on opening')} /Names << /JavaScript << /Names [(start) ${action('JavaScript of the document')}] >> >> /AA << /WC ${action('JavaScript on closing')} >>`,
    );
  },
};

const metadata: Family = {
  name: 'metadata',
  count: 12,
  build(maker, index) {
    const { writer } = maker;
    const xmp = (channel: string): string => {
      const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>${hideSecret(maker, channel)}</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
      return ref(writer.stream('/Type /Metadata /Subtype /XML', packet, index % 2 === 0));
    };
    const thumbnail = writer.stream(
      '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8',
      Buffer.from(hideSecret(maker, 'pixels of a thumbnail').padEnd(64).slice(0, 64), 'latin1'),
    );
    const piece = writer.stream('', `private ${hideSecret(maker, 'stream in PieceInfo')}`);
    const pieces = `/PieceInfo << /Editor << /LastModified (D:20240101) /Private << /Owner ${utf16(hideSecret(maker, 'PieceInfo'))} /Data ${ref(piece)} >> >> >>`;
    writePage(
      maker,
      `/Thumb ${ref(thumbnail)} ${pieces} /Metadata ${xmp('XMP of a page')} /Private ${literal(hideSecret(maker, 'unknown key of a page'))}`,
    );
    const info = writer.add(
      `<< /Title ${utf16(hideSecret(maker, 'Info, Title'))} /Author ${literal(hideSecret(maker, 'Info, Author'))} /Keywords ${utf16('kettle')} /Custom ${utf16(hideSecret(maker, 'Info, a key of its own'))} >>`,
    );
    return finish(
      maker,
      `/Metadata ${xmp('XMP')} /Lang ${literal('en')} /URI << /Base ${literal(`https://${hideSecret(maker, 'URI base')}/`)} >>`,
      ` /Info ${ref(info)}`,
    );
  },
};

/** Names of resources and fonts, comments and dead operands in the content: channels of bytes. */
const residues: Family = {
  name: 'residues',
  count: 6,
  build(maker) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const lines = maker.prose({ channel: 'text of the page', page: 1 }, 8, 1);
    maker.requireKept(1, lines);
    const image = writer.stream(
      `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Name /Logo /Metadata ${ref(writer.stream('/Type /Metadata /Subtype /XML', `<x>${hideSecret(maker, 'XMP of a picture')}</x>`))}`,
      Buffer.from([128]),
      false,
    );
    const comment = hideSecret(maker, 'comment in the content', 1);
    const compatible = hideSecret(maker, 'unknown operator in the content', 1);
    const point = hideSecret(maker, 'marked point in the content', 1);
    writer.add(`<< /Orphan ${literal(hideSecret(maker, 'object that nothing refers to'))} >>`);
    maker.page(
      `% ${comment}\n${drawText(lines, { font })}BX ${literal(compatible)} unknown EX\n/Point << /Note ${literal(point)} >> DP\n${drawImage('Im1', 300, 60, 40, 40)}`,
      {
        fonts: [font],
        resources: `/XObject << /Im1 ${ref(image)} >>`,
        extra: `/Note ${literal(hideSecret(maker, 'unknown key of a page', 1))}`,
      },
    );
    return finish(
      maker,
      `/Extra << /Owner ${utf16(hideSecret(maker, 'unknown key of the catalog'))} >>`,
    );
  },
};

/** A signature's words, an XFA form, beads of an article, what a viewer keeps about a portfolio. */
const formData: Family = {
  name: 'form-data',
  count: 4,
  build(maker) {
    const { writer } = maker;
    const page = writer.reserve();
    const signature = writer.add(
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Name ${utf16(hideSecret(maker, 'name in a signature'))} /Reason ${literal(hideSecret(maker, 'reason of a signature'))} /ContactInfo ${literal(hideSecret(maker, 'contact in a signature'))} /ByteRange [0 0 0 0] /Contents <00> >>`,
    );
    const field = ref(
      writer.add(
        `<< /Type /Annot /Subtype /Widget /FT /Sig /T (sig) /V ${ref(signature)} /F 132 /Rect [0 0 0 0] /P ${ref(page)} >>`,
      ),
    );
    const xfa = writer.stream(
      '',
      `<xdp><data>${hideSecret(maker, 'data of an XFA form')}</data></xdp>`,
    );
    writePage(maker, `/Annots [${field}]`, page);
    const thread = writer.reserve();
    const bead = writer.reserve();
    writer.set(
      bead,
      `<< /T ${ref(thread)} /N ${ref(bead)} /V ${ref(bead)} /P ${ref(page)} /R [0 0 9 9] >>`,
    );
    writer.set(
      thread,
      `<< /Type /Thread /F ${ref(bead)} /I << /Title ${utf16(hideSecret(maker, 'title of an article'))} >> >>`,
    );
    const template = `/Pages << /Names [${literal(hideSecret(maker, 'name of a template'))} ${ref(page)}] >>`;
    return finish(
      maker,
      `/AcroForm << /Fields [${field}] /SigFlags 3 /XFA ${ref(xfa)} >> /Threads [${ref(thread)}] /Names << ${template} >> /Collection << /Schema << /A << /Subtype /S /N ${utf16(hideSecret(maker, 'column of a portfolio'))} >> >> >>`,
    );
  },
};

export const documentPartFamilies = [
  formData,
  annotations,
  bookmarks,
  attachments,
  scripts,
  metadata,
  residues,
];
