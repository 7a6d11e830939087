import { nameSet } from '../../../files/unread/index.ts';

/**
 * Control words that are kept (RTF 1.9.1): the layout of pages, paragraphs and tables, and the
 * formatting of characters. Colours, styles, lists and languages are dropped with their tables.
 */
export const keptWords: ReadonlySet<string> = nameSet(`
  paperw paperh margl margr margt margb landscape gutter facingp deftab
  sect sectd sbknone sbkpage sbkcol sbkeven sbkodd cols colsx pgwsxn pghsxn marglsxn margrsxn
  margtsxn margbsxn headery footery titlepg lndscpsxn pgnstarts pgnrestart pgndec pgnlcrm pgnucrm
  pard plain intbl itap ql qr qc qj fi li ri lin rin sb sa sl slmult keep keepn pagebb widctlpar
  nowidctlpar outlinelevel tx tqr tqc tqdec tb rtlpar ltrpar contextualspace
  b i ul ulnone ulw uld uldb ulth ulwave strike striked sub super nosupersub caps scaps fs up dn
  expnd expndtw rtlch ltrch chpgn chftn ftnalt
  trowd trgaph trleft trrh trql trqc trqr trhdr trkeep trpaddl trpaddr trautofit trwWidth trftsWidth
  trbrdrt trbrdrl trbrdrb trbrdrr trbrdrh trbrdrv lastrow rtlrow ltrrow cellx clmgf clmrg clvmgf
  clvmrg clvertalt clvertalc clvertalb clwWidth clftsWidth clbrdrt clbrdrl clbrdrb clbrdrr brdrs
  brdrw brdrnone brdrth brdrdb brdrdot brdrdash
  shpleft shptop shpright shpbottom shpbxcolumn shpbxpage shpbxmargin shpbypara shpbypage
  shpbymargin shpwr shpwrk shpfblwtxt shpz`);

/** Control words that end a line or a cell, with the text that they are read as. */
export const breaks: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  page: '\n',
  column: '\n',
  row: '\n',
  nestrow: '\n',
  cell: '\t',
  nestcell: '\t',
};

/** Destinations that are kept, each with text of its own. */
export const ownTexts: Readonly<Record<string, 'header' | 'footer' | 'notes' | 'drawing'>> = {
  header: 'header',
  headerl: 'header',
  headerr: 'header',
  headerf: 'header',
  footer: 'footer',
  footerl: 'footer',
  footerr: 'footer',
  footerf: 'footer',
  footnote: 'notes',
  shptxt: 'drawing',
};

/** Destinations that are kept but have no text between their groups. */
export const frames: ReadonlySet<string> = nameSet('shp shpgrp shpinst nesttableprops');

/** Of these, those after `\*`. */
export const ignorableFrames: ReadonlySet<string> = nameSet('shpinst nesttableprops shpgrp');

/** The largest number of a control word. Larger numbers could be data. */
export const maxNumber = 32_767;
