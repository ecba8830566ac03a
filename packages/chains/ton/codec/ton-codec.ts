import { type ChainCodec, ChainError } from '@holdfast/chain-core'
import { concatBytes, toHex } from '@holdfast/encoding'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { at, known } from '@holdfast/units'
import { type Address, addressText, parseAddress } from './address.ts'
import { serializeBoc } from './boc.ts'
import type { Cell } from './cell.ts'
import { networkOf, requireNetwork } from './network.ts'
import { joinSigned, type ParsedTransfer, parseTransfer, splitSigned } from './transfer.ts'
import { externalMessage, signedBody, walletAddress, walletStateInit } from './wallet.ts'

/**
 * The id of a transaction: the hash of the message that began it, and the account it began at, without which nodes find nothing. For a
 * message from outside the hash is that of its normal form (TEP-467), known before it is sent.
 */
export function transactionId(hash: Uint8Array, account: Address, isTest: boolean): string {
  return `${toHex(hash)}:${addressText(account, isTest)}`
}

/** The hash of a message from outside in its normal form: no sender, no fee, no code, and the body in a cell of its own. */
export function normalHash(to: Address, body: Cell): Uint8Array {
  return externalMessage(to, body).hash
}

/** A comment of this many bytes fits the cell of every payment, so that it costs the same as a short one. */
const MEMO_MAX = 120

/** The codec of one TON network, named by CAIP-2 such as `ton:-239`. Throws ChainError if the name is no TON network's. */
export function tonCodec({ chain }: { chain: string }): ChainCodec {
  const network = requireNetwork(chain)
  const { isTest } = network
  const parse = (unsigned: Uint8Array) => parseTransfer(unsigned, network)
  const idOf = ({ publicKey, cell }: ParsedTransfer, signature: Uint8Array): string => {
    const own = walletAddress(publicKey, network)
    return transactionId(normalHash(own, signedBody(cell, signature)), own, isTest)
  }
  return {
    signatureKinds: ['ed25519'],
    slotRule: 'wallet-seqno',
    memoMax: MEMO_MAX,
    canonicalAddress: (text) => {
      const address = parseAddress(text, isTest)
      return address && addressText(address, isTest)
    },
    // The form that the wallets of this chain agree on: `ton://transfer/<address>?jetton=<master>&text=<comment>`.
    paymentLink: (to, { contract, memo }) =>
      `ton://transfer/${to}?${contract === null ? '' : `jetton=${encodeURIComponent(contract)}&`}text=${encodeURIComponent(memo)}`,
    paysSeveral: () => true,
    addressFromKey: (publicKey) => addressText(walletAddress(publicKey, network), isTest),
    decode: (unsigned) => parse(unsigned).effects,
    sighashes: (unsigned) => [parse(unsigned).cell.hash],
    attach: (unsigned, signatures) => {
      const parsed = parse(unsigned)
      if (signatures.length !== 1) throw new ChainError(`a TON order takes one signature, not ${signatures.length}`)
      const { r, s } = at(signatures, 0)
      if (r.length !== 32 || s.length !== 32) throw new ChainError('r and s of a signature have 32 bytes each')
      const signature = concatBytes(r, s)
      assertSignedBy(parsed, signature)
      return { raw: joinSigned(unsigned, signature), txid: idOf(parsed, signature) }
    },
    detach: (raw) => {
      const { unsigned, signature } = splitSigned(raw)
      const parsed = parse(unsigned)
      assertSignedBy(parsed, signature)
      return { unsigned, txid: idOf(parsed, signature), from: known(parsed.effects.from, 'the paying address') }
    },
  }
}

/** The bytes to broadcast for a signed form: a message from outside, which makes the wallet where the order is its first. */
export function broadcastMessage(raw: Uint8Array, chain: string): Uint8Array {
  const network = requireNetwork(chain)
  const { unsigned, signature } = splitSigned(raw)
  const { publicKey, cell, order } = parseTransfer(unsigned, network)
  const init = order.seqno === 0n ? walletStateInit(publicKey, network) : undefined
  return serializeBoc(externalMessage(walletAddress(publicKey, network), signedBody(cell, signature), init))
}

/** The codec for a chain by its CAIP-2 name, or undefined if it is no TON network. */
export function codecFor(chain: string): ChainCodec | undefined {
  return networkOf(chain) ? tonCodec({ chain }) : undefined
}

function assertSignedBy({ publicKey, cell }: ParsedTransfer, signature: Uint8Array): void {
  if (!verifyEd25519(signature, cell.hash, publicKey)) throw new ChainError('the signature is not of the key whose wallet it is for')
}
