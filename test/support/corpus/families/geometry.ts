import { standardFont } from '../fonts.ts';
import { drawText, sheet } from '../maker.ts';
import type { Family } from './family.ts';

/** Pages that ask to be turned, their content drawn so that it reads upright then. */
const rotated: Family = {
  name: 'rotated',
  count: 9,
  build(maker, index) {
    const rotate = ([90, 180, 270] as const)[index % 3]!;
    const font = standardFont(maker.writer, 'F1');
    const lines = maker.prose({ channel: `page turned by ${rotate}`, page: 1 }, 14, 3);
    maker.requireKept(1, lines);
    const { width, height } = sheet;
    const upright = {
      90: `0 1 -1 0 ${height} 0`,
      180: `-1 0 0 -1 ${width} ${height}`,
      270: `0 -1 1 0 0 ${width}`,
    };
    const box = rotate === 180 ? `${width} ${height}` : `${height} ${width}`;
    const text = drawText(lines, { font, mode: index < 6 ? 'plain' : 'kerned', pick: maker.pick });
    maker.page(`q ${upright[rotate]} cm ${text} Q`, {
      fonts: [font],
      mediaBox: `0 0 ${box}`,
      extra: `/Rotate ${rotate}`,
    });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** Text that leans, and text that runs up the page. */
const leaning: Family = {
  name: 'leaning',
  count: 6,
  build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const lines = maker.prose({ channel: 'leaning text', page: 1 }, 8, 2);
    const up = maker.prose({ channel: 'text that runs up', page: 1 }, 3, 1);
    const flat = [maker.plain(maker.filler(5)), maker.plain(maker.filler(5))];
    maker.requireKept(1, flat);
    const angle = ((2 + index * 3) * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle).toFixed(5), Math.sin(angle).toFixed(5)];
    maker.page(
      `q ${cos} ${sin} -${sin} ${cos} 70 -40 cm ${drawText(lines, { font, size: 8, x: 60, y: 330 })} Q\n` +
        `q 0 1 -1 0 345 60 cm ${drawText(up, { font, x: 0, y: 0 })} Q\n${drawText(flat, { font })}`,
      { fonts: [font] },
    );
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** Crop boxes that are offset and smaller than the page; below them is invisible text. */
const cropped: Family = {
  name: 'cropped',
  count: 9,
  build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const lines = maker.prose({ channel: 'page with an offset crop box', page: 1 }, 12, 2);
    const hidden = maker.prose(
      { channel: 'text outside the crop box', page: 1, findable: false },
      4,
      1,
    );
    maker.requireKept(1, lines);
    const [dx, dy] = [-120 + index * 40, 60 - index * 15];
    const text = drawText(lines, { font, x: 40 + dx, y: 540 + dy });
    const below = drawText(hidden, { font, x: 40 + dx, y: 120 + dy, leading: 15 });
    const { width, height } = sheet;
    maker.page(text + below, {
      fonts: [font],
      mediaBox: `${dx} ${dy} ${dx + width} ${dy + height}`,
      extra: `/CropBox [${dx + 20} ${dy + 260} ${dx + width - 10} ${dy + height - 10}]${index % 3 === 2 ? ' /Rotate 180' : ''}`,
    });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** Pages whose unit is not a point. */
const userUnits: Family = {
  name: 'user-unit',
  count: 4,
  build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const lines = maker.prose({ channel: 'page with a unit of its own', page: 1 }, 10, 2);
    maker.requireKept(1, lines);
    maker.page(drawText(lines, { font }), {
      fonts: [font],
      extra: `/UserUnit ${[1.5, 2, 0.75, 3][index % 4]}`,
    });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

export const geometryFamilies = [rotated, leaning, cropped, userUnits];
