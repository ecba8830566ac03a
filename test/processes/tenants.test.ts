import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Endpoint, isMutating } from '@holdfast/contract'
import { errorCatalogue } from '@holdfast/features/error-catalogue'
import { listTransactions } from '../../features/transaction/contract.ts'
import { checkAddress } from '@holdfast/features/withdrawal/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { sql } from 'kysely'
import { permissionsOf, roles } from '../../features/session/permissions.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment } from '../../apps/launcher/src/order-payment.ts'
import { contractEndpoints, idFieldsOf, nameOf, servedEndpoints } from './testing/all-endpoints.ts'
import { type Belongings, canariesOf, foundWithEverything, idsOf } from './testing/belongings.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { type Headers, headersOf, headersOfStranger, type RawAnswer, rawCall } from './testing/raw-call.ts'
import { withDatabase } from './testing/read-ledger.ts'
import { OWN_CALLS } from './testing/own-calls.ts'

// Ids that belong to a browser or to nobody, and not to an organisation.
const IDS_OF_NO_ORGANISATION = ['challenge_id']
// What is on offer does not depend on the wallet.
const SAME_FOR_EVERY_ID = [
  'GET /api/mpc/web3/info',
  'GET /api/mpc/wallet/open/coin',
  'GET /api/mpc/wallet/member/list',
  // Nothing of theirs is held, nobody took anything, and no token waits.
  'POST /api/mpc/deposit/claim/decide',
  'POST /api/mpc/deposit/claim/withdraw',
  'GET /api/mpc/pull/info',
  'POST /api/mpc/coin/audit/operate/refuse',
  'POST /api/mpc/pull/acknowledge',
  // No basic rule was ever made.
  'GET /api/mpc/strategy/basic/log/list',
  // No standing order is in force.
  'GET /api/mpc/standing/draft',
  'GET /api/mpc/standing/schedule/draft',
  'GET /api/mpc/standing/schedule/payments',
  // Nothing is collected.
  'GET /api/mpc/standing/funds/list',
  'POST /api/mpc/collect/trans/cancel',
  'GET /api/mpc/collect/history/info',
  // Nothing is watched.
  'GET /api/mpc/tools/tron/monitor/list',
  'GET /api/mpc/tools/tron/delegate/list',
  'GET /api/mpc/tools/tron/delegate/info',
  // None of their payments was closed.
  'POST /api/mpc/withdraw/ask_again',
  // A change of the policy waits.
  'POST /api/mpc/strategy/basic/save',
]
/** Takes out what other calls ask for: done last. */
const TAKES_OUT = ['POST /api/mpc/collect/config/delete']
const {
  signed_out,
  request_refused,
  not_permitted,
  open_token_stale,
  last_method,
  invalid_parameters,
  state_changed,
  named_in_policy,
  coin_unavailable,
  collector_no_tokens,
  build_failed,
  nothing_to_join,
  replacement_impossible,
  strategy_blocked,
  decided_by_key,
  policy_change_open,
  order_not_found,
  resource_not_found,
  inscription_unavailable,
  unsupported_coin,
  wallet_holds_value,
  tron_no_data,
} = errorCatalogue
// The last way to sign in stays, and a proof of recovery is taken once.
const REFUSED_TO_THE_OWNER: Record<string, string> = {
  // The deposit is credited, nothing else is held, nobody took anything, and no token waits.
  'POST /api/mpc/deposit/claim': state_changed.code,
  'POST /api/mpc/deposit/keep': state_changed.code,
  'POST /api/mpc/deposit/claim/decide': resource_not_found.code,
  'POST /api/mpc/deposit/claim/withdraw': resource_not_found.code,
  'GET /api/mpc/pull/info': order_not_found.code,
  'POST /api/mpc/coin/audit/operate/refuse': resource_not_found.code,
  'POST /api/mpc/pull/acknowledge': order_not_found.code,
  // Nothing was collected.
  'GET /api/mpc/auto_collect/record/info': resource_not_found.code,
  'POST /api/mpc/auto_collect/record/cancel': resource_not_found.code,
  'POST /api/mpc/auto_collect/record/speed_up': resource_not_found.code,
  // The contract takes no token, this one is not listed, and nothing was collected.
  'POST /api/mpc/collect/config/publish': collector_no_tokens.code,
  'POST /api/mpc/collect/symbols/save': unsupported_coin.code,
  'GET /api/mpc/collect/history/info': resource_not_found.code,
  'POST /api/mpc/collect/trans/cancel': resource_not_found.code,
  // No address on TRON is watched, and nothing was paid there.
  'POST /api/mpc/tools/tron/monitor/save': tron_no_data.code,
  'POST /api/mpc/tools/tron/monitor/delete': resource_not_found.code,
  'GET /api/mpc/tools/tron/fee/usage': tron_no_data.code,
  // Nobody lends energy there, and the address is none of that network.
  'POST /api/mpc/tools/tron/proxy/account/operate': tron_no_data.code,
  'GET /api/mpc/tools/tron/delegate/info': tron_no_data.code,
  'GET /api/mpc/tools/tron/delegate/estimate': tron_no_data.code,
  'POST /api/mpc/tools/tron/delegate/create': tron_no_data.code,
  // Its whitelist has no version yet.
  'GET /api/mpc/address_book/whitelist/restore': resource_not_found.code,
  // No browser was told to push.
  'POST /api/mpc/push/device/remove': resource_not_found.code,
  'POST /api/mpc/network/alarm/acknowledge': state_changed.code,
  'GET /api/mpc/network/token/mark': unsupported_coin.code,
  'POST /api/mpc/network/token/mark': unsupported_coin.code,
  // The wallet has a key of the kind.
  'POST /api/mpc/wallet/key/add': state_changed.code,
  // Nobody has sent it a coin.
  'POST /api/mpc/utxo/lock': coin_unavailable.code,
  'POST /api/mpc/utxo/unlock': coin_unavailable.code,
  'POST /api/mpc/utxo/consolidate': nothing_to_join.code,
  'POST /api/mpc/withdraw/brc20': inscription_unavailable.code,
  // Its key is of another kind than that network's.
  'POST /api/mpc/user/deposit/comment': unsupported_coin.code,
  'POST /api/mpc/wallet/update/archive': wallet_holds_value.code,
  // It has no account there yet.
  'POST /api/mpc/tron/resource/create': build_failed.code,
  'POST /api/mpc/session/method/remove': last_method.code,
  'POST /api/mpc/sub_wallet/export/drill': invalid_parameters.code,
  // The policy still names the member.
  'POST /api/mpc/wallet/member/remove': named_in_policy.code,
  // The order that waited was withdrawn by a call before this one.
  'POST /api/mpc/user/action/items/remind': state_changed.code,
  // What it is to decide is another order than the one that its hash names.
  'POST /api/mpc/withdraw/audit': state_changed.code,
  // They signed in from a terminal, which says nothing of itself.
  'POST /api/mpc/tools/login/trust': invalid_parameters.code,
  // It is a payment, and no call.
  'GET /api/mpc/web3/info': order_not_found.code,
  // Its policy lets nobody call a contract.
  'POST /api/mpc/web3/trans/create': strategy_blocked.code,
  'POST /api/mpc/tools/batch/auth/create': strategy_blocked.code,
  'POST /api/mpc/tools/batch/auth/revoke': strategy_blocked.code,
  // No call decides a change of the policy, and while one waits there is no other.
  'POST /api/mpc/strategy/higher/audit': decided_by_key.code,
  'POST /api/mpc/strategy/basic/audit': decided_by_key.code,
  'POST /api/mpc/strategy/workspace/audit': decided_by_key.code,
  'POST /api/mpc/strategy/workspace/save': policy_change_open.code,
  'POST /api/mpc/strategy/basic/save': policy_change_open.code,
  'POST /api/mpc/api/save': policy_change_open.code,
  // The policy names no machine.
  'POST /api/mpc/api/remove': resource_not_found.code,
  'POST /api/mpc/api/settings/save': resource_not_found.code,
  'POST /api/mpc/api/settings/decide': resource_not_found.code,
  'POST /api/mpc/api/save_status': resource_not_found.code,
  'POST /api/mpc/api/test': resource_not_found.code,
  // It is not on its way to a block.
  'POST /api/mpc/speed_up': replacement_impossible.code,
  // A payment that was made raised no alarm.
  'POST /api/mpc/withdraw/resume': state_changed.code,
}

let stack: JoinedStack
let endpoints: Endpoint[]
let ours: Belongings
let others: Belongings

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  endpoints = await contractEndpoints()
  const founded = [foundWithEverything(stack, 'Aurora'), foundWithEverything(stack, 'Kestrel7Q4K')] as const
  ;[ours, others] = await Promise.all(founded)
})
after(() => stack?.dispose())

const ownFields = (endpoint: Endpoint) => OWN_CALLS[nameOf(endpoint)]!(ours)
const call = (endpoint: Endpoint, fields: Record<string, string>, headers: Headers = headersOf(ours.alice, endpoint)) =>
  rawCall(stack.settings, endpoint, fields, headers)

/** Looking around keeps one's own session alive, and every few seconds the server adds what wallets gained to their sums: neither is an effect of a call. */
const MOVES_BY_ITSELF: ReadonlySet<string> = new Set(['session', 'wallet_change', 'wallet_sum'])

/** What the database holds of an organisation, table by table, as hashes. */
async function rowsOf(org: Belongings): Promise<Record<string, string>> {
  return withDatabase(stack, (db) =>
    db.asSystem(async (tx) => {
      const person = await tx.selectFrom('person').select('org_id').where('id', '=', org.alice.personId).executeTakeFirstOrThrow()
      const { rows: tables } = await sql<{
        name: string
      }>`select table_name as name from information_schema.columns where column_name = 'org_id' and table_schema = 'public' order by 1`.execute(tx)
      const hashes: Record<string, string> = {}
      for (const { name } of tables.filter((each) => !MOVES_BY_ITSELF.has(each.name))) {
        const { rows } = await sql<{
          hash: string
        }>`select coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '') as hash from ${sql.table(name)} t where org_id = ${person.org_id}`.execute(
          tx,
        )
        hashes[name] = rows[0]!.hash
      }
      return hashes
    }),
  )
}

function assertSilent(answer: RawAnswer, what: string, given: string): void {
  const text = answer.text.replaceAll(given, '')
  for (const canary of canariesOf(others)) assert.ok(!text.includes(canary), `${what} told ${canary} of another organisation`)
}

test('every endpoint of the server is covered here, and every id it takes is declared', async () => {
  const names = endpoints.map(nameOf).sort()
  assert.deepEqual(await servedEndpoints(stack.settings), names)
  assert.deepEqual(Object.keys(OWN_CALLS).sort(), names)
  for (const endpoint of endpoints) {
    const undeclared = idFieldsOf(endpoint).filter((field) => !IDS_OF_NO_ORGANISATION.includes(field) && !endpoint.tenantParameters?.includes(field))
    assert.deepEqual(undeclared, [], `${nameOf(endpoint)} takes ids that are not among its tenantParameters`)
  }
})

test('ids of another organisation get the answer that ids of nothing get, have no effect, and betray nothing', async () => {
  const before = [await rowsOf(ours), await rowsOf(others)]
  let tried = 0
  for (const endpoint of endpoints) {
    for (const field of endpoint.tenantParameters ?? []) {
      const isSession = field === 'session_id'
      const nothing = isSession ? randomBytes(32).toString('hex') : randomUUID()
      const attempt = async (id: string) => {
        const answer = await call(endpoint, { ...ownFields(endpoint), [field]: id })
        assertSilent(answer, `${nameOf(endpoint)} with ${field}`, id)
        return JSON.stringify(answer.envelope).replaceAll(id, '<id>')
      }
      const expected = await attempt(nothing)
      const foreignIds = isSession ? [others.sessionId] : idsOf(others)
      const answers = await Promise.all(foreignIds.map(attempt))
      for (const answer of answers) assert.equal(answer, expected, `${nameOf(endpoint)} tells ${field} of another organisation from one that is not there`)
      tried += answers.length
    }
  }
  assert.deepEqual([await rowsOf(ours), await rowsOf(others)], before)
  console.log(`${tried} foreign ids tried`)
})

test("no call with one's own ids tells anything of another organisation", async () => {
  for (const endpoint of endpoints.filter((each) => !isMutating(each))) assertSilent(await call(endpoint, ownFields(endpoint)), nameOf(endpoint), '-')
  const known = await ours.alice.client.call(checkAddress, { sub_wallet_id: ours.subWalletId, chain: LOCAL_CHAIN, address: others.address })
  assert.deepEqual({ own: known.own, first_seen: known.first_seen }, { own: null, first_seen: true })
  for (const endpoint of endpoints.filter(({ input }) => Object.hasOwn(input.shape, 'keyword'))) {
    assertSilent(await call(endpoint, { ...ownFields(endpoint), keyword: others.mark }), `${nameOf(endpoint)} asked for the other's name`, others.mark)
  }
})

test('without a session nothing but the public calls is answered, and without a token of the page not even these', async () => {
  const stranger = await headersOfStranger(stack.settings)
  const before = await rowsOf(ours)
  for (const endpoint of endpoints) {
    const { envelope } = await call(endpoint, ownFields(endpoint), stranger)
    if (endpoint.permission === 'public') assert.notEqual(envelope.code, not_permitted.code, nameOf(endpoint))
    else assert.equal(envelope.code, signed_out.code, nameOf(endpoint))
    if (endpoint.bootstrap) continue
    const bare = await call(endpoint, ownFields(endpoint), { origin: stack.settings.consoleOrigin })
    const { code } = endpoint.permission === 'public' ? request_refused : signed_out
    assert.equal(bare.envelope.code, code, `${nameOf(endpoint)} without a cookie`)
  }
  assert.deepEqual(await rowsOf(ours), before)
})

test('the cookie alone changes nothing: without the open token every changing call is refused', async () => {
  const before = await rowsOf(ours)
  for (const endpoint of endpoints.filter((each) => isMutating(each) && each.permission !== 'public')) {
    const { openToken: _, ...headers } = headersOf(ours.alice, endpoint)
    assert.equal((await call(endpoint, ownFields(endpoint), headers)).envelope.code, open_token_stale.code, nameOf(endpoint))
  }
  assert.deepEqual(await rowsOf(ours), before)
})

/** Calls that decide nothing between them. */
const AT_ONCE = 8

async function assertAdmission(role: (typeof roles)[number], endpoint: Endpoint): Promise<void> {
  const may = endpoint.permission === 'member' || permissionsOf(role).has(endpoint.permission)
  // Admitted or not is decided before the fields are read, so these need not make sense; "everywhere" must not end the session.
  const { envelope } = await call(endpoint, nameOf(endpoint).endsWith('/logout') ? { everywhere: '-' } : {}, headersOf(ours.chiara, endpoint))
  assert.equal(envelope.code !== not_permitted.code, may, `${role} on ${nameOf(endpoint)}: ${envelope.code} ${envelope.msg}`)
  assert.notEqual(envelope.code, signed_out.code, `${role} on ${nameOf(endpoint)}`)
}

test('each role may call what the written matrix says, and nothing else', async () => {
  const { chiara } = ours
  let cells = 0
  for (const role of roles) {
    await withDatabase(stack, (db) => db.asSystem((tx) => tx.updateTable('person').set({ role }).where('id', '=', chiara.personId).execute()))
    assert.ok(await chiara.reload())
    const asked = endpoints.filter(({ permission }) => permission !== 'public')
    for (let i = 0; i < asked.length; i += AT_ONCE) await Promise.all(asked.slice(i, i + AT_ONCE).map((endpoint) => assertAdmission(role, endpoint)))
    cells += asked.length
  }
  console.log(`${cells} cells of roles and endpoints`)
})

test("the event stream tells of one's own organisation alone", async () => {
  const { url, init } = ours.alice.client.request('GET', '/api/mpc/events')
  const stop = new AbortController()
  const response = await fetch(url, { ...init, signal: stop.signal })
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const order = (org: Belongings) => orderPayment(ports, org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.01', to: freshAddress() })
  const foreign = await order(others)
  const own = await order(ours)
  let heard = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    heard += piece
    // Events are published in their order, so those of the order before have been by now.
    if (heard.includes(own.id)) break
  }
  stop.abort()
  for (const canary of [foreign.id, ...canariesOf(others)]) assert.ok(!heard.includes(canary), `the stream told ${canary}`)
})

test("what one may do with one's own ids is done: the refusals above were not refusals of everything", async () => {
  // What a fresh sign-in alone may do is tried too, however long the calls before took.
  await ours.alice.signIn()
  const before = await rowsOf(ours)
  const faults: string[] = []
  const named = endpoints.filter(({ tenantParameters }) => tenantParameters && tenantParameters.length > 0)
  const isLast = (endpoint: Endpoint) => Number(TAKES_OUT.includes(nameOf(endpoint)))
  for (const endpoint of named.toSorted((a, b) => isLast(a) - isLast(b))) {
    const foreignIds = endpoint.tenantParameters!.map((field) => [field, field === 'session_id' ? others.sessionId : others.walletId])
    const foreign = await call(endpoint, { ...ownFields(endpoint), ...Object.fromEntries(foreignIds) })
    const own = await call(endpoint, ownFields(endpoint))
    assertSilent(own, nameOf(endpoint), '-')
    if (!SAME_FOR_EVERY_ID.includes(nameOf(endpoint)) && own.text === foreign.text) faults.push(`${nameOf(endpoint)} answers every id the same: ${own.text}`)
    if (own.envelope.code !== (REFUSED_TO_THE_OWNER[nameOf(endpoint)] ?? '0')) faults.push(`${nameOf(endpoint)}: ${own.text}`)
  }
  assert.deepEqual(faults, [])
  assert.notDeepEqual(await rowsOf(ours), before)
  const { list } = await ours.alice.client.call(listTransactions, { type: 'withdraw' })
  assert.equal(list.find(({ id }) => id === ours.waitingId)?.status, 2202)
})
