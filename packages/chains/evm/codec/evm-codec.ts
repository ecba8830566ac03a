import { type ChainCodec, ChainError, type Effects } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressFromKey, canonicalAddress } from './address.ts'
import { messageSigner } from './signed-message.ts'
import { evmChainId } from './chain-number.ts'
import { checkedSignature, recoverAddress } from './recover-address.ts'
import { parseSigned, parseUnsigned, serializeTransaction } from './transaction.ts'
import {
  authorityOf,
  authorizationDigest,
  decodeAuthorization,
  isAuthorization,
  readSignedAuthorization,
  signAuthorization,
  writeSignedAuthorization,
} from './set-code/authorization.ts'
import { effectsOf } from './transfer.ts'

/** The codec of one EVM chain, named by CAIP-2 such as `eip155:1`. Throws ChainError if the name is no EVM chain's. */
export function evmCodec(config: { chain: string }): ChainCodec {
  const { chain } = config
  const chainId = evmChainId(chain)
  if (chainId === undefined) throw new ChainError(`not an EVM chain: ${JSON.stringify(chain)}; write eip155: and the chain's number`)

  const decode: ChainCodec['decode'] = (unsigned) =>
    isAuthorization(unsigned) ? effectsOfAuthorization(unsigned, chain) : effectsOf(parseUnsigned(unsigned), chain, chainId)

  return {
    signatureKinds: ['ecdsa'],
    slotRule: 'account-nonce',
    canonicalAddress,
    addressFromKey,
    isSignedBy: (address, message, signature) => messageSigner(message, signature) === address,
    decode,
    sighashes: (unsigned) => {
      decode(unsigned)
      return [isAuthorization(unsigned) ? authorizationDigest(unsigned) : keccak_256(unsigned)]
    },
    attach: (unsigned, signatures) => {
      decode(unsigned)
      if (signatures.length !== 1) throw new ChainError(`an EVM transaction takes one signature, not ${signatures.length}`)
      if (isAuthorization(unsigned)) {
        const raw = writeSignedAuthorization(signAuthorization(unsigned, at(signatures, 0)))
        return { raw, txid: txidOf(raw) }
      }
      const signature = checkedSignature(at(signatures, 0))
      // Recovery fails where r is no point's abscissa: such a signature is nobody's and must not leave as a transaction.
      recoverAddress(keccak_256(unsigned), signature)
      const raw = serializeTransaction(parseUnsigned(unsigned), signature)
      return { raw, txid: txidOf(raw) }
    },
    detach: (raw) => {
      if (isAuthorization(raw)) {
        const { unsigned, signed } = readSignedAuthorization(raw)
        decode(unsigned)
        return { unsigned, txid: txidOf(raw), from: authorityOf(signed) }
      }
      const { transaction, signature } = parseSigned(raw)
      const unsigned = serializeTransaction(transaction)
      decode(unsigned)
      return { unsigned, txid: txidOf(raw), from: recoverAddress(keccak_256(unsigned), signature) }
    },
  }
}

/** An authorization moves nothing and costs nothing by itself: whoever carries it in a transaction pays. It takes the account's nonce, as a transaction does. */
function effectsOfAuthorization(unsigned: Uint8Array, chain: string): Effects {
  const { chain: named, delegate, nonce } = decodeAuthorization(unsigned)
  if (named !== chain) throw new ChainError(`the authorization is for ${named}, not for ${chain}`)
  return { chain, transfers: [], authorizes: { delegate }, feeMax: 0n, feeParameters: {}, slot: nonce }
}

/** The codec for a chain by its CAIP-2 name, or undefined if it is no EVM chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  return evmChainId(chain) === undefined ? undefined : evmCodec({ chain })
}

function txidOf(raw: Uint8Array): string {
  return `0x${toHex(keccak_256(raw))}`
}
