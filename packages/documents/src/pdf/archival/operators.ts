import { readTokens } from '../content-stream.ts';

/** The resources that the operators of a content stream use. */
export type ResourceUse = {
  /** Fonts that draw letters, by their names in the resources. */
  fonts: Set<string>;
  /** Device colour spaces that are set by operators or by inline images. */
  spaces: Set<string>;
  /** Operators that PDF does not define. */
  unknown: Set<string>;
  /** Rendering intents that PDF does not define. */
  intents: Set<string>;
  /** Nesting depth of q and Q. */
  depth: number;
  /** Whether an inline image is compressed with LZW, which PDF/A does not allow. */
  lzw: boolean;
};

/** The operators of ISO 32000-1, Annex A. */
const knownOperators = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M
MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(
    /\s+/,
  ),
);
export const intents = new Set([
  'AbsoluteColorimetric',
  'RelativeColorimetric',
  'Saturation',
  'Perceptual',
]);
const spaceOf: Readonly<Record<string, string>> = {
  g: 'DeviceGray',
  G: 'DeviceGray',
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
  CMYK: 'DeviceCMYK',
  RGB: 'DeviceRGB',
  DeviceGray: 'DeviceGray',
  DeviceRGB: 'DeviceRGB',
  DeviceCMYK: 'DeviceCMYK',
};
const textShowingOperators = new Set(['Tj', 'TJ', "'", '"']);
const invisibleModes = new Set([3, 7]);

type TextState = { font: string; mode: number };

/** Returns the resources that a content stream uses. Text that is not drawn needs no font. */
export function readResourceUse(contents: Uint8Array): ResourceUse {
  const use: ResourceUse = {
    fonts: new Set(),
    spaces: new Set(),
    unknown: new Set(),
    intents: new Set(),
    depth: 0,
    lzw: false,
  };
  const saved: TextState[] = [];
  let state: TextState = { font: '', mode: 0 };
  let operands: string[] = [];
  let isInImage = false;
  for (const { kind, text } of readTokens(contents)) {
    if (kind === 'operand') {
      operands.push(text);
      continue;
    }
    const names = operands.filter((one) => one.startsWith('/')).map((one) => one.slice(1));
    const last = operands.at(-1) ?? '';
    if (!knownOperators.has(text)) use.unknown.add(text);
    if (text === 'q') {
      saved.push({ ...state });
      use.depth = Math.max(use.depth, saved.length);
    } else if (text === 'Q') state = saved.pop() ?? state;
    else if (text === 'Tf') state.font = names.at(-1) ?? '';
    else if (text === 'Tr') state.mode = Number(last);
    else if (textShowingOperators.has(text) && !invisibleModes.has(state.mode))
      use.fonts.add(state.font);
    else if (text === 'cs' || text === 'CS') {
      for (const name of names) if (name.startsWith('Device')) use.spaces.add(name);
    } else if (text === 'ri' && !intents.has(names[0] ?? '')) use.intents.add(names[0] ?? '');
    else if (text === 'BI') isInImage = true;
    else if (text === 'ID' && isInImage) {
      isInImage = false;
      const at = names.findIndex((name) => name === 'CS' || name === 'ColorSpace');
      const space = spaceOf[names[at + 1] ?? ''];
      if (at >= 0 && space) use.spaces.add(space);
      if (names.some((name) => name === 'LZW' || name === 'LZWDecode')) use.lzw = true;
    }
    const space = text.length <= 2 ? spaceOf[text] : undefined;
    if (space) use.spaces.add(space);
    operands = [];
  }
  return use;
}
