import { bytesField, encodeMessage, uintField } from '@holdfast/chain-tron/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import { at, last } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { newAccount } from './accounts.ts'
import { checkSignatures, checkStanding, checkTime } from './check-sent.ts'
import { execute, type Receipt, type World } from './execute.ts'
import { TransactionRefused } from './transaction-refused.ts'
import { type Kind, KINDS, parseBroadcast, type Sent, serializeSent } from './messages.ts'
import { FAUCET_ADDRESS } from './sign-as.ts'
import { openTvm } from './tvm.ts'

export type Block = { number: number; id: string; parentId: string; txRoot: string; timestampMs: number; sent: Sent[]; receipts: Receipt[] }
/** All that has to be kept of a block: whoever executes it again gets the same. */
export type StoredBlock = { timestampMs: number; sent: string[] }

const GENESIS_MS = Date.UTC(2026, 0, 1)
const GENESIS_SUN = 10n ** 15n
export const WITNESS = `41${'ab'.repeat(20)}`
const headerMessage = { timestamp: uintField(1), txRoot: bytesField(2), parent: bytesField(3), number: uintField(7), witness: bytesField(9) }

/** An emulated chain in memory. `name` makes its first block, and with it the chain, another one. */
export async function openChain(name: string) {
  let blocks: Block[] = [genesisOf(name)]
  const chainNumber = BigInt(`0x${at(blocks, 0).id.slice(-8)}`)
  let world = await firstWorld(chainNumber)
  let pool: Sent[] = []
  let known = new Map<string, number>()
  const head = () => last(blocks)
  const standing = { head, block: (number: number) => blocks[number], isKnown: (txid: string) => known.has(txid) || pool.some((each) => each.txid === txid) }
  const operation = ({ order }: Sent) => Number(KINDS[order.kind as Kind].number)

  const checkedByNode = (sent: Sent): void => {
    checkStanding(standing, sent)
    checkSignatures(world.accounts.get(toHex(sent.order.owner)), sent, operation(sent))
  }
  const seal = async (timestampMs: number, candidates: Sent[]): Promise<Block> => {
    const parent = head()
    const sent: Sent[] = []
    const receipts: Receipt[] = []
    for (const each of candidates) {
      try {
        checkTime(each, parent.timestampMs)
        receipts.push(await execute(world, each, timestampMs))
        sent.push(each)
      } catch (cause) {
        // What has become impossible since it was taken in is left out, as nodes do.
        if (!(cause instanceof TransactionRefused)) throw cause
      }
    }
    const block = makeBlock(parent, timestampMs, sent, receipts)
    blocks.push(block)
    for (const { txid } of sent) known.set(txid, block.number)
    return block
  }
  const rebuild = async (stored: StoredBlock[]): Promise<void> => {
    blocks = [at(blocks, 0)]
    world = await firstWorld(chainNumber)
    known = new Map()
    for (const { timestampMs, sent } of stored)
      await seal(
        timestampMs,
        sent.map((hex) => parseBroadcast(fromHex(hex))),
      )
  }

  return {
    chain: `tron:0x${at(blocks, 0).id.slice(-8)}`,
    head,
    block: (number: number): Block | undefined => blocks[number],
    heightOf: (txid: string): number | undefined => known.get(txid),
    world: () => world,
    pending: () => pool,
    operation,
    /** Takes a transaction into the pool. Throws TransactionRefused if a node would refuse it. */
    take: async (sent: Sent): Promise<void> => {
      checkedByNode(sent)
      pool.push(sent)
    },
    /** Makes a block of what is in the pool. */
    mine: async (timestampMs: number): Promise<Block> => {
      const candidates = pool
      pool = []
      return seal(timestampMs, candidates)
    },
    rebuild,
    stored: (): StoredBlock[] => blocks.slice(1).map(storedOf),
    /** Forgets the last blocks, with all that they did. */
    forget: async (depth: number): Promise<void> => {
      pool = []
      await rebuild(blocks.slice(1, blocks.length - depth).map(storedOf))
    },
  }
}

export type EmulatedChain = Awaited<ReturnType<typeof openChain>>

export function storedOf({ timestampMs, sent }: Block): StoredBlock {
  return { timestampMs, sent: sent.map((each) => toHex(serializeSent(each.rawData, each.signatures))) }
}

async function firstWorld(chainNumber: bigint): Promise<World> {
  const tvm = await openTvm(chainNumber)
  await tvm.add(FAUCET_ADDRESS, GENESIS_SUN)
  return { tvm, accounts: new Map([[FAUCET_ADDRESS, newAccount(FAUCET_ADDRESS, GENESIS_MS)]]), delegations: new Map(), contracts: new Map() }
}

function genesisOf(name: string): Block {
  const parentId = toHex(sha256(new TextEncoder().encode(`holdfast emulated tron: ${name}`)))
  return makeBlock({ number: -1, id: parentId }, GENESIS_MS, [], [])
}

/** A block's id is its number and, from the ninth byte on, the hash of its header. */
function makeBlock(parent: Pick<Block, 'number' | 'id'>, timestampMs: number, sent: Sent[], receipts: Receipt[]): Block {
  const number = parent.number + 1
  const txRoot = toHex(sha256(new TextEncoder().encode(sent.map(({ txid }) => txid).join())))
  const header = encodeMessage(headerMessage, {
    timestamp: BigInt(timestampMs),
    txRoot: fromHex(txRoot),
    parent: fromHex(parent.id),
    number: BigInt(number),
    witness: fromHex(WITNESS),
  })
  return { number, id: number.toString(16).padStart(16, '0') + toHex(sha256(header)).slice(16), parentId: parent.id, txRoot, timestampMs, sent, receipts }
}
