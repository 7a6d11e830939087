import { entries, type Language } from './language.ts';

export const french: Language = {
  code: 'fr',
  locales: ['fr', 'fr', 'fr', 'fr_CH'],
  countries: ['FR', 'FR', 'FR', 'BE', 'CH'],
  particles: entries(`de | d' | Le | du | de la`),
  particleShare: 0.06,
  roles: entries(
    `mon voisin | ma collègue | notre fils | notre fille | le conducteur | le témoin | son avocat | sa sœur | le requérant | la plaignante | le défunt | notre salarié | la locataire | son frère | le patient | l'élève | mon chef | l'auteur | l'artiste | son mari | le propriétaire | la candidate | le suspect | mon ami`,
  ),
  verbs: entries(
    `dit | a dit | demande | a demandé | pense | explique | confirme | conteste | arrive | est arrivé | part | est parti | appelle | a appelé | a rappelé | a payé | est malade | est absent | est d'accord | veut savoir | ne peut pas | doit venir | doit attendre | a été élu | a été entendu | remplace | dirige | écrit | envoie | répond | signe | vend | achète | propose | refuse | précise | ajoute | remercie | gagne | perd | marque | habite ici | travaille là-bas | sait | croit | espère | paie | hérite | obtient | présente le rapport | quitte la salle`,
  ),
  namedStreets: entries(
    `rue & * | avenue & * | place * | boulevard & * | rue &-* | Rue &-* | Avenue & * | Rue & * | Place & * | quai * | impasse *`,
  ),
  namesakes: entries(
    `Boulanger | Berger | Charpentier | Marchand | Meunier | Boucher | Fournier | Roi | Comte | Chevalier | Blanc | Noir | Brun | Roux | Petit | Grand | Fontaine | Moulin | Pont | Mont | Bois | Lac | Dimanche | Renard | Loup | Perrier | Prévost | Clerc`,
  ),
  dates: ['D M Y', 'D M Y', '1er M Y', 'D/n/Y', 'D/n/Y', 'D M', 'M Y'],
  titles: entries(
    `M. | Mme | Monsieur | Madame | Mlle | MM. | Mmes | Dr | Docteur | la docteure | le professeur | Madame le docteur | maître | le docteur | le Dr | Pr | Professeur | Maître | Me | M. le juge | Mme la présidente | Mgr | Sœur | le capitaine | la ministre | monsieur le maire | Mademoiselle | oncle | tante`,
  ),
  jobs: entries(
    `directeur général | directrice | gérant | comptable | infirmière | médecin traitant | avocate | ingénieur | secrétaire | chef de projet | responsable des ressources humaines | technicien | enseignante | vendeur | président | trésorière | notaire | huissier de justice | kinésithérapeute | assistante sociale`,
  ),
  organizations: entries(
    `* SARL | Société * | Établissements * | * & Fils | * et Associés | Cabinet * | @ SA | @ SAS | Groupe @ | @ France | Boulangerie * | Garage * | Mairie de # | CHU de # | Hôpital de # | Université de # | Tribunal de grande instance de # | Cour d'appel de # | Préfecture de # | Lycée * | Crédit Agricole | Caisse d'Épargne | BNP Paribas | SNCF | Pôle emploi | La Poste | EDF | Assurances * | Agence immobilière * | Ville de # | Olympique de # | Éditions * | Clinique Saint-& | Association @`,
  ),
  nationalities: entries(
    `française | français | belge | suisse | allemande | marocain | algérienne | italien | portugaise | sénégalais | catholique | protestant`,
  ),
  laws: entries(
    `l'article L. ###-# du code du travail | l'article ### du code civil | le code de la route | la loi du # juillet 19## | le Règlement général sur la protection des données | l'article # de la Constitution | le décret n° 20##-### | la loi Informatique et Libertés`,
  ),
  personal: `
{L} {v}.
{L} {v}, {L} {v}.
{W} : {P}. {L} {v}.
{F} {v}, {F} {v}.
{R} {F} {v}.
{W} de {F} et {W} de {F}
{w} de {F} et {w} de {F} {w}
{W} : {L}, {L}, {L}, {L}
{W} : {F} et {P}
{W} : {I}, {d}
{n}. {I}⏎{n}. {I}⏎{n}. {I}
{I}⏎{I}⏎{I}
{I} ({w})⏎{I} ({w})
{X} {F}, {w} {n}
{W}	{n}⏎{L}	{n}⏎{L}	{n}
{L} ({w}), {L} ({w})
{SP} {n}, {P}
{f} {v}, {w} {f}
{W} : {L}⏎{W} : {id}
{L} {w} {L} {w} {w}.
Madame, Monsieur,⏎⏎Je vous informe de ma décision de résilier mon contrat au {d}.⏎⏎{P}
Monsieur {L},⏎nous accusons réception de votre courrier du {d}.
Chère {F},⏎merci pour ton message, {F} et moi arrivons {D} à {C}.⏎Bises,⏎{F}
Bonjour {F}, peux-tu prévenir {F} que la réunion est reportée à {time} ?
Entre les soussignés : {H} {P}, né le {d} à {C}, demeurant {A}, ci-après dénommé le bailleur, et {H} {P}, ci-après dénommé le locataire
{H} {P}, demeurant {A}, est engagée en qualité de {J} à compter du {d}.
Le tribunal condamne {H} {L} à verser à {H} {P} la somme de {amt}.
{P}, représenté par {H} {P}, avocat au barreau de {C}
Le témoin, {H} {P}, a déclaré avoir vu {H} {L} le {d}.
Patient : {P}, né le {d}, {A}
J'ai reçu en consultation {H} {P}, âgée de {age} ans, adressée par {H} {L}.
Compte rendu opératoire — chirurgien : {H} {P} ; anesthésiste : {H} {L}
{H} {L} présente des douleurs lombaires depuis {n} semaines.
Contact : {P}, tél. {phone}, {email}
Pour toute question, adressez-vous à {P} au {phone}.
L'entretien annuel de {P} a été mené par {H} {L}.
La demande de {H} {L} a été rejetée le {d}.
La mère de {F}, {P}, habite à {C}.
{P} travaille comme {J} chez {O} depuis le {d}.
Selon {P}, {J} de {O}, le chiffre d'affaires progresse de {n} %.
« Nous n'avions rien vu venir », a déclaré {P} {D} à {C}.
{P}, {age} ans, originaire de {C}, a remporté l'étape devant {P} et {P}.
Adresse de livraison : {P}, {A}
Facture à l'attention de⏎{H} {P}⏎{A}
{O}⏎{A}⏎⏎{H} {P}⏎{A}⏎⏎{C}, le {d}⏎⏎Objet : {w} {w}
Titulaire du compte : {P}⏎IBAN : {iban}⏎Motif : loyer de {m}
Candidature au poste de {J}⏎{P}⏎{A}⏎Téléphone : {phone}
Nom : {L}⏎Prénom : {F}⏎Date de naissance : {d}⏎Lieu de naissance : {C}⏎Nationalité : {N}
Présents : {P}, {P}, {P} (excusée)
Secrétaire de séance : {P}⏎Président : {H} {L}
Point n° {n} : {H} {L} présente l'état d'avancement des travaux.
{P} a transmis le dossier à {F}.
slt {F}, tu as le num de {F} ? a+ {F}
J'ai rendez-vous avec {F} et {F} {D} à {C}.
Mon mari {F} et nos enfants {F} et {F} sont couverts par le contrat.
Joyeux anniversaire, {F} !
Le rapport d'expertise de {H} {P} est joint.
La décision a été notifiée à {P}, {ST}, {Z} {C}.
La société {O}, représentée par son gérant {P}, demande le rejet.
Je soussignée {P}, née {L} le {d} à {C}, atteste sur l'honneur
Signé : {P}⏎{JC}
Veuillez agréer, Madame, Monsieur, l'expression de mes salutations distinguées.⏎⏎{P}⏎{JC}⏎{O}
Cordialement,⏎{P}⏎{O}
L'appartement situé {ST} est occupé par {P}.
Personne à prévenir : {P} (sœur), {phone}
{H} {L} et {H} {L} ont voté contre.
Nom	Prénom	Service⏎{L}	{F}	{W}⏎{L}	{F}	{W}
Votre rendez-vous avec {H} {L} est fixé au {D} {d} à {time}.
À la demande de {P}, le délai est prolongé jusqu'au {d}.
Le mariage de {P} et de {P} sera célébré à {C}.
Merci à {F} d'avoir relu le document, et à {H} {L} pour ses remarques.
C'est {F} qui l'a dit à {F}, pas {F}.
D'après {P}, l'usine de {C} fermera en {m}.
Le cabinet d'{P} est ouvert le {D}.
Hier, {R} {P} a téléphoné.
D'après {P}, {R} {F} est déjà parti.
{D}, c'est {F} qui remplace {F}.
{F} est malade, {F} prend le relais.
Le colis a été remis à {P}.
Reçu par {F}, transmis à {P}.
Au bureau, il n'y avait que {P} et {R} {L}.
Une enquête vise {P} ; {L} conteste les faits.
Pour {F}, c'était nouveau ; {F} le savait déjà.
Les propriétaires sont {P} et {P}.
Le vélo de {F} est chez {F}.
Photos : {P}, texte : {P}
Ont pris la parole {P}, {P} et {H} {P}.
Planning⏎{D} : {F}, {F}⏎{D} : {F}, {F}
Embrasse {F} pour moi !
Bises, {F}
Succession {L}, dossier {id}
Diffusion : {P}, {P}, {P}
Buts de {L} et {L}.
Comme l'a dit {P}, {F} n'était pas là.
Le prévenu, {F} {u}., a reconnu les faits devant {H} {L}.
{H} et {H} {L} habitent {A}.
J'ai vu {F} avec {F} au marché.
J'ai rencontré {P} chez {F} hier.
La maîtresse de {F} a reçu {H} {L}.
Le domaine appartenait à {P}, puis {L} le vendit.
tu peux demander à {F} les clés ? {F} les a
Selon {H} {L}, avocate de {F}, l'affaire sera rejugée.
Puis {F} appela {F} au téléphone.
{F} et {F} se marient en {m}.
Quand {L} sortit, {P} se leva.
C'est {P} qui remplace {L} pendant son congé.
Demande à {P}, car {L} est en vacances.
C'est {L} qui décidera, pas {P}.
J'en ai parlé à {P}, mais {L} a répondu.
Déposé chez {L}, signé par {P}.
cc {f}, t'es où ? {f} t'attend en bas
quelqu'un sait si {f} vient ce soir ?
{f} a annulé, qui le remplace ?
dis à {f} de rappeler {f} stp
{f} dit que c'est {w}
hier j'ai vu {f} et {f}, trop bien
{f} : t'as fini ?⏎{f} : demande à {f}
{L} c/ {L}, n° {id}
Cass. civ., {d}, {L} c/ {O}
Arrêt {L} contre {L} du {d}
Présents : {L}, {L}, {L}, {L}
Excusés : {L} et {L}
Son fils {F} accompagne Mme {L}.
Quand {P} ouvrit la {w}, le {w} était vide.
Sous la direction de {P}, le {w} a été rénové.
Le bail porte la signature de {P} et celle de {P}.
{F} et {P} tiennent le {w} depuis {d}.
Selon {OB}, {P} arrivera en {m} à {C}.
{P} travaille chez {OB} et habite à {C}.
La {OB} ouvrira un magasin à {C} en {m}, annonce {P}.
Mme {L} a vendu sa {BR} ; {F} roule en {BR}.
Le témoin {P}, salarié de {OB}, confirme.
Virement à {P}, motif {w} {m}, {amt}
{Ls} avocat, {P}, a déposé des conclusions.
Ma cousine {F} vit avec {P} près de {C}.
Photo {P}, texte {P}
{I} – absente
{L} {F} (absent) ; {F} {L} (présente)
{F} et {P} ont repris la {w}.
Bonjour {F}, peux-tu rappeler M. {L} au {phone} ?
Virement au nom de {P}.
slt c'est {f}, j'ai vu {f} {w}
`,
  impersonal: `
Le {w} et la {w} sont vérifiés avant la livraison.
Les {w} du {w} figurent en annexe ; le {w} est facturé séparément.
Du {D} au {D}, l'accueil est ouvert de 9 h à 17 h. Fermé en {m}.
{W} : {num}⏎{W} : {amt}⏎{W} : {n} %
Conformément à {law}, le vendeur répond des défauts de conformité.
En application de {law}, l'employeur conserve les documents pendant cinq ans.
Le Locataire s'engage à payer le loyer et à restituer les clés.
Le Prestataire n'est responsable que des dommages directs causés au Client.
Le préavis est de trois mois à compter de la réception du courrier.
Céphalées, vertiges, nausées ; pas de fièvre. Tension artérielle 13/8, pouls {n}.
Traitement : Doliprane 1 g, Amoxicilline 500 mg trois fois par jour, Kardégic 75 mg
Antécédents : hypertension artérielle, diabète de type 2, appendicectomie
Notice de montage : dévissez le capot puis retirez le filtre.
Quantité Désignation Prix unitaire Montant⏎{n} {W} {prod} {amt} {amt}
Total HT {amt}, TVA 20 %, Total TTC {amt}
Payable à trente jours fin de mois par virement bancaire.
Ordre du jour : Approbation du compte rendu, Budget, Questions diverses
Résumé des résultats et perspectives
Le temps restera variable {D}, avec des averses au nord et du soleil au sud.
Le gouvernement veut baisser les impôts, l'opposition s'y oppose.
Le programme affiche les lignes du fichier sur la sortie standard.
Cette option définit les caractères utilisés comme séparateurs.
NOM⏎SYNOPSIS⏎DESCRIPTION⏎OPTIONS⏎VOIR AUSSI⏎VARIABLES D'ENVIRONNEMENT⏎TRADUCTION
Le modèle {prod} remplace le {prod} depuis 20{yy}.
De 1871 à 1904, le nombre d'exploitations est passé à {num}.
dans les années 19{y}0, entre 18{yy} et 19{yy}, vers 17{yy}
Figure {n} : Évolution de la température en été
Chapitre {n}⏎Notions de base
Mélangez la farine, le sucre et le beurre, puis laissez reposer la pâte une heure.
Congés payés Arrêt maladie Notes de frais Heures supplémentaires
Pièces jointes : Curriculum vitae, Diplômes, Attestation
Veuillez agréer, Madame, Monsieur, nos salutations distinguées.⏎Le Service clients
Chers collègues,⏎la cantine sera fermée {D}.
Chère cliente, cher client,
Bonjour à tous, la réunion est reportée à {D}.
Les Conditions Générales de Vente s'appliquent à toute commande.
La rivière est en crue ; les engrais et les pesticides polluent la nappe.
Premier ministre, Conseil d'administration, Comité de direction, Chambre de commerce
{W} {w} {w}
Vis, chevilles, équerres et forets sont à la cave.
{D}, la commission se réunit ; {D}, le conseil.
Au printemps fleurissent tulipes et jonquilles.
Montage, entretien, réparation et recyclage
Clés, reçu et contrat manquants.
Bâtiment {u}, {n}e étage, bureau {n}
Salle {n}, porte {u}
Le trésorier, la secrétaire et le président du conseil
Après la {W}, le {w} a été remplacé.
Elle est {w}, il est {w}, nous sommes {w}.
Elle {w} la {w}. Il {w} le {w}. Elles {w} les {w}.
En {m}, la {BR} reste la plus vendue.
syndrome de {q}, maladie de {q}, test de {q} négatif
Le théorème de {q} et le cycle de {q} supposent une {w}.
Journée {n} : {BR} {c} {y}, {BR} {c} {y} ; {c} {y}, {BR} {c} {y}
{BR} {c} {y} - {c} {y}, {c} prend la tête du classement.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Sous {BR} et {BR}, la {w} s'est améliorée.
Cliquez sur {W}, puis sur {W}. Validez avec {W}.
Motif : {w} {m}
Il a fait preuve de {w} et de {w} dans toutes ses {w}.
La nouvelle {BR} consomme {n} litres.
qui a vu la {w} ? elle est pas dans le {w}
j'arrive, la {w} est {w}
Quitus est donné au trésorier. Lecture est faite du {w}.
{m}	{W}	{W}⏎{num}	{num}	{num}
{W}, {W}, {W}, {W}, {W}
{W} : {w}, {w}, {w}
{O} {w} {w} {w}.
{W} {O} {w}
{BR} et {BR} {v}.
{SP} {w} {w} {w}.
{W}, {SP}, {w}
{V}, {V} et {V} {w}.
{W}, {w} et {w} {w} {w}.
{w} {w}, {w} {w}
{W} : {V}, {w}
Chaque {w} comporte {n} {w}. Toute {w} doit être {w}.
Votre {w} est {w}. Vos {w} sont {w}.
`,
};
