import { toHex } from '@holdfast/encoding'
import { at, known, last } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { Address, Cell, type Transaction } from '@ton/core'
import type { Blockchain } from '@ton/sandbox'
import { createEmptyShardAccount } from '@ton/sandbox/dist/blockchain/SmartContract.js'
import { Blockchain as Sandbox } from '@ton/sandbox/dist/blockchain/Blockchain.js'
import { firstAccounts } from './first-accounts.ts'

export type Executed = { account: string; lt: bigint; hash: string; transaction: Transaction; height: number }
/** A masterchain block and the one shard block that it takes in, which has the same number. */
export type Block = { height: number; id: string; parentId: string; timestampS: number; endLt: bigint; executed: Executed[] }
/** All that has to be kept of a block: whoever executes it again gets the same. */
export type StoredBlock = { timestampS: number; sent: string[] }

/** Why a message is not taken, in the words of a node. */
export class Refused extends Error {
  override name = 'Refused'
}

const GENESIS_S = Date.UTC(2026, 0, 1) / 1_000
const LT_STEP = 1_000_000n

/** An emulated chain in memory. Its transactions are executed by the real virtual machine; all around them, the blocks, is a model. */
export async function openChain(name: string, globalId: number) {
  const world: Blockchain = await Sandbox.create({ config: 'slim' })
  world.now = GENESIS_S
  for (const [address, account] of firstAccounts(globalId)) await world.setShardAccount(address, account)
  const blocks: Block[] = [{ height: 0, id: digestOf(`first ${name}`), parentId: '0'.repeat(64), timestampS: GENESIS_S, endLt: 0n, executed: [] }]
  const histories = new Map<string, Executed[]>()
  const heights = new Map<string, number>()
  let pool: Cell[] = []
  /** How everything stands once what is in the pool has been executed. */
  let ahead: ReturnType<Blockchain['snapshot']> | undefined
  const head = () => last(blocks)

  const execute = async (message: Cell): Promise<Transaction[]> => {
    try {
      return (await world.sendMessage(message)).transactions
    } catch (cause) {
      const words = cause instanceof Error ? at(cause.message.split('\n'), 0) : String(cause)
      throw new Refused(`LITE_SERVER_UNKNOWN: cannot apply external message to current state : ${words.slice(0, 160)}`)
    }
  }
  /** Does something and undoes it. */
  const tried = async <T>(act: () => Promise<T>): Promise<T> => {
    const snapshot = world.snapshot()
    try {
      return await act()
    } finally {
      await world.loadFrom(snapshot)
    }
  }
  const seal = async (timestampS: number, messages: Cell[]): Promise<Block> => {
    world.now = timestampS
    // Logical time goes on while blocks are empty, too: what is executed in a block is later than all before it.
    if (messages.length > 0) await world.loadFrom({ ...world.snapshot(), lt: head().endLt })
    const height = blocks.length
    const executed: Executed[] = []
    const taken: Cell[] = []
    for (const message of messages) {
      try {
        const transactions = await execute(message)
        taken.push(message)
        heights.set(toHex(message.hash()), height)
        executed.push(...transactions.map((each) => recordOf(each, height)))
      } catch (cause) {
        // What has become impossible since it was taken in is left out, as nodes do.
        if (!(cause instanceof Refused)) throw cause
      }
    }
    for (const each of executed) {
      const history = histories.get(each.account)
      if (history) history.push(each)
      else histories.set(each.account, [each])
    }
    const parent = head()
    const endLt = executed.reduce((last, { lt }) => (lt > last ? lt : last), parent.endLt) + LT_STEP
    const id = digestOf(`${parent.id} ${height} ${timestampS} ${executed.map(({ hash }) => hash).join()}`)
    const block = { height, id, parentId: parent.id, timestampS, endLt, executed }
    blocks.push(block)
    stored.push({ timestampS, sent: taken.map((each) => each.toBoc().toString('base64')) })
    return block
  }
  const stored: StoredBlock[] = []

  return {
    globalId,
    head,
    block: (height: number): Block | undefined => blocks[height],
    blockByLt: (lt: bigint): Block | undefined => blocks.find(({ endLt }) => endLt >= lt),
    history: (account: string): readonly Executed[] => histories.get(account) ?? [],
    /** The block that took a broadcast message in. */
    heightOf: (message: Cell): number | undefined => heights.get(toHex(message.hash())),
    pending: () => pool.length,
    account: async (address: Address) => (await world.getContract(address)).account ?? createEmptyShardAccount(address),
    getMethod: (address: Address, method: string | number, stack: Parameters<Blockchain['runGetMethod']>[2]) => world.runGetMethod(address, method, stack),
    /** What a message would do now, as if its signature were right. */
    estimate: (message: Cell) => tried(async () => (await world.sendMessage(message, { ignoreChksig: true })).transactions),
    /** Takes a message into the pool. Throws Refused if the account does not take it. */
    take: async (message: Cell): Promise<void> => {
      ahead = await tried(async () => {
        if (ahead) await world.loadFrom(ahead)
        await execute(message)
        return world.snapshot()
      })
      pool.push(message)
    },
    /** Makes a block of what is in the pool. */
    mine: async (timestampS: number): Promise<StoredBlock> => {
      const messages = pool
      pool = []
      ahead = undefined
      await seal(timestampS, messages)
      return last(stored)
    },
    rebuild: async (saved: StoredBlock[]): Promise<void> => {
      for (const { timestampS, sent } of saved)
        await seal(
          timestampS,
          sent.map((each) => Cell.fromBase64(each)),
        )
    },
    stored: (): readonly StoredBlock[] => stored,
  }
}

export type EmulatedChain = Awaited<ReturnType<typeof openChain>>

function recordOf(transaction: Transaction, height: number): Executed {
  const { inMessage, lt } = transaction
  const destination = known(inMessage, 'the message of a transaction').info.dest as Address
  return { account: destination.toRawString(), lt, hash: toHex(transaction.hash()), transaction, height }
}

export function digestOf(text: string): string {
  return toHex(sha256(new TextEncoder().encode(`holdfast emulated ton: ${text}`)))
}
