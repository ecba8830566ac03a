import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublicAddress } from './check-address.ts'
import { checkEndpoint, NOT_PUBLIC, readEndpoint, resolveEndpoint } from './endpoint-address.ts'
import { nodePorts } from '@holdfast/ports/node'

/** IANA's special-purpose registries, written down a second time and judged by another implementation. */
const FORBIDDEN_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const FORBIDDEN_V6 = [
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]
// Two lists: one of them would judge an IPv4 address by the IPv6 range that holds the mapped ones.
const forbidden = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [ranges, family] of [
  [FORBIDDEN_V4, 'ipv4'],
  [FORBIDDEN_V6, 'ipv6'],
] as const) {
  for (const range of ranges) forbidden[family].addSubnet(range.split('/')[0]!, Number(range.split('/')[1]), family)
}
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
const v6 = (parts: readonly number[]) => parts.map((each) => each.toString(16)).join(':')
const within = (range: string, noise: readonly number[]) => {
  const [base, length] = range.split('/') as [string, string]
  const value = base.split('.').reduce((sum, each) => sum * 256 + Number(each), 0)
  const free = 32 - Number(length)
  const random = noise.reduce((sum, each) => sum * 256 + each, 0) % 2 ** free
  const whole = value + random
  return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256).join('.')
}

test('no address of any special range is taken for a public one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FORBIDDEN_V4), octets, (range, noise) => assert.equal(isPublicAddress(within(range, noise)), false)),
    { numRuns: 5000 },
  )
})

test('an IPv4 address is public exactly when no registry gives it another meaning', () => {
  fc.assert(
    fc.property(octets, (parts) => {
      const text = parts.join('.')
      assert.equal(isPublicAddress(text), !forbidden.ipv4.check(text, 'ipv4'), text)
    }),
    { numRuns: 20_000 },
  )
})

test('an IPv6 address that is taken for public is one of the routed space with no other meaning', () => {
  const near = fc.constantFrom(0, 0x64, 0x100, 0x2001, 0x2002, 0x3fff, 0x5f00, 0xfc00, 0xfdff, 0xfe80, 0xfec0, 0xff02, 0x2606, 0x2a00)
  fc.assert(
    fc.property(near, groups, fc.nat(7), (first, parts, zeros) => {
      const text = v6([first, ...parts.slice(1).map((each, at) => (at < zeros ? 0 : each))])
      if (!isPublicAddress(text)) return
      assert.equal(forbidden.ipv6.check(text, 'ipv6'), false, text)
      assert.ok(first >= 0x2000 && first <= 0x3fff, text)
    }),
    { numRuns: 20_000 },
  )
})

test('a private IPv4 address is refused in every IPv6 dress: mapped, compatible, 6to4, NAT64, Teredo', () => {
  fc.assert(
    fc.property(octets, ([a, b, c, d]) => {
      const [high, low] = [a * 256 + b, c * 256 + d].map((each) => each.toString(16)) as [string, string]
      for (const text of [
        `::ffff:${a}.${b}.${c}.${d}`,
        `::ffff:${high}:${low}`,
        `::${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `2002:${high}:${low}::1`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2001:0:1:1:0:0:${high}:${low}`,
        `fe80::5efe:${high}:${low}`,
      ])
        assert.equal(isPublicAddress(text), false, text)
    }),
  )
})

test('public addresses pass; what is no plain address does not', () => {
  for (const text of ['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2A00:1450::1']) assert.equal(isPublicAddress(text), true, text)
  for (const text of [
    '',
    'localhost',
    '0x7f.1',
    '127.1',
    '2130706433',
    '017700000001',
    '8.8.8.8 ',
    '8.8.8',
    '1.2.3.4.5',
    'fe80::1%eth0',
    '2606::1%1',
    '[2606::1]',
    ':::',
    '08.8.8.8',
  ])
    assert.equal(isPublicAddress(text), false, text)
  fc.assert(fc.property(fc.string(), (text) => assert.ok(typeof isPublicAddress(text) === 'boolean')))
})

const local = new Set(['localhost:9000', '127.0.0.1:9000', '[::1]:9000'])
const refusal = (text: string) => {
  try {
    readEndpoint(text, local)
    return ''
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

test('an endpoint is a whole https address without secrets', () => {
  assert.equal(readEndpoint('https://Example.com/hook?a=1', local).url, 'https://example.com/hook?a=1')
  assert.equal(refusal('http://example.com/'), 'it must begin with https://')
  assert.equal(refusal('http://localhost:9000/hook'), '')
  assert.equal(refusal('http://localhost:9001/hook'), 'it must begin with https://')
  assert.equal(refusal('http://[::1]:9000/hook'), '')
  assert.equal(refusal('https://user:pass@example.com/'), 'it must not hold a user name or a password')
  assert.equal(refusal('https://example.com/#part'), 'it must not have a part after "#"')
  for (const text of [
    '',
    'example.com',
    '//example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https:///x',
    'https://exa mple.com',
    'https://例え.jp/',
    'file:///etc/passwd',
    '\thttps://example.com',
  ])
    assert.match(refusal(text), /whole address/, text)
  assert.match(refusal(`https://example.com/${'a'.repeat(2048)}`), /at most 2048/)
})

test('every way to write this machine as a host is refused when it is saved', async () => {
  const hosts = [
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '100.100.100.200',
    '[fd00:ec2::254]',
    '[2002:7f00:1::]',
    '224.0.0.1',
    '255.255.255.255',
  ]
  for (const host of hosts)
    await assert.rejects(checkEndpoint(nodePorts, `https://${host}/`, new Set()), (error: { errorName: string; details: { reason: string } }) => {
      assert.equal(error.errorName, 'invalid_parameters')
      assert.equal(error.details.reason, NOT_PUBLIC, host)
      return true
    })
})

test('one private address among public ones is enough to refuse a name, and the refusal does not tell it', async () => {
  const net = { ...nodePorts.net, resolve: async () => ['93.184.215.14', '10.1.2.3'] }
  await assert.rejects(
    resolveEndpoint({ net }, readEndpoint('https://mixed.example/', new Set())),
    (error: Error) => !error.message.includes('10.1') && error.message === NOT_PUBLIC,
  )
  await assert.rejects(checkEndpoint({ net: { ...net, resolve: async () => [] } }, 'https://none.example/', new Set()), { errorName: 'invalid_parameters' })
})
