import { createServer } from 'node:http';
import { reportStart, startedStep } from '../../../src/start-report.ts';

/**
 * Replaces src/server.ts in tests: ready once it was asked NOT_READY times, knows one key, ends on
 * SIGTERM.
 */
let notReady = Number(process.env.NOT_READY ?? 0);
const server = createServer((request, response) => {
  if (request.url === '/readyz' && notReady > 0) {
    notReady -= 1;
    response.writeHead(503).end();
    return;
  }
  const known = request.headers.authorization === `Bearer ${process.env.KNOWN_KEY ?? 'key-1'}`;
  const good = request.method === 'POST' ? 201 : 200;
  response.statusCode = request.url === '/readyz' || known ? good : 401;
  response.end(request.url === '/pid' ? String(process.pid) : '');
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => reportStart(startedStep));
process.on('SIGTERM', () => {
  process.stderr.write('server stops\n');
  server.close();
  server.closeAllConnections();
});
