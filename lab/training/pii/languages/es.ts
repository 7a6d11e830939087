import { entries, type Language } from './language.ts';

export const spanish: Language = {
  code: 'es',
  locales: ['es', 'es', 'es_MX'],
  countries: ['ES', 'ES', 'ES', 'MX', 'AR', 'CO'],
  twoSurnames: true,
  particles: entries('de | de la | del | de los'),
  particleShare: 0.06,
  roles: entries(
    `mi vecino | mi compañera | nuestro hijo | nuestra hija | el conductor | la testigo | su abogado | su hermana | el demandante | la denunciante | el fallecido | nuestro empleado | la inquilina | su hermano | el paciente | el alumno | mi jefe | el autor | la artista | su marido | el propietario | la candidata | el acusado | mi amiga`,
  ),
  verbs: entries(
    `dice | dijo | pregunta | preguntó | opina | explica | confirma | niega | llega | llegó | sale | llama | llamó | ha llamado | ha pagado | está enfermo | no está | está de acuerdo | quiere saber | no puede | debe venir | tiene que esperar | fue elegido | fue oída | sustituye | dirige | escribe | envía | responde | firma | vende | compra | propone | rechaza | precisa | añade | agradece | gana | pierde | marcó | vive aquí | trabaja allí | sabe | cree | espera | paga | hereda | obtiene | presenta el informe | abandona la sala`,
  ),
  namedStreets: entries(
    `calle & * | Calle & * | avenida & * | Avenida de & * | plaza & * | Plaza * | paseo & * | calle * | Ronda *`,
  ),
  namesakes: entries(
    `Herrero | Pastor | Zapatero | Molinero | Guerrero | Rey | Conde | Duque | Blanco | Moreno | Rubio | Delgado | Fuentes | Ríos | Campo | Montes | Castillo | Torres | Puente | Iglesias | Flores | Ramos | León | Lobo | Toro | Domingo`,
  ),
  dates: ['D de M de Y', 'D de M de Y', 'D de M', 'D/n/Y', 'D-n-Y', 'M de Y'],
  titles: entries(
    `Sr. | Sra. | Srta. | Don | Doña | D. | Dña. | Dª | señor | señora | el señor | la señora | Dr. | Dra. | el doctor | la doctora | Lic. | Ing. | Prof. | profesora | profesor | doctora | doctor | don | doña | maestra | la señorita | el juez | la abogada | Ilmo. Sr. D. | Sres. | Excma. Sra. | padre | tía | tío | la ministra | el alcalde`,
  ),
  jobs: entries(
    `director general | directora | gerente | contable | enfermera | médico de cabecera | abogada | ingeniero | secretaria | jefe de proyecto | responsable de recursos humanos | técnico | profesora | vendedor | presidente | administrador único | notario | procuradora | fisioterapeuta | trabajadora social`,
  ),
  organizations: entries(
    `* S.L. | * e Hijos, S.L. | * y Asociados | Hermanos * | Talleres * | Bufete * | @ S.A. | @ S.L.U. | Grupo @ | @ España | Panadería * | Ayuntamiento de # | Hospital Universitario de # | Universidad de # | Juzgado de Primera Instancia de # | Audiencia Provincial de # | Banco Santander | CaixaBank | Agencia Tributaria | Seguridad Social | Telefónica | Correos | Renfe | Seguros * | Inmobiliaria * | Real # | IES * | Clínica * | Editorial @ | Fundación * | @ S.A. de C.V. | Comunidad de Propietarios`,
  ),
  nationalities: entries(
    `española | español | mexicano | argentina | colombiano | marroquí | francesa | alemán | peruana | italiana | católica | evangélico`,
  ),
  laws: entries(
    `el artículo ## del Código Civil | la Ley Orgánica #/2018 | el artículo # del Estatuto de los Trabajadores | el Real Decreto ###/20## | la Ley de Enjuiciamiento Civil | el Reglamento General de Protección de Datos | el artículo ## de la Constitución | la Ley de Arrendamientos Urbanos`,
  ),
  personal: `
{L} {v}.
{L} {v}, {L} {v}.
{W}: {P}. {L} {v}.
{F} {v}, {F} {v}.
{R} {F} {v}.
{W} de {F} y {W} de {F}
{w} de {F} y {w} de {F} {w}
{W}: {L}, {L}, {L}, {L}
{W}: {F} y {P}
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
Muy señores míos:⏎⏎Por la presente les comunico la baja de mi contrato con fecha {d}.⏎⏎{P}
Estimado {H} {L}:⏎hemos recibido su carta del {d}.
Querida {F}:⏎gracias por tu mensaje, {F} y yo llegamos el {D} a {C}.⏎Un abrazo,⏎{F}
Hola {F}, ¿puedes avisar a {F} de que la reunión pasa a las {time}?
De una parte, {H} {P}, mayor de edad, con DNI {id} y domicilio en {A}, en adelante el arrendador, y de otra, {H} {P}, en adelante el arrendatario
{H} {P}, con domicilio en {A}, es contratada como {J} a partir del {d}.
Se condena a {H} {P} a pagar a {H} {P} la cantidad de {amt}.
{P}, representado por la procuradora {H} {P}
El testigo, {H} {P}, declaró haber visto a {L} el {d} en {C}.
Paciente: {P}, fecha de nacimiento {d}, {A}
Acude a consulta {H} {P}, de {age} años, remitida por {H} {L}.
Informe de alta. Médico responsable: {H} {P}
{H} {L} refiere dolor lumbar desde hace {n} semanas.
Contacto: {P}, tel. {phone}, {email}
Para cualquier duda, diríjase a {P} en el {phone}.
La evaluación de {P} fue realizada por {H} {L}.
La solicitud de {H} {L} fue denegada el {d}.
La madre de {F}, {P}, vive en {C}.
{P} trabaja como {J} en {O} desde el {d}.
Según {P}, {J} de {O}, las ventas crecen un {n} %.
«No lo esperábamos», dijo {P} el {D} en {C}.
{P}, de {age} años, natural de {C}, ganó la carrera por delante de {P} y {P}.
Dirección de entrega: {P}, {A}
Facturar a:⏎{P}⏎{A}
{O}⏎{A}⏎⏎{H} {P}⏎{A}⏎⏎En {C}, a {d}⏎⏎Asunto: {w} {w}
Titular de la cuenta: {P}⏎IBAN: {iban}⏎Concepto: alquiler de {m}
Candidatura al puesto de {J}⏎{P}⏎{A}⏎Teléfono: {phone}
Nombre: {F}⏎Apellidos: {L}⏎Fecha de nacimiento: {d}⏎Lugar de nacimiento: {C}⏎Nacionalidad: {N}
Asistentes: {P}, {P}, {P} (excusa su asistencia)
Secretario: {P}⏎Presidenta: {H} {L}
Punto {n}: {H} {L} informa sobre la marcha de las obras.
{P} ha pasado el expediente a {F}.
hola {F}, tienes el num de {F}? bss {F}
He quedado con {F} y {F} el {D} en {C}.
Mi marido {F} y nuestros hijos {F} y {F} están cubiertos por la póliza.
¡Feliz cumpleaños, {F}!
Se adjunta el informe pericial de {H} {P}.
La resolución se notificó a {P}, {ST}, {Z} {C}.
La mercantil {O}, representada por su administrador {P}, solicita la desestimación.
Yo, {P}, nacido el {d} en {C}, declaro bajo juramento
Fdo.: {P}⏎{JC}
Atentamente,⏎⏎{P}⏎{JC}⏎{O}
Un saludo,⏎{P}
El piso de la {ST} está ocupado por {P}.
En caso de emergencia avisar a {P} (hermana), {phone}
{H} {L} y {H} {L} votaron en contra.
Nombre	Apellidos	Departamento⏎{F}	{L}	{W}⏎{F}	{L}	{W}
Su cita con {H} {L} es el {D} {d} a las {time}.
A petición de {P}, el plazo se amplía hasta el {d}.
La boda de {P} y {P} se celebrará en {C}.
Gracias a {F} por revisar el texto y a {H} {L} por sus comentarios.
Se lo dijo {F} a {F}, no a {F}.
Los herederos de {P}, fallecida el {d} en {C}
Ayer llamó {R} {P}.
Según {P}, {R} {F} ya se ha ido.
El {D} cubre {F} y el {D}, {F}.
{F} está enferma, la sustituye {F}.
El paquete lo recogió {P}.
Recibido por {F}, entregado a {P}.
En la oficina solo estaban {P} y {R} {L}.
Se investiga a {P}; {L} niega los hechos.
Para {F} era nuevo; {F} ya lo sabía.
Los propietarios son {P} y {P}.
La bici de {F} está en casa de {F}.
Fotos: {P}, texto: {P}
Intervinieron {P}, {P} y {H} {P}.
Turnos⏎{D}: {F}, {F}⏎{D}: {F}, {F}
Dale un beso a {F}.
Besos, {F}
Herencia de {L}, expediente {id}
Distribución: {P}, {P}, {P}
Goles de {L} y {L}.
Como dijo {P}, {F} no estaba.
El acusado, {F} {u}., reconoció los hechos ante {H} {L}.
{F} y {P} viven en {A}.
Ayer vi a {F} con {F} en el mercado.
La tutora de {F} recibió a {H} {L}.
La finca pertenecía a {P}, luego {L} la vendió.
¿le pides a {F} las llaves? las tiene {F}
Mi hermana {F} vive con {F}.
Según {H} {L}, abogada de {F}, se repetirá el juicio.
Luego {F} llamó a {F} por teléfono.
Firmado: {P}
Cuando {L} salió, {P} se levantó.
Oye {F}, ¿me dejas el taladro?
Pregúntale a {P}, porque {L} está de vacaciones.
Se lo dije a {P}, pero contestó {L}.
Quien decide es {L}, no {P}.
Ayer {F} dejó aquí el paraguas.
ey {f}, ¿dónde estás? {f} te espera abajo
¿alguien sabe si {f} viene hoy?
{f} ha cancelado, ¿quién lo sustituye?
dile a {f} que llame a {f} porfa
{f} dice que está {w}
jaja {f} siempre igual
ayer vi a {f} con {f}
{f}: ¿ya está?⏎{f}: pregunta a {f}
{L} contra {L}, autos {id}
{L} contra {O}, sentencia de {d}
Asisten: {L}, {L}, {L}, {L}
Excusan su asistencia {L} y {L}.
Su hijo {F} acompaña a la Sra. {L}.
Le pedí a {F} que avisara a {F}.
El médico operó a {F} por la tarde y a {P} por la noche.
Cuando {P} abrió la {w}, el {w} estaba vacío.
Bajo la dirección de {P} se reformó el {w}.
Mi prima {F} vive con {P} cerca de {C}.
{F} y {P} llevan el {w} desde {d}.
Según {OB}, {P} llegará en {m} a {C}.
{P} trabaja para {OB} y vive en {C}.
La {OB} abrirá una tienda en {C} en {m}, dice {P}.
La Sra. {L} vendió su {BR} y {F} compró un {BR}.
El testigo {P}, empleado de {OB}, lo confirma.
Transferencia a {P}, concepto {w} {m}, {amt}
{I} – no localizado
Fotos: {P}. Texto: {P}
Se casaron {P} y {P} en {C}.
{I} – ausente
{I} ({w}); {I}
{F} y {P} han comprado la {w}.
El Dr. {L} vio a {F} por la {w}.
Le di la {w} a {F} y otra a {P}.
oye {f} mándame la {w}
{f} nunca {w} nada
`,
  impersonal: `
El {w} y la {w} se comprueban antes de la entrega.
Los {w} del {w} figuran en el anexo; el {w} se factura aparte.
De {D} a {D} abierto de 9 a 17 h. Cerrado en {m}.
{W}: {num}⏎{W}: {amt}⏎{W}: {n} %
De conformidad con {law}, el vendedor responde de los defectos.
En virtud de {law}, la empresa conservará los documentos durante cinco años.
El Arrendatario se obliga a pagar la renta y a devolver las llaves.
El Proveedor solo responde de los daños directos causados al Cliente.
El plazo de preaviso es de tres meses desde la recepción del escrito.
Cefalea, mareos, náuseas; sin fiebre. Tensión arterial 130/80, pulso {n}.
Tratamiento: Paracetamol 1 g, Amoxicilina 500 mg cada ocho horas, Enalapril 10 mg
Antecedentes: hipertensión arterial, diabetes tipo 2, apendicectomía
Instrucciones de montaje: afloje los tornillos y retire la tapa.
Cantidad Descripción Precio unitario Importe⏎{n} {W} {prod} {amt} {amt}
Base imponible {amt}, IVA 21 %, Total {amt}
Pago a treinta días mediante transferencia bancaria.
Orden del día: Lectura del acta anterior, Presupuesto, Ruegos y preguntas
Resumen de los resultados y conclusiones
El tiempo será variable el {D}, con lluvias en el norte y sol en el sur.
El Gobierno quiere bajar los impuestos y la oposición lo rechaza.
El programa muestra las líneas del fichero en la salida estándar.
Esta opción define los caracteres usados como separadores.
NOMBRE⏎SINOPSIS⏎DESCRIPCIÓN⏎OPCIONES⏎VÉASE TAMBIÉN⏎VARIABLES DE ENTORNO
El modelo {prod} sustituye al {prod} desde 20{yy}.
De 1871 a 1904 el número de explotaciones subió a {num}.
en los años 19{y}0, entre 18{yy} y 19{yy}, hacia 17{yy}
Figura {n}: Evolución de la temperatura en verano
Capítulo {n}⏎Conceptos básicos
Mezcle la harina, el azúcar y la mantequilla y deje reposar la masa una hora.
Vacaciones Baja médica Gastos de viaje Horas extraordinarias
Se adjuntan: Currículum, Títulos, Certificado
Reciba un cordial saludo.⏎Atención al Cliente
Estimados compañeros:⏎el comedor estará cerrado el {D}.
Estimado cliente:
Buenos días a todos, la reunión se aplaza al {D}.
Las Condiciones Generales de Contratación se aplican a todos los pedidos.
El río baja crecido; los fertilizantes y plaguicidas contaminan el acuífero.
Consejo de Administración, Junta General, Comité de Empresa, Cámara de Comercio
{W} {w} {w}
Tornillos, tacos, escuadras y brocas están en el sótano.
El {D} se reúne la comisión; el {D}, el pleno.
En primavera florecen tulipanes y narcisos.
Montaje, mantenimiento, reparación y reciclaje
Faltan llaves, recibo y contrato.
Edificio {u}, planta {n}, despacho {n}
Sala {n}, puerta {u}
El tesorero, la secretaria y el presidente del consejo
Después de la {W} se cambió el {w}.
Cada {w} debe ser {w}. Toda {w} es {w}.
Cada {w} consta de {n} {w}.
En {m}, el {BR} sigue siendo el más vendido.
síndrome de {q}, enfermedad de {q}, prueba de {q} negativa
El teorema de {q} y el ciclo de {q} exigen una {w}.
Jornada {n}: {BR} {c} {y}, {BR} {c} {y}; {c} {y}, {BR} {c} {y}
{BR} {c} {y} - {c} {y}. El líder es el {c}.
{W} '{q}' {w} {amt}⏎{W} '{q} {q}' {w} {amt}
Con {BR} y {BR} mejoró la {w}.
Pulse {W} y después {W}. Confirme con {W}.
Concepto: {w} {m}
Ha demostrado {w} y {w} en todas sus {w}.
El nuevo {BR} gasta {n} litros.
¿quién ha visto la {w}? no está en el {w}
ya llego, la {w} está {w}
el Rey, la Reina, el Juzgado, el Consejo y el Ayuntamiento
{m}	{W}	{W}⏎{num}	{num}	{num}
{W}, {W}, {W}, {W}, {W}
{W}: {w}, {w}, {w}
{O} {w} {w} {w}.
{W} {O} {w}
{BR} y {BR} {v}.
{SP} {w} {w} {w}.
{W}, {SP}, {w}
{V}, {V} y {V} {w}.
{W}, {w} y {w} {w} {w}.
{w} {w}, {w} {w}
{W}: {V}, {w}
Su {w} está {w}. Sus {w} están {w}.
Se ruega {w} la {w}. No se {w} los {w}.
`,
};
