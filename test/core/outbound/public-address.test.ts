import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../core/outbound/public-address.ts';

const reachable = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200a',
  // The public IPv4 address inside.
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
];

const kept = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1', 'fec0::1'],
  'link-local': ['169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
  ],
  'IPv4 in IPv6': [
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '2002:c0a8:101::1',
    '::ffff:10.0.0.1',
    '::ffff:0:8.8.8.8',
    '::8.8.8.8',
    '2001:0:53aa:64c::1',
  ],
  shared: ['100.64.0.1', '100.127.255.255'],
  special: [
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  documentation: ['2001:db8::1', '3fff::1'],
  'no address': [
    '',
    'localhost',
    'example.com',
    '1.2.3',
    '08.8.8.8',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '8.8.8.8 ',
    '::g',
  ],
};

describe('an address of the public internet', () => {
  test.each(reachable)('%s', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe.each(Object.entries(kept))('not public: %s', (_, addresses) => {
  test.each(addresses)('%s', (address) => expect(isPublicAddress(address)).toBe(false));
});
