import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type NamedRule, type Policy, type ThirdForm, inThirdForm, type Valuation } from '@holdfast/policy'
import { applyPolicy, cosignAll, PARTIES, restart } from '../cluster.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf, type Asked } from '../office-acts.ts'
import { approvalsOf, draftOf, requestOf } from '../order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN } from '../organisation-of.ts'
import { type Member } from '../people.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

const HOUR_MS = 3_600_000
const worth = (dollars: bigint, asset = '', untilMs = NOW_MS + HOUR_MS): Valuation => ({
  chain: CHAIN,
  asset,
  microUsd: dollars * 1_000_000n,
  validUntilMs: BigInt(untilMs),
})
const DOLLAR = worth(1n, TOKEN.contract!)
const who = (...members: Member[]) => members.map(({ person }) => ({ kind: 'person' as const, id: person.id }))
const ether = (thousandths: bigint) => ({ asset: COIN, amount: thousandths * 10n ** 15n })
const tokens = (whole: bigint) => ({ asset: TOKEN, amount: whole * 1_000_000n })

/** Up to 100 dollars each and 150 in a day by one of two; whatever is more, by both. */
const action = (need: bigint): NamedRule['action'] => ({
  kind: 'approve',
  steps: [{ need, who: who(ben, cleo) }],
  mayStop: [],
  delayMs: 0n,
  expiresAfterMs: 0n,
})
const rule = { kind: 'named' as const, level: 'higher', covers: { kind: 'payments' as const } }
const daily = { each: 'rule', lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount: null, maxCents: 15_000n }
const small: NamedRule = {
  ...rule,
  id: 'small',
  name: 'Small',
  conditions: [{ kind: 'value', aboveCents: 0n, atMostCents: 10_000n }],
  limits: [daily],
  action: action(1n),
}
const large: NamedRule = { ...rule, id: 'large', name: 'Large', conditions: [], limits: [], action: action(2n) }

/** Rules by what assets are worth, as three real signers hold to them. Cleo alone decides what assets are worth. */
export function valuesSuite(get: () => Founded): void {
  const { refused, signs, refuses, genesis } = actsOf(get)
  const change = (current: Policy, changes: Partial<ThirdForm>, signers: Member[]) =>
    policyChangeOf(get().organisation, current, changes as Partial<Policy>, signers, {
      initiator: ann,
      intent: { expiresAtMs: BigInt(NOW_MS + 30 * DAY_MS) },
    })
  const openValued = async (t: Parameters<typeof openOffice>[0], ...valuation: Valuation[]) => {
    const office = await openOffice(t, get())
    const { policy } = get().organisation
    const { kind, groups, machines, signers, looseningDelayMs } = inThirdForm(policy)
    const parts = [{ part: 'valuation', need: 1n, who: who(cleo) }]
    const moved = change(policy, { kind, groups, machines, signers, looseningDelayMs, parts, valuation, rules: [small, large] }, [ben, cleo])
    await applyPolicy(office.calls, genesis(), moved.record, [...PARTIES])
    return { office, policy: moved.next as ThirdForm }
  }
  const order = async (office: Office, policy: Policy, paid: { asset: typeof COIN; amount: bigint }, parties: bigint[], by = 'small'): Promise<Asked> => {
    const { key, organisation } = get()
    const salt = office.log.checkpoint.size
    const draft = draftOf({ fingerprint: organisation.fingerprint, policy, key, initiator: ann, salt, nonce: BigInt(salt), ...paid })
    const approvals = approvalsOf(draft, policy, by === 'small' ? [ben] : [ben, cleo])
    const { request } = requestOf({ key, draft, approvals, log: office.log, parties, salt })
    await cosignAll(office, office.log)
    return { ...request, rule: by }
  }

  describe('what orders are worth', () => {
    it('is summed over assets by all three together: no pair lets through what the others have used up', async (t) => {
      const { office, policy } = await openValued(t, worth(2000n), DOLLAR)
      await signs(office, await order(office, policy, tokens(60n), [1n, 2n]))
      await restart(office, 1)
      await signs(office, await order(office, policy, ether(30n), [1n, 3n]))
      await refuses(office, await order(office, policy, tokens(31n), [2n, 3n]), 'c9', /US cents/)
      await refuses(office, await order(office, policy, ether(16n), [1n, 2n]), 'c9', /US cents/)
      await signs(office, await order(office, policy, tokens(30n), [2n, 3n]))
      await refuses(office, await order(office, policy, tokens(1n), [1n, 2n]), 'c9', /US cents/)
      // Beyond the limit the next rule decides, with its own people.
      await signs(office, await order(office, policy, tokens(31n), [1n, 2n], 'large'))
    })

    it('is unknown where the table says nothing, or no longer: then one approval is never enough', async (t) => {
      const { office, policy } = await openValued(t, worth(2000n, '', NOW_MS + 1000))
      await refuses(office, await order(office, policy, tokens(1n), [1n, 2n]), 'c5')
      await signs(office, await order(office, policy, ether(1n), [1n, 2n]))
      await signs(office, await order(office, policy, tokens(1n), [1n, 2n], 'large'))
      office.time.nowMs += 1000
      await refuses(office, await order(office, policy, ether(1n), [1n, 3n]), 'c5')
      await signs(office, await order(office, policy, ether(1n), [1n, 3n], 'large'))
    })

    it('is what the table of now says also of what was paid: a new worth opens no second window, and what is unknown uses it up', async (t) => {
      const { office, policy } = await openValued(t, worth(2000n), DOLLAR)
      await signs(office, await order(office, policy, ether(30n), [1n, 2n]))
      const applied = async (current: ThirdForm, ...valuation: Valuation[]) => {
        const changed = change(current, { valuation }, [ben, cleo])
        await applyPolicy(office.calls, genesis(), changed.record, [...PARTIES])
        return changed.next as ThirdForm
      }
      const higher = await applied(policy, worth(4000n), DOLLAR)
      await refuses(office, await order(office, higher, tokens(31n), [2n, 3n]), 'c9')
      await signs(office, await order(office, higher, tokens(10n), [2n, 3n]))
      const unknown = await applied(higher, DOLLAR)
      await refuses(office, await order(office, unknown, tokens(1n), [1n, 2n]), 'c9', /does not say/)
      const lower = await applied(unknown, worth(1000n), DOLLAR)
      await signs(office, await order(office, lower, tokens(100n), [1n, 3n]))
      await refuses(office, await order(office, lower, tokens(11n), [2n, 3n]), 'c9')
    })

    it('is raised by those alone who decide it, and lowered by them alone only where the rules do not bind just them', async (t) => {
      const { office, policy } = await openValued(t, worth(2000n), DOLLAR)
      const lower = (signers: Member[]) => change(policy, { valuation: [worth(1000n), DOLLAR] }, signers)
      const lacks = refused('c3', /lacks \d approval\(s\)/)
      // Who lowers it binds herself by the same rules, so those who govern approve as well.
      for (const signers of [[ben], [cleo]]) await assert.rejects(applyPolicy(office.calls, genesis(), lower(signers).record, [1]), lacks)
      await assert.rejects(applyPolicy(office.calls, genesis(), change(policy, { valuation: [worth(3000n), DOLLAR] }, [ben]).record, [1]), lacks)
      const raised = change(policy, { valuation: [worth(3000n), DOLLAR] }, [cleo])
      await applyPolicy(office.calls, genesis(), raised.record, [...PARTIES])
      await refuses(office, await order(office, raised.next, ether(34n), [1n, 2n]), 'c5')
      await signs(office, await order(office, raised.next, ether(33n), [1n, 2n]))
    })
  })
}
