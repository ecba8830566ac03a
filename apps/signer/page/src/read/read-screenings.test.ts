import { encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { type Intent, intentHash, intentShape, screeningMessage, type ScreeningWord, screeningWordShape } from '@holdfast/intent'
import { type Genesis, genesisHash, genesisShape, inThirdForm, type Policy, policyHash, policyShape } from '@holdfast/policy'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedRule, personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { ETH, genesisOf } from '../../testing/make-genesis.ts'
import { readOrder } from './read-order.ts'

const ORIGIN = 'http://approve.localhost:7100'
const SECRET = new Uint8Array(32).fill(7)
const member = (i: number) => {
  const credential = {
    id: new Uint8Array(32).fill(60 + i),
    kind: 'device',
    publicKey: p256.getPublicKey(new Uint8Array(32).fill(50 + i), true),
    backupEligible: false,
    label: 'test',
  }
  return { id: `01890f3e-7b6c-7cc1-98c4-dc0c0c07390${i}`, name: `Member ${i}`, credential }
}
const genesis: Genesis = genesisOf({ name: 'Acme', members: [0, 1, 2].map(member), threshold: 2n }, ORIGIN)
const lists = { id: 'lists', name: 'List desk', kind: 'screener', publicKey: ed25519.getPublicKey(SECRET), purpose: '', expiresAtMs: 2_000_000_000_000n }
const rule = namedRule('calm', {
  conditions: [{ kind: 'screening', machines: ['lists'], levels: ['low'], withinMs: 600_000n }],
  steps: [{ need: 1n, who: genesis.policy.people.map(personOf) }],
})
const policy = { ...inThirdForm(genesis.policy), machines: [lists], rules: [rule] } as Policy

const intent: Intent = {
  ...{ kind: 'transfer', genesis: genesisHash(genesis), orderId: new Uint8Array(16), keyId: new Uint8Array(32), path: [0n] },
  ...{ from: '0x7bD8f8dC9a1F1d8a91FfB6AaA30FD9F2BEd0bC11', to: '0x52908400098527886E0F7030069857D2E4169EE7', memo: null },
  ...{ asset: ETH, amount: 5n, feeAsset: ETH, feeCap: 1n, slotRule: 'account-nonce', notBeforeMs: 1000n, expiresAtMs: 9000n },
  ...{ policyVersion: policy.version, policyHash: policyHash(policy), initiator: policy.people[0]!.id, screening: null, remark: '', nonce: new Uint8Array(32) },
}
const wordOf = (changes: Partial<ScreeningWord> = {}, secret = SECRET): string => {
  const about = { genesis: intent.genesis, intentHash: intentHash(intent), machine: 'lists', provider: 'deny list' }
  const said = { ...about, level: 'low', screenedAtMs: 3000n, reportHash: new Uint8Array(32), ...changes }
  return toHex(encode(screeningWordShape, { ...said, signature: signEd25519(screeningMessage(said), secret) }))
}

const read = (...approvals: string[]) =>
  readOrder(
    toHex(intentHash(intent)),
    {
      intent: toHex(encode(intentShape, intent)),
      genesis: toHex(encode(genesisShape, genesis)),
      policy: toHex(encode(policyShape, policy)),
      ...{ approvals, delegations: [], state: 'approving', rule: 'calm', facts: null, closes: null, around: null, book: null },
      ...{ waitsUntil: null, quorumSeenMs: null, kept: null, coin: null },
    },
    ORIGIN,
  )

test('the page says what each screener that the rule demands said last, and nothing that it has not signed', () => {
  const saidIn = (...approvals: string[]) => read(...approvals).quorums[0]!.screenings.map(({ screener, said }) => [screener, said?.level ?? null])
  assert.deepEqual(saidIn(), [['List desk', null]])
  assert.deepEqual(saidIn(wordOf()), [['List desk', 'low']])
  assert.deepEqual(saidIn(wordOf({ level: 'severe', screenedAtMs: 4000n }), wordOf()), [['List desk', 'severe']])
  assert.deepEqual(saidIn(wordOf({}, new Uint8Array(32).fill(8))), [['List desk', null]])
  assert.deepEqual(saidIn(wordOf({ intentHash: new Uint8Array(32) })), [['List desk', null]])
  assert.deepEqual(read(wordOf()).ignored, [])
})
