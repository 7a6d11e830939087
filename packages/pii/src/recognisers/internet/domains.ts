/** Country codes of the domain name system (ISO 3166-1 and exceptions in use). */
const countries =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw';
/** Common generic domains. */
const generic =
  'com net org edu gov mil int arpa info biz name pro aero coop museum jobs mobi travel tel asia cat post xxx academy accountants agency app art associates attorney auction bank bar berlin bike blog business cafe camp capital care careers cash center chat church city clinic cloud club coach codes coffee community company computer construction consulting cool country dental design dev digital direct directory doctor domains earth education email energy engineer engineering enterprises equipment estate events exchange expert express family farm fashion film finance financial fish fitness florist fm foundation fun fund gallery games gift global gmbh gold graphics group guide guru hamburg health help hosting hotel house immo industries insurance international investments jetzt kaufen koeln land law lawyer legal life limited link live loan london love ltd management market marketing media memorial money museum music network news ngo nrw nyc one online page paris partners parts photo photography photos pizza plus press productions properties pub realty rent rentals repair report rest restaurant ruhr run saarland sale school science services shop show site social software solar solutions space store studio style support swiss systems taxi team tech technology tips tirol today tools top tours town toys trade training university vacations ventures versicherung vet video villas vip vision voyage watch web website wedding wien wiki win wine work works world wtf xyz yoga zone';
/** Domains that are also words and may follow a full stop without a space. */
const words =
  'am art as by do email fish fun games gift go group guide help house in is la law legal life link live love me money my name news no one page parts plus press pro report rest run sale shop show site so space store style support team to today tools top tours video watch win wine work works world';
/** Domains that are also file extensions. */
const files =
  'ai ap app as bar bz cab cat cc cfg click cs csv dev do doc gz kt la lock map md mk ml mm mo mov mp pl pm pro properties ps pub py rs sh so sql st sv tc tf tm ts vb zip';

const topLevelDomains = new Set(`${countries} ${generic}`.split(' '));
const wordDomains = new Set(words.split(' '));
const fileDomains = new Set(files.split(' '));
const labelEdges = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u;
const wellFormed = /^(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})$/u;

/**
 * Returns the scores of a name as a domain, alone and in context; null if it cannot be a domain.
 * `report.md` is more likely a file, and `over.in` the end of one sentence and the start of the
 * next.
 */
export function domainScores(name: string): readonly [alone: number, inContext: number] | null {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  const topLevel = last.toLowerCase();
  if (!topLevelDomains.has(topLevel) || !labels.every((label) => labelEdges.test(label)))
    return null;
  // Domains are written in one case; sentences start with a capital.
  if (last !== topLevel && last !== last.toUpperCase()) return null;
  if (fileDomains.has(topLevel)) return [0.25, 0.45];
  return wordDomains.has(topLevel) && labels.length < 3 ? [0.4, 0.8] : [0.65, 0.9];
}

/**
 * Returns the end of the domain after an @, which starts at `from` and ends at `end` at the latest.
 * This is the longest domain that ends in a listed name, or the whole text if it can be a domain.
 */
export function domainIn(text: string, from: number, end: number): number | null {
  let wholeEnd: number | null = null;
  let listedEnd: number | null = null;
  let labels = 0;
  for (const match of text.slice(from, end).matchAll(/[^. ]+/g)) {
    labels += 1;
    const label = match[0].replace(/-+$/, '');
    if (labels === 1 || !wellFormed.test(label)) continue;
    wholeEnd = from + match.index + label.length;
    // Particles of other scripts follow without a space: `example.org로`.
    const latin = /^[a-z]{2,24}(?=[^ -~])/i.exec(label)?.[0];
    if (latin && topLevelDomains.has(latin.toLowerCase()))
      listedEnd = from + match.index + latin.length;
    if (topLevelDomains.has(label.toLowerCase())) listedEnd = wholeEnd;
  }
  return listedEnd ?? wholeEnd;
}
