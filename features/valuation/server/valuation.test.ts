import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { keyOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { openWorld, type World } from '../../testing/test-world.ts'
import { checkValuation, listValuation, saveValuation, type ValuationDraft } from '../contract.ts'
import { feature } from './index.ts'

const DAY_MS = 86_400_000
let world: World
before(async () => {
  const validUntilMs = BigInt(Date.now() + 3 * DAY_MS)
  world = await openWorld({ namedRules: () => [], valuation: [{ chain: CHAIN, asset: '', microUsd: 2_000_000_000n, validUntilMs }] })
})
after(() => world.close())

let requests = 0
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const session = { demandSecondFactorWhereSet: async () => {}, endSession: () => {} }
  const handled = feature.endpoints!(world.context, { session } as never).find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const context = { orgId: world.orgId, personId: world.members[0].id, language: 'zh_CN', request } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}
const draftOf = (entries: ValuationDraft['entries']): ValuationDraft => ({ base_version: 1, entries })

describe('the table of values', () => {
  it('lists every pinned asset, what it is taken to be worth, and which entries end soon', async () => {
    const { entries } = await call(listValuation, {})
    const coin = entries.find(({ asset }) => asset === '')!
    assert.equal(coin.usd, '2000')
    assert.equal(coin.state, 'soon')
    assert.ok(entries.some(({ state, usd }) => state === 'none' && usd === null))
  })

  it('says in words what another table changes, who approves it, and what cannot stand in one', async () => {
    const until = Date.now() + 30 * DAY_MS
    const found = await call(checkValuation, { draft: draftOf([{ chain: CHAIN, asset: '', usd: '2500.5', valid_until: until }]) })
    assert.deepEqual(found.faults, [])
    assert.ok(found.lines.length > 0)
    assert.ok(found.quorums.length > 0)
    const wrong = await call(checkValuation, { draft: draftOf([{ chain: CHAIN, asset: '0xnothing', usd: '1', valid_until: until }]) })
    assert.match(wrong.faults[0]!.text, /\p{Script=Han}/u)
    const nothing = await call(checkValuation, { draft: draftOf([{ chain: CHAIN, asset: '', usd: '0', valid_until: until }]) })
    assert.equal(nothing.faults.length, 1)
    const stale = await call(checkValuation, { draft: { ...draftOf([]), base_version: 7 } })
    assert.equal(stale.faults.length, 1)
  })

  it('is proposed as a change of the policy', async () => {
    const until = Date.now() + 30 * DAY_MS
    const saved = await call(saveValuation, {
      request_id: `valuation-${requests++}`,
      draft: draftOf([{ chain: CHAIN, asset: '', usd: '1999.999999', valid_until: until }]),
    })
    assert.match(saved.approval_url, /[0-9a-f]{64}$/)
    assert.equal((await call(listValuation, {})).open_change_id, saved.id)
  })
})
