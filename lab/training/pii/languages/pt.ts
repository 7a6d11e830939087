import { entries, type Language } from './language.ts';

export const portuguese: Language = {
  code: 'pt',
  locales: ['pt_PT', 'pt_PT', 'pt_BR'],
  countries: ['PT', 'PT', 'BR', 'BR'],
  twoSurnames: true,
  particles: entries('da | de | dos | do | das | e'),
  particleShare: 0.2,
  roles: entries(
    `o meu vizinho | a minha colega | o nosso filho | a nossa filha | o condutor | a testemunha | o seu advogado | a sua irmã | o requerente | a queixosa | o falecido | o nosso funcionário | a inquilina | o seu irmão | o utente | o aluno | o meu chefe | o autor | a artista | o marido | o proprietário | a candidata | o arguido | minha amiga | meu primo`,
  ),
  verbs: entries(
    `diz | disse | pergunta | perguntou | acha | explica | confirma | nega | chega | chegou | sai | saiu | liga | ligou | telefonou | pagou | está doente | não está | concorda | quer saber | não pode | deve vir | tem de esperar | foi eleito | foi ouvida | substitui | dirige | escreve | envia | responde | assina | vende | compra | propõe | recusa | esclarece | acrescenta | agradece | ganha | perdeu | marcou | mora aqui | trabalha lá | sabe | acredita | espera | paga | herda | obtém | apresenta o relatório | deixou a sala`,
  ),
  namedStreets: entries(
    `Rua & * | rua & * | Avenida & * | Praça * | Travessa & * | Largo * | Rua * | Alameda & *`,
  ),
  namesakes: entries(
    `Ferreira | Pereira | Oliveira | Carvalho | Pinheiro | Moreira | Rocha | Ribeiro | Fontes | Ponte | Monte | Campos | Costa | Leão | Lobo | Coelho | Cordeiro | Raposo | Rei | Conde | Branco | Preto | Machado | Prata | Sardinha | Pinto | Cruz | Luz`,
  ),
  dates: ['D de M de Y', 'D de M de Y', 'D de M', 'D/n/Y', 'D-n-Y', 'M de Y'],
  titles: entries(
    `Sr. | Sra. | o Sr. | a Sra. | Senhor | Senhora | o senhor | a senhora | Dr. | Dra. | Doutor | Doutora | o Dr. | a Dra. | Prof. | Profª | Eng. | Eng.ª | Arq. | Exmo. Sr. | Exma. Sra. | Sr. Dr. | D. | Dona | Seu | o juiz | a ministra | Padre | senhora | senhor | doutora | doutor | professora | professor | engenheiro | Dona | tio | tia | Srs. | o presidente da câmara | Des.`,
  ),
  jobs: entries(
    `diretor-geral | diretora | gerente | contabilista | enfermeira | médico de família | advogada | engenheiro | secretária | gestor de projeto | responsável de recursos humanos | técnico | professora | vendedor | presidente | administrador | notária | solicitador | fisioterapeuta | assistente social | contador | analista de sistemas`,
  ),
  organizations: entries(
    `*, Lda. | * & Filhos, Lda. | Irmãos * | * Advogados | Oficina * | @, S.A. | @ Ltda. | Grupo @ | @ Portugal | @ do Brasil S.A. | Padaria * | Câmara Municipal de # | Prefeitura de # | Hospital de # | Universidade de # | Tribunal da Comarca de # | Caixa Geral de Depósitos | Banco do Brasil | Bradesco | Autoridade Tributária | Segurança Social | INSS | CTT | Correios | Petrobras | Seguros * | Imobiliária * | Escola Secundária de # | Farmácia * | Clínica * | Editora @ | Fundação * | Sporting de # | Condomínio @`,
  ),
  nationalities: entries(
    `portuguesa | português | brasileira | brasileiro | angolano | cabo-verdiana | francesa | ucraniano | espanhola | católica`,
  ),
  laws: entries(
    `o artigo ###.º do Código Civil | a Lei n.º ##/20## | o Decreto-Lei n.º ###/20## | o Código do Trabalho | a Lei Geral de Proteção de Dados | o artigo #.º da Constituição | o Código da Estrada | o Estatuto da Criança e do Adolescente`,
  ),
  personal: `
{L} {v}.
{L} {v}, {L} {v}.
{W}: {P}. {L} {v}.
{F} {v}, {F} {v}.
{R} {F} {v}.
{W} de {F} e {W} de {F}
{w} de {F} e {w} de {F} {w}
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
Exmos. Senhores,⏎⏎Venho por este meio rescindir o meu contrato com efeitos a {d}.⏎⏎{P}
Exmo. {H} {L},⏎recebemos a sua carta de {d}.
Querida {F},⏎obrigada pela mensagem, {F} e eu chegamos {D} a {C}.⏎Beijinhos,⏎{F}
Olá {F}, podes avisar o {F} de que a reunião passou para as {time}?
Oi {F}, você pode avisar a {F} que a reunião mudou para as {time}?
Entre {P}, nascido em {C} a {d}, residente em {A}, adiante designado senhorio, e {P}, adiante designado inquilino
{H} {P}, residente em {A}, é admitida como {J} a partir de {d}.
Condena-se {P} a pagar a {P} a quantia de {amt}.
{P}, representado por {H} {P}, advogado em {C}
A testemunha, {H} {P}, declarou ter visto {L} em {d}, em {C}.
Utente: {P}, data de nascimento {d}, {A}
Paciente {P}, {age} anos, encaminhada por {H} {L}.
Relatório de alta. Médico responsável: {H} {P}
{H} {L} queixa-se de dores lombares há {n} semanas.
Contacto: {P}, tel. {phone}, {email}
Em caso de dúvida, contacte {P} pelo {phone}.
A avaliação de {P} foi feita por {H} {L}.
O pedido de {H} {L} foi indeferido em {d}.
A mãe da {F}, {P}, mora em {C}.
{P} trabalha como {J} na {O} desde {d}.
Segundo {P}, {J} da {O}, as vendas crescem {n} %.
«Não estávamos à espera», disse {P} na {D} em {C}.
{P}, de {age} anos, natural de {C}, venceu a etapa à frente de {P} e {P}.
Morada de entrega: {P}, {A}
Endereço de entrega: {P}, {A}
Faturar a:⏎{P}⏎{A}
{O}⏎{A}⏎⏎{H} {P}⏎{A}⏎⏎{C}, {d}⏎⏎Assunto: {w} {w}
Titular da conta: {P}⏎IBAN: {iban}⏎Descritivo: renda de {m}
Candidatura ao lugar de {J}⏎{P}⏎{A}⏎Telefone: {phone}
Nome: {F}⏎Apelido: {L}⏎Data de nascimento: {d}⏎Naturalidade: {C}⏎Nacionalidade: {N}
Presentes: {P}, {P}, {P} (ausente)
Secretariou: {P}⏎Presidiu: {H} {L}
Ponto {n}: {H} {L} informou sobre o andamento das obras.
{P} passou o processo à {F}.
oi {F}, tem o número da {F}? bjs {F}
Combinei com a {F} e o {F} na {D} em {C}.
O meu marido {F} e os nossos filhos {F} e {F} estão cobertos pela apólice.
Feliz aniversário, {F}!
Junta-se o relatório pericial de {H} {P}.
A decisão foi notificada a {P}, {ST}, {Z} {C}.
A sociedade {O}, representada pelo gerente {P}, requer a improcedência.
Eu, {P}, nascida em {d} em {C}, declaro
Assinado: {P}⏎{JC}
Com os melhores cumprimentos,⏎⏎{P}⏎{JC}⏎{O}
Atenciosamente,⏎{P}⏎{O}
O apartamento na {ST} é ocupado por {P}.
Em caso de emergência: {P} (irmã), {phone}
{H} {L} e {H} {L} votaram contra.
Nome	Apelido	Serviço⏎{F}	{L}	{W}⏎{F}	{L}	{W}
A sua consulta com {H} {L} é na {D}, {d}, às {time}.
A pedido de {P}, o prazo é prorrogado até {d}.
O casamento de {P} e {P} realiza-se em {C}.
Obrigado à {F} pela revisão e a {H} {L} pelos comentários.
Foi o {F} que disse à {F}, não a {F}.
Os herdeiros de {P}, falecido em {d} em {C}
Ontem ligou {R} {P}.
Segundo {P}, {R} {F} já saiu.
Na {D} é a {F}, na {D} é o {F}.
{F} está doente, {F} substitui.
A encomenda foi recebida por {P}.
Recebido por {F}, entregue a {P}.
No escritório só estavam {P} e {R} {L}.
Investiga-se {P}; {L} nega.
Para a {F} era novidade; o {F} já sabia.
Os donos são {P} e {P}.
A bicicleta do {F} está em casa da {F}.
Fotos: {P}, texto: {P}
Intervieram {P}, {P} e {H} {P}.
Escala⏎{D}: {F}, {F}⏎{D}: {F}, {F}
Dá um beijo à {F}!
Beijos, {F}
Abraço, {F}
Herança {L}, processo {id}
Distribuição: {P}, {P}, {P}
Golos de {L} e {L}. Gols de {L}.
{F}, você viu o {F} hoje?
Como disse {P}, {F} não estava.
O arguido, {F} {u}., confessou perante {H} {L}.
{F} e {P} moram em {A}.
Ontem vi a {F} com o {F} no mercado.
A professora da {F} recebeu {H} {L}.
A quinta pertencia a {P}, depois {L} vendeu-a.
pede as chaves pro {F}? a {F} tem
A minha irmã {F} mora com a {F}.
A {F} avisou o {F} de que a aula acabou.
Transfira o valor para {P}, IBAN {iban}
Depois a {F} telefonou ao {F}.
Quando {L} saiu, {P} levantou-se.
Falei com {P}, mas quem decide é {L}.
Encontrei a {F} na praia com o {F}.
Pergunta a {P}, porque {L} está de férias.
Ontem a {F} deixou aqui o guarda-chuva.
Entregue a {L}, assinado por {P}.
ei {f}, cadê você? {f} tá esperando lá embaixo
alguém sabe se {f} vem hoje?
{f} cancelou, quem substitui?
diz ao {f} para ligar à {f}
{f} disse que tá {w}
kkk {f} sempre assim
ontem vi o {f} com a {f}
{f}: já está?⏎{f}: pergunta à {f}
{L} contra {L}, processo {id}
{L} contra {O}, acórdão de {d}
Presentes: {L}, {L}, {L}, {L}
Faltaram {L} e {L}.
O filho {F} acompanha a Sra. {L}.
O perito {L} ouviu {P}.
Perguntei a {F} se a {w} estava {w}.
Quando {P} abriu a {w}, o {w} estava vazio.
Sob a direção de {P} foi renovado o {w}.
A minha prima {F} vive com {P} perto de {C}.
{F} e {P} gerem o {w} desde {d}.
Segundo a {OB}, {P} começa em {m} em {C}.
{P} trabalha para a {OB} e mora em {C}.
A {OB} abre uma loja em {C} em {m}, diz {P}.
A Sra. {L} vendeu o {BR} e {F} comprou um {BR}.
A testemunha {P}, empregado da {OB}, confirma.
Transferência para {P}, descritivo {w} {m}, {amt}
Fotografia: {P}. Texto: {P}
Foi {P} quem avisou {F} da {w}.
{P} é o autor da {w}.
Atenciosamente,⏎{P}
{I} – ausente
{I} ({w}); {I}
{F} e {P} compraram a {w}.
O Dr. {L} viu {F} e depois {P}.
Em nome de {P}, IBAN {iban}
{P} avisou {F}.
Utente: {P}⏎Favorecido: {P}
oi {f}, manda a {w} da {f}
`,
  impersonal: `
O {w} e a {w} são verificados antes da entrega.
Os {w} do {w} constam do anexo; o {w} é faturado à parte.
De {D} a {D} aberto das 9 às 17 h. Encerrado em {m}.
{W}: {num}⏎{W}: {amt}⏎{W}: {n} %
Nos termos de {law}, o vendedor responde pelos defeitos.
Por força de {law}, a empresa conserva os documentos durante cinco anos.
O Inquilino obriga-se a pagar a renda e a devolver as chaves.
A Contratada responde apenas pelos danos diretos causados à Contratante.
O prazo de aviso prévio é de três meses a contar da receção da carta.
Cefaleias, tonturas, náuseas; sem febre. Tensão arterial 130/80, pulso {n}.
Medicação: Paracetamol 1 g, Amoxicilina 500 mg de oito em oito horas, Losartana 50 mg
Antecedentes: hipertensão arterial, diabetes tipo 2, apendicectomia
Instruções de montagem: desaperte os parafusos e retire a tampa.
Quantidade Descrição Preço unitário Valor⏎{n} {W} {prod} {amt} {amt}
Subtotal {amt}, IVA 23 %, Total {amt}
Pagamento a trinta dias por transferência bancária.
Ordem de trabalhos: Leitura da ata, Orçamento, Outros assuntos
Resumo dos resultados e conclusões
O tempo será instável na {D}, com chuva no norte e sol no sul.
O Governo quer baixar os impostos e a oposição está contra.
O programa mostra as linhas do ficheiro na saída padrão.
Esta opção define os caracteres usados como separadores.
NOME⏎SINOPSE⏎DESCRIÇÃO⏎OPÇÕES⏎VEJA TAMBÉM⏎VARIÁVEIS DE AMBIENTE
O modelo {prod} substitui o {prod} desde 20{yy}.
De 1871 a 1904 o número de explorações subiu para {num}.
nos anos 19{y}0, entre 18{yy} e 19{yy}, por volta de 17{yy}
Figura {n}: Evolução da temperatura no verão
Capítulo {n}⏎Conceitos básicos
Misture a farinha, o açúcar e a manteiga e deixe a massa descansar uma hora.
Férias Baixa médica Despesas de viagem Horas extraordinárias
Anexos: Currículo, Diplomas, Declaração
Com os melhores cumprimentos.⏎Apoio ao Cliente
Caros colegas,⏎o refeitório estará fechado na {D}.
Prezado cliente,
Bom dia a todos, a reunião foi adiada para {D}.
As Condições Gerais aplicam-se a todas as encomendas.
O rio está cheio; os fertilizantes e pesticidas poluem o lençol freático.
Conselho de Administração, Assembleia Geral, Câmara dos Deputados, Diário da República
{W} {w} {w}
Parafusos, buchas, esquadros e brocas estão na cave.
Na {D} reúne a comissão; na {D}, o conselho.
Na primavera florescem tulipas e narcisos.
Montagem, manutenção, reparação e reciclagem
Na terça, na quarta e na quinta há reunião.
Faltam chaves, recibo e contrato.
Edifício {u}, andar {n}, sala {n}
O tesoureiro, a secretária e o presidente do conselho
Depois da {W} foi substituído o {w}.
Entrada {u}, balcão {n}
Cada {w} deve ser {w}. Toda a {w} é {w}.
às segundas e quintas-feiras, às terças e sextas-feiras
Em {m}, o {BR} continua o mais vendido. O preço do {BR} subiu.
síndrome de {q}, doença de {q}, teste de {q} negativo
O teorema de {q} e o ciclo de {q} exigem uma {w}.
Jornada {n}: {BR} {c} {y}, {BR} {c} {y}; {c} {y}, {BR} {c} {y}
{BR} {c} {y} - {c} {y}. O {c} lidera.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Com {BR} e {BR} a {w} melhorou.
Clique em {W} e depois em {W}. Confirme com {W}.
Descritivo: {w} {m}
Demonstrou {w} e {w} em todas as {w}.
O novo {BR} gasta {n} litros.
quem viu a {w}? não tá no {w}
já chego, a {w} tá {w}
uma {w} do Norte, uma {w} do Sul
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
A sua {w} está {w}. As suas {w} estão {w}.
Deixe a {w} em {w} brando. Sirva com {w}.
`,
};
