import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type Alarm, setAlarms } from '@holdfast/features/network/server'
import { type LedgerImbalance, findLedgerImbalances, type LedgerAsset } from '@holdfast/ledger'

type Needs = Pick<ServerContext, 'ports' | 'db'>
type Asset = { chain: string; contract: string }

/**
 * Proves the ledger of an organisation, for one asset or for all it ever had, and updates its alarms. While an asset's
 * ledger does not add up, nothing of it is credited or paid. Returns what is newly wrong, in words for operators.
 */
export async function auditLedger({ db, ports }: Needs, orgId: string, asset?: Asset): Promise<string[]> {
  return db.asOrganisation(orgId, async (tx) => {
    const looked = asset ? [asset] : await assetsOf(tx)
    const broken = await findLedgerImbalances(tx, asset && ledgerAssetOf(asset))
    const found = looked.flatMap((each): Alarm[] => {
      const faults = broken.filter((fault) => isOf(fault, each)).map(({ fault }) => fault)
      return faults.length === 0 ? [] : [{ ...each, place: '', cause: 'books', reason: faults.join('; ') }]
    })
    const places = looked.map((each) => ({ ...each, place: '' }))
    const raised = await setAlarms(tx, ports, ['books'], places, found)
    return raised.map(({ chain, contract, reason }) => `the books of ${chain} ${contract || 'coin'} of organisation ${orgId} do not add up: ${reason}`)
  })
}

async function assetsOf(tx: OrganisationTx): Promise<Asset[]> {
  return tx.selectFrom('ledger_account').select(['chain', 'contract']).distinct().where('org_id', '=', tx.orgId).execute()
}

const ledgerAssetOf = ({ chain, contract }: Asset): LedgerAsset => ({ chain, contract: contract === '' ? null : contract })

/** A fault of no known asset may concern any. */
function isOf({ asset }: LedgerImbalance, { chain, contract }: Asset): boolean {
  return asset === null || (asset.chain === chain && (asset.contract ?? '') === contract)
}
