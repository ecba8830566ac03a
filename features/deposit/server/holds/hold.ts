import type { BlockTransfer } from '@holdfast/chain-core'
import type { SystemTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'

/** A payment to an address of an organisation. */
export type Arrival = { orgId: string; address: string; transfer: BlockTransfer }

/** A reason to hold payments: asked once for all payments of a block, it returns for each the sub-status, or null. */
export type Hold = (tx: SystemTx, network: Network, arrivals: readonly Arrival[]) => Promise<(arrival: Arrival) => string | null>
