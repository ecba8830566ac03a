import { ChainError } from '@holdfast/chain-core'
import { equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bloomOf, orderedTrieRoot, typedItem } from '../codec/ordered-trie.ts'
import { encodeRlp, type RlpItem } from '../codec/rlp.ts'
import { uintToBytes } from '../codec/uint.ts'

/*
 * A block's hash is that of its header, and its header names the root over its transactions and the one over their receipts. Both are computed here from what a
 * node answered, so that it can neither add a payment or a log to a block of this hash nor leave one out: by mistake, or by a lie while another source has the
 * same hash. What no block's hash covers, the traces, is not proven by this.
 */

type Claim = Record<string, unknown>
/** Throws ChainError if transactions and receipts are not those of the block's hash. */
export type Prover = (block: Claim, transactions: readonly Claim[], receipts: readonly Claim[]) => void

/**
 * So often a block is tried that contradicts itself, on a chain of which no block was proven yet: then its blocks have a form of their own, and are not
 * proven.
 */
const TRIES = 3
const BLOOM_BYTES = 256
const OP_DEPOSIT = 0x7e
/**
 * Polygon shows what came from Ethereum as one more transaction, whose fields are all empty. Until its Madhugiri fork it was in no root, and shown as of the
 * first kind. Since then (PIP-74) it is in both roots, of a kind of its own: as nodes do not tell what it holds, such blocks are of a form that is not known.
 */
const SHOWS_STATE_SYNC = ['eip155:137', 'eip155:80002']
const ZERO_ADDRESS = `0x${'00'.repeat(20)}`
const isOutsideRoots = ({ from, to, gas, type }: Claim) => from === ZERO_ADDRESS && to === ZERO_ADDRESS && gas === '0x0' && (type ?? '0x0') === '0x0'

/**
 * Opens the proofs of one node's blocks. Blocks in a form that is not known, of their header, a transaction or a receipt, are passed over: other sources
 * are compared.
 */
export function openProver(chain: string): Prover {
  let hasProven = false
  let hasOwnForm = false
  const failed = { hash: '', times: 0 }
  return (block, transactions, receipts) => {
    const inRoot = transactions.map((each) => !SHOWS_STATE_SYNC.includes(chain) || !isOutsideRoots(each))
    const kept = (list: readonly Claim[]) => list.filter((_, i) => inRoot[i])
    if (hasOwnForm) return
    const isProven = isProvenBy(block, kept(transactions), kept(receipts))
    if (isProven === undefined) return
    hasProven ||= isProven
    if (isProven) return
    const hash = String(block.hash)
    Object.assign(failed, { hash, times: failed.hash === hash ? failed.times + 1 : 1 })
    hasOwnForm = !hasProven && failed.times >= TRIES
    if (hasOwnForm) return
    throw new ChainError(
      `the node's transactions or receipts of block ${shown(block.number)} are not those that its hash covers; read it again, or use another node`,
    )
  }
}

const shown = (claim: unknown): string => (typeof claim === 'string' && /^0x[0-9a-f]{1,16}$/i.test(claim) ? String(BigInt(claim)) : 'of no number')

/** Whether everything fits the block's hash; undefined if something has a form that is not known. */
function isProvenBy(block: Claim, transactions: readonly Claim[], receipts: readonly Claim[]): boolean | undefined {
  try {
    const header = fieldsOf(block)
    if (!equalBytes(keccak_256(encodeRlp(header)), bytesOf(block.hash, 32))) return undefined
    const sent = transactions.map((each) => transactionBytes(each))
    if (sent.some((bytes, i) => !equalBytes(keccak_256(bytes), bytesOf(at(transactions, i).hash, 32)))) return false
    const done = receipts.map((each, i) => receiptBytes(each, each.type ?? transactions[i]?.type))
    return equalBytes(orderedTrieRoot(sent), bytesOf(block.transactionsRoot, 32)) && equalBytes(orderedTrieRoot(done), bytesOf(block.receiptsRoot, 32))
  } catch (cause) {
    if (cause instanceof BlockFault) return undefined
    throw cause
  }
}

/** Something is not as the specification has it; then nothing is known. */
class BlockFault extends Error {
  override name = 'BlockFault'
}

function bytesOf(claim: unknown, length?: number): Uint8Array {
  if (typeof claim !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(claim)) throw new BlockFault(`no bytes: ${JSON.stringify(claim)?.slice(0, 40)}`)
  const bytes = fromHex(claim.slice(2).toLowerCase())
  if (length !== undefined && bytes.length !== length) throw new BlockFault(`${bytes.length} bytes in place of ${length}`)
  return bytes
}

function uintOf(claim: unknown): Uint8Array {
  if (typeof claim !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(claim)) throw new BlockFault(`no number: ${JSON.stringify(claim)?.slice(0, 40)}`)
  return uintToBytes(BigInt(claim))
}

const listOf = (claim: unknown): unknown[] => {
  if (!Array.isArray(claim)) throw new BlockFault('no list')
  return claim
}
const recordOf = (claim: unknown): Claim => {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) throw new BlockFault('no record')
  return claim as Claim
}

type Field = [name: string, read: (claim: unknown) => RlpItem]
const bytes32 = (claim: unknown) => bytesOf(claim, 32)
const address = (claim: unknown) => bytesOf(claim, 20)

/** A header, as go-ethereum's core/types/block.go has it. */
const HEADER: Field[] = [
  ['parentHash', bytes32],
  ['sha3Uncles', bytes32],
  ['miner', address],
  ['stateRoot', bytes32],
  ['transactionsRoot', bytes32],
  ['receiptsRoot', bytes32],
  ['logsBloom', (claim) => bytesOf(claim, BLOOM_BYTES)],
  ['difficulty', uintOf],
  ['number', uintOf],
  ['gasLimit', uintOf],
  ['gasUsed', uintOf],
  ['timestamp', uintOf],
  ['extraData', bytesOf],
  ['mixHash', bytes32],
  ['nonce', (claim) => bytesOf(claim, 8)],
]
/** What forks have added, in this order: each is there only with those before it. */
const ADDED: Field[] = [
  ['baseFeePerGas', uintOf],
  ['withdrawalsRoot', bytes32],
  ['blobGasUsed', uintOf],
  ['excessBlobGas', uintOf],
  ['parentBeaconBlockRoot', bytes32],
  ['requestsHash', bytes32],
]

function fieldsOf(block: Claim): RlpItem[] {
  const added = ADDED.findIndex(([name]) => block[name] === undefined || block[name] === null)
  return [...HEADER, ...(added < 0 ? ADDED : ADDED.slice(0, added))].map(([name, read]) => read(block[name]))
}

const accessList = (claim: unknown): RlpItem => listOf(claim).map((each) => [address(recordOf(each).address), listOf(recordOf(each).storageKeys).map(bytes32)])
const authorization = (claim: unknown): RlpItem => {
  const { chainId, address: code, nonce, yParity, v, r, s } = recordOf(claim)
  return [uintOf(chainId), address(code), uintOf(nonce), uintOf(yParity ?? v), uintOf(r), uintOf(s)]
}

/**
 * A signed transaction, from the fields that a node tells of it. Sources: EIP-155, EIP-2930, EIP-1559, EIP-4844, EIP-7702; for deposits the OP stack's
 * specification.
 */
function transactionBytes(claim: Claim): Uint8Array {
  const type = typeOf(claim.type)
  const { nonce, gas, to, value, input, r, s, yParity, v } = claim
  const recipient = to === null || to === undefined ? new Uint8Array() : address(to)
  if (type === OP_DEPOSIT) {
    const { sourceHash, from, mint, isSystemTx } = claim
    const minted = mint === undefined || mint === null ? new Uint8Array() : uintOf(mint)
    return typedItem(type, [bytes32(sourceHash), address(from), recipient, minted, uintOf(value), uintOf(gas), flagOf(isSystemTx), bytesOf(input)])
  }
  // Networks for development let anybody send without a signature, under an id and in a root of their own making.
  if (uintOf(r).length === 0 && uintOf(s).length === 0) throw new BlockFault('a transaction that nobody signed')
  const paid = [recipient, uintOf(value), bytesOf(input)]
  if (type === 0) return typedItem(type, [uintOf(nonce), uintOf(claim.gasPrice), uintOf(gas), ...paid, uintOf(v), uintOf(r), uintOf(s)])
  const signed = [uintOf(yParity ?? v), uintOf(r), uintOf(s)]
  const access = accessList(claim.accessList)
  if (type === 1) return typedItem(type, [uintOf(claim.chainId), uintOf(nonce), uintOf(claim.gasPrice), uintOf(gas), ...paid, access, ...signed])
  const begin = [uintOf(claim.chainId), uintOf(nonce), uintOf(claim.maxPriorityFeePerGas), uintOf(claim.maxFeePerGas), uintOf(gas), ...paid, access]
  if (type === 2) return typedItem(type, [...begin, ...signed])
  if (type === 3) return typedItem(type, [...begin, uintOf(claim.maxFeePerBlobGas), listOf(claim.blobVersionedHashes).map(bytes32), ...signed])
  if (type === 4) return typedItem(type, [...begin, listOf(claim.authorizationList).map(authorization), ...signed])
  throw new BlockFault(`a transaction of type ${type}`)
}

function receiptBytes(claim: Claim, typeClaim: unknown): Uint8Array {
  const type = typeOf(typeClaim)
  if (type > 4 && type !== OP_DEPOSIT) throw new BlockFault(`a receipt of type ${type}`)
  const logs = listOf(claim.logs).map((each) => {
    const log = recordOf(each)
    return { address: address(log.address), topics: listOf(log.topics).map(bytes32), data: bytesOf(log.data) }
  })
  // Before Byzantium a receipt had a state in place of its status.
  const outcome = claim.status === undefined || claim.status === null ? bytes32(claim.root) : uintOf(claim.status)
  const bloom = claim.logsBloom === undefined || claim.logsBloom === null ? bloomOf(logs) : bytesOf(claim.logsBloom, BLOOM_BYTES)
  const fields = [outcome, uintOf(claim.cumulativeGasUsed), bloom, logs.map((log): RlpItem => [log.address, log.topics, log.data])]
  const { depositNonce, depositReceiptVersion } = claim
  const isVersioned = type === OP_DEPOSIT && depositReceiptVersion !== undefined && depositReceiptVersion !== null
  return typedItem(type, isVersioned ? [...fields, uintOf(depositNonce), uintOf(depositReceiptVersion)] : fields)
}

/** Nodes leave the type of the first kind out. */
function typeOf(claim: unknown): number {
  if (claim === undefined || claim === null) return 0
  return Number(`0x${toHex(uintOf(claim)) || '0'}`)
}

function flagOf(claim: unknown): Uint8Array {
  return claim === true ? Uint8Array.of(1) : new Uint8Array()
}
