import { agreedAnswer, type FinalView, type Network, SourcesDisagreeError, throwFirst } from '@holdfast/features/network/server'
import type { Settled } from '@holdfast/features/transfer/server'
import { forEachApart } from '@holdfast/jobs'
import type { NotNull } from 'kysely'
import { insertDeposits, keepBlock, type ScanNeeds } from './advance.ts'
import { creditSeen } from '../crediting/credit-deposits.ts'
import { matchDeposits } from './match-deposits.ts'
import { readApart, type Watch } from './read-apart.ts'

/** Blocks read again at a time, so that the reading of new ones goes on beside. */
const BLOCKS_AT_ONCE = 50n

/**
 * Reads again the blocks in which an organisation wants the deposits of a token that was added later: from the height it stated up to where the reader knew the
 * token. All of them are final, so their deposits are credited at once. Returns what was credited. Throws SourcesDisagreeError.
 */
export async function rescanTokens(needs: ScanNeeds, network: Network, final: FinalView, watch: Watch): Promise<Settled[]> {
  const rows = await needs.db.readSystem((tx) =>
    tx
      .selectFrom('added_token')
      .select(['org_id', 'id', 'contract', 'from_height', 'opened_height', 'read_height'])
      .where('chain', '=', network.chain)
      .where('state', '=', 'open')
      .where('from_height', 'is not', null)
      .where('opened_height', 'is not', null)
      .$narrowType<{ from_height: NotNull; opened_height: NotNull }>()
      .execute(),
  )
  const booked: Settled[] = []
  const failed = await forEachApart(rows, async ({ org_id, id, contract, from_height, opened_height, read_height }) => {
    const from = read_height === null ? from_height : read_height + 1n
    const last = opened_height < final.height ? opened_height : final.height
    const to = from + BLOCKS_AT_ONCE - 1n < last ? from + BLOCKS_AT_ONCE - 1n : last
    if (from > to) return
    await readApart(watch, { id, name: network.name }, async () => {
      for (let height = from; height <= to; height++) booked.push(...(await readAgain(needs, network, final, { orgId: org_id, contract, height })))
      await needs.db.asSystem((tx) => tx.updateTable('added_token').set({ read_height: to }).where('org_id', '=', org_id).where('id', '=', id).execute())
    })
  })
  throwFirst(failed)
  return booked
}

type Wanted = { orgId: string; contract: string; height: bigint }

async function readAgain(needs: ScanNeeds, network: Network, final: FinalView, { orgId, contract, height }: Wanted): Promise<Settled[]> {
  const block = await network.node.readBlock(height)
  const transfers = block?.transfers.filter(({ asset }) => asset.contract === contract) ?? []
  if (!block || transfers.length === 0) return []
  const agreed = await agreedAnswer(final, `block ${height}`, (source) => source.blockHash(height))
  if (agreed !== block.hash) throw new SourcesDisagreeError(`block ${height}: ${block.hash} was read, and the sources have ${agreed}`)
  const matches = await needs.db.asSystem((tx) => matchDeposits(tx, network, { ...block, transfers }))
  const own = matches.filter((match) => match.orgId === orgId)
  if (own.length === 0) return []
  await needs.db.asSystem(async (tx) => {
    // It is final and the sources agree on it, so it is a block of ours again: what cannot be credited now is credited later, like any other deposit.
    await keepBlock(tx, network, block)
    await insertDeposits(tx, needs, orgId, own, block)
  })
  const waiting = await needs.db.asOrganisation(orgId, (tx) =>
    tx
      .selectFrom('deposit')
      .selectAll()
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', network.chain)
      .where('block_hash', '=', block.hash)
      .where('contract', '=', contract)
      .where('state', 'in', ['unconfirmed', 'confirmed'])
      .execute(),
  )
  return creditSeen(needs, network, final, waiting)
}
