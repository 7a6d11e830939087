/** See ../grammar.ts for the format. */
export const invoice = `
## en head
!Statement for services rendered⏎{company}⏎Customer: {person}, {street}
{company} Dental Practice⏎Patient: {person}⏎Treatment from {date} to {date}
{company}⏎{street}⏎{town}⏎{phone}⏎{email}⏎!INVOICE
!Tax Invoice⏎{company}, {street}, {town}⏎VAT Reg No {vat}
{company}⏎!Invoice {id}⏎Issued {date}
{url}⏎{company}⏎!SALES INVOICE⏎ABN {num}
!Invoice⏎From: {company}, {street}, {town}⏎To: {person}, {street}, {town}
{company} - {trade}⏎{street} | {town} | {phone}⏎!COMMERCIAL INVOICE
{company}⏎!Credit Note⏎Original invoice: {id}
{company}⏎Your electricity bill⏎Account number {num}⏎Billing period {date} to {date}
{company} Telecom⏎!Your bill for {month} {year}⏎Customer number {num}⏎Bill date {date}
!Statement of fees for professional services⏎{company} Solicitors⏎{street}⏎{town}
## en meta
Invoice No: {id}→Date: {date}⏎Due date: {date}⏎Bill to:⏎{person}⏎{company}⏎{street}⏎{town}
Invoice number→{id}⏎Invoice date→{date}⏎Payment terms→Net 30⏎Customer→{company}
Bill To→Ship To⏎{company}→{company}⏎{street}→{street}⏎{town}→{town}⏎INV #→{id}⏎P.O. number→{num}⏎Terms→Due on receipt
Date of issue {date}⏎Number {id}⏎Billed to {company}⏎{street}, {town}⏎Your order {num}
Invoiced to: {person}⏎{street}⏎{town}⏎Our ref {id}⏎Your ref {num}⏎Tax point {date}
Ref {id} dated {date}⏎Client: {company}⏎Matter: {topic}⏎For the attention of {person}
## en rows
!Description→Qty→Unit price→Amount⏎*{product}→{n}→{amt}→{amt}
!Item→Quantity→Rate→Total⏎*{product}→{n}→{cur}{amt}→{cur}{amt}
!Service→Hours→Hourly rate→Line total⏎*{job}→{n}.5→{amt}→{amt}
*{num}→{product}→{n} pcs→{amt}→20%→{amt}
!Units used→Price per unit→Cost⏎*{n}{n} kWh→0.{n}p→{cur}{amt}⏎Standing charge {n} days→{amt}
*{date}→{job}→{amt}
!Product code→Description→Quantity→Price each→VAT rate→Net⏎*{id}→{product}→{n}→{amt}→20→{amt}
## en total
Subtotal→{amt}⏎VAT 20%→{amt}⏎Total due {cur}→{amt}
Net total {amt}⏎Sales tax (8.25%) {amt}⏎Shipping {amt}⏎Balance due {cur}{amt}
Total excl. VAT→{amt}⏎Total VAT→{amt}⏎Amount due→{cur}{amt}
TOTAL {cur}{amt}⏎Amount paid 0.00⏎Please pay {cur}{amt} by {date}
Goods total {amt}⏎Discount {n}% -{amt}⏎GST {amt}⏎Invoice total {cur} {amt}
Amount to pay→{cur}{amt}
## en foot
Please remit by {date}. Make check out to {company}.
Kindly settle within two weeks.
Please make payment by bank transfer to {company}⏎IBAN {iban}⏎BIC {bic}⏎Payment is due within 30 days.
Thank you for your business!⏎Make all cheques payable to {company}
Sort code 20-{n}-{n} Account no {num}⏎Late payments are charged interest at 8% above base rate.
Remittance advice: please return this slip with your payment. Reference {id}
If you have any questions concerning this invoice, contact {person}, {phone}, {email}
Company registered in England No {num}. VAT number {vat}. Payment terms 14 days net.
Reverse charge: customer to account for VAT. Bank: {iban}
## de head
!Privatliquidation⏎Dr. {last}⏎Patient: {person}⏎Behandlung vom {date} bis {date}
{company}⏎{street}⏎{town}⏎!RECHNUNG⏎Rechnungsnummer {id}
{company} | {street} | {town}⏎{person}⏎{street}⏎{town}⏎!Rechnung Nr. {id}
!Schlussrechnung⏎{company} GmbH⏎Steuernummer {num}
{company}⏎!Ihre Stromrechnung⏎Kundennummer {num}
!Honorarrechnung {id}⏎{person}, {job}⏎{street}, {town}
!Gutschrift⏎{company} zu Rechnung {id}
## de meta
Rechnungsdatum: {date}⏎Kunden-Nr.: {num}⏎Leistungszeitraum: {month} {year}
Datum→{date}⏎Kundennummer→{num}⏎Lieferdatum→{date}⏎Ihre Bestellung→{id}
Rechnungsempfänger: {person}, {street}, {town}⏎Re.-Nr. {id} vom {date}
## de rows
!Pos.→Bezeichnung→Menge→Einzelpreis→Gesamt⏎*{n}→{product}→{n} Stk.→{amt}→{amt} €
!Leistung→Stunden→Satz→Betrag⏎*{job}→{n},5→{amt}→{amt}
*{n} x {product}→à {amt}→{amt} EUR
## de total
Nettobetrag→{amt} €⏎zzgl. 19% MwSt.→{amt} €⏎Rechnungsbetrag→{amt} €
Summe netto {amt}⏎USt 19 % {amt}⏎Gesamtbetrag {amt} EUR
Zwischensumme {amt}⏎Umsatzsteuer {amt}⏎Zu zahlen bis {date}: {amt} €
## de foot
Wir bitten um Begleichung innerhalb von 30 Tagen auf das genannte Konto.
Den Betrag buchen wir am {date} von Ihrem Konto ab.
Bitte überweisen Sie den Betrag innerhalb von 14 Tagen ohne Abzug auf unser Konto.⏎IBAN {iban} BIC {bic}
Zahlbar bis {date}. USt-IdNr. {vat} Handelsregister {town} HRB {num} Geschäftsführer {person}
Vielen Dank für Ihren Auftrag. Bankverbindung: {iban}. Verwendungszweck {id}
## fr head
{company}⏎{street}⏎{town}⏎SIRET {num}⏎!FACTURE N° {id}
!Facture⏎{company}⏎{street} {town}
{company} SARL⏎!FACTURE PROFORMA⏎Devis n° {id}
!Note d'honoraires⏎{person}, {job}⏎{street}, {town}
{company}⏎!Votre facture du {date}⏎Référence client {num}
## fr meta
Date : {date}⏎Client : {person}⏎Adresse de facturation : {street}, {town}
Facturé à⏎{company}⏎{street}⏎{town}⏎Date de facture→{date}⏎Échéance→{date}
N° de client {num}⏎Numéro de facture {id}⏎Commande n° {num} du {date}
## fr rows
!Désignation→Quantité→Prix unitaire HT→Montant HT⏎*{product}→{n}→{amt}→{amt}
!Description→Qté→P.U.→TVA→Total⏎*{product}→{n}→{amt}→20%→{amt} €
*{job}→{n} h→{amt} €→{amt} €
## fr total
Total HT→{amt} €⏎TVA 20%→{amt} €⏎Total TTC→{amt} €
Montant HT {amt}⏎Montant TVA {amt}⏎Net à payer {amt} EUR
Sous-total {amt} €⏎Frais de port {amt} €⏎À payer avant le {date} : {amt} €
## fr foot
Règlement à 30 jours par virement. IBAN {iban} BIC {bic}⏎Pénalités de retard : 3 fois le taux légal. Indemnité forfaitaire de recouvrement 40 €.
TVA intracommunautaire {vat}. Conditions de règlement : à réception.
Merci de votre confiance. Paiement par chèque à l'ordre de {company}.
## es head
{company}⏎CIF {vat}⏎{street}⏎{town}⏎!FACTURA {id}
!FACTURA⏎Nº {id}⏎Fecha: {date}⏎{company}
{company}, S.L.⏎!Factura simplificada⏎{town}
{company}⏎!Factura de electricidad⏎Nº de contrato {num}⏎Periodo {date} - {date}
## es meta
Cliente: {person}⏎NIF {vat}⏎{street}, {town}⏎Fecha de factura: {date}
Datos del cliente⏎{company}⏎{street}⏎Número de factura→{id}⏎Fecha de vencimiento→{date}
Nº factura {id}⏎Fecha de emisión {date}⏎Facturar a {person}
## es rows
!Concepto→Cantidad→Precio unitario→Importe⏎*{product}→{n}→{amt}→{amt} €
!Descripción→Uds.→Precio→Total⏎*{product}→{n}→{amt}→{amt}
*{job}→{n} horas→{amt} €→{amt} €
## es total
Base imponible→{amt} €⏎IVA 21%→{amt} €⏎Total factura→{amt} €
Subtotal {amt}⏎Cuota IVA {amt}⏎Importe total a pagar {amt} EUR
## es foot
Forma de pago: transferencia bancaria a {iban}. Vencimiento a 30 días.
Condiciones de pago: contado. Inscrita en el Registro Mercantil de {town}, tomo {num}.
## it head
{company} S.r.l.⏎P.IVA {vat}⏎{street}⏎{town}⏎!FATTURA N. {id}
!Fattura⏎numero {id} del {date}⏎{company}
!Parcella⏎{person}, {job}⏎C.F. {id}
## it meta
Spett.le⏎{company}⏎{street}⏎{town}⏎Data fattura: {date}⏎Scadenza: {date}
Intestata a: {person}, {street}, {town}⏎Codice SDI {id}⏎Modalità di pagamento: bonifico
## it rows
!Descrizione→Quantità→Prezzo unitario→Importo⏎*{product}→{n}→{amt}→{amt}
*{product}→n. {n}→€ {amt}→IVA 22%→€ {amt}
## it total
Imponibile→{amt}⏎IVA 22%→{amt}⏎Totale fattura→€ {amt}
Totale imponibile {amt} €⏎Imposta {amt} €⏎Totale da pagare {amt} €
## it foot
Coordinate bancarie: IBAN {iban}. Pagamento entro 30 giorni data fattura.
Operazione soggetta a scissione dei pagamenti. REA {num}. Contributo CONAI assolto.
## nl head
{company} B.V.⏎{street}⏎{town}⏎KvK {num}⏎!FACTUUR
!Factuur {id}⏎{company}⏎BTW-nummer {vat}
## nl meta
Factuurnummer: {id}⏎Factuurdatum: {date}⏎Vervaldatum: {date}⏎Klantnummer: {num}
Aan: {person}⏎{street}⏎{town}⏎Factuurnr. {id}⏎Uw referentie {num}
## nl rows
!Omschrijving→Aantal→Prijs→Bedrag⏎*{product}→{n}→€ {amt}→€ {amt}
*{n}x {product}→{amt}→21%→{amt}
## nl total
Subtotaal→€ {amt}⏎21% btw→€ {amt}⏎Totaal→€ {amt}
Totaal excl. btw {amt}⏎BTW bedrag {amt}⏎Te betalen {amt}
## nl foot
Gelieve het bedrag binnen 14 dagen over te maken op {iban} t.n.v. {company} o.v.v. het factuurnummer.
Betaaltermijn 30 dagen. Op al onze diensten zijn de algemene voorwaarden van toepassing.
## pt head
{company}, Lda.⏎NIF {num}⏎{street}⏎{town}⏎!FATURA N.º {id}
!Nota Fiscal de Serviços⏎{company}⏎CNPJ {num}
!Fatura/Recibo {id}⏎{company}
## pt meta
Data da fatura: {date}⏎Cliente: {person}⏎Contribuinte: {num}⏎Data de vencimento: {date}
Faturado a⏎{company}⏎{street}⏎{town}⏎Data de emissão {date}
## pt rows
!Descrição→Quantidade→Preço unitário→Valor⏎*{product}→{n}→{amt}→{amt}
*{id}→{product}→{n} UN→{amt}→23%→{amt}
## pt total
Total ilíquido→{amt}⏎IVA 23%→{amt}⏎Total a pagar→{amt} €
Subtotal {amt}⏎Valor líquido {amt}⏎Valor total R$ {amt}
## pt foot
Condições de pagamento: 30 dias. IBAN {iban}. Processado por programa certificado n.º {num}/AT
Pagamento por transferência bancária. Obrigado pela preferência.
`;
