import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import type { IncomingCall } from '@holdfast/http'
import { CALL_FIELDS, fingerprintOfKeys, makeSign, openedEnvelope, openSegments, publicKeyText, sealSegments, WITHDRAWAL_FIELDS } from '@holdfast/open-wire'
import { uuidToBytes } from '@holdfast/units'
import { namedRule, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { makePlatformKey } from '../../../api-key/server/platform-key.ts'
import { contractCallEndpoints } from '../../../contract-call/server/routes.ts'
import { depositAddressEndpoints } from '../../../deposit-address/server/routes.ts'
import { ETH, fund, makeWallet, openWorld, STRANGER, type Wallet, type World } from '../../../testing/test-world.ts'
import { transactionEndpoints } from '../../../transaction/server/routes.ts'
import { walletEndpoints } from '../../../wallet/server/routes.ts'
import { withdrawalEndpoints } from '../../../withdrawal/server/routes.ts'
import { openWireDoor, WIRE_BASE } from './open-wire-door.ts'

const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [request, sign, stranger] = [pairOf(), pairOf(), pairOf()]
const sealer = {
  seal: (_: object, secret: Uint8Array) => Buffer.from(secret).toString('base64'),
  open: (_: object, sealed: string) => Uint8Array.from(Buffer.from(sealed, 'base64')),
  renew: () => undefined,
}
const HERE = '203.0.113.7'

let world: World
let wallet: Wallet
let door: ReturnType<typeof openWireDoor>
let platform: Parameters<typeof openSegments>[1]

before(async () => {
  const machine = {
    id: 'shop',
    name: 'Shop',
    kind: 'apiRsa',
    publicKey: fingerprintOfKeys(request.publicKey, sign.publicKey),
    purpose: '',
    expiresAtMs: 4_000_000_000_000n,
  }
  const asks = { kind: 'askers' as const, who: [{ kind: 'machine' as const, id: 'shop' }] }
  world = await openWorld({
    machines: [machine],
    namedRules: (members) => [
      namedRule('shop', { conditions: [asks], steps: [{ need: 1n, who: members.slice(1).map(({ id }) => personOf({ id: uuidToBytes(id) })) }] }),
    ],
  })
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  await makePlatformKey({ ...world.context, sealer: sealer as never }, world.orgId as never, 'shop')
  const document = {
    permissions: ['wallet.read', 'withdraw.create', 'web3.create'],
    wallets: null,
    addresses: [HERE],
    per_minute: 6000,
    is_on: true,
    door_two: { request_key: publicKeyText(request.publicKey), sign_key: publicKeyText(sign.publicKey) },
  }
  const { told } = await world.db.asOrganisation(world.orgId, async (tx) => {
    const row = {
      org_id: tx.orgId,
      machine_id: 'shop',
      version: 1,
      document: JSON.stringify(document),
      base_version: 0,
      change_id: null,
      made_by: null,
      made_at: 1,
    }
    await tx
      .insertInto('machine_settings')
      .values({ ...row, state: 'in_force', decided_by: null, decided_at: null })
      .execute()
    const { public_key: told } = await tx.selectFrom('machine_rsa').select('public_key').where('org_id', '=', tx.orgId).executeTakeFirstOrThrow()
    return { told }
  })
  platform = createPublicKey({ key: Buffer.from(told, 'base64'), format: 'der', type: 'spki' })
  const handled = [
    ...[transactionEndpoints, walletEndpoints, withdrawalEndpoints, depositAddressEndpoints].flatMap((each) => each(world.context)),
    // Nothing of a program's asks for a second factor.
    ...contractCallEndpoints(world.context, { demandSecondFactorWhereSet: () => assert.fail('no person calls') } as never),
  ]
  door = openWireDoor(world.context, { handled, sealer: sealer as never })
})
after(() => world.close())

const dataOf = (fields: object, time: number = world.context.ports.clock.nowMs()) =>
  sealSegments(JSON.stringify({ ...fields, time, charset: 'utf-8' }), request.privateKey)
const appId = () => `${world.orgId}.shop`

/** What the door answers to a form, in clear or opened. */
async function send(path: string, form: Record<string, string>, ip = HERE) {
  const body = Buffer.from(new URLSearchParams(form).toString())
  const call: IncomingCall = { method: 'POST', path: `${WIRE_BASE}/api/mpc${path}`, query: '', headers: {}, body, ip, requestId: 'one' }
  const refusalOf = (error: unknown) => {
    if (error instanceof AppError && error.errorName !== 'system_error') return { code: error.code, msg: error.message, data: null }
    throw error
  }
  let admitted: Awaited<ReturnType<typeof door.admit>>
  try {
    admitted = await door.admit(call.path, call)
  } catch (error) {
    await door.record(call, { httpStatus: 200, code: '100005', durationMs: 1 })
    return { isSealed: false, ...refusalOf(error) }
  }
  const said = await admitted.act({ requestId: 'one', ip, language: 'en_US' }).then((data) => ({ code: '0', msg: '', data }), refusalOf)
  const { data } = admitted.seal(said) as { data: string }
  await door.record(call, { httpStatus: 200, code: said.code, durationMs: 1 })
  return { isSealed: true, ...openedEnvelope(openSegments(data, platform)?.text ?? '')! }
}

const ask = (path: string, fields: object = {}) => send(path, { app_id: appId(), data: dataOf(fields) })
const signed = (fields: Record<string, unknown>, names: readonly string[] = WITHDRAWAL_FIELDS, by = sign) => ({
  ...fields,
  sign: makeSign(fields, names, by.privateKey),
})

async function walletNumber(): Promise<number> {
  const { data } = await ask('/billing/sync_deposit_list', { max_id: 0 })
  return (data as { sub_wallet_id: number }[])[0]?.sub_wallet_id ?? 1
}

const payment = async (request_id: string, changes: object = {}) => ({
  request_id,
  sub_wallet_id: await walletNumber(),
  symbol: 'ETH',
  amount: '1.50',
  address_to: STRANGER,
  ...changes,
})

describe('door two', () => {
  it('answers whatever is wrong with who calls alike, and in clear', async () => {
    const good = dataOf({ max_id: 0 })
    const forms: [Record<string, string>, string?][] = [
      [{}],
      [{ app_id: appId() }],
      [{ app_id: appId(), data: '%%' }],
      [{ app_id: appId(), data: good.slice(1) }],
      [{ app_id: appId(), data: sealSegments('{}', stranger.privateKey) }],
      [{ app_id: 'nobody', data: good }],
      [{ app_id: `${world.orgId}.ghost`, data: good }],
      [{ app_id: appId(), data: good }, '198.51.100.1'],
    ]
    const answers = new Set<string>()
    for (const [form, ip] of forms) answers.add(JSON.stringify(await send('/billing/sync_withdraw_list', form, ip)))
    assert.equal(answers.size, 1)
    assert.match([...answers][0] ?? '', /"isSealed":false,"code":"100005"/)
  })

  it('tells coins, and what a sub-wallet has', async () => {
    const coins = (await ask('/coin_list')).data as { symbol: string; decimals: string }[]
    assert.ok(coins.some(({ symbol, decimals }) => symbol === 'ETH' && decimals === '18'))
    assert.deepEqual(((await ask('/wallet/open_coin')).data as { open_main_chain: object[] }).open_main_chain.length, 1)
    const { code, data } = await ask('/sub_wallet/assets', { sub_wallet_id: await walletNumber(), symbol: 'ETH' })
    assert.deepEqual([code, (data as { normal_balance: string }).normal_balance], ['0', '10'])
    assert.equal((await ask('/sub_wallet/assets', { sub_wallet_id: 1, symbol: 'NONE' })).code, '300586')
    assert.equal((await ask('/sub_wallet/assets', { sub_wallet_id: 99, symbol: 'ETH' })).code, '200005')
    assert.equal((await ask('/billing/withdraw_pending', {})).code, '300585')
    assert.equal((await ask('/sub_wallet/create', { sub_wallet_name: 'x' })).code, '300572')
  })

  it('makes a payment that is signed, once, and lists it by its number', async () => {
    const asked = await payment('wire-first-0001')
    for (const fields of [asked, { ...signed(asked), amount: '2' }, signed(asked, WITHDRAWAL_FIELDS, request), { ...signed(asked), memo: 'm' }])
      assert.equal((await ask('/billing/withdraw', fields)).code, '300584', JSON.stringify(fields))
    const made = await ask('/billing/withdraw', signed(asked))
    assert.equal(made.code, '0', made.msg)
    const { withdraw_id: id } = made.data as { withdraw_id: number }
    assert.deepEqual((await ask('/billing/withdraw', signed({ ...asked, amount: '1.5' }))).data, { withdraw_id: id }, 'the same again is the same')
    assert.equal((await ask('/billing/withdraw', signed({ ...asked, amount: '1.6' }))).code, '110088')
    const [row] = (await ask('/billing/withdraw_list', { ids: 'wire-first-0001,other' })).data as Record<string, unknown>[]
    assert.deepEqual([row?.['id'], row?.['status'], row?.['amount'], row?.['withdraw_source'], row?.['symbol']], [id, 1000, '1.5', 2, 'ETH'])
    assert.deepEqual((await ask('/billing/sync_withdraw_list', { max_id: id - 1 })).data, [row])
    assert.deepEqual((await ask('/billing/sync_withdraw_list', { max_id: id })).data, [])
    assert.deepEqual((await ask('/web3/sync_trans_list', {})).data, [])
  })

  it('takes what makes something once, at its time, and no splice of two requests', async () => {
    const late = world.context.ports.clock.nowMs() - 6 * 60_000
    assert.equal((await send('/coin_list', { app_id: appId(), data: dataOf({}, late) })).code, '300581')
    const read = { app_id: appId(), data: dataOf({}) }
    assert.deepEqual([(await send('/coin_list', read)).code, (await send('/coin_list', read)).code], ['0', '0'])
    const bytesOf = async (remark: string) => Buffer.from(dataOf({ remark, ...signed(await payment('wire-splice-01')) }), 'base64url')
    const [one, other] = [await bytesOf('one one one'), await bytesOf('two two two')]
    const form = (bytes: Buffer) => ({ app_id: appId(), data: bytes.toString('base64url') })
    assert.equal((await send('/billing/withdraw', form(other))).code, '0')
    assert.equal((await send('/billing/withdraw', form(other))).code, '300582')
    assert.equal((await send('/billing/withdraw', form(Buffer.concat([one.subarray(0, 256), other.subarray(256)])))).code, '300582')
  })

  it('has calls of contracts signed as well', async () => {
    const call = {
      request_id: 'wire-call-0001',
      sub_wallet_id: await walletNumber(),
      main_chain_symbol: 'ETH',
      interactive_contract: STRANGER,
      amount: '0',
      input_data: '0xa9059cbb',
    }
    const rest = { gas_price: '20', gas_limit: '90000', trans_type: '1' }
    assert.equal((await ask('/web3/trans/create', { ...call, ...rest })).code, '300584')
    assert.notEqual((await ask('/web3/trans/create', { ...signed(call, CALL_FIELDS), ...rest })).code, '300584')
  })

  it('logs each call of the key without its sign', async () => {
    const rows = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('machine_call').select(['path', 'body', 'refused']).where('org_id', '=', tx.orgId).execute(),
    )
    const paid = rows.find(({ path, body }) => path.endsWith('/billing/withdraw') && body.includes('wire-first-0001') && body.includes('sign'))
    assert.match(paid?.body ?? '', /"sign":"\*\*\*"/)
    assert.ok(rows.some(({ refused }) => refused === 'address'))
  })
})
