import { type BlockTransfer, nftAsset, type NftStandard } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { address, array, hash, hexData, record } from './answers.ts'

/** What a token's log is read as. */
export type TokenKind = 'erc20' | NftStandard
/**
 * What to look for in a block: the tokens by their canonical address, and nothing of any other contract. Of those that were
 * added later, logs of another form are not even told of: who asked for such a token does not answer for it.
 */
export type Watch = { chain: string; tokens: Map<string, TokenKind>; added: Set<string> }
/** A log in parsed form; `data` in words of 64 hexadecimal digits, or null if it has no whole number of them. */
export type TokenLog = { contract: string; topics: string[]; words: string[] | null }

type Moved = Pick<BlockTransfer, 'asset' | 'from' | 'to' | 'amount'>
type Form = { topic: string; topics: number; read(words: string[], contract: string, topics: string[]): [asset: string, amount: bigint][] | undefined }

const topicOf = (event: string) => `0x${toHex(keccak_256(new TextEncoder().encode(event)))}`
export const TRANSFER = topicOf('Transfer(address,address,uint256)')
const WORD_DIGITS = 64
const WORD_BYTES = 32n

/** The events by which each kind of token tells of a movement. Sources: ERC-20, ERC-721, ERC-1155. */
const FORMS: Record<TokenKind, Form[]> = {
  erc20: [{ topic: TRANSFER, topics: 3, read: (words, contract) => (words.length === 1 ? [[contract, numberOf(at(words, 0))]] : undefined) }],
  erc721: [
    {
      topic: TRANSFER,
      topics: 4,
      read: (words, collection, topics) =>
        words.length === 0 ? [[nftAsset({ standard: 'erc721', collection, tokenId: BigInt(at(topics, 3)) }), 1n]] : undefined,
    },
  ],
  erc1155: [
    {
      topic: topicOf('TransferSingle(address,address,address,uint256,uint256)'),
      topics: 4,
      read: (words, collection) => (words.length === 2 ? [[item(collection, numberOf(at(words, 0))), numberOf(at(words, 1))]] : undefined),
    },
    { topic: topicOf('TransferBatch(address,address,address,uint256[],uint256[])'), topics: 4, read: readBatch },
  ],
}

/** Where an event's two parties stand among its topics: ERC-1155 names the one who acted before them. */
const FIRST_PARTY: Record<TokenKind, number> = { erc20: 1, erc721: 1, erc1155: 2 }

/** The parts of a log that tell of tokens. Throws ChainError if the claim has no log's shape. */
export function tokenLogOf(claim: unknown): TokenLog {
  const log = record(claim, 'log')
  const data = hexData(log.data, 'data of a log').slice(2)
  return {
    contract: address(log.address, 'contract of a log'),
    topics: array(log.topics, 'list of topics').map((topic) => hash(topic, 'topic')),
    words: data.length % WORD_DIGITS === 0 ? (data.match(/.{64}/g) ?? []) : null,
  }
}

/**
 * What a log of a token of a kind moved: nothing if it is another event, one movement for each token otherwise. Undefined if it bears the name
 * of the kind's event and not its form. Movements of nothing are left out: they move no value, and are how look-alike addresses are planted in a history.
 */
export function movedBy({ contract, topics, words }: TokenLog, kind: TokenKind, chain: string): Moved[] | undefined {
  const form = FORMS[kind].find(({ topic }) => topic === topics[0])
  if (!form) return []
  const moved = topics.length === form.topics && words ? form.read(words, contract, topics) : undefined
  if (!moved) return undefined
  const [from, to] = topics.slice(FIRST_PARTY[kind], FIRST_PARTY[kind] + 2).map(addressOfTopic)
  if (from === undefined || to === undefined) return undefined
  return moved.filter(([, amount]) => amount > 0n).map(([asset, amount]) => ({ asset: { chain, contract: asset }, from, to, amount }))
}

/**
 * Two lists behind their offsets, ids and amounts. An id that stands in it several times counts once, with the sum: otherwise somebody could fill a block with
 * movements of one piece.
 */
function readBatch(words: string[], collection: string): [string, bigint][] | undefined {
  const listAt = (word: string | undefined): bigint[] | undefined => {
    const offset = word === undefined ? 1n : numberOf(word)
    if (offset % WORD_BYTES !== 0n || offset / WORD_BYTES >= BigInt(words.length)) return undefined
    const start = Number(offset / WORD_BYTES) + 1
    const count = numberOf(at(words, start - 1))
    return count <= BigInt(words.length - start) ? words.slice(start, start + Number(count)).map(numberOf) : undefined
  }
  const [ids, amounts] = [listAt(words[0]), listAt(words[1])]
  if (!ids || ids.length !== amounts?.length) return undefined
  const sums = new Map<bigint, bigint>()
  ids.forEach((id, i) => sums.set(id, (sums.get(id) ?? 0n) + at(amounts, i)))
  // A balance has 256 bits, and no ledger holds more: a collection that says so says nothing.
  if ([...sums.values()].some((sum) => sum >> 256n > 0n)) return undefined
  return [...sums].map(([id, amount]) => [item(collection, id), amount])
}

const item = (collection: string, tokenId: bigint) => nftAsset({ standard: 'erc1155', collection, tokenId })
const numberOf = (word: string) => BigInt(`0x${word}`)

function addressOfTopic(topic: string): string | undefined {
  return topic.startsWith(`0x${'0'.repeat(24)}`) ? address(`0x${topic.slice(26)}`, 'address of a log') : undefined
}
