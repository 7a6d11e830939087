/** See ../grammar.ts for the format. */
export const report = `
## en head
Findings of the {topic} working group⏎presented to the committee on {date}
Review of {topic}⏎{person}, {company}⏎Version {n}.{n}, {date}
Half-year results {year}⏎{company} Group
!ANNUAL REPORT {year}⏎{company}
!Quarterly Report⏎Q{n} {year}⏎Prepared by: {person}⏎Prepared for: the Board
!Technical Report {id}⏎{topic}⏎{person}, {person}⏎{date}
!Site inspection report⏎Site: {street}, {town}⏎Inspector: {person}⏎Date of visit: {date}
!{topic}: findings of a survey⏎{company} Research
!Laboratory Test Report⏎Sample ID {id}⏎Received {date} Tested {date}
!Internal Audit Report⏎Department of {topic}⏎{month} {year}
{topic}⏎{person}¹, {person}²⏎University of {town}⏎Abstract
!Project status report⏎Project: {topic}⏎Reporting period {month} {year}
!Discharge Summary⏎Patient: {person}⏎Admitted {date} Discharged {date}
!MARKET STUDY⏎{topic} in {STATE}⏎{year} edition
!Incident report⏎Reported by {person}, {job}
## en contents
Contents⏎1 Introduction ........ 3⏎2 Methodology ........ 7⏎3 Results ........ 12⏎4 Conclusions ........ 20
Table of contents⏎Executive summary→2⏎Background→4⏎Findings→6⏎Recommendations→9
## en body
!Blood count⏎Haemoglobin→{n}.{n} g/dl→(12.0-15.5)→low⏎White cells→{n}.{n}→(4-11)⏎Platelets→{n}{n}0→(150-400)⏎Comment: {rep}⏎Reported by Dr {last}
The programme ran in {n} schools between {year} and {year}. {rep} The share rose from {n} to {n}{n} per cent. {rep}
{n}.{n} {topic}⏎Completions fell for the second year running to {num}, short of the target of {num} (Figure {n}.{n}). {rep}
Findings on site: {rep} The cause is a broken joint. Cost of repair: {amt}.
We study the effect of {topic} over {n} seasons. {rep} Similar effects were reported by {last} et al. ({year}).
Outlook⏎The Board expects sales to rise between {n} and {n} per cent in {year}. {rep} Risks have not changed materially.
What happened⏎At {time} the service stopped answering. {rep}⏎Impact⏎{num} users were affected for {n}{n} minutes.
Species→Count→Site⏎{word}→{n}→north⏎{word}→{n}{n}→south⏎{rep}
Aim: to determine {topic}. Apparatus: {product}. {rep} The mean of {n} readings was {n}.{n}.
Strengths of the programme include {topic}. Weaknesses include {topic}. {rep}
Condition of the building⏎Roof: {rep}⏎Walls: {rep}⏎Estimated cost of repairs {cur}{amt}
Executive Summary⏎This report presents {topic}. Revenue rose by {n}% to {cur}{amt} million compared with {year}. {rep}
1. Introduction⏎The purpose of this report is to examine {topic}. {rep}
2 Methodology⏎Data were collected from {num} respondents between {month} and {month} {year}. {rep}
3.1 Findings⏎{rep} {rep} Figure {n} shows the change over time.
Results⏎{rep} The difference was statistically significant (p < 0.05). {rep}
Discussion⏎{rep} {rep} Further work is needed (see Appendix A).
4.2 Risk assessment⏎{rep} The likelihood is rated medium and the impact high.
Observations⏎During the visit the following was noted: {rep} {rep}
Table {n}: {topic}⏎Year→Units→Change⏎{year}→{num}→{n}.{n}%⏎{year}→{num}→-{n}.{n}%
Financial performance⏎Operating profit decreased by {n}% while costs were {amt} million. {rep}
Diagnosis: {topic}. History: {rep} Treatment: {rep}
Background⏎{rep} {rep} {rep}
Related work⏎{last} et al. [{n}] proposed {topic}. {rep} We build on [{n}, {n}{n}].
Analysis⏎{rep} According to the data, {rep}
Test method→Limit→Result→Unit⏎pH→6.5-8.5→7.{n}→–⏎Lead→10→{n}.{n}→µg/l⏎Conclusion: the sample complies.
## en end
Conclusions⏎It is concluded that {rep} {rep}
Recommendations⏎1. Review {topic}.⏎2. Improve {topic}.⏎3. Report again in {month} {year}.
References⏎[1] {last}, {first}. {topic}. {year}.⏎[2] {company} ({year}). {topic}.
5 Conclusion and outlook⏎{rep} We expect growth of {n}% in {year}.
Appendix A: List of interviews⏎{person}, {job}, {date}
Corrective actions⏎Responsible: {person}. Deadline: {date}. {rep}
## de head
!GESCHÄFTSBERICHT {year}⏎{company}
!Prüfbericht Nr. {id}⏎Auftraggeber: {company}⏎Prüfdatum {date}
!Abschlussbericht⏎Projekt: {topic}⏎Erstellt von {person}
!Gutachten über {topic}⏎{person}, {job}, {town}
## de body
Geschäftsverlauf⏎Der Auftragseingang lag mit {num} Mio. EUR um {n} % über dem Vorjahreswert. {rep}
Prognose⏎Für das Gesamtjahr erwartet der Vorstand ein Wachstum von {n} %. Risiken und Chancen: {rep}
Befund: {rep} Beurteilung: {rep}
1 Einleitung⏎Ziel dieses Berichts ist die Untersuchung von {topic}. {rep}
Zusammenfassung⏎{rep} Der Umsatz stieg gegenüber dem Vorjahr um {n} Prozent. {rep}
3 Ergebnisse⏎{rep} Abbildung {n} zeigt die Entwicklung. {rep}
Methodik⏎Befragt wurden {num} Personen. {rep}
Ausgangslage⏎{rep} {rep}
## de end
Fazit⏎{rep} Es wird empfohlen, {topic} zu prüfen.
Handlungsempfehlungen⏎{rep}⏎Literaturverzeichnis⏎{last}, {first} ({year}): {topic}.
## fr head
!RAPPORT ANNUEL {year}⏎{company}
!Rapport d'audit⏎{topic}⏎Rédigé par {person}
!Compte rendu de visite⏎Site : {town}⏎{date}
!Étude sur {topic}⏎{company}
## fr body
Visite des lieux le {date}. Constatations : {rep} {rep} Chiffrage : {amt} euros.
L'enquête porte sur {num} foyers. {rep} {rep}
1. Introduction⏎Le présent rapport étudie {topic}. {rep}
Synthèse⏎Le chiffre d'affaires progresse de {n} % par rapport à {year}. {rep}
Résultats⏎{rep} Le tableau {n} présente les données. {rep}
Méthodologie⏎{rep} {rep}
Constats⏎{rep} {rep}
## fr end
Conclusion⏎{rep} {rep}
Recommandations⏎{rep}⏎Annexe 1 : {topic}
## es head
!INFORME ANUAL {year}⏎{company}
!Informe técnico⏎{topic}⏎Autor: {person}
!Estudio de {topic}⏎{month} de {year}
## es body
El programa se aplicó entre {year} y {year}. {rep} El uso pasó del {n} al {n}{n} por ciento. {rep}
Hallazgos: {rep} Se aconseja {topic}.
Resumen ejecutivo⏎{rep} Los ingresos aumentaron un {n}% respecto a {year}. {rep}
1. Introducción⏎El presente informe analiza {topic}. {rep}
Metodología⏎{rep} {rep}
Resultados⏎{rep} El gráfico {n} muestra {topic}. {rep}
## es end
Conclusiones y recomendaciones⏎{rep} {rep}
Bibliografía⏎{last}, {first} ({year}). {topic}.
## it head
!RELAZIONE ANNUALE {year}⏎{company}
!Relazione tecnica⏎{topic}⏎Redatta da {person}
!Rapporto di prova n. {id}⏎{town}, {date}
## it body
L'indagine è stata svolta a {town}. {rep} La quota è passata dal {n} al {n}{n} per cento.
1. Premessa⏎La presente relazione descrive {topic}. {rep}
Sintesi⏎I ricavi sono aumentati del {n}% rispetto al {year}. {rep}
Risultati⏎{rep} La figura {n} mostra {topic}. {rep}
Metodologia⏎{rep} {rep}
## it end
Conclusioni⏎{rep} Si raccomanda {topic}.
Bibliografia⏎{last} {first}, {topic}, {year}
## nl head
!JAARVERSLAG {year}⏎{company}
!Onderzoeksrapport⏎{topic}⏎Auteur: {person}
!Inspectierapport⏎Locatie {town}⏎{date}
## nl body
Er werden {num} huishoudens onderzocht. {rep} Het aandeel steeg van {n} naar {n}{n} procent.
1 Inleiding⏎In dit rapport wordt {topic} onderzocht. {rep}
Samenvatting⏎De omzet steeg met {n}% ten opzichte van {year}. {rep}
Bevindingen⏎{rep} Figuur {n} toont {topic}. {rep}
Aanpak en methode⏎{rep} {rep}
## nl end
Conclusies en aanbevelingen⏎{rep} {rep}
Bijlage A⏎{topic}
## pt head
!RELATÓRIO ANUAL {year}⏎{company}
!Relatório técnico⏎{topic}⏎Elaborado por {person}
## pt body
O programa decorreu entre {year} e {year}. {rep} A percentagem passou de {n} para {n}{n}.
1. Introdução⏎O presente relatório analisa {topic}. {rep}
Sumário executivo⏎As receitas aumentaram {n}% em relação a {year}. {rep}
Resultados⏎{rep} A tabela {n} apresenta {topic}. {rep}
Metodologia⏎{rep} {rep}
## pt end
Conclusões⏎{rep} {rep}
Referências⏎{last}, {first} ({year}). {topic}.
`;
