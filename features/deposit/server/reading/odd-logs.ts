import type { OddLog } from '@holdfast/chain-core'
import { actForOrganisation, type SystemTx } from '@holdfast/db'
import { assetByContract, hasAsset, type Network, setAlarms } from '@holdfast/features/network/server'
import type { ScanNeeds } from './advance.ts'

/**
 * Tells everybody who has addresses on a network of a token's logs that nobody can read: what they moved, if anything, is not credited. One alarm for
 * each token, until a person acknowledges it; the comparison with the chain reports balances.
 */
export async function tellOddLogs(tx: SystemTx, { ports }: ScanNeeds, network: Network, height: bigint, logs: readonly OddLog[]): Promise<void> {
  const { chain } = network
  const byContract = new Map(
    logs.filter(({ contract }) => assetByContract(network, contract) || isCollection(network, contract)).map((each) => [each.contract, each]),
  )
  if (byContract.size === 0) return
  const holders = await tx.selectFrom('address').select('org_id').distinct().where('chain', '=', chain).where('number', '=', 0).orderBy('org_id').execute()
  for (const { org_id: orgId } of holders) {
    const alarms = [...byContract.values()]
      .filter(({ contract }) => hasAsset(network, orgId, contract))
      .map(({ contract, txid }) => ({
        chain,
        contract,
        place: '',
        cause: 'odd_log' as const,
        reason: `${txid} in block ${height}: the token logged a transfer in another form than its standard; nothing of it is credited`,
      }))
    if (alarms.length > 0) await actForOrganisation(tx, orgId, (own) => setAlarms(own, ports, ['odd_log'], [], alarms))
  }
}

const isCollection = ({ collections = [] }: Network, contract: string): boolean => collections.some((each) => each.contract === contract)
