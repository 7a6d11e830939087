import { expect } from 'chai';
import fc from 'fast-check';
import {
  AddressRangeError,
  createAddressPolicy,
  isLocalRange,
} from '../../src/webhooks/dialing/address.ts';
import { forbidden, justOutside } from './forbidden.ts';

const PUBLIC = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

describe('webhook address policy', () => {
  describe('of public and special addresses', () => {
    const policy = createAddressPolicy({ allowCidrs: [] });
    for (const address of forbidden) {
      it(`denies ${address}`, () => {
        expect(policy.judge(address)).to.equal('denied');
      });
    }
    for (const address of [
      ...justOutside,
      ...PUBLIC,
      '8.8.8.8',
      '1.1.1.1',
      '::ffff:5db8:d822',
      '2a00:1450::1',
    ]) {
      it(`allows ${address}`, () => {
        expect(policy.judge(address)).to.equal('public');
      });
    }
    for (const text of [
      '',
      'example.com',
      '127.1',
      '0x7f000001',
      '1.2.3',
      '1.2.3.4.5',
      '08.8.8.8',
      '[::1]',
      'fe80::1%eth0',
      '2606:4700::1%1',
      ' 8.8.8.8',
      '8.8.8.8/32',
      'undefined',
    ]) {
      it(`rejects an invalid address: ${JSON.stringify(text)}`, () => {
        expect(policy.judge(text)).to.equal('denied');
      });
    }
    it('treats a mapped IPv4 address like the IPv4 address', () => {
      fc.assert(
        fc.property(fc.ipV4(), (address) => {
          expect(policy.judge(`::ffff:${address}`)).to.equal(policy.judge(address));
        }),
      );
    });
    it('denies every IPv6 address outside 2000::/3', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (words) => {
          const address = words.map((word) => word.toString(16)).join(':');
          if (((words[0] ?? 0) & 0xe000) !== 0x2000) {
            expect(policy.judge(address)).to.equal('denied');
          }
        }),
      );
    });
  });

  describe('with ranges that the operator allows', () => {
    const policy = createAddressPolicy({
      allowCidrs: [
        '127.0.0.0/8',
        '100.64.0.0/10',
        '64:ff9b::/96',
        'fc00::/7',
        '10.1.2.3',
        '169.254.0.0/16',
      ],
      denyCidrs: ['93.184.216.0/24'],
    });
    const cases: [string, string][] = [
      ['127.0.0.1', 'allowed'],
      ['::ffff:127.0.0.1', 'allowed'],
      ['::127.0.0.1', 'denied'],
      ['::1', 'denied'],
      ['10.1.2.3', 'allowed'],
      ['10.1.2.4', 'denied'],
      ['100.64.0.1', 'allowed'],
      ['fd12::1', 'allowed'],
      ['64:ff9b::8.8.8.8', 'allowed'],
      ['64:ff9b::10.0.0.1', 'denied'],
      ['64:ff9b::169.254.169.254', 'denied'],
      ['93.184.216.34', 'denied'],
      ['::ffff:93.184.216.34', 'denied'],
      // Cloud metadata stays unreachable however wide the range.
      ['100.100.100.200', 'denied'],
      ['169.254.169.254', 'denied'],
      ['::ffff:169.254.169.254', 'denied'],
      ['fd00:ec2::254', 'denied'],
      ['169.254.1.1', 'allowed'],
      ['169.254.42.42', 'denied'],
      ['fd00:42::42', 'denied'],
      ['fd00:ec2::123', 'denied'],
    ];
    for (const [address, verdict] of cases) {
      it(`${address} is ${verdict}`, () => {
        expect(policy.judge(address)).to.equal(verdict);
      });
    }
    for (const bad of [
      '',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '10.0.0.0/a',
      'fe80::1%1/64',
      '::/129',
      '10.0.0/8',
      '0.0.0.0/0',
      '::/0',
      // IPv4 addresses written as IPv6: allowing one of these would allow all of IPv4.
      '::/1',
      '::/64',
      '::ffff:0:0/96',
      '::ffff:10.0.0.0/104',
      '::ffff:10.0.0.1',
    ]) {
      it(`rejects ${JSON.stringify(bad)} as a range`, () => {
        expect(() => createAddressPolicy({ allowCidrs: [bad] })).to.throw(AddressRangeError);
      });
    }
    it('allows ::1 if exactly that address is configured', () => {
      const loopback = createAddressPolicy({ allowCidrs: ['::1/128'] });
      expect(loopback.judge('::1')).to.equal('allowed');
      expect(loopback.judge('::7f00:1')).to.equal('denied');
    });
    it("denies this machine's own public addresses unless they are configured", () => {
      const own = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '127.0.0.1', 'fe80::1'];
      const closed = createAddressPolicy({ allowCidrs: [], machineAddresses: own });
      for (const address of own) expect(closed.judge(address)).to.equal('denied');
      expect(closed.judge('::ffff:93.184.216.34')).to.equal('denied');
      expect(closed.judge('93.184.216.35')).to.equal('public');
      const opened = createAddressPolicy({
        allowCidrs: ['93.184.216.34/32', '127.0.0.0/8'],
        machineAddresses: own,
      });
      expect(opened.judge('93.184.216.34')).to.equal('allowed');
      expect(opened.judge('127.0.0.1')).to.equal('allowed');
    });
  });

  describe('ranges that contain loopback or link-local addresses', () => {
    for (const range of [
      '127.0.0.1',
      '127.0.0.0/8',
      '127.255.0.0/16',
      '126.0.0.0/7',
      '0.0.0.0/1',
      '0.0.0.0',
      '169.254.0.0/16',
      '168.0.0.0/6',
      '169.254.169.254',
      '::1',
      '0:0:0:0:0:0:0:1/128',
      'fe80::/10',
      'FE80::1/128',
      'febf::/16',
      'fe00::/8',
    ]) {
      it(`include ${range}`, () => {
        expect(isLocalRange(range)).to.equal(true);
      });
    }
    for (const range of ['10.0.0.0/8', '128.0.0.0/8', '169.253.0.0/16', 'fd00::/8', 'fec0::/10']) {
      it(`do not include ${range}`, () => {
        expect(isLocalRange(range)).to.equal(false);
      });
    }
  });
});
