/**
 * Languages other than English: text without personal data (`foreign`), then with personal data
 * (`foreignMixed`). See fill.ts for the slots; {fdate} is a date in one of these languages.
 */
export const foreign = `
Vielen Dank für Ihre Nachricht, wir melden uns so bald wie möglich bei Ihnen.
Die Rechnung ist innerhalb von {n} Tagen ohne Abzug zu bezahlen.
Bitte überweisen Sie den Betrag von {amt} auf das Konto {iban}.
Die Sitzung findet am {fdate} um {n} Uhr statt.
Der Vertrag beginnt am {fdate} und endet am {fdate}.
Sehr geehrte Damen und Herren,
Guten Tag, ich habe eine Frage zu meiner letzten Bestellung.
Das Paket ist leider beschädigt angekommen, was kann ich tun?
Im Sommer waren die Straßen leer und die Läden geschlossen.
Allgemeine Geschäftsbedingungen
Mit freundlichen Grüßen
Er war damals {n}{n} Jahre alt, sie im Alter von {n}{n} schon Großmutter.
die {n}{n}-jährige, seit {n} Jahren, vor {n} Wochen
seit 20{n}{n}, ab 19{n}{n}, bis {fdate}
Kundennummer: {id}⏎Rechnungsnummer: {id}⏎Datum: {fdate}
Steuernummer {secret}
Geburtsdatum: {fdate}⏎Telefon: {phone}
geboren am {fdate}
Alter: {n}{n}
Nous vous remercions de votre message et vous répondrons dans les meilleurs délais.
La facture doit être réglée dans un délai de {n} jours.
Veuillez trouver ci-joint le contrat signé ainsi que la copie du reçu.
La réunion aura lieu le {fdate} à {n}{n}h30.
le {fdate} et le {fdate}
depuis 20{n}{n}, en 19{n}{n}, jusqu'au {fdate}
Madame, Monsieur,
Bonjour, je voudrais savoir quand ma commande sera livrée.
Conditions générales de vente
Il avait {n}{n} ans et elle était âgée de {n}{n} ans.
né le {fdate}, née le {fdate}
Numéro de client : {id}⏎Date : {fdate}⏎Montant : {amt}
Numéro de sécurité sociale : {secret}
Gracias por su mensaje, le responderemos lo antes posible.
La factura vence el {fdate} y el importe total es de {amt}.
El contrato empieza el {fdate} y termina el {fdate}.
desde 20{n}{n} hasta el {fdate}
Estimados señores:
Buenos días, quisiera saber cuándo llega mi pedido.
Tenía {n}{n} años y vivía sola con su perro.
edad: {n}{n}, nacido el {fdate}
Número de cliente: {id}⏎Fecha: {fdate}
La ringraziamo per il Suo messaggio e Le risponderemo al più presto.
La fattura scade il {fdate}.
il {fdate} e il {fdate}
nel 19{n}{n}, dal 20{n}{n} al 20{n}{n}
Buongiorno, vorrei sapere quando arriva il mio ordine.
età: {n}{n}, nato il {fdate}, di {n}{n} anni
Condizioni generali di contratto
Codice cliente: {id}⏎Data: {fdate}
Obrigado pela sua mensagem, responderemos o mais breve possível.
A fatura vence no dia {fdate}.
Bom dia, gostaria de saber quando chega a minha encomenda.
Tinha {n}{n} anos de idade.
Número de contribuinte: {secret}
Bedankt voor uw bericht, wij nemen zo snel mogelijk contact met u op.
De factuur moet voor {fdate} worden betaald.
op {fdate}, sinds 20{n}{n}
{n}{n} jaar oud, leeftijd {n}{n}, geboren op {fdate}
Goedemorgen, wanneer wordt mijn pakket bezorgd?
Tack för ditt meddelande, vi återkommer så snart vi kan.
Fakturan ska betalas senast den {fdate}.
Tak for din besked, vi vender tilbage hurtigst muligt.
Takk for meldingen, vi svarer så snart vi kan.
Kiitos viestistäsi, vastaamme mahdollisimman pian.
Dziękujemy za wiadomość, odpowiemy tak szybko, jak to możliwe.
Termin płatności upływa {fdate}.
Děkujeme za vaši zprávu, odpovíme co nejdříve.
Faktura je splatná do {fdate}.
Köszönjük levelét, hamarosan válaszolunk.
Vă mulțumim pentru mesaj, vă răspundem în curând.
Hvala na poruci, javit ćemo se uskoro.
Σας ευχαριστούμε για το μήνυμά σας, θα απαντήσουμε σύντομα.
Спасибо за ваше сообщение, мы скоро ответим.
{fdate}
{fdate}, {fdate}
{n} h, {n} min, {n} s, {n} d
{n} × {n} × {n} cm, {n} kg, {n} km, {n} ml, {n} %
after {n} s, {n} min, {n} h and {n} d
{num} · {num} · {num} · {num}
200 · 201 · 204 · 30{n}
`;

export const foreignMixed = `
Ich heiße {P} und wohne in {C}.
Herr {L} und Frau {L} wohnen in {C}.
Wir haben das Paket an {P}, {A} geschickt.
{P} arbeitet seit {fdate} bei {O} in {C}.
Meine neue Adresse lautet: {A}
Die Wohnung in der {ST} in {C} ist noch frei.
Je m'appelle {P} et j'habite à {C}.
{P} travaille chez {O} à {C} depuis le {fdate}.
Merci de livrer le colis à {P}, {A}.
Mon adresse est {A}.
né le {fdate} à {C}
Me llamo {P} y vivo en {C}.
{P} trabaja en {O} desde el {fdate}.
Mi dirección es {A}.
Mi chiamo {P} e abito a {C}.
{P} lavora per {O} dal {fdate}.
nato a {C} il {fdate}
Chamo-me {P} e moro em {C}.
O meu endereço é {A}.
Mijn naam is {P} en ik woon in {C}.
{P} werkt sinds {fdate} bij {O}.
Jag heter {P} och bor i {C}.
Jeg hedder {P} og bor i {C}.
Jeg heter {P} og bor i {C}.
Nimeni on {P} ja asun kaupungissa {C}.
Nazywam się {P} i mieszkam w {C}.
Jmenuji se {P} a bydlím v {C}.
A nevem {P}, {C} városban lakom.
Zovem se {P} i živim u {C}.
Με λένε {P} και μένω στην {C}.
Меня зовут {P}, я живу в {C}.
`;
