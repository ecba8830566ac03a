import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { type Machine, type NamedRule, partyOfMachine } from '@holdfast/policy'
import { ed25519 } from '@noble/curves/ed25519.js'
import { dayLimit, namedRule, NOWHERE, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, type Wallet, type World } from '../../testing/test-world.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { foreseePolicy } from './foresee-policy.ts'

const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const CHECKED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const checker: Machine = {
  ...{ id: 'checker', name: 'Checker', kind: 'coSigner', purpose: '', expiresAtMs: 4_000_000_000_000n },
  publicKey: ed25519.getPublicKey(new Uint8Array(32).fill(61)),
}

/** One ether a day to own addresses by the asker alone; to one address by a machine and a person; all else by one person. */
const rulesOf = ([, ben]: readonly Member[]): NamedRule[] => [
  namedRule('own', {
    conditions: [{ kind: 'destinations', ...NOWHERE, own: true, addresses: [] }],
    limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: ETH }], maxCount: 100n })],
    action: { kind: 'pass', fees: [{ chain: CHAIN, max: ETH }], mayStop: [], expiresAfterMs: 0n },
  }),
  namedRule('checked', {
    conditions: [{ kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Checked', chain: CHAIN, address: CHECKED, memo: null }] }],
    steps: [
      { need: 1n, who: [{ kind: 'machine', id: checker.id }] },
      { need: 1n, who: [personOf({ id: uuidToBytes(ben!.id) })] },
    ],
  }),
  namedRule('others', { steps: [{ need: 1n, who: [personOf({ id: uuidToBytes(ben!.id) })] }] }),
]

describe('what the policy would say of a payment', () => {
  let world: World
  let wallet: Wallet
  let own: Wallet

  before(async () => {
    world = await openWorld({ machines: [checker], namedRules: rulesOf })
    wallet = await makeWallet(world)
    own = await makeWallet(world)
    await fund(world, wallet, 20n * ETH)
  })
  after(() => world.close())

  const foresee = (address_to?: string, amount = '1', language: 'en_US' | 'zh_CN' = 'en_US') =>
    world.db.asOrganisation(world.orgId, (tx) =>
      foreseePolicy(
        tx,
        world.context,
        { personId: world.members[0].id, language },
        {
          ...{ sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', token_id: undefined, amount, address_to, memo: undefined },
        },
      ),
    )

  it('is by the rule that decides where it goes: the signature of who asks is enough to an own address, and is not to another', async () => {
    const passes = await foresee(own.address)
    assert.deepEqual([passes.outcome, passes.rule_id], ['needs', 'own'])
    assert.equal(passes.sentence, 'Passes by your own signature on the approval page, without anybody else.')
    assert.equal((await foresee(own.address, '1', 'zh_CN')).sentence, '仅需您本人在审批页签名，无需他人审批。')
    const asked = await foresee(STRANGER)
    assert.deepEqual([asked.rule_id, asked.sentence], ['others', 'Needs 1 of this person: Ben.'])
  })

  it('names a machine that has to approve', async () => {
    const { eligible } = await foresee(CHECKED)
    assert.deepEqual(eligible[0], { person_id: bytesToUuid(partyOfMachine(checker)), name: 'Checker (co-signer)' })
  })

  it('is the rule of the order that is asked for then, also where a limit has no room any more', async () => {
    for (const rule of ['own', 'others']) {
      const { rule_id } = await foresee(own.address)
      const { order } = await requestWithdrawal(world, wallet, { amount: '1', to: own.address })
      assert.deepEqual([rule_id, order.row.rule_id], [rule, rule])
    }
  })

  it('is refused of an address that is none, and of a wallet that is not there', async () => {
    const isRefused = (name: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === name
    await assert.rejects(foresee('0x12'), isRefused('invalid_transfer_address'))
    const nowhere = { sub_wallet_id: world.orgId, chain: CHAIN, symbol: 'ETH', token_id: undefined, amount: '1', address_to: undefined, memo: undefined }
    await assert.rejects(
      world.db.asOrganisation(world.orgId, (tx) => foreseePolicy(tx, world.context, { personId: world.members[0].id, language: 'en_US' }, nowhere)),
      isRefused('wallet_not_found'),
    )
  })
})
