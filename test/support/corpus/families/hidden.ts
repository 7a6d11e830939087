import { standardFont } from '../fonts.ts';
import { drawText, sheet, type TextLine, textOfLine } from '../maker.ts';
import { ref, utf16 } from '../pdf-writer.ts';
import { liberation } from '../truetype.ts';
import type { Family } from './family.ts';

const { width, height } = sheet;

/** Text in form XObjects: one, nested ones, and one that all pages share. */
const forms: Family = {
  name: 'forms',
  count: 14,
  build(maker, index) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const fonts = `/Font << ${font.resource} >>`;
    const form = (content: string, resources: string): number =>
      writer.stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] /Resources << ${resources} >>`,
        content,
      );
    const depth = index % 3;
    const shared = index % 2 === 1;
    const channel = `form XObject, ${depth + 1} deep${shared ? ', shared by pages' : ''}`;
    const inside = maker.prose({ channel, page: 1 }, 6, 2);
    let inner = form(drawText(inside, { font }), fonts);
    for (let level = 0; level < depth; level += 1) {
      inner = form('q 0.95 0 0 0.95 8 20 cm /Fm1 Do Q', `/XObject << /Fm1 ${ref(inner)} >>`);
    }
    for (let page = 1; page <= (shared ? 3 : 1); page += 1) {
      const pageLines = maker.prose({ channel: 'text below a form', page }, 5, 1);
      maker.requireKept(page, [...inside, ...pageLines]);
      const moved = page === 2 ? '1 0 0 1 10 -30 cm' : '';
      maker.page(`q ${moved} /Fm1 Do Q\n${drawText(pageLines, { font, y: 300 })}`, {
        fonts: [font],
        resources: `/XObject << /Fm1 ${ref(inner)} >>`,
      });
    }
    return { pdf: writer.toBuffer(maker.root().trailer) };
  },
};

/** Text that cannot be seen: what a redaction that looks at pages only would miss. */
const invisibleText: Family = {
  name: 'unseen',
  count: 14,
  build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const kinds: { channel: string; draw(lines: TextLine[]): string; findable?: boolean }[] = [
      {
        channel: 'white text',
        draw: (lines) => `${drawText(lines, { font, y: 300, before: '1 g' })}0 g\n`,
      },
      {
        channel: 'text under a black box',
        draw: (lines) => `${drawText(lines, { font, y: 300 })}0 g 20 200 380 120 re f\n`,
      },
      {
        channel: 'text off the page',
        draw: (lines) => drawText(lines, { font, x: width + 60, y: 300 }),
        findable: false,
      },
      {
        channel: 'invisible text',
        draw: (lines) => drawText(lines, { font, y: 300, before: '3 Tr' }),
      },
      {
        channel: 'text clipped away',
        draw: (lines) => `q 0 0 10 10 re W n ${drawText(lines, { font, y: 300 })} Q\n`,
      },
      {
        channel: 'tiny text',
        draw: (lines) => drawText(lines, { font, y: 300, size: 0.9, leading: 2 }),
      },
      {
        channel: 'text used as a clip',
        draw: (lines) =>
          `q ${drawText(lines, { font, y: 300, before: '7 Tr' })} 0.9 g 0 0 ${width} ${height} re f Q\n`,
      },
    ];
    const kind = kinds[index % kinds.length]!;
    const seen = maker.prose({ channel: 'text above hidden text', page: 1 }, 9, 1);
    const hidden = maker.prose(
      { channel: kind.channel, page: 1, findable: kind.findable ?? true },
      4,
      2,
    );
    maker.requireKept(1, seen);
    maker.page(drawText(seen, { font }) + kind.draw(hidden), { fonts: [font] });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** Layers: one shown, one hidden. */
const layers: Family = {
  name: 'layers',
  count: 8,
  build(maker) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const shown = maker.prose({ channel: 'optional content, shown', page: 1 }, 6, 2);
    const hidden = maker.prose(
      { channel: 'optional content, hidden', page: 1, findable: false },
      6,
      2,
    );
    maker.requireKept(1, shown);
    const name = maker.secret({ channel: 'name of a layer', page: null, findable: false });
    const groups = [name.value, 'Layer'].map((title) =>
      writer.add(`<< /Type /OCG /Name ${utf16(title)} >>`),
    );
    const [off, on] = groups.map(ref);
    maker.page(
      `/OC /On BDC\n${drawText(shown, { font })}EMC\n/OC /Off BDC\n${drawText(hidden, { font, y: 300 })}EMC\n`,
      { fonts: [font], resources: `/Properties << /On ${on} /Off ${off} >>` },
    );
    const { trailer } = maker.root(
      `/OCProperties << /OCGs [${off} ${on}] /D << /ON [${on}] /OFF [${off}] /Order [${off} ${on}] >> >>`,
    );
    return { pdf: writer.toBuffer(trailer) };
  },
};

/** Text in the marks around other text, and in the structure tree. */
const marks: Family = {
  name: 'marks',
  count: 10,
  build(maker, index) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const lines = maker.prose({ channel: 'tagged text', page: 1 }, 8, 1);
    maker.requireKept(1, lines);
    const wish = { page: 1, findable: false };
    const actual = maker.secret({ ...wish, channel: 'ActualText in the content' });
    const alt = maker.secret({ ...wish, channel: 'Alt in the content' });
    const inTree = maker.secret({ ...wish, channel: 'ActualText in the structure tree' });
    const altInTree = maker.secret({ ...wish, channel: 'Alt in the structure tree' });
    const shown = maker.plain('kettle');
    maker.requireKept(1, [maker.plain(index % 2 ? '' : 'kettle')]);
    const properties = `<< /MCID 0 /ActualText ${utf16(actual.value)} >>`;
    const content =
      drawText(lines, { font }) +
      `/Span ${index % 2 ? '/Pr1' : properties} BDC\n${drawText([shown], { font, y: 200 })}EMC\n` +
      `/Figure << /MCID 1 /Alt (${alt.value.replace(/[()\\]/g, '\\$&')}) >> BDC\n40 100 60 60 re S\nEMC\n`;
    const page = writer.reserve();
    const parents = writer.reserve();
    const root = writer.reserve();
    const element = writer.add(
      `<< /Type /StructElem /S /Span /P ${ref(root)} /Pg ${ref(page)} /K 0 /ActualText ${utf16(inTree.value)} /Alt ${utf16(altInTree.value)} /T ${utf16('Span')} >>`,
    );
    writer.set(root, `<< /Type /StructTreeRoot /K ${ref(element)} /ParentTree ${ref(parents)} >>`);
    writer.set(parents, `<< /Nums [0 [${ref(element)} ${ref(element)}]] >>`);
    maker.page(content, {
      fonts: [font],
      number: page,
      resources: `/Properties << /Pr1 ${properties} >>`,
      extra: '/StructParents 0',
    });
    const { trailer } = maker.root(`/MarkInfo << /Marked true >> /StructTreeRoot ${ref(root)}`);
    return { pdf: writer.toBuffer(trailer) };
  },
};

/** Letters as paths, in a tiling pattern, in a soft mask: text that is not text. */
const drawings: Family = {
  name: 'drawings',
  count: 8,
  build(maker, index) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const seen = maker.prose({ channel: 'text above drawn text', page: 1 }, 8, 1);
    maker.requireKept(1, seen);
    const fonts = `/Font << ${font.resource} >>`;
    let content = drawText(seen, { font });
    let resources = '';
    if (index % 4 === 0) {
      const lines = maker.prose({ channel: 'letters drawn as paths', page: 1 }, 4, 2);
      content += outlines(lines, 300);
    } else if (index % 4 === 1) {
      const lines = maker.prose({ channel: 'text in a tiling pattern', page: 1 }, 4, 2);
      const pattern = writer.stream(
        `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${width} 200] /XStep ${width} /YStep 200 /Resources << ${fonts} >>`,
        drawText(lines, { font, y: 160 }),
      );
      resources = `/Pattern << /P1 ${ref(pattern)} >>`;
      content += `/Pattern cs /P1 scn 0 0 ${width} 200 re f\n`;
    } else if (index % 4 === 2) {
      const lines = maker.prose({ channel: 'text in a soft mask', page: 1 }, 4, 2);
      const group = writer.stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 ${width} 300] /Group << /S /Transparency /CS /DeviceGray >> /Resources << ${fonts} >>`,
        drawText(lines, { font, y: 200, before: '1 g' }),
      );
      resources = `/ExtGState << /G1 << /SMask << /S /Luminosity /G ${ref(group)} >> >> >>`;
      content += `q /G1 gs 0 g 0 0 ${width} 300 re f Q\n`;
    } else {
      const lines = maker.prose({ channel: 'outlined text', page: 1 }, 4, 2);
      content += drawText(lines, { font, y: 300, before: '1 Tr 0.4 w' });
    }
    maker.page(content, { fonts: [font], resources });
    return { pdf: writer.toBuffer(maker.root().trailer), mayBurn: index % 4 !== 3 };
  },
};

/** The letters of the lines as filled paths. */
export function outlines(lines: readonly TextLine[], top: number): string {
  const font = liberation();
  const scale = sheet.size / font.unitsPerEm;
  return lines
    .map((line, index) => {
      let x = sheet.margin;
      return [...textOfLine(line)]
        .map((letter) => {
          const drawn = `q ${scale.toFixed(6)} 0 0 ${scale.toFixed(6)} ${x.toFixed(2)} ${top - index * sheet.leading} cm\n${font.pathOf(letter)}f Q\n`;
          x += (font.widthOf(letter) * sheet.size) / 1000;
          return drawn;
        })
        .join('');
    })
    .join('');
}

/** Form fields with values; some have an appearance, some leave it to the reader. */
const fields: Family = {
  name: 'fields',
  count: 10,
  build(maker, index) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const lines = maker.prose({ channel: 'text above form fields', page: 1 }, 6, 1);
    maker.requireKept(1, lines);
    const withAppearance = index % 2 === 0;
    const page = writer.reserve();
    const widgets = Array.from({ length: 3 }, (_, row) => {
      const channel = `form field ${withAppearance ? 'with' : 'without'} an appearance`;
      const { value } = maker.secret({ channel, page: 1, findable: withAppearance });
      const y = 300 - row * 40;
      const appearance = writer.stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 340 22] /Resources << /Font << ${font.resource} >> >>`,
        `/Tx BMC ${drawText([maker.plain(value)], { font, x: 2, y: 6 })} EMC`,
      );
      const kind = row === 2 ? `/FT /Ch /Ff 131072 /Opt [${utf16(value)} (none)]` : '/FT /Tx';
      return writer.add(
        `<< /Type /Annot /Subtype /Widget ${kind} /T (field${row}) /TU ${utf16('Field')} /V ${utf16(value)} /DV ${utf16(value)} /DA (/F1 11 Tf 0 g) /F 4 /P ${ref(page)} /Rect [40 ${y} 380 ${y + 22}] ${withAppearance ? `/AP << /N ${ref(appearance)} >>` : ''} >>`,
      );
    }).map(ref);
    maker.page(drawText(lines, { font }), {
      fonts: [font],
      number: page,
      extra: `/Annots [${widgets.join(' ')}]`,
    });
    const needs = withAppearance ? '' : '/NeedAppearances true';
    const { trailer } = maker.root(
      `/AcroForm << /Fields [${widgets.join(' ')}] /DR << /Font << ${font.resource} >> >> ${needs} >>`,
    );
    return { pdf: writer.toBuffer(trailer) };
  },
};

export const hiddenFamilies = [forms, invisibleText, layers, marks, drawings, fields];
