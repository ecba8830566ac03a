import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Network } from '@holdfast/features/network/server'
import { FROST_ED25519, PROTOCOL, PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import fc from 'fast-check'
import { makeWallet, openWorld, resetScript, type World } from '../../testing/test-world.ts'
import { protocolFor } from '../../network/server/networks-of-wallet.ts'
import { addKey } from './add-key.ts'
import { protocolsToAdd, readAddedKeys } from './added-keys.ts'
import { type KeyNeeds, takeKeyStep } from './make-key.ts'
import { readKeysInMaking, readWalletKeys } from './read-key.ts'
import { recoveryOfKeys, recoveryOn } from './recovery-state.ts'

const TON = 'ton:-239'
const CHAINS = ['eip155:1', 'bip122:000000000019d6689c085ae165831e93', 'tron:0x2b6653dc', TON]
const networksOn = (chains: readonly string[]) => ({ list: () => chains.map((chain) => ({ chain }) as Network) })

let world: World
before(async () => {
  world = await openWorld()
})
beforeEach(() => resetScript(world))
after(() => world.close())

const inOrg = <T>(work: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, work)
const nowMs = () => world.context.ports.clock.nowMs()
/** A network that needs another kind of key came to those there are. */
const withTon = () => ({ networks: { list: () => [...world.context.networks.list(), { chain: TON } as Network] }, ports: world.context.ports })
const add = (walletId: string, protocol: string = FROST_ED25519) => inOrg((tx) => addKey(tx, withTon(), { walletId, protocol }))
const ownKeys = async (walletId: string) =>
  (await inOrg((tx) => readWalletKeys(tx, walletId))).map(({ walletState, keyState, protocol }) => [walletState, keyState, protocol])
const standing = (walletId: string) => inOrg(async (tx) => (await readAddedKeys(tx))(walletId))

async function finish(walletId: string, needs: KeyNeeds = world.context, tries = 20): Promise<void> {
  for (let i = 0; i < tries; i++) if ((await takeKeyStep(needs, world.orgId, walletId)) === 'done') return
}

describe('a key that a wallet gets later', () => {
  it('is of a kind that some network lacks, and never changes which key signs on a network there is', () => {
    assert.deepEqual(protocolsToAdd(networksOn(CHAINS), [PROTOCOL]), [FROST_ED25519])
    assert.deepEqual(protocolsToAdd(networksOn(CHAINS.slice(0, 3)), [PROTOCOL]), [])
    const taproot = PROTOCOLS.filter((each) => signatureKindOf(each) === 'taproot')
    assert.ok(taproot.length === 1 && !protocolsToAdd(networksOn(CHAINS), taproot).includes(PROTOCOL))
    fc.assert(
      fc.property(fc.subarray(CHAINS), fc.subarray([...PROTOCOLS], { minLength: 1 }), (chains, present) =>
        protocolsToAdd(networksOn(chains), present).every((added) => {
          const after = [...present, added]
          const served = chains.filter((chain) => protocolFor(chain, present) !== undefined)
          return (
            !present.includes(added) &&
            chains.some((chain) => !served.includes(chain) && protocolFor(chain, after) === added) &&
            served.every((chain) => protocolFor(chain, after) === protocolFor(chain, present))
          )
        }),
      ),
    )
  })

  it('is made as the first ones were, is known to nothing before it is finished, and leaves the others open while its own deposits are closed', async () => {
    const { walletId } = await makeWallet(world)
    const before = await inOrg((tx) => recoveryOfKeys(tx, walletId, nowMs()))
    await add(walletId)
    assert.equal(await standing(walletId), 'making')
    assert.deepEqual(await ownKeys(walletId), [['active', 'ready', PROTOCOL]])
    assert.deepEqual(await inOrg((tx) => recoveryOfKeys(tx, walletId, nowMs())), before)
    await finish(walletId)
    assert.equal(await standing(walletId), null)
    assert.deepEqual(await ownKeys(walletId), [
      ['active', 'ready', PROTOCOL],
      ['active', 'ready', FROST_ED25519],
    ])
    const after = await inOrg((tx) => recoveryOfKeys(tx, walletId, nowMs()))
    assert.deepEqual(after[0], before[0])
    assert.deepEqual([recoveryOn(TON, after).state, recoveryOn(TON, after).depositsOpen], ['written', false])
  })

  it('is refused where the wallet has it, needs none, or is getting one', async () => {
    const { walletId } = await makeWallet(world)
    const refused = (protocol: string) => assert.rejects(add(walletId, protocol), { errorName: 'state_changed' })
    await refused(PROTOCOL)
    await assert.rejects(
      inOrg((tx) => addKey(tx, world.context, { walletId, protocol: FROST_ED25519 })),
      { errorName: 'state_changed' },
    )
    await add(walletId)
    await refused(FROST_ED25519)
    await finish(walletId)
    await refused(FROST_ED25519)
  })

  it('fails alone where it cannot be made, and is begun anew when it is asked for again', async () => {
    const { walletId } = await makeWallet(world)
    await add(walletId)
    const { coSigners } = world.context
    const spoiled: KeyNeeds = { ...world.context, coSigners: { ...coSigners, runSession: () => Promise.reject(new Error('no answer')) } }
    await finish(walletId, spoiled)
    assert.equal(await standing(walletId), 'failed')
    assert.deepEqual(await ownKeys(walletId), [['active', 'ready', PROTOCOL]])
    await add(walletId)
    assert.equal((await inOrg((tx) => readKeysInMaking(tx, walletId))).filter(({ isAdded }) => isAdded).length, 1)
    await finish(walletId)
    assert.equal((await ownKeys(walletId)).length, 2)
  })
})
