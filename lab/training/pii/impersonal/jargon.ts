import type { Pieces } from './pieces.ts';

const list = (text: string) => text.trim().split(/\s*\|\s*/);

const genera = list(
  `Quercus | Salix | Rosa | Felis | Canis | Escherichia | Drosophila | Rattus | Pinus | Triticum | Homo | Apis | Salmo | Bos | Equus | Larus | Betula | Candida | Daphnia | Mytilus | Vitis | Solanum | Arabidopsis | Danio | Xenopus`,
);
const epithets = list(
  `robur | alba | canina | catus | lupus | coli | melanogaster | norvegicus | sylvestris | aestivum | sapiens | mellifera | salar | taurus | caballus | pendula | albicans | magna | edulis | vinifera | nigra | vulgaris | officinalis | laevis | rerio`,
);
const chemicals = list(
  `sodium chloride | acetone | ethanol | potassium nitrate | ammonia | Methanol | Sodium hydroxide | titanium dioxide | benzene | Toluene | glucose | calcium carbonate | Hydrogen peroxide | phosphate | nitrogen | Chlorine | urea | citric acid | Propylene glycol | magnesium sulphate | Ibuprofen | Amoxicillin | Atorvastatin | paracetamol`,
);
const land = list(
  `upland rivers | lowland streams | fertiliser | heathland | topsoil | wetland | estuary | catchment | grassland | woodland | moorland | drainage | arable land | floodplain | reservoir | coastline | limestone | sediment | livestock | orchard | glacier | delta | aquifer | hedgerow`,
);
const commands = list(
  `Goto | GoSub | Disp | Input | Prompt | Lbl | Else | EndIf | Repeat | While | Print | Return | Select Case | Loop | Next | Dim | Sub | Function | Import | Include | Require | Define | Let | Call | Exit | Pause | Menu | Catalog | Solve | Graph | Trace | Zoom | Window | Shift | Alpha | Enter`,
);
const makes = list(
  `TI | HP | SKU | MX | XR | RTX | WD | LM | ATX | PX | FX | Mk | Rev | Type | Model | Part | Lot | Art | Ref | Item | CVE | KB | ISO | EN | DIN | IEC | BS | RFC | ASTM | EC`,
);
const spans = list(
  `* to * | *–* | from * to * | * until * | between * and * | *-* | * and * | * through * | since * | until * | in * | by * | circa * | before * | *, *, * | (*) | (*–*) | during * | late * | early * | mid-* | the *s | the census of * | the winter of * | * AD | * onwards`,
);

/** Codes, makes, years and technical terms, which are neither people nor places. */
export function jargon(p: Pieces): string {
  const { random, world } = p;
  const { nouns, adjectives, verbs } = world.words;
  const noun = () => random.pick(nouns);
  const code = () =>
    random.pattern(
      `${random.pick(makes)}${random.pick(['-', '-', ' ', ''])}${random.pick(['##', '####', '###?', '#', '##-##', '#####', '?##', '## Plus', '## Pro'])}`,
    );
  const years = () => random.pick(spans).replace(/\*/g, () => String(random.int(1500, 2030)));
  const species = () => `${random.pick(genera)} ${random.pick(epithets)}`;
  const title = (length: number) =>
    Array.from({ length }, () => random.pick(random.pick([nouns, nouns, adjectives, verbs])))
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ');
  return random.pick([
    () => `The ${code()} ${random.pick(verbs)}s the ${noun()} of the ${code()}.`,
    () => `${code()} ${noun()} ${noun()}, ${code()} ${noun()}`,
    () => `On the ${code()}, press ${random.pick(commands)} and then ${random.pick(commands)}.`,
    () => `${random.pick(commands)} ${random.pattern('?')}`,
    () => `Use ${random.pick(commands)} to leave the ${noun()}; ${random.pick(commands)} ends it.`,
    () => `${random.pick(commands)} | ${random.pick(commands)} | ${random.pick(commands)}`,
    () => `${title(1)} ${years()}`,
    () => `The ${noun()} grew ${years()} and the ${noun()} fell ${years()}.`,
    () => `${title(2)}, ${years()}`,
    () => `${years()}: ${noun()} ${noun()}`,
    () => `${years()}	${p.number()}	${years()}	${p.number()}`,
    () => `Table ${random.int(1, 20)}. ${title(3)}, ${years()}`,
    () => `Samples of ${species()} and ${species()} were kept in ${random.pick(chemicals)}.`,
    () => `${species()} (${random.pick(genera).charAt(0)}. ${random.pick(epithets)})`,
    () => `Add ${p.measure()} of ${random.pick(chemicals)} to the ${noun()}.`,
    () => `${random.pick(chemicals)}, ${random.pick(chemicals)} and ${random.pick(chemicals)}`,
    () =>
      `${random.pick(land)} and ${random.pick(land)} are ${random.pick(adjectives)}; ${random.pick(land)} is ${random.pick(adjectives)}.`,
    () =>
      `In ${random.pick(land)} the ${random.pick(land)} ${random.pick(verbs)}s ${random.pick(land)}.`,
    () => `${title(random.int(2, 6))}`,
    () => `${random.int(1, 12)}.${random.int(1, 9)} ${title(random.int(2, 5))}`,
    () => `${title(2)}: ${title(3)}`,
    () => `How to ${random.pick(verbs)} the ${title(2)} in ${title(1)}`,
    () => `Our ${title(2)} ${code()} replaces the ${title(1)} ${code()}.`,
  ])();
}
