import { createClient, createCookieJar } from '@holdfast/contract'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { deviceLogin, deviceLoginOptions, deviceRegister, deviceRegisterOptions, getState } from '@holdfast/features/session/contract'
import { deviceMessage as signInMessage } from '@holdfast/features/session/device-message'
import { makeOwnKeyLink } from '@holdfast/features/team/contract'
import {
  type Acceptance,
  acceptanceShape,
  acceptGenesisChallenge,
  type Approval,
  approvalChallenge,
  approvalShape,
  type Assertion,
  credentialShape,
  type Decision,
  deviceMessage,
  freezeHash,
  freezeShape,
  intentHash,
  intentShape,
  renderHash,
  renderIntent,
} from '@holdfast/intent'
import { approvalContext, genesisHash, genesisShape, policyShape } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { last, uuidToBytes } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import type { LocalSettings } from './local-settings.ts'

type SetupAnswer = { setup: { state: string; genesis: string | null; members: { person_id: string; name: string; enrolled: boolean; accepted: boolean }[] } }

/** A member of an organisation at a terminal: an approval key, a sign-in key, and nothing the server could use in their place. */
export type TerminalMember = ReturnType<typeof createTerminalMember>

export type MemberKeys = { approvalKey: Uint8Array; signInKey: Uint8Array; credentialId: Uint8Array; atSecondPage?: PageKey }
/** An approval key that serves one page alone, as a passkey does. */
type PageKey = { approvalKey: Uint8Array; credentialId: Uint8Array }

export function newMemberKeys({ random }: Pick<Ports, 'random'>): MemberKeys {
  const secretKey = () => p256.utils.randomSecretKey(random.bytes(48))
  return { approvalKey: secretKey(), signInKey: secretKey(), credentialId: random.bytes(16) }
}

/** Makes a member, signed out. `personId` is the one the set-up gave them; with the `keys` of another terminal it is the same person there. */
export function createTerminalMember(ports: Ports, settings: LocalSettings, person: { personId: string; name: string }, keys = newMemberKeys(ports)) {
  const { signInKey } = keys
  /** Each page asks for its own key, and can ask for no other. */
  const keyAt = (at: PageNumber): PageKey => {
    const key = at === 1 ? keys : keys.atSecondPage
    if (!key) throw new Error(`${person.name} has no approval key at ${pageOf(settings, at).origin}`)
    return key
  }
  const id = uuidToBytes(person.personId)
  let openToken: string | undefined
  const cookieJar = createCookieJar()
  const client = createClient({
    baseUrl: settings.consoleOrigin,
    fetch: ports.fetch,
    timer: ports.timer,
    cookieJar,
    headers: () => ({ language: 'en_US', openToken, timezone: 'UTC' }),
  })
  const page = <T>(method: string, body: unknown, at: PageNumber = 1) => callPage<T>(ports, settings, method, body, at)
  const assert = (challenge: Uint8Array, at: PageNumber = 1): Assertion => {
    const { origin } = pageOf(settings, at)
    const { approvalKey, credentialId } = keyAt(at)
    return { kind: 'device', credentialId, origin, signature: p256.sign(deviceMessage(challenge, origin), approvalKey, { lowS: false }) }
  }
  const prove = (purpose: 'register' | 'login', challenge: string) => {
    const publicKey = p256.getPublicKey(signInKey, false)
    const message = signInMessage(purpose, settings.consoleOrigin, new Uint8Array(Buffer.from(challenge, 'base64url')), publicKey)
    const text = (value: Uint8Array) => Buffer.from(value).toString('base64url')
    return { public_key: text(publicKey), signature: text(p256.sign(message, signInKey, { lowS: false })) }
  }

  /** Reads the order of this hash on the approval page's own ground, and signs the decision; what it answers hands that in. */
  const signDecision = async (hash: string, decision: Decision, at: PageNumber = 1) => {
    const answer = await page<{ intent: string; policy: string }>('order.get', { hash }, at)
    const intent = decode(intentShape, fromHex(answer.intent))
    const policy = decode(policyShape, fromHex(answer.policy))
    if (toHex(intentHash(intent)) !== hash) throw new Error('the approval page showed another order')
    const statement = {
      genesis: intent.genesis,
      intentHash: intentHash(intent),
      policyHash: intent.policyHash,
      person: id,
      decision,
      locale: 'en-US',
      renderHash: renderHash(renderIntent(intent, approvalContext(policy), 'en-US')),
      signedAtMs: BigInt(ports.clock.nowMs()),
    }
    const approval: Approval = { ...statement, assertion: assert(approvalChallenge(statement), at) }
    const encoded = toHex(encode(approvalShape, approval))
    return () => page<{ state: string; missing: number }>('order.approve', { approval: encoded }, at)
  }

  return {
    ...person,
    keys,
    client,
    cookieJar,
    /** Enrols this member's approval key in a founding, by its token. */
    enrol: (token: string) => page<SetupAnswer>('setup.enrol', { token, person_id: person.personId, credential: credentialOf(keyAt(1)) }),
    /** Accepts the genesis document of these bytes. */
    accept: (token: string, genesis: string) => {
      const fingerprint = genesisHash(decode(genesisShape, fromHex(genesis)))
      const acceptance: Acceptance = { genesis: fingerprint, person: id, assertion: assert(acceptGenesisChallenge(fingerprint, id)) }
      return page<SetupAnswer>('setup.accept', { token, acceptance: toHex(encode(acceptanceShape, acceptance)) })
    },
    /** Registers the sign-in key by invitation, and is signed in. */
    register: async (invite: string) => {
      await client.call(getState, {})
      const options = await client.call(deviceRegisterOptions, { invite })
      const proof = prove('register', options.challenge)
      openToken = (await client.call(deviceRegister, { invite, challenge_id: options.challenge_id, ...proof, label: 'Demo terminal' })).open_token
    },
    /** Makes a further approval key, at the second page, with a link of one's own. It counts once a policy names it; its id is the answer. */
    makeKeyAtSecondPage: async () => {
      const { url } = await client.call(makeOwnKeyLink, { page: settings.secondApprovalOrigin })
      const { approvalKey, credentialId } = newMemberKeys(ports)
      keys.atSecondPage = { approvalKey, credentialId }
      await page('key.enrol', { token: last(url.split('/')), credential: credentialOf(keyAt(2)) }, 2)
      return toHex(credentialId)
    },
    /** Signs in with the registered key, in a session of its own. */
    signIn: async () => {
      openToken = undefined
      await client.call(getState, {})
      const options = await client.call(deviceLoginOptions, {})
      openToken = (await client.call(deviceLogin, { challenge_id: options.challenge_id, ...prove('login', options.challenge) })).open_token
    },
    /** Asks for the open token of the session again, as a reloaded page does. False if there is no session any more. */
    reload: async () => {
      openToken = (await client.call(getState, {})).session?.open_token
      return openToken !== undefined
    },
    /** Stops all signing of the organisation with this fingerprint, as the approval page does. */
    stopSigning: async (fingerprint: string, reason: string) => {
      const statement = { genesis: fromHex(fingerprint), person: id, atMs: BigInt(ports.clock.nowMs()), nonce: ports.random.bytes(32), reason }
      return page<{ state: string; passed: boolean }>('freeze', { freeze: toHex(encode(freezeShape, { statement, assertion: assert(freezeHash(statement)) })) })
    },
    /** Signs a decision and hands it in. */
    decide: async (hash: string, decision: Decision, at: PageNumber = 1) => (await signDecision(hash, decision, at))(),
    signDecision,
  }
}

/** The public half of a key, as the approval page hands it in. */
function credentialOf({ approvalKey, credentialId: id }: PageKey): string {
  const credential = { id, kind: 'device', publicKey: p256.getPublicKey(approvalKey, true), backupEligible: false, label: 'Demo terminal' }
  return toHex(encode(credentialShape, credential))
}

/** The page of signer 1 or of signer 2. */
type PageNumber = 1 | 2

function pageOf({ ports: numbers, approvalOrigin, secondApprovalOrigin }: LocalSettings, at: PageNumber): { port: number; origin: string } {
  return at === 1 ? { port: numbers.approval, origin: approvalOrigin } : { port: numbers.secondApproval, origin: secondApprovalOrigin }
}

/** What the approval page asks of its signer, asked from here: the page's host is a name only browsers resolve. */
export async function callPage<T>(ports: Ports, settings: LocalSettings, method: string, body: unknown, at: PageNumber = 1): Promise<T> {
  const { port, origin } = pageOf(settings, at)
  const response = await ports.fetch(`http://127.0.0.1:${port}/api/${method}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as T & { error?: string }
  if (!response.ok) throw new Error(`${method}: ${answer.error ?? response.status}`)
  return answer
}
