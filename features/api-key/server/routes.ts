import { AppError, type Language } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { answerOf, LOCALE, proposeDraft } from '@holdfast/features/strategy/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { describeRule, findMachine, machinesOf, namesMachine, type Policy, rulesOf } from '@holdfast/policy'
import { listMachines, removeMachine, saveMachine } from '../contract.ts'
import { policyWithMachine, policyWithoutMachine } from './next-machines.ts'

/** API keys and co-signers of the policy, and proposing others. */
export function apiKeyEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(listMachines, ({ orgId, language }) =>
      db.asOrganisation(orgId, async (tx) => machinesIn((await currentPolicy(tx)).policy, language, ports.clock.nowMs())),
    ),
    handle(saveMachine, async (caller, input) => {
      const { change } = await proposeDraft(context, session, caller, input, () => policyWithMachine(input.draft))
      return answerOf(context, change)
    }),
    handle(removeMachine, async (caller, input) => {
      const { policy } = await db.asOrganisation(caller.orgId, currentPolicy)
      if (!findMachine(policy, input.app_id)) throw new AppError('resource_not_found')
      const { change } = await proposeDraft(context, session, caller, input, () => policyWithoutMachine(input.app_id))
      return answerOf(context, change)
    }),
  ]
}

function machinesIn(policy: Policy, language: Language, nowMs: number) {
  const rules = rulesOf(policy).filter((rule) => namesMachine(rule))
  return {
    base_version: Number(policy.version),
    list: machinesOf(policy).map(({ id, name, kind, publicKey, purpose, expiresAtMs }) => ({
      app_id: id,
      name,
      kind,
      public_key: toHex(publicKey),
      purpose,
      expire_at: Number(expiresAtMs),
      status: expiresAtMs <= BigInt(nowMs) ? ('expired' as const) : ('on' as const),
      rules: rules.filter((rule) => namesMachine(rule, id)).map((rule) => ({ id: rule.id, sentence: describeRule(rule, policy, LOCALE[language]) })),
    })),
  }
}
