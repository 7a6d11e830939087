import { entries, type Language } from './language.ts';

export const german: Language = {
  code: 'de',
  locales: ['de', 'de', 'de', 'de_AT', 'de_CH'],
  countries: ['DE', 'DE', 'DE', 'AT', 'CH'],
  particles: entries('von | von der | zu | Freiherr von | Gräfin von'),
  particleShare: 0.05,
  roles: entries(
    `mein Nachbar | meine Kollegin | unser Sohn | unsere Tochter | der Fahrer | die Zeugin | sein Anwalt | ihre Schwester | der Mandant | die Klägerin | der Verstorbene | unser Mitarbeiter | die Mieterin | sein Bruder | der Patient | die Schülerin | mein Chef | der Autor | die Künstlerin | ihr Mann | der Hausarzt | die Trainerin | der Eigentümer | die Antragstellerin | der Täter | Kollege | Kollegin | Kollege | Nachbar | Nachbarin | Hebamme | Zeuge | Zeugin | Patientin | Patient | Stadträtin | Trainerin | Torwart | Schüler | Lehrling | Oma | Opa | Cousin | Tante | Zimmernachbar | Gutachterin | Schöffin | Kommissarin | Pflegerin | Mieter | Erbin | Pate | Köchin | Praktikant | Hausmeister | Vorsitzender | Kassiererin | Schriftführer | Gegner | Beifahrer | Enkelin`,
  ),
  verbs: entries(
    `sagt | sagte | meint | meinte | fragt | fragte | erklärte | betonte | bestätigt | bestreitet | kommt | kam | geht | ging | ruft an | rief an | hat angerufen | hat gefragt | hat bezahlt | hat gekündigt | hat recht | ist da | ist weg | ist krank | ist verreist | war dabei | war dagegen | war nicht da | will wissen | will nicht | möchte | kann nicht | soll kommen | muss warten | muss noch | darf gehen | wird operiert | wurde entlassen | wurde gewählt | wurde befragt | übernimmt | vertritt | leitet | schreibt | schrieb | schickt | schickte | antwortet | bat um Aufschub | bittet um Antwort | wohnt hier | arbeitet dort | verkauft | kaufte | unterschrieb | unterzeichnet | protokolliert | beantragt | stellt vor | stellt klar | stimmt zu | lehnt ab | weist darauf hin | berichtet | ergänzt | dankt | begrüßt | gewann | verlor | traf | schoss | kritisiert | lobt | meldet sich | kümmert sich | erinnert sich | freut sich | entschuldigt sich | braucht Hilfe | kennt | weiß | findet | glaubt | hofft | plant | zahlt | schuldet | erbt | klagt | haftet | klagte über Schmerzen | verneint | verließ`,
  ),
  namedStreets: entries(
    `&-*-Straße | &-*-Platz | &-*-Weg | *straße | *weg | *allee | *platz | *gasse | *ring | &-*-Ring | &-*-Allee | *damm | *ufer`,
  ),
  namesakes: entries(
    `Bauer | Berg | Stein | Bach | Wolf | Fuchs | Vogel | Hahn | Koch | Schneider | Fischer | Jäger | Kaiser | König | Richter | Weber | Müller | Schmied | Zimmermann | Maurer | Gärtner | Förster | Schäfer | Hirsch | Busch | Wald | Feld | Haus | Graf | Herzog | Fürst | Ritter | Winter | Sommer | Herbst | Lenz | Frühling | Sonntag | Freitag | Montag | Engel | Teufel | Papst | Bischof | Mönch | Kopf | Hand | Fuß | Haupt | Kraft | Stark | Hammer | Nagel | Beil | Horn | Kranz | Ball | Stuhl | Bank | Schrank | Kessel | Brenner | Pfeil | Bogen | Stern | Blitz | Hagel | Nebel | Frost | Fink | Falke | Adler | Specht | Hecht | Aal | Birnbaum | Kirsch | Apfel | Zucker | Pfeffer | Kümmel | Kohl | Rübe | Linse | Bohne | Roth | Weiß | Schwarz | Braun | Grün | Blum | Rose | Krone | Schild | Kreuz | Burg | Hof | Thal | Brunn | Steg | Brück | Ziegel | Keller | Stock | Baum | Zweig | Ast | Wirt | Metzger | Pfarrer | Vogt | Schulz | Schreiber | Binder | Decker | Dreher | Träger | Läufer | Springer | Kellner | Schlosser`,
  ),
  dates: ['D. M Y', 'D. M Y', 'D. M', 'D.n.Y', 'D.n.Y', 'D.n.', 'M Y'],
  titles: entries(
    `Herr | Frau | Herr | Frau | Herrn | Dr. | Prof. Dr. | Herr Dr. | Frau Dr. | Frau Prof. Dr. | Herrn Dr. | Dr. med. | Dipl.-Ing. | Mag. | Frau Doktor | Herrn Doktor | Frau Professor | Doktor | Rechtsanwalt | Rechtsanwältin | Richterin | Notar | Pfarrer | Oberarzt | Oberärztin | Frau Dipl.-Kffr. | Ministerin | Bürgermeister | Schwester | Kommissar | Fräulein | Familie | Eheleute | Onkel | Tante`,
  ),
  jobs: entries(
    `Geschäftsführer | Geschäftsführerin | Sachbearbeiterin | Buchhalter | Hausarzt | Steuerberaterin | Pflegerin | Abteilungsleiter | Projektleiterin | Elektriker | Lehrerin | Verkäuferin | Ingenieur | Sekretärin | Hausmeister | Gutachter | Vorstand | Prokurist | Assistenzärztin | Personalreferentin`,
  ),
  organizations: entries(
    `* GmbH | * GmbH & Co. KG | * AG | * & Söhne KG | * & * OHG | @ GmbH | @ AG | @ SE | @ Logistik GmbH | Bäckerei * | Autohaus * | Kanzlei * & Partner | Praxis Dr. * | Stadtwerke # | Sparkasse # | Volksbank # eG | Amtsgericht # | Landgericht # | Universitätsklinikum # | Universität # | Finanzamt # | Stadt # | Landkreis # | Gymnasium # | SV # e.V. | Klinikum # | AOK | Techniker Krankenkasse | Deutsche Rentenversicherung Bund | Bundesagentur für Arbeit | Deutsche Bahn | @-Versicherung AG | Hausverwaltung * | Jobcenter # | Verlag * | Spedition * GmbH | Firma * | Fa. * | Firma * | Metzgerei * | Spedition * | Elektro * | Gärtnerei * | Hotel * | Möbel * | Druckerei * | Rechtsanwälte * & * | Apotheke * | Reisebüro * | Optik * | Baumarkt * | Fleischerei * | Tischlerei * | Hausverwaltung * | Steuerbüro * | Notariat * | Gasthof * | &-*-Schule | &-*-Gymnasium | *-Gymnasium | &-*-Institut | &-*-Stiftung | *-Universität | &-*-Haus | FC # | *-Werke`,
  ),
  nationalities: entries(
    `deutsch | österreichische | Schweizer | polnischer | türkische | französische | Italienerin | spanischer | katholisch | evangelisch`,
  ),
  laws: entries(
    `§ ## BGB | § ### Abs. # HGB | Art. # DSGVO | § # Bundesdatenschutzgesetz | das Arbeitszeitgesetz | die Straßenverkehrsordnung | § ## Abs. # Satz # SGB V | das Grundgesetz | die Mietpreisbremse | das Kündigungsschutzgesetz`,
  ),
  personal: `
Sehr geehrte Damen und Herren,⏎⏎hiermit kündige ich meinen Vertrag zum {d}.⏎⏎Mit freundlichen Grüßen⏎{P}
Sehr geehrter {H} {L},⏎vielen Dank für Ihr Schreiben vom {d}. Wir haben Ihre Unterlagen an {H} {L} weitergeleitet.
Sehr geehrte {H} {L},⏎anbei erhalten Sie die Rechnung Nr. {id} über {amt}.
Liebe {F},⏎danke für die Einladung, {F} und ich kommen gern. Bis {D}!⏎Dein {F}
Hallo {F}, kannst du {F} bitte sagen, dass die Besprechung auf {time} Uhr verschoben ist?
zwischen {P}, wohnhaft {A}, nachfolgend Mieter genannt, und {P}, {A}, nachfolgend Vermieter genannt
Der Arbeitnehmer {P}, geboren am {d} in {C}, wird als {J} eingestellt.
Die Zeugin {P} gab an, sie habe den Angeklagten {L} am {d} in {C} gesehen.
Der Kläger {P} wird vertreten durch {H} {P}, {O}.
Patient: {I}, geb. {d}, {A}
Wir berichten über {H} {P}, die sich vom {d} bis {d} in unserer stationären Behandlung befand.
{H} {L} klagt seit {n} Wochen über Schmerzen im Knie. Befund durch {H} {P}.
Die Überweisung stellte {H} {L} aus. Kontrolle in {n} Wochen bei {H} {L}.
Ansprechpartnerin: {P}, Tel. {phone}, E-Mail {email}
Bei Rückfragen wenden Sie sich bitte an {P} ({phone}).
Das Zeugnis von {P} wurde von {H} {L} unterschrieben.
{Ls} Antrag wurde am {d} abgelehnt.
{Fs} Mutter, {P}, wohnt in {C}.
{P} arbeitet seit {d} als {J} bei {O}.
Nach Angaben von {P}, {J} der {O}, steigt der Umsatz um {n} Prozent.
„Das war nicht zu erwarten“, sagte {P} am {D} in {C}.
Der {age}-jährige {P} aus {C} gewann das Rennen vor {P} und {P}.
{P} ({age}) ist neuer Trainer von {O}.
Lieferanschrift: {P}, {A}
Rechnung an:⏎{P}⏎{A}
{L} {v}.
{L} {v}, {L} {v}.
{W} {n}: {L} {v}. {L} {v}.
{F} {v}, aber {F} {v}.
Ob {L} {v}, steht nicht fest.
Am {D} {v} {L}, danach {v} {F}.
Nach dem {W} {v} {L}.
Das {W} {v} laut {L} {w}.
Gesprochen mit {L}, {L} {v}.
Rücksprache mit {L} am {d}
Anfrage von {L}, weitergeleitet an {L}
Erledigt durch {L}, {d}
Das {W} hat {L} an {L} übergeben.
Der {W} lief über {L} im {W}.
{R} {F} {v}.
{R} {L} {v}, {R} {F} {v}.
die {R} {L} und der {R} {L}
Aussage von {R} {L}
Brief an {R} {L}, {W}
{Fs} {W} ist {w}, {Fs} {W} nicht.
{Ls} {W} {v}.
Ist das {Fs} {W} oder {Fs}?
{Fs} Bruder und {Fs} Schwester {w} {W}.
Wer kennt {Ls} {W}?
Über {Ls} {W} wurde {w}.
das {W} von {Fs} {R}
{H} {Ls} {W} ist {w}.
{L} ({W}), {L} ({W}), {L} ({w})
{W}: {L} ({w}), {L} ({W})
{W}	{n}⏎{L}	{n}⏎{L}	{n}⏎{L}	{n}
{L} {n}, {L} {n}, {L} {n}
{n}. {I}⏎{n}. {I}⏎{n}. {I}
{I}⏎{I}⏎{I}
{I}	{W}	{d}⏎{I}	{W}	{d}
{W}: {I}
{W}/in: {I}    {W}: {d}
{I} ({w})⏎{I} ({w})
{I}; {I}; {I}
{X}: {W} und {W}, {w}!⏎{X}: {W}!
{X} {F}, {W} {n}
{X}, {F} ({d})
{W}: {F}, {W} {F}
{W} {F}, {W} {F} und {F}, {W} {L}
{W}: früh {L}, spät {L}, {D} {L}
{W}: {P}. {W}: {F}. {W}: {L}.
{W}: {L}⏎{W}: {id}
{W}: {F}⏎{W}: {L}
{W}: {F}, {F}, {F} und {F}
Re: {W} {L}⏎⏎{F} {v}, Gruß {F}
ok, {L} {v}. LG {F}
Bis dann, {F}
Viele Grüße {F}
hab {F} {W} gegeben, {F} {v}
Du, {F}, {v} {F} schon?
Na {F}, wie war {W}?
„{W}?“ – „Ja, {F}.“
{H} {L} {v}, seine Frau {F} {v}.
{H} {L} ist {J}, {H} {L} {w} {W}.
Kind: {P}, Mutter: {P}, geb. {L}
Es gratulieren {F}, {F} und die {L}s
Die {Ls} sind verreist, Familie {L} {v}.
Richter am {W} {L}, Richterin {P}, Richter {H} {L}
Vorsitzender Richter {H} {L}, Richterin am Amtsgericht {L}
{L} siegte gegen {L}, {L} unterlag {L}.
{L} für {L} ({n}. Minute), Gelb für {L}
zu {L}: {W} {w}
{L} zufolge ist der {W} {w}.
Dem {J} {L} wurde gekündigt.
Der {R} {L} {v}.
Zwischen {L} und {L} gab es {W}.
Statt {L} kommt {L}.
Neben {P} {v} auch {L}.
{O} {v} im {m}, sagt {L}.
{d} {time} INFO {W} von {P} {w}
{d} {time} {W} für Benutzer {P} {w}
In der {SP} wohnt {P}.
{P}, {SP} {n}, {Z} {C}
{H}⏎{P}⏎{SP} {n}⏎{Z} {C}
Kontakt: {F} (Mutter), {F} (Vater)
{O}⏎{A}⏎⏎{H}⏎{P}⏎{A}⏎⏎{C}, den {d}⏎⏎Betreff: {W} und {W}
Kontoinhaber: {P}⏎IBAN: {iban}⏎Verwendungszweck: Miete {m}
Bewerbung als {J}⏎{P}⏎{A}⏎Telefon {phone}
Name: {L}⏎Vorname: {F}⏎Geburtsdatum: {d}⏎Geburtsort: {C}⏎Staatsangehörigkeit: {N}
Teilnehmer: {P}, {P}, {P} (entschuldigt)
Protokoll: {P}⏎Vorsitz: {H} {L}
TOP {n}: {H} {L} berichtet über den Stand der Arbeiten.
{P} hat die Aufgabe an {F} übergeben.
hi {F}, hast du die nummer von {F}? lg {F}
Ich bin mit {F} und {F} am {D} in {C} verabredet.
Meine Frau {F} und unsere Kinder {F} und {F} sind mitversichert.
Herzlichen Glückwunsch, liebe {F}!
Das Gutachten von {H} {P} liegt bei.
Der Bescheid ging an {P}, {ST}, {Z} {C}.
Die Beklagte, vertreten durch ihren Geschäftsführer {P}, beantragt Klageabweisung.
Eingetragen wurde {P}, {C}, als {J}.
gez. {P}⏎{JC}
i. A. {P}
Mit freundlichen Grüßen⏎⏎{P}⏎{JC}⏎{O}
Die Wohnung in der {ST} wird von {P} bewohnt.
Im Notfall: {P} (Schwester), {phone}
{H} {L} und {H} {L} stimmten dagegen.
Vorname	Nachname	Abteilung⏎{F}	{L}	{W}⏎{F}	{L}	{W}
Ihr Termin bei {H} {L} am {D}, {d}, um {time} Uhr
Auf Antrag von {P} wurde die Frist bis {d} verlängert.
Die Trauung von {P} und {P} findet in {C} statt.
Unser Kollege {P} geht zum {d} in den Ruhestand.
Dann hat {R} {P} angerufen.
Gestern war {R} {F} bei uns.
Laut {P} ist {R} {P} schon gegangen.
Am {D} übernimmt {F}, am {D} kommt {F}.
{F} ist krank, {F} springt ein.
Heute kocht {F}, morgen {F} und {F}.
Das Paket nahm {P} entgegen.
Übergeben an {P}, angenommen von {F}.
Im Büro waren nur {P} und {R} {L}.
Gegen {P} wird ermittelt; {L} bestreitet die Vorwürfe.
Für {F} war das neu, {F} wusste es längst.
Eigentümer sind {P} und {P}.
Ob {P} oder {P} gewinnt, ist offen.
Bei {F} im Garten steht das Fahrrad von {F}.
Fotos: {P}, Text: {P}
Es sprachen {P}, {P} sowie {H} {P}.
Dienstplan⏎{D}: {F}, {F}⏎{D}: {F}, {F}
{L} und {L} erzielten die Tore.
Grüß {F} von mir!
Gruß {F}
Frage an {F}: Wann kommt {F}?
Nachlass {L}, Akte {id}
Verteiler: {P}, {P}, {P}
Dr. {L} und {H} {L} operierten {R} {P}.
Wie {P} berichtet, war {F} nicht dabei.
Nachbarin {P} hatte die Feuerwehr alarmiert, {F} blieb unverletzt.
Der Angeklagte {F} {u}. schwieg, die Zeugin {F} {u}. sagte aus.
Bauherren: {F} und {P}, {A}
Familie {L} dankt allen, besonders {H} {L} und {F}.
Klassenlehrerin {P} bittet um Rückruf, auch {H} {L} ist erreichbar.
Vertragspartner {P}, Kundennummer {id}
Zuständig ist {H} {L} in der Buchhaltung.
{H} {P} hält den Vortrag, {P} moderiert.
{F} heiratet, {F} und {F} sind eingeladen.
hast du den schlüssel von {F} noch? {F} sucht ihn
Danach rief {F} an und bat {F} um Hilfe.
{P} kaufte das Haus, {L} verkaufte es wieder.
Als {L} den Raum verließ, stand {P} auf.
Abgegeben bei {L}, unterschrieben von {P}.
Das Päckchen liegt bei {L}, weil {F} nicht da war.
Der Vertrag wurde von {P} unterschrieben und liegt im {W}.
vielen Dank an {H} {L} für die Auskunft vom letzten {W}.
Frag doch {F}, denn {L} hat Urlaub.
Entscheiden wird {L}, nicht {P}.
moin {f}, bist du schon da? {f} wartet unten
weiß jemand ob {f} heute noch kommt? hat sich nicht gemeldet
{f} hat abgesagt, wer springt ein?
na {f}, alles gut bei dir und {f}?
kannst du {f} die unterlagen geben, {f} hat sie {w}
hallo {f}, die adresse von {f} hab ich nicht
ach so, {f} meinte das {w}
{f} sagt dass es {w} ist
{f}: wer ist dran?⏎{f}: {f}, glaub ich
{L} ./. {L}, Az. {id}
{L} gegen {L}, Urteil vom {d}
In der Sache {L} ./. {O} wird Termin bestimmt auf {d}.
{Ls} Beschwerde blieb ohne Erfolg, {Ls} {W} auch.
Damit ist {Ls} {W} erledigt.
Anwesend waren {L}, {L}, {L} und {L}.
Es fehlten: {L}, {L}
Die Tochter {F} holt {H} {L} ab.
Mit ihrer Mutter {F} und seinem Onkel {F} kam auch die Cousine {P}.
Als {P} den {W} öffnete, war der {W} leer.
Während {P} noch sprach, kam {F} herein.
Unter der Leitung von {P} wurde das {W} saniert; die {W} ließ sich entschuldigen.
Mieter {P} und Untermieterin {P} teilen sich den {W}.
Der Vertrag trägt die Unterschrift von {P}, beglaubigt von {P}.
{F} und {P} betreiben den {W} seit {d}.
Zahlung an {P}, Verwendungszweck {W} {m}, {amt}
Laut {OB} beginnt {P} im {m} in {C}.
{P} arbeitet bei {OB} und wohnt in {C}.
Die {OB} beliefert {C} ab {m}, sagt {P}.
{H} {L} fährt einen {BR}, {F} den neuen {BR}.
Kläger ist {P}, Beklagte ist die {OB}.
Wenn {F} den {BR} nimmt, bleibt für {F} die {W}.
{I} – entschuldigt
{I} – {W} {W}, {w}
{F} und {P} haben den {W} übernommen.
Gruß, {F}
Grüße, {F} und {F}
{I}, geb. {d}, {W}
ich glaub {f} kommt morgen, {f} auch
hab {f} gestern {w}, die ist {w}
{Ls} {W} wurde {w}.
`,
  impersonal: `
Die {W} und die {W} werden vom {W} geprüft.
Der {W} ist im {W} enthalten. Das {W} wird gesondert berechnet.
Im {m} beginnt die {W}, am {D} endet die {W}.
Für {W}, {W} und {W} gelten besondere Bedingungen.
{W}: {num}⏎{W}: {amt}⏎{W}: {n} %
Gemäß {law} haftet der Verkäufer für Mängel der {W}.
Nach {law} ist der Arbeitgeber verpflichtet, die {W} aufzubewahren.
Der Mieter verpflichtet sich, die Räume zu reinigen und die Schlüssel zurückzugeben.
Der Auftragnehmer haftet nur für Vorsatz und grobe Fahrlässigkeit.
Die Kündigungsfrist beträgt drei Monate zum Ende eines Quartals.
Kopfschmerzen, Schwindel, Übelkeit; kein Fieber. Blutdruck 130/80 mmHg, Puls {n}.
Therapie: Ibuprofen 400 mg, Ramipril 5 mg, Metformin nach Bedarf
Diagnose: Hypertonie, Diabetes mellitus Typ 2, Zustand nach Appendektomie
Anleitung zur Montage: Schrauben Sie das Gehäuse auf und entfernen Sie die Abdeckung.
Menge Artikel Einzelpreis Gesamtpreis⏎{n} {W} {prod} {amt} {amt}
Netto {amt}, Mehrwertsteuer 19 %, Brutto {amt}
Zahlbar innerhalb von 14 Tagen ohne Abzug auf das angegebene Konto.
Tagesordnung: Begrüßung, Bericht, Haushalt, Verschiedenes
Zusammenfassung der Ergebnisse und Ausblick
Öffnungszeiten: Montag bis Freitag 9 bis 18 Uhr, Samstag geschlossen
Das Wetter bleibt am {D} wechselhaft, im Süden Regen, im Norden sonnig.
Die Bundesregierung will die Steuern senken, die Opposition lehnt das ab.
Das Programm gibt die Zeilen der Datei auf der Standardausgabe aus.
Diese Option legt fest, welche Zeichen als Trennzeichen verwendet werden.
BEZEICHNUNG⏎ÜBERSICHT⏎BESCHREIBUNG⏎OPTIONEN⏎SIEHE AUCH⏎UMGEBUNGSVARIABLEN
Das Handbuch enthält Hinweise für Benutzer, Entwickler und Übersetzer.
Das Modell {prod} ersetzt das Vorgängermodell {prod} seit 20{yy}.
Von 1871 bis 1904 stieg die Zahl der Betriebe auf {num}.
in den Jahren 18{yy} bis 19{yy}, seit 19{yy}, um 17{yy}
Abbildung {n}: Verlauf der Temperatur im Sommer
Kapitel {n}⏎Grundlagen der {W}
Bitte beachten Sie die Hausordnung und die Brandschutzordnung.
Mehl, Zucker, Butter und Eier verrühren, dann den Teig eine Stunde ruhen lassen.
Urlaubsantrag Krankmeldung Reisekosten Überstunden Zeiterfassung
Anlagen: Lebenslauf, Zeugnisse, Arbeitsproben
Mit freundlichen Grüßen⏎Ihre Kundenbetreuung
Liebe Kolleginnen und Kollegen,⏎die Kantine bleibt am {D} geschlossen.
Sehr geehrte Kundin, sehr geehrter Kunde,
Guten Morgen zusammen, das Meeting wurde auf {D} verschoben.
Der Fluss führt Hochwasser; Dünger und Pestizide belasten das Grundwasser.
{W} {W} {W}
{W}{prod}
Schrauben, Dübel, Winkel, Bohrer und Zangen liegen im Keller.
Schlüssel, Quittung, Vertrag und Übergabe fehlen.
Am {D} tagt der Ausschuss, am {D} der Vorstand.
Im Frühjahr blühen Krokus, Tulpe und Narzisse.
Montage, Wartung, Reparatur und Entsorgung
Bei Sturm fällt der Unterricht aus.
Heute Suppe, morgen Auflauf und Salat.
Gegen Husten hilft Tee.
{W}, {W} und {W}
Mein {W} ist beim {W}, deine {W} liegt im {W}.
Gestern war {W}, morgen ist {W}.
Gebäude {n}, Raum {n}
Abteilung {W}, Gebäude {n}, {n}. Stock, Zimmer {n}
Halle {n}, Stand {n}
Nach dem {W} wurde das {W} ersetzt.
Schutzklasse II, Bauform {u}, Ausführung {u}
Vorstand, Geschäftsführung, Betriebsrat und Kassenprüfer
Schatzmeister, Schriftführerin und Beisitzer
Der {W} war {w}, als der {W} begann.
Der {W} wurde {w}, die {W} {w} und das {W} {w}.
Ab {m} liefern wir nur noch {W} gegen {W}.
seit {m}, bis {m}, im {m} und {m}; ab {m} {w}
Der Müller mahlt, der Bäcker backt, der Schmied hämmert, und der Kaiser schläft.
Morbus {q}, {q}-Syndrom, {q}-Test negativ
Das {q}-Verfahren und die {q}sche Gleichung setzen {W} voraus.
{n}. Spieltag: {BR} {c} – {BR} {c} {y}:{y}, {BR} {c} – {c} {y}:{y}
{c} {y}, {BR} {c} {y}; {BR} {c} {y}, {c} {y}. Tabellenführer bleibt {c}.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Unter {BR} und {BR} besserten sich {W} und {W}.
Klicken Sie auf {W}, danach auf {W}. Bestätigen Sie mit {W}.
Verwendungszweck: {W} {m}
Verwendungszweck {W} {m}, Betrag {amt}
Er erledigte seine {W} selbstständig, {w} und mit großem Fleiß.
Im {m} kostet der {BR} weniger als im Vorjahr.
Der neue {BR} verbraucht {n} Liter.
wer hat den {W} gesehen? liegt nicht im {W}
bin gleich da, {W} ist {w}
Sie nahm die {W} zur Kenntnis. Die {W} erteilte Entlastung.
{m}	{W}	{W}⏎{num}	{num}	{num}
{W}, {W}, {W}, {W}, {W}
{W}: {W}, {W}, {W}
Der {V} und der {V} {w}, sein {V} {w}.
Ein {V} im {V}, kein {V} am {V}.
Dieser {V}, jeder {V}, welcher {V}?
{V}, {V} und {V}
{W} und {V}, {V} oder {W}
Mein {V} {w} den {V}; ihr {V} {w} am {V}.
{V} gesucht, {V} {w}
Für {V} und {W} gilt das {W}.
als {V} im {W}, mit {V} und {W}
{W} nur mit {W}, {W} ohne {V}
Bitte {W} {w} und {W} {w}.
an {W} statt, auf {W}, bei {W}, in {W}, zu {W}
bei {BR} gibt es {W}, bei {BR} {W}
{BR}, {BR} und {BR} {w} die {W}.
{BR} und {BR} {v}.
Die {O} liefert die {W} im {m}.
{O}, {W} und {W}
Bei {O} gibt es {W} und {V}.
Die {SP} ist gesperrt, am {SP} wird gebaut.
{W} in der {SP}, {W} und {W}
{O} feiert, {O} {w}.
Das {O} meldet {W}.
{W}: {w}. {W}: {w}. {W}: {w}.
Der {W} {v}, die {W} {v}.
{W} {v} nicht.
Sein {W}, ihre {W}, unsere {W}, deren {W}
Verordnet: {BR}, {BR} und {BR}
Ist der {W} {w}? Dann prüfen Sie den {W} und die {W}.
`,
};
