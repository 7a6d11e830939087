// Frequent names of the languages in `languages/` of which the packages have few, compiled by hand.
// First names include everyday ones: short forms, and recent names.

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

export interface LocalNames {
  first: readonly string[];
  last: readonly string[];
}

export const localNames: Readonly<Record<string, LocalNames>> = {
  de: {
    first:
      words(`Uschi Moni Gabi Susi Bine Conny Heike Silke Anke Elke Antje Birte Imke Wiebke Frauke Maike Meike Silvia
      Ulli Uli Wolfi Berni Hansi Sepp Schorsch Jochen Jupp Heinz Willi Rudi Günni Kalle Matze Hannes Flo Lukas Luca Finn
      Emil Theo Anton Oskar Mats Levi Liam Noah Elias Jonas Milan Emilia Mila Lina Ella Frieda Ida Lotta Leni Mathilda
      Greta Paula Clara Romy Malia Juna Lio Piet Jasper Bjarne Thies Hauke Sönke Enno Eike Focko Ubbo Tjorven Merle
      Svenja Janina Nadine Sandra Tanja Anja Katja Sonja Steffi Jule Mareike Annika Tabea Judith Esther Dorothee Ottilie
      Kunigunde Irmtraud Waltraut Gertraud Hiltrud Sieglinde Heidrun Edelgard Erdmute Almut Gundula Rosemarie Annemarie
      Ingrid Gudrun Traute Lieselotte Hannelore Roswitha Notburga Walburga Kreszenz Vroni Resi Zenzi Burgi Loni Xaver
      Alois Korbinian Quirin Vitus Kilian Leonhard Severin Valentin Vinzenz Ferdl Poldi Gustl Hiasl Beat Urs Reto Ueli
      Ruedi Regula Vreni Ursina Flurina Ladina Andri Gian Luzius Mehmet Ali Hüseyin Emre Can Deniz Aylin Elif Zeynep
      Fatma Ayşe Emine Hatice Murat Yusuf Cem Kerem Selin Defne Bogdan Ionut Svetlana Swetlana Oxana Olga Ludmila Natascha`),
    last: words(`Ackermann Albrecht Althaus Appelt Arndt Bachmann Backhaus Baier Balzer Barth Bartsch Baumann Baumgartner
      Beckmann Behrendt Behrens Bender Benz Bergmann Bernhardt Berthold Biermann Bischoff Blank Blume Bock Bode Böhm
      Böhme Bohlen Born Borchert Brandl Brandt Breuer Brinkmann Bruns Buchholz Bühler Burger Burkhardt Busse Christ
      Clausen Conrad Daum Dietrich Dietz Döring Dorn Drechsler Dreyer Ebeling Eberhardt Ebert Eckert Eder Ehlers Eichhorn
      Eilers Erdmann Ernst Esser Ewald Falk Feldmann Fiedler Fink Fleischer Förster Forster Franke Franz Frenzel Freund
      Frey Fricke Friedrich Fritsch Fröhlich Funke Gabriel Gebhardt Geiger Geisler Gerber Gerlach Giese Glaser Göbel
      Götz Gottschalk Greiner Grimm Groß Großmann Gruber Günther Haas Haase Hagedorn Hagemann Hahn Hammer Hanke Hansen
      Harms Hartmann Hartwig Haupt Hauser Heck Hein Heine Heinemann Heinrich Heinz Heller Hempel Henke Hennig Henning
      Hermann Herrmann Hesse Heuer Hildebrandt Hiller Hinz Hirsch Hofer Hoffmann Hofmann Hohmann Holtz Hoppe Horn Huber
      Hübner Hummel Jacobs Jahn Janßen Janssen Jansen Jost Jung Junge Kaiser Kaminski Karl Kaufmann Keil Keller Kern
      Kersten Kessler Kiefer Kirchner Klaus Klein Klemm Knoll Köhler Kolb Konrad Kopp Körner Kowalski Kraft Krämer Kramer
      Kraus Krauß Krebs Kremer Kröger Krüger Kruse Kühn Kühne Kunz Kunze Kurz Lang Lange Langer Lauer Lechner Lehmann
      Lenz Lindner Link Linke Löffler Lohmann Lorenz Lucas Ludwig Lutz Maier Mayer Marquardt Martens Marx Maurer May
      Meißner Menzel Merkel Merten Metz Meyer Michel Mohr Moser Möller Naumann Neubauer Neuhaus Neumann Niemann Nowak
      Oswald Otto Pape Paul Paulsen Peter Petersen Pfeifer Pfeiffer Philipp Pietsch Pohl Popp Preuß Probst Raabe Rapp
      Rausch Reich Reichert Reimann Reimer Reinhardt Renner Reuter Richter Riedel Rieger Ritter Röder Rohde Römer Rose
      Rösch Roth Rudolph Ruf Rupp Sachs Sander Sauer Sauter Schade Schäfer Scheffler Schenk Scherer Schiller Schilling
      Schindler Schlegel Schlüter Schmid Schmidt Schmitt Schmitz Scholz Schönfeld Schott Schramm Schreiber Schreiner
      Schröder Schröter Schubert Schuh Schuler Schulte Schultz Schulz Schumacher Schumann Schuster Schütz Schütze Schwab
      Schwarz Schweizer Seidel Seifert Seiler Seitz Siebert Simon Sommer Sonntag Späth Springer Stadler Stahl Stark
      Steffen Stein Steinbach Steiner Steinmetz Stephan Stock Stoll Stolz Straub Strauß Strobel Sturm Tessmer Thiel
      Thiele Thies Thoma Thomas Trautmann Uhlig Ullrich Ulrich Unger Urban Vetter Vogel Vogt Voigt Volk Vollmer Voß Wagner
      Walter Walther Weber Wegener Wegner Weigel Weiß Weller Wendt Wenzel Werner Westphal Wetzel Wichmann Wiese Wilke
      Wilhelm Will Wimmer Winkler Winter Wirth Witt Witte Wolf Wolff Wulf Wunderlich Zander Zeller Ziegler Zimmer
      Yılmaz Demir Çelik Şahin Aydın Özdemir Arslan Doğan Kılıç Aslan Polat Kurt Koç Güneş Popescu Ivanov Novak Petrović`),
  },
  nl: {
    first:
      words(`Sem Daan Finn Levi Luuk Bram Mees Milan Noud Thijs Jesse Stijn Lars Ruben Sven Tijn Guus Teun Siem Gijs
      Joris Jurre Koen Niels Sander Jeroen Martijn Maarten Wouter Bas Bart Rik Rick Tom Tim Tobias Joost Jelle Jorrit Sjoerd
      Wietse Douwe Auke Sietse Tjeerd Hidde Fedde Jitse Foppe Klaas Kees Piet Jan Henk Gerrit Wim Joop Cor Arie Teun Leen
      Huib Krijn Dirk Evert Geert Harm Roelof Albert Egbert Berend Hendrik Wiebe Wubbo Frits Fred Ruud Ron Rob Hans Theo
      Ton Sjaak Sjef Lowie Jef Luc Dries Wannes Lode Pieter Maxim Yannick Xander Olivier Casper Floris Pepijn Diederik
      Reinier Willem Govert Anna Emma Julia Sophie Tess Zoë Evi Saar Lotte Fleur Noor Roos Sanne Femke Marit Maud Eva Lieke
      Isa Fenna Nina Liv Elin Yara Lynn Jasmijn Puck Pleun Bo Floor Sterre Britt Iris Anouk Marloes Marleen Mieke Miep Riet
      Truus Corrie Greet Gré Jannie Jopie Annie Bep Toos Tineke Ineke Anneke Hanneke Janneke Marijke Margriet Willemijn
      Annemiek Annelies Liesbeth Petra Wilma Ingrid Monique Esther Saskia Mirjam Yvonne Astrid Linda Wendy Chantal Kim Naomi
      Tjitske Sjoukje Froukje Baukje Akke Hiske Jildou Nynke Aaltje Geertje Grietje Hilje Trijntje Neeltje Pietje Dieuwertje
      Machteld Reinou Katrijn Leen Griet Veerle Katleen Ann Sofie Lieve Hilde Goedele Fien Lien Amber Mohamed Youssef Ahmed
      Fatima Samira Naima Rachid Karim Bilal Ayoub Achraf Sevgi Emine Fatma Hatice Merve Özlem Ravi Anil Shanti Radha Rinske`),
    last: words(`Jong Jansen Vries Berg Dijk Bakker Janssen Visser Smit Meijer Meyer Boer Mulder Groot Bos Vos Peters Hendriks
      Leeuwen Dekker Brouwer Wit Dijkstra Smits Graaf Meer Linden Kok Jacobs Haan Vermeulen Heuvel Veen Broek Schouten
      Bruin Bruijn Heijden Beek Willems Vliet Ven Hoekstra Maas Verhoeven Koster Dam Wal Prins Blom Huisman Peeters Kuipers
      Veenstra Kuiper Jonge Gerritsen Postma Koning Martens Verbeek Driessen Bosch Evers Kramer Sanders Hermans Molenaar
      Boogaard Wolters Timmermans Bosman Claassen Lange Leeuw Steen Aarts Adriaansen Alberts Arends Baars Backus Bakhuizen
      Barendregt Bartels Beekman Bergsma Beukers Bijl Blok Bloemendaal Boersma Boon Boonstra Borst Bouma Bouwman Braam Brand
      Brinkman Broekhuizen Bruggeman Buijs Burger Cornelissen Cox Cuperus Damen Dekkers Derksen Dijkman Doorn Drost
      Ebbing Eijk Elsinga Engels Faber Feenstra Fokkens Franken Geerts Gerrits Goossens Groen Groenewegen Haak Haar
      Hagen Hanssen Hartman Haverkort Heemskerk Hoek Hoeks Hofman Hofstede Hogenboom Hollander Hooft Hoogendoorn Houtman
      Huijbregts Huizinga Hulst Jager Jaspers Jonker Kamp Kamphuis Karsten Kempen Keizer Ketelaar Klaassen Klein Knol
      Koenen Kolk Kooij Kooistra Kool Koopman Koopmans Kroon Kuijper Lammers Langeveld Laan Lamers Ligtenberg Lint Loon
      Lubbers Luijten Mannen Meijers Meulen Michels Mol Moor Muller Nagtegaal Nauta Niehuis Nieuwenhuis Nijland Nijssen
      Noort Okkerse Olthof Oosterveld Oostveen Otten Overbeek Paauw Pauw Pol Post Pronk Ree Reijnders Rietveld Rijken Rijn
      Roelofs Romijn Roos Rutten Ruijter Scheffer Schepers Schipper Schipper Scholten Schoenmaker Schreuder Schut Sijbesma
      Slot Smeets Snijders Spaans Spijker Spruit Stam Sterk Stolk Swart Terpstra Theunissen Tielemans Timmer Tuinstra
      Ubbink Uitterlinden Veldhuis Veldman Velthuis Verbruggen Verburg Verdonk Verhagen Verhoef Vermeer Verschuren Versteeg
      Vink Visscher Vlug Vogels Voogd Voorn Vriend Vroom Wagenaar Walstra Wassink Weijers Westra Wever Wiersma Wijnen
      Wijngaard Wilde Willemsen Winkel Witteveen Wolf Woude Wouters Zandstra Zeeman Zijlstra Zonneveld Zuidema Zwart Zwarts
      Maes Mertens Claes Wauters Goethals Desmet Declercq Vandenberghe Vandamme Vermeiren Lemmens Michiels Dewitte Coppens
      Aydin Yildirim Kaya Bouzid Benali Amrani Idrissi Ramdin Jagroep Soekhoe Pinas Tuinfort Nguyen Hassan Osman`),
  },
  pt: {
    first:
      words(`Tiago Rui Nuno Gonçalo Duarte Afonso Martim Salvador Vasco Lourenço Rodrigo Diogo Tomás Simão Dinis Xavier
      Zé Chico Manel Tó Quim Toninho Zeca Nando Beto Dudu Guto Caio Thiago Davi Otávio Enzo Heitor Ícaro Raimundo Severino
      Inês Beatriz Matilde Leonor Carolina Mariana Constança Benedita Madalena Francisca Filipa Joana Catarina Rita Marta
      Teresinha Conceição Fátima Graça Lurdes Odete Zulmira Deolinda Felismina Isaltina Ivone Ivete Cida Neide Jussara
      Iara Luana Tainá Larissa Rayane Thaís Letícia Bianca Vitória Heloísa Lívia Yasmin Eduarda Iracema Jandira Mafalda`),
    last: words(`Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gonçalves Gomes Lopes
      Marques Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Correia Mendes Nunes Soares Vieira Monteiro Cardoso
      Rocha Raposo Neves Coelho Cruz Cunha Pires Ramos Reis Simões Antunes Matos Fonseca Machado Araújo Barbosa Tavares
      Lourenço Castro Figueiredo Azevedo Freitas Magalhães Henriques Lima Guerreiro Batista Pinheiro Faria Miranda Barros
      Morais Nogueira Esteves Anjos Baptista Campos Mota Andrade Brito Nascimento Sá Borges Leite Melo Vaz Pacheco Duarte
      Valente Abreu Maia Paiva Bastos Salgueiro Cordeiro Bento Amaral Domingues Garcia Torres Amorim Branco Macedo Sequeira
      Seabra Sampaio Quintela Queirós Peixoto Outeiro Noronha Meireles Leitão Lacerda Godinho Furtado Falcão Espinosa
      Dantas Cavalcanti Bezerra Albuquerque Trindade Siqueira Prado Pimentel Medeiros Guimarães Drummond Assunção`),
  },
};
