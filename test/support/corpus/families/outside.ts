import { standardFont } from '../fonts.ts';
import { drawText, type Maker } from '../maker.ts';
import { literal, ref, utf16 } from '../pdf-writer.ts';
import { drawImage } from '../pictures.ts';
import type { Built, Family } from './family.ts';

/** A page with its own secret, so that there is something to redact, and space below it. */
function letter(maker: Maker, extra = '', number = maker.writer.reserve()): number {
  const font = standardFont(maker.writer, 'F1');
  const page = maker.pageCount + 1;
  const lines = maker.prose({ channel: 'text of the page', page }, 9, 1);
  maker.keeps(page, lines);
  return maker.page(drawText(lines, { font }), { fonts: [font], number, extra });
}

const hide = (maker: Maker, channel: string, page: number | null = null): string =>
  maker.secret({ channel, page, findable: false }).value;

const done = (maker: Maker, catalog = '', info = ''): Built => ({
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
      `/Subtype /Text ${rect(2)} /Contents ${literal(hide(maker, 'Text annotation', 1))} /T ${utf16(hide(maker, 'author of an annotation', 1))} /Subj ${utf16('note')}`,
    );
    if (index % 2) {
      add(
        `/Subtype /Popup ${rect(3)} /Parent ${note} /Contents ${utf16(hide(maker, 'Popup annotation', 1))}`,
      );
    } else {
      const address = hide(maker, 'URI of a link', 1);
      add(
        `/Subtype /Link ${rect(3)} /Border [0 0 1] /A << /S /URI /URI ${literal(`https://portal.kestrel.com/?who=${address}`)} >>`,
      );
    }
    add(
      `/Subtype /Highlight ${rect(5)} /C [1 1 0] /CA 0.4 /QuadPoints [40 105 380 105 40 75 380 75] /Contents ${utf16(hide(maker, 'Highlight annotation', 1))}`,
    );
    letter(maker, `/Annots [${annots.join(' ')}]`, page);
    return done(maker);
  },
};

const bookmarks: Family = {
  name: 'bookmarks',
  count: 8,
  build(maker) {
    const { writer } = maker;
    const page = letter(maker);
    const outline = writer.reserve();
    const item = writer.reserve();
    const child = writer.add(
      `<< /Title ${literal(hide(maker, 'bookmark below a bookmark'))} /Parent ${ref(item)} /Dest [${ref(page)} /Fit] >>`,
    );
    writer.set(
      item,
      `<< /Title ${utf16(hide(maker, 'bookmark'))} /Parent ${ref(outline)} /First ${ref(child)} /Last ${ref(child)} /Count 1 /Dest [${ref(page)} /Fit] >>`,
    );
    writer.set(outline, `<< /Type /Outlines /First ${ref(item)} /Last ${ref(item)} /Count 2 >>`);
    const named = literal(hide(maker, 'named destination'));
    const label = literal(hide(maker, 'page label'));
    return done(
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
      const text = `name;value\n${hide(maker, channel)};1\n`;
      const stream = writer.stream(
        `/Type /EmbeddedFile /Subtype /text#2Fcsv /Params << /Size ${text.length} >>`,
        text,
        index % 2 === 0,
      );
      return ref(
        writer.add(
          `<< /Type /Filespec /F ${literal(`${hide(maker, 'name of an attachment')}.csv`)} /UF ${utf16('values.csv')} /Desc ${utf16(hide(maker, 'description of an attachment'))} /EF << /F ${ref(stream)} >> >>`,
        ),
      );
    };
    const named = file('attachment');
    const onPage = file('attachment of an annotation');
    letter(
      maker,
      `/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [40 100 60 120] /FS ${onPage} >>]${index % 2 ? ` /AF [${named}]` : ''}`,
    );
    return done(
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
      const code = `app.alert("${hide(maker, channel)}");`;
      return `<< /S /JavaScript /JS ${index % 2 ? ref(writer.stream('', code)) : utf16(code)} >>`;
    };
    letter(maker, `/AA << /O ${action('JavaScript of a page')} >>`);
    return done(
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
      const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>${hide(maker, channel)}</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
      return ref(writer.stream('/Type /Metadata /Subtype /XML', packet, index % 2 === 0));
    };
    const thumbnail = writer.stream(
      '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8',
      Buffer.from(hide(maker, 'pixels of a thumbnail').padEnd(64).slice(0, 64), 'latin1'),
    );
    const piece = writer.stream('', `private ${hide(maker, 'stream in PieceInfo')}`);
    const pieces = `/PieceInfo << /Editor << /LastModified (D:20240101) /Private << /Owner ${utf16(hide(maker, 'PieceInfo'))} /Data ${ref(piece)} >> >> >>`;
    letter(
      maker,
      `/Thumb ${ref(thumbnail)} ${pieces} /Metadata ${xmp('XMP of a page')} /Private ${literal(hide(maker, 'unknown key of a page'))}`,
    );
    const info = writer.add(
      `<< /Title ${utf16(hide(maker, 'Info, Title'))} /Author ${literal(hide(maker, 'Info, Author'))} /Keywords ${utf16('kettle')} /Custom ${utf16(hide(maker, 'Info, a key of its own'))} >>`,
    );
    return done(
      maker,
      `/Metadata ${xmp('XMP')} /Lang ${literal('en')} /URI << /Base ${literal(`https://${hide(maker, 'URI base')}/`)} >>`,
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
    maker.keeps(1, lines);
    const image = writer.stream(
      `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Name /Logo /Metadata ${ref(writer.stream('/Type /Metadata /Subtype /XML', `<x>${hide(maker, 'XMP of a picture')}</x>`))}`,
      Buffer.from([128]),
      false,
    );
    const comment = hide(maker, 'comment in the content', 1);
    const compatible = hide(maker, 'unknown operator in the content', 1);
    const point = hide(maker, 'marked point in the content', 1);
    writer.add(`<< /Orphan ${literal(hide(maker, 'object that nothing refers to'))} >>`);
    maker.page(
      `% ${comment}\n${drawText(lines, { font })}BX ${literal(compatible)} unknown EX\n/Point << /Note ${literal(point)} >> DP\n${drawImage('Im1', 300, 60, 40, 40)}`,
      {
        fonts: [font],
        resources: `/XObject << /Im1 ${ref(image)} >>`,
        extra: `/Note ${literal(hide(maker, 'unknown key of a page', 1))}`,
      },
    );
    return done(maker, `/Extra << /Owner ${utf16(hide(maker, 'unknown key of the catalog'))} >>`);
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
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Name ${utf16(hide(maker, 'name in a signature'))} /Reason ${literal(hide(maker, 'reason of a signature'))} /ContactInfo ${literal(hide(maker, 'contact in a signature'))} /ByteRange [0 0 0 0] /Contents <00> >>`,
    );
    const field = ref(
      writer.add(
        `<< /Type /Annot /Subtype /Widget /FT /Sig /T (sig) /V ${ref(signature)} /F 132 /Rect [0 0 0 0] /P ${ref(page)} >>`,
      ),
    );
    const xfa = writer.stream('', `<xdp><data>${hide(maker, 'data of an XFA form')}</data></xdp>`);
    letter(maker, `/Annots [${field}]`, page);
    const thread = writer.reserve();
    const bead = writer.reserve();
    writer.set(
      bead,
      `<< /T ${ref(thread)} /N ${ref(bead)} /V ${ref(bead)} /P ${ref(page)} /R [0 0 9 9] >>`,
    );
    writer.set(
      thread,
      `<< /Type /Thread /F ${ref(bead)} /I << /Title ${utf16(hide(maker, 'title of an article'))} >> >>`,
    );
    const template = `/Pages << /Names [${literal(hide(maker, 'name of a template'))} ${ref(page)}] >>`;
    return done(
      maker,
      `/AcroForm << /Fields [${field}] /SigFlags 3 /XFA ${ref(xfa)} >> /Threads [${ref(thread)}] /Names << ${template} >> /Collection << /Schema << /A << /Subtype /S /N ${utf16(hide(maker, 'column of a portfolio'))} >> >> >>`,
    );
  },
};

export const outsideFamilies = [
  formData,
  annotations,
  bookmarks,
  attachments,
  scripts,
  metadata,
  residues,
];
