import { bytesOfBase58 } from './base58.ts'

/**
 * Why money that is sent to an address is lost. `nobody`: nobody has its key and no contract gives back what it gets. `network`: it is a contract of the
 * network itself, which keeps it.
 */
export type DeadAddress = 'nobody' | 'network'

/**
 * Bytes of addresses that nobody has a key of, besides those that are all but zero. Sources: explorers, which label them, and the standards named
 * here.
 */
const NOBODYS = new Set([
  'dead000000000000000042069420694206942069',
  'dead000000000000000000000000000000000000',
  'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
  // What contracts write for the network's own coin, and the last address there is.
  'ee'.repeat(20),
  'ff'.repeat(20),
  'ff'.repeat(32),
  // TON: the elector and the configuration, in the masterchain.
  '33'.repeat(32),
  '55'.repeat(32),
  // TRON: where burned fees are booked, TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy.
  '77944d19c052b73ee2286823aa83f8138cb7032f',
  // Bitcoin: 1BitcoinEaterAddressDontSendf59kuE, 1CounterpartyXXXXXXXXXXXXXXXUWLpVr.
  '759d6677091e973b9e9d99f19c68fbf43e3f05f9',
  '818895f3dc2c178629d3d2d8fa3ec4a3f8179821',
  // Bitcoin: hashes (BIP16, BIP141) of the empty script, OP_0, OP_1 and OP_RETURN, which nobody can spend or everybody can.
  'b472a266d0bd89c13706a4132ccfb16f7c3b9fcb',
  '9f7fd096d37ed2c0e3f7f0cfc924beef4ffceb68',
  'da1745e9b549bd0bfa1a569971c77eba30cd5a4b',
  '41c98a140039816273e50db317422c11c2bfcc88',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  '4ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260',
  '189f40034be7a199f1fa9891668ee3ab6049f82d38c68be70f596eab2e1857b7',
  // Bitcoin: the point of BIP341 whose key nobody knows, as the key of an output.
  '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0',
])

/**
 * Contracts of networks by the last two bytes of 0x4200…, which keep what they are sent. Source: the list of predeploys of the OP Stack; its wrapped coin and
 * its bridge, which give back, are not among them.
 */
const PREDEPLOYS = new Set([0x00, 0x01, 0x02, 0x07, 0x0f, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x42])

/** Contracts that the Ethereum protocol itself calls. Sources: EIP-2935, EIP-4788, EIP-7002, EIP-7251. */
const SYSTEM = new Set([
  '0000f90827f1c53a10cb7a02335b175320002935',
  '000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '00000961ef480eb55e80d19ad83579a64c007002',
  '0000bbddc7ce488642fb579f8b00f3a590007251',
])

/** Addresses below this number are zero, precompiled functions and what networks put there at their beginning: of none can there be a key. */
const ALL_BUT_ZERO_BYTES = 4
/** No address spells fewer bytes. */
const PAYLOAD_MIN = 20

/** Whether money that is sent to an address of a chain is lost, and why; undefined if nothing is known against it. `address` is canonical text. */
export function deadAddress(chain: string, address: string): DeadAddress | undefined {
  const payload = payloadOf(chain, address)
  if (payload === undefined || payload.length < PAYLOAD_MIN) return undefined
  const digits = Array.from(payload, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const isAllButZero = payload.subarray(0, -ALL_BUT_ZERO_BYTES).every((byte) => byte === 0)
  if (isAllButZero || NOBODYS.has(digits) || /^(dead)+$/.test(digits)) return 'nobody'
  const isPredeploy = /^42(00){17}/.test(digits) && PREDEPLOYS.has(Number.parseInt(digits.slice(-4), 16))
  return isPredeploy || SYSTEM.has(digits) ? 'network' : undefined
}

/** The hash or key that the canonical text of an address spells, without the digits that say of which kind it is and whether it is copied whole. */
function payloadOf(chain: string, address: string): Uint8Array | undefined {
  if (chain.startsWith('eip155:')) return bytesOfDigits(/^0x([0-9a-fA-F]{40})$/.exec(address)?.[1])
  if (chain.startsWith('ton:')) return bytesOfTon(address)
  if (chain.startsWith('bip122:') && /^(bc|tb|bcrt)1/.test(address)) return bytesOfSegwit(address)
  if (chain.startsWith('tron:') || chain.startsWith('bip122:')) return bytesOfBase58(address)?.subarray(1, -4)
  return undefined
}

const bytesOfDigits = (digits = ''): Uint8Array => Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

/** 36 bytes: flags, workchain, account, checksum. */
function bytesOfTon(address: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]{48}$/.test(address)) return undefined
  return Uint8Array.from(atob(address.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0)).subarray(2, -2)
}

const SEGWIT_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const SEGWIT_CHECKSUM = 6

/** BIP173: after the last 1 a digit for the version, five bits in each character of the program, and the checksum. */
function bytesOfSegwit(address: string): Uint8Array {
  const program = address.slice(address.lastIndexOf('1') + 2, -SEGWIT_CHECKSUM)
  const bits = Array.from(program, (character) => SEGWIT_ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
