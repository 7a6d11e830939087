/**
 * People in texts in languages other than English, by language, handwritten for the benchmark in the
 * notation of `personal.ts`. None of it is in `training/`. Only people are marked and scored.
 */
export const languages: Readonly<Record<string, string>> = {
  de: `
Der Vermieter, Herr <P Ekkehard Brünjes>, behält die Kaution bis zum Auszug.
Wir bestätigen den Eingang Ihrer Bewerbung vom 3. März und laden Sie zu einem Gespräch mit Frau <P Tschierschky> ein.
Am Dienstag übernimmt <P Swantje> die Spätschicht, am Mittwoch <P Hinnerk>.
Die Kammer hat unter Vorsitz von Richterin Dr. <P Ottilie Wachsmuth> entschieden.
Röntgen des linken Handgelenks: keine Fraktur. Anordnung: Dr. <P Kiesewetter>.
Laut Grundbuch sind <P Almut Freifrau von Rechenberg> und <P Jobst Gerlach> Eigentümer zu je einhalb.
Schadenmeldung: Mein Nachbar <P Wolfram Puttkamer> hat beim Einparken meinen Wagen gestreift.
Moin <P Fiete>, bringst du die Bohrmaschine mit? Gruß <P Hauke>
Verteiler: <P B. Stürzebecher>, <P M. Ahrendt>, <P Yusuf Karadeniz>
Frau <P Klara Niedermayer-Huth> ist seit dem Wintersemester an unserer Fakultät eingeschrieben.
Die Feuerwehr rettete den Hund aus dem Kanal; verletzt wurde niemand.
Die Lieferung umfasst Schrauben, Dübel, Winkel und eine Bohrschablone.
Der Ausschuss für Umwelt und Verkehr tagt im Rathaus, Sitzungssaal zwei.
Wer den Antrag im November stellt, erhält die Förderung ab dem Frühjahr.
Schlüssel übergeben an <P Gesine Lübbers>, Quittung folgt.`,
  fr: `
Le bailleur, M. <P Aurélien Quéméner>, conserve le dépôt de garantie jusqu'au départ.
Nous avons bien reçu votre candidature et vous proposons un entretien avec Mme <P Vandenbroucke>.
Mardi, <P Solène> assure la permanence ; mercredi, c'est <P Tanguy>.
La cour, présidée par Mme <P Ghislaine Peyrefitte>, a rendu son arrêt.
Radiographie du poignet gauche : pas de fracture. Prescripteur : Dr <P Maréchaux>.
D'après l'acte, <P Isaure de Kermadec> et <P Loïc Berthelot> sont propriétaires pour moitié.
Mon voisin, <P Fulgence Ndiaye>, a heurté ma voiture en se garant.
Coucou <P Maïwenn>, tu apportes la perceuse ? Biz <P Gaëtan>
Destinataires : <P B. Lescarret>, <P M. Oudinot>, <P Youssef Benchekroun>
<P Clotilde Rousselin-Huet> est inscrite dans notre faculté depuis la rentrée.
Les pompiers ont sauvé le chien ; personne n'a été blessé.
La livraison comprend des vis, des chevilles et un gabarit de perçage.
La commission de l'environnement se réunit à la mairie, salle du conseil.
Toute demande déposée en novembre ouvre droit à l'aide dès le printemps.
Clés remises à <P Perrine Lebrun>, reçu à suivre.`,
  es: `
El casero, don <P Eleuterio Goicoechea>, retiene la fianza hasta la salida.
Hemos recibido su candidatura y le proponemos una entrevista con la Sra. <P Villalonga>.
El martes cubre el turno <P Maite>; el miércoles, <P Iker>.
La sala, presidida por doña <P Casilda Urrutia Bengoa>, ha dictado sentencia.
Radiografía de la muñeca izquierda: sin fractura. Solicita: Dr. <P Zamacois>.
Según el registro, <P Remedios de la Torre Ansúrez> y <P Gorka Ibarra> son propietarios al 50 %.
Mi vecino, <P Fulgencio Pedraza>, golpeó mi coche al aparcar.
Oye <P Nerea>, ¿traes el taladro? Besos, <P Aitor>
Destinatarios: <P B. Lezcano>, <P M. Ordóñez>, <P Yusuf Bencherif>
<P Clotilde Ruiz-Huete> está matriculada en nuestra facultad desde septiembre.
Los bomberos rescataron al perro; nadie resultó herido.
La entrega incluye tornillos, tacos y una plantilla de taladrado.
La comisión de medio ambiente se reúne en el ayuntamiento, sala segunda.
Quien presente la solicitud en noviembre recibirá la ayuda en primavera.
Llaves entregadas a <P Pilar Lobato>, se adjuntará recibo.`,
  it: `
Il locatore, sig. <P Ermenegildo Tagliabue>, trattiene la cauzione fino al rilascio.
Abbiamo ricevuto la Sua candidatura e Le proponiamo un colloquio con la dott.ssa <P Quaglierini>.
Martedì copre il turno <P Ginevra>, mercoledì <P Ettore>.
Il collegio, presieduto dalla dott.ssa <P Ottavia Santacroce>, ha deciso.
Radiografia del polso sinistro: nessuna frattura. Richiedente: dr. <P Zaccagnini>.
Secondo il catasto <P Ludovica degli Uberti> e <P Piergiorgio Bellomo> sono proprietari per metà.
Il mio vicino, <P Fulgenzio Pedretti>, ha urtato la mia auto parcheggiando.
Ehi <P Noemi>, porti il trapano? Baci <P Tommaso>
Destinatari: <P B. Lazzarin>, <P M. Orlandini>, <P Youssef Benhima>
<P Clotilde Rossi-Huber> è iscritta alla nostra facoltà da settembre.
I vigili del fuoco hanno salvato il cane; nessuno è rimasto ferito.
La fornitura comprende viti, tasselli e una dima di foratura.
La commissione ambiente si riunisce in municipio, sala seconda.
Chi presenta la domanda in novembre riceve il contributo in primavera.
Chiavi consegnate a <P Pinuccia Lombardi>, segue ricevuta.`,
  nl: `
De verhuurder, de heer <P Engelbert Wijdeveld>, houdt de borg tot het vertrek.
Wij hebben uw sollicitatie ontvangen en nodigen u uit voor een gesprek met mevrouw <P Zijlmans>.
Dinsdag draait <P Marieke> de late dienst, woensdag <P Sjoerd>.
De kamer, voorgezeten door mr. <P Ottoline van Wassenaer>, heeft beslist.
Röntgenfoto van de linkerpols: geen breuk. Aanvrager: dr. <P Kuijpers>.
Volgens het kadaster zijn <P Liesbeth van der Meulen> en <P Gerlof Hoekstra> eigenaar voor de helft.
Mijn buurman, <P Wolfert Pauwels>, heeft bij het parkeren mijn auto geraakt.
Hoi <P Fenna>, neem jij de boor mee? Groetjes <P Jelle>
Verzendlijst: <P B. Stuyvesant>, <P M. Ottens>, <P Youssef Benali>
<P Klara Nieuwenhuis-Huf> staat sinds september ingeschreven bij onze faculteit.
De brandweer redde de hond uit de gracht; niemand raakte gewond.
De levering omvat schroeven, pluggen en een boormal.
De commissie milieu vergadert in het stadhuis, zaal twee.
Wie de aanvraag in november indient, krijgt de steun in het voorjaar.
Sleutels overhandigd aan <P Geertje Lubbers>, bewijs volgt.`,
  pt: `
O senhorio, Sr. <P Eleutério Quintanilha>, retém a caução até à saída.
Recebemos a sua candidatura e propomos uma entrevista com a Dra. <P Vasconcelos>.
Na terça o turno é da <P Matilde>; na quarta, do <P Duarte>.
O coletivo, presidido pela juíza <P Otília Sottomayor>, decidiu.
Radiografia do punho esquerdo: sem fratura. Requisitante: Dr. <P Zagalo>.
Segundo o registo, <P Leonor de Sá Carneiro> e <P Gonçalo Bettencourt> são proprietários em partes iguais.
O meu vizinho, <P Fulgêncio Pedrosa>, bateu no meu carro ao estacionar.
Oi <P Naiara>, você traz a furadeira? Abraço, <P Caetano>
Destinatários: <P B. Lacerda>, <P M. Osório>, <P Yussef Benhadi>
<P Clotilde Ruas-Homem> está matriculada na nossa faculdade desde setembro.
Os bombeiros salvaram o cão; ninguém ficou ferido.
A entrega inclui parafusos, buchas e um molde de furação.
A comissão do ambiente reúne-se na câmara, sala dois.
Quem apresentar o pedido em novembro recebe o apoio na primavera.
Chaves entregues a <P Piedade Lobo>, segue recibo.`,
  pl: `
Wynajmujący, pan <P Eustachy Brzozowski>, zatrzymuje kaucję do dnia wyprowadzki.
Otrzymaliśmy Państwa zgłoszenie i zapraszamy na rozmowę z panią <P Wierzbicką>.
We wtorek dyżur ma <P Jagoda>, w środę <P Bartek>.
Skład pod przewodnictwem sędzi <P Ottylii Wachowskiej> wydał wyrok.
RTG lewego nadgarstka: bez złamania. Zlecający: dr <P Kisielewicz>.
Według księgi wieczystej <P Ludwika Zamoyska> i <P Gniewko Bielak> są współwłaścicielami.
Mój sąsiad <P Wolfram Pytlak> uszkodził mi samochód podczas parkowania.
Cześć <P Zuza>, weźmiesz wiertarkę? Pozdrawiam, <P Kacper>
Do wiadomości: <P B. Sztukowski>, <P M. Ostaszewska>, <P Jusuf Karim>
Od października w naszym wydziale studiuje <P Klara Niedźwiecka-Hut>.
Strażacy uratowali psa; nikt nie został ranny.
Dostawa obejmuje śruby, kołki i szablon do wiercenia.
Komisja ochrony środowiska obraduje w ratuszu, w sali drugiej.
Kto złoży wniosek w listopadzie, otrzyma wsparcie wiosną.
Rozmawialiśmy z <P Tymoteuszem Gawlikiem> o spadku po <P Stefanii Gawlik>.
Klucze wydano <P Genowefie Lubas>, pokwitowanie w załączeniu.`,
};
