// Words by kind that lists of names lack, compiled by hand.

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
function lines(text: string): string[] {
  return text
    .trim()
    .split(/\s*[|\n]\s*/)
    .filter(Boolean);
}

export const honorifics = lines(`
Mr. | Mrs. | Ms. | Miss | Dr. | Prof. | Mr | Mrs | Ms | Dr | Prof | Professor | Sir | Madam | Rev. | Hon. | Capt. | Sgt. | Lt. | Col. | Gen.
Doctor | Mister | Mx. | Lady | Lord | Dame | Judge | Justice | Father | Sister | Brother | Pastor | Rabbi | Imam | Captain | Major | Sergeant
Mme | Mlle | M. | Monsieur | Madame | Maître | Herr | Frau | Hr. | Fr. | Sr. | Sra. | Srta. | Don | Doña | Señor | Señora | Sig. | Sig.ra | Signor | Signora
Dott. | Ing. | Dhr. | Mevr. | Drs. | Pan | Pani | Mag. | Dipl.-Ing. | Mgr. | MUDr. | JUDr. | Fru | Senhor | Senhora | Κύριος | Κυρία | Attorney | Senator | President | Officer | Nurse | Coach`);

export const commonHonorifics = [
  'Mr.',
  'Mrs.',
  'Ms.',
  'Dr.',
  'Mr',
  'Mrs',
  'Ms',
  'Dr',
  'Miss',
  'Prof.',
];

export const jobs = lines(`
accountant | actuary | air traffic controller | anaesthetist | analyst | animal trainer | archaeologist | architect | archivist | art director
assistant manager | auditor | baker | bank teller | barber | barista | bartender | biochemist | biologist | bookkeeper | brand manager | bricklayer
building inspector | bus driver | business analyst | butcher | buyer | cabinetmaker | carer | carpenter | cartographer | cashier | chef | chemist
chief executive officer | CEO | CFO | CTO | COO | chief financial officer | chief medical officer | chief of staff | childcare worker | civil engineer
claims adjuster | clerk | coach | compliance officer | concierge | consultant | controller | cook | copywriter | court reporter | curator
customer service representative | data analyst | data entry clerk | data scientist | dentist | dental hygienist | deputy director | designer
dietitian | director | director of operations | dispatcher | doctor | economist | editor | electrical engineer | electrician | engineer
environmental scientist | estate agent | event planner | executive assistant | farmer | film editor | financial advisor | firefighter | fisherman
fitness instructor | flight attendant | florist | forester | forklift operator | gardener | general manager | geologist | glazier
graphic designer | hairdresser | head of human resources | head of marketing | head nurse | historian | housekeeper | HR manager | illustrator
insurance broker | interior designer | interpreter | investigator | IT manager | janitor | jeweller | journalist | judge | key account manager
lab technician | land surveyor | landscape architect | lawyer | lecturer | legal secretary | librarian | locksmith | logistics coordinator
loan officer | machinist | maintenance engineer | managing director | marine biologist | marketing manager | mason | massage therapist
mathematician | mechanic | mechanical engineer | medical assistant | meteorologist | midwife | miner | model maker | music teacher | musician
network administrator | notary | nurse | nurse practitioner | occupational therapist | office manager | operations manager | optician
optometrist | painter | paralegal | paramedic | park ranger | payroll clerk | pediatrician | personal assistant | pharmacist | photographer
physical therapist | physician | physicist | pilot | plumber | police officer | postal worker | postdoctoral researcher | potter | principal
private investigator | probation officer | product manager | production manager | professor | programmer | project manager | proofreader
property manager | psychiatrist | psychologist | public relations officer | purchasing agent | quality inspector | radiographer
railway engineer | real estate agent | receptionist | recruiter | registered nurse | researcher | roofer | sailor | sales assistant
sales manager | sales representative | school counselor | scientist | secretary | security guard | ship captain | shop assistant
social worker | software developer | software engineer | solicitor | speech therapist | statistician | stonemason | store manager | student
supervisor | surgeon | surveyor | systems administrator | tailor | tax advisor | taxi driver | teacher | team leader | technical writer
telephone operator | tour guide | town planner | toolmaker | train driver | trainer | translator | travel agent | treasurer | truck driver | tutor
typist | upholsterer | urban planner | usher | valuer | veterinarian | vice president | vice president of sales | video editor | waiter
warehouse manager | watchmaker | web developer | welder | window cleaner | writer | youth worker | zookeeper | zoologist
claims, policy and records clerk | welder and fitter | food preparation worker | telecommunications line installer | heavy equipment operator
boiler operator | textile machine setter | aircraft mechanic | postmaster | crane operator | bank examiner | budget analyst | fundraiser`);

export const nationalities = lines(`
Afghan | Albanian | Algerian | American | Andorran | Angolan | Argentine | Argentinian | Armenian | Australian | Austrian | Azerbaijani | Bahamian | Bahraini
Bangladeshi | Barbadian | Belarusian | Belgian | Belizean | Beninese | Bhutanese | Bolivian | Bosnian | Brazilian | British | Bruneian | Bulgarian
Burmese | Burundian | Cambodian | Cameroonian | Canadian | Chadian | Chilean | Chinese | Colombian | Congolese | Costa Rican | Croatian | Cuban | Cypriot
Czech | Danish | Dutch | Dominican | Ecuadorian | Egyptian | English | Eritrean | Estonian | Ethiopian | Fijian | Filipino | Finnish | French | Gabonese
Gambian | Georgian | German | Ghanaian | Greek | Greenlandic | Guatemalan | Guinean | Guyanese | Haitian | Honduran | Hungarian | Icelandic | Indian
Indonesian | Iranian | Iraqi | Irish | Israeli | Italian | Ivorian | Jamaican | Japanese | Jordanian | Kazakh | Kenyan | Korean | Kosovar | Kuwaiti
Kyrgyz | Lao | Latvian | Lebanese | Liberian | Libyan | Lithuanian | Luxembourgish | Macedonian | Malagasy | Malawian | Malaysian | Maldivian | Malian
Maltese | Mauritanian | Mauritian | Mexican | Moldovan | Monegasque | Mongolian | Montenegrin | Moroccan | Mozambican | Namibian | Nepalese | Nepali
New Zealander | Nicaraguan | Nigerian | Norwegian | Omani | Pakistani | Palestinian | Panamanian | Paraguayan | Persian | Peruvian | Polish | Portuguese
Puerto Rican | Qatari | Romanian | Russian | Rwandan | Salvadoran | Samoan | Saudi | Scottish | Senegalese | Serbian | Singaporean | Slovak | Slovenian
Somali | South African | South Korean | Spanish | Sri Lankan | Sudanese | Surinamese | Swedish | Swiss | Syrian | Taiwanese | Tajik | Tanzanian | Thai
Tibetan | Togolese | Tongan | Tunisian | Turkish | Turkmen | Ugandan | Ukrainian | Uruguayan | Uzbek | Venezuelan | Vietnamese | Welsh | Yemeni | Zambian
Zimbabwean | Basque | Catalan | Flemish | Bavarian | Sicilian | Texan | Californian | Londoner | Parisian | Berliner | Hispanic | Latino | Latina | Asian
African American | European | African | Arab | Kurdish | Roma | Inuit | Maori | Navajo | Cherokee | Spaniard | Dane | Swede | Finn | Pole | Turk | Briton | Scot
Scandinavian | Nordic | Anglo-Saxon`);

export const groups = lines(`
Christian | Catholic | Roman Catholic | Protestant | Lutheran | Methodist | Baptist | Anglican | Presbyterian | Orthodox | Greek Orthodox | Mormon | Quaker
Muslim | Sunni | Shia | Jewish | Buddhist | Hindu | Sikh | Jain | Taoist | Bahai | atheist | agnostic | Evangelical | Pentecostal | Jehovah's Witness
Republican | Democrat | Democratic | Labour | Conservative | Tory | Liberal Democrat | Social Democrat | Christian Democrat | Green | socialist | communist
Libertarian | Marxist`);

export const streetWords = words(`
Street St Road Rd Avenue Ave Av Boulevard Blvd Lane Ln Drive Dr Court Ct Place Pl Square Sq Terrace Ter Way Close Crescent Cres Grove Hill Mews Parade Row Walk
Circle Cir Highway Hwy Parkway Pkwy Trail Trl Turnpike Alley Loop Plaza Quay Wharf Esplanade Gardens Rise View Vale Heights Ridge Pike Bypass Junction
Straße Strasse Str Weg Allee Platz Gasse Ring Damm Ufer Steig Chaussee rue avenue boulevard place impasse allée chemin quai cours route
calle avenida plaza paseo camino carrera carretera ronda travesía rúa via viale piazza corso largo vicolo strada contrada borgo
rua travessa praça alameda rodovia estrada largo straat laan plein gracht kade steenweg dreef singel weg gade vej vejen allé torv stræde
gata gatan vägen väg gränd torg vei veien gate plass katu tie kuja polku tori bulevardi utca út tér köz körút sétány fasor tere útja
ulice náměstí třída nábřeží ulica námestie cesta trg ulica put obala aleja ul al pl os plac osiedle rynek strada bulevardul calea intrarea șoseaua piața
ulitsa ulitza prospekt pereulok ulica bulvar улица ул проспект пр площадь пл переулок пер шоссе набережная бульвар вулиця вул провулок
οδός λεωφόρος πλατεία Λεωφ sokak sokağı caddesi cad cadde bulvarı mahallesi mah iela prospekts gatvė pr tänav tee puiestee maantee jalan jl đường phố gasse ruelle
broad calea dorp pad rruga rue braut gata stígur vegur tún`);

export const unitWords = words(`
Apt Apartment Suite Ste Unit Floor Flat Fl Room Rm Building Bldg Box PO P.O. Postfach Postboks Postbus apartado BP Lot Penthouse Basement Level Dept Lgh Hus
Stock OG EG Etage Stiege Tür Appartamento Piano Interno Apto Sala Bloco Piso Puerta planta étage appartement bâtiment escalier em ajtó emelet fszt
m lok kv byt lejl th tv mf PSC APO FPO AE AP AA DPO CMR USS USNS c/o Block Tower Wing postcode zip postal code PLZ CEP CP`);

export const legalForms = lines(`
Inc | Inc. | LLC | L.L.C. | Ltd | Ltd. | Limited | PLC | plc | Corp | Corp. | Corporation | Incorporated | Co. | Company | LLP | LP | Group | Holdings | & Co. | & Sons | and Sons
and Partners | & Partners | GmbH | AG | KG | GmbH & Co. KG | OHG | e.V. | SE | S.A. | SA | SARL | SAS | S.L. | S.R.L. | S.p.A. | SpA | Srl | s.r.l. | B.V. | BV | N.V. | NV | AB | A/S | ApS | AS
ASA | Oy | Oyj | Kft. | Zrt. | Nyrt. | Bt. | s.r.o. | a.s. | Sp. z o.o. | d.o.o. | d.d. | OOO | ООО | ЗАО | Pty Ltd | Pte Ltd | Lda | Ltda. | EIRELI | Ehf. | hf. | OÜ | SIA | UAB | A.Ş. | Α.Ε. | K.K. | Sdn Bhd`);

export const organizationWords = words(`
Bank University College Institute School Academy Hospital Clinic Foundation Association Society Council Ministry Department Agency Authority Commission
Committee Union Federation League Club Trust Fund Capital Partners Ventures Consulting Solutions Systems Technologies Technology Labs Laboratories Software
Networks Media Studios Entertainment Pictures Records Press Publishing Energy Power Oil Gas Petroleum Electric Motors Automotive Airlines Airways Aviation
Logistics Freight Shipping Transport Railways Insurance Assurance Financial Finance Investments Securities Realty Properties Estates Construction
Builders Engineering Industries Manufacturing Steel Chemicals Pharmaceuticals Pharma Biotech Healthcare Health Medical Dental Foods Bakery Brewery Dairy
Farms Restaurants Hotels Resorts Travel Tours Retail Stores Markets Supermarkets Fashion Apparel Textiles Design Architects Associates Services Enterprises
International Global Worldwide Telecom Communications Mobile Wireless Data Analytics Digital Security Research Museum Library Theatre Orchestra Church
Charity Cooperative Office Bureau Embassy Police Court Corps Guild Works Supply Trading Exports Imports Outfitters Motors`);

export const wellKnown = lines(`
Google | Microsoft | Apple | Amazon | Facebook | Netflix | Twitter | LinkedIn | Oracle | IBM | Intel | Nvidia | Cisco | Adobe | Salesforce | Samsung | Sony | Toyota | Honda | Nissan
Volkswagen | BMW | Siemens | Bosch | Bayer | SAP | Allianz | Deutsche Bank | Nestlé | Novartis | Roche | UBS | Unilever | Shell | BP | HSBC | Barclays | Vodafone | Tesco | Ikea | Volvo
Ericsson | Nokia | Maersk | Carlsberg | Lego | Airbus | Renault | Peugeot | Total | Danone | Michelin | Carrefour | Fiat | Ferrari | Telefónica | Santander | Zara | Heineken | Philips | ING
Boeing | Ford | General Motors | General Electric | Walmart | Target | Costco | Starbucks | McDonald's | Coca-Cola | PepsiCo | Nike | Adidas | Puma | Pfizer | Moderna | Johnson & Johnson
Procter & Gamble | Goldman Sachs | JPMorgan Chase | Morgan Stanley | Citigroup | Wells Fargo | Visa | Mastercard | PayPal | eBay | Uber | Airbnb | Spotify | Tesla | SpaceX | NASA | FBI | CIA
NATO | UNESCO | UNICEF | WHO | the United Nations | the European Union | European Central Bank | World Bank | Red Cross | Amnesty International | Greenpeace | BBC | CNN | Reuters | the New York Times
the Guardian | Washington Post | Harvard University | Stanford University | MIT | Oxford University | Lufthansa | Ryanair | Qantas | Air France | British Airways | Emirates | DHL | FedEx | UPS
Manchester United | Real Madrid | FC Barcelona | Bayern Munich | Juventus | Boston Celtics | Chicago Bulls | New York Yankees | Dallas Cowboys | Los Angeles Lakers | Toronto Maple Leafs`);

export const calendar = words(`
January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun Christmas Easter Spring Summer Autumn Winter
one two three four five six seven eight nine ten eleven twelve hundred thousand first second third`);
