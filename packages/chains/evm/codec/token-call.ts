import { ChainError, nftAsset, readNft } from '@holdfast/chain-core'
import { addressBytes, checksumAddress } from './address.ts'
import { addressOfWord, encodeCall, selectorOf, wordsOf } from './call-data.ts'
import { transferFunctionOf } from './read-call.ts'
import { bytesToUint } from './uint.ts'

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER = 'a9059cbb'
/** `safeTransferFrom(address,address,uint256)` of ERC-721: a contract that cannot hold the token refuses it, where `transferFrom` would lose it. */
const TRANSFER_721 = '42842e0e'
/** `safeTransferFrom(address,address,uint256,uint256,bytes)` of ERC-1155. */
const TRANSFER_1155 = 'f242432a'
/** Where the bytes that ERC-1155 hands to the recipient begin, behind the five words; there are none. */
const NO_BYTES = [160n, 0n]

/** A movement of tokens by a call. `asset` is the contract text of an `AssetRef`; `from` is named by calls that move tokens of a collection. */
export type TokenTransfer = { asset: string; from?: string; to: string; amount: bigint }

/** The contract to call and its call data. Throws ChainError if an address is none, or a token of a collection is moved from nobody. */
export function encodeTokenTransfer({ asset, from, to, amount }: TokenTransfer): { contract: Uint8Array; data: Uint8Array } {
  const nft = readNft(asset)
  const recipient = addressBytes(to)
  if (!nft) return { contract: addressBytes(asset), data: encodeCall(TRANSFER, [recipient, amount]) }
  const contract = addressBytes(nft.collection)
  if (from === undefined) throw new ChainError('a token of a collection is moved from an address that the call names: give it')
  const owner = addressBytes(from)
  if (nft.standard === 'erc1155') return { contract, data: encodeCall(TRANSFER_1155, [owner, recipient, nft.tokenId, amount, ...NO_BYTES]) }
  if (amount !== 1n) throw new ChainError(`a token of ERC-721 is one piece, not ${amount}`)
  return { contract, data: encodeCall(TRANSFER_721, [owner, recipient, nft.tokenId]) }
}

/**
 * Reads the call data of a transfer; undefined for a call that moves no tokens by itself. Throws ChainError for any other spelling of a transfer, and for every
 * function that moves tokens and is none of the templates.
 */
export function decodeTokenTransfer(contract: Uint8Array, data: Uint8Array): TokenTransfer | undefined {
  const selector = selectorOf(data)
  const collection = checksumAddress(contract)
  if (selector === TRANSFER) {
    const [to, amount] = wordsOf(data, 2, 'ERC-20 transfer') as [Uint8Array, Uint8Array]
    return { asset: collection, to: recipientOf(to), amount: bytesToUint(amount) }
  }
  if (selector === TRANSFER_721) {
    const [from, to, id] = wordsOf(data, 3, 'ERC-721 safeTransferFrom') as [Uint8Array, Uint8Array, Uint8Array]
    const asset = nftAsset({ standard: 'erc721', collection, tokenId: bytesToUint(id) })
    return { asset, from: ownerOf(from), to: recipientOf(to), amount: 1n }
  }
  if (selector === TRANSFER_1155) {
    const words = wordsOf(data, 4 + NO_BYTES.length, 'ERC-1155 safeTransferFrom without bytes for the recipient')
    const [from, to, id, amount, ...bytes] = words as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, ...Uint8Array[]]
    if (bytes.some((word, i) => bytesToUint(word) !== NO_BYTES[i]))
      throw new ChainError('the ERC-1155 transfer hands bytes to the recipient, which is not allowed')
    const asset = nftAsset({ standard: 'erc1155', collection, tokenId: bytesToUint(id) })
    return { asset, from: ownerOf(from), to: recipientOf(to), amount: bytesToUint(amount) }
  }
  const other = transferFunctionOf(data)
  if (other !== undefined) throw new ChainError(`${other} moves tokens in another way than the transfers of ERC-20, ERC-721 and ERC-1155 that are understood`)
  return undefined
}

const ownerOf = (word: Uint8Array) => checksumAddress(addressOfWord(word, 'the owner in the token transfer'))
const recipientOf = (word: Uint8Array) => checksumAddress(addressOfWord(word, 'the recipient in the token transfer'))
