import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode } from '@holdfast/encoding'
import { currentPolicy, recordInForce, wholeEvidence, wholeRefusal } from '@holdfast/features/policy/server'
import { evidenceShape, refusalEvidenceShape, verifyEvidence } from '@holdfast/protocol'
import { evidenceOf } from '../../../testing/evidence-of.ts'
import { replaceThird } from '../../../testing/replace-signer.ts'
import { ETH, fund, makeWallet, openWorld, orderOf, requestApproved, resetScript, type Wallet, type World } from '../../../testing/test-world.ts'
import { refusalsOf } from '../order/refusals.ts'
import { signOrder } from './sign-order.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
after(() => world.close())

const inForce = () => world.db.asOrganisation(world.orgId, currentPolicy)
const kept = async (id: string) => {
  const { bundle } = await world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('evidence').select('bundle').where('order_id', '=', id).executeTakeFirstOrThrow(),
  )
  return new Uint8Array(bundle)
}
const refused = async (id: string) => {
  const last = refusalsOf((await orderOf(world, id)).row).at(-1)!
  return world.db.asOrganisation(world.orgId, (tx) => wholeRefusal(tx, last))
}

describe('the evidence of a payment', () => {
  it('is kept without the founding document and the versions of the policy, and is handed out with both, the same however many follow', async () => {
    const id = await requestApproved(world, wallet)
    await signOrder(world.context, world.orgId, id)
    const { genesisRecord: founding, policyChanges } = decode(evidenceShape, await kept(id))
    assert.deepEqual([founding.length, policyChanges], [0, []])
    const whole = await evidenceOf(world, id)
    assert.equal(verifyEvidence(whole, { codecFor }).txid, (await orderOf(world, id)).row.txid)
    await replaceThird(world)
    assert.deepEqual(await evidenceOf(world, id), whole)
    const { genesisRecord } = await inForce()
    const earlier = encode(evidenceShape, { ...decode(evidenceShape, whole), genesisRecord, policyChanges: [Uint8Array.of(1)] })
    const handedOut = await world.db.asOrganisation(world.orgId, (tx) => wholeEvidence(tx, earlier))
    assert.deepEqual(handedOut, earlier, 'a bundle of an earlier release holds what it held')
  })

  it('of a refusal is handed out with the record of the time when the signer was one', async () => {
    const first = await requestApproved(world, wallet)
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign') throw world.signers.refusal(request, 2, 'c6', 'rejected by Cleo')
    }
    const before = recordInForce(await inForce())
    await signOrder(world.context, world.orgId, first)
    const whole = await refused(first)
    assert.deepEqual(decode(refusalEvidenceShape, whole).genesisRecord, before)
    const earlier = { bundle: Buffer.from(whole).toString('base64') }
    const handedOut = await world.db.asOrganisation(world.orgId, (tx) => wholeRefusal(tx, earlier))
    assert.deepEqual(handedOut, whole, 'a bundle of an earlier release holds what it held')
    await replaceThird(world)
    assert.deepEqual(await refused(first), whole)
    const third = await requestApproved(world, wallet)
    await signOrder(world.context, world.orgId, third)
    const latest = decode(refusalEvidenceShape, await refused(third)).genesisRecord
    assert.deepEqual(latest, recordInForce(await inForce()))
    assert.notDeepEqual(latest, before)
  })
})
