import { createPick } from '../random.ts';
import type { CorpusFont } from './fonts.ts';
import { PdfWriter, type Ref, ref } from './pdf-writer.ts';
import { contextOf, type SecretSource, type SecretType, secretTypes } from './secrets.ts';

/** A secret in a file of the corpus: what must be gone from the file that redaction makes of it. */
export interface PlantedSecret {
  type: SecretType;
  value: string;
  /** How it is hidden there, in words. */
  channel: string;
  /** 1-based; null where it is on no page. */
  page: number | null;
  /** Byte strings of it in the file, in hex, besides ASCII and UTF-16. */
  codes: string[];
  /** Whether somebody who looks at the page or reads its text finds it: only then can a detector. */
  findable: boolean;
}

/** A file of the corpus with all that its maker knows of it. */
export interface CorpusFile {
  name: string;
  family: string;
  pdf: Buffer;
  pages: number;
  secrets: PlantedSecret[];
  /** Words of each page's text that are nobody's secret, and must remain unless it is burned. */
  keptWords: string[][];
  /** Whether letters cannot be derived from codes or are drawings: such pages may be burned. */
  mayBurn: boolean;
  /** Set: the file has to be encrypted with this owner password, by a tool that can. */
  ownerPassword: string | null;
}

type TextPart = { text: string; secret: PlantedSecret | null };
export type TextLine = TextPart[];

export const sheet = { width: 420, height: 595, margin: 36, size: 11, leading: 19 };

const fillers =
  'window garden river lantern harbour meadow kettle saddle pebble orchard cellar bridge ladder bucket feather blanket thistle walnut copper velvet timber gravel canvas marble barley clover ribbon basket candle hammer anchor pillow mirror basin trellis mortar cabin ferry quarry lumber paddock stable chimney gable plaster shingle hinge latch railing gutter slowly often under above behind between quietly gently'.split(
    ' ',
  );

type SecretRequest = {
  channel: string;
  page: number | null;
  types?: readonly SecretType[];
  font?: CorpusFont;
  findable?: boolean;
};

/** Makes one file: gives it words and secrets, and keeps account of them. */
export class Maker {
  readonly writer = new PdfWriter();
  readonly pick: (below: number) => number;
  readonly secrets: PlantedSecret[] = [];
  readonly keptWords: string[][] = [];
  private readonly source: SecretSource;
  private readonly pages: Ref[] = [];
  private readonly tree: Ref;

  /** `seed` decides everything but the secrets' values, which come from `source`. */
  constructor(seed: number, source: SecretSource) {
    this.pick = createPick(seed);
    this.source = source;
    this.tree = this.writer.reserve();
  }

  pickOne<T>(list: readonly T[]): T {
    return list[this.pick(list.length)]!;
  }

  secret({
    channel,
    page,
    types = secretTypes,
    font,
    findable = true,
  }: SecretRequest): PlantedSecret {
    const type = this.pickOne(types);
    const value = this.source.value(type, this.pick(6));
    const codes = font?.codes(value);
    const secret = { type, value, channel, page, findable, codes: codes ? [codes] : [] };
    this.secrets.push(secret);
    return secret;
  }

  filler(words: number): string {
    return Array.from({ length: words }, () => this.pickOne(fillers)).join(' ');
  }

  /** A line with a secret in it, words before and, where there is room, behind. */
  line(request: SecretRequest, addsWords = this.pick(2) === 0): TextLine {
    const secret = this.secret(request);
    const before = contextOf(secret.type, this.pick(6));
    const freeLetters = 56 - before.length - secret.value.length;
    const words = addsWords ? Math.floor(freeLetters / 9) : 0;
    const line: TextLine = [
      { text: before, secret: null },
      { text: secret.value, secret },
    ];
    if (words > 0) line.push({ text: ` ${this.filler(Math.min(words, 3))}`, secret: null });
    return line;
  }

  plain(text: string): TextLine {
    return [{ text, secret: null }];
  }

  /** Lines of words with `secrets` of them holding a secret. */
  prose(request: SecretRequest, lines: number, secrets: number, addsWords?: boolean): TextLine[] {
    const interval = Math.max(1, Math.floor(lines / secrets));
    return Array.from({ length: lines }, (_, index) =>
      index % interval === interval - 1 && index < interval * secrets
        ? this.line(request, addsWords)
        : this.plain(this.filler(5 + this.pick(2))),
    );
  }

  /** Notes that these lines' other words are text on the page and must remain. */
  requireKept(page: number, lines: readonly TextLine[]): void {
    while (this.keptWords.length < page) this.keptWords.push([]);
    for (const line of lines) {
      for (const { text, secret } of line) {
        if (secret === null) this.keptWords[page - 1]?.push(...text.split(' ').filter(Boolean));
      }
    }
  }

  /** A page of A5 with this content; `extra` are further entries of its dictionary. */
  page(
    content: string | Ref,
    options: {
      fonts?: readonly CorpusFont[];
      /** Further entries of the resources, such as /XObject. */
      resources?: string;
      extra?: string;
      mediaBox?: string;
      number?: Ref;
    } = {},
  ): Ref {
    const { fonts = [], resources = '', extra = '' } = options;
    const { mediaBox = `0 0 ${sheet.width} ${sheet.height}` } = options;
    const stream = typeof content === 'string' ? this.writer.stream('', content) : content;
    const number = options.number ?? this.writer.reserve();
    this.writer.set(
      number,
      `<< /Type /Page /Parent ${ref(this.tree)} /MediaBox [${mediaBox}] /Contents ${ref(stream)} /Resources << /Font << ${fonts.map(({ resource }) => resource).join(' ')} >> ${resources} >> ${extra} >>`,
    );
    this.pages.push(number);
    return number;
  }

  /** The page tree and the catalog; returns what goes into the trailer. */
  root(catalog = ''): { number: Ref; trailer: string } {
    this.writer.set(
      this.tree,
      `<< /Type /Pages /Kids [${this.pages.map(ref).join(' ')}] /Count ${this.pages.length} >>`,
    );
    const number = this.writer.add(`<< /Type /Catalog /Pages ${ref(this.tree)} ${catalog} >>`);
    return { number, trailer: `/Root ${ref(number)}` };
  }

  get pageCount(): number {
    return this.pages.length;
  }
}

export type DrawMode = 'plain' | 'kerned' | 'runs' | 'glyphs' | 'quotes' | 'spaced' | 'shuffled';

export interface DrawOptions {
  font: CorpusFont;
  size?: number;
  x?: number;
  /** Baseline of the first line. */
  y?: number;
  leading?: number;
  mode?: DrawMode;
  /** Operators before the text, such as a colour. */
  before?: string;
  pick?: (below: number) => number;
}

export const textOfLine = (line: TextLine): string => line.map(({ text }) => text).join('');

/** Content operators that show the lines, one under the other. */
export function drawText(lines: readonly TextLine[], options: DrawOptions): string {
  const { font, size = sheet.size, x = sheet.margin, mode = 'plain', before = '' } = options;
  const { y = sheet.height - 50, leading = sheet.leading, pick = () => 0 } = options;
  const shown = lines.map((line, index) => {
    const at = y - index * leading;
    const text = textOfLine(line);
    return showLine(text, { font, size, x, y: at, leading, pick }, mode);
  });
  if (mode === 'shuffled') shown.reverse();
  return `BT /${font.name} ${size} Tf ${before}\n${shown.join('\n')}\nET\n`;
}

type LinePosition = {
  font: CorpusFont;
  size: number;
  x: number;
  y: number;
  leading: number;
  pick: (below: number) => number;
};

function showLine(text: string, position: LinePosition, mode: DrawMode): string {
  const { font, size, x, y, leading, pick } = position;
  const at = (left: number): string => `1 0 0 1 ${left.toFixed(3)} ${y} Tm`;
  if (mode === 'kerned') {
    // Gaps between words are displacements as often as they are spaces.
    const items = [...text].map((letter) =>
      letter === ' ' && pick(2) === 0
        ? String(-Math.round((font.width(' ', 1000) * (90 + pick(30))) / 100))
        : `${font.show(letter)} ${pick(50) - 25}`,
    );
    return `${at(x)} [${items.join(' ')}] TJ`;
  }
  if (mode === 'quotes') {
    return `1 0 0 1 ${x} ${y + leading} Tm ${leading} TL ${pick(2) ? `${font.show(text)} '` : `0.5 0.1 ${font.show(text)} " 0 Tw 0 Tc`}`;
  }
  if (mode === 'spaced') {
    return `${at(x)} 0.${pick(5)} Tc ${pick(3)} Tw ${94 + pick(5)} Tz ${font.show(text)} Tj 0 Tc 0 Tw 100 Tz`;
  }
  if (mode === 'plain') return `${at(x)} ${font.show(text)} Tj`;
  const pieces = mode === 'glyphs' ? [...text] : splitRandomly(text, pick);
  let left = x;
  const shown = pieces.map((piece) => {
    const operators = `${at(left)} ${font.show(piece)} Tj`;
    left += font.width(piece, size);
    return operators;
  });
  if (mode === 'shuffled') shown.reverse();
  return shown.join('\n');
}

function splitRandomly(text: string, pick: (below: number) => number): string[] {
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    const length = 1 + pick(7);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
