import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { intentHash, type KeyOrderIntent } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { recoverSecret } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { keyStatementShape, openSigned, retiredStatementShape, type Signed, signedShape } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { cosignAll, followKeyOrder, generateKey, openSigner, PAIRS, PARTIES, resultOf, runSession } from './testing/cluster.ts'
import { found, type Founded } from './testing/founded-cluster.ts'
import { keyOrderOf, openExported } from './testing/key-order-of.ts'
import { drawsOf, KILLS, noncesOf, runAgain, runThroughKill, SEED } from './testing/kill-at.ts'
import type { PublicKey } from './testing/order-of.ts'
import { openProcesses, type SignerProcesses } from './testing/signer-processes.ts'
import { tokenOrder } from './testing/token-order.ts'

let founded: Founded
let at: SignerProcesses
before(async () => {
  founded = await found(nodePorts.clock.nowMs())
  at = await openProcesses(founded)
})
after(async () => {
  await at?.close()
  await founded?.remove()
})

const nonce = noncesOf(`orders ${SEED}`)
const genesis = () => founded.organisation.fingerprint
const signKeyOf = (party: number) => founded.organisation.genesis.signers[party - 1]!.signKey

/** What each signer has told the test: orders by which it has exported its share, keys it signs nothing with any more. */
const told = new Map(PARTIES.map((party) => [party, { exports: new Set<string>(), outOfUse: new Set<string>() }]))

/** An order about a key as a server follows it: each signer is asked until it has answered. */
class KeyOrder {
  readonly answers = new Map<number, Signed>()
  readonly order: KeyOrderIntent
  readonly #asked: Awaited<ReturnType<typeof keyOrderOf>>['asked']
  private constructor({ order, asked }: Awaited<ReturnType<typeof keyOrderOf>>) {
    this.order = order
    this.#asked = asked
  }

  static async of(action: 'export' | 'retire', changes: Partial<KeyOrderIntent>): Promise<KeyOrder> {
    at.time.nowMs = nodePorts.clock.nowMs()
    return new KeyOrder(await keyOrderOf(at, action, { changes: { ...changes, orderId: nonce().slice(0, 16), nonce: nonce() } }))
  }

  async run(): Promise<void> {
    await cosignAll(at, at.log)
    for (const party of PARTIES) {
      if (this.answers.has(party)) continue
      // A signer that cannot be asked now is no reason to follow without its word: it is asked again.
      const { genesis: of, ...order } = this.#asked
      for (const each of PARTIES) await at.calls.get(each)!.endorse({ genesis: of, subject: { kind: 'order', ...order } })
      this.answers.set(party, await followKeyOrder(at.calls, this.#asked, party))
      const { exports, outOfUse } = told.get(party)!
      if (this.order.action === 'export') exports.add(toHex(intentHash(this.order)))
      else outOfUse.add(toHex(this.order.keyId))
    }
  }
}

/** Another key, which the first one's loss would not show. */
async function makeKey(): Promise<PublicKey> {
  const made = await generateKey(at.calls, { genesis: genesis(), keyId: nonce(), nonce: nonce() })
  return openSigned(keyStatementShape, decode(signedShape, resultOf(made, 1)), signKeyOf(1))!
}

/** What each of two signers makes of an order to sign with a key. */
async function signingWith(key: PublicKey, parties: readonly bigint[]): Promise<Awaited<ReturnType<typeof runSession>>> {
  const [salt] = new Uint32Array(nonce().slice(0, 4).buffer) as Uint32Array & [number]
  return runSession(at.calls, await tokenOrder(at, key, { parties, salt }))
}

describe('signers that are killed while they follow an order about a key', () => {
  it(`export to the person named alone, stay retired once they have said so, and forget neither, at ${KILLS} points of each (seed ${SEED})`, async () => {
    const draw = drawsOf(`orders ${SEED}`)
    const follow = async (order: KeyOrder) => {
      const victim = 1 + draw(3)
      const failed = await runThroughKill(at, () => order.run(), { victim, n: draw(3), afterMs: draw(60) })
      const where = `${order.order.action}: signer ${victim} killed`
      if (failed)
        await runAgain(() => order.run()).catch((cause: unknown) => assert.fail(`${where}: does not go on: ${String(cause)} (it ended with ${String(failed)})`))
      return where
    }
    for (let i = 0; i < KILLS; i++) {
      const identities = await Promise.all(PARTIES.map(() => generateX25519Identity()))
      const recipients = await Promise.all(
        identities.map(async (identity, at) => ({ party: BigInt(at + 1), recipients: [await identityToRecipient(identity)] })),
      )
      const exported = await KeyOrder.of('export', { recipients })
      const where = await follow(exported)
      const shares = await Promise.all(PARTIES.map((party) => openExported(at, exported.answers.get(party)!, party, identities[party - 1]!)))
      for (const pair of [shares.slice(0, 2), shares.slice(1)]) {
        assert.ok(equalBytes(secp256k1.getPublicKey(scalarBytes(recoverSecret(pair)), true), founded.key.publicKey), where)
      }

      const key = await makeKey()
      const retired = await KeyOrder.of('retire', { keyId: key.keyId })
      await follow(retired)
      for (const party of PARTIES) {
        const said = openSigned(retiredStatementShape, retired.answers.get(party)!, signKeyOf(party))!
        assert.deepEqual([said.keyId, said.intentHash], [key.keyId, intentHash(retired.order)])
      }
      for (const parties of [
        [1n, 2n],
        [2n, 3n],
      ]) {
        const outcomes = await signingWith(key, parties)
        for (const party of parties) assert.match((outcomes.get(Number(party)) as PeerError).message, /is retired/)
      }
    }
    for (const parties of PAIRS) {
      const outcomes = await signingWith(founded.key, parties)
      for (const party of parties) assert.ok(resultOf(outcomes, Number(party)))
    }
    for (const party of PARTIES) {
      await at.stop(party)
      const signer = await openSigner(at.root, party, at.time)
      const { register } = signer.organisations.get(toHex(genesis()))!
      const { exports, outOfUse } = told.get(party)!
      assert.ok(
        [...exports].every((each) => register.exports.has(each)),
        `signer ${party} forgot an export`,
      )
      assert.ok(
        [...outOfUse].every((each) => register.outOfUse.has(each)),
        `signer ${party} forgot that a key is retired`,
      )
      await signer.close()
    }
  })
})

const scalarBytes = (secret: bigint) => Buffer.from(secret.toString(16).padStart(64, '0'), 'hex')
