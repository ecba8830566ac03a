import { AppError } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { readWalletKeys, recoveryOfKeys, recoveryOfWallet, type RecoveryState, type WalletKeyRow } from '@holdfast/features/key/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { FROST_ED25519, signatureKindOf } from '@holdfast/mpc'
import { encodeKits, kitFileHash, kitInstructions } from '@holdfast/protocol'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { at, known } from '@holdfast/units'
import * as contract from '../contract.ts'
import { demoDrillUrl, holdDemoDrill } from './demo-drill.ts'
import { exportEndpoints, newestExport } from './export-routes.ts'
import { keyChangeEndpoints } from './key-change-routes.ts'
import { keyEndpoints } from './key-routes.ts'
import { kitsOf, submitDrill } from './submit-drill.ts'

/** The recovery kit of a wallet, and the proof that it works. */
export function keyRecoveryEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  return [...kitEndpoints(context), ...keyEndpoints(context), ...keyChangeEndpoints(context, session), ...exportEndpoints(context, session)]
}

function kitEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(contract.getRecoveryKit, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const keys = await readWalletKeys(tx, wallet_id)
        const first = keys[0]
        if (!first) throw new AppError('wallet_not_found')
        const states = await recoveryOfKeys(tx, wallet_id, ports.clock.nowMs())
        const kits = await kitsOf(tx, keys)
        const encoded = kits ? encodeKits(kits) : null
        const whole = recoveryOfWallet(states)
        const fileName = kitName(keys)
        return {
          state: whole.state,
          epoch: String(first.epoch),
          kit: encoded && Buffer.from(encoded).toString('base64'),
          file_name: fileName,
          instructions: encoded && kitInstructions(encoded, fileName),
          kit_hash: kits ? toHex(kitFileHash(kits)) : null,
          verified_at: whole.verifiedAtMs,
          next_drill_at: whole.nextDrillAtMs,
          demo_drill: (await demoDrillUrl(tx, context.settings)) !== undefined,
          curves: [...new Set(keys.map(({ protocol }) => (protocol === FROST_ED25519 ? ('ed25519' as const) : ('secp256k1' as const))))],
          keys: keys.map((key, i) => ({
            key_kind: signatureKindOf(key.protocol),
            key_id: toHex(key.keyId),
            epoch: String(key.epoch),
            state: at(states, i).state,
            verified_at: at(states, i).verifiedAtMs,
            retired: key.retiredAtMs !== null,
          })),
          export: (await Promise.all(keys.map(({ keyId }) => newestExport(tx, keyId)))).find((each) => each !== null) ?? null,
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

/** What the file is called: by its key; where it has several, by the first of them and all epochs, so that two that differ are not called the same. */
function kitName(keys: readonly WalletKeyRow[]): string {
  const epochs = keys.map(({ epoch }) => epoch).join('-')
  return `holdfast-recovery-${toHex(at(keys, 0).keyId).slice(0, 8)}-epoch-${epochs}.kit`
}
