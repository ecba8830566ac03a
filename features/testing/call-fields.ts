import { randomUUID } from 'node:crypto'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import type { OwnThings } from './own-things.ts'

/* Fields that calls of several features have. */

/** The coin of the local network. */
export const coin = { chain: LOCAL_CHAIN, symbol: 'ETH' }
/** More than the local network asks, in its coin, and less than what would be a slip of the pen. */
export const MAX_FEE = '0.00005'
/** The first collection of the local network; it stands at one address on all of them. */
export const COLLECTION = '0x8464135c8F25Da09e49BC8782676a84730C318bC'
/** A draft of rules on top of a version that is not in force. */
export const NO_RULES = JSON.stringify({ base_version: 9, groups: [], rules: [] })

/** A request that was not made before. */
export const request = () => ({ request_id: `tenant-${randomUUID()}` })
/** The wallet. */
export const ofWallet = ({ walletId }: OwnThings) => ({ wallet_id: walletId })
