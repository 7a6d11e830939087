/**
 * Words that occur in files regardless of their content: in names of fonts and colour profiles, in
 * font programs and in the PDF language. A value that consists only of such words (a company that
 * also makes fonts, a state that is also a typeface) reveals nothing when it occurs there.
 */
const words = `
  adobe apple ascender arphic bitstream canonical citizen emigre google hewlett packard ibm itc
  linotype microsoft monotype paratype redhat sun symbol typeface urw wolfram
  arial bahnschrift baskerville bodoni bookman calibri cambria candara caslon century chancery
  charis charter clarendon comic consolas constantia corbel courier dejavu didot dingbats fira
  franklin frutiger futura garamond geneva georgia gill gothic goudy helvetica impact lato
  liberation libre lucida merriweather minion monaco montserrat myriad neue nimbus noto optima
  palatino perpetua playfair poppins raleway roboto rockwell sans segoe serif source tahoma times
  trebuchet ubuntu univers verdana webdings wingdings zapf zapfdingbats
  black bold book condensed demi expanded extra heavy italic light medium mono narrow oblique plain
  regular roman semibold thin unicode
  company copyright corp corporation foundation inc incorporated international limited llc ltd
  rights reserved software systems technologies the trademark version
  alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma upsilon omega omicron
  ampersand asterisk bullet comma degree dollar hyphen lozenge numbersign paragraph percent period
  question section slash space sterling tilde underscore
  annots array ascent aspace author background begin begincmap bitspercomponent blackpoint catalog
  charprocs cidfont cidinit cidsystem cmapname codespace colors colorspace columns contents count
  creator currentdict currentfile decode descendant descent encoding endcmap endobj endstream false
  family filter findresource flags flatedecode fontname fullname function height identity image
  index intent interpolate kids length matrix media metadata name names noaccess normal notdef
  notice object ordering outlines pages parent password pattern predictor private procset producer
  readonly registry resources root rotate shading standard standardencoding startxref stream subrs
  subtype supplement title tounicode trailer type weight whitepoint widths width winansiencoding
  xobject xreff
  calrgb display device input output perceptual profile reference rgb srgb viewing condition
`;

/** The words, folded as by `squeeze`. */
export const vocabulary: ReadonlySet<string> = new Set(words.trim().split(/\s+/));
