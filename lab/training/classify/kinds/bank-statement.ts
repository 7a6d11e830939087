/** See ../grammar.ts for the format. */
export const bankStatement = `
## en head
{company} Bank⏎!Statement of account⏎{person}⏎{street}⏎{town}
!BANK STATEMENT⏎{company} Bank plc⏎Sort code 40-{n}-{n} Account number {num}
{company} Credit Union⏎!Account Statement⏎Statement period {date} - {date}
!Your current account statement⏎Account name {person}⏎IBAN {iban}
!Credit Card Statement⏎{company} Bank⏎Card ending {pin}⏎Credit limit {cur}{amt}
!CHECKING ACCOUNT⏎Member FDIC⏎Account {num}⏎{person}
{company} Savings⏎!Transaction history⏎Account: {iban}⏎From {date} to {date}
Page {n} of {n}⏎{company} Bank⏎Account activity continued
## en summary
Opening balance→{amt}⏎Money in→{amt}⏎Money out→{amt}⏎Closing balance→{amt}
Beginning balance {cur}{amt}⏎Deposits and additions {amt}⏎Withdrawals {amt}⏎Ending balance {cur}{amt}
Previous balance {amt}⏎Payments {amt}⏎Purchases {amt}⏎Interest charged {amt}⏎New balance {amt}⏎Minimum payment {amt}
Balance brought forward→{amt}
Statement date {date}⏎Statement number {n}⏎Overdraft limit {amt}
## en rows
!Date→Description→Paid out→Paid in→Balance⏎*{date}→{mover}→{amt}→{amt}
!Date→Details→Debit→Credit→Balance⏎*{date}→DD {company}→{amt}→→{amt}
*{date}→{mover}→-{amt}→{amt}
!Posting date→Transaction→Amount→Running balance⏎*{date}→CARD PURCHASE {company}→{amt}→{amt}
*{date} {date} {mover} {company} {town} {amt}
!Trans date→Value date→Particulars→Withdrawal→Deposit⏎*{date}→{date}→{mover} {num}→{amt}→
## en foot
Balance carried forward→{amt}
Closing balance on {date} {cur}{amt}
Your deposit is eligible for protection under the deposit guarantee scheme.
In case of errors or questions about your electronic transfers telephone us at {phone}.
Interest rate 0.{n}% AER. Total fees charged this period {amt}
End of statement
## de head
{company} Bank⏎!Kontoauszug Nr. {n} / {year}⏎Kontoinhaber {person}⏎IBAN {iban}
!KONTOAUSZUG⏎Sparkasse {town}⏎Konto {num} BLZ {num}
!Kreditkartenabrechnung⏎{company} Bank⏎Karte {pin}⏎Abrechnungszeitraum {date} - {date}
!Umsatzübersicht⏎{person}⏎{iban}
## de summary
Alter Kontostand vom {date}→{amt} H⏎Neuer Kontostand→{amt} H
Anfangssaldo {amt} EUR⏎Endsaldo {amt} EUR⏎Summe Lastschriften {amt}
## de rows
!Buchung→Wert→Verwendungszweck→Betrag⏎*{date}→{date}→{mover} {company}→{amt}-
!Datum→Erläuterung→Soll→Haben⏎*{date}→{mover} {person}→{amt}→
*{date} {mover} {company} SVWZ+{id} {amt} S
## de foot
Neuer Saldo {amt} EUR⏎Dispositionskredit {amt}
Bitte prüfen Sie diesen Auszug. Einwendungen gegen Rechnungsabschlüsse binnen sechs Wochen. Einlagensicherung
## fr head
{company} Banque⏎!RELEVÉ DE COMPTE⏎{person}⏎RIB {num} {iban}
!Relevé de vos comptes⏎au {date}⏎Compte de dépôt n° {num}
!Extrait de compte⏎{company}⏎du {date} au {date}
## fr summary
Ancien solde au {date}→{amt}⏎Nouveau solde créditeur→{amt}
Solde précédent {amt}⏎Total des débits {amt}⏎Total des crédits {amt}
## fr rows
!Date→Libellé→Valeur→Débit→Crédit⏎*{date}→{mover} {company}→{date}→{amt}
*{date} {mover} {person} {date} {amt}
!Date opération→Nature de l'opération→Débit euros→Crédit euros⏎*{date}→{mover}→{amt}→
## fr foot
Solde au {date} : {amt} €⏎Autorisation de découvert {amt}
Fonds de garantie des dépôts. Médiateur de la banque. Sauf erreur ou omission.
## es head
Banco {company}⏎!EXTRACTO DE CUENTA⏎Titular: {person}⏎IBAN {iban}
!Movimientos de la cuenta⏎{company}⏎Desde {date} hasta {date}
!Estado de cuenta⏎{company} Banco⏎Cliente {person} Cuenta {num}
## es summary
Saldo anterior→{amt}⏎Saldo actual→{amt}
Saldo inicial {amt}⏎Total abonos {amt}⏎Total cargos {amt}⏎Saldo final {amt}
## es rows
!Fecha operación→Concepto→Fecha valor→Importe→Saldo⏎*{date}→{mover} {company}→{date}→-{amt}→{amt}
!Fecha→Descripción→Debe→Haben→Saldo⏎*{date}→{mover}→{amt}→→{amt}
*{date} {mover} {person} {amt} {amt}
## es foot
Saldo a su favor {amt} EUR. Fondo de garantía de depósitos.
Saldo disponible {amt}
## it head
Banca {company}⏎!ESTRATTO CONTO⏎Intestatario {person}⏎IBAN {iban}
!Lista movimenti⏎Conto corrente n. {num}⏎dal {date} al {date}
## it summary
Saldo iniziale→{amt}⏎Totale entrate→{amt}⏎Totale uscite→{amt}⏎Saldo finale→{amt}
Saldo contabile {amt} €⏎Saldo disponibile {amt} €
## it rows
!Data→Valuta→Descrizione→Dare→Avere⏎*{date}→{date}→{mover} {company}→{amt}→
!Data contabile→Causale→Addebiti→Accrediti⏎*{date}→{mover}→{amt}→
*{date} {date} {mover} {person} -{amt}
## it foot
Saldo al {date} {amt}⏎Imposta di bollo {amt}
Competenze di liquidazione {amt}. Reclami: Arbitro Bancario Finanziario.
## nl head
{company} Bank⏎!REKENINGAFSCHRIFT⏎Rekeninghouder {person}⏎{iban}
!Bij en af⏎Betaalrekening {iban}⏎{date} t/m {date}
## nl summary
Beginsaldo→{amt}⏎Totaal bij→{amt}⏎Totaal af→{amt}⏎Eindsaldo→{amt}
Vorig saldo {amt} credit⏎Nieuw saldo {amt} credit
## nl rows
!Datum→Omschrijving→Bedrag af→Bedrag bij⏎*{date}→{mover} {company}→{amt}→
*{date} {date} {mover} {person} {amt} af
## nl foot
Eindsaldo op {date} € {amt}. Dit product valt onder het depositogarantiestelsel.
Volgnummer {n} Blad {n} van {n}
## pt head
Banco {company}⏎!EXTRATO DE CONTA⏎Titular {person}⏎IBAN {iban}
!Extrato combinado⏎{date} a {date}⏎Conta n.º {num}
!Extrato bancário⏎Agência {n}{n} Conta corrente {num}
## pt summary
Saldo inicial→{amt}⏎Saldo final→{amt}
Saldo anterior {amt}⏎Total de débitos {amt}⏎Total de créditos {amt}
## pt rows
!Data mov.→Data valor→Descritivo→Débito→Crédito→Saldo⏎*{date}→{date}→{mover} {company}→{amt}→→{amt}
!Data→Histórico→Valor→Saldo⏎*{date}→{mover} {person}→-{amt}→{amt}
## pt foot
Saldo disponível {amt}. Fundo de Garantia de Depósitos.
Saldo contabilístico em {date} {amt}
`;
