import { entries, type Language } from './language.ts';

export const polish: Language = {
  code: 'pl',
  locales: ['pl'],
  countries: ['PL'],
  roles: entries(
    `mój sąsiad | moja koleżanka | nasz syn | nasza córka | kierowca | świadek | jego adwokat | jej siostra | powód | pozwana | zmarły | nasz pracownik | najemczyni | jego brat | pacjent | uczennica | mój szef | autor | artystka | jej mąż | właściciel | kandydatka | oskarżony | moja przyjaciółka`,
  ),
  verbs: entries(
    `mówi | powiedział | pyta | zapytała | uważa | wyjaśnia | potwierdza | zaprzecza | przychodzi | przyszedł | wychodzi | dzwoni | dzwonił | dzwoniła | zapłacił | jest chory | jest nieobecna | zgadza się | chce wiedzieć | nie może | musi przyjść | musi czekać | został wybrany | została przesłuchana | zastępuje | kieruje | pisze | wysyła | odpowiada | podpisuje | sprzedaje | kupuje | proponuje | odmawia | dodaje | dziękuje | wygrywa | przegrał | strzelił gola | mieszka tu | pracuje tam | wie | wierzy | płaci | dziedziczy | przedstawia raport | opuścił salę`,
  ),
  namedStreets: entries(`ulica & * | ul. & * | Aleja & * | Plac & * | ul. * | Ulica *`),
  namesakes: entries(
    `Kowal | Piekarz | Młynarz | Krawiec | Szewc | Król | Książę | Wilk | Lis | Zając | Wróbel | Sikora | Kos | Dąb | Kruk | Baran | Kozioł | Zima | Lato | Niedziela | Biały | Czarny | Góra | Gołąb | Pająk | Kot | Duda | Mazur`,
  ),
  dates: ['D M Y r.', 'D M Y', 'D M Y roku', 'D.n.Y', 'D.n.Y r.', 'D M'],
  titles: entries(
    `Pan | Pani | pan | pani | Pana | Panu | Panią | panem | panią | Państwo | dr | dr. | dr n. med. | lek. med. | prof. | prof. dr hab. | mgr | mgr inż. | inż. | mec. | adw. | radca prawny | Szanowny Panie | sędzia | notariusz | ks. | ksiądz | siostra | minister | burmistrz | doktor | profesor | ciocia | wujek | pani doktor | pan doktor | pani mecenas | Pani | profesor`,
  ),
  jobs: entries(
    `prezes zarządu | dyrektor | dyrektorka | księgowa | lekarz rodzinny | pielęgniarka | adwokat | inżynier | sekretarka | kierownik projektu | specjalistka ds. kadr | technik | nauczycielka | sprzedawca | przewodniczący | skarbnik | notariusz | komornik | fizjoterapeuta | pracownik socjalny`,
  ),
  organizations: entries(
    `* Sp. z o.o. | * i Synowie | * S.A. | * i Wspólnicy sp.k. | Kancelaria * | @ Sp. z o.o. | @ S.A. | @ Polska | Grupa @ | Piekarnia * | Warsztat * | Urząd Miasta # | Szpital Wojewódzki w # | Uniwersytet w # | Sąd Rejonowy w # | Sąd Okręgowy w # | PKO Bank Polski | mBank | Urząd Skarbowy w # | ZUS | Poczta Polska | PKP Intercity | Orlen | Ubezpieczenia @ | Nieruchomości * | Liceum w # | Apteka @ | Przychodnia @ | Wydawnictwo @ | Fundacja @ | Spółdzielnia Mieszkaniowa @ | Legia #`,
  ),
  nationalities: entries(
    `polskie | Polak | Polka | polska | ukraińskie | niemieckie | Ukrainiec | białoruska | katolik | ewangelicka`,
  ),
  laws: entries(
    `art. ### Kodeksu cywilnego | art. ## § # Kodeksu pracy | ustawa z dnia ## lipca 20## r. | art. # ust. # RODO | Konstytucja Rzeczypospolitej Polskiej | ustawa o ochronie danych osobowych | Prawo budowlane | Kodeks postępowania administracyjnego`,
  ),
  personal: `
{L} {v}.
{L} {v}, {L} {v}.
{W}: {P}. {L} {v}.
{F} {v}, {F} {v}.
{R} {F} {v}.
{W} {Fg} i {W} {Fg}
{w} {Fg} i {w} {Fg} {w}
{W}: {L}, {L}, {L}, {L}
{W}: {F} i {P}
{W}: {I}, {d}
{n}. {I}⏎{n}. {I}⏎{n}. {I}
{I}⏎{I}⏎{I}
{I} ({w})⏎{I} ({w})
{X} {F}, {w} {n}
{W}	{n}⏎{L}	{n}⏎{L}	{n}
{L} ({w}), {L} ({w})
{SP} {n}, {P}
{f} {v}, {w} {f}
{W}: {L}⏎{W}: {id}
{L} {w} {L} {w} {w}.
Szanowni Państwo,⏎⏎niniejszym wypowiadam umowę z dniem {d}⏎⏎{P}
Szanowny {H} {Lv},⏎dziękujemy za pismo z dnia {d}
Szanowna Pani {F},⏎w załączeniu przesyłam fakturę nr {id} na kwotę {amt}.
Droga {Fv},⏎dziękuję za wiadomość, {F} i ja przyjedziemy w {D} do {Cg}.⏎Pozdrawiam⏎{F}
Cześć {Fv}, możesz przekazać {Fd}, że spotkanie przeniesiono na {time}?
zawarta pomiędzy {Pi}, zamieszkałym {A}, zwanym dalej Wynajmującym, a {Pi}, zwanym dalej Najemcą
{H} {P}, zamieszkały w {Cl}, {A}, zostaje zatrudniony na stanowisku {J} od dnia {d}
Sąd zasądza od pozwanego {Pg} na rzecz powoda {Pg} kwotę {amt}.
powód {P}, reprezentowany przez {H} {Pg}
Świadek {P} zeznała, że widziała {Pg} w dniu {d} w {Cl}.
Pacjent: {P}, ur. {d}, {A}
Przyjęto pacjentkę {Pg}, lat {age}, skierowaną przez {H} {Lg}.
Karta informacyjna leczenia szpitalnego. Lekarz prowadzący: {H} {P}
{H} {L} skarży się na ból kolana od {n} tygodni.
Osoba do kontaktu: {P}, tel. {phone}, {email}
W razie pytań proszę o kontakt z {Pi} pod numerem {phone}.
Ocenę roczną {Pg} przeprowadził {H} {L}.
Wniosek {Pg} został odrzucony dnia {d}
Matka {Fg}, {P}, mieszka w {Cl}.
{P} pracuje w {O} jako {J} od {d}
Zdaniem {Pg}, {J} {O}, sprzedaż wzrośnie o {n} procent.
„Nie spodziewaliśmy się tego” – powiedziała {P} w {D} w {Cl}.
{age}-letni {P} z {Cg} wygrał wyścig przed {Pi} i {Pi}.
Rozmawiałem wczoraj z {Pi} o {Pl}.
Umowę podpisano z {H} {Pi}.
Proszę przekazać dokumenty {H} {Pd}.
Adres dostawy: {P}, {A}
Nabywca:⏎{P}⏎{A}
{O}⏎{A}⏎⏎{H} {P}⏎{A}⏎⏎{C}, dnia {d}⏎⏎Dotyczy: {w} {w}
Właściciel rachunku: {P}⏎IBAN: {iban}⏎Tytuł: czynsz {m}
Podanie o pracę na stanowisko {J}⏎{P}⏎{A}⏎Telefon: {phone}
Imię: {F}⏎Nazwisko: {L}⏎Data urodzenia: {d}⏎Miejsce urodzenia: {C}⏎Obywatelstwo: {N}
Obecni: {P}, {P}, {P} (nieobecna usprawiedliwiona)
Protokołował: {P}⏎Przewodniczył: {H} {L}
Punkt {n}: {H} {L} przedstawił stan prac.
{P} przekazała sprawę {Fd}.
hej {Fv}, masz numer do {Fg}? pzdr {F}
Umówiłam się z {Fi} i {Fi} na {D} w {Cl}.
Mój mąż {F} i nasze dzieci {F} i {F} są objęte polisą.
Wszystkiego najlepszego, {Fv}!
W załączeniu opinia {H} {Pg}.
Decyzję doręczono {Pd}, {ST}, {Z} {C}.
{O}, reprezentowana przez prezesa zarządu {Pg}, wnosi o oddalenie powództwa.
Ja, niżej podpisany {P}, urodzony {d} w {Cl}, oświadczam
(-) {P}⏎{JC}
Z poważaniem⏎⏎{P}⏎{JC}⏎{O}
Pozdrawiam serdecznie⏎{P}
Mieszkanie przy {ST} zajmuje {P}.
W nagłych wypadkach: {P} (siostra), {phone}
{H} {L} i {H} {L} głosowali przeciw.
Imię	Nazwisko	Dział⏎{F}	{L}	{W}⏎{F}	{L}	{W}
Wizyta u {H} {Lg}: {D}, {d}, godz. {time}
Na wniosek {Pg} termin przedłużono do {d}
Ślub {Pg} i {Pg} odbędzie się w {Cl}.
Dziękuję {Fd} za korektę, a {H} {Ld} za uwagi.
Spadkobiercy {Pg}, zmarłej {d} w {Cl}
Wczoraj dzwonił {R} {P}.
Zdaniem {Pg} {R} {F} już wyszedł.
W {D} dyżuruje {F}, a potem {F}.
{F} jest chora, zastąpi ją {F}.
Paczkę odebrał {P}.
Przyjęła {F}, przekazano {Pd}.
W biurze byli tylko {P} i {R} {L}.
Toczy się śledztwo przeciwko {Pd}; {L} zaprzecza.
Dla {Fg} to była nowość, {F} wiedział.
Właścicielami są {P} i {P}.
Rower {Fg} stoi u {Fg}.
Zdjęcia: {P}, tekst: {P}
Głos zabrali {P}, {P} oraz {H} {P}.
Grafik⏎{D}: {F}, {F}⏎{D}: {F}, {F}
Pozdrów {Fg}!
Buziaki, {F}
Spadek po {Pl}, sygn. {id}
Do wiadomości: {P}, {P}, {P}
Bramki: {L}, {L}.
Jak mówi {P}, {F} nie było.
Oskarżony {F} {u}. przyznał się przed {H} {L}.
Oskarżony {P} i świadek {P} nie stawili się.
{F} i {P} mieszkają: {A}
Wczoraj widziałem {Fg} z {Fi} na rynku.
Dom należał do {Pg}, potem {L} go sprzedał.
poprosisz {Fg} o klucze? ma je {F}
Moja siostra {F} mieszka z {Fi}.
{F} powiedziała {Fd}, że zebranie odwołano.
Zdaniem {Pg}, {J}, sprawa wróci do sądu.
Potem {F} zadzwoniła do {Fg}.
Kiedy {L} wyszedł, {P} wstał.
Wczoraj {F} zostawiła u nas parasol.
Decyzję podejmie {P}, bo {L} jest na urlopie.
Zapytaj {Pg}, bo {L} ma wolne.
Zebranie prowadzi {P}, protokół pisze {P}.
Umowę podpisał {P}.
Imię i nazwisko ubezpieczonego: {P}
Dzisiaj {F} nie przyjdzie, jutro {F} też nie.
ej {f}, gdzie jesteś? {f} czeka na dole
wie ktoś czy {f} dzisiaj będzie?
{f} odwołał, kto zastąpi?
powiedz że {f} ma zadzwonić
{f} pisze że to {w}
haha {f} jak zwykle
{f}: gotowe?⏎{f}: pytaj, {f} wie
{L} przeciwko {Ld}, sygn. {id}
{L} przeciwko {O}, wyrok z {d}
Obecni: {L}, {L}, {L}, {L}
Nieobecni usprawiedliwieni: {L} i {L}
Córka {F} przywiozła panią {L}.
Gdy {P} otworzył {w}, {w} było puste.
Pod kierunkiem {Pg} wyremontowano {w}.
Moja kuzynka {F} mieszka z {Pi} koło {Cg}.
{F} i {P} prowadzą {w} od {d}.
Według {OB} umowę podpisze {P}.
{P} pracuje w {OB}.
{OB} otwiera sklep, mówi {P}.
Pani {L} sprzedała {BR}, a {F} kupiła {BR}.
Świadek {P}, pracownik {OB}, potwierdza.
Przelew dla {Pg}, tytułem {w} {m}, {amt}
Zdjęcia {P}, tekst {P}
Pan {L} wyjechał, a {F} został w domu.
{I} – nieobecny
{I} ({w}); {I}
{F} i {P} kupili {w}.
{F} i {F} {w} razem.
Dla {Fg} i {Fg}: {w}
{f} {w} że będzie
`,
  impersonal: `
Wszystkie {w} oraz {w} są sprawdzane przed dostawą.
Szczegóły {w} zawiera załącznik; {w} są rozliczane oddzielnie.
Czynne od 9 do 17. W {D} nieczynne. Przerwa urlopowa: {m}
{W}: {num}⏎{W}: {amt}⏎{W}: {n} %
Zgodnie z {law} sprzedawca odpowiada za wady.
Na podstawie {law} pracodawca przechowuje dokumenty przez pięć lat.
Najemca zobowiązuje się do zapłaty czynszu i zwrotu kluczy.
Wykonawca odpowiada wyłącznie za szkody bezpośrednie Zamawiającego.
Okres wypowiedzenia wynosi trzy miesiące od doręczenia pisma.
Bóle głowy, zawroty, nudności; bez gorączki. Ciśnienie 130/80, tętno {n}.
Zalecenia: Paracetamol 1 g, Amoksycylina 500 mg co osiem godzin, Metformina 850 mg
Rozpoznanie: nadciśnienie tętnicze, cukrzyca typu 2, stan po appendektomii
Instrukcja montażu: odkręcić śruby i zdjąć pokrywę.
Ilość Nazwa Cena jednostkowa Wartość⏎{n} {W} {prod} {amt} {amt}
Netto {amt}, VAT 23 %, Brutto {amt}
Płatne przelewem w ciągu czternastu dni.
Porządek obrad: Przyjęcie protokołu, Budżet, Wolne wnioski
Podsumowanie wyników i wnioski
W {D} pogoda zmienna, na północy deszcz, na południu słońce.
Rząd chce obniżyć podatki, opozycja jest przeciw.
Program wypisuje wiersze pliku na standardowe wyjście.
Ta opcja określa, jakie znaki są używane jako separatory.
NAZWA⏎SKŁADNIA⏎OPIS⏎OPCJE⏎ZOBACZ TAKŻE⏎ŚRODOWISKO
Model {prod} zastępuje {prod} od 20{yy}.
Od 1871 do 1904 roku liczba zakładów wzrosła do {num}.
w latach 19{y}0–19{y}9, między 18{yy} a 19{yy}, około 17{yy} roku
Rysunek {n}: Przebieg temperatury latem
Rozdział {n}⏎Podstawowe pojęcia
Wymieszać mąkę, cukier i masło, odstawić ciasto na godzinę.
Urlop Zwolnienie lekarskie Delegacja Nadgodziny
Załączniki: Życiorys, Świadectwa, Zaświadczenie
Z poważaniem⏎Biuro Obsługi Klienta
Drodzy Państwo,⏎stołówka będzie w {D} nieczynna.
Szanowny Kliencie,
Dzień dobry wszystkim, spotkanie przełożono na {D}.
Ogólne Warunki Umów mają zastosowanie do każdego zamówienia.
Rzeka wezbrała; nawozy i środki ochrony roślin zanieczyszczają wody gruntowe.
Rada Ministrów, Zarząd Spółki, Izba Gospodarcza, Dziennik Ustaw, Rada Nadzorcza
{W} {w} {w}
Śruby, kołki, kątowniki i wiertła są w piwnicy.
W {D} obraduje komisja, potem rada.
Wiosną kwitną tulipany i żonkile.
Montaż, konserwacja, naprawa i recykling
Brakuje kluczy, pokwitowania i umowy.
Budynek {u}, piętro {n}, pokój {n}
Skarbnik, sekretarz i przewodniczący rady
Sala {n}, wejście {u}
Po {w} wymieniono {w}.
Stan {w} należy {w}. Każdy {w} powinien być {w}.
Każda {w} ma {n} {w}. Wszystkie {w} są {w}.
mówi że się {w}, pisze że będzie {w}
W tym miesiącu {BR} sprzedaje się najlepiej.
zespół {q}, choroba {q}, test {q} ujemny
Twierdzenie {q} i cykl {q} wymagają {w}.
Kolejka {n}: {BR} {c} {y}, {BR} {c} {y}; {c} {y}, {BR} {c} {y}
{BR} {c} – {c} {y}:{y}. Na czele {c}.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Po {BR} i {BR} {w} ustąpiły.
Kliknij {W}, następnie {W}. Potwierdź przyciskiem {W}.
Tytułem: {w} {m}
Wykazał się {w} i {w} we wszystkich {w}.
Nowy {BR} spala {n} litrów.
kto widział {w}? nie ma w {w}
zaraz będę, {w} jest {w}
Czytelnia, Szatnia, {W}, {W} nieczynne
{m}	{W}	{W}⏎{num}	{num}	{num}
{W}, {W}, {W}, {W}, {W}
{W}: {w}, {w}, {w}
{O} {w} {w} {w}.
{W} {O} {w}
{BR} i {BR} {v}.
{SP} {w} {w} {w}.
{W}, {SP}, {w}
{V}, {V} i {V} {w}.
{W}, {w} i {w} {w} {w}.
{w} {w}, {w} {w}
{W}: {V}, {w}
Państwa {w} jest {w}. Nasze {w} są {w}.
Po {w} należy {w}. Przed {w} sprawdzić {w}.
`,
};
