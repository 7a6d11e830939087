/**
 * The languages whose words a search of passages reduces to stems, as ISO 639-2 codes like those of
 * `ocr`, with the dictionary of Postgres for each.
 */
export const searchLanguages = {
  ara: 'arabic_stem',
  cat: 'catalan_stem',
  dan: 'danish_stem',
  deu: 'german_stem',
  ell: 'greek_stem',
  eng: 'english_stem',
  eus: 'basque_stem',
  fin: 'finnish_stem',
  fra: 'french_stem',
  hin: 'hindi_stem',
  hun: 'hungarian_stem',
  ind: 'indonesian_stem',
  ita: 'italian_stem',
  nld: 'dutch_stem',
  nor: 'norwegian_stem',
  por: 'portuguese_stem',
  ron: 'romanian_stem',
  rus: 'russian_stem',
  spa: 'spanish_stem',
  swe: 'swedish_stem',
  tur: 'turkish_stem',
} as const;

export type SearchLanguage = keyof typeof searchLanguages;

export const searchLanguageNames = Object.keys(searchLanguages) as SearchLanguage[];
