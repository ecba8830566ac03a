import { after, before, beforeEach, describe, it } from 'node:test'
import assert from 'node:assert/strict'
import { decode, toHex } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { readWalletKeys } from '@holdfast/features/key/server'
import { intentShape, type KeyChangeIntent } from '@holdfast/intent'
import { keyOf } from '../../../testing/request-key.ts'
import { approvalOn, approveAs, makeWallet, openWorld, resetScript, type Wallet, type World } from '../../../testing/test-world.ts'
import { endWithReplacedSigner } from './end-with-replaced-signer.ts'
import { type KeyChange, keyChanges } from '../key-change.ts'
import { type KeyProposal, proposeKeyChange } from '../propose-key-change.ts'
import { takeChangeStep } from '../take-change-step.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
})
beforeEach(() => resetScript(world))
after(() => world.close())

const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const keyNow = () => inOrganisation(async (tx) => (await readWalletKeys(tx, wallet.walletId))[0]!)
const changeNow = async ({ row }: KeyChange) => (await inOrganisation((tx) => keyChanges.read(tx, row.id)))!

async function approved(asked: Partial<KeyProposal> = {}): Promise<KeyChange> {
  const [ann, ...others] = world.members
  const whole = {
    ...{ personId: ann!.id, language: 'en_US' as const, key: keyOf(`propose-${toHex(world.context.ports.random.bytes(8))}`), walletId: wallet.walletId },
    ...{ action: 'refresh' as const, party: undefined, demandSecondFactor: async () => {} },
  }
  const { change } = await inOrganisation((tx) => proposeKeyChange(tx, world.context, { ...whole, ...asked }))
  for (const member of others.slice(0, 2)) await approveAs(world, approvalOn(world, change.intent, member))
  return changeNow(change)
}

describe('a signer that loses its folder while new shares are being made', () => {
  /** Lets signer 3 lose everything when it is first asked this, or when the set-up of a pair with it begins. */
  async function approvedAndLostAt(asked: string): Promise<KeyChange> {
    wallet = await makeWallet(world, `Lost at ${asked}`)
    const change = await approved()
    const { keyId } = change.intent
    const { signers } = world
    let isLost = false
    const lose = () => {
      isLost = true
      signers.unpinned.add(3)
      Object.assign(signers.epochs.of(3, keyId), { active: null, staged: null, former: [] })
    }
    const holdsNothing = () => new CoSignerError({ kind: 'refused', party: 3, check: 'c2', message: 'this signer has not pinned that organisation' })
    signers.epochs.before = (name, party) => {
      if (party !== 3) return
      if (!isLost && name === asked) lose()
      if (signers.unpinned.has(3)) throw holdsNothing()
      if (isLost && name === 'activate-epoch' && !signers.epochs.of(3, keyId).staged)
        throw new CoSignerError({ kind: 'fault', party: 3, check: '', message: 'this signer has no epoch of that key ready' })
    }
    signers.beforeSession = (request) => {
      if (!request.parties.includes(3n)) return
      if (!isLost && request.kind === asked) lose()
      if (signers.unpinned.has(3)) throw holdsNothing()
      const isDealer = request.kind === 'reshare' && signers.epochs.of(3, keyId).active === null && isDealtByAll(request.intent)
      if (isDealer) throw signers.refusal(request, 3, 'c1', 'this signer holds no share of the key that it could deal from')
    }
    return change
  }
  const isDealtByAll = (intent: Uint8Array) => (decode(intentShape, intent) as KeyChangeIntent).dealers.length === 3

  /** What a server does with an order, round after round. */
  async function attend(change: KeyChange): Promise<KeyChange> {
    for (let round = 0; round < 3; round++) {
      await endWithReplacedSigner(world.context, world.orgId, change.row.id)
      while ((await takeChangeStep(world.context, world.orgId, change.row.id)) === 'again');
    }
    return changeNow(change)
  }

  it('ends the order, also where others sign with the new epoch already, so that its repair can follow', async () => {
    for (const [asked, epoch] of [
      ['pairSetup', 0n],
      ['key-epochs', 0n],
      ['attest-epoch', 0n],
      ['activate-epoch', 1n],
      ['seal-share', 1n],
    ] as const) {
      const { row, intent } = await attend(await approvedAndLostAt(asked))
      assert.deepEqual([row.state, /signer/.test(row.reason ?? '')], ['refused', true], asked)
      assert.equal((await keyNow()).epoch, epoch, asked)
      assert.deepEqual(
        [1, 2].map((party) => world.signers.epochs.of(party, intent.keyId).active),
        [epoch, epoch],
        asked,
      )
      const repair = await attend(await approved({ action: 'repair', party: 3 }))
      assert.deepEqual([repair.row.state, (await keyNow()).epoch], ['active', epoch + 1n], asked)
    }
  })
})
