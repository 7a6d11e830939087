import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { findFreePort, isPortTaken } from '../../lab/embedded/processes/ports.ts';

describe('ports for the programs of script/server', () => {
  it('are free, and none that an outgoing connection takes', async () => {
    const range = '/proc/sys/net/ipv4/ip_local_port_range';
    const outgoing = await readFile(range, 'utf8').then(
      (text) => Number.parseInt(text, 10),
      () => 32_768,
    );
    for (let at = 0; at < 20; at += 1) {
      const port = await findFreePort();
      expect(port).to.be.within(1_024, outgoing - 1);
      expect(await isPortTaken(port)).to.equal(false);
    }
  });

  it('are taken while a program listens there', async () => {
    const server = createServer();
    const port = await findFreePort();
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
    expect(await isPortTaken(port)).to.equal(true);
    await new Promise((closed) => server.close(closed));
  });
});
