import { ChainError } from '@holdfast/chain-core'
import { equalBytes, fromHex } from '@holdfast/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Address } from './address.ts'
import { parseBoc } from './boc.ts'
import { Cell, type CellId, ordinaryCellId } from './cell.ts'
import { CellBuilder } from './cell-builder.ts'
import { CellReader } from './cell-reader.ts'
import type { Network } from './network.ts'

/** The wallets that can be read; payments are made with v5r1 alone, whose signatures bind the network. */
export type WalletVersion = 'v5r1' | 'v4r2'
export type SignedBody = { version: WalletVersion; walletId: number; validUntil: bigint; seqno: bigint; signature: Uint8Array; order: Cell }

/** The compiled contract. Source: tonkeeper/wallet-contract-v5, build/wallet_v5.compiled.json; the tests compare it with @ton/ton's. */
const V5R1_CODE =
  'te6ccgECFAEAAoEAART/APSkE/S88sgLAQIBIAINAgFIAwQC3NAg10nBIJFbj2Mg1wsfIIIQZXh0br0hghBzaW50vbCSXwPgghBleHRuuo60gCDXIQHQdNch+kAw+kT4KPpEMFi9kVvg7UTQgQFB1yH0BYMH9A5voTGRMOGAQNchcH/bPOAxINdJgQKAuZEw4HDiEA8CASAFDAIBIAYJAgFuBwgAGa3OdqJoQCDrkOuF/8AAGa8d9qJoQBDrkOuFj8ACAUgKCwAXsyX7UTQcdch1wsfgABGyYvtRNDXCgCAAGb5fD2omhAgKDrkPoCwBAvIOAR4g1wsfghBzaWduuvLgin8PAeaO8O2i7fshgwjXIgKDCNcjIIAg1yHTH9Mf0x/tRNDSANMfINMf0//XCgAK+QFAzPkQmiiUXwrbMeHywIffArNQB7Dy0IRRJbry4IVQNrry4Ib4I7vy0IgikvgA3gGkf8jKAMsfAc8Wye1UIJL4D95w2zzYEAP27aLt+wL0BCFukmwhjkwCIdc5MHCUIccAs44tAdcoIHYeQ2wg10nACPLgkyDXSsAC8uCTINcdBscSwgBSMLDy0InXTNc5MAGk6GwShAe78uCT10rAAPLgk+1V4tIAAcAAkVvg69csCBQgkXCWAdcsCBwS4lIQseMPINdKERITAJYB+kAB+kT4KPpEMFi68uCR7UTQgQFB1xj0BQSdf8jKAEAEgwf0U/Lgi44UA4MH9Fvy4Iwi1woAIW4Bs7Dy0JDiyFADzxYS9ADJ7VQAcjDXLAgkji0h8uCS0gDtRNDSAFETuvLQj1RQMJExnAGBAUDXIdcKAPLgjuLIygBYzxbJ7VST8sCN4gAQk1vbMeHXTNA='
const V5R1_CODE_ID: CellId = { hash: fromHex('20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f'), depth: 6 }
const V4R2_CODE_ID: CellId = { hash: fromHex('feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0'), depth: 7 }
const V4R2_WALLET_ID = 698_983_191
/** The first 32 bits of what a v5 wallet takes from outside: "sign". */
export const SIGNED_EXTERNAL = 0x7369676e
// One bit that says that the rest is workchain 0, version 0 and sub-wallet 0.
const V5R1_CONTEXT = -(2 ** 31)
const SIGNATURE_BITS = 512

/** The number that a v5 wallet of the network has in every message it takes, so that no other network's wallet takes it. */
export function walletIdOf({ globalId }: Network): number {
  return globalId ^ V5R1_CONTEXT
}

/** The address of the wallet of a public key, in workchain 0. Throws ChainError if the key is none. */
export function walletAddress(publicKey: Uint8Array, network: Network, version: WalletVersion = 'v5r1'): Address {
  assertPublicKey(publicKey)
  const code = version === 'v5r1' ? V5R1_CODE_ID : V4R2_CODE_ID
  return { workchain: 0, hash: stateInitId(code, dataOf(publicKey, network, version)).hash }
}

/** Whether this is the code of a person's wallet, as far as it is one that can be read. */
export function isWalletCode({ hash }: Cell): boolean {
  return [V5R1_CODE_ID, V4R2_CODE_ID].some((known) => equalBytes(known.hash, hash))
}

/** What makes a v5 wallet where its address has nothing yet. */
export function walletStateInit(publicKey: Uint8Array, network: Network): Cell {
  return new CellBuilder()
    .uint(STATE_INIT, 5)
    .ref(parseBoc(bytesOfBase64(V5R1_CODE)))
    .ref(dataOf(publicKey, network, 'v5r1'))
    .cell()
}

// No split depth, not special, code, data, no libraries.
const STATE_INIT = 0b00110

/** The hash of the state init of a contract is the account's address. */
export function stateInitId(code: CellId, data: CellId): CellId {
  return ordinaryCellId(new CellBuilder().uint(STATE_INIT, 5).content(), [code, data])
}

function dataOf(publicKey: Uint8Array, network: Network, version: WalletVersion): Cell {
  const data = new CellBuilder()
  if (version === 'v5r1') data.bit(true)
  data
    .uint(0, 32)
    .int(version === 'v5r1' ? walletIdOf(network) : V4R2_WALLET_ID, 32)
    .bytes(publicKey)
  return data.bit(false).cell()
}

/** The seqno and the public key that stand in the data of a wallet. Throws ChainError if they are of no wallet that can be read. */
export function readWalletData(data: Cell): { seqno: bigint; publicKey: Uint8Array } {
  const reader = new CellReader(data)
  // The newer wallet's data begin with a bit more: whether signatures count.
  if (reader.bitsLeft === 1 + 32 + 32 + 256 + 1) {
    if (!reader.bit()) throw new ChainError('the wallet takes no signatures any more')
  } else if (reader.bitsLeft !== 32 + 32 + 256 + 1) throw new ChainError('the account is no wallet of a known kind')
  const seqno = reader.uint(32)
  reader.skip(32)
  return { seqno, publicKey: reader.bytes(32) }
}

/** What a wallet was sent from outside: a signed order, of the newer wallet or of the older; undefined if it is neither. */
export function readSignedBody(body: Cell): SignedBody | undefined {
  const { length } = body.bits
  const first = length >= 32 ? new CellReader(body).number(32) : 0
  if (first === SIGNED_EXTERNAL && length >= 128 + SIGNATURE_BITS) {
    const reader = new CellReader(body)
    const bits = reader.slice(length - SIGNATURE_BITS)
    const order = new Cell(bits, body.refs)
    return { version: 'v5r1', ...numbersOf(order, 32), signature: reader.bytes(64), order }
  }
  if (length < SIGNATURE_BITS + 96) return undefined
  const reader = new CellReader(body)
  const signature = reader.bytes(64)
  const order = reader.rest()
  return { version: 'v4r2', ...numbersOf(order, 0), signature, order }
}

function numbersOf(order: Cell, from: number) {
  const reader = new CellReader(order)
  reader.skip(from)
  return { walletId: Number(reader.int(32)), validUntil: reader.uint(32), seqno: reader.uint(32) }
}

/** A signed order as the v5 wallet takes it: the signature stands at its end. */
export function signedBody(order: Cell, signature: Uint8Array): Cell {
  const body = new CellBuilder().bits(order.bits).bytes(signature)
  for (const each of order.refs) body.ref(each)
  return body.cell()
}

/** A message from outside, as it is broadcast; with `init` where it makes the wallet. */
export function externalMessage(to: Address, body: Cell, init?: Cell): Cell {
  const message = new CellBuilder().uint(0b1000, 4).address(to).coins(0n)
  message.bit(init !== undefined)
  if (init) message.bit(true).ref(init)
  return message.bit(true).ref(body).cell()
}

function assertPublicKey(publicKey: Uint8Array): void {
  if (publicKey.length !== 32) throw new ChainError(`an ed25519 public key has 32 bytes, not ${publicKey.length}`)
  try {
    // A key of small order would let anybody sign.
    if (!ed25519.Point.fromBytes(publicKey, false).isSmallOrder()) return
  } catch {
    // Said below, whatever is wrong with it.
  }
  throw new ChainError('the public key is no point of the ed25519 group')
}

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
