import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { AppError } from '@holdfast/contract'
import type { IncomingCall } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { fingerprintOfKeys, makeSign, openedEnvelope, openSegments, publicKeyText, sealSegments, WITHDRAWAL_FIELDS } from '@holdfast/open-wire'
import { uuidToBytes } from '@holdfast/units'
import { namedRule, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { makePlatformKey } from '../../../api-key/server/platform-key.ts'
import type { KeySettings } from '../../../api-key/settings-contract.ts'
import { contractCallEndpoints } from '../../../contract-call/server/routes.ts'
import { depositAddressEndpoints } from '../../../deposit-address/server/routes.ts'
import { ETH, fund, makeWallet, openWorld, STRANGER, type Wallet, type World } from '../../../testing/test-world.ts'
import { transferEndpoints } from '../../../transfer/server/routes.ts'
import { transactionEndpoints } from '../../../transaction/server/routes.ts'
import { walletEndpoints } from '../../../wallet/server/routes.ts'
import { withdrawalEndpoints } from '../../../withdrawal/server/routes.ts'
import { openWireDoor, WIRE_BASE } from '../wire/open-wire-door.ts'

export const MACHINE = 'shop'
/** The one address from which the key calls. */
export const HERE = '203.0.113.7'

const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const plainSealer = {
  seal: (_: object, secret: Uint8Array) => Buffer.from(secret).toString('base64'),
  open: (_: object, sealed: string) => Uint8Array.from(Buffer.from(sealed, 'base64')),
  renew: () => undefined,
}

type Answer = { isSealed: boolean; code: string; msg: string; data: unknown }

/** An organisation with ten ether and one key of door two, and what that key calls and is answered. */
export type WireWorld = {
  world: World
  wallet: Wallet
  appId: string
  sealer: never
  /** The public half of the key by which the server answers. */
  platform: KeyObject
  request: KeyObject
  sign: KeyObject
  stranger: KeyObject
  /** The fields of a request as they are sent. */
  dataOf(fields: object, time?: number): string
  send(path: string, form: Record<string, string>, ip?: string): Promise<Answer>
  ask(path: string, fields?: object): Promise<Answer>
  signed(fields: Record<string, unknown>, names?: readonly string[], by?: KeyObject): Record<string, unknown>
  payment(requestId: string, changes?: object): Promise<Record<string, unknown>>
  /** Has other settings of the key in force. */
  set(changes: Partial<KeySettings>, callback?: NonNullable<KeySettings['door_two']>['callback']): Promise<void>
  walletNumber(): Promise<number>
}

/** Opens such a world. Whoever opens it closes `world`. */
export async function openWireWorld(): Promise<WireWorld> {
  const [request, sign, stranger] = [pairOf(), pairOf(), pairOf()]
  const publicKey = fingerprintOfKeys(request.publicKey, sign.publicKey)
  const asks = { kind: 'askers' as const, who: [{ kind: 'machine' as const, id: MACHINE }] }
  const world = await openWorld({
    machines: [{ id: MACHINE, name: 'Shop', kind: 'apiRsa', publicKey, purpose: '', expiresAtMs: 4_000_000_000_000n }],
    namedRules: (members) => [
      namedRule(MACHINE, { conditions: [asks], steps: [{ need: 1n, who: members.slice(1).map(({ id }) => personOf({ id: uuidToBytes(id) })) }] }),
    ],
  })
  const sealer = plainSealer as never
  const wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  await makePlatformKey({ ...world.context, sealer }, world.orgId as never, MACHINE)
  const door_two = { request_key: publicKeyText(request.publicKey), sign_key: publicKeyText(sign.publicKey), callback: null }
  const settings = {
    permissions: ['wallet.read', 'withdraw.create', 'web3.create'] as KeySettings['permissions'],
    wallets: null,
    addresses: [HERE],
    per_minute: 6000,
  }
  const set = settingsOf(world, { ...settings, is_on: true, door_two })
  await set({})
  const { public_key: told } = await world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('machine_rsa').select('public_key').where('org_id', '=', tx.orgId).executeTakeFirstOrThrow(),
  )
  const platform = createPublicKey({ key: Buffer.from(told, 'base64'), format: 'der', type: 'spki' })
  const appId = `${world.orgId}.${MACHINE}`
  const dataOf = (fields: object, time: number = world.context.ports.clock.nowMs()) =>
    sealSegments(JSON.stringify({ ...fields, time, charset: 'utf-8' }), request.privateKey)
  const send = sender(world, sealer, platform)
  const ask = (path: string, fields: object = {}) => send(path, { app_id: appId, data: dataOf(fields) })
  const walletNumber = async () => ((await ask('/billing/sync_deposit_list', { max_id: 0 })).data as { sub_wallet_id: number }[])[0]?.sub_wallet_id ?? 1
  return {
    ...{ world, wallet, appId, sealer, platform, dataOf, send, ask, set, walletNumber },
    ...{ request: request.privateKey, sign: sign.privateKey, stranger: stranger.privateKey },
    signed: (fields, names = WITHDRAWAL_FIELDS, by = sign.privateKey) => ({ ...fields, sign: makeSign(fields, names, by) }),
    payment: async (request_id, changes = {}) => ({
      ...{ request_id, sub_wallet_id: await walletNumber(), symbol: 'ETH', amount: '1.50', address_to: STRANGER },
      ...changes,
    }),
  }
}

/** Writes settings as a second person confirms them, on top of those that were written before. */
function settingsOf(world: World, first: KeySettings): WireWorld['set'] {
  let present = first
  let version = 0
  return async (changes, callback) => {
    const { door_two: door } = present
    present = { ...present, ...changes, ...(callback !== undefined && door && { door_two: { ...door, callback } }) }
    version += 1
    const nowMs = world.context.ports.clock.nowMs()
    const row = { machine_id: MACHINE, version, document: JSON.stringify(present), base_version: version - 1, change_id: null, made_by: null, made_at: nowMs }
    await world.db.asOrganisation(world.orgId, async (tx) => {
      await tx
        .insertInto('machine_settings')
        .values({ org_id: tx.orgId, ...row, state: 'in_force', decided_by: null, decided_at: null })
        .execute()
      await announce(tx, world.context.ports, 'machine.changed', { machine_id: MACHINE })
    })
  }
}

/** What the door answers to a form, in clear or opened. */
function sender(world: World, sealer: never, platform: KeyObject): WireWorld['send'] {
  const handled = [
    ...[transactionEndpoints, transferEndpoints, walletEndpoints, withdrawalEndpoints, depositAddressEndpoints].flatMap((each) => each(world.context)),
    // Nothing of a program's asks for a second factor.
    ...contractCallEndpoints(world.context, { demandSecondFactorWhereSet: () => Promise.reject(new Error('no person calls')) }),
  ]
  const door = openWireDoor(world.context, { handled, sealer })
  const refusalOf = (error: unknown) => {
    if (error instanceof AppError && error.errorName !== 'system_error') return { code: error.code, msg: error.message, data: null }
    throw error
  }
  return async (path, form, ip = HERE) => {
    const body = Buffer.from(new URLSearchParams(form).toString())
    const call: IncomingCall = { method: 'POST', path: `${WIRE_BASE}/api/mpc${path}`, query: '', headers: {}, body, ip, requestId: 'one' }
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
    const opened = openedEnvelope(openSegments(data, platform)?.text ?? '')
    if (!opened) throw new Error('the answer is none of the server')
    return { isSealed: true, ...opened }
  }
}
