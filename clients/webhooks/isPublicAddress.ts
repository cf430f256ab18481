import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 that is not for the public (IANA's registry of special-purpose addresses), multicast and reserved. */
const special = new BlockList()
const ranges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
for (const range of ranges) {
  const [network = '', prefix] = range.split('/')
  special.addSubnet(network, Number(prefix), 'ipv4')
}

/** IPv6: only global unicast, without the parts that wrap an IPv4 address (Teredo, 6to4) or are for documentation. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
const wrapped = new BlockList()
wrapped.addSubnet('2001::', 23, 'ipv6')
wrapped.addSubnet('2001:db8::', 32, 'ipv6')
wrapped.addSubnet('2002::', 16, 'ipv6')
wrapped.addSubnet('3fff::', 20, 'ipv6')

/** Whether an address belongs to the public Internet. False for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  return isIPv6(address) && global.check(address, 'ipv6') && !wrapped.check(address, 'ipv6')
}
