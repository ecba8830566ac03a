import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Machine, partyOfMachine } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { openWorld, type World } from '../../testing/test-world.ts'
import { policyView } from './policy-view.ts'

const publicKey = ed25519.getPublicKey(new Uint8Array(32).fill(61))
const machine: Machine = { id: 'payouts', name: 'Payouts', kind: 'api', publicKey, purpose: '', expiresAtMs: 4_000_000_000_000n }

describe('the policy in force as people see it', () => {
  let world: World
  before(async () => {
    world = await openWorld({
      machines: [machine],
      namedRules: ([ann]) => [
        namedRule('payouts', {
          conditions: [{ kind: 'askers', who: [{ kind: 'machine', id: machine.id }] }],
          steps: [{ need: 1n, who: [personOf({ id: uuidToBytes(ann!.id) })] }],
        }),
      ],
    })
  })
  after(() => world.close())

  it('names the machine that may ask under a rule', async () => {
    const { context, members } = world
    const viewer = { context, networks: context.networks, language: 'en_US', personId: members[0].id } as const
    const { view } = await world.db.asOrganisation(world.orgId, (tx) => policyView({ ...viewer, tx }))
    assert.equal(view.rules[0]?.is_named, true)
    assert.deepEqual(view.rules[0]?.initiators, [{ person_id: bytesToUuid(partyOfMachine(machine)), name: 'Payouts (API)' }])
  })
})
