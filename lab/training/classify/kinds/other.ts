/** See ../grammar.ts for the format: here, each section is a separate kind of text. */
export const other = `
## en recipe
!{food} with {food}⏎Serves {n}⏎Ingredients⏎{n}00 g {food}⏎{n} tbsp {food}⏎{n} cloves of garlic⏎Method⏎1. Preheat the oven to 1{n}0 °C.⏎2. Chop the {food} and fry until golden.⏎3. Serve with {food}.
!Grandma's {food}⏎You need {food}, {food} and a pinch of salt. Boil the {food} for {n} minutes, then stir in the {food} and leave to cool overnight.
Prep time: {n}{n} min Cook time: {n}{n} min⏎Cream the butter and sugar, fold in the flour, bake for {n}{n} minutes and dust with icing sugar.
## en news
!{topic} shakes {town}⏎By {person}⏎{town} - {story} {story} "{story}" said {person}, a spokesman for {company}. {story}
!Fire destroys warehouse in {town}⏎{date}⏎{story} Police said nobody was hurt. {story} {story}
{TOWN} (Reuters) – {company} shares fell {n}% on {weekday} after {topic}. {story} {story} Analysts said {story}
!Weather: rain from the west⏎{story} Temperatures will reach {n}{n} degrees by the weekend. {story}
!Local team wins cup⏎{story} {last} scored twice in the second half. {story}
## en novel
{story} {story}⏎{story} "{story}"⏎{story} {story}⏎{story}
I remember {town} in {month}. {story} {story} My father, a {job}, used to say that {line}. {story}
!Chapter {n}⏎{story} "{story}" said {first}. {story} {story} {first} looked out of the window and said nothing. {story}
{story} {story} He had never been to {town} before. "{story}" she whispered. {story} {story} {story}
Once upon a time in {town} there lived a {job} called {first}. {story} {story} {story}
It was a cold morning in {month}. {first} walked along the river, thinking of {topic}. {story} {story}
## en poem
{line}⏎{line}⏎{line}⏎{line}⏎⏎{line}⏎{line}⏎{line}⏎{line}
!Song of the {food}⏎{line},⏎{line};⏎{line},⏎{line}.
## en manual
!{product}⏎User Manual⏎Safety instructions⏎WARNING: do not immerse in water.⏎1. Press the power button for {n} seconds.⏎2. Turn the dial to {n}.⏎Troubleshooting⏎The lamp does not light: check the plug.
Installation guide for {product}⏎Remove the packaging. Insert the batteries as shown (fig. {n}). Do not use near heat. Clean with a dry cloth.
!Technical data⏎Weight→{n}.{n} kg⏎Voltage→230 V⏎Power→{n}00 W⏎Dimensions→{n}{n} x {n}{n} cm
!Package leaflet⏎What {word} is and what it is used for⏎Do not take {word} if you are allergic. Possible side effects: headache, nausea. Keep out of the reach of children.
## en minutes
!Minutes of the meeting of {date}⏎Present: {person}, {person}, {person}⏎Apologies: {person}⏎1. Minutes of the last meeting were approved.⏎2. {topic}: {biz}⏎Action: {first} to report by {date}.⏎The meeting closed at {time}.
!Parish council⏎Attendees {person}, {person}⏎Motion to approve {topic}, seconded by {last}. Carried.⏎Adjourned at {time}.
## en trade
!PURCHASE ORDER⏎PO number {id}⏎Vendor: {company}⏎Deliver to: {company}, {street}⏎{product}→{n}→{amt}→{amt}⏎Order total {amt}⏎Authorised by {person}
!QUOTATION⏎{company}⏎Quote no. {id} valid until {date}⏎{product}→{n}→{amt}⏎We are pleased to quote as above.
!DELIVERY NOTE⏎{company}⏎Delivery no. {id}⏎{product}→{n} pcs⏎{product}→{n} pcs⏎Goods received in good order
!PAYSLIP⏎Employee {person} No. {num}⏎Basic pay→{amt}⏎Tax→{amt}⏎National insurance→{amt}⏎Net pay→{amt}
!Price list {year}⏎{product}→{amt}⏎{product}→{amt}⏎{product}→{amt}⏎{product}→{amt}
## en list
!Fruit⏎{food}⏎{food}⏎{food}⏎{food}
{food}⏎{food}⏎{food}⏎{food}⏎{food}
{word}⏎{word}⏎{word}⏎{word}⏎{word}⏎{word}
!Line {n} timetable⏎{town}→7.02→7.22→7.42⏎{town}→7.09→7.29→7.49⏎{town}→7.15→7.35→7.55
!Opening hours⏎Monday→9.00-17.00⏎Tuesday→9.00-17.00⏎Saturday→10.00-14.00
!Results⏎1.→{person}→{time}.{n}⏎2.→{person}→{time}.{n}⏎3.→{person}→{time}.{n}
!Shopping list⏎{food}⏎{food}⏎{food}⏎{food}⏎{food}
!To do⏎- call {first}⏎- buy {food}⏎- fix the {product}
!Packing list for the holiday⏎passport, tickets, {product}, {product}, sun cream
!MENU⏎Starters⏎{food} soup→{n}.50⏎Mains⏎{food} with {food}→1{n}.00⏎Desserts⏎{food}→{n}.00
!Bus timetable⏎{town}→{time}→{time}→{time}⏎{town}→{time}→{time}→{time}⏎{town}→{time}→{time}→{time}
{word}→{word}→{word}⏎{num}→{num}→{num}⏎{num}→{num}→{num}⏎{num}→{num}→{num}
id,name,city,amount⏎{num},{person},{town},{amt}⏎{num},{person},{town},{amt}⏎{num},{person},{town},{amt}
{product}⏎{product}⏎{product}⏎{product}⏎{product}⏎{product}
{person}→{phone}⏎{person}→{phone}⏎{person}→{phone}⏎{person}→{phone}
!Glossary⏎{word}: {line}.⏎{word}: {line}.⏎{word}: {line}.
## en wiki
{town} is a town in the north of {STATE}. It has {num} inhabitants and lies on a river. {story} History⏎{story} {story} See also⏎{topic}
{topic} is a term used in {subject}. {prose} {prose}⏎External links⏎{url}
{word} (born {date}) is a {job} and writer. {story} {story}
{subject}⏎From the encyclopedia⏎{prose} {prose}
## en web
!Frequently asked questions⏎How do I {topic}?⏎{prose}⏎Can I change it later?⏎{prose}
!{company}: the best {product} in {town}⏎Buy now! {n}{n}% off all {product}. {prose} Only until {date}!
Home | Products | About | Contact⏎{prose}⏎© {year} {company}. All rights reserved. Cookies
!Press release⏎For immediate release⏎{company} today announced {topic}. {prose} About {company}: {prose}
{prose} {prose} {prose}
{prose}
{story} {story} {story} {story}
!How to grow {food}⏎{prose} Water daily and keep out of the sun. {prose}
Five tips for {topic}⏎1. {prose}⏎2. {prose}⏎3. {prose}
## en paper
!CERTIFICATE OF ACHIEVEMENT⏎This is to certify that⏎{person}⏎has completed {topic}⏎{date}
BOARDING PASS⏎{PERSON}⏎{town} → {town}⏎Flight {id}→Gate {n}→Seat {n}A⏎Boarding {time}
!CONCERT⏎{person} plays {word}⏎{weekday}, {date}, {time}⏎Admission {cur}{n}⏎{street}, {town}
!You are invited⏎to the wedding of⏎{first} and {first}⏎{date}⏎{town}
{company}⏎{person}⏎{job}⏎{phone}⏎{email}⏎{url}
!Exam⏎Question 1. Explain {topic}. (10 marks)⏎Question 2. Compute {num} x {n}. (5 marks)
!Lesson plan⏎Class {n}⏎Topic: {subject}⏎Homework: {topic}
Prescription⏎Rx {word} {n}00 mg⏎One tablet twice a day for {n} days⏎Dr {person}
!NOTICE⏎The lift is out of order until {date}. We apologise for the inconvenience.
{n}{n}:{n}{n} ERROR {word}.{word}: connection refused⏎{n}{n}:{n}{n} INFO {word} started⏎{n}{n}:{n}{n} WARN retrying {num}
function {word}({word}) {⏎  const {word} = {num};⏎  return {word} + {n};⏎}
import {word}⏎def {word}(self, {word}):⏎    if {word} is None:⏎        raise ValueError("{line}")⏎    return {word}
SELECT {word}, {word} FROM {word} WHERE {word} = {num};
# {word}⏎npm install {word}⏎## Usage⏎{prose}⏎## License⏎MIT
{word} {word} {word} {word} {word} {word}
{prose} {line}⏎{num} {num}
{story}
{line}
## en tiny
{word}
{line}
{line}⏎{line}
{product}⏎{product}⏎{n}
{first}
{topic}
{n} {word} {n}
{biz}
{biz} {biz} {biz}
{word}→{word}⏎{n}→{n}
{word} {n}⏎{word} {n}⏎{word} {n}
Test {n}⏎{line}
{food}⏎{food}⏎{food}⏎{food}⏎{food}⏎{food}⏎{food}
## de texts
!Montageanleitung⏎1. Die Beine mit den Schrauben befestigen.⏎2. Die Muttern anziehen.⏎3. {product} aufstellen. Nur mit feuchtem Tuch reinigen.
{town} ist eine Stadt mit {num} Einwohnern. {story} Geschichte⏎{story} Siehe auch⏎{topic}
!{food} mit {food}⏎Zutaten für {n} Personen⏎{n}00 g {food}, {n} EL Öl⏎Zubereitung: Den Backofen auf 1{n}0 Grad vorheizen und alles {n}{n} Minuten backen.
!Bedienungsanleitung {product}⏎Sicherheitshinweise⏎Drücken Sie die Taste {n} Sekunden lang. Nicht in Wasser tauchen.
!Protokoll der Sitzung vom {date}⏎Anwesend: {person}, {person}⏎TOP 1: {topic}⏎{biz}
{town} (dpa) – {story} {story} Das teilte die Polizei am {weekday} mit. {story}
{story} "{story}", sagte {first}. {story} {story}
!Angebot Nr. {id}⏎{product}→{n}→{amt}⏎gültig bis {date}
!Lieferschein {id}⏎{product}→{n} Stück
!Gehaltsabrechnung {month} {year}⏎Bruttolohn→{amt}⏎Lohnsteuer→{amt}⏎Auszahlungsbetrag→{amt}
!Speisekarte⏎Vorspeisen⏎{food}→{n},50⏎Hauptgerichte⏎{food}→1{n},00
{story} {story} {story}
!Pressemitteilung⏎{company} stellt {topic} vor. {story}
## fr texts
!{food} aux {food}⏎Ingrédients⏎{n}00 g de {food}, {n} cuillères d'huile⏎Préparation⏎Faire cuire {n}{n} minutes au four.
!Mode d'emploi {product}⏎Consignes de sécurité⏎Appuyez sur le bouton pendant {n} secondes.
!Procès-verbal de l'assemblée du {date}⏎Présents : {person}, {person}⏎{topic} : {biz}
{story} « {story} », a déclaré {person}. {story}
{story} {story} {story}
!DEVIS n° {id}⏎{product}→{n}→{amt}⏎Valable jusqu'au {date}
!Bulletin de paie⏎{person}⏎Salaire brut→{amt}⏎Net à payer→{amt}
!Chapitre {n}⏎{story} {story}
!MENU⏎Entrées⏎{food}⏎Plats⏎{food}⏎Desserts⏎{food}
## es texts
!{food} con {food}⏎Ingredientes⏎{n}00 g de {food}⏎Preparación⏎Cocer {n}{n} minutos y servir.
!Manual de instrucciones⏎{product}⏎Pulse el botón {n} segundos. Advertencia: no sumergir.
!Acta de la reunión de {date}⏎Asistentes: {person}, {person}⏎{biz}
{town} (EFE).- {story} {story}
{story} —{story} —dijo {first}. {story}
!PRESUPUESTO {id}⏎{product}→{amt}⏎Válido 30 días
!Nómina {month} {year}⏎Salario base→{amt}⏎Líquido a percibir→{amt}
## it texts
!{food} con {food}⏎Ingredienti⏎{n}00 g di {food}⏎Preparazione⏎Cuocere per {n}{n} minuti.
!Manuale d'uso⏎{product}⏎Premere il pulsante per {n} secondi.
!Verbale della riunione del {date}⏎Presenti: {person}, {person}⏎{biz}
{town} (ANSA) - {story} {story}
{story} «{story}» disse {first}. {story}
!PREVENTIVO n. {id}⏎{product}→{amt}
!Busta paga {month}⏎Retribuzione→{amt}⏎Netto→{amt}
## nl texts
!{food} met {food}⏎Ingrediënten⏎{n}00 g {food}⏎Bereiding⏎Bak {n}{n} minuten in de oven.
!Gebruiksaanwijzing {product}⏎Druk {n} seconden op de knop.
!Notulen van {date}⏎Aanwezig: {person}, {person}⏎{biz}
{story} {story} {story}
!Offerte {id}⏎{product}→{amt}⏎Geldig tot {date}
!Loonstrook {month}⏎Brutoloon→{amt}⏎Nettoloon→{amt}
## pt texts
!{food} com {food}⏎Ingredientes⏎{n}00 g de {food}⏎Modo de preparo⏎Leve ao forno por {n}{n} minutos.
!Manual do utilizador⏎{product}⏎Prima o botão {n} segundos.
!Ata da reunião de {date}⏎Presentes: {person}, {person}⏎{biz}
{story} {story} {story}
!Orçamento {id}⏎{product}→{amt}
!Recibo de vencimento⏎{month} {year}⏎Vencimento base→{amt}⏎Líquido→{amt}
`;
