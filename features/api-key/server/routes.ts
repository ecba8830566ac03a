import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { fromHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { examineCoSigner } from '@holdfast/features/machine-link/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { LocalHosts } from '@holdfast/features/notification/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import type { Sealer } from '@holdfast/features/session/server'
import { answerOf, proposeDraft } from '@holdfast/features/strategy/server'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { CALLING_KINDS, findMachine, type Machine } from '@holdfast/policy'
import * as contract from '../contract.ts'
import { listCalls, exportCalls, listSettingsLog } from '../log-contract.ts'
import type { KeySettings } from '../settings-contract.ts'
import { withCheckedCallback } from './callbacks.ts'
import { isPairOf } from './check-key-pair.ts'
import { exportedCalls, readCalls, readSettingsLog } from './call-log.ts'
import { readMachines } from './list-machines.ts'
import { demandDoorTwo } from './door-two.ts'
import { makePlatformKey } from './platform-key.ts'
import { policyWithMachine, policyWithoutMachine } from './next-machines.ts'
import { decide, settingsOf, switchOff, writeSettings, writeWithPolicy } from './settings.ts'

type Needs = ServerContext & { sealer: Sealer; localHosts: LocalHosts }

/** API keys and co-signers: of the policy, which is proposed to be another, and what keys may ask of the server. */
export function apiKeyEndpoints(context: Needs, session: SecondFactor): HandledEndpoint[] {
  const { db, networks } = context
  const spelling = (chain: string, text: string) => networks.find(chain)?.codec.canonicalAddress(text)
  return [
    handle(contract.listMachines, (caller) => db.asOrganisation(caller.orgId, (tx) => readMachines(tx, context, caller))),
    handle(contract.saveMachine, async (caller, input) => {
      const { draft } = input
      const settings = input.settings && (await withCheckedCallback(context, input.settings, undefined))
      if (settings) await db.asOrganisation(caller.orgId, (tx) => demandWallets(tx, settings))
      if (draft.kind === 'screener' && (draft.rule || draft.calls))
        throw new AppError('invalid_parameters', { details: { field: 'draft', reason: 'a screener asks for nothing, and has no rule of its own' } })
      if (settings && draft.kind === 'coSigner')
        throw new AppError('invalid_parameters', { details: { field: 'settings', reason: 'only an API key has settings' } })
      demandDoorTwo({ kind: draft.kind, publicKey: fromHex(draft.public_key) }, settings)
      const { change } = await proposeDraft(context, session, caller, input, () => policyWithMachine(draft, spelling))
      if (draft.kind === 'apiRsa') await makePlatformKey(context, caller.orgId, draft.app_id)
      if (settings) {
        const written = { machineId: draft.app_id, settings, personId: caller.personId }
        await db.asOrganisation(caller.orgId, (tx) => writeWithPolicy(tx, context, written, change.row.id))
      }
      return answerOf(context, change)
    }),
    handle(contract.removeMachine, async (caller, input) => {
      const { policy } = await db.asOrganisation(caller.orgId, currentPolicy)
      if (!findMachine(policy, input.app_id)) throw new AppError('resource_not_found')
      const { change } = await proposeDraft(context, session, caller, input, () => policyWithoutMachine(input.app_id))
      return answerOf(context, change)
    }),
    ...settingsEndpoints(context, session),
    handle(contract.testMachine, async ({ orgId }, { app_id: id }) => {
      await db.asOrganisation(orgId, (tx) => demandMachine(tx, id, ['coSigner']))
      const steps = await examineCoSigner(context, orgId, id)
      return { ok: steps.every(({ ok }) => ok), steps }
    }),
    handle(contract.checkKeyPair, ({ orgId }, { app_id: machineId, nonce, signature }) =>
      db.asOrganisation(orgId, async (tx) => ({ matches: await isPairOf(tx, { machineId, nonce, signature }) })),
    ),
    handle(listCalls, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => readCalls(tx, asked))),
    handle(exportCalls, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => exportedCalls(tx, asked))),
    handle(listSettingsLog, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => readSettingsLog(tx, asked))),
  ]
}

/** Settings of keys, and switching one off. */
function settingsEndpoints(context: Needs, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.saveSettings, async ({ orgId, personId }, { app_id: machineId, base_version, settings: given, google_code }) => {
      const present = await db.readOrganisation(orgId, (tx) => settingsOf(tx, machineId))
      const settings = await withCheckedCallback(context, given, present?.settings)
      return db.asOrganisation(orgId, async (tx) => {
        demandDoorTwo(await demandMachine(tx, machineId, CALLING_KINDS), settings)
        await demandWallets(tx, settings)
        await session.demandSecondFactorWhereSet(tx, personId, google_code)
        return writeSettings(tx, context, { machineId, settings, personId }, Number(base_version))
      })
    }),
    handle(contract.decideSettings, ({ orgId, personId }, { app_id: machineId, version, confirmed, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandMachine(tx, machineId, CALLING_KINDS)
        await session.demandSecondFactorWhereSet(tx, personId, google_code)
        await decide(tx, context, { machineId, version: Number(version), isConfirmed: confirmed, personId })
        return null
      }),
    ),
    handle(contract.saveStatus, ({ orgId, personId }, { app_id: machineId, status, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandMachine(tx, machineId, CALLING_KINDS)
        // Nobody is asked for a code to stop a key.
        if (status === 'off') return { version: await switchOff(tx, context, machineId, personId), state: 'in_force' as const }
        await session.demandSecondFactorWhereSet(tx, personId, google_code)
        const present = await settingsOf(tx, machineId)
        if (!present) throw new AppError('state_changed')
        return writeSettings(tx, context, { machineId, settings: { ...present.settings, is_on: true }, personId }, present.version)
      }),
    ),
  ]
}

async function demandMachine(tx: OrganisationTx, id: string, kinds: readonly string[]): Promise<Machine> {
  const { policy } = await currentPolicy(tx)
  const machine = findMachine(policy, id)
  if (!machine || !kinds.includes(machine.kind)) throw new AppError('resource_not_found')
  return machine
}

async function demandWallets(tx: OrganisationTx, { wallets }: KeySettings): Promise<void> {
  const named = await readNamedSubWallets(tx, wallets ?? [])
  if (wallets?.some((id) => !named.has(id))) throw new AppError('resource_not_found')
}
