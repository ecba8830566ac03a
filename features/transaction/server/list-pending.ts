import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { formatWorth } from '@holdfast/features/price/server'
import { asOrderState, orderKind, statusOf } from '@holdfast/features/transfer/server'
import { assetOf, isNotHeld, readPrices, type Valued, valueOf, worthOf } from '@holdfast/features/wallet/server'
import { formatAmount, known } from '@holdfast/units'
import type { listPending as endpoint } from '../pending-contract.ts'

type Stage = OutputOf<typeof endpoint>['stages'][number]['stage']
type Asked = Valued & { subWalletId: string | undefined }
type Row = { stage: Stage; chain: string; contract: string; count: bigint; amount: bigint; isPaid: boolean }

/** What an order waits for, by the number of its state. */
const STAGE_OF_STATUS: Readonly<Record<number, Stage>> = { 1000: 'approval', 1100: 'signature', 1200: 'confirmation' }
const STAGES: readonly Stage[] = ['deposit', 'approval', 'signature', 'confirmation']

/** How much is on its way into the wallets of an organisation, or into one sub-wallet, and out of them: as many as the list shows under the same stage. */
export async function listPending(tx: OrganisationTx, networks: Networks, asked: Asked) {
  const [arriving, leaving, prices] = await Promise.all([readArriving(tx, asked), readLeaving(tx, asked), readPrices(tx, networks, asked)])
  const rows = [...arriving, ...leaving]
  return {
    stages: STAGES.map((stage) => {
      const of = rows.filter((row) => row.stage === stage)
      const sums = new Map<string, Row>()
      for (const row of of.filter(({ isPaid }) => isPaid)) {
        const key = `${row.chain}|${row.contract}`
        sums.set(key, { ...row, amount: row.amount + (sums.get(key)?.amount ?? 0n) })
      }
      const holdings = [...sums.values()].flatMap(({ chain, contract, amount }) => {
        const asset = assetOf(networks, chain, contract)
        return asset && amount > 0n ? [{ asset, amount, value: valueOf({ asset, amount }, prices) }] : []
      })
      const worth = worthOf(holdings, prices)
      return {
        stage,
        count: of.reduce((sum, { count }) => sum + Number(count), 0),
        usd: worth.value === undefined ? null : formatWorth(worth.value),
        usd_partial: worth.isPartial,
        coins: holdings
          .toSorted((a, b) => compare(b.value ?? 0n, a.value ?? 0n))
          .map(({ asset, amount, value }) => ({
            symbol: asset.symbol,
            chain: asset.chain,
            network: networks.require(asset.chain).name,
            contract_address: asset.contract,
            amount: formatAmount(amount, asset.decimals),
            usd: value === undefined ? null : formatWorth(value),
          })),
      }
    }),
  }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** A deposit that is held back waits for people, and one that no block has may never come: both are counted, and their amounts are not. */
async function readArriving(tx: OrganisationTx, { subWalletId }: Asked): Promise<Row[]> {
  const inBlocks = tx
    .selectFrom('deposit')
    .select((row) => ['chain', 'contract', row.fn.countAll<bigint>().as('count'), row.fn.sum<bigint | null>('amount').filterWhere(isNotHeld).as('amount')])
    .where('org_id', '=', tx.orgId)
    .where('state', 'in', ['unconfirmed', 'confirmed'])
    .$if(subWalletId !== undefined, (query) => query.where('sub_wallet_id', '=', known(subWalletId, 'the sub-wallet')))
    .groupBy(['chain', 'contract'])
    .execute()
  const waiting = tx
    .selectFrom('waiting_deposit')
    .select((row) => ['chain', 'contract', row.fn.countAll<bigint>().as('count')])
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'waiting')
    .$if(subWalletId !== undefined, (query) => query.where('sub_wallet_id', '=', known(subWalletId, 'the sub-wallet')))
    .groupBy(['chain', 'contract'])
    .execute()
  const [rows, withoutBlock] = await Promise.all([inBlocks, waiting])
  return [...rows, ...withoutBlock.map((row) => ({ ...row, amount: null }))].map(({ amount, ...row }) => ({
    ...row,
    amount: amount ?? 0n,
    stage: 'deposit',
    isPaid: true,
  }))
}

/** An order about another one, or about stake, pays nobody: it is counted, and its amount is not. */
async function readLeaving(tx: OrganisationTx, { subWalletId }: Asked): Promise<Row[]> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select((row) => ['state', 'kind', 'chain', 'contract', row.fn.countAll<bigint>().as('count'), row.fn.sum<bigint>('amount').as('amount')])
    .where('org_id', '=', tx.orgId)
    .where('is_final', '=', false)
    .$if(subWalletId !== undefined, (query) => query.where('sub_wallet_id', '=', known(subWalletId, 'the sub-wallet')))
    .groupBy(['state', 'kind', 'chain', 'contract'])
    .execute()
  return rows.map(({ state, kind, ...row }) => {
    const { about, goes } = orderKind({ kind })
    const stage = known(STAGE_OF_STATUS[statusOf(asOrderState(state))], `what an order that is ${state} waits for`)
    return { ...row, stage, isPaid: about === undefined && goes === 'external' }
  })
}
