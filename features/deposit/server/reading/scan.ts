import { type FinalView, haltChain, haltsAll, loadAddedTokens, type Network, noteReader, resumeChain, throwFirst } from '@holdfast/features/network/server'
import { confirmTransfers, openOrderFailures, type OrderFailures, type Settled } from '@holdfast/features/transfer/server'
import { forEachApart } from '@holdfast/jobs'
import { known } from '@holdfast/units'
import { auditLedger } from '../audit/audit-ledger.ts'
import { advance, beginAt, type Cursor, FORGET_EVERY, type KeptCursor, noteBooked, readCursor, type ScanNeeds } from './advance.ts'
import { bookCharges } from './charges.ts'
import { compareBlocks } from './compare-blocks.ts'
import { countConfirmations, creditFinal } from '../crediting/credit-deposits.ts'
import { finalAt, hashAt } from './final-now.ts'
import { findOpenWork } from './open-work.ts'
import { bookAllowanceSpends } from './allowance-spends.ts'
import { readAgain } from './read-again.ts'
import type { Watch } from './read-apart.ts'
import { rescanTokens } from './rescan-tokens.ts'
import { goOnRewinding, rewind } from './rewind.ts'

/** Blocks taken in before their effects are posted, if the reader is far behind. */
const BLOCKS_AT_ONCE = 100
/** Begins so far behind the head that a reorganisation soon after still finds common ground. */
const FIRST_BLOCKS_MIN = 64

/**
 * What a reader remembers of a chain while it lives: the last block whose effects it has posted, the head at which nothing was left to do, up to where it last
 * wrote that all is posted, and our orders that could not be settled.
 */
export type ScanMemory = { bookedHash?: string | undefined; doneAtHead?: string | undefined; notedHeight?: bigint; failures?: OrderFailures }

/**
 * Reads a chain from the cursor to its head, and posts the effects: confirmations, deposits, our own payments.
 * May die anywhere without harm: a new reader posts again what it has no memory of. True if it moved, so that there may be more.
 */
export async function scanChain(needs: ScanNeeds, network: Network, memory: ScanMemory = {}, report: Report = () => {}): Promise<boolean> {
  const head = await network.node.head()
  if (memory.doneAtHead === head.hash) return false
  // Until all is done: where something fails, it is looked at again, even if no block follows.
  memory.doneAtHead = undefined
  await loadAddedTokens(needs.db, needs.networks)
  const before = (await readCursor(needs, network.chain)) ?? (await begin(needs, network))
  await noteReader(needs, network, before.height)
  let cursor = await goOnRewinding(needs, network.chain, before, report)
  // Blocks that were given up and come back are posted once more.
  if (cursor !== before) memory.bookedHash = undefined
  for (let blocks = 0; blocks < BLOCKS_AT_ONCE; blocks++) {
    const next = await step(needs, network, cursor, head, report).catch(async (cause: unknown) => {
      if (haltsAll(cause)) {
        // Posted again as soon as the sources agree, even if no block follows.
        memory.bookedHash = undefined
        if (await haltChain(needs, network.chain, (cause as Error).message)) report(cause)
      }
      throw cause
    })
    if (!next) break
    if (next.height <= cursor.height) memory.bookedHash = undefined
    cursor = next
    // A newer head, or another one of this height, is seen when the reader comes back, at once.
    if (cursor.height >= head.height) break
  }
  if (memory.bookedHash !== cursor.hash) {
    // What could not be posted because sources disagreed is tried again, even if no block follows.
    memory.bookedHash = (await book(needs, network, cursor, memory, { failures: (memory.failures ??= openOrderFailures(needs.ports)), report }))
      ? cursor.hash
      : undefined
  }
  memory.doneAtHead = memory.bookedHash === head.hash ? head.hash : undefined
  return cursor !== before
}

type Report = (cause: unknown) => void

/**
 * Posts the effects of the blocks up to the cursor. What is final needs the word of two sources if several are configured: while they
 * differ, or one is silent, orders are followed and nothing is credited or settled, people see why, and the answer is false.
 */
async function book(needs: ScanNeeds, network: Network, cursor: Cursor, memory: ScanMemory, { failures, report }: Watch): Promise<boolean> {
  let halted = false
  const broken: unknown[] = []
  const halt = async (cause: unknown): Promise<undefined> => {
    // A failure of one kind must not keep the others from being posted.
    if (!haltsAll(cause)) return void broken.push(cause)
    halted = true
    if (await haltChain(needs, network.chain, (cause as Error).message)) report(cause)
  }
  const final = await finalAt(needs, network, cursor).catch(halt)
  // Blocks that were not compared yet credit nothing.
  const compared = final && (await compareBlocks(needs, network, final).catch(halt))
  let open = await findOpenWork(needs, network.chain)
  if (final && !halted && open.readings) {
    await readAgain(needs, network, final, { failures, report }).catch(halt)
    // What was read again may have brought deposits, charges and allowance spends, which are posted now and not with the next block.
    open = await findOpenWork(needs, network.chain)
  }
  const credited = final && compared !== undefined && open.deposits ? await creditFinal(needs, network, { ...final, height: compared }).catch(halt) : []
  // Only for those not credited; nobody needs the last count of the others.
  if (open.deposits) await countConfirmations(needs, network, cursor)
  const found = final && !halted && open.tokens ? await rescanTokens(needs, network, final, { failures, report }).catch(halt) : []
  const settled = await confirmTransfers(needs, network, cursor, halted ? undefined : final, { failures, report }).catch(halt)
  const charged = final && !halted && open.charges ? await bookCharges(needs, network, final).catch(halt) : []
  const spent = final && !halted && open.spends ? await bookAllowanceSpends(needs, network, final).catch(halt) : []
  await auditBatch(needs, [...(credited ?? []), ...(found ?? []), ...(settled ?? []), ...(charged ?? []), ...(spent ?? [])], report)
  throwFirst(broken)
  if (!halted && final && compared !== undefined && isNoted(final, compared, memory)) {
    await noteBooked(needs, network.chain, compared)
    memory.notedHeight = compared
  }
  if (!halted && open.halt && (await resumeChain(needs, network.chain))) report(new Error(`${network.name}: the sources agree again, and booking goes on`))
  return !halted && (final === undefined || compared === final.height)
}

/** Whether it is written now that all is posted up to a height: each time if sources are compared from there on, else only old blocks are deleted by it. */
const isNoted = ({ sources }: FinalView, height: bigint, { notedHeight }: ScanMemory): boolean =>
  sources.length > 1 || notedHeight === undefined || height >= notedHeight + FORGET_EVERY

/** Proves the ledger of the assets just posted. */
async function auditBatch(needs: ScanNeeds, booked: readonly Settled[], report: Report): Promise<void> {
  // A payment moves the chain's own coin as well, for its fee.
  const moved = booked.flatMap((each) => [each, { ...each, contract: '' }])
  const assets = new Map(moved.map((each) => [JSON.stringify([each.orgId, each.chain, each.contract]), each]))
  const failed = await forEachApart(assets.values(), async ({ orgId, chain, contract }) => {
    for (const words of await auditLedger(needs, orgId, { chain, contract })) report(new Error(words))
  })
  throwFirst(failed)
}

async function begin(needs: ScanNeeds, network: Network): Promise<KeptCursor> {
  const head = await network.node.head()
  const behind = BigInt(Math.max(FIRST_BLOCKS_MIN, network.finalityBlocks * 2))
  const block = await network.node.readBlock(network.readFrom ?? (head.height > behind ? head.height - behind : 0n))
  if (!block) throw new Error(`${network.name} has no block at a height it says it has`)
  await beginAt(needs, network.chain, block)
  return known(await readCursor(needs, network.chain), `where reading of ${network.name} begins`)
}

/** One block on, or back to common ground; undefined if there is nothing to do. */
async function step(needs: ScanNeeds, network: Network, cursor: Cursor, head: Cursor, report: Report): Promise<Cursor | undefined> {
  const { node } = network
  if (head.height > cursor.height) {
    const block = await node.readBlock(cursor.height + 1n)
    if (block?.parentHash === cursor.hash) {
      const moved = await advance(needs, network, cursor, block)
      return moved ? { height: block.height, hash: block.hash } : await readCursor(needs, network.chain)
    }
    const same = await node.readBlock(cursor.height)
    return same && same.hash !== cursor.hash ? rewind(needs, network, cursor, report) : undefined
  }
  // A node that is behind us, or a chain that became shorter, has nothing new unless it contradicts what we have.
  const ours = head.height === cursor.height ? cursor.hash : await hashAt(needs, network.chain, head.height)
  return ours !== undefined && ours !== head.hash ? rewind(needs, network, cursor, report) : undefined
}
