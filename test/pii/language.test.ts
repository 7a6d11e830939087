import { createDetector, languagesNotCovered } from '@scriptorium/pii';
import { expect } from 'chai';
import { foreignLines, uncoveredLanguages } from '../../packages/pii/src/language/index.ts';
import { everything as patterns, told } from './find.ts';

const everything = { ...patterns, entities: 'all' as const };
const detect = createDetector(everything);
const found = (text: string) => told(text, detect(text));

const uncovered: Readonly<Record<string, string>> = {
  ru: 'Завтра утром мы встретимся у входа в старую библиотеку.',
  uk: 'Завтра вранці ми зустрінемося біля входу до старої бібліотеки.',
  el: 'Αύριο το πρωί θα συναντηθούμε μπροστά στην παλιά βιβλιοθήκη.',
  ja: '明日の朝、古い図書館の入口で会いましょう。',
  zh: '明天早上我们在旧图书馆门口见面，请带上昨天的文件。',
  ko: '내일 아침 오래된 도서관 입구에서 만나기로 했습니다.',
  ar: 'سنلتقي صباح الغد عند مدخل المكتبة القديمة.',
  he: 'ניפגש מחר בבוקר בכניסה לספרייה הישנה ליד הכיכר.',
  hi: 'हम कल सुबह पुराने पुस्तकालय के द्वार पर मिलेंगे।',
  th: 'พรุ่งนี้เช้าเราจะพบกันที่หน้าห้องสมุดเก่า',
  vi: 'Sáng mai chúng ta sẽ gặp nhau trước cửa thư viện cũ.',
  tr: 'Yarın sabah eski kütüphanenin önünde buluşacağız, çünkü hava çok güzel olacak.',
  sv: 'I morgon ska vi träffas vid ingången till det gamla biblioteket.',
  fi: 'Tapaamme huomenna vanhan kirjaston edessä, mutta vain jos sää on hyvä.',
  hu: 'Holnap reggel a régi könyvtár előtt találkozunk, ha nem esik az eső.',
  cs: 'Zítra ráno se sejdeme před starou knihovnou, pokud nebude pršet.',
};

const covered: readonly string[] = [
  'Tomorrow morning we meet at the entrance of the old library.',
  'Morgen früh treffen wir uns am Eingang der alten Bibliothek.',
  "Demain matin, nous nous retrouvons devant l'ancienne bibliothèque.",
  'Mañana por la mañana nos vemos en la entrada de la antigua biblioteca.',
  "Domani mattina ci vediamo all'ingresso della vecchia biblioteca.",
  'Morgenochtend zien we elkaar bij de ingang van de oude bibliotheek.',
  'Amanhã de manhã encontramo-nos à entrada da antiga biblioteca.',
  'Jutro rano spotykamy się przy wejściu do starej biblioteki.',
];

describe('the languages of a text', () => {
  it('name those that the tagger is not trained in', () => {
    for (const [language, text] of Object.entries(uncovered)) {
      expect(uncoveredLanguages(text), text).to.deep.equal([language]);
    }
    for (const text of covered) expect(uncoveredLanguages(text), text).to.deep.equal([]);
  });

  it('are told line by line', () => {
    const text = `${covered[0]}\n\n${uncovered.sv}\n\n${covered[1]}`;
    const lines = foreignLines(text).map(({ start, end, language }) => [
      text.slice(start, end).trim(),
      language,
    ]);
    expect(lines).to.deep.equal([[uncovered.sv, 'sv']]);
  });

  it('of short lines in a script without capitals are those around them, whatever else is there', () => {
    const help = `サイズ\n\nPlay music on your phone and tablet.\n\nファイルの書式を選択します。\n\n内容`;
    expect(foreignLines(help)).to.have.length(3);
  });

  it('of a line that says little are those around it', () => {
    const swedish = `${uncovered.sv}\nAnna Lindqvist\n${uncovered.sv}`;
    expect(foreignLines(swedish)).to.have.length(3);
    const english = `${covered[0]}\nAnna Lindqvist\nИван Петров\n田中太郎\n${covered[0]}`;
    expect(foreignLines(english)).to.deep.equal([]);
  });

  it('of names alone are unknown, and names are sought', () => {
    for (const name of ['Van Den Berg', 'Per Olsen', 'Иван Петров', 'och', '']) {
      expect(uncoveredLanguages(name), name).to.deep.equal([]);
    }
  });

  it('decide whether names are sought; identifiers always are', () => {
    for (const text of Object.values(uncovered)) expect(found(text), text).to.deep.equal([]);
    expect(found(`${uncovered.ru} ivan@example.com`)).to.deep.equal([
      'EMAIL_ADDRESS ivan@example.com',
    ]);
  });

  it('end a finding where a line begins that is in another', () => {
    const text = `Contact: Anna Lindqvist\n${uncovered.ja}\n${uncovered.ja}`;
    expect(found(text)).to.deep.equal(['PERSON Anna Lindqvist']);
  });

  it('do not matter if no names are asked for', () => {
    const text = uncovered.ru ?? '';
    expect(languagesNotCovered(text, { ...everything, entities: ['PHONE_NUMBER'] })).to.deep.equal(
      [],
    );
    expect(languagesNotCovered(text, everything)).to.deep.equal(['ru']);
    expect(createDetector({ ...everything, entities: ['PERSON'] })(text)).to.deep.equal([]);
  });

  it('are told of lines of any length', () => {
    const long = `${uncovered.sv} `.repeat(200);
    expect(uncoveredLanguages(long)).to.deep.equal(['sv']);
    expect(uncoveredLanguages('x'.repeat(100_000))).to.deep.equal([]);
  });

  it('are not those of a word that every row of a list repeats', () => {
    const rows = ['Firma y Sello', 'Lectura Anterior', 'Base Imponible', 'Bultos', 'Descuento'];
    const list = rows.map((row) => `${row}\tok\nTitular\tItziar Olabarrieta\n`).join('');
    expect(uncoveredLanguages(list.repeat(4))).to.deep.equal([]);
    expect(found(list)).to.include('PERSON Itziar Olabarrieta');
  });
});
