/**
 * Texts without any name of a person, place or company, by kind: every finding in them is a false
 * positive. Written for the benchmark; they must not be in `training/`.
 */
export const impersonal: Readonly<Record<string, string>> = {
  invoices: `
Pos. Description Qty Unit Unit price Amount
1 Swivel Chair Comfort Plus, black 4 pcs 189.00 756.00
2 Desk Lamp Halo 12 W, dimmable 6 pcs 34.50 207.00
3 Delivery and assembly 1 flat 95.00 95.00
Subtotal 1,058.00
VAT 19 % 201.02
Total amount due 1,259.02
Payment terms: 14 days net, 2 % discount within 7 days.
Reference: RE-2023-00817
Item 40023 Cordless Drill Pro 18V with 2 batteries
Item 40057 Hex Key Set Chrome 9-piece
Item 51210 Rubber Mallet Large
Freight Class 70, Pallet 2 of 3, Gross Weight 418 kg
Credit Note 3341 for Invoice 3198
Hosting Business Package March 2024 – February 2025
Early Payment Discount, Handling Fee, Fuel Surcharge, Restocking Fee
Purchase Order 77120 / Line 4 / Blue Cotton Napkins 40x40 / Box of 250
Opening balance 12,400.00 Closing balance 9,812.55
Amount brought forward 3,210.40
Qty: 12 Colour: Forest Green Size: XL SKU: TSH-0921-GRN
Oak Veneer Panel 2500 x 1250 x 18 mm, Grade A
Stainless Steel Bolt M8 x 40, DIN 933, 200 pieces
Premium Support Plan (annual) 1 x 2,400.00
Toner Cartridge Magenta, yields 3,500 pages
Thank you for your order. Goods remain our property until paid in full.
Bank charges are borne by the customer.
Hours worked: 37.5 Rate: 85.00 Sum: 3,187.50`,
  recipes: `
Creamy Mushroom Risotto
Serves 4 · Prep 15 min · Cook 30 min
Ingredients
300 g Arborio rice
250 g chestnut mushrooms, sliced
1 Onion, finely chopped
2 cloves Garlic
1 litre Vegetable Stock
50 g Parmesan
Salt and Pepper
Heat the Butter in a large pan and fry the Onion until soft.
Stir in the Rice. Add a ladle of Stock and simmer, stirring, until it is absorbed.
Lemon Drizzle Cake
Preheat the oven to 180 °C (Fan 160 °C, Gas Mark 4).
Grease a 23 cm tin. Cream the Butter and Caster Sugar. Fold in Flour, Baking Powder and Lemon Zest.
Bake for 45 minutes. Drizzle with Icing while warm.
Spicy Chickpea Curry with Coconut Milk
Basil, Rosemary, Thyme, Sage, Dill and Mint can be dried or frozen.
Starters: Tomato Soup, Garlic Bread, Prawn Cocktail
Mains: Roast Chicken with Rosemary Potatoes; Grilled Salmon, Dill Sauce; Spinach Ravioli
Desserts: Apple Crumble, Chocolate Mousse, Vanilla Ice Cream, Sorbet of the Day
Allergens: Gluten, Eggs, Milk, Celery, Mustard, Sesame
Calories 420 Fat 18 g Carbs 52 g Protein 12 g
Tip: Ginger and Honey also go well with Carrots.
Cherry tomatoes, Olive oil, Balsamic vinegar, Mozzarella, fresh Basil
Season with Nutmeg, Clove and Cinnamon. Garnish with Parsley.
Pumpkin Pie Spice
Pickled Cucumbers, Red Cabbage, Beetroot Salad`,
  contracts: `
TERMS AND CONDITIONS OF SALE
1. Definitions and Interpretation
In this Agreement, "Business Day" means a day other than a Saturday, Sunday or public holiday, and "Confidential Information" has the meaning given in Clause 9.
The Licensor grants to the Licensee a non-exclusive, non-transferable right to use the Software during the Term.
The Supplier shall indemnify the Customer against all Losses arising from any breach of Clause 4.2.
Force Majeure. Neither Party shall be liable for delay caused by events beyond its reasonable control.
Governing Law and Jurisdiction
Entire Agreement. This Agreement constitutes the entire agreement between the Parties and supersedes all prior understandings.
The Lessee shall return the Vehicle with a full tank on the Return Date.
Severability; Waiver; Counterparts; Notices
Schedule 1 – Services
Schedule 2 – Fees and Payment
Annex C: Data Processing Terms
IN WITNESS WHEREOF the parties have executed this Agreement on the Effective Date.
The Borrower shall repay the Loan together with accrued Interest on the Maturity Date.
Subject to Section 7(b), the Grantor hereby assigns to the Assignee all right, title and interest in the Work.
Any Notice shall be in writing and deemed received on the second Business Day after posting.
The Deposit will be refunded within thirty days of the end of the Tenancy, less any Deductions.
"Affiliate" means any entity that controls, is controlled by, or is under common control with a Party.
LIMITATION OF LIABILITY. IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR INDIRECT OR CONSEQUENTIAL DAMAGES.
The Policyholder must notify the Insurer of any Claim without undue delay.
Termination for Cause
Witness Signature, Printed Name, Title, Date
Bidder, Contracting Authority, Main Contractor and Subcontractor
The Board of Directors may adopt Resolutions by written consent.
Article 12 – Right of Withdrawal
The Executor shall distribute the Estate in accordance with the Will.`,
  manuals: `
Before First Use
Remove the protective film from the Display. Insert two AA Batteries (not included).
Press and hold the Power button for three seconds until the Status LED turns green.
Select Menu > Settings > Network > Wi-Fi and choose your network.
WARNING: Risk of electric shock. Disconnect the Mains Plug before opening the Housing.
Torque the M6 screws to 9 Nm. Do not use Thread Lock on plastic parts.
Figure 4-2: Rear Panel Connections
A Drain Hose B Inlet Valve C Levelling Feet D Transport Bolts
Error E18: Pump blocked. Clean the Filter.
Technical Data: Rated Voltage 230 V, Power Consumption 1,850 W, Noise Level 62 dB(A), Net Weight 7.4 kg
Turn the Selector to Eco, Intensive or Delicate.
Replace the Air Filter every 500 h, the Spark Plug every 1,000 h.
Use only original Spare Parts.
Bluetooth Pairing Mode
Left Channel, Right Channel, Line In, Phono, Aux
Hold the Shutter halfway to focus. Rotate the Mode Dial to Manual.
Operating temperature: -10 to 40 °C. Storage: -20 to 60 °C. Humidity: 10-90 %.
Part No. 3 Bearing, Part No. 4 Washer, Part No. 5 Circlip, Part No. 6 Drive Shaft
If the Red Light flashes twice, check the Cable between Pump and Controller.
Grease the Chain weekly. Adjust the Brake Lever so that there is 2 mm of play.
Emergency Stop, Reset, Jog, Home, Cycle Start
Class B digital device. Protection class IP54.
Software version 3.2.1, Firmware 1.08, Bootloader 2
Never immerse the Base Unit in water.
Dispose of the Appliance at a collection point for electrical waste.`,
  code: `
import { readFile, writeFile } from 'node:fs/promises';
const maxRetries = Number(process.env.MAX_RETRIES ?? 5);
export class OrderQueue extends BaseQueue<Order> {
  private readonly pending = new Map<string, Promise<void>>();
  constructor(readonly clock: Clock, readonly logger: Logger) { super(); }
}
for (let i = 0; i < items.length; i++) total += items[i].price * items[i].quantity;
if (response.status === 404) throw new NotFoundError('No such resource');
def parse_header(line: bytes) -> tuple[str, str]:
    key, _, value = line.partition(b':')
    return key.decode('ascii').strip(), value.decode('latin-1').strip()
SELECT o.id, o.total, COUNT(*) AS lines FROM orders o JOIN order_line l ON l.order_id = o.id GROUP BY o.id, o.total HAVING COUNT(*) > 3;
CREATE INDEX CONCURRENTLY idx_order_created ON orders (created_at DESC) WHERE state = 'OPEN';
{"name": "width", "type": "integer", "minimum": 1, "maximum": 4096, "default": 800}
server:
  host: 0.0.0.0
  port: 8080
  tls: { enabled: true, minVersion: TLSv1.2 }
logging: { level: INFO, format: JSON }
public static void main(String[] args) throws IOException {
    System.out.println("Hello, World!");
}
#define BUFFER_SIZE 4096
static int ring_push(struct ring *r, uint8_t value) { return r->head == r->tail ? -1 : 0; }
2024-02-11 08:14:55,120 WARN [Scheduler-2] JobRunner - Job nightly-export took 412 s
ERROR TypeError: Cannot read properties of undefined (reading 'length') at Parser.next (parser.js:118:23)
git rebase --interactive HEAD~3 && git push --force-with-lease
docker run --rm -v "$PWD":/data -p 5432:5432 -e MODE=test image:latest
fn area(&self) -> f64 { self.width * self.height }
val total = lines.filter { it.active }.sumOf { it.amount }
.btn-primary:hover { background-color: #0a58ca; border-radius: 4px; font-family: sans-serif; }
# TODO: remove once the Cache supports expiry
@Override public boolean equals(Object other)
expect(result).toEqual({ status: 'ok', count: 3 });
[Unit] Description=Nightly Backup After=network.target
User-Agent: Mozilla/5.0 Accept-Encoding: gzip, br Cache-Control: no-store
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA`,
  markup: `
<div class="Card Card--wide" id="Main" data-toggle="Collapse" role="navigation" aria-label="Breadcrumb">
<input type="text" name="FirstName" placeholder="First name" autocomplete="given-name" maxlength="40" required>
<label for="Street">Street and number</label>
<select name="Country"><option value="" selected>Please choose</option></select>
<meta name="viewport" content="width=device-width, initial-scale=1"> <meta charset="UTF-8">
<a href="/products/list?page=2&sort=price" title="Next Page" target="_blank" rel="noopener">Next</a>
<img src="hero-large.webp" alt="Stack of Books on a Table" width="1200" height="630" loading="lazy">
<td colspan="2" align="right" valign="top" bgcolor="#EEEEEE">Total</td>
<p style="font: bold 12pt Georgia; color: DarkSlateGray; margin: 0 auto">Summer Sale</p>
<button type="submit" class="Button Primary">Send Message</button>
<h2 id="frequently-asked-questions">Frequently Asked Questions</h2>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor"><path d="M12 2L2 7l10 5 10-5-10-5z"/></svg>
<Row Height="15" Hidden="False"><Cell Type="String" Style="Heading1"/></Row>
<w:pPr><w:pStyle w:val="Heading2"/><w:spacing w:before="240" w:after="60"/></w:pPr>
<item sku="B-220" Colour="Crimson" Stock="14"><Title>Paper Lantern</Title></item>
<table class="Table Striped" summary="Opening hours by weekday"><caption>Opening Hours</caption>
<link rel="stylesheet" href="style.css" media="print"> <html lang="en" dir="ltr" class="no-js">
&nbsp;&copy; All Rights Reserved &middot; Imprint &middot; Privacy Policy &middot; Cookie Settings
| Option | Default | Description |
| --- | --- | --- |
| \`Timeout\` | 30 | Seconds until the request is given up |
**Note:** see [Configuration](#configuration) and [Upgrade Guide](docs/upgrade.md).
![Build Status](badge.svg) ![Coverage](coverage.svg)
- [x] Add Dark Mode
- [ ] Migrate Storage Layer
sticky-top, col-md-6, btn-outline-secondary, Main Menu, Skip to Content, Toggle Navigation
horizontal, bottom-right, Center, Justify, Arial Narrow, Open Sans, Roboto Slab, Helvetica Neue
text/html; charset=utf-8
Checked Disabled Readonly Multiple Selected`,
  figures: `
Quarter Revenue Cost Margin
Q1 1,204 880 26.9 %
Q2 1,371 942 31.3 %
Q3 1,288 910 29.3 %
Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
14 17 22 9 31 28 26 19 24 30 12 8
Mon Tue Wed Thu Fri Sat Sun
Month;Units;Returns;Net
January;1204;31;1173
February;1099;28;1071
August;980;12;968
Mean 4.82 Median 4.6 SD 1.37 N 212 Min 1 Max 9
Height 178 cm, Weight 74 kg, Pulse 62, BP 121/79, Temp 36.8
Sample A 0.113 0.118 0.109
Sample B 0.227 0.231 0.219
Control 0.004 0.005 0.003
Sodium 139 mmol/l Potassium 4.1 mmol/l Creatinine 82 µmol/l Glucose 5.4 mmol/l
Round 1 64:58, Round 2 71:70, Round 3 55:62
Year Births Deaths Marriages
1998 4,120 3,877 1,904
1999 4,066 3,902 1,877
Lot 12 3,450 m² Lot 13 2,980 m² Lot 14 4,105 m²
A1 0 297 420 A2 420 594 A3 297 420
No. of Employees 212 Full Time 180 Part Time 32
Assets 88,410 Liabilities 51,002 Equity 37,408
Grade 1 12, Grade 2 33, Grade 3 41, Grade 4 9
Nitrogen 78.08 Oxygen 20.95 Argon 0.93
Wavelength (nm) 450 Intensity (a.u.) 0.82
Bus 41 08:12 08:27 08:42 08:57
Depth 2.4 m, Flow 118 l/s, Gradient 1:250
Batch 0419 Tank 7 pH 6.9 Brix 11.2
Capital Reserves 12 400 000 Retained Earnings 3 118 000`,
  headings: `
Executive Summary
1 Introduction
1.1 Background and Motivation
2.3 Related Work
Materials and Methods
Results and Discussion
Acknowledgements
Appendix B: Survey Questions
Table of Contents
List of Abbreviations
Balance Sheet as of 31 December
Notes to the Financial Statements
Management Report
Risk Assessment Matrix
Minutes of the Annual General Meeting
Agenda Item 5: Any Other Business
Safety Data Sheet
Curriculum Vitae
Work Experience
Education and Training
Language Skills
Getting Started
What's New
Release Notes
Frequently Asked Questions
Meeting Notes
Lessons Learned
Project Charter
Chapter Seven: The Long Winter
ANNEX II
GENERAL PROVISIONS
QUALITY MANAGEMENT SYSTEM
SCOPE OF DELIVERY
DRAFT – NOT FOR DISTRIBUTION
STRICTLY CONFIDENTIAL
Customer Satisfaction Survey
Monthly Sales by Product Group
Human Rights and Due Diligence
Terms of Reference
Summary of Significant Accounting Policies
Strengths, Weaknesses, Opportunities, Threats
Medical History
Discharge Letter
Physical Examination
Proof of Delivery
Power of Attorney
Notice of Termination
Certificate of Completion`,
  forms: `
First name:
Last name:
Date of birth:
Place of birth:
Nationality:
Phone:
E-mail address:
Street / No.:
Postcode / City:
Name (please print)
Signature of applicant
Date Place Signature
Salutation [ ] Title [ ] Other [ ]
Marital status: single / married / divorced / widowed
Sex: M / F / X
Employer's name and address
Emergency contact (name, relationship, telephone)
Name of policyholder, if different
Account holder
IBAN BIC Bank
Surname, given names, title
Patient ID Ward Bed Admission Date Discharge Date
Father's name Mother's maiden name
To be completed by the office
For official use only
Tick where applicable
Name | Department | Extension | Room
Employee No. | Surname | Forename | Start Date | Grade
Given Name, Family Name, Street, House Number, Postal Code, Town, Country
firstName,lastName,street,zip,city,country,phone
Title First Name Middle Name Last Name Suffix
Home phone: ____________ Mobile: ____________
Do you smoke? Yes No
Number of Children
Highest Level of Education
Preferred Language
Passport Number, Issuing Authority, Date of Issue, Date of Expiry
Sender Recipient Subject Enclosures
Prepared by: Checked by: Approved by:
Witness 1 Witness 2 Notary Public
Name, Anschrift, Geburtsdatum, Telefon
Vorname: Nachname: Straße: PLZ: Ort:
Nom : Prénom : Adresse : Code postal : Ville :
Nombre: Apellidos: Domicilio: Teléfono:
Cognome: Nome: Luogo di nascita: Indirizzo:
Voornaam: Achternaam: Woonplaats: Handtekening:`,
  prose: `
The library keeps at most one connection per worker and closes it after a minute of silence.
To install it, run the setup script and answer the three questions. Windows users need the Build Tools first.
Configuration is read from a file in the working directory; environment variables win over it.
On Monday morning the heating failed again, and by Thursday everybody wore coats.
In April the water rose to the second step. In May it fell. Nobody had seen such a spring.
The Working Group recommends that Member States review the Directive before the end of the decade.
Staff are reminded that Expense Claims must reach Payroll by the fifteenth of each month.
Our Spring Collection features Linen Shirts, Canvas Shoes and the all-new Explorer Backpack.
Children under twelve travel free. Dogs must be kept on a lead. Bicycles are not allowed in the Quiet Coach.
The Committee noted that receipts were missing and that the Minutes would be circulated.
Autumn colours are best in October, when Beech and Maple turn.
Dear Customer, thank you for choosing our Gold Plan. Your Renewal Date is in June.
Dear Colleagues, please remember to lock the Bicycle Shed. Kind regards, the Facilities Team
Dear Hiring Team, I am writing to apply for the position advertised on your website. Yours sincerely,
The Patient was advised to rest. Ibuprofen 400 mg was prescribed; Penicillin is not tolerated.
Grace is not earned, and Faith is not proof. Hope springs eternal, and Will follows.
May I ask why? Mark the date. Bill us later. Rob no one. Frank words were spoken. Jack up the car.
Sunny spells in the North, Rain later in the West. Wind: Force 4.
Summer Camp Registration opens in March. Early Birds save ten per cent.
The Queen takes the Knight; the Rook stands open to the Bishop.
Iris, Rose, Violet, Daisy and Poppy are planted along the Fence; Ivy and Heather grow behind it.
Use the Visitor pattern sparingly. The Factory Method, the Observer and the Singleton are older.
The Sun is a star. Mercury, Venus, Earth and Mars are rocky; Jupiter and Saturn are not.
Python, Ruby, Java, Rust and Go are supported; Perl and Julia are not.
Chemistry, Physics, Biology, Maths, Art, Music and Drama are taught in Building C.
Visit the Help Center, open a Ticket, or ask the Community Forum.
Gold, Silver, Amber and Jade are sold by weight. Ebony and Hazel are woods.
"Where there is a will, there is a way," she said.
Enter your Username and Password, then click Sign In.
Fire Drills are held on Fridays.`,
  business: `
Key Performance Indicators: Net Promoter Score, Customer Lifetime Value, Churn Rate, Average Order Value
Action items: finalise Budget, order Laptops, book Venue, renew Domain
The Steering Committee approved Phase Two. Go-live is planned for Q3.
Job Description (full time, permanent)
Annual Leave: 28 days. Sick Leave: as required by law. Parental Leave: see Handbook.
Cost Center 4410, General Ledger 6300, Tax Code V1
Profit and Loss Statement, Cash Flow Statement, Balance Sheet
Trade Receivables, Accrued Expenses, Deferred Income, Goodwill
Incoterms: EXW, FOB, CIF, DDP. Lead Time: 6 weeks.
Standard Operating Procedure SOP-014 Rev. 3
Personal Protective Equipment: Hard Hat, Safety Boots, Gloves, Goggles
Return Merchandise Authorization, Proof of Purchase, Limited Warranty
Request for Proposal, Letter of Intent, Memorandum of Understanding, Non-Disclosure Agreement
Bill of Materials, Work Breakdown Structure, Critical Path, Gantt Chart, Sprint Backlog
Corporate Social Responsibility, Equal Opportunities, Whistleblowing Policy
Deductible 500.00, Premium 42.10 monthly, Coverage: Fire, Theft, Water Damage
Gross Salary, Social Security, Church Tax, Net Pay, Payslip March
Anti-Money Laundering, Know Your Customer, Ultimate Beneficial Owner, Politically Exposed Person
Visa Type, Entry Permit, Residence Permit, Work Permit
Blood Type, Allergies, Current Medication, Family History, Next Appointment
Seller Rating 4.8, Ships in 2 days, Free Returns, Gift Wrap available
Ground Floor, Mezzanine, Loading Bay, Fire Exit, Assembly Point
Grand Total, Amount Due, Past Due, Late Fee, Balance Forward, Remittance Slip`,
  foreign: `
Rechnung Nr. 4711 vom 12. März, zahlbar bis Ende April
Sehr geehrte Damen und Herren, anbei erhalten Sie unser Angebot über die Wartung der Heizungsanlage.
Menge Bezeichnung Einzelpreis Gesamtpreis
Allgemeine Versicherungsbedingungen, Widerrufsbelehrung, Datenschutzerklärung
Der Mieter verpflichtet sich, die Treppe im Wechsel mit den übrigen Bewohnern zu reinigen.
Zutaten: Mehl, Zucker, Eier, Butter, Vanille, Salz
Der Vorstand legt dem Aufsichtsrat den Jahresabschluss und den Lagebericht vor.
Bitte beachten Sie die Hinweise auf der Rückseite. Steuerklasse, Bruttolohn, Nettolohn, Krankenkasse
Die Straße war gesperrt, der Weg zum Bahnhof weit, und der Platz vor der Kirche leer.
Antrag auf Erteilung einer Baugenehmigung
Montag bis Freitag von 8 bis 17 Uhr, Samstag geschlossen
Facture n° 2024-118, échéance le 30 juin, montant hors taxes, remise, net à payer
Veuillez agréer, Madame, Monsieur, l'expression de nos salutations distinguées.
Le Bailleur remet au Preneur les clés du Logement à la date d'effet du Bail.
Ingrédients : Farine de blé, Sucre, Beurre, Œufs, Levure, Sel
Conseil d'administration, Assemblée générale, Commissaire aux comptes
La rue était déserte, la place aussi, et le chemin de la gare semblait long.
Factura, base imponible, tipo de IVA, importe total, forma de pago: transferencia
El Arrendador entrega la Vivienda al Arrendatario en buen estado.
Ensalada Mixta, Tortilla, Paella, Flan, Café con Leche
La calle estaba vacía y la plaza también. Abierto de Lunes a Viernes.
Fattura, Imponibile, Aliquota, Totale, Scadenza, Modalità di Pagamento
Il Conduttore si impegna a restituire l'Immobile alla scadenza del Contratto.
Antipasti, Primi Piatti, Secondi, Contorni, Dolci, Vini Rossi
Factuur, Omschrijving, Aantal, Prijs per stuk, Totaal te betalen
De Huurder betaalt de Waarborgsom vóór de ingangsdatum van de Huurovereenkomst.
Stoofvlees met Friet, Erwtensoep, Appeltaart met Slagroom
Openingstijden: Maandag tot en met Vrijdag
Faktura, Ilość, Cena netto, Podatek, Razem do zapłaty
Faktura, Antal, Pris, Moms, Att betala, Förfallodatum`,
};
