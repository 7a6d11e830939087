import { drawText, sheet } from '../../../test/support/corpus/maker.ts';
import { ref } from '../../../test/support/corpus/pdf-writer.ts';
import type { Trick } from '../trick.ts';
import { lowerHalf, paint } from './page.ts';

const { width, height } = sheet;
const y = lowerHalf;

/** Text in a frame: `around` precedes it, `options` change how it is drawn. */
function frameTrick(
  name: string,
  matrix: string,
  options: { size?: number; leading?: number; x?: number; y?: number; before?: string } = {},
): Trick {
  return paint(name, ({ lines, font, honest: isHonest }) => ({
    content: isHonest
      ? drawText(lines, { font, y })
      : `q ${matrix} cm ${drawText(lines, { font, y, ...options })} Q\n`,
  }));
}

/** Pages with unusual boxes or units. */
function boxTrick(name: string, extra: string, mediaBox?: string): Trick {
  return paint(name, ({ lines, font, honest: isHonest }) => ({
    content: drawText(lines, { font, y }),
    ...(isHonest ? {} : { extra, ...(mediaBox ? { mediaBox } : {}) }),
  }));
}

/** A page on which one box excludes content that the other shows. */
const outside = boxTrick('outside of the crop box', `/CropBox [0 ${y + 30} ${width} ${height}]`);

/** The frame of a form that moves and scales its content. */
const formMatrix = paint(
  'form with a matrix',
  ({ maker, lines, font, fonts, honest: isHonest }) => {
    const form = maker.writer.stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 ${20 * width} ${20 * height}] ${isHonest ? '' : '/Matrix [0.05 0 0 0.05 0 0]'} /Resources << ${fonts} >>`,
      isHonest
        ? drawText(lines, { font, y })
        : drawText(lines, { font, size: 220, x: 720, y: 20 * y, leading: 380 }),
    );
    return { content: '/Fm1 Do\n', resources: `/XObject << /Fm1 ${ref(form)} >>` };
  },
);

/** A form that is drawn without alpha. */
const formState = paint('form without alpha', ({ maker, lines, font, fonts, honest: isHonest }) => {
  const form = maker.writer.stream(
    `/Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] /Group << /S /Transparency /I true >> /Resources << ${fonts} >>`,
    drawText(lines, { font, y }),
  );
  return {
    content: `q ${isHonest ? '' : '/G1 gs'} /Fm1 Do Q\n`,
    resources: `/XObject << /Fm1 ${ref(form)} >> /ExtGState << /G1 << /ca 0 /CA 0 >> >>`,
  };
});

export const frameTricks: readonly Trick[] = [
  frameTrick('scaled up a thousand times', '1000 0 0 1000 0 0', {
    size: 0.011,
    leading: 0.019,
    x: 0.036,
    y: y / 1000,
  }),
  frameTrick('scaled down a hundred times', '0.01 0 0 0.01 0 0', {
    size: 1100,
    leading: 1900,
    x: 3600,
    y: y * 100,
  }),
  frameTrick('leaning', '0.985 0.174 -0.174 0.985 30 -40'),
  frameTrick('slanted', '1 0 0.35 1 -110 0'),
  frameTrick('running up', `0 1 -1 0 ${width - 40} 0`, { x: 20, y: 200, size: 8, leading: 14 }),
  frameTrick('upside down', `-1 0 0 -1 ${width} ${y + 20}`),
  frameTrick('narrow', '1 0 0 1 0 0', { before: '55 Tz', size: 13 }),
  frameTrick('wide apart', '1 0 0 1 0 0', { before: '4 Tc', size: 7 }),
  frameTrick('small', '1 0 0 1 0 0', { size: 4.5, leading: 8 }),
  boxTrick('page turned', '/Rotate 90'),
  boxTrick('page turned below zero', '/Rotate -180'),
  boxTrick('page of another unit', '/UserUnit 2.5'),
  boxTrick('page of a small unit', '/UserUnit 0.5'),
  boxTrick(
    'boxes below zero',
    `/CropBox [-20 -30 ${width} ${height}]`,
    `-100 -80 ${width} ${height}`,
  ),
  boxTrick('box written backwards', '', `${width} ${height} 0 0`),
  boxTrick('crop box larger than the page', '/CropBox [-400 -400 2000 2000]'),
  frameTrick('mirrored', `-1 0 0 1 ${width} 0`),
  outside,
  formMatrix,
  formState,
];
