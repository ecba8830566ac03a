import { AppError } from '@holdfast/contract'
import { decode, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { readWalletKey, type RecoveryState, recoveryStateOfWallet } from '@holdfast/features/key/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { FROST_ED25519 } from '@holdfast/mpc'
import { kitHash, kitInstructions, recoveryKitShape } from '@holdfast/protocol'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { known } from '@holdfast/units'
import * as contract from '../contract.ts'
import { demoDrillUrl, holdDemoDrill } from './demo-drill.ts'
import { exportEndpoints, newestExport } from './export-routes.ts'
import { keyChangeEndpoints } from './key-change-routes.ts'
import { keyEndpoints } from './key-routes.ts'
import { readKit, submitDrill } from './submit-drill.ts'

/** The recovery kit of a wallet's key, and the proof that it works. */
export function keyRecoveryEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  return [...kitEndpoints(context), ...keyEndpoints(context), ...keyChangeEndpoints(context, session), ...exportEndpoints(context, session)]
}

function kitEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(contract.getRecoveryKit, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const key = await readWalletKey(tx, wallet_id)
        if (!key) throw new AppError('wallet_not_found')
        const stored = await readKit(tx, key)
        const recovery = await recoveryStateOfWallet(tx, wallet_id, ports.clock.nowMs())
        const fileName = `holdfast-recovery-${toHex(key.keyId).slice(0, 8)}-epoch-${key.epoch}.kit`
        return {
          state: recovery.state,
          epoch: String(key.epoch),
          kit: stored ? Buffer.from(stored.kit).toString('base64') : null,
          file_name: fileName,
          instructions: stored ? kitInstructions(stored.kit, fileName) : null,
          kit_hash: stored ? toHex(kitHash(decode(recoveryKitShape, stored.kit))) : null,
          verified_at: recovery.verifiedAtMs,
          next_drill_at: recovery.nextDrillAtMs,
          demo_drill: (await demoDrillUrl(tx, context.settings)) !== undefined,
          curves: [key.protocol === FROST_ED25519 ? ('ed25519' as const) : ('secp256k1' as const)],
          export: await newestExport(tx, key.keyId),
        }
      }),
    ),
    handle(contract.submitDrill, ({ orgId }, { wallet_id, drill }) =>
      db.asOrganisation(orgId, async (tx) => proven(await submitDrill(tx, ports, wallet_id, new Uint8Array(Buffer.from(drill, 'base64'))))),
    ),
    handle(contract.runDemoDrill, async ({ orgId }, { wallet_id }) => proven(await holdDemoDrill(context, orgId, wallet_id))),
  ]
}

const proven = ({ verifiedAtMs, nextDrillAtMs }: RecoveryState) => ({
  verified_at: known(verifiedAtMs, 'when the drill was held'),
  next_drill_at: known(nextDrillAtMs, 'when the next drill is due'),
})
