import { ChainError } from '@holdfast/chain-core'
import { concatBytes, toHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Address } from '@scure/btc-signer'
import type { Network } from './networks.ts'

export type ScriptKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

type Template = { kind: ScriptKind; type: 'pkh' | 'sh' | 'wpkh' | 'wsh' | 'tr'; before: Uint8Array; payload: number; after: Uint8Array }

/** The output scripts that have an address: two from BIP13 times, the segwit ones of BIP141 and BIP341. */
const TEMPLATES: readonly Template[] = [
  { kind: 'p2wpkh', type: 'wpkh', before: Uint8Array.of(0x00, 20), payload: 20, after: new Uint8Array() },
  { kind: 'p2tr', type: 'tr', before: Uint8Array.of(0x51, 32), payload: 32, after: new Uint8Array() },
  { kind: 'p2wsh', type: 'wsh', before: Uint8Array.of(0x00, 32), payload: 32, after: new Uint8Array() },
  { kind: 'p2pkh', type: 'pkh', before: Uint8Array.of(0x76, 0xa9, 20), payload: 20, after: Uint8Array.of(0x88, 0xac) },
  { kind: 'p2sh', type: 'sh', before: Uint8Array.of(0xa9, 20), payload: 20, after: Uint8Array.of(0x87) },
]

export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes))
}

/** What an output script is and what it pays to (a hash, or a taproot output key), or undefined if it has no address. */
export function readScript(script: Uint8Array): { kind: ScriptKind; payload: Uint8Array } | undefined {
  const found = TEMPLATES.find(({ before, payload, after }) => {
    const fits = script.length === before.length + payload + after.length
    return fits && before.every((byte, i) => script[i] === byte) && after.every((byte, i) => script[before.length + payload + i] === byte)
  })
  if (!found) return undefined
  return { kind: found.kind, payload: script.slice(found.before.length, found.before.length + found.payload) }
}

/** `readScript` of a script that was checked to have an address. */
export const scriptParts = (script: Uint8Array) => known(readScript(script), 'the form of a script that has an address')

function templateOf(kind: ScriptKind): Template {
  const template = TEMPLATES.find((each) => each.kind === kind)
  return known(template, `the template of ${kind}`)
}

export function scriptOf(kind: ScriptKind, payload: Uint8Array): Uint8Array {
  const { before, after } = templateOf(kind)
  return concatBytes(before, payload, after)
}

// To see whether a taproot key is a point takes a square root, and the same few scripts come again and again.
const REMEMBERED_MAX = 2_000
const remembered = new Map<string, string | undefined>()

/** The canonical address of an output script, or undefined if it has none. */
export function addressOfScript(network: Network, script: Uint8Array): string | undefined {
  const name = `${network.chain} ${toHex(script)}`
  if (remembered.has(name)) return remembered.get(name)
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  const address = writeAddress(network, script)
  remembered.set(name, address)
  return address
}

function writeAddress(network: Network, script: Uint8Array): string | undefined {
  const read = readScript(script)
  // BIP341: an output whose key is no point can never be spent.
  if (!read || (read.kind === 'p2tr' && !isPoint(read.payload))) return undefined
  const { type } = templateOf(read.kind)
  const value = type === 'tr' ? { type, pubkey: read.payload } : { type, hash: read.payload }
  return Address({ ...network, wif: 0 }).encode(value as Parameters<ReturnType<typeof Address>['encode']>[0])
}

/**
 * The output script of an address in any accepted text, or undefined if it is no address of the network. Segwit addresses of a
 * version that no rule exists for yet are refused: whoever mines could spend what is paid there.
 */
export function readAddress(network: Network, text: string): Uint8Array | undefined {
  if (text.length < 14 || text.length > 90 || !/^[0-9A-Za-z]+$/.test(text)) return undefined
  try {
    const value = Address({ ...network, wif: 0 }).decode(text) as { type: string; hash?: Uint8Array; pubkey?: Uint8Array }
    const template = TEMPLATES.find((each) => each.type === value.type)
    const payload = value.hash ?? value.pubkey
    if (!template || payload?.length !== template.payload) return undefined
    const script = scriptOf(template.kind, payload)
    const canonical = addressOfScript(network, script)
    return canonical === text || canonical === text.toLowerCase() ? script : undefined
  } catch {
    return undefined
  }
}

/** The canonical text of an address of the network, or undefined. Segwit addresses may come in upper case, as QR codes hold them. */
export function canonicalAddress(network: Network, text: string): string | undefined {
  const script = readAddress(network, text)
  return script && addressOfScript(network, script)
}

/** The output script of an address. Throws ChainError if it is none of this network. */
export function requireScript(network: Network, text: string): Uint8Array {
  const script = readAddress(network, text)
  if (!script) throw new ChainError(`not an address of ${network.name}: ${JSON.stringify(text.slice(0, 100))}; check every character`)
  return script
}

/**
 * The address of a public key: of a compressed one (33 bytes, ECDSA) P2WPKH, of an x-only one (32 bytes) P2TR with that key as the
 * output key, as it is, since keys for taproot are derived already tweaked. Throws ChainError if the key is none.
 */
export function addressFromKey(network: Network, publicKey: Uint8Array): string {
  if (publicKey.length !== 33 && publicKey.length !== 32) throw new ChainError(`a public key has 33 bytes, for taproot 32, not ${publicKey.length}`)
  if (!isPoint(publicKey)) throw new ChainError('the public key is no point of secp256k1')
  const script = publicKey.length === 33 ? scriptOf('p2wpkh', hash160(publicKey)) : scriptOf('p2tr', publicKey)
  return known(addressOfScript(network, script), 'the address of a script made from a key')
}

function isPoint(key: Uint8Array): boolean {
  try {
    if (key.length === 32) schnorr.utils.lift_x(BigInt(`0x${toHex(key)}`))
    else secp256k1.Point.fromBytes(key).assertValidity()
    return true
  } catch {
    return false
  }
}
