/* Words that occur around names, folded: in lower case, without accents. */

const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Titles, forms of address and particles. They are never names on their own. */
export const namelessWords = wordSet(`
  mr mrs ms miss mx sir madam dame lord lady dr prof professor doctor rev reverend hon sgt capt col
  lt jr sr phd md esq messrs herr frau fraulein hr fr dipl ing mag monsieur madame mademoiselle m
  mme mlle maitre senor senora senorita sr sra srta don dona signor signora signorina sig dott dottor
  dottoressa avv meneer mevrouw mijnheer dhr mevr mw heer drs pan pani pana sra senhor senhora
  van von vom zu zum zur der den dem des de del della dello dei degli di da do dos das du d la le
  les los las lo el al ten ter te op bin ibn ben abu y e i und and et of the zu af av
`);

/** Words that are followed by a name. */
export const addressWords = wordSet(`
  mr mrs ms miss mx sir madam dame lord lady dr prof professor doctor rev reverend dear hi hello hey
  attn signed sincerely regards herr herrn frau hallo liebe lieber geehrte geehrter monsieur madame
  mademoiselle mme mlle cher chere bonjour senor senora sr sra srta estimado estimada hola querido
  querida signor signora sig dott gentile caro cara ciao egregio meneer mevrouw dhr mevr mw beste
  geachte senhor senhora prezado prezada caro ola pan pani pana drogi droga szanowny szanowna
  contact client patient tenant employee claimant applicant kunde kundin patientin ansprechpartner
`);

/** Words that are common in any German text. */
export const germanWords = wordSet(`
  der die das und ist ein eine einen einer nicht mit den dem des im auf sich auch bei wird sind haben
  hat war werden oder zur zum von
`);

/** Months, days and seasons. They are capitalised without being names of people. */
export const calendarWords = wordSet(`
  january february march april may june july august september october november december monday
  tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter easter christmas
  januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
  samstag sonntag sommer herbst mars avril juin juillet aout abril mayo junio julio agosto maggio
  giugno luglio maart mei augustus abril maio junho julho dimanche domenica domingo
`);

/**
 * Names that are also ordinary words and are capitalised in some places: at the start of sentences,
 * in titles and labels, and everywhere in German. Other ordinary words are recognised by their
 * lower-case occurrences in the document.
 */
export const ordinaryNames = wordSet(`
  angel april art ash august autumn banks bay bell berry best bill bird bishop black blue bond bridge
  bridges brook brooks brown bush case cash chance chase church clay cliff cole cook cross crystal day
  dean drew early east english faith fall falls field fields ford forest fox french frost general glass
  gold good grace grant gray green grey guy hall harbour hardy heath hill holiday hood hope house hunt
  ivy joy judge june justice keen key king lake lance land lane law leaf lee little long love low
  major marina mark marks marsh may meadow mercy mill moon moss noble north olive page paris park
  parks pat patience pearl penny pit poor pope power powers pray price prince queen ray read reed rice
  rich river rivers rob rock rod rose ruby rush rusty sage sandy savage seal self sharp short silver
  sky small smart snow south spring star steel stern still stone story strange street strong sue
  summer summers swift temple thorn trip vale victory walk wall walls ward waters way west white wild
  will wills winter winters wise wolf wood woods worth young
  alt amt bach band bauer baum berg blum brand braun burg busch christ engel ernst feld fischer frei
  freitag fuchs gerber glas graf gross grun gut hahn hammer hans heim herzog hirsch hoch hof horn jager
  jung kaiser kaufmann keller kern klein koch konig kraft kranz kreuz krug kuhn kurz land lang lange
  licht lieb linde mann markt meister metzger mond montag morgen nagel pfeiffer rath reich reiter
  richter ring ritter rot roth sander sauer schafer schatz schild schlosser schmied schneider schreiber
  schuster schwarz seiler sommer sonntag stark stein stern stolz strauss sturm suss tag teufel thal tor
  vogel wald walz wein weiss wild winkler wirt wirth wolf wunder zahn ziegler zimmer zimmermann
  avril beau belle blanc bon bois chance cour court dubois ete fleur fontaine grand grande hiver jardin
  jeune mai maire marche mars noel noir page parent petit petite pont rose rouge vert ville
  amor bella bello blanca blanco bueno calle campo casa castillo cielo costa cruz flor flores fuente
  guerra luna luz mar mercado mesa monte paz plaza prado real rey rio rosa santos sierra sol torre valle
  verde viento villa bianca bianco bosco conte croce donna felice fiore forte gallo lago luce mare
  pace pesce piazza riva rosso sala stella testa vento viola bank boom bos brink dam dijk groen groot
  jong kok kort lang meer oud post prins school snel steen veld vogel vos wit zee zwart branco
  gloria leite palma vale
  also although after and as at but by for from has have he her his however if in is it its no not on
  or our she since so that then their there these they this those to was we were when where which
  while who why with you your aber als am auch auf aus bei das dass der die ein eine er es fur hat ich
  im ist mit nach nicht oder sie sind und uns vom von war was wenn wer wie wir zu alors au aux avec ce
  cette dans elle est il ils je mais nous ou par pas pour qui sur une vous como con del ella en era
  esta este hay los mas muy para pero por que se sin su sus una usted che chi come della gli ha io lei
  non per piu suo aan bij dat een het hij ik maar met naar niet ook op uit voor wij zij
`);

/** Folds a word as in these lists. */
export function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}
