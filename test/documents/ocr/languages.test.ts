import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngines, type Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { characterError } from '../../../lab/bench/documents/recognition.ts';
import { scannedPdf } from '../../support/samples.ts';

const pages = [
  {
    language: 'deu',
    name: 'German',
    lines: [
      'Die Gemeinde läßt ab März für alle Straßen',
      'südlich der Brücke die Gehwege erneuern.',
      'Während der Bauzeit können Fußgänger den',
      'schmalen Weg über die Wiese benützen.',
      'Größere Fahrzeuge müssen außen herum fahren.',
      'Über Änderungen hängt das Amt Zettel aus,',
      'und Öffnungszeiten stehen weiß auf grün am',
      'Tor. Fragen hört Frau Jäger höchstens früh.',
    ],
  },
  {
    language: 'fra',
    name: 'French',
    lines: [
      "L'été dernier, la forêt a brûlé près du château,",
      "et l'odeur âcre a gêné les élèves du collège.",
      'Où étaient donc passés les pompiers ? À côté,',
      'répondit le maire, très fâché, « déjà rentrés ».',
      "Le garçon reçut une leçon sévère, d'où ça vient.",
      'Noël approche, naïf est celui qui espère même',
      'goûter aux pâtés préparés dès la fin août.',
      "Ça suffit, s'écria-t-elle : il faut tout répéter.",
    ],
  },
  {
    language: 'spa',
    name: 'Spanish',
    lines: [
      '¿Dónde compró usted el pañuelo de señora?',
      'El niño soñó que un pingüino bailaba allá.',
      '¡Qué vergüenza! Mañana volverá el cigüeño.',
      'La montaña, según él, está más lejos aún.',
      'Después del baño, España entera cenó piñas.',
      '¿Cuántos años cumplió la pequeña Begoña?',
      'Recién pintó el árbol y rompió el último jarrón.',
      '¡Ojalá llegue también algún día el otoño!',
    ],
  },
];

describe('recognition in other languages', () => {
  let engines: Engines;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'languages-test-'));
    engines = createEngines({
      processes: 1,
      memoryBytes: 2 ** 30,
      tmpDir: tmpdir(),
      recogniser: 'wasm',
    });
  });
  after(async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { language, name, lines } of pages) {
    it(`reads ${name} with its own model, which knows letters that the English one misreads`, async () => {
      const path = join(folder, `${language}.pdf`);
      await writeFile(path, await scannedPdf([lines]));
      const errorWith = async (model: string): Promise<number> => {
        const { text } = await engines.recognisePage(
          { path, mime: 'application/pdf', page: 1, languages: [model] },
          { deadlineMs: 600_000, isolation: 'prj_test' },
        );
        return characterError(lines.join('\n'), text);
      };
      const own = await errorWith(language);
      expect(own).to.be.below(0.01);
      expect(await errorWith('eng')).to.be.above(Math.max(0.03, 3 * own));
    });
  }
});
