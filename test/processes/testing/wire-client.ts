import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  CALL_FIELDS,
  fingerprintOfKeys,
  makeSign,
  openedEnvelope,
  openSegments,
  publicKeyText,
  readPublicKey,
  sealSegments,
  WITHDRAWAL_FIELDS,
} from '@holdfast/open-wire'
import type { KeySettings } from '../../../features/api-key/settings-contract.ts'
import type { FundedOrganisation } from './funded-organisation.ts'
import { establishKey } from './make-api-key.ts'
import type { TestStack } from './start-test-stack.ts'

type DoorTwo = NonNullable<KeySettings['door_two']>
export type WireAnswer = { code: string; msg: string; data: never }
export type WireKey = { appId: string; request: KeyObject; sign: KeyObject; platform: KeyObject; url: (path: string) => string }

export const RIGHTS = ['wallet.read', 'wallet.create', 'address.read', 'address.create', 'withdraw.create', 'web3.create'] as const

/** An API key that calls at door two, which people approved and which is on. */
export async function makeWireKey(
  { settings: { consoleOrigin } }: Pick<TestStack, 'settings'>,
  org: FundedOrganisation,
  name: string,
  { callback = null, ...changes }: Parameters<typeof establishKey>[3] & { callback?: DoorTwo['callback'] } = {},
): Promise<WireKey> {
  const [request, sign] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 })) as [ReturnType<typeof pairOf>, ReturnType<typeof pairOf>]
  const public_key = Buffer.from(fingerprintOfKeys(request.publicKey, sign.publicKey)).toString('hex')
  const door_two = { request_key: publicKeyText(request.publicKey), sign_key: publicKeyText(sign.publicKey), callback }
  const made = await establishKey(org, name, { kind: 'apiRsa', public_key, door_two }, { permissions: RIGHTS, ...changes })
  const platform = readPublicKey(made.system_rsa ?? '')
  if (!platform) throw new Error('the key of the platform is not told')
  return { appId: made.key_id, request: request.privateKey, sign: sign.privateKey, platform, url: (path) => `${consoleOrigin}/open/wire/api/mpc${path}` }
}

const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A request as clients of the wire write it. */
export const sealed = (key: WireKey, fields: Record<string, unknown>, time: number = Date.now()): string =>
  sealSegments(JSON.stringify({ ...fields, time, charset: 'utf-8' }), key.request)

/** The fields of an order with its sign. */
export const signed = (key: WireKey, fields: Record<string, unknown>): Record<string, unknown> => ({
  ...fields,
  sign: makeSign(fields, 'input_data' in fields ? CALL_FIELDS : WITHDRAWAL_FIELDS, key.sign),
})

/** Sends what was sealed, and answers what came back as it came. */
export async function sendSealed({ url }: Pick<WireKey, 'url'>, method: 'GET' | 'POST', path: string, form: Record<string, string>) {
  const text = new URLSearchParams(form).toString()
  const init = { method, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: text }
  const answer = await (method === 'POST' ? fetch(url(path), init) : fetch(`${url(path)}?${text}`))
  return { status: answer.status, body: (await answer.json()) as { data: unknown; code?: string; msg?: string } }
}

/** Makes one call of the wire. */
export async function wireCall(key: WireKey, method: 'GET' | 'POST', path: string, fields: Record<string, unknown> = {}): Promise<WireAnswer> {
  return readAnswer(key, (await sendSealed(key, method, path, { app_id: key.appId, data: sealed(key, fields) })).body)
}

/** What an answer says, sealed for the key or in clear. */
export function readAnswer(key: Pick<WireKey, 'platform'>, body: { data: unknown }): WireAnswer {
  const opened = typeof body.data === 'string' ? openSegments(body.data, key.platform) : undefined
  return (opened ? openedEnvelope(opened.text) : body) as WireAnswer
}
