// Capitalised words in documents that are not names, compiled by hand, as comma-separated lists.

function list(text: string): string[] {
  return text
    .trim()
    .split(/\s*,\s*|\s*\n\s*/)
    .filter((word) => word !== '');
}

export const dishes = list(`
Lasagne, Goulash, Borscht, Pad Thai, Chicken Tikka Masala, Beef Stroganoff, Moussaka, Falafel Wrap, Caesar Salad, Greek Salad, Club Sandwich, Eggs Benedict, Pancakes, Waffles, Porridge
Cottage Pie, Shepherd's Pie, Fish and Chips, Toad in the Hole, Welsh Rarebit, Leek and Potato Soup, Minestrone, Gazpacho, Ratatouille, Quiche Lorraine, Coq au Vin, Boeuf Bourguignon, Crème Brûlée
Tiramisu, Panna Cotta, Cheesecake, Brownies, Banana Bread, Carrot Cake, Pecan Pie, Lemon Tart, Scones, Shortbread, Madeleines, Macarons, Spaghetti Bolognese, Penne Arrabbiata, Pizza Margherita
Hummus, Tabbouleh, Baba Ganoush, Ramen, Miso Soup, Sushi Platter, Spring Rolls, Dim Sum, Fried Rice, Kung Pao Chicken, Tom Yum, Green Curry, Dal, Biryani, Naan, Samosas, Raita, Tacos, Burrito Bowl
Guacamole, Quesadilla, Enchiladas, Chili con Carne, Jambalaya, Gumbo, Clam Chowder, Mac and Cheese, Pulled Pork, Cole Slaw, Corn Bread, Hash Browns, French Toast, Onion Rings, Wiener Schnitzel, Sauerbraten
Kartoffelsalat, Apfelstrudel, Käsespätzle, Rote Grütze, Bratwurst, Frikadellen, Rouladen, Knödel, Smørrebrød, Gravlax, Pierogi, Bigos, Gnocchi, Saltimbocca, Carpaccio, Caprese, Bruschetta, Osso Buco
`);

export const foods = list(`
Flour, Sugar, Brown Sugar, Icing Sugar, Salt, Sea Salt, Black Pepper, White Pepper, Paprika, Cayenne, Chilli, Cumin, Coriander, Turmeric, Cardamom, Cinnamon, Nutmeg, Cloves, Saffron, Ginger, Garlic, Garlic Powder
Onion, Red Onion, Shallots, Leek, Celery, Carrot, Potato, Sweet Potato, Tomato, Plum Tomatoes, Courgette, Aubergine, Fennel, Cucumber, Lettuce, Rocket, Spinach, Kale, Chard, Cabbage, Cauliflower, Broccoli
Peas, Chickpeas, Kidney Beans, Lentils, Sweetcorn, Mushrooms, Olives, Capers, Basil, Parsley, Chives, Mint, Thyme, Sage, Oregano, Rosemary, Dill, Tarragon, Bay Leaf, Marjoram, Lemon, Lime, Orange, Apple, Pear
Plum, Peach, Apricot, Cherry, Raspberry, Blackberry, Blueberry, Strawberry, Cranberry, Gooseberry, Raisins, Sultanas, Figs, Dates, Almonds, Hazelnuts, Walnuts, Pecans, Pistachios, Cashews, Sesame Seeds
Butter, Margarine, Olive Oil, Sunflower Oil, Vinegar, Balsamic Vinegar, Soy Sauce, Fish Sauce, Worcestershire Sauce, Mustard, Ketchup, Mayonnaise, Honey, Maple Syrup, Treacle, Vanilla Extract, Cocoa Powder
Dark Chocolate, Milk, Buttermilk, Cream, Sour Cream, Yoghurt, Mascarpone, Ricotta, Mozzarella, Cheddar, Gouda, Brie, Feta, Gruyère, Parmesan, Eggs, Egg Yolks, Yeast, Baking Powder, Bicarbonate of Soda, Gelatine
Rice, Basmati Rice, Couscous, Bulgur, Quinoa, Polenta, Oats, Breadcrumbs, Pasta, Noodles, Beef, Minced Beef, Pork, Bacon, Ham, Lamb, Veal, Chicken, Chicken Breast, Turkey, Duck, Cod, Haddock, Tuna, Mackerel
Prawns, Mussels, Squid, Stock Cube, Beef Stock, Water, Sparkling Water, Espresso, Cappuccino, Earl Grey, Green Tea, Lager, Stout, Cider, Merlot, Chardonnay, Riesling, Rioja, Prosecco, Gin, Rum, Brandy, Whisky
`);

export const goods = list(`
Adapter, Air Filter, Allen Key, Angle Grinder, Armchair, Backpack, Barstool, Bath Towel, Battery Pack, Bearing, Bedside Table, Bicycle Pump, Binder, Blanket, Blender, Bookcase, Bracket, Brake Pad, Broom, Bucket
Cable Tie, Calculator, Camping Stove, Candle Holder, Cardboard Box, Carpet Tile, Ceiling Lamp, Chainsaw, Charger, Chest of Drawers, Circuit Breaker, Clamp, Clipboard, Coat Hanger, Coffee Grinder, Copper Pipe
Copy Paper, Cordless Phone, Corner Sofa, Curtain Rail, Cushion Cover, Cutting Board, Desk Organiser, Dimmer Switch, Dishwasher Tablets, Docking Station, Door Handle, Door Mat, Dowel, Drain Cover, Drill Bit
Duct Tape, Dust Mask, Duvet, Ear Defenders, Envelope, Extension Lead, External Hard Drive, Fan Heater, Fence Post, File Folder, Fire Extinguisher, First Aid Kit, Flange, Flat Screen, Flip Chart, Floor Cleaner
Flower Pot, Folding Table, Fountain Pen, Frying Pan, Fuse, Garden Hose, Gasket, Glue Stick, Guitar Strings, Hammer, Hand Soap, Hand Truck, Headset, Hinge, Hiking Boots, Hot Water Bottle, Inkjet Cartridge, Iron
Jerrycan, Kettle, Keyboard, Kitchen Roll, Label Printer, Ladder, Lampshade, Laser Level, Lawn Mower, Letter Tray, Light Switch, Mattress, Measuring Tape, Memory Foam Pillow, Microphone Stand, Monitor Arm, Mop
Mouse Pad, Nail Gun, Notebook, O-Ring, Office Chair, Oven Glove, Padlock, Paint Roller, Paper Clip, Paper Shredder, Patio Heater, Pencil Case, Picture Frame, Pipe Wrench, Plant Stand, Plasterboard, Playing Cards
Plywood Sheet, Power Bank, Power Drill, Pressure Washer, Projector, Rain Jacket, Recycling Bin, Router, Rubber Gloves, Running Shoes, Saddle, Safety Glasses, Sanding Disc, Saucepan, Scanner, Screwdriver Set, Shelf
Shower Head, Sleeping Bag, Smoke Detector, Socket Set, Soldering Iron, Spanner, Spirit Level, Spray Paint, Stapler, Step Ladder, Storage Box, Table Tennis Bat, Tarpaulin, Tea Towel, Tent Peg, Thermos, Toaster, Toolbox
Torch, Towel Rail, Tripod, Trolley, Umbrella, USB Stick, Vacuum Cleaner, Valve, Vase, Vinyl Gloves, Wall Plug, Wardrobe, Washing Machine, Water Filter, Webcam, Wheelbarrow, Whiteboard, Window Blind, Wine Glass, Yoga Mat
`);

/** Attributes and materials of goods. */
export const qualities = list(`
Pro, Plus, Classic, Deluxe, Compact, Mini, Maxi, Ultra, Slim, Basic, Comfort, Premium, Eco, Sport, Vintage, Professional, Standard, Heavy Duty, Original, Light, Extra, Series II, Mark IV, Edition, Value Pack, Starter Kit
Black, White, Red, Navy Blue, Olive Green, Sand, Anthracite, Silver Grey, Charcoal, Ivory, Walnut, Natural Oak, Brass, Copper, Chrome, Brushed Steel, Cotton, Linen, Wool, Leather, Bamboo, Ceramic, Glass, Rubber, Titanium
Small, Medium, Large, XL, Left, Right, Front, Rear, Upper, Lower, Inner, Outer, Single, Double, Triple, Indoor, Outdoor, Waterproof, Foldable, Adjustable, Rechargeable, Wireless, Stackable, Non-slip, Self-adhesive
`);

export const business = list(`
Account Balance, Accounts Receivable, Added Value, Advance Payment, After Sales, Agreed Rate, Annual Budget, Annual Report, Audit Trail, Bad Debt, Balance Due, Bank Transfer, Base Rate, Best Practice, Bid Bond
Board Meeting, Bonus Scheme, Break Even, Business Case, Business Continuity, Business Unit, Call Centre, Capital Expenditure, Carbon Footprint, Cash Desk, Cash on Delivery, Change Request, Closing Date, Code of Conduct
Collective Agreement, Compliance, Corporate Governance, Corrective Action, Cost Estimate, Credit Limit, Cross Selling, Customer Journey, Customer Number, Cut-off Date, Data Protection, Debit Memo, Delivery Date
Delivery Terms, Depreciation, Direct Debit, Disaster Recovery, Dividend, Down Payment, Due Diligence, Earnings per Share, Employee Handbook, Employee Number, Equity Ratio, Exchange Rate, Expense Report, Fair Value
Fiscal Year, Fixed Assets, Flexible Working, Framework Agreement, Free Cash Flow, Freight Charges, Gap Analysis, Gross Margin, Gross Profit, Headcount, Health and Safety, Holiday Entitlement, Improvement Plan, Income Statement
Incident Report, Input Tax, Insurance Cover, Interest Rate, Internal Audit, Inventory Turnover, Invoice Address, Job Rotation, Job Grade, Kick-off Meeting, Lead Generation, Learning Objectives, Legal Notice, Line Item
Loan Agreement, Long-term Liabilities, Maintenance Contract, Market Share, Master Data, Maximum Benefit, Mileage Allowance, Milestone, Minimum Wage, Mission Statement, Monthly Fee, Net Income, Notice Period, Occupancy Rate
On-time Delivery, Onboarding, Operating Costs, Operating Profit, Opportunity Cost, Order Confirmation, Order Intake, Organisation Chart, Outstanding Amount, Overtime, Packing List, Parking Permit, Part Payment, Pay Scale
Payment Reminder, Pension Scheme, Performance Review, Petty Cash, Pilot Phase, Policy Number, Postage and Packing, Price List, Pricing Model, Principal Amount, Probation Period, Product Range, Profit Centre, Project Plan
Proof of Identity, Provision, Public Liability, Purchase Price, Quality Policy, Quarterly Review, Quote, Reference Number, Refund Policy, Reminder Fee, Rent Arrears, Reorder Point, Response Time, Retail Price, Return Label
Return on Investment, Revenue Recognition, Risk Register, Road Map, Root Cause, Safety Stock, Salary Band, Sales Forecast, Sales Tax, Second Reminder, Service Charge, Service Level Agreement, Set-up Fee, Share Capital
Shareholder Loan, Shift Plan, Shipping Method, Short-term Loan, Site Visit, Special Offer, Spot Check, Staff Turnover, Stakeholder Map, Stamp Duty, Standing Order, Statement of Account, Stock Level, Stocktaking, Success Factors
Sunk Cost, Supply Chain, Target Group, Tax Return, Term Deposit, Time Sheet, Time to Market, Total Cost of Ownership, Total Quality, Trade Discount, Training Plan, Travel Expenses, Trial Balance, Turnover, Unique Selling Point
Unit Cost, User Acceptance Test, Utility Bill, Value Chain, Variable Pay, Vendor Rating, Voucher, Waiting List, Warehouse Receipt, Wear and Tear, Withholding Tax, Work Instruction, Working Capital, Write-off, Year to Date, Zero Defects
`);

/** Terms for the parties and subjects of contracts. */
export const parties = list(`
Agent, Assignor, Beneficiary, Client, Company, Consultant, Contractor, Creditor, Customer, Debtor, Developer, Disclosing Party, Distributor, Employee, Employer, Franchisee, Guarantor, Insured, Landlord, Lender, Lessor
Licensee, Manufacturer, Operator, Owner, Party, Principal, Provider, Publisher, Purchaser, Receiving Party, Recipient, Reseller, Seller, Service Provider, Subscriber, Tenant, Trustee, User, Vendor, Controller, Processor
`);
export const defined = list(`
Acceptance Date, Additional Services, Agreement, Ancillary Rights, Applicable Law, Building, Business Hours, Charges, Closing, Commencement Date, Completion, Consideration, Contract Price, Data, Deliverables, Documentation
Effective Date, Equipment, Escrow Account, Event of Default, Expenses, Fee, Fixtures, Goods, Improvements, Indemnity, Initial Term, Intellectual Property Rights, Invention, Key Personnel, Know-how, Leased Property, Liability
Licence, Maintenance Services, Materials, Milestones, Obligations, Option, Order, Performance Bond, Permitted Use, Personal Data, Premises, Products, Project, Property, Purchase Order, Records, Renewal Term, Rent, Representations
Security Deposit, Service Levels, Services, Shares, Site, Source Code, Specification, Statement of Work, Subscription, Taxes, Territory, Third Party, Trade Marks, Transaction, Transfer, Trust Fund, Warranty Period, Works
`);

export const interfaceWords = list(`
About, Accept All, Account Settings, Actions, Add Item, Add to Basket, Advanced Search, All Categories, Already a Member, Apply Filters, Archive, Ascending, Attachments, Autofill, Avatar, Back to Top, Basket, Billing Details
Browse, Bulk Edit, Calendar View, Cancel Order, Caps Lock, Change Password, Chat, Checkout, Choose File, Clear All, Clipboard, Close Tab, Collapse, Columns, Compare, Confirm, Contact Form, Cookie Policy, Copy Link, Create Account
Customise, Dashboard, Date Added, Date Modified, Delete Forever, Descending, Details, Developer Tools, Discard Changes, Display Name, Done, Downloads, Drafts, Drag and Drop, Duplicate, Edit Profile, Empty Bin, Enter Code, Expand
Export as CSV, Favourites, Features, Feedback, File Size, Filter by, Find and Replace, Flag, Folder, Follow, Forgot Password, Forward, Full Screen, Gallery, General, Getting Started, Go Back, Grid, Group by, Help Centre, Hide, History
Import Data, Inbox, Insert Row, Invite, Items per Page, Keep Me Signed In, Keyboard Shortcuts, Language, Last Login, Last Modified, Latest News, Learn More, Legal, List View, Load More, Loading, Location, Log, Mark as Read, Media Library
Menu, Merge Cells, Minimise, Mobile App, More Options, Move to Folder, Mute, My Orders, New Message, Newsletter, Next Step, No Results Found, Not Found, Notes, Offline, Open in New Tab, Order History, Other Options, Outbox, Overview
Page Layout, Password, Paste, Pending, Permissions, Personal Details, Pin, Play, Plugins, Popular, Post Comment, Preferences, Preview, Previous, Pricing, Print, Profile Picture, Published, Quick Links, Read More, Recent Files, Refresh
Register, Reload, Remember Me, Remove, Rename, Replace All, Reply, Reply All, Report a Problem, Reset, Restore, Retry, Return to Shop, Save Draft, Save Changes, Scroll Down, Search Results, Security, See All, Select File, Send Feedback
Sent, Share, Shipping Address, Shopping Cart, Show More, Sidebar, Sign Out, Site Map, Skip, Sort by Price, Spam, Starred, Start Trial, Status, Storage, Subscribe, Switch User, Tags, Templates, Theme, Today, Toolbar, Track Order, Trash
Try Again, Turn Off, Two-Factor Authentication, Undo, Unread, Unsubscribe, Update Available, Upgrade Now, Upload, User Guide, User Name, Verify, Version History, View Cart, Volume, Watch Later, What's New, Widgets, Wish List, Zoom In
`);

export const labels = list(`
Name, First name, Last name, Surname, Given name, Middle name, Full name, Maiden name, Title, Salutation, Sex, Gender, Date of birth, DOB, Place of birth, Country of birth, Nationality, Citizenship, Marital status
Address, Home address, Street, Street address, House number, No., Apartment, City, Town, County, State, Province, Region, ZIP, Postcode, Postal code, Country, Phone, Phone number, Telephone, Tel., Mobile, Fax, E-mail, Email address, Website
Occupation, Profession, Job title, Position, Employer, Company, Department, Manager, Supervisor, Salary, Start date, End date, Signature, Date, Place, Date and place, Witness, Guardian, Parent or guardian, Next of kin, Relationship
Emergency contact, Doctor, Insurance company, Insurance number, Policy number, Membership number, Customer number, Account number, Account holder, Bank, Sort code, IBAN, BIC, Card number, Expiry date, Passport number, ID number
Driving licence number, Registration number, Tax number, VAT number, Social security number, Invoice number, Invoice date, Order number, Order date, Delivery date, Due date, Amount, Amount due, Total, Subtotal, Tax, Discount, Quantity
Description, Unit price, Item, Reference, Your reference, Our reference, Subject, From, To, Cc, Attention, Remarks, Comments, Notes, Reason, Purpose, Duration, Valid from, Valid until, Status, Type, Category, Class, Grade, Height, Weight
Eye colour, Blood group, Allergies, Medication, Diagnosis, Ward, Room, Bed, Admission date, Discharge date, Applicant, Patient, Tenant, Landlord, Buyer, Seller, Sender, Recipient, Consignee, Carrier, Driver, Vehicle, Number plate
School, Class, Teacher, Course, Subject area, Qualification, Language, Mother tongue, Religion, Ethnic origin, Number of children, Children, Spouse, Father, Mother, Age, Mr, Mrs, Ms, Yes, No, Other, Office use only, Page, Form
`);

/** Labels of forms in other languages, one per line. */
export const foreignLabels: readonly (readonly string[])[] = [
  'Name, Vorname, Nachname, Familienname, Geburtsname, Geburtsdatum, Geburtsort, Staatsangehörigkeit, Familienstand, Anschrift, Straße, Hausnummer, PLZ, Ort, Wohnort, Land, Telefon, Telefonnummer, Handy, E-Mail, Beruf, Arbeitgeber, Unterschrift, Datum, Ort und Datum, Kontoinhaber, Bankverbindung, Steuernummer, Kundennummer, Rechnungsnummer, Betrag, Menge, Bezeichnung, Anrede, Titel, Bemerkungen, Geschlecht, Krankenkasse, Versichertennummer',
  'Nom, Prénom, Nom de naissance, Date de naissance, Lieu de naissance, Nationalité, Situation de famille, Adresse, Rue, Code postal, Ville, Pays, Téléphone, Portable, Courriel, Profession, Employeur, Signature, Fait à, Titulaire du compte, Montant, Quantité, Désignation, Numéro de client, Numéro de facture, Date, Civilité, Sexe, Remarques, Objet, Référence',
  'Nombre, Apellidos, Primer apellido, Segundo apellido, Fecha de nacimiento, Lugar de nacimiento, Nacionalidad, Estado civil, Dirección, Calle, Número, Código postal, Localidad, Provincia, País, Teléfono, Móvil, Correo electrónico, Profesión, Empresa, Firma, Fecha, Titular de la cuenta, Importe, Cantidad, Descripción, Número de cliente, Sexo, Observaciones, Asunto',
  'Nome, Cognome, Data di nascita, Luogo di nascita, Cittadinanza, Stato civile, Indirizzo, Via, Numero civico, CAP, Città, Comune, Provincia, Paese, Telefono, Cellulare, Posta elettronica, Professione, Datore di lavoro, Firma, Data, Intestatario, Importo, Quantità, Descrizione, Codice cliente, Codice fiscale, Sesso, Note, Oggetto',
  'Naam, Voornaam, Voornamen, Achternaam, Geboortenaam, Geboortedatum, Geboorteplaats, Nationaliteit, Burgerlijke staat, Adres, Straat, Huisnummer, Postcode, Woonplaats, Plaats, Land, Telefoon, Mobiel, Beroep, Werkgever, Handtekening, Datum, Rekeninghouder, Bedrag, Aantal, Omschrijving, Klantnummer, Geslacht, Opmerkingen, Onderwerp',
  'Nome, Apelido, Data de nascimento, Naturalidade, Nacionalidade, Estado civil, Morada, Endereço, Rua, Código postal, Localidade, Cidade, País, Telefone, Telemóvel, Profissão, Assinatura, Data, Valor, Quantidade, Descrição, Sexo, Observações, Assunto',
  'Imię, Nazwisko, Data urodzenia, Miejsce urodzenia, Obywatelstwo, Stan cywilny, Adres, Ulica, Numer domu, Kod pocztowy, Miejscowość, Kraj, Telefon, Zawód, Podpis, Data, Kwota, Ilość, Opis, Płeć, Uwagi',
  'Namn, Förnamn, Efternamn, Födelsedatum, Födelseort, Medborgarskap, Adress, Gata, Postnummer, Ort, Land, Telefon, Yrke, Underskrift, Datum, Belopp, Antal, Beskrivning, Kön, Anmärkningar',
  'Navn, Fornavn, Etternavn, Efternavn, Fødselsdato, Fødested, Statsborgerskap, Adresse, Gate, Postnummer, By, Land, Telefon, Yrke, Stilling, Underskrift, Dato, Beløp, Antall, Beskrivelse, Kjønn, Merknader',
].map(list);

/** Terms of business, law and household, one language per line, capitalised as in that language. */
export const foreignThings: readonly (readonly string[])[] = [
  'Rechnung, Angebot, Auftrag, Auftragsbestätigung, Lieferschein, Mahnung, Zahlungserinnerung, Gutschrift, Zahlungsziel, Skonto, Mehrwertsteuer, Umsatzsteuer, Zwischensumme, Gesamtbetrag, Lieferung, Versandkosten, Lieferzeit, Kaufvertrag, Mietvertrag, Arbeitsvertrag, Kündigung, Kündigungsfrist, Vollmacht, Gewährleistung, Haftung, Gerichtsstand, Erfüllungsort, Vertragspartner, Auftraggeber, Auftragnehmer, Vermieter, Verkäufer, Käufer, Versicherungsnehmer, Bevollmächtigte, Geschäftsführung, Betriebsrat, Hauptversammlung, Gewinn und Verlust, Bilanz, Anlagevermögen, Rückstellungen, Verbindlichkeiten, Eigenkapital, Umsatzerlöse, Abschreibungen, Jahresüberschuss, Besprechungsprotokoll, Tagesordnung, Beschluss, Anlage, Anhang, Inhaltsverzeichnis, Einleitung, Zusammenfassung, Ergebnisse, Bedienungsanleitung, Sicherheitshinweise, Technische Daten, Inbetriebnahme, Wartung, Störung, Netzstecker, Gehäuse, Schraube, Dichtung, Schlauch, Ventil, Kartoffeln, Zwiebel, Knoblauch, Petersilie, Sahne, Quark, Pfeffer, Zitrone, Apfelkuchen, Hühnersuppe, Backofen, Herbst, Winter, Wetter, Zimmer, Fenster, Küche, Bad, Keller, Garage, Garten, Nebenkosten, Kaution, Heizung, Hausordnung, Schule, Klasse, Zeugnis, Unterricht, Urlaub, Krankmeldung, Überstunden, Gehalt, Lohnabrechnung, Sozialversicherung, Rente, Pflege, Arzt, Befund, Verlauf, Entlassung, Blutdruck, Röntgen, Medikament, Frühjahr, Feiertag, Uhrzeit, Stunde, Woche, Jahr, Seite, Spalte, Tabelle, Abbildung',
  'Facture, Devis, Commande, Bon de livraison, Avoir, Relance, Échéance, Remise, Taxe, Sous-total, Total à payer, Livraison, Frais de port, Délai, Contrat de vente, Contrat de bail, Contrat de travail, Résiliation, Préavis, Procuration, Garantie, Responsabilité, Tribunal compétent, Locataire, Propriétaire, Vendeur, Acheteur, Assuré, Prestataire, Maître d’ouvrage, Direction générale, Comité d’entreprise, Bilan, Compte de résultat, Immobilisations, Provisions, Dettes, Capitaux propres, Chiffre d’affaires, Amortissements, Procès-verbal, Ordre du jour, Résolution, Annexe, Table des matières, Introduction, Résumé, Résultats, Mode d’emploi, Consignes de sécurité, Caractéristiques techniques, Mise en service, Entretien, Panne, Boîtier, Vis, Joint, Tuyau, Pommes de terre, Oignon, Ail, Persil, Crème, Poivre, Citron, Tarte aux pommes, Soupe, Four, Automne, Hiver, Chambre, Fenêtre, Cuisine, Cave, Jardin, Charges, Caution, Chauffage, École, Classe, Bulletin, Congés payés, Arrêt maladie, Heures supplémentaires, Salaire, Sécurité sociale, Retraite, Ordonnance, Tension, Radiographie, Semaine, Année, Page, Colonne, Tableau, Figure',
  'Factura, Presupuesto, Pedido, Albarán, Abono, Vencimiento, Descuento, Subtotal, Total a pagar, Entrega, Gastos de envío, Plazo, Contrato de compraventa, Contrato de alquiler, Contrato de trabajo, Rescisión, Preaviso, Poder notarial, Garantía, Responsabilidad, Inquilino, Propietario, Vendedor, Comprador, Asegurado, Prestador, Dirección general, Comité de empresa, Balance, Cuenta de resultados, Inmovilizado, Provisiones, Deudas, Patrimonio neto, Cifra de negocios, Amortizaciones, Acta, Orden del día, Acuerdo, Anexo, Índice, Introducción, Resumen, Resultados, Manual de instrucciones, Normas de seguridad, Datos técnicos, Puesta en marcha, Mantenimiento, Avería, Carcasa, Tornillo, Junta, Manguera, Patatas, Cebolla, Ajo, Perejil, Nata, Pimienta, Limón, Tarta de manzana, Sopa, Horno, Otoño, Invierno, Habitación, Ventana, Cocina, Sótano, Jardín, Gastos, Fianza, Calefacción, Escuela, Clase, Boletín, Vacaciones, Baja médica, Horas extras, Sueldo, Seguridad Social, Jubilación, Receta, Tensión, Radiografía, Semana, Año, Página, Columna, Tabla, Figura',
  'Fattura, Preventivo, Ordine, Bolla di consegna, Nota di credito, Sollecito, Sconto, Subtotale, Totale da pagare, Consegna, Spese di spedizione, Termine, Contratto di vendita, Contratto di locazione, Contratto di lavoro, Recesso, Preavviso, Procura, Garanzia, Responsabilità, Foro competente, Locatore, Venditore, Acquirente, Assicurato, Fornitore, Committente, Direzione generale, Bilancio, Conto economico, Immobilizzazioni, Accantonamenti, Debiti, Patrimonio netto, Ricavi, Ammortamenti, Verbale, Ordine del giorno, Delibera, Allegato, Indice, Introduzione, Sommario, Risultati, Manuale di istruzioni, Norme di sicurezza, Dati tecnici, Messa in funzione, Manutenzione, Guasto, Involucro, Vite, Guarnizione, Tubo, Patate, Cipolla, Aglio, Prezzemolo, Panna, Pepe, Limone, Torta di mele, Zuppa, Forno, Autunno, Inverno, Camera, Finestra, Cucina, Cantina, Giardino, Spese, Cauzione, Riscaldamento, Scuola, Classe, Pagella, Ferie, Malattia, Straordinari, Stipendio, Previdenza sociale, Pensione, Ricetta, Pressione, Radiografia, Settimana, Anno, Pagina, Colonna, Tabella, Figura',
  'Factuur, Offerte, Bestelling, Pakbon, Creditnota, Aanmaning, Vervaldatum, Korting, Btw, Subtotaal, Totaalbedrag, Levering, Verzendkosten, Levertijd, Koopovereenkomst, Huurcontract, Arbeidsovereenkomst, Opzegging, Opzegtermijn, Volmacht, Garantie, Aansprakelijkheid, Verhuurder, Verkoper, Koper, Verzekerde, Opdrachtgever, Opdrachtnemer, Directie, Ondernemingsraad, Balans, Winst en verlies, Vaste activa, Voorzieningen, Schulden, Eigen vermogen, Omzet, Afschrijvingen, Notulen, Agenda, Besluit, Bijlage, Inhoudsopgave, Inleiding, Samenvatting, Resultaten, Gebruiksaanwijzing, Veiligheidsvoorschriften, Technische gegevens, Ingebruikname, Onderhoud, Storing, Behuizing, Schroef, Afdichting, Slang, Aardappelen, Ui, Knoflook, Peterselie, Room, Peper, Citroen, Appeltaart, Soep, Oven, Herfst, Winter, Kamer, Raam, Keuken, Kelder, Tuin, Servicekosten, Borg, Verwarming, School, Klas, Rapport, Vakantie, Ziekmelding, Overuren, Salaris, Pensioen, Recept, Bloeddruk, Week, Jaar, Bladzijde, Kolom, Tabel, Figuur',
  'Fatura, Orçamento, Encomenda, Guia de remessa, Nota de crédito, Desconto, Subtotal, Total a pagar, Entrega, Portes, Prazo, Contrato de compra e venda, Contrato de arrendamento, Contrato de trabalho, Rescisão, Aviso prévio, Procuração, Garantia, Responsabilidade, Inquilino, Senhorio, Vendedor, Comprador, Segurado, Direção, Balanço, Resultado líquido, Provisões, Dívidas, Volume de negócios, Ata, Ordem de trabalhos, Anexo, Índice, Introdução, Resumo, Resultados, Instruções, Manutenção, Avaria, Batatas, Cebola, Alho, Salsa, Natas, Pimenta, Limão, Sopa, Forno, Outono, Inverno, Quarto, Janela, Cozinha, Jardim, Caução, Aquecimento, Escola, Turma, Férias, Baixa, Salário, Segurança Social, Reforma, Receita, Semana, Ano, Página, Coluna, Tabela',
  'Faktura, Oferta, Zamówienie, Dowód dostawy, Nota korygująca, Rabat, Suma częściowa, Do zapłaty, Dostawa, Koszty wysyłki, Termin, Umowa sprzedaży, Umowa najmu, Umowa o pracę, Wypowiedzenie, Pełnomocnictwo, Gwarancja, Odpowiedzialność, Najemca, Wynajmujący, Sprzedawca, Kupujący, Ubezpieczony, Zarząd, Bilans, Rachunek wyników, Rezerwy, Zobowiązania, Kapitał własny, Przychody, Amortyzacja, Protokół, Porządek obrad, Uchwała, Załącznik, Spis treści, Wstęp, Podsumowanie, Wyniki, Instrukcja obsługi, Konserwacja, Awaria, Ziemniaki, Cebula, Czosnek, Śmietana, Pieprz, Zupa, Jesień, Zima, Pokój, Okno, Kuchnia, Piwnica, Ogród, Kaucja, Ogrzewanie, Szkoła, Klasa, Urlop, Wynagrodzenie, Emerytura, Recepta, Tydzień, Rok, Strona, Tabela',
  'Faktura, Offert, Beställning, Följesedel, Kreditnota, Påminnelse, Rabatt, Delsumma, Summa, Leverans, Fraktkostnad, Leveranstid, Köpeavtal, Hyresavtal, Anställningsavtal, Uppsägning, Fullmakt, Garanti, Ansvar, Hyresgäst, Hyresvärd, Säljare, Köpare, Försäkrad, Styrelse, Balansräkning, Resultaträkning, Skulder, Eget kapital, Omsättning, Protokoll, Dagordning, Beslut, Bilaga, Innehåll, Inledning, Sammanfattning, Resultat, Bruksanvisning, Underhåll, Fel, Potatis, Lök, Vitlök, Grädde, Peppar, Soppa, Ugn, Höst, Vinter, Rum, Fönster, Kök, Källare, Trädgård, Uppvärmning, Skola, Klass, Semester, Övertid, Lön, Pension, Recept, Vecka, År, Sida, Kolumn, Tabell',
  'Faktura, Tilbud, Bestilling, Ordre, Følgeseddel, Kreditnota, Rykker, Rabat, Rabatt, Delsum, Levering, Fragt, Frakt, Leveringstid, Købsaftale, Kjøpekontrakt, Lejekontrakt, Leiekontrakt, Ansættelse, Opsigelse, Oppsigelse, Fuldmagt, Fullmakt, Ansvar, Lejer, Leietaker, Udlejer, Utleier, Sælger, Selger, Køber, Kjøper, Bestyrelse, Styre, Balance, Regnskap, Regnskab, Gæld, Gjeld, Egenkapital, Omsætning, Omsetning, Referat, Dagsorden, Saksliste, Vedlegg, Bilag, Indhold, Innhold, Indledning, Sammendrag, Resultater, Brugsanvisning, Bruksanvisning, Vedligeholdelse, Vedlikehold, Kartofler, Poteter, Løg, Løk, Hvidløg, Fløde, Fløte, Suppe, Ovn, Efterår, Høst, Vinter, Værelse, Rom, Vindue, Vindu, Køkken, Kjøkken, Kælder, Kjeller, Have, Hage, Varme, Skole, Klasse, Ferie, Overtid, Løn, Lønn, Pension, Uge, Uke, År, Side, Kolonne, Tabel, Tabell',
].map(list);

/** Sentences in those languages; `*` stands for one of the words above. */
export const foreignFrames: readonly (readonly string[])[] = [
  'Die * ist fällig.|Bitte prüfen Sie *, * und *.|Der * wird vom * getragen.|Für die * gilt folgende Regelung:|Im Falle der * ist eine * vorzulegen.|siehe *|* und * sind im Preis enthalten.|zzgl. *|Wir bestätigen Ihnen die * und bitten um *.|Das * befindet sich neben der *.|Nach der * folgt die *.|ohne *, mit *|Beginn der *: 14 Uhr|Der * hat die * zu unterzeichnen.|Über die * entscheidet die *.|Mit der * endet auch die *.',
  'La * est jointe au présent courrier.|Merci de vérifier *, * et *.|Le * est à la charge du *.|Pour la *, voir *.|En cas de *, une * est exigée.|* et * sont compris dans le prix.|Nous vous confirmons la * et la *.|Le * se trouve à côté de la *.|Après la *, la *.|sans *, avec *|Le * doit signer la *.',
  'La * se adjunta a este escrito.|Rogamos comprueben *, * y *.|El * corre a cargo del *.|Para la *, véase *.|En caso de *, se exige una *.|* y * están incluidos en el precio.|Le confirmamos la * y la *.|El * se encuentra junto a la *.|sin *, con *|El * debe firmar la *.',
  'La * è allegata alla presente.|Vi preghiamo di controllare *, * e *.|Il * è a carico del *.|Per la *, vedi *.|In caso di *, è richiesta una *.|* e * sono compresi nel prezzo.|Vi confermiamo la * e la *.|Il * si trova accanto alla *.|senza *, con *|Il * deve firmare la *.',
  'De * is bijgevoegd.|Controleer a.u.b. *, * en *.|De * komt voor rekening van de *.|Voor de *, zie *.|In geval van * is een * vereist.|* en * zijn bij de prijs inbegrepen.|Wij bevestigen u de * en de *.|De * bevindt zich naast de *.|zonder *, met *|De * dient de * te ondertekenen.',
  'A * segue em anexo.|Verifique *, * e *.|O * fica a cargo do *.|Para a *, ver *.|Em caso de *, é exigida uma *.|* e * estão incluídos no preço.|sem *, com *|O * deve assinar a *.',
  '* w załączeniu.|Proszę sprawdzić: *, * i *.|* ponosi *.|W sprawie: *|* oraz * są wliczone w cenę.|bez *, z *|* podpisuje *.',
  '* bifogas.|Kontrollera *, * och *.|* betalas av *.|Se *|* och * ingår i priset.|utan *, med *|* undertecknas av *.',
  '* vedlægges.|* er vedlagt.|Kontroller *, * og *.|* betales av *.|Se *|* og * er inkludert i prisen.|uden *, med *|* underskrives af *.',
].map((text) => text.split('|'));

export const headings = list(`
Abstract, Introduction, Background, Objectives, Methodology, Data Collection, Findings, Analysis, Discussion, Conclusions, Recommendations, References, Bibliography, Glossary, Index, Foreword, Preface, Contents, Figures and Tables
Document History, Revision History, Distribution List, Purpose and Scope, Roles and Responsibilities, Definitions, General Terms, Payment Terms, Delivery and Acceptance, Confidentiality, Termination, Miscellaneous, Signatures, Enclosures
System Overview, Architecture, Requirements, Installation, Configuration, Usage, Examples, Troubleshooting, Known Issues, Security Considerations, Performance, Testing, Deployment, Maintenance, Support, Changelog, Roadmap, License
Company Profile, Market Overview, Competitive Landscape, Financial Highlights, Outlook, Segment Reporting, Auditor's Report, Group Structure, Subsequent Events, Personal Details, Professional Experience, Skills, Interests, Hobbies
Awards and Honours, Publications, Volunteer Work, Hand Over, Present Complaint, Past Medical History, Family History, Social History, Drug History, On Examination, Investigations, Impression, Plan, Follow-up, Vital Signs, Progress Notes
Opening Hours, How to Find Us, Getting Here, Facilities, Rates, House Rules, Booking Conditions, Cancellation Policy, Special Offers, Season Tickets, Upcoming Events, Past Events, Press Releases, Image Gallery, Testimonials, Our Team, Careers
Lesson Plan, Learning Outcomes, Reading List, Course Description, Grading, Attendance Policy, Office Hours, Homework, Exam Dates, Weather Forecast, Travel Advice, Packing List, Day One, Morning Session, Lunch Break, Closing Remarks, Coffee Break
Part One, Book Two, Act III, Scene 2, Verse 1, Chorus, Epilogue, Prologue, The End, Volume I, Title Page, Sheet 1 of 4, Floor Plan, Site Plan, Elevation North, Section A-A, Legend, Scale, Notes to Drawing, Bill of Quantities, Work Packages
`);

export const technical = list(`
Active Power, Ambient Temperature, Analogue Input, Anti-lock Brakes, Auto Focus, Auxiliary Input, Axle Load, Back Pressure, Ball Valve, Baud Rate, Belt Tension, Boost Mode, Burst Rate, Bypass Switch, Calibration, Cam Shaft, Check Valve
Clock Speed, Colour Depth, Compressor, Control Panel, Coolant Level, Crank Case, Curb Weight, Cut-off Frequency, Cylinder Head, Data Bus, Dead Load, Depth of Field, Digital Output, Dipstick, Display Unit, Dry Weight, Duty Cycle, Earth Leakage
Exhaust Gas, Exposure Time, Feed Rate, Field of View, Flash Memory, Float Switch, Flow Meter, Flywheel, Focal Length, Four-Wheel Drive, Frame Rate, Frequency Range, Fuel Gauge, Gear Ratio, Ground Clearance, Ground Wire, Hand Brake, Heat Sink
High Beam, Hydraulic Pump, Idle Speed, Ignition Timing, Image Stabiliser, Impedance, Input Voltage, Insulation Class, Junction Box, Kerb Weight, Lead Time, Leak Test, Lens Cap, Limit Switch, Live Load, Load Capacity, Low Beam, Lubrication
Main Board, Manual Override, Max. Pressure, Mesh Size, Noise Reduction, Nominal Diameter, Oil Sump, Operating Mode, Output Power, Overload Relay, Parking Brake, Peak Load, Phase Angle, Pilot Light, Pitch, Power Factor, Pressure Gauge, Pulse Width
Radiator, Random Access Memory, Rear Axle, Refresh Rate, Relative Humidity, Relief Valve, Remote Control, Reset Button, Rocker Arm, Roll Bar, Room Thermostat, Safety Valve, Sample Rate, Screen Size, Sealing Ring, Sensor, Serial Port, Servo Motor
Set Point, Shaft Seal, Shut-off Valve, Signal to Noise, Slew Rate, Solenoid, Spindle Speed, Stall Torque, Standby Mode, Starter Motor, Steering Column, Stroke, Suction Side, Supply Air, Surge Protection, Tail Light, Tensile Strength, Terminal Block
Test Pressure, Thermal Cut-out, Three-phase, Throttle Body, Timer, Torque Wrench, Touch Panel, Transfer Case, Trip Unit, Turbo Charger, Under Voltage, Vacuum Pump, Vent Plug, Viscosity, Warm-up Time, Warning Lamp, Water Jacket, Wheel Base, Yield Strength
`);

/** Programs, formats and computing terms, in their usual spelling. */
export const computing = list(`
JavaScript, TypeScript, Python, Java, Ruby, Rust, Perl, PHP, Swift, Kotlin, Scala, Haskell, Erlang, Elixir, Clojure, Lua, Fortran, Pascal, Ada, Node.js, Deno, React, Angular, Vue, Svelte, jQuery, Bootstrap, Tailwind, Django, Flask, Rails
Spring Boot, Express, Koa, Next.js, GraphQL, REST, gRPC, JSON, YAML, TOML, XML, CSV, Markdown, LaTeX, HTML5, CSS3, Sass, Webpack, Babel, ESLint, Prettier, Jest, Mocha, Chai, Cypress, Selenium, Docker, Kubernetes, Helm, Terraform, Ansible
Jenkins, Git, Subversion, Mercurial, Linux, Unix, Windows, macOS, Android, iOS, Ubuntu, Debian, Fedora, Alpine, PostgreSQL, MySQL, SQLite, MongoDB, Redis, Cassandra, Kafka, RabbitMQ, Elasticsearch, Nginx, Apache, Tomcat, Bash, PowerShell
Vim, Emacs, Eclipse, Xcode, Chrome, Firefox, Safari, Opera, Edge, Excel, Word, PowerPoint, Outlook, Photoshop, Acrobat, Slack, Zoom, Teams, Jira, Confluence, Trello, Unicode, UTF-8, ASCII, Base64, SHA-256, AES, TLS, OAuth, SAML, LDAP, DNS
DHCP, TCP, UDP, SSH, FTP, SMTP, IMAP, HTTP/2, WebSocket, Ethernet, Bluetooth, Wi-Fi, USB-C, HDMI, PCIe, Promise, Map, Set, Array, Buffer, Stream, Iterator, Generator, Boolean, Integer, String, Float, Object, Symbol, Error, Exception, Null
Request, Response, Header, Body, Session, Cookie, Token, Cache, Queue, Stack, Heap, Thread, Process, Worker, Socket, Mutex, Semaphore, Lock, Router, Controller, Model, View, Service, Factory, Adapter, Observer, Singleton, Proxy, Decorator, Mixin
Parser, Lexer, Compiler, Linker, Loader, Debugger, Profiler, Schema, Migration, Index, Trigger, Cursor, Transaction, Rollback, Commit, Branch, Merge, Rebase, Tag, Release, Snapshot, Backup, Replica, Shard, Cluster, Node, Pod, Container, Image
`);

/** Words that are both names and common words, each used as a common word. */
export const ambiguous = list(`
May I sit down?, May we offer you a seat?, In May the days grow longer, Mark the right answer, Mark each box with a cross, Will it ever stop?, Will you stay for dinner?, Rose early and left, The Rose is in bloom, Bill the hours separately
Bill of Rights, Bill to follow, Grace period of ten days, Grace note, Hope this helps, Hope to hear from you soon, Joy and sorrow, Faith and reason, Frank discussion, Jack and socket, Jack of all trades, Pat it dry, Rob no bank, Art and Design, Art Deco
Sue for damages, Drew a line, Chase the ball, Chuck key, Dean of studies, Drake and duck, Ray of light, Gene therapy, Guy ropes, Josh around, Lance and shield, Miles per hour, Nick in the paint, Norm and deviation, Pierce the foil, Rich in fibre
Rusty nails, Sandy soil, Sterling silver, Stone floor, Violet light, Iris scan, Ivy on the wall, Hazel eyes, Heather honey, Holly and mistletoe, Olive branch, Pearl barley, Poppy seeds, Ruby red, Amber light, Crystal clear, Dawn chorus, Autumn term
Summer holidays, April showers, June bugs, August heat, Carol service, Melody and rhythm, Harmony of the parts, Cherry picking, Ginger tea, Basil leaves, Sage advice, Rosemary oil, Clementine peel
Brown paper, Green waste, Black ink, White wine, Gray scale, Young adults, Long distance, Short circuit, Strong coffee, Swift reply, Sharp bends, Savage storms, Wise choices, Noble gases, Best price, Good faith, Hardy plants, Moody weather
King size, Queen bee, Prince and pauper, Bishop takes pawn, Knight to f3, Baker's dozen, Butler sink, Carpenter ants, Cook for ten minutes, Cooper pairs, Fisher matrix, Hunter gatherers, Mason jar, Miller index, Parker pen, Potter's wheel
Shepherd's pie, Smith chart, Taylor series, Turner screw, Walker frame, Weaver bird, Bell curve, Bond yield, Booth number four, Bridges and roads, Brooks and streams, Burns and scalds, Bush fires, Camp site, Case study, Church tower, Cross section
Day care, Field trip, Flowers and shrubs, Ford and bridge, Forest fire, Fox and hounds, Frost warning, Gates and fences, Glass front, Hall and stairs, Hill start, House rules, Lake view, Lane assist, Marsh gas, Moon phase
Page break, Park and ride, Penny wise, Pool table, Price list, Rivers and lakes, Rock salt, Sands of time, Snow chains, Street light, Temple of doom, Waters rise, Webb of lies, Wells and springs, West wind, Winter tyres, Wood glue, Banks and caves
`);

/** Generic bodies and roles in contracts, forms and minutes. */
export const bodies = list(`
Committee, Subcommittee, Working Party, Task Force, Board, Advisory Board, Supervisory Board, Executive Board, Council, Assembly, General Meeting, Secretariat, Authority, Competent Authority, Licensing Authority
Awarding Body, Certification Body, Regulator, Registrar, Registry, Tribunal, Court, Court of Appeal, Arbitrator, Ministry, Department, Agency, Office, Head Office, Branch Office, Help Desk, Front Desk, Reception
Project Team, Design Team, Audit Committee, Selection Committee, Ethics Committee, Organising Committee, Finance Committee, Works Council, Trade Union, Shareholders, Members, Delegates, Observers, Participants, Applicants
Stakeholders, Creditors, Claimant, Defendant, Respondent, Appellant, Plaintiff, Petitioner, Prosecution, Defence, Jury, Witness, Expert Witness, Notary, Trustee, Bank, Insurer, Carrier, Importer, Exporter, Authorised Representative
Management, Senior Management, Human Resources, Finance, Accounting, Procurement, Quality Assurance, Research and Development, Information Security, Customer Care, Technical Support, Logistics, Warehouse, Workshop, Group
Target Group, Control Group, Age Group, Focus Group, Peer Group, Interest Group, Parent Company, Holding Company, Subsidiary, Joint Venture, Partnership, Foundation, Association, Society, Club, School, Hospital, Clinic, Library
`);

/** Subjects that are taught, played, watched and collected. */
export const topics = list(`
Algebra, Geometry, Statistics, Geography, History, Economics, Philosophy, Psychology, Sociology, Astronomy, Botany, Zoology, Anatomy, Pharmacology, Literature, Grammar, Spelling, Handwriting, Religious Education, Physical Education
Computer Science, Mechanical Engineering, Civil Engineering, Architecture, Accounting, Nursing, Theology, Linguistics, Painting, Pottery, Photography, Ballet, Jazz, Opera, Choir, Orchestra, Chess, Bridge, Football, Tennis, Swimming
Rowing, Cycling, Hiking, Climbing, Skiing, Yoga, Pilates, Boxing, Judo, Fencing, Archery, Golf, Hockey, Cricket, Rugby, Basketball, Volleyball, Table Tennis, Gardening, Knitting, Sewing, Cooking, Baking, Fishing, Sailing, Riding
Neptune, Uranus, Pluto, the Moon, the Milky Way, Orion, Sirius, Aries, Taurus, Gemini, Leo, Virgo, Libra, Scorpio, Pisces, Tulip, Orchid, Lily, Jasmine, Lavender, Magnolia, Marigold, Primrose, Camellia, Fern, Moss, Birch, Ash, Elm, Willow
Cedar, Pine, Larch, Holly, Robin, Wren, Martin, Finch, Jay, Kestrel, Falcon, Heron, Drake, Swan, Diamond, Emerald, Sapphire, Opal, Topaz, Onyx, Garnet, Coral, Pearl, Beryl, Cobalt, Bronze, Platinum, Velvet, Denim, Satin, Tweed, Mohair
Spring, Summer, Autumn, Winter, Christmas, Easter, New Year, Halloween, Mother's Day, Midsummer, Carnival, Advent, Lent, North, South, East, West, Northeast, Upstairs, Downtown, Earth, Heaven, Nature, Love, Peace, Truth, Justice, Liberty
`);
