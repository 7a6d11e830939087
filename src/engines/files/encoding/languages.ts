/** How texts of a language look when they are decoded right. */
export interface Language {
  /** Letters outside ASCII, in lower case, the most frequent first. */
  letters: string;
  /** Its most frequent words, as far as they are written in ASCII. */
  words?: string;
}

const russian: Language = { letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё' };
const cyrillic: readonly Language[] = [
  russian,
  { letters: 'оанитеірсвкдлмупязьгйбчхжцюїєшфщґ' },
  { letters: 'аоиентрсвлкдпмузябгъчщцжхшфюйь' },
  { letters: 'аоиенрстјвкдумлпзбгчшцжћхђљњфџ' },
];
const western: readonly Language[] = [
  {
    letters: 'éèàêçùôîâûëïœæ',
    words: 'le la les de des et un une du en est que qui dans pour par',
  },
  { letters: 'äüöß', words: 'der die und das den von zu mit ist im ein eine nicht auf für des' },
  { letters: 'óíáéñúüªº', words: 'el la los las de y que en un una por con del se para su es' },
  {
    letters: 'ãçáéíóêõâúàôªº',
    words: 'o a os as de e que do da em um uma para com dos das no na por',
  },
  { letters: 'èàùòéìîªº', words: 'il la di e che del della un una per in con non le i gli dei' },
  { letters: 'ëéïèöüáó', words: 'de het een en van in is dat op te voor met zijn niet aan' },
  { letters: 'äåöé', words: 'och att det som en av den till med har inte om ett' },
  { letters: 'øåæéö', words: 'og i det en af er til at som den med ikke et av har' },
  { letters: 'äöåé', words: 'ja on ei se että oli hän ovat mutta joka' },
  { letters: 'íáðéóþæúýö', words: 'og til er sem um ekki var hann af' },
  { letters: 'éèíóàòúïçü·', words: 'el la els les de i que en un una per amb del al' },
  { letters: 'éêèöïçñôü', words: 'the of and to in is for on that with at by from as it' },
];
const central: readonly Language[] = [
  { letters: 'ąęłżóśćńź', words: 'i w na z do nie o jest od po za oraz przez dla a' },
  { letters: 'íáěéžšřýčůúťďňó', words: 'a v na se je s z do pro o k ve za po od jako' },
  { letters: 'áíéžčýšúľťňôďóäĺŕ', words: 'a v na sa je s z do o k za po od pre ako' },
  { letters: 'áéöóőüíúű', words: 'a az egy hogy nem is meg de ha van volt vagy ez' },
  { letters: 'ăţîşâșț', words: 'de la un o cu pe nu din este care au pentru prin' },
  { letters: 'čšžćđ', words: 'i u je na se da za su od s po kao in v so ki' },
];
const turkish: Language = {
  letters: 'ıişüğçöâî',
  words: 've bir bu da de ile olan olarak daha ne',
};
const baltic: readonly Language[] = [
  { letters: 'ėųšžįąūęč', words: 'ir kad yra su iš buvo kaip bet jo tai' },
  { letters: 'āīēšūļņģžčķ', words: 'un ir ka no ar par kas bet viņa ko' },
  { letters: 'äõüöšž', words: 'ja on ei et see ta oli oma mis kui' },
];

/** Encodings of a byte per character, and the languages written in them. The first one wins a draw. */
export const singleByte: Readonly<Record<string, readonly Language[]>> = {
  'windows-1252': western,
  'windows-1250': central,
  'windows-1251': cyrillic,
  'koi8-r': [russian],
  'iso-8859-2': central,
  'windows-1254': [turkish],
  'windows-1253': [{ letters: 'αοιετσνηυρπκμλςόήίάέύδγώθχφβξζψ' }],
  'windows-1257': baltic,
  'windows-1255': [{ letters: 'יולהאמרתבשנעםדחקפסגטצזכןךץףװׁ' }],
  'windows-1256': [{ letters: 'اليمونرتبةعدسفهكقحجشطصىخإذئزثضظغءأآؤپچگژ' }],
  'windows-874': [{ letters: 'านรอกเงมยลวดทสตะปบคหแจพชขใไโผถซธณศฐภษญฟฝฮฉฬฎฏฑฆฒ่้ีิัืูุ็์ึำๆฯๅ' }],
};

/** Encodings of DOS and of old Macs: only for bytes that do not read well in any other. */
export const legacy: Readonly<Record<string, readonly Language[]>> = {
  cp437: western,
  cp850: western,
  cp852: central,
  ibm866: cyrillic,
  macintosh: western,
};

/** Encodings of several bytes, and characters that any text of some length in them has. */
export const multiByte: Readonly<Record<string, string>> = {
  shift_jis:
    'のにはたをがでてとしれさいるなあっもかこらりうすくまきおけんよそどだめスンルトイアリクラジレプドシ日一年人大十二本中月国会事者社分時名上後行出生間同部場会東方前見手理法定第以内田市回最高開発用立新体動物対業野全',
  'euc-jp':
    'のにはたをがでてとしれさいるなあっもかこらりうすくまきおけんよそどだめスンルトイアリクラジレプドシ日一年人大十二本中月国会事者社分時名上後行出生間同部場会東方前見手理法定第以内田市回最高開発用立新体動物対業野全',
  gb18030:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运',
  big5: '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得于著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運',
  'euc-kr':
    '이다는을의에가고하한은로를지기사도어인리시자나라대서해정그있으것과수일부제아보전만여들주장했상동면스적조원게구와경공안성비오국신니까년거미연우모계선유회화실무생요관물진양계방학결체용당위민중업법단',
};
