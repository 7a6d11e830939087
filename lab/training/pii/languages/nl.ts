import { entries, type Language } from './language.ts';

export const dutch: Language = {
  code: 'nl',
  locales: ['nl', 'nl', 'nl_BE'],
  countries: ['NL', 'NL', 'NL', 'BE'],
  particles: entries(
    `van | de | van de | van den | van der | van 't | ter | ten | in 't | de la | vanden`,
  ),
  particleShare: 0.3,
  roles: entries(
    `mijn buurman | mijn collega | onze zoon | onze dochter | de bestuurder | de getuige | zijn advocaat | haar zus | de verzoeker | de eiseres | de overledene | onze medewerker | de huurster | zijn broer | de patiënt | de leerling | mijn baas | de schrijver | de kunstenares | haar man | de eigenaar | de kandidate | de verdachte | mijn vriendin | collega | buurvrouw | buurman | getuige | patiënte | patiënt | verloskundige | scheidsrechter | keeper | spits | trainer | wethouder | voorzitter | penningmeester | secretaris | deurwaarder | griffier | agent | leerling | stagiair | oma | opa | tante | oom | nicht | huurder | erfgenaam | bewoner | directeur | verpleger | zuster | docent | conciërge | tegenstander | bijrijder | kandidaat | begeleider`,
  ),
  verbs: entries(
    `zegt | zei | vindt | vond | vraagt | vroeg | verklaart | benadrukt | bevestigt | ontkent | komt | kwam | gaat | ging | belt | belde | heeft gebeld | heeft gevraagd | heeft betaald | heeft opgezegd | heeft gelijk | is er | is weg | is ziek | is op reis | was erbij | was tegen | was er niet | wil weten | wil niet | wilde graag | kan niet | moet komen | moet wachten | moet nog | mag gaan | wordt geopereerd | werd ontslagen | is gekozen | werd gehoord | neemt over | vervangt | leidt | schrijft | schreef | stuurt | stuurde | antwoordt | verzoekt om uitstel | woont hier | werkt daar | verkoopt | kocht | tekende | ondertekent | notuleert | stelt voor | stelt vast | stemt in | wijst af | wijst erop | licht toe | vult aan | bedankt | opent de vergadering | won | verloor | scoorde | kritiseert | prijst | meldt zich | zorgt voor | herinnert zich | verheugt zich | verontschuldigt zich | kent | weet | gelooft | hoopt | plant | betaalt | erft | klaagt | klaagt over pijn | vertrok | verliet | reed | zag | hoorde | gaf | geeft | krijgt | kreeg | legde uit | blijft | bleef | staat | zit | ligt | loopt | draagt`,
  ),
  namedStreets: entries(
    `*straat | *laan | *plein | *weg | & *straat | & *laan | *kade | *singel | Burgemeester *straat | Dokter *laan | *hof | *park | *gracht`,
  ),
  namesakes: entries(
    `Bakker | Visser | Boer | Koning | Keizer | Prins | Hertog | Graaf | Ridder | Bos | Berg | Dijk | Meer | Veld | Molen | Brug | Kerk | Huis | Hof | Smid | Mulder | Slager | Kuiper | Timmerman | Schilder | Kok | Jager | Herder | Visser | Meester | Dokter | Rechter | Schipper | Zeeman | Vos | Wolf | Haan | Valk | Vogel | Mol | Snoek | Haring | Leeuw | Beer | Haas | Zomer | Winter | Lente | Vrijdag | Zwart | Wit | Groen | Bruin | Blauw | Bloem | Roos | Appel | Peer | Kool | Boom | Tak | Stok | Steen | Zand | Water | Ring | Kroon | Schild | Hamer | Spijker | Naald | Draad | Post | Markt | Poort | Toren | Kamp | Akker | Heide | Heuvel | Dal | Engel | Monnik | Bisschop | Paus | Klerk | Schrijver | Snijder | Wever | Ploeg | Blok`,
  ),
  dates: ['D M Y', 'D M Y', 'D-n-Y', 'D/n/Y', 'D M', 'M Y'],
  titles: entries(
    `de heer | mevrouw | dhr. | mevr. | mw. | heer | Mevrouw | De heer | dr. | drs. | ir. | ing. | prof. dr. | mr. | dokter | professor | notaris | rechter | wethouder | minister | burgemeester | zuster | pastoor | tante | oom | de heer en mevrouw | mr. dr. | juffrouw | meester | juf | meneer | Meneer | heer en mevrouw`,
  ),
  jobs: entries(
    `directeur | directrice | boekhouder | huisarts | verpleegkundige | advocaat | ingenieur | secretaresse | projectleider | personeelsadviseur | monteur | lerares | verkoper | voorzitter | penningmeester | notaris | deurwaarder | fysiotherapeut | maatschappelijk werker | accountant`,
  ),
  organizations: entries(
    `* B.V. | * Beheer B.V. | * & Zonen | Gebroeders * | * Advocaten | @ N.V. | @ B.V. | @ Nederland | @ Groep | Bakkerij * | Garage * | Gemeente # | Ziekenhuis # | Universiteit # | Rechtbank # | Gerechtshof # | Politie # | Rabobank | ABN AMRO | ING Bank | Belastingdienst | UWV | PostNL | NS | KPN | Makelaardij * | Stichting @ | Vereniging @ | Hogeschool # | FC # | Uitgeverij * | Notariskantoor * | Zorggroep @ | VvE @ | OCMW # | Firma * | Firma * | Fa. * | Transportbedrijf * | Slagerij * | Loodgietersbedrijf * | Makelaar * | Aannemersbedrijf * | Drukkerij * | Hotel * | Autobedrijf * | Kwekerij * | Apotheek * | Reisbureau * | Bouwbedrijf * | Fysiotherapie * | Tandartspraktijk * | Accountantskantoor * | Schildersbedrijf * | Restaurant * | Installatiebedrijf * | Huize @ | *-instituut | & *school | *college | *ziekenhuis | Huisartsenpraktijk * | Rijschool *`,
  ),
  nationalities: entries(
    `Nederlandse | Nederlander | Belgische | Duitse | Turkse | Marokkaanse | Surinaamse | Poolse | Franse | katholiek | hervormd`,
  ),
  laws: entries(
    `artikel #:### van het Burgerlijk Wetboek | de Algemene verordening gegevensbescherming | de Wet op de huurtoeslag | artikel ## van de Grondwet | de Wegenverkeerswet | het Wetboek van Strafrecht | de Arbeidstijdenwet | de Wet maatschappelijke ondersteuning`,
  ),
  personal: `
Geachte heer, mevrouw,⏎⏎Hierbij zeg ik mijn contract op per {d}.⏎⏎{P}
Geachte {H} {L},⏎wij hebben uw brief van {d} ontvangen.
Lieve {F},⏎bedankt voor je bericht, {F} en ik komen {D} naar {C}.⏎Groetjes,⏎{F}
Hoi {F}, kun jij {F} laten weten dat de vergadering is verplaatst naar {time} uur?
Ondergetekenden: {P}, geboren te {C} op {d}, wonende te {A}, hierna te noemen verhuurder, en {P}, hierna te noemen huurder
{H} {P}, wonende {A}, treedt per {d} in dienst als {J}.
De rechtbank veroordeelt {P} tot betaling aan {P} van {amt}.
{P}, vertegenwoordigd door {H} {P}, advocaat te {C}
De getuige, {H} {P}, verklaarde dat zij {L} op {d} in {C} had gezien.
Patiënt: {P}, geboren {d}, {A}
Patiënt: {I}, geb. {d}, {A}
Op het spreekuur zag ik {H} {P}, {age} jaar, verwezen door {H} {L}.
Ontslagbrief. Behandelend arts: {H} {P}
{H} {L} heeft sinds {n} weken last van de rug.
Contactpersoon: {P}, tel. {phone}, {email}
Neem voor vragen contact op met {P} via {phone}.
Het functioneringsgesprek met {P} is gevoerd door {H} {L}.
Het verzoek van {H} {L} is op {d} afgewezen.
De moeder van {F}, {P}, woont in {C}.
{P} werkt sinds {d} als {J} bij {O}.
Volgens {P}, {J} van {O}, stijgt de omzet met {n} procent.
'Dit hadden we niet verwacht', zei {P} {D} in {C}.
De {age}-jarige {P} uit {C} won de koers voor {P} en {P}.
Bezorgadres: {P}, {A}
Factuur aan:⏎{P}⏎{A}
{L} {v}.
{L} {v}, {L} {v}.
{W} {n}: {L} {v}. {L} {v}.
{L} {w} de {w} van {F}.
{L} {w} niet, {L} {w} wel.
{F} {v}, maar {F} {v}.
{F} {w} haar {w}.
Of {L} {v}, is niet bekend.
Op {D} {v} {L}, daarna {v} {F}.
Na de {w} {v} {L}.
Overleg met {L} op {d}
Vraag van {L}, doorgestuurd naar {L}
Afgehandeld door {L}, {d}
De {w} ging via {L} van de {w}.
Controleer bij {L} of {L} {v}.
Weet jij of {L} of {F} {v}?
{R} {F} {v}.
{R} {L} {v}, {R} {F} {v}.
de {R} {L} en de {R} {L}
verklaring van {R} {L}
{W} {L} gaf {L} een {w}.
Brief aan {R} {L}, {w}
{Fs} {w} is {w}, {Fs} {w} niet.
{Ls} {w} {v}.
Is dit {Fs} {w} of {Fs}?
{Fs} broer en {Fs} zus {w} de {w}.
Wie kent {Ls} {w}?
Over {Ls} {w} is {w}.
het ging over {Ls} {w} en {Fs} {w}
{L} ({w}), {L} ({w}), {L} ({w})
{W}: {L} ({w}), {L} ({w})
{W}	{n}⏎{L}	{n}⏎{L}	{n}⏎{L}	{n}
{W}	{W}⏎{L}	{n}⏎{L}	{n}
{L} {n}, {L} {n}, {L} {n}
{n}. {I}⏎{n}. {I}⏎{n}. {I}
{I}⏎{I}⏎{I}
{I}	{W}	{d}⏎{I}	{W}	{d}
{W}: {I}
{W}: {I}    {W}: {d}
{I} ({w})⏎{I} ({w})
{I}; {I}; {I}
{X}: {W} {w} {w}.⏎{X}: {W}!
{X} {F}, {w} {n}
{X}, {F} ({d})
{W}: {F}, {w} {F}
{W}: {P}
{W} {w}: {P}
{W}: {L}⏎{W}: {id}
{W}: {F}⏎{W}: {L}
{W}: vroeg {L}, laat {L}, {D} {L}
{W}: {P}. {W}: {F}. {W}: {L}.
{W}: {F}, {F}, {F} en {F}
{w} {n}, {P}, {w} {w}; {P} {w}
Re: {w} {L}⏎⏎{F} {v}, groet {F}
oké, {L} {v}. Gr {F}
Tot dan, {F}
Veel groetjes {F}
heb {F} de {w} gegeven, {F} {v}
Zeg {F}, {v} {F} al?
Ha {F}, hoe was de {w}?
'{W}?' – 'Ja, {F}.'
{H} {L} {v}, zijn vrouw {F} {v}.
Kind: {P}, moeder: {P}, geboren {L}
De {L}s zijn op reis, familie {L} {v}.
mr. {L}, voorzitter, mr. {L} en mr. {L}, rechters
{L} won van {L}, {L} verloor van {L}.
{L} voor {L} ({n}e minuut), geel voor {L}
over {L}: {w} {w}
Aldus {L}: de {w} is {w}.
{J} {L} is ontslagen.
{W} {P} {v}; {L} {v}.
Tussen {L} en {L} was {w}.
In plaats van {L} komt {L}.
Naast {P} {v} ook {L}.
Te veel voor {L}: de {w} is {w}.
{O} {v} in {m}, zegt {L}.
{d} {time} INFO {w} van {P} {w}
{d} {time} gebruiker {P} {w}
Aan de {SP} woont {P}.
{P}, {SP} {n}, {Z} {C}
{H} {P}⏎{SP} {n}⏎{Z} {C}
Contact: {F} (moeder), {F} (vader)
Het {w} van {F} en {F}, {F} vond het {w}.
kwam van {F}, {F} {v}
{O}⏎{A}⏎⏎{H} {P}⏎{A}⏎⏎{C}, {d}⏎⏎Betreft: {w} {w}
Rekeninghouder: {P}⏎IBAN: {iban}⏎Omschrijving: huur {m}
Sollicitatie naar de functie van {J}⏎{P}⏎{A}⏎Telefoon: {phone}
Achternaam: {L}⏎Voornaam: {F}⏎Geboortedatum: {d}⏎Geboorteplaats: {C}⏎Nationaliteit: {N}
Aanwezig: {P}, {P}, {P} (afgemeld)
Notulist: {P}⏎Voorzitter: {H} {L}
Punt {n}: {H} {L} licht de stand van zaken toe.
{P} heeft het dossier overgedragen aan {F}.
hoi {F}, heb jij het nummer van {F}? x {F}
Ik heb {D} met {F} en {F} afgesproken in {C}.
Mijn man {F} en onze kinderen {F} en {F} zijn meeverzekerd.
Gefeliciteerd met je verjaardag, {F}!
Het rapport van {H} {P} is bijgevoegd.
Het besluit is verzonden aan {P}, {ST}, {Z} {C}.
{O}, vertegenwoordigd door haar bestuurder {P}, verzoekt om afwijzing.
Ik, {P}, geboren op {d} te {C}, verklaar
w.g. {P}⏎{JC}
Met vriendelijke groet,⏎⏎{P}⏎{JC}⏎{O}
Groeten,⏎{P}
De woning aan de {ST} wordt bewoond door {P}.
Bij nood: {P} (zus), {phone}
{H} {L} en {H} {L} stemden tegen.
Voornaam	Achternaam	Afdeling⏎{F}	{L}	{W}⏎{F}	{L}	{W}
Uw afspraak met {H} {L} is op {D} {d} om {time} uur.
Op verzoek van {P} is de termijn verlengd tot {d}.
Het huwelijk van {P} en {P} wordt voltrokken in {C}.
Dank aan {F} voor het meelezen en aan {H} {L} voor het commentaar.
{F}'s fiets staat bij {F} in de schuur.
De erfgenamen van {P}, overleden op {d} te {C}
Gisteren belde {R} {P}.
Volgens {P} is {R} {F} al weg.
{D} draait {F}, {D} komt {F}.
{F} is ziek, {F} valt in.
Het pakket is aangenomen door {P}.
Ontvangen door {F}, afgegeven aan {P}.
Op kantoor waren alleen {P} en {R} {L}.
Er loopt een onderzoek naar {P}; {L} ontkent.
Voor {F} was het nieuw, {F} wist het al.
De eigenaren zijn {P} en {P}.
De fiets van {F} staat bij {F}.
Foto's: {P}, tekst: {P}
Het woord voerden {P}, {P} en {H} {P}.
Rooster⏎{D}: {F}, {F}⏎{D}: {F}, {F}
Doe {F} de groeten!
Liefs, {F}
Nalatenschap {L}, dossier {id}
Verzendlijst: {P}, {P}, {P}
Doelpunten van {L} en {L}.
Zoals {P} zei, was {F} er niet bij.
De verdachte, {F} {u}., bekende tegenover {H} {L}.
{F} en {P} wonen in {A}.
Gisteren zag ik {F} met {F} op de markt.
De juf van {F} sprak met {H} {L}.
Het landgoed was van {P}, daarna verkocht {L} het.
vraag je {F} om de sleutels? {F} heeft ze
Mijn zus {F} woont bij {F}.
Getekend: {P}
Ten name van {P}, BSN {id}
Daarna belde {F} met {F}.
Toen {L} vertrok, stond {P} op.
Vraag het aan {P}, want {L} is met vakantie.
Volgens {L} was het {F} niet.
{L} beslist, niet {P}.
Afgegeven bij {P} op nummer {n}.
Ik kwam {F} tegen bij de bakker.
Gisteren liet {F} hier een paraplu liggen.
De vergadering werd geleid door {P}.
Patiënt {P} is nuchter.
hé {f}, waar ben je? {f} staat beneden
weet iemand of {f} vandaag komt?
{f} heeft afgezegd, wie valt in?
zeg tegen {f} dat {f} belt
{f} zegt dat het {w} is
haha {f} weer
gisteren zag ik {f} met {f}
{f}: klaar?⏎{f}: vraag {f}
{L} tegen {L}, zaaknummer {id}
{L} tegen {O}, uitspraak van {d}
Aanwezig: {L}, {L}, {L}, {L}
Afwezig met kennisgeving: {L} en {L}
Zijn dochter {F} brengt mevrouw {L}.
Kan {F} de {w} meenemen? Heeft {F} de {w} nog?
Mevrouw {L} gaf haar {w} aan {F}.
Toen {P} de {w} opende, was het {w} leeg.
Onder leiding van {P} is het {w} verbouwd.
Mijn nicht {F} woont met {P} bij {C}.
{F} en {P} runnen de {w} sinds {d}.
Volgens {OB} begint {P} in {m} in {C}.
{P} werkt bij {OB} en woont in {C}.
De {OB} opent in {m} een winkel in {C}, zegt {P}.
Mevrouw {L} verkocht haar {BR}, {F} kocht een {BR}.
Getuige {P}, in dienst van {OB}, bevestigt dit.
Overboeking aan {P}, omschrijving {w} {m}, {amt}
Foto's: {P}, tekst: {P}
Dank aan {P} voor de inzet.
{I} – verhinderd
{I} ({w}); {I}
{F} en {P} hebben de {w} overgenomen.
De {w} is voor {F}, de {w} voor {P}.
Beste {F}, wil je {F} bellen?
hoi {f}, kun je {F} vragen?
`,
  impersonal: `
De {w} en het {w} worden voor levering gecontroleerd.
De {w} van het {w} staan in de bijlage; de {w} wordt apart berekend.
Van {D} tot {D} geopend van 9 tot 17 uur. Gesloten in {m}.
{W}: {num}⏎{W}: {amt}⏎{W}: {n} %
Op grond van {law} is de verkoper aansprakelijk voor gebreken.
Ingevolge {law} bewaart de werkgever de stukken vijf jaar.
De Huurder verplicht zich de huur te betalen en de sleutels in te leveren.
De Leverancier is alleen aansprakelijk voor directe schade van de Opdrachtgever.
De opzegtermijn bedraagt drie maanden na ontvangst van de brief.
Hoofdpijn, duizeligheid, misselijkheid; geen koorts. Bloeddruk 130/80, pols {n}.
Behandeling: Paracetamol 1 g, Amoxicilline 500 mg driemaal daags, Metoprolol 50 mg
Voorgeschiedenis: hypertensie, diabetes mellitus type 2, appendectomie
Montage: draai de schroeven los en verwijder de kap.
Aantal Omschrijving Prijs Bedrag⏎{n} {W} {prod} {amt} {amt}
Subtotaal {amt}, Btw 21 %, Totaal {amt}
Te betalen binnen dertig dagen op onze rekening.
Agenda: Opening, Notulen, Begroting, Rondvraag
Samenvatting van de resultaten en vooruitblik
Het weer blijft {D} wisselvallig, met regen in het noorden en zon in het zuiden.
Het kabinet wil de belastingen verlagen, de oppositie is tegen.
Het programma toont de regels van het bestand op de standaarduitvoer.
Deze optie bepaalt welke tekens als scheidingsteken gelden.
NAAM⏎SAMENVATTING⏎BESCHRIJVING⏎OPTIES⏎ZIE OOK⏎OMGEVING
Model {prod} vervangt de {prod} sinds 20{yy}.
Van 1871 tot 1904 steeg het aantal bedrijven tot {num}.
in de jaren 19{y}0, tussen 18{yy} en 19{yy}, rond 17{yy}
Figuur {n}: Verloop van de temperatuur in de zomer
Hoofdstuk {n}⏎Basisbegrippen
Meng de bloem, de suiker en de boter en laat het deeg een uur rusten.
Verlof Ziekmelding Reiskosten Overuren
Bijlagen: Cv, Diploma's, Verklaring
Met vriendelijke groet,⏎Klantenservice
Beste collega's,⏎de kantine is {D} gesloten.
Geachte klant,
Goedemorgen allemaal, het overleg is verzet naar {D}.
De Algemene Voorwaarden zijn van toepassing op elke bestelling.
De rivier staat hoog; kunstmest en bestrijdingsmiddelen vervuilen het grondwater.
Raad van Bestuur, Ondernemingsraad, Kamer van Koophandel, Tweede Kamer, Raad van State
{W} {w} {w}
Schroeven, pluggen, haken en boren liggen in de kelder.
{D} vergadert de commissie, {D} de raad.
In het voorjaar bloeien tulp en narcis.
Montage, onderhoud, reparatie en recycling
Sleutels, bon en contract ontbreken.
Gebouw {u}, {n}e verdieping, kamer {n}
Zaal {n}, ingang {u}
De penningmeester, de secretaris en de voorzitter van het bestuur
Na de {W} is het {w} vervangen.
Breng de {w} aan de {w}. Voeg de {w} toe en roer de {w}.
Zij heeft haar {w} altijd {w} en naar tevredenheid uitgevoerd.
Betrokkene was van {m} tot en met {m} werkzaam als {w}.
Hij is {w}, {w} en {w} gebleken. Wij wensen hem veel succes.
In {m} blijft de {BR} het meest verkocht.
syndroom van {q}, ziekte van {q}, {q}-test negatief
De stelling van {q} en de {q}-cyclus vereisen een {w}.
Speelronde {n}: {BR} {c} {y}, {BR} {c} {y}; {c} {y}, {BR} {c} {y}
{BR} {c} – {c} {y}-{y}. Koploper blijft {c}.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Onder {BR} en {BR} verbeterde de {w}.
Klik op {W} en daarna op {W}. Bevestig met {W}.
Omschrijving: {w} {m}
De nieuwe {BR} verbruikt {n} liter.
wie heeft de {w} gezien? ligt niet in de {w}
ben er zo, de {w} is {w}
bij voorkeur op {D}, of via de {w}
{m}	{W}	{W}⏎{num}	{num}	{num}
{W}, {W}, {W}, {W}, {W}
{W}: {w}, {w}, {w}
{V} gevraagd, {W} {w}
{V} en {V} {w} de {w}.
{V}: {w} {w}
{W} en {V} zijn {w}.
{W} {w} de {w}. {V} {w} een {w}.
{W}, {w} {w}, {w}
{BR}, {BR} en {BR} {w} de {w}.
{BR} en {BR} {v}.
{BR} is van {BR}, de {w} van {BR}
{O} levert de {w} in {m}.
{O} is de {w} kwijt.
Bij {O} is {w}, bij {O} {w}.
{O}, {w} en {w}
De {SP} is afgesloten, op het {SP} wordt gebouwd.
{W} aan de {SP}, {w} en {w}
{O} bestaat {n} jaar.
{W}: {w}. {W}: {w}. {W}: {w}.
De {w} {v}, het {w} {v}.
{W} {v} niet.
Voorgeschreven: {BR}, {BR} en {BR}
Elke {w} heeft {n} {w}. Iedere {w} moet {w} zijn.
Uw {w} is {w}. Onze {w} zijn {w}.
`,
};
