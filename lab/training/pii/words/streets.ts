// Street name patterns by country, compiled by hand. `*` stands for a name or stem.

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
function lines(text: string): string[] {
  return text
    .trim()
    .split(/\s*[|\n]\s*/)
    .filter(Boolean);
}

/** Things other than people that streets are named after in each language. */
export const stems = {
  english:
    lines(`Oak | Maple | Main | Park | Church | Mill | River | Lake | Hill | Cedar | Pine | Elm | Walnut | Willow | Spring | Sunset | Highland | Forest | Meadow | Valley
    Ridge | Chestnut | Washington | Lincoln | Jefferson | Franklin | Victoria | Queen | King | Prince | Station | Market | Bridge | Castle | Green | North | South | Mount Pleasant
    Cherry Tree | Rose | Holly | Ash | Birch | Orchard | Garden | Harbour | Bay | Ocean | Shore | Beach | Canal | Railway | School | College | Chapel | Manor | Abbey | Windmill | Fox Hollow
    Deer Run | Stonebridge | Old Post | County | Mission | Broadway | Commerce | Industrial | Liberty | Union | Court | Front | Water | Canyon | Eagle | Heron | Quail | Sycamore | Poplar
    Magnolia | Juniper | Hawthorn | Primrose | Lavender | Bell | Coach House | Tannery | Kiln | Quarry | Signal | Lighthouse | Anchor | Fairview | Grandview | Clearwater | Blue Ridge`),
  nordic:
    words(`Björk Ek Lind Skog Sjö Strand Kyrk Skol Stations Kungs Drottning Stor Ny Gammel Vester Øster Nørre Sønder Møll Bakke Eng Sol Måne Stjern Fugl Ros Blomst
    Furu Gran Havn Hav Fjell Dal Elv Kirke Prest Gård Løv Ask Alm Lille Lang Høj Brænd Klint Torp Hede Mose Kær Lund Sten Smed Bager Bryggar Kvarn Äng Berg Lärk Svan Örn Tall Aspen Vallmo
    Kløver Lyng Bregne Eike Rogn Tind Fjord Nes Vik Holm Odin Thor Freja Strömm Hamn Fiskar Guld Silver Kastanje Syren Mariell Holme Kongens Dronningens`),
  finnish:
    words(`Koivu Mänty Kuusi Puisto Asema Kirkko Koulu Satama Ranta Metsä Järven Mäki Pelto Kallio Laakso Lehto Hämeen Turun Kauppa Keskus Linna Mylly Niitty Pihlaja Vaahtera Tammi
    Leppä Suvi Talvi Tuuli Aurinko Kuun Tähti Susi Karhun Jänis Lintu Hauki Lohi Ahti Sampo Väinö Ilmari Kaisa Rauta Hopea Kulta Teollisuus`),
  icelandic: words(
    `Lauga Skóla Strand Vestur Austur Norður Suður Berg Bjarkar Hlíðar Birki Lækjar Hafnar Aðal Garða Brekku Heiðar Hraun Túngö Fjalla Dals Sól Ból Kirkju Mýrar Ægis Eyrar`,
  ),
  estonian: words(
    `Pärna Kase Tamme Kooli Metsa Mere Jaama Aia Lossi Vabaduse Narva Tartu Pikk Lai Uus Vana Kalda Ranna Põllu Ilmarise Kuuse Männi Toome Sõpruse Nurme Lepa`,
  ),
  german:
    lines(`Garten | Bahnhof | Haupt | Schul | Kirch | Berg | Wald | Linden | Rosen | Birken | Eichen | Buchen | Mühlen | Wiesen | Park | Schloss | Brunnen | Feld | Ring | Post | Markt | Hafen
    Goethe | Schiller | Mozart | Beethoven | Lessing | Bismarck | Kant | Uhland | Ahorn | Tannen | Kastanien | Sonnen | Stein | Ziegel | Acker | Dorf | Burg | Neu | Ober | Unter | Industrie | Friedhof`),
  romance:
    lines(`de la République | de la Gare | des Lilas | du Moulin | de l'Église | des Écoles | du Château | Victor Hugo | Jean Jaurès | Pasteur | de Verdun | du Général Leclerc | de Paris
    de la Fontaine | des Acacias | du Marché | Saint-Michel | de la Liberté | des Roses | du Port | de la Plage | Voltaire | Gambetta | de Bretagne | des Champs | de la Paix`),
  italian:
    lines(`Roma | Garibaldi | Mazzini | Dante Alighieri | Verdi | Cavour | Marconi | XX Settembre | IV Novembre | Leonardo da Vinci | della Repubblica | Nazionale | San Marco | del Duomo
    Vittorio Emanuele II | della Libertà | dei Mille | Santa Maria | San Francesco | del Corso | Manzoni | Galileo Galilei | delle Rose | del Porto | Trieste | Milano | Torino | Firenze`),
  spanish:
    lines(`Mayor | de la Constitución | Real | del Sol | de Cervantes | San Juan | Santa Ana | de la Iglesia | Nueva | de Alcalá | Gran Vía | Colón | de la Paz | Libertad | Hidalgo | Juárez
    Reforma | Insurgentes | 5 de Mayo | 16 de Septiembre | del Carmen | de los Olivos | Bolívar | San Martín | Rivadavia | del Prado | Zaragoza | de la Estación | Benito Juárez | Las Flores`),
  portuguese:
    lines(`das Flores | da Liberdade | Sete de Setembro | Quinze de Novembro | São João | Santo Antônio | da Paz | do Comércio | Dom Pedro II | Tiradentes | Barão do Rio Branco | Paulista
    25 de Abril | da República | dos Combatentes | de Santa Catarina | do Carmo | da Igreja | Nova | Direita | Marechal Deodoro | Rui Barbosa | das Acácias | dos Pinheiros | Tupi | Guarani`),
  slavic:
    lines(`Lipová | Dlouhá | Krátká | Nádražní | Školní | Zahradní | Polní | Husova | Masarykova | Na Příkopě | Pod Lesem | U Potoka | Květná | Jiráskova | Palackého | Hlavní | Sadová
    Slovenská | Hviezdoslavova | Štúrova | Mlynská | Záhradná | Jarná | Slnečná | Tyršova | Komenského | K Lesu | Ke Hřišti | V Zahradách | Na Vyhlídce`),
  polish:
    lines(`Polna | Leśna | Słoneczna | Krótka | Szkolna | Ogrodowa | Lipowa | Łąkowa | Brzozowa | Kwiatowa | Kościuszki | Mickiewicza | Sienkiewicza | Piłsudskiego | Słowackiego
    Grunwaldzka | Warszawska | Krakowska | Długa | Wolności | Jana Pawła II | 3 Maja | Kopernika | Żeromskiego | Zielona | Klonowa | Akacjowa | Jagiellońska | Rejtana | Moniuszki`),
  south:
    lines(`Prešernova | Cankarjeva | Slovenska | Trubarjeva | Gregorčičeva | Kolodvorska | Šolska | Vrtna | Partizanska | Celovška | Dunajska | Ilica | Vukovarska | Zagrebačka
    Kralja Tomislava | Stjepana Radića | Matije Gupca | Ante Starčevića | Bana Jelačića | Vladimira Nazora | Nikole Tesle | Kneza Miloša | Kralja Petra | Vuka Karadžića | Njegoševa | Splitska`),
  hungarian:
    lines(`Kossuth Lajos | Petőfi Sándor | Rákóczi | Széchenyi | Dózsa György | Ady Endre | Arany János | József Attila | Szabadság | Béke | Fő | Jókai Mór | Deák Ferenc | Bartók Béla
    Erzsébet | Szent László | Hunyadi | Zrínyi | Akácfa | Rózsa | Virág | Tavasz | Nyírfa | Diófa | Vörösmarty | Bem | Damjanich | Váci | Andrássy | Budai | Pesti | Kálvin | Bajcsy-Zsilinszky`),
  greek:
    lines(`Αγίου Δημητρίου | Ερμού | Σταδίου | Πανεπιστημίου | Βασιλίσσης Σοφίας | Ελευθερίου Βενιζέλου | Κολοκοτρώνη | Μακαρίου | Αγίας Σοφίας | Εθνικής Αντιστάσεως | 28ης Οκτωβρίου
    Παπανικολή | Λεωνίδου | Αριστοτέλους | Εγνατία | Τσιμισκή | Μιαούλη | Ρήγα Φεραίου | Αθηνών | Ομήρου | Σωκράτους | Ηρακλέους | Κύπρου | Κωνσταντίνου Παλαιολόγου`),
  greekLatin:
    lines(`Agiou Dimitriou | Ermou | Stadiou | Venizelou | Kolokotroni | Makariou III | Agias Sofias | Aristotelous | Egnatia | Tsimiski | Omirou | Sokratous | Irakleous | Kyprou
    Athinon | Griva Digeni | Arch. Kyprianou | Ledras | Onasagorou | Anexartisias | Evagorou | Themistokli Dervi`),
  russian: lines(
    `Ленина | Советская | Садовая | Пушкина | Гагарина | Мира | Лесная | Центральная | Молодёжная | Школьная | Невский | Тверская | Кирова | Победы | Заречная | Октябрьская`,
  ),
  russianLatin: lines(
    `Lenina | Sovetskaya | Sadovaya | Pushkina | Gagarina | Mira | Lesnaya | Tsentralnaya | Nevsky | Tverskaya | Kirova | Pobedy | Shevchenka | Khreshchatyk | Naberezhnaya`,
  ),
  turkish: lines(
    `Atatürk | Cumhuriyet | İstiklal | Bağdat | Gül | Lale | Çınar | Barbaros | İnönü | Mevlana | Fatih Sultan Mehmet | Zafer`,
  ),
  indian: lines(
    `M.G. | Gandhi | Nehru | Station | Park | Brigade | Residency | Linking | Hill | Ring | Church | Mall | Commercial | Temple | Anna | Race Course`,
  ),
} as const;

/** Complete street names, with `*` for the stem. Those without a space before the ending are compounds. */
export const streetForms = {
  us: words(`*_Street *_St *_St. *_Avenue *_Ave *_Ave. *_Road *_Rd *_Drive *_Dr *_Lane *_Ln *_Court *_Ct *_Boulevard *_Blvd *_Way *_Place *_Pl *_Circle *_Cir *_Terrace
    *_Parkway *_Pkwy *_Trail *_Highway *_Hwy *_Square *_Loop *_Alley *_Plaza *_Crossing *_Run *_Pike N_*_St S_*_Ave W_*_Street E_*_Rd NW_*_Ave North_*_Street West_*_Avenue`).map(
    spaced,
  ),
  uk: words(`*_Street *_Road *_Lane *_Close *_Avenue *_Drive *_Gardens *_Crescent *_Grove *_Terrace *_Place *_Court *_Way *_Square *_Mews *_Rise *_Hill *_Walk *_Parade High_Street
    The_* *_View *_Row *_Green *_Park *_Esplanade *_Wharf *_Quay *_Rd *_St Upper_*_Street`).map(
    spaced,
  ),
  german: words(
    '*straße *straße *straße *str. *weg *weg *allee *platz *gasse *ring *damm *ufer *-Straße *_Straße *steig *hof Am_* An_der_*',
  ).map(spaced),
  french: words(
    `rue_* rue_* Rue_* avenue_* Avenue_* boulevard_* Boulevard_* place_* Place_* impasse_* allée_* Allée_* chemin_* quai_* cours_* route_* Chaussée_* square_* Faubourg_*`,
  ).map(spaced),
  italian: words(
    'Via_* Via_* Via_* via_* Viale_* Piazza_* Corso_* Largo_* Vicolo_* Strada_* Contrada_* Lungomare_* Borgo_*',
  ).map(spaced),
  spanish: words(
    'Calle_* Calle_* calle_* C/_* C._* Avenida_* Avda._* Av._* Plaza_* Paseo_* Camino_* Carretera_* Ronda_* Bulevar_* Pasaje_*',
  ).map(spaced),
  portuguese: words(
    'Rua_* Rua_* Rua_* R._* Avenida_* Av._* Travessa_* Praça_* Alameda_* Estrada_* Rodovia_* Largo_* Beco_*',
  ).map(spaced),
  dutch: words(
    '*straat *straat *laan *weg *plein *gracht *kade *dreef *singel *hof *dijk *steenweg *pad *park *baan',
  ).map(spaced),
  danish: words(
    '*vej *vej *gade *gade *allé *vænget *parken *stræde *bakken *svinget *toften *plads *torv *engen *krogen',
  ).map(spaced),
  norwegian: words(
    '*veien *veien *gata *gaten *vegen *bakken *svingen *stien *lia *haugen *kroken *plass *tunet *vei s_vei',
  ).map(spaced),
  swedish: words(
    '*gatan *gatan *vägen *vägen *gränd *stigen *backen *torget *allén *plan *_väg *slingan *leden',
  ).map(spaced),
  finnish: words(
    '*katu *katu *tie *tie *kuja *polku *tori *kaari *rinne *ranta *puisto *raitti *bulevardi *portti',
  ).map(spaced),
  icelandic: words(
    '*gata *vegur *braut *stígur *hlíð *tún *holt *bær *flöt *ás *strönd *byggð *sund *garður',
  ).map(spaced),
  estonian: words('*_tänav *_tn *_tee *_pst *_puiestee *_maantee *_põik *').map(spaced),
  baltic: words('*_iela *_iela *_prospekts *_g. *_gatvė *_pr. *_bulvāris').map(spaced),
  polish: words('ul._* ul._* ul._* ul_* Ulica_* al._* Aleja_* os._* pl._* Plac_* *').map(spaced),
  czech: words('* * * *_ulice náměstí_* třída_* nám._* ul._* ulica_* námestie_* nábřeží_*').map(
    spaced,
  ),
  south: words(
    '* *_ulica *_ulica Ulica_* *_cesta *_trg Trg_* Cesta_* *_pot Ul._* ulica_* Obala_* Bulevar_* Put_*',
  ).map(spaced),
  hungarian: words(
    '*_utca *_utca *_utca *_u. *_u. *_út *_tér *_körút *_krt. *_köz *_sétány *_útja *_fasor *_sor *_dűlő',
  ).map(spaced),
  romanian: words(
    'Strada_* Strada_* Str._* Bulevardul_* Bd._* Calea_* Aleea_* Piața_* Șoseaua_*',
  ).map(spaced),
  greek: words('* * *_οδός Οδός_* Λεωφ._* Λεωφόρος_* Πλατεία_*').map(spaced),
  greekLatin: words('* * *_Street *_St. Leoforos_* Odos_* Plateia_* *_Avenue').map(spaced),
  russian: words('ул._* ул._* улица_* пр._* проспект_* пер._* наб._* бульвар_*').map(spaced),
  russianLatin: words(
    'ul._* ul._* ulitsa_* prospekt_* *_Street *_ul. vul._* *_prospekt per._* bul._*',
  ).map(spaced),
  turkish: words('*_Caddesi *_Cad. *_Cd. *_Sokak *_Sok. *_Sk. *_Bulvarı *_Mah._*_Sok.').map(spaced),
  vietnamese: words('Đường_* đường_* *_Street Phố_*').map(spaced),
} as const;

function spaced(form: string): string {
  return form.replaceAll('_', ' ');
}

export const states = {
  US: words(
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR',
  ),
  AU: words('NSW VIC QLD WA SA TAS ACT NT'),
  CA: words('ON QC BC AB MB SK NS NB NL PE'),
  IT: words('MI RM TO NA FI BO VE GE PA BA CT VR PD BS BG MO RE RN AN PG LE SA CO VA'),
  BR: words('SP RJ MG RS PR SC BA PE CE DF GO ES PA AM'),
  ES: lines(
    'Madrid | Barcelona | Valencia | Sevilla | Málaga | Bizkaia | Zaragoza | Asturias | Cádiz | Toledo',
  ),
  GB: lines(
    'Kent | Surrey | Essex | Devon | Cornwall | Norfolk | Suffolk | West Yorkshire | Lancashire | Cheshire | Dorset | Hampshire | Berkshire',
  ),
  IE: lines('Co. Dublin | Co. Cork | Co. Galway | Co. Kerry | Co. Mayo | Co. Donegal | Co. Clare'),
  IN: lines(
    'Maharashtra | Karnataka | Tamil Nadu | Kerala | Gujarat | West Bengal | Uttar Pradesh | Punjab | Rajasthan',
  ),
  CH: words('ZH BE VD GE SG AG TI BS LU GR'),
} as const;
