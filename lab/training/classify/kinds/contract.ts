/** See ../grammar.ts for the format. */
export const contract = `
## en head
{company} and {person} agree as follows on {date}:
!House rules and rental conditions⏎{company}⏎The flat is let to {person} for {n} months.
!Website terms of use⏎By using {url} you accept these terms.
!Heads of terms⏎{company} / {company}
This deed is made on {date} between {person} and {company}.
!SERVICES AGREEMENT⏎This Agreement is entered into on {date} by and between {company} ("Provider") and {company} ("Client").
!LEASE AGREEMENT⏎This lease is made between {person}, of {street}, {town} (hereinafter the Landlord) and {person} (the Tenant).
!MUTUAL NON-DISCLOSURE AGREEMENT⏎Effective Date: {date}⏎Parties: {company} and {company}
!EMPLOYMENT CONTRACT⏎between {company} (the Employer) and {person} (the Employee)⏎Position: {job}⏎Commencement date: {date}
!Terms and Conditions of {company}⏎Last updated {date}⏎Please read these terms carefully before using our services.
!LOAN AGREEMENT⏎Dated {date}⏎Lender: {person}⏎Borrower: {person}⏎Principal amount: {cur}{amt}
!Contract for the sale of goods No. {id}⏎Seller: {company}⏎Buyer: {company}
DATED {date}⏎{company}⏎and⏎{company}⏎!DEED OF PARTNERSHIP
!SOFTWARE LICENSE AGREEMENT⏎{company} grants {company} a licence on the terms below.
!AMENDMENT No. {n}⏎to the agreement dated {date} between {company} and {company}
## en recitals
WHEREAS the Client wishes to engage the Provider; and WHEREAS the Provider agrees to perform the services;⏎NOW, THEREFORE, the parties agree as follows:
In consideration of the mutual covenants herein contained, the parties hereto agree:
Background⏎(A) The Company carries on the business of {topic}.⏎(B) The Supplier has agreed to provide goods on these terms.
The Landlord hereby lets and the Tenant takes the property at {street}, {town}.
The following words have these meanings: "Services" means {topic}; "Fee" means the sum in Schedule 1.
## en clauses
#We give you a personal, non-transferable right to use the app. You must not reverse engineer it.
#To the fullest extent permitted by law we disclaim all warranties.
#One month's notice is required on either side.
#The premises shall be used for {topic} only and for no other purpose.
#The price is fixed at {cur}{amt}, paid on signing.
#Keys are to be handed back at the end of the term.
#Any dispute shall be referred to a single arbitrator sitting in {town}.
#This arrangement is not renewed unless both sides say so in writing.
#The processor shall notify the controller without undue delay of any personal data breach.
#The Employee may not take other paid work without consent. The first six months are a probationary period.
#The contractor supplies all tools and is insured against {topic}.
#Liability is capped at the charges paid in the preceding twelve months.
#Term. This Agreement begins on {date} and continues for {n}{n} months unless terminated earlier.
#Payment. The Client shall pay {cur}{amt} within 30 days of receipt of an invoice.
#Confidentiality. Neither party shall disclose Confidential Information to any third party without prior written consent.
#Termination. Either party may terminate this Agreement by giving {n}{n} days' written notice.
#Governing Law. This Agreement shall be governed by and construed in accordance with the laws of {town}.
#Limitation of Liability. In no event shall either party be liable for indirect or consequential damages.
#Entire Agreement. This document constitutes the entire agreement and supersedes all prior understandings.
#The Tenant shall pay a security deposit of {cur}{amt} and keep the premises in good repair.
#Rent is payable monthly in advance on the first day of each month.
#The Employee shall be entitled to {n}{n} days of paid holiday in each calendar year.
#Hours of work are from 9.00 to 17.30, Monday to Friday, with an hour for lunch.
#Indemnity. The Supplier shall indemnify and hold harmless the Customer against all losses arising from breach.
#Force majeure. Neither party is responsible for delay caused by events beyond its reasonable control.
#If any provision is held invalid the remaining provisions shall remain in full force.
#Title to the goods passes to the Buyer upon payment of the price in full.
#We may suspend your account if you do not comply with these terms.
#The Licensee may not sublicense, copy, decompile or modify the Software.
#Notices must be in writing and delivered by hand or recorded post to the address above.
#The Borrower agrees to repay the principal together with interest at {n}% per annum in {n}{n} instalments.
#Assignment. No party may assign its rights or obligations without the consent of the other.
## en close
IN WITNESS WHEREOF the parties have executed this Agreement as of the date first above written.⏎____________→____________⏎{person}→{person}
Signed for and on behalf of {company}⏎Name: {person}⏎Title: {job}⏎Date: {date}
Signature of Landlord ______________ Date ________⏎Signature of Tenant ______________ Date ________
SIGNED by {person} in the presence of:⏎Witness signature:⏎Witness name: {person}
By: ______________→By: ______________⏎Name:→Name:⏎Title:→Title:
## de head
!DIENSTLEISTUNGSVERTRAG⏎zwischen {company} - nachfolgend Auftraggeber -⏎und {company} - nachfolgend Auftragnehmer -
!Mietvertrag über Wohnraum⏎Vermieter: {person}, {street}, {town}⏎Mieter: {person}
!ARBEITSVERTRAG⏎Zwischen der Firma {company} und Herrn/Frau {person} wird folgendes vereinbart:
!Kaufvertrag⏎Verkäufer {person}⏎Käufer {person}
!Allgemeine Geschäftsbedingungen der {company}⏎Stand {month} {year}
## de clauses
§§Urlaub⏎Der Urlaubsanspruch beträgt {n}{n} Arbeitstage im Kalenderjahr.
§§Probezeit⏎Die ersten sechs Monate gelten als Probezeit.
§§Nebentätigkeit⏎Eine Nebenbeschäftigung bedarf der vorherigen Zustimmung des Arbeitgebers.
§§Mietzins⏎Die Miete von {amt} Euro ist im Voraus zu entrichten. Die Nebenkosten trägt der Mieter.
#Mündliche Nebenabreden bestehen nicht.
§§Vertragsgegenstand⏎Der Auftragnehmer verpflichtet sich, für den Auftraggeber {topic} zu erbringen.
§§Vergütung⏎Die monatliche Miete beträgt {amt} EUR und ist bis zum dritten Werktag zu zahlen.
§§Kündigung⏎Der Vertrag kann mit einer Frist von drei Monaten zum Monatsende gekündigt werden.
§§Schlussbestimmungen⏎Änderungen bedürfen der Schriftform. Sollte eine Bestimmung unwirksam sein, bleiben die übrigen unberührt.
§§Geheimhaltung⏎Die Parteien verpflichten sich, über vertrauliche Informationen Stillschweigen zu bewahren.
§§Gerichtsstand⏎Es gilt das Recht der Bundesrepublik Deutschland. Gerichtsstand ist {town}.
§§Arbeitszeit⏎Die regelmäßige Arbeitszeit beträgt 40 Stunden wöchentlich. Der Urlaub beträgt 28 Arbeitstage.
§§Haftung⏎Der Verkäufer haftet nicht für Mängel. Die Sache wird verkauft wie besichtigt.
## de close
{town}, den {date}⏎_______________→_______________⏎Auftraggeber→Auftragnehmer
Ort, Datum, Unterschrift Vermieter⏎Ort, Datum, Unterschrift Mieter
## fr head
!CONTRAT DE PRESTATION DE SERVICES⏎Entre les soussignés : {company}, ci-après dénommée le Prestataire, d'une part, et {company}, le Client, d'autre part,
!BAIL D'HABITATION⏎Le bailleur : {person}, demeurant {street}, {town}⏎Le locataire : {person}
!CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE⏎Entre {company} et {person}
!Conditions générales de vente⏎{company}
## fr clauses
#Le preneur rendra les clés à la fin du bail. Un état des lieux est dressé.
#À défaut de paiement le contrat est résolu de plein droit.
¶Objet du contrat⏎Le présent contrat a pour objet {topic}.
¶Durée⏎Le contrat est conclu pour une durée de {n}{n} mois à compter du {date}.
¶Prix⏎Le client s'engage à payer la somme de {amt} euros par mois, à terme échu.
¶Résiliation⏎Chaque partie peut résilier le contrat moyennant un préavis de trois mois par lettre recommandée.
¶Loi applicable⏎Le présent contrat est soumis au droit français. Tout litige relève des tribunaux de {town}.
¶Confidentialité⏎Les parties s'engagent à ne pas divulguer les informations reçues.
¶Obligations du preneur⏎Le locataire est tenu de payer le loyer et d'user paisiblement des locaux loués.
¶Période d'essai⏎Le salarié est soumis à une période d'essai de deux mois renouvelable.
## fr close
Fait à {town}, le {date}, en deux exemplaires originaux.⏎Signature du bailleur→Signature du locataire
Lu et approuvé⏎Le Prestataire→Le Client
## es head
!CONTRATO DE ARRENDAMIENTO DE VIVIENDA⏎En {town}, a {date}⏎REUNIDOS⏎De una parte, {person}, en adelante el ARRENDADOR⏎De otra parte, {person}, en adelante el ARRENDATARIO
!CONTRATO DE PRESTACIÓN DE SERVICIOS⏎Entre {company} y {company}⏎EXPONEN
!ACUERDO DE CONFIDENCIALIDAD⏎{company} y {company}, en adelante las Partes
!Contrato de trabajo indefinido⏎La empresa {company} y el trabajador {person}
## es clauses
#El comprador paga en este acto {amt} euros.
#Los gastos serán de cuenta del comprador.
#En caso de incumplimiento cualquiera de las partes podrá dar por terminado el acuerdo.
¡PRIMERA. Objeto del contrato. El prestador se obliga a {topic}.
¡SEGUNDA. Duración. El plazo será de {n}{n} meses prorrogables.
¡TERCERA. Renta. El arrendatario abonará {amt} euros mensuales dentro de los siete primeros días.
¡CUARTA. Fianza. Se entrega una mensualidad en concepto de fianza.
¡Resolución. Cualquiera de las partes podrá resolver el contrato con un preaviso de treinta días.
¡Las partes se someten a los juzgados y tribunales de {town}, con renuncia a su propio fuero.
¡Legislación aplicable. El presente contrato se rige por la ley española.
¡La información confidencial no será revelada a terceros sin consentimiento escrito.
## es close
Y en prueba de conformidad firman por duplicado en el lugar y fecha indicados.⏎Fdo. {person}→Fdo. {person}
El arrendador→El arrendatario⏎Firma→Firma
## it head
!CONTRATTO DI LOCAZIONE AD USO ABITATIVO⏎Tra {person}, di seguito il locatore, e {person}, di seguito il conduttore
!CONTRATTO DI FORNITURA⏎Tra le parti {company} e {company}⏎PREMESSO CHE
!Scrittura privata⏎Il giorno {date} in {town} {person} e {person}
## it clauses
Art. {n} Il Comune concede un contributo di euro {amt}.
Art. {n} In caso di inadempienza ciascuna parte può recedere con avviso di trenta giorni.
Art. {n} La convenzione ha validità di {n} anni e non si rinnova tacitamente.
¶Oggetto⏎Il presente contratto ha per oggetto {topic}.
¶Durata⏎Il contratto ha durata di anni {n} a decorrere dal {date}.
¶Canone⏎Il canone è convenuto in euro {amt} mensili da versare entro il giorno cinque.
¶Recesso⏎Ciascuna parte può recedere con preavviso di sei mesi a mezzo raccomandata.
¶Foro competente⏎Per ogni controversia è competente il foro di {town}.
¶Riservatezza⏎Le parti si impegnano a non divulgare le informazioni ricevute.
## it close
Letto, confermato e sottoscritto⏎{town}, {date}⏎Il locatore→Il conduttore
Firma ____________→Firma ____________
## nl head
!HUUROVEREENKOMST WOONRUIMTE⏎De ondergetekenden: {person}, hierna te noemen verhuurder, en {person}, hierna te noemen huurder
!OVEREENKOMST VAN OPDRACHT⏎tussen {company} (opdrachtgever) en {company} (opdrachtnemer)
!Arbeidsovereenkomst voor bepaalde tijd⏎Werkgever {company}⏎Werknemer {person}
## nl clauses
#De eerste maand geldt als proeftijd.
#Huurder geeft de sleutels bij het einde van de huur terug.
¶Duur⏎Deze overeenkomst is aangegaan voor de duur van {n}{n} maanden, ingaande op {date}.
¶Vergoeding⏎Opdrachtgever betaalt opdrachtnemer € {amt} per maand.
¶Opzegging⏎Beëindiging geschiedt door opzegging met een opzegtermijn van een maand.
¶Geheimhouding⏎Partijen zullen vertrouwelijke informatie geheim houden.
¶Toepasselijk recht⏎Op deze overeenkomst is Nederlands recht van toepassing. Geschillen worden voorgelegd aan de rechter te {town}.
¶Waarborgsom⏎Huurder betaalt voor de ingangsdatum een waarborgsom van € {amt}.
## nl close
Aldus overeengekomen en in tweevoud ondertekend te {town} op {date}⏎Handtekening→Handtekening
Verhuurder→Huurder
## pt head
!CONTRATO DE ARRENDAMENTO⏎Entre {person}, senhorio, doravante Primeiro Outorgante, e {person}, inquilino, Segundo Outorgante
!CONTRATO DE PRESTAÇÃO DE SERVIÇOS⏎CONTRATANTE: {company}⏎CONTRATADA: {company}
!Termo de confidencialidade⏎{company} e {person}
## pt clauses
#A renda é paga por transferência. O inquilino entrega uma caução.
#Em caso de incumprimento a outra parte pode resolver o contrato.
¡CLÁUSULA PRIMEIRA - DO OBJETO. O presente contrato tem por objeto {topic}.
¡CLÁUSULA SEGUNDA - DO PRAZO. O prazo é de {n}{n} meses, com início em {date}.
¡A renda mensal é de {amt} euros, paga até ao dia oito de cada mês.
¡Qualquer das partes pode rescindir o contrato mediante aviso prévio de 30 dias.
¡Fica eleito o foro da comarca de {town} para dirimir as questões oriundas deste contrato.
¡As partes obrigam-se a manter sigilo sobre as informações.
## pt close
E por estarem de acordo, assinam em duas vias.⏎{town}, {date}⏎Assinatura→Assinatura
O senhorio→O inquilino⏎Testemunhas:
`;
