import { entries, type Language } from './language.ts';

export const italian: Language = {
  code: 'it',
  locales: ['it'],
  countries: ['IT'],
  particles: entries('di | de | della | degli | dal'),
  particleShare: 0.06,
  roles: entries(
    `il mio vicino | la mia collega | nostro figlio | nostra figlia | il conducente | la teste | il suo avvocato | sua sorella | il ricorrente | la querelante | il defunto | il nostro dipendente | l'inquilina | suo fratello | il paziente | l'alunno | il mio capo | l'autore | l'artista | suo marito | il proprietario | la candidata | l'imputato | la mia amica`,
  ),
  verbs: entries(
    `dice | ha detto | chiede | ha chiesto | pensa | spiega | conferma | contesta | arriva | è arrivato | parte | è partita | chiama | ha chiamato | ha telefonato | ha pagato | è malato | è assente | è d'accordo | vuole sapere | non può | deve venire | deve aspettare | è stato eletto | è stata sentita | sostituisce | dirige | scrive | manda | risponde | firma | vende | compra | propone | rifiuta | precisa | aggiunge | ringrazia | vince | perde | ha segnato | abita qui | lavora lì | sa | crede | spera | paga | eredita | ottiene | presenta la relazione | lascia la sala`,
  ),
  namedStreets: entries(
    `via & * | Via & * | viale & * | Viale * | piazza & * | Piazza * | corso & * | largo * | Via *`,
  ),
  namesakes: entries(
    `Ferraro | Pastore | Sarto | Fabbri | Barbieri | Re | Conte | Bianchi | Rossi | Bruno | Gallo | Leone | Lupo | Monti | Costa | Fontana | Villa | Ponte | Chiesa | Fiore | Grassi | Longo | Piccolo | Grande | Martello | Forno`,
  ),
  dates: ['D M Y', 'D M Y', '1º M Y', 'D/n/Y', 'D.n.Y', 'D M', 'M Y'],
  titles: entries(
    `Sig. | Sig.ra | Sig.na | Sigg. | signor | signora | il signor | la signora | Dott. | Dott.ssa | il dottor | la dottoressa | Dr. | Prof. | Prof.ssa | Avv. | l'avvocato | Ing. | Geom. | Rag. | Arch. | Egr. Sig. | Gent.ma Sig.ra | Spett.le Dott. | On. | don | suor | il giudice | il ministro | zio | zia | dottor | dottoressa | professor | professoressa | avvocato | ingegner | signorina | architetto | maestra`,
  ),
  jobs: entries(
    `amministratore delegato | direttrice generale | ragioniere | infermiera | medico di base | avvocato | ingegnere | segretaria | responsabile del personale | capo progetto | tecnico | insegnante | commessa | presidente | amministratore unico | notaio | perito | fisioterapista | assistente sociale | commercialista`,
  ),
  organizations: entries(
    `* S.r.l. | * S.p.A. | Fratelli * S.n.c. | * & C. S.a.s. | Studio * | Studio Legale * | @ S.p.A. | @ S.r.l. | Gruppo @ | @ Italia | Panificio * | Autofficina * | Comune di # | Ospedale di # | Università degli Studi di # | Tribunale di # | Corte d'Appello di # | Questura di # | Intesa Sanpaolo | UniCredit | Agenzia delle Entrate | INPS | Poste Italiane | Trenitalia | Enel | Assicurazioni * | Immobiliare * | Liceo * | Farmacia * | Clinica * | Edizioni @ | Fondazione * | Condominio @ | ASL #`,
  ),
  nationalities: entries(
    `italiana | italiano | rumena | albanese | marocchino | francese | tedesca | spagnolo | cinese | cattolica | valdese`,
  ),
  laws: entries(
    `l'articolo #### del codice civile | la legge ## del 19## | il decreto legislativo n. ### | l'art. ## della Costituzione | il Regolamento generale sulla protezione dei dati | il codice della strada | lo Statuto dei lavoratori | il D.P.R. ###/20##`,
  ),
  personal: `
{L} {v}.
{L} {v}, {L} {v}.
{W}: {P}. {L} {v}.
{F} {v}, {F} {v}.
{R} {F} {v}.
{W} di {F} e {W} di {F}
{w} di {F} e {w} di {F} {w}
{W}: {L}, {L}, {L}, {L}
{W}: {F} e {P}
{W}: {I}, {d}
{n}. {I}⏎{n}. {I}⏎{n}. {I}
{I}⏎{I}⏎{I}
{I} ({w})⏎{I} ({w})
{X} {F}, {w} {n}
{W}	{n}⏎{L}	{n}⏎{L}	{n}
{L} ({w}), {L} ({w})
{SP} {n}, {P}
{f} {v}, {w} {f}
{W}: {L}⏎{W}: {id}
{L} {w} {L} {w} {w}.
Spett.le ditta,⏎⏎con la presente comunico il recesso dal contratto a decorrere dal {d}.⏎⏎{P}
Gentile {H} {L},⏎abbiamo ricevuto la Sua lettera del {d}.
Cara {F},⏎grazie del messaggio, {F} e io arriviamo {D} a {C}.⏎Un abbraccio,⏎{F}
Ciao {F}, puoi dire a {F} che la riunione è spostata alle {time}?
Tra {P}, nato a {C} il {d}, residente in {A}, di seguito locatore, e {P}, di seguito conduttore
{H} {P}, residente in {A}, è assunta come {J} dal {d}.
Condanna {P} al pagamento in favore di {P} della somma di {amt}.
{P}, rappresentato e difeso da {H} {P}, con studio in {A}
Il teste, {H} {P}, ha dichiarato di aver visto {L} il {d} a {C}.
Paziente: {P}, nato il {d}, {A}
Si visita {H} {P}, di anni {age}, inviata da {H} {L}.
Lettera di dimissione. Medico responsabile: {H} {P}
{H} {L} lamenta lombalgia da {n} settimane.
Referente: {P}, tel. {phone}, {email}
Per informazioni rivolgersi a {P} al {phone}.
La valutazione di {P} è stata svolta da {H} {L}.
La domanda di {H} {L} è stata respinta il {d}.
La madre di {F}, {P}, abita a {C}.
{P} lavora come {J} presso {O} dal {d}.
Secondo {P}, {J} di {O}, il fatturato cresce del {n} %.
«Non ce l'aspettavamo», ha detto {P} {D} a {C}.
{P}, {age} anni, di {C}, ha vinto la tappa davanti a {P} e {P}.
Indirizzo di consegna: {P}, {A}
Fattura intestata a:⏎{P}⏎{A}
{O}⏎{A}⏎⏎{H} {P}⏎{A}⏎⏎{C}, {d}⏎⏎Oggetto: {w} {w}
Intestatario del conto: {P}⏎IBAN: {iban}⏎Causale: affitto di {m}
Candidatura per il posto di {J}⏎{P}⏎{A}⏎Telefono: {phone}
Cognome: {L}⏎Nome: {F}⏎Data di nascita: {d}⏎Luogo di nascita: {C}⏎Cittadinanza: {N}
Presenti: {P}, {P}, {P} (assente giustificata)
Verbalizza: {P}⏎Presiede: {H} {L}
Punto {n}: {H} {L} riferisce sullo stato dei lavori.
{P} ha passato la pratica a {F}.
ciao {F}, hai il numero di {F}? baci {F}
Ho appuntamento con {F} e {F} {D} a {C}.
Mio marito {F} e i nostri figli {F} e {F} sono coperti dalla polizza.
Buon compleanno, {F}!
Si allega la perizia di {H} {P}.
Il provvedimento è stato notificato a {P}, {ST}, {Z} {C}.
La società {O}, in persona del legale rappresentante {P}, chiede il rigetto.
Il sottoscritto {P}, nato a {C} il {d}, dichiara
Firmato: {P}⏎{JC}
Distinti saluti⏎⏎{P}⏎{JC}⏎{O}
Cordiali saluti,⏎{P}⏎{O}
L'appartamento in {ST} è occupato da {P}.
In caso di emergenza: {P} (sorella), {phone}
{H} {L} e {H} {L} hanno votato contro.
Nome	Cognome	Reparto⏎{F}	{L}	{W}⏎{F}	{L}	{W}
Il Suo appuntamento con {H} {L} è {D} {d} alle {time}.
Su richiesta di {P} il termine è prorogato al {d}.
Il matrimonio di {P} e {P} si terrà a {C}.
Grazie a {F} per la revisione e a {H} {L} per i commenti.
L'ha detto {F} a {F}, non a {F}.
Gli eredi di {P}, deceduta il {d} a {C}
Ieri ha chiamato {R} {P}.
Secondo {P}, {R} {F} è già andato via.
{D} copre {F}, {D} tocca a {F}.
{F} è malata, la sostituisce {F}.
Il pacco è stato ritirato da {P}.
Ricevuto da {F}, consegnato a {P}.
In ufficio c'erano solo {P} e {R} {L}.
Si indaga su {P}; {L} respinge le accuse.
Per {F} era una novità; {F} lo sapeva già.
I proprietari sono {P} e {P}.
La bici di {F} è da {F}.
Foto: {P}, testo: {P}
Sono intervenuti {P}, {P} e {H} {P}.
Turni⏎{D}: {F}, {F}⏎{D}: {F}, {F}
Salutami {F}!
Baci, {F}
Eredità {L}, pratica {id}
Distribuzione: {P}, {P}, {P}
Reti di {L} e {L}.
Come ha detto {P}, {F} non c'era.
L'imputato, {F} {u}., ha ammesso i fatti davanti a {H} {L}.
{F} e {P} abitano in {A}.
Ieri ho visto {F} con {F} al mercato.
La maestra di {F} ha ricevuto {H} {L}.
Il podere apparteneva a {P}, poi {L} lo vendette.
chiedi a {F} le chiavi? le ha {F}
Mia sorella {F} abita con {F}.
Secondo {H} {L}, avvocata di {F}, il processo si rifarà.
Poi {F} chiamò {F} al telefono.
Il dottor {L} La riceverà {D}.
Quando {L} uscì, {P} si alzò.
Gentile {H} {L}, le invio in allegato i documenti.
Chiedilo a {P}, perché {L} è in ferie.
Decide {L}, non {P}.
Ne ho parlato con {P}, ma ha risposto {L}.
Ieri {F} ha lasciato qui l'ombrello.
Consegnato a {L}, firmato da {P}.
oh {f}, dove sei? {f} ti aspetta giù
qualcuno sa se {f} viene oggi?
{f} ha disdetto, chi lo sostituisce?
di' a {f} di chiamare {f} per favore
{f} dice che è {w}
ahah {f} sempre uguale
ieri ho visto {f} con {f}
{f}: fatto?⏎{f}: chiedi a {f}
{L} contro {L}, R.G. {id}
{L} contro {O}, sentenza del {d}
Presenti: {L}, {L}, {L}, {L}
Assenti giustificati {L} e {L}.
Suo figlio {F} accompagna la signora {L}.
Il perito {L} ha sentito {P}.
Quando {P} aprì la {w}, il {w} era vuoto.
Sotto la direzione di {P} è stato rifatto il {w}.
Mia cugina {F} vive con {P} vicino a {C}.
{F} e {P} gestiscono il {w} dal {d}.
Secondo {OB}, {P} arriverà in {m} a {C}.
{P} lavora per {OB} e abita a {C}.
La {OB} aprirà un negozio a {C} in {m}, dice {P}.
La signora {L} ha venduto la {BR} e {F} ha comprato una {BR}.
Il teste {P}, dipendente della {OB}, conferma.
Bonifico a {P}, causale {w} {m}, {amt}
Foto {P}, testo {P}
Il numero di {F} è {phone}
{I} – assente
{I} ({w}); {I}
{F} e {P} hanno preso la {w}.
Il dott. {L} ha visto {F} e poi {P}.
A favore di {P}, IBAN {iban}
{f} non {w} mai
`,
  impersonal: `
Il {w} e la {w} sono verificati prima della consegna.
I {w} del {w} sono riportati in allegato; il {w} è fatturato a parte.
Dal {D} al {D} aperto dalle 9 alle 17. Chiuso in {m}.
{W}: {num}⏎{W}: {amt}⏎{W}: {n} %
Ai sensi de {law} il venditore risponde dei difetti.
In base a {law} il datore di lavoro conserva i documenti per cinque anni.
Il Conduttore si obbliga a pagare il canone e a restituire le chiavi.
Il Fornitore risponde solo dei danni diretti causati al Cliente.
Il preavviso è di tre mesi dal ricevimento della comunicazione.
Cefalea, vertigini, nausea; non febbre. Pressione arteriosa 130/80, polso {n}.
Terapia: Paracetamolo 1 g, Amoxicillina 500 mg ogni otto ore, Ramipril 5 mg
Anamnesi: ipertensione arteriosa, diabete di tipo 2, appendicectomia
Istruzioni di montaggio: svitare il coperchio e togliere il filtro.
Quantità Descrizione Prezzo unitario Importo⏎{n} {W} {prod} {amt} {amt}
Imponibile {amt}, IVA 22 %, Totale {amt}
Pagamento a trenta giorni fine mese con bonifico bancario.
Ordine del giorno: Approvazione del verbale, Bilancio, Varie ed eventuali
Sintesi dei risultati e prospettive
Il tempo sarà variabile {D}, con piogge al nord e sole al sud.
Il Governo vuole ridurre le tasse, l'opposizione è contraria.
Il programma mostra le righe del file sullo standard output.
Questa opzione definisce i caratteri usati come separatori.
NOME⏎SINTASSI⏎DESCRIZIONE⏎OPZIONI⏎VEDERE ANCHE⏎VARIABILI D'AMBIENTE
Il modello {prod} sostituisce il {prod} dal 20{yy}.
Dal 1871 al 1904 il numero di aziende salì a {num}.
negli anni 19{y}0, tra il 18{yy} e il 19{yy}, verso il 17{yy}
Figura {n}: Andamento della temperatura in estate
Capitolo {n}⏎Concetti di base
Mescolare la farina, lo zucchero e il burro e far riposare l'impasto un'ora.
Ferie Malattia Rimborso spese Straordinari
Allegati: Curriculum vitae, Titoli di studio, Certificato
Cordiali saluti.⏎Il Servizio Clienti
Gentili colleghi,⏎la mensa resta chiusa {D}.
Gentile cliente,
Buongiorno a tutti, la riunione è rinviata a {D}.
Le Condizioni Generali di Contratto si applicano a ogni ordine.
Il fiume è in piena; i fertilizzanti e i pesticidi inquinano la falda.
Consiglio di Amministrazione, Assemblea dei Soci, Camera di Commercio, Presidente del Consiglio
{W} {w} {w}
Viti, tasselli, squadre e punte sono in cantina.
{D} si riunisce la commissione, {D} il consiglio.
In primavera fioriscono tulipani e narcisi.
Montaggio, manutenzione, riparazione e riciclo
Mancano chiavi, ricevuta e contratto.
Edificio {u}, secondo piano, stanza {n}
Ufficio {W}, Edificio {u}, piano {n}
Sala {n}, ingresso {u}
Il tesoriere, la segretaria e il presidente del consiglio
Dopo la {W} è stato sostituito il {w}.
Ogni {w} deve essere {w}. Lei può {w} la {w}.
la somma da Lei {w}; il preventivo da Lei {w}; La preghiamo di {w}
Prima di {w} la {w}, {w} il {w}. Dopo la {w}, {w}.
A {m} la {BR} resta la più venduta.
sindrome di {q}, morbo di {q}, test di {q} negativo
Il teorema di {q} e il ciclo di {q} richiedono una {w}.
Giornata {n}: {BR} {c} {y}, {BR} {c} {y}; {c} {y}, {BR} {c} {y}
{BR} {c} {y} - {c} {y}. In testa resta {c}.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Con {BR} e {BR} la {w} è migliorata.
Fare clic su {W}, poi su {W}. Confermare con {W}.
Causale: {w} {m}
Ha dimostrato {w} e {w} in tutte le {w}.
La nuova {BR} consuma {n} litri.
chi ha visto la {w}? non è nel {w}
arrivo, la {w} è {w}
Premessa, {W}, {W}, Allegati
{m}	{W}	{W}⏎{num}	{num}	{num}
{W}, {W}, {W}, {W}, {W}
{W}: {w}, {w}, {w}
{O} {w} {w} {w}.
{W} {O} {w}
{BR} e {BR} {v}.
{SP} {w} {w} {w}.
{W}, {SP}, {w}
{V}, {V} e {V} {w}.
{W}, {w} e {w} {w} {w}.
{w} {w}, {w} {w}
{W}: {V}, {w}
Pagamento POS {BR} {W} {amt} {amt}
La Sua {w} è {w}. Le Sue {w} sono {w}.
`,
};
