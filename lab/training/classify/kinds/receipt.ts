/** See ../grammar.ts for the format. */
export const receipt = `
## en head
{company}⏎{street}⏎{town}⏎Tel {phone}
!RECEIPT⏎{company}⏎{street}, {town}
{company} SUPERMARKET⏎Store #{n}{n} {town}⏎VAT No {vat}
Welcome to {company}⏎{street}⏎{town}⏎Server: {first}⏎Table {n} Guests {n}
{company} CAFE⏎{date} {time}⏎Order #{n}{n}
{company} FUEL STATION⏎Site {num}⏎Pump {n} Unleaded
!Official Receipt⏎{company}⏎No. {num}→Date {date}
{company} TAXIS⏎Driver {n}{n}⏎Trip receipt
CITY PARKING {town}⏎Entry time {date} {time}⏎Exit time {date} {time}
{company} PHARMACY⏎{town}⏎{phone}⏎Till {n} Operator {n}
## en rows
*{n} {food}→{amt}
*{food} {food}→{amt}⏎  2 @ {amt}
*{food}→{amt}
*{n} {food}→{cur}{amt}
*{n} x {food} @ {amt}→{amt} A
*{FOOD}→{amt} T
*{num} {FOOD}→{amt}
{n}{n}.{n}7 LITRES @ 1.{n}9→{amt}
!ITEM→PRICE⏎*{product}→{amt}
Received from {person} the sum of {cur}{amt} in respect of {topic}
Fare→{amt}⏎Tolls→{amt}⏎Booking fee→{amt}
Parking fee {n} hrs→{cur}{amt}
## en total
SUBTOTAL→{amt}⏎TAX→{amt}⏎TOTAL→{amt}⏎CASH→{amt}⏎CHANGE→{amt}
TOTAL {cur}{amt}⏎VISA **** **** **** {pin}⏎Auth code {num}⏎APPROVED
Total to pay→{amt}⏎Contactless→{amt}⏎{n} items
BALANCE DUE {amt}⏎MASTERCARD {amt}⏎AID A0000000041010⏎CARDHOLDER COPY
Amount {cur}{amt}⏎Tip {amt}⏎Total {cur}{amt}⏎Signature ________
Total paid: {cur}{amt}⏎Payment method: debit card ending {pin}⏎Amount tendered {amt}
Sale {amt}⏎Debit tend {amt}⏎Change due 0.00⏎# ITEMS SOLD {n}
Paid in full by cash⏎Balance: nil⏎Received by {person}
## en foot
THANK YOU FOR SHOPPING WITH US⏎PLEASE COME AGAIN⏎{date} {time} Till {n} Cashier {first}
Please retain this receipt for your records⏎Refunds within 28 days with receipt
Trans {num} Store {n} Reg {n} {date} {time}
VAT 20% {amt} net {amt}⏎You were served by {first}
Merchant ID {num} Terminal {num} PIN verified {time}
Have a nice day! Tell us how we did at {url}
You saved {amt} today⏎Points earned {n}
Thank you for your payment. {date}
## de head
{company}⏎{street}⏎{town}⏎Kasse {n} Bon-Nr. {num}
{company} Restaurant⏎{town}⏎!Rechnung Tisch {n}⏎Bediener {first}
!QUITTUNG⏎{company}⏎Nr. {num}
{company} MARKT⏎Filiale {n}{n}⏎UID Nr. {vat}
Parkhaus {town}⏎Einfahrt {date} {time}⏎Ausfahrt {date} {time}
## de rows
*{food}→{amt} B
*{n} x {food}→{amt}
Erhalten von {person}⏎Betrag in Worten: {topic}⏎für {product}
## de total
SUMME EUR→{amt}⏎Geg. BAR→{amt}⏎Rückgeld→{amt}
Gesamt {amt}⏎Girocard kontaktlos {amt}⏎Genehmigungs-Nr. {num}
zu zahlen EUR {amt}⏎EC-Karte {amt}⏎Kundenbeleg
Betrag dankend erhalten. {town}, {date}
## de foot
MwSt 7% {amt} Netto {amt}⏎Vielen Dank für Ihren Einkauf!⏎{date} {time}
Es bediente Sie {first}⏎TSE-Signatur {id}⏎Auf Wiedersehen
Umtausch nur mit Kassenbon. {date} {time} Uhr
## fr head
{company}⏎{street}⏎{town}⏎Tél {phone}⏎Ticket n° {num} Caisse {n}
!REÇU⏎{company}⏎{date}
{company} BRASSERIE⏎Table {n} Couverts {n}⏎{date} {time}
!Quittance de loyer⏎Propriétaire : {person}⏎Locataire : {person}
## fr rows
*{food}→{amt} €
*{n} {food}→{amt}
Reçu de {person} la somme de {amt} euros au titre du loyer de {month}
## fr total
TOTAL→{amt} €⏎CB→{amt} €
A PAYER {amt}⏎ESPECES {amt}⏎RENDU MONNAIE {amt}
MONTANT {amt} EUR⏎CARTE BANCAIRE SANS CONTACT⏎TICKET CLIENT A CONSERVER
Total TTC {amt} dont TVA 10% {amt}⏎Payé par chèque
## fr foot
MERCI DE VOTRE VISITE A BIENTOT⏎{date} {time} Vendeur {first}
Echange sous 15 jours sur présentation du ticket⏎Nombre d'articles {n}
## es head
{company}⏎{street}⏎{town}⏎NIF {vat}⏎Ticket {num} Caja {n}
!RECIBO⏎Nº {num}⏎{date}
{company} BAR⏎Mesa {n} Camarero {first}⏎{date} {time}
## es rows
*{n} {food}→{amt}
*{food}→{amt} €
He recibido de {person} la cantidad de {amt} euros en concepto de {topic}
## es total
TOTAL→{amt} €⏎EFECTIVO→{amt}⏎CAMBIO→{amt}
Total a pagar {amt}⏎Tarjeta **** {pin}⏎Autorización {num}
IVA INCLUIDO⏎TOTAL {amt}⏎ENTREGADO {amt}
## es foot
GRACIAS POR SU VISITA⏎Le atendió {first} {date} {time}
Cambios y devoluciones 30 días con ticket
## it head
{company}⏎{street}⏎{town}⏎P.IVA {vat}⏎!DOCUMENTO COMMERCIALE di vendita o prestazione
{company} BAR TRATTORIA⏎Tavolo {n} Coperti {n}
!RICEVUTA⏎n. {num} del {date}
## it rows
*{food}→{amt}
*{n} x {food}→{amt}
Ricevo da {person} la somma di euro {amt} per {topic}
## it total
TOTALE COMPLESSIVO→{amt}⏎di cui IVA→{amt}⏎Pagamento contante→{amt}⏎Resto {amt}
TOTALE EURO {amt}⏎Pagamento elettronico {amt}⏎Importo pagato {amt}
## it foot
ARRIVEDERCI E GRAZIE⏎{date} {time} DOC.N. {num}
Cassa {n} Operatore {first} {date} {time}
## nl head
{company}⏎{street}⏎{town}⏎Kassa {n} Bon {num}
!KWITANTIE⏎{company}⏎Nr. {num}
{company} eetcafé⏎Tafel {n}⏎{date} {time}
## nl rows
*{food}→{amt}
*{n} {food}→{amt}
Ontvangen van {person} het bedrag van € {amt} voor {topic}
## nl total
TOTAAL→{amt}⏎PIN→{amt}
Te betalen {amt}⏎Contant {amt}⏎Wisselgeld {amt}
Totaal EUR {amt}⏎Betaald met Maestro {pin}⏎AKKOORD
## nl foot
BEDANKT EN TOT ZIENS⏎{date} {time}
Ruilen binnen 14 dagen met bon⏎btw 9% {amt}
## pt head
{company}⏎{street}⏎{town}⏎Contribuinte {num}⏎Talão {num} Caixa {n}
!RECIBO⏎N.º {num}
{company} RESTAURANTE⏎Mesa {n}⏎{date} {time}
## pt rows
*{food}→{amt}
*{n} UN x {amt} {food}→{amt}
Recebi de {person} a quantia de {amt} referente a {topic}
## pt total
TOTAL→{amt}⏎MULTIBANCO→{amt}
TOTAL R$ {amt}⏎DINHEIRO {amt}⏎TROCO {amt}
Total a pagar {amt}⏎Cartão de débito {pin}⏎Via cliente
## pt foot
OBRIGADO PELA VISITA VOLTE SEMPRE⏎{date} {time}
Operador {first} {date} {time}⏎Trocas até 30 dias
`;
