import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { createServers, NoPrimary } from '../../src/db/wire/servers.ts';

describe('the search for the primary', () => {
  it('ends when a server lets us in and then says nothing', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      // AuthenticationOk and ReadyForQuery.
      socket.once('data', () => socket.write('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const hosts = [{ host: '127.0.0.1', port }];
      const failure = await createServers(hosts, { user: 'api' })
        .find()
        .catch((error: unknown) => error);
      expect(failure).to.be.an.instanceOf(NoPrimary);
      expect(sockets).to.have.length(1);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});
