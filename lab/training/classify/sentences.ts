/** Sentences for paragraphs, by language: business, reports, stories. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt';

type Sentences = {
  biz: readonly string[];
  rep: readonly string[];
  story: readonly string[];
  topics: readonly string[];
};
const of = (biz: string, rep: string, story: string, topics: string): Sentences => ({
  biz: biz.split('|'),
  rep: rep.split('|'),
  story: story.split('|'),
  topics: topics.split('|'),
});

export const sentences: Record<Language, Sentences> = {
  en: of(
    'We have looked into the matter and will let you know by {date}.|The new arrangement starts on {date}.|Could you confirm the date with {first}?|The meeting has been moved to {date} at {time}.|The parcel did not arrive and we would like to know why.|Your contribution of {cur}{amt} was very welcome.|I enclose a copy of the document.|The invoice was sent to the wrong address last month.|We would ask you to sign the contract and return it to us.|Our office will be closed from {date}.|The committee discussed {topic} at length.|Please call me on {phone} if that does not suit you.|I have spoken to {person}, who agrees.|The work on the roof will take about {n} weeks.|We value your custom and hope to welcome you again.|The report will be ready on {weekday}.|The budget for {topic} is nearly spent.|My bank statement shows that the payment was taken twice.|The numbers look better than last year.|We had a wonderful time at the seaside.|I have not had a reply to my form of {date}.|Nothing has changed since we last spoke.',
    'The number of cases increased from {num} to {num}.|Most participants agreed with the statement.|Costs were lower than planned by {n}%.|No significant difference between the groups was found.|The samples were kept at {n} degrees for {n} hours.|Demand for {topic} is expected to grow.|The contractor has completed {n} of {n} milestones.|Cracks were visible on the northern wall.|Three invoices could not be matched to an order.|Staff turnover fell to {n} percent.|These results are in line with earlier studies.|The patient was stable and afebrile on discharge.|Emissions per unit declined for the third year.|The model explains {n}{n}% of the variance.|Controls over {topic} were found to be effective.|The survey was carried out in {town}.|Net sales in the segment amounted to {cur}{amt} million.|The delay is due to {topic}.|We measured the time each task took.|A weakness was identified in the approval of contracts.|The trend is likely to continue in {year}.',
    'The old house stood at the end of the lane.|Nobody knew where {first} had gone.|The rain had stopped and the streets were shining.|She opened the letter and laughed.|Two men were arrested near {town} on {weekday}.|The mayor promised a new bridge.|Thousands came to see the parade.|The dog barked all night.|He had lost everything but his hat.|Prices of {food} have doubled since spring.|The match ended in a draw after extra time.|The castle was built in the twelfth century.|They sailed at dawn with {n}{n} men on board.|The minister resigned over {topic}.|It smelled of {food} and wet leaves.|A light was burning in the kitchen.|The train was late again.|The species lives in the forests of the south.|The court will rule next week.|There was no answer, only the wind.|She remembered the summer in {town}.',
    'customer onboarding|the supply chain|staff training|data security|road repairs|the water supply|energy saving|school meals|the annual meeting|your reservation|parking permits|machine maintenance|cloud migration|public transport|waste collection|the new website|online sales|noise at night|employee health|the garden fence|wind power|packaging|price changes|your membership|urban planning|machine learning|the delivery of goods|fraud detection|the heating system|renewable energy|air quality|housing|product safety|software testing|a broken window|travel costs',
  ),
  de: of(
    'Wir haben die Sache geprüft und melden uns bis zum {date}.|Die neue Regelung gilt ab {date}.|Das Treffen wurde auf {date} verschoben.|Das Paket ist leider nicht angekommen.|Bitte senden Sie uns den Vertrag unterschrieben zurück.|Unser Büro ist vom {date} an geschlossen.|Die Rechnung ging an die falsche Adresse.|Ich habe mit {person} gesprochen.|Die Arbeiten dauern etwa {n} Wochen.|Der Bericht ist am {weekday} fertig.|Rufen Sie mich gern unter {phone} an.|Im Anhang finden Sie die Kopie.',
    'Die Zahl der Fälle stieg von {num} auf {num}.|Die Kosten lagen um {n} Prozent unter dem Plan.|Ein Zusammenhang konnte nicht nachgewiesen werden.|An der Nordwand sind Risse zu erkennen.|Die meisten Teilnehmer stimmten zu.|Die Nachfrage nach {topic} wird weiter wachsen.|Die Messungen wurden in {town} durchgeführt.|Die Entwicklung setzt sich im Jahr {year} fort.|Die Ursache der Verzögerung ist {topic}.',
    'Das alte Haus stand am Ende der Straße.|Niemand wusste, wohin {first} gegangen war.|Der Regen hatte aufgehört.|Der Bürgermeister versprach eine neue Brücke.|Tausende kamen zum Umzug.|Sie öffnete den Brief und lachte.|Die Burg wurde im zwölften Jahrhundert gebaut.|Der Zug hatte wieder Verspätung.|Es roch nach {food} und nassem Laub.|Das Spiel endete unentschieden.',
    'Datenschutz|die Lieferkette|Energie sparen|Wasserversorgung|Schulung der Mitarbeiter|Straßenbau|Ihre Bestellung|die neue Webseite|Wohngeld|Müllabfuhr|Wartung der Anlage|Windkraft|Ihre Mitgliedschaft|Digitalisierung|Kundenzufriedenheit|Lärm in der Nacht|die Heizung|Produktsicherheit',
  ),
  fr: of(
    "Nous avons étudié la question et reviendrons vers vous avant le {date}.|La réunion est reportée au {date}.|Le colis n'est pas arrivé.|Merci de nous retourner le contrat signé.|Nos bureaux seront fermés à partir du {date}.|La facture a été envoyée à la mauvaise adresse.|J'ai parlé à {person}, qui est d'accord.|Les travaux dureront environ {n} semaines.|Vous pouvez me joindre au {phone}.|Le nouveau tarif s'applique dès le {date}.",
    "Le nombre de cas est passé de {num} à {num}.|Les coûts sont inférieurs de {n} % aux prévisions.|La plupart des participants sont d'accord.|Des fissures sont visibles sur le mur nord.|La demande devrait croître.|Les mesures ont été réalisées à {town}.|Le retard est dû à {topic}.|Cette tendance se poursuit en {year}.|Aucune différence notable n'a été constatée.",
    "La vieille maison se trouvait au bout du chemin.|Personne ne savait où {first} était parti.|La pluie avait cessé.|Le maire a promis un nouveau pont.|Elle ouvrit la lettre et se mit à rire.|Le château date du douzième siècle.|Le train était encore en retard.|Des milliers de personnes sont venues.|Le match s'est terminé sur un score nul.",
    "la formation du personnel|la sécurité des données|les transports publics|l'approvisionnement en eau|votre commande|votre abonnement|la collecte des déchets|le nouveau site|l'énergie éolienne|le logement|la maintenance des machines|la qualité de l'air|le bruit nocturne|les frais de déplacement|la cantine scolaire",
  ),
  es: of(
    'Hemos estudiado el asunto y le responderemos antes del {date}.|La reunión se ha aplazado al {date}.|El paquete no ha llegado.|Les rogamos nos devuelvan el contrato firmado.|Nuestras oficinas estarán cerradas desde el {date}.|La factura se envió a otra dirección.|He hablado con {person}, que está de acuerdo.|Las obras durarán unas {n} semanas.|Puede llamarme al {phone}.',
    'El número de casos pasó de {num} a {num}.|Los costes fueron un {n}% inferiores a lo previsto.|La mayoría de los participantes está de acuerdo.|Se observan grietas en el muro norte.|Se espera que la demanda crezca.|Las mediciones se hicieron en {town}.|El retraso se debe a {topic}.|No se halló diferencia significativa.',
    'La vieja casa estaba al final del camino.|Nadie sabía adónde había ido {first}.|Había dejado de llover.|El alcalde prometió un puente nuevo.|Abrió la carta y se rió.|El castillo es del siglo doce.|El tren llegó otra vez tarde.|Miles de personas acudieron al desfile.',
    'la formación del personal|la seguridad de los datos|el transporte público|el suministro de agua|su pedido|su suscripción|la recogida de residuos|la nueva página web|la energía eólica|la vivienda|el mantenimiento|la calidad del aire|los gastos de viaje|el comedor escolar',
  ),
  it: of(
    "Abbiamo esaminato la questione e risponderemo entro il {date}.|La riunione è rinviata al {date}.|Il pacco non è arrivato.|Vi preghiamo di restituire il contratto firmato.|I nostri uffici saranno chiusi dal {date}.|La fattura è stata inviata a un altro indirizzo.|Ho parlato con {person}, che è d'accordo.|I lavori dureranno circa {n} settimane.|Può chiamarmi al {phone}.",
    "Il numero dei casi è passato da {num} a {num}.|I costi sono stati inferiori del {n}% al previsto.|La maggior parte dei partecipanti è d'accordo.|Sono visibili crepe sulla parete nord.|Si prevede una crescita della domanda.|Le misure sono state eseguite a {town}.|Il ritardo è dovuto a {topic}.|Non sono emerse differenze significative.",
    'La vecchia casa era in fondo alla strada.|Nessuno sapeva dove fosse andato {first}.|Aveva smesso di piovere.|Il sindaco ha promesso un nuovo ponte.|Aprì la lettera e rise.|Il castello risale al dodicesimo secolo.|Il treno era di nuovo in ritardo.|Migliaia di persone sono venute alla sfilata.',
    "la formazione del personale|la sicurezza dei dati|i trasporti pubblici|la fornitura idrica|il suo ordine|il suo abbonamento|la raccolta dei rifiuti|il nuovo sito|l'energia eolica|la casa|la manutenzione|la qualità dell'aria|le spese di viaggio",
  ),
  nl: of(
    'Wij hebben de zaak onderzocht en laten het u voor {date} weten.|De vergadering is verplaatst naar {date}.|Het pakket is niet aangekomen.|Wilt u het contract ondertekend terugsturen?|Ons kantoor is vanaf {date} gesloten.|De factuur is naar een verkeerd adres gestuurd.|Ik heb met {person} gesproken.|Het werk duurt ongeveer {n} weken.|U kunt mij bellen op {phone}.',
    'Het aantal gevallen steeg van {num} naar {num}.|De kosten waren {n}% lager dan begroot.|De meeste deelnemers zijn het eens.|In de noordelijke muur zijn scheuren zichtbaar.|De vraag zal naar verwachting groeien.|De metingen zijn in {town} gedaan.|De vertraging komt door {topic}.|Er werd geen significant verschil gevonden.',
    'Het oude huis stond aan het einde van de laan.|Niemand wist waar {first} heen was.|Het was opgehouden met regenen.|De burgemeester beloofde een nieuwe brug.|Ze opende de brief en lachte.|Het kasteel is uit de twaalfde eeuw.|De trein had weer vertraging.|Duizenden mensen kwamen naar de optocht.',
    'de opleiding van personeel|gegevensbescherming|het openbaar vervoer|de watervoorziening|uw bestelling|uw abonnement|de afvalinzameling|de nieuwe website|windenergie|huisvesting|onderhoud|luchtkwaliteit|reiskosten',
  ),
  pt: of(
    'Analisámos o assunto e responderemos até {date}.|A reunião foi adiada para {date}.|A encomenda não chegou.|Pedimos que devolva o contrato assinado.|O nosso escritório estará fechado a partir de {date}.|A fatura foi enviada para outra morada.|Falei com {person}, que concorda.|As obras vão durar cerca de {n} semanas.|Pode ligar-me para {phone}.',
    'O número de casos passou de {num} para {num}.|Os custos ficaram {n}% abaixo do previsto.|A maioria dos participantes concorda.|São visíveis fendas na parede norte.|Espera-se que a procura cresça.|As medições foram feitas em {town}.|O atraso deve-se a {topic}.|Não se encontrou diferença significativa.',
    'A velha casa ficava no fim do caminho.|Ninguém sabia para onde {first} tinha ido.|Tinha parado de chover.|O presidente da câmara prometeu uma ponte nova.|Abriu a carta e riu-se.|O castelo é do século doze.|O comboio atrasou-se outra vez.|Milhares de pessoas vieram ao desfile.',
    'a formação do pessoal|a segurança dos dados|os transportes públicos|o abastecimento de água|o seu pedido|a sua assinatura|a recolha de lixo|o novo site|a energia eólica|a habitação|a manutenção|a qualidade do ar|as despesas de viagem',
  ),
};
