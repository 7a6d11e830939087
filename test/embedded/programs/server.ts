import { createServer } from 'node:http';

/** Replaces src/server.ts in tests: ready at once, knows one key, ends on SIGTERM. */
const server = createServer((request, response) => {
  const known = request.headers.authorization === `Bearer ${process.env.KNOWN_KEY ?? 'key-1'}`;
  const good = request.method === 'POST' ? 201 : 200;
  response.statusCode = request.url === '/readyz' || known ? good : 401;
  response.end(request.url === '/pid' ? String(process.pid) : '');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  process.stderr.write('server stops\n');
  server.close();
  server.closeAllConnections();
});
