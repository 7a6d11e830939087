import { takeSettings } from '../../../src/access/secret-settings.ts';
import { reportStart, startedStep } from '../../../src/start-report.ts';

/** Reports its settings and what is left of them in its environment; ends on SIGTERM. */
const { SECRET_KEY, DATABASE_URL, PORT } = takeSettings(process.env);
const left = Object.keys(process.env).filter((name) => /KEY|DATABASE|SETTINGS_FD/.test(name));
process.stdout.write(`${JSON.stringify({ SECRET_KEY, DATABASE_URL, PORT, left })}\n`);
const waiting = setInterval(() => {}, 60_000);
process.on('SIGTERM', () => clearInterval(waiting));
reportStart(startedStep);
