/** Words for streets that are separate words, without accents. */
const streetWords =
  `street st road rd avenue ave av boulevard blvd bd lane ln drive dr court ct close crescent
  terrace square sq parkway pkwy highway hwy mews grove gardens way row walk alley place strasse
  str weg platz allee gasse ring ufer damm chaussee rue chemin impasse quai cours allees route
  passage faubourg calle c/ avenida avda paseo plaza camino carrera ronda travesia via viale corso
  piazza piazzale vicolo largo strada lungomare straat laan plein gracht kade dreef singel
  steenweg rua travessa praca estrada alameda rodovia ulica ul aleja al plac pl osiedle os ulice
  namesti trida gata gatan vag vagen vej gade katu tie utca ut ter strada sokak sok cadde caddesi
  cad mahallesi bulvari jalan duong pho`.split(/\s+/);

/** Endings of compounds: Kaiserstraße, Hauptstr., Kerkstraat, Storgatan. */
const endings =
  '(?:strasse|str|straat|laan|gracht|plein|kade|weg|platz|allee|gasse|gatan|gata|vagen|vej|gade|katu|utca)';

const streetWord = new RegExp(
  `(?<![a-z])(?:${streetWords.map((word) => word.replace('/', '\\/')).join('|')})(?![a-z])`,
);
const compound = new RegExp(`[a-z]{3}${endings}(?![a-z])`);
const postBox =
  /(?<![a-z])(?:p\.? ?o\.? ?box|postfach|boite postale|bp|apartado|postbus|casella postale)(?![a-z])/;
/** Words for streets in Cyrillic, Greek, Arabic, Hebrew, Han, Kana and Hangul. */
const nonLatinStreet =
  /ул\.|улиц|просп|пр-т|переул|площад|шоссе|бульвар|вулиц|οδός|οδος|λεωφ|شارع|رحوب|רחוב|路|街|号|號|丁目|番地|로\b|길\b/u;
const buildingParts =
  `room floor level gate platform hall building bldg block wing zimmer raum etage stock stockwerk
  geschoss gleis halle gebaude haus bau trakt block aufgang stand salle batiment bat bureau porte
  escalier sala planta piso piano edificio despacho puerta escalera stanza ufficio scala ingresso
  aula kamer verdieping zaal gebouw lokaal ingang andar gabinete entrada bloco pokoj pietro
  budynek sala wejscie office stand booth table desk seat`
    .split(/\s+/)
    .join('|');
/** One or more rooms or floors, whose numbers are not house numbers. */
const insideBuilding = new RegExp(
  `^(?:(?:${buildingParts})\\W{0,3}[a-z]?\\d{0,4}[a-z]?\\W{0,3}|\\d{1,3}(?:st|nd|rd|th|e|er|a|o|\\.|eme)? ?(?:${buildingParts})\\W{0,3})+$`,
);

/** A count or an area, as in a table of countries. */
const thousands = /(?<!\S)\d{1,3}(?:[.,]\d{3})+(?!\S)/g;

/**
 * Whether an address is more specific than a town: it has a street, a number, a postal code or a
 * post office box.
 */
export function hasStreet(address: string): boolean {
  const plain = address
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .trim();
  // A street type without a name is not a street.
  if (insideBuilding.test(plain) || /^\p{L}{1,6}\.?$/u.test(plain)) return false;
  return (
    /\p{N}/u.test(plain.replace(thousands, '')) ||
    streetWord.test(plain) ||
    compound.test(plain) ||
    postBox.test(plain) ||
    nonLatinStreet.test(address)
  );
}
