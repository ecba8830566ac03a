import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { AppError } from '@holdfast/contract'
import { decode, equalBytes } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { entryShape } from '@holdfast/log'
import { derivePublicKey, FROST_ED25519, PROTOCOL } from '@holdfast/mpc'
import { checkGenesis, genesisRecordShape } from '@holdfast/policy'
import { recoveryKitShape, verifyKeyRecord } from '@holdfast/protocol'
import fc from 'fast-check'
import { replaceThird } from '../../testing/replace-signer.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { resetScript, makeWallet, openWorld, type World } from '../../testing/test-world.ts'
import { createSubWallet, createWallet } from '../../wallet/server/create-wallet.ts'
import { type KeyNeeds, takeKeyStep } from './make-key.ts'
import { readWalletKeys } from './read-key.ts'
import { recoveryOfKeys } from './recovery-state.ts'
import { startKeys } from './run-keys.ts'
import { updateAlias } from '../../wallet/server/update-alias.ts'
import { keyOf as keyFor } from '../../testing/request-key.ts'

let world: World
before(async () => {
  world = await openWorld()
})
beforeEach(() => resetScript(world))
after(() => world.close())

let requests = 0
const caller = () => ({ personId: world.members[0].id, ports: world.context.ports })
const create = (requestId = `wallet-request-${++requests}`, name = `Treasury ${requests} of these`) =>
  world.db.asOrganisation(world.orgId, (tx) => createWallet(tx, caller(), { key: keyFor(requestId, { name }), name }))
const keysOf = (walletId: string) => world.db.asOrganisation(world.orgId, (tx) => readWalletKeys(tx, walletId))
const keyOf = async (walletId: string) => (await keysOf(walletId))[0]!

/** Takes steps until nothing is left to do, over failures that are to be tried again. */
async function finish(walletId: string, needs: KeyNeeds = world.context, tries = 20): Promise<void> {
  for (let i = 0; i < tries; i++) if ((await takeKeyStep(needs, world.orgId, walletId)) === 'done') return
}

describe('a wallet', () => {
  it('is made once for each request, and another name under the same request is refused', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('the-same-wallet')))
    assert.equal(new Set(answers.map((each) => each.walletId)).size, 1)
    assert.equal(answers.filter((each) => each.fresh).length, 1)
    await assert.rejects(create('the-same-wallet', 'Other'), (error) => error instanceof AppError && error.code === '110088')
  })

  it('gets a key that all three signers attest, an address on every network and a kit, all of it in the log', async () => {
    const { walletId, subWalletId, address } = await makeWallet(world)
    const key = await keyOf(walletId)
    assert.deepEqual([key.walletState, key.keyState, key.progress.steps.map((step) => step.state)], ['active', 'ready', Array(6).fill('done')])
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const { bytes } = await tx.selectFrom('genesis').select('bytes').executeTakeFirstOrThrow()
      const record = decode(genesisRecordShape, bytes)
      const agreed = verifyKeyRecord(key.statements, record.genesis.signers, checkGenesis(record))
      assert.ok(agreed && equalBytes(agreed.publicKey, key.publicKey!))
      const kit = decode(recoveryKitShape, (await tx.selectFrom('recovery_kit').select('kit').where('key_id', '=', key.keyId).executeTakeFirstOrThrow()).kit)
      assert.deepEqual(kit.addresses, [{ path: [0n, 0n], chain: CHAIN, address }])
      assert.deepEqual([kit.shares.map((share) => share.party), equalBytes(kit.publicKey, key.publicKey!)], [[1n, 2n, 3n], true])
      const rows = await tx.selectFrom('log_entry').select('bytes').orderBy('sequence').execute()
      assert.equal(rows.map((each) => decode(entryShape, each.bytes).type).filter((type) => type === 'key').length >= 1, true)
      assert.equal(
        (await tx.selectFrom('address').select('attestations').where('sub_wallet_id', '=', subWalletId).executeTakeFirstOrThrow()).attestations instanceof
          Array,
        true,
      )
    })
  })

  it('can have a key of another kind: it is made without a set-up of pairs, and gets addresses of no network that signs otherwise', async () => {
    const request = { key: keyFor(`wallet-request-${++requests}`), name: 'Ed25519', protocols: [FROST_ED25519] }
    const { walletId } = await world.db.asOrganisation(world.orgId, (tx) => createWallet(tx, caller(), request))
    await finish(walletId)
    const key = await keyOf(walletId)
    assert.deepEqual(
      [key.walletState, key.keyState, key.protocol, key.progress.steps.map(({ name }) => name), key.publicKey?.length],
      ['active', 'ready', FROST_ED25519, ['generate', 'attest', 'kit'], 32],
    )
    assert.ok(world.signers.requests.every(({ kind }) => kind === 'generateKey'))
    const kits = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('recovery_kit').select('kit').where('key_id', '=', key.keyId).execute())
    assert.deepEqual(decode(recoveryKitShape, kits[0]!.kit).addresses, [])
  })

  it('can have a key of each of several kinds: they are made one after the other, and it is open once all of them are', async () => {
    const wanted = { key: keyFor(`wallet-request-${++requests}`), name: 'All kinds', protocols: [PROTOCOL, FROST_ED25519] }
    const { walletId } = await world.db.asOrganisation(world.orgId, (tx) => createWallet(tx, caller(), wanted))
    const standing = async () => (await keysOf(walletId)).map(({ walletState, keyState, protocol }) => [walletState, keyState, protocol])
    for (let step = 0; step < 6; step++) assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'again')
    assert.deepEqual(await standing(), [
      ['creating', 'ready', PROTOCOL],
      ['creating', 'generating', FROST_ED25519],
    ])
    const stillClosed = await world.db.asOrganisation(world.orgId, (tx) => recoveryOfKeys(tx, walletId, world.context.ports.clock.nowMs()))
    assert.deepEqual(
      stillClosed.map(({ state, depositsOpen }) => [state, depositsOpen]),
      [
        ['written', false],
        ['none', false],
      ],
    )
    await finish(walletId)
    assert.deepEqual(await standing(), [
      ['active', 'ready', PROTOCOL],
      ['active', 'ready', FROST_ED25519],
    ])
    const [ecdsa, ed25519] = await keysOf(walletId)
    const kitOf = async (keyId: Uint8Array) => {
      const row = await world.db.asOrganisation(world.orgId, (tx) =>
        tx.selectFrom('recovery_kit').select('kit').where('key_id', '=', keyId).executeTakeFirstOrThrow(),
      )
      return decode(recoveryKitShape, row.kit).addresses.map(({ chain }) => chain)
    }
    assert.deepEqual([await kitOf(ecdsa!.keyId), await kitOf(ed25519!.keyId)], [[CHAIN], []], 'a kit names the addresses of its own key')
  })

  it('is not made where one of its keys cannot be, and a key that was cut off is begun anew while the others stay', async () => {
    const wanted = { key: keyFor(`wallet-request-${++requests}`), name: 'One of two', protocols: [PROTOCOL, FROST_ED25519] }
    const { walletId } = await world.db.asOrganisation(world.orgId, (tx) => createWallet(tx, caller(), wanted))
    for (let step = 0; step < 6; step++) await takeKeyStep(world.context, world.orgId, walletId)
    const [first, second] = await keysOf(walletId)
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'unavailable', party: 2, check: '', message: 'gone in the middle' })
    }
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'wait')
    const [same, other] = await keysOf(walletId)
    assert.ok(equalBytes(same!.keyId, first!.keyId) && !equalBytes(other!.keyId, second!.keyId))
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'cheat', party: 2, check: 'c15', message: 'lies' })
    }
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'done')
    assert.deepEqual(
      (await keysOf(walletId)).map(({ walletState, keyState }) => [walletState, keyState]),
      [
        ['failed', 'ready'],
        ['failed', 'failed'],
      ],
    )
  })

  it('has a name that no other is taken for, and so has each of its sub-wallets', async () => {
    const taken = (error: unknown) => error instanceof AppError && error.errorName === 'name_taken'
    const { walletId } = await create('named-wallet', 'Vault 1')
    assert.equal((await create('named-wallet', 'Vault 1')).fresh, false, 'the same request again')
    for (const name of ['Vault 1', 'VAULT 1', 'Vаult 1', 'Vault l']) await assert.rejects(create(undefined, name), taken, name)
    const add = (name: string, wallet = walletId) =>
      world.db.asOrganisation(world.orgId, (tx) =>
        createSubWallet(tx, caller(), { key: keyFor(`sub-of-${wallet.slice(-6)}-${Buffer.from(name).toString('hex')}`, { name }), walletId: wallet, name }),
      )
    for (const name of ['Main', 'main', 'Mаin']) await assert.rejects(add(name), taken, name)
    assert.ok((await add('Payroll')).fresh)
    const { walletId: other } = await create(undefined, 'Vault 2')
    assert.ok((await add('Payroll', other)).fresh, 'another wallet has names of its own')
    const alias = (name: string, of = walletId, subWalletId?: string) =>
      world.db.asOrganisation(world.orgId, (tx) => updateAlias(tx, { walletId: of, subWalletId, alias: name, nowMs: world.context.ports.clock.nowMs() }))
    for (const name of ['Vault 2', 'Vаult 2', 'VAULT 2']) await assert.rejects(alias(name), taken, name)
    await alias('vault 1')
    await alias('Reserve')
    await assert.rejects(alias('Rеserve', other), taken)
    await assert.rejects(create(undefined, 'reserve'), taken)
    await alias('')
    await alias('Rеserve', other)
    const { subWalletId } = await add('Fees', other)
    await assert.rejects(alias('PayroIl', other, subWalletId), taken)
    await alias('Gas', other, subWalletId)
    await assert.rejects(add('gаs', other), taken)
    await alias('Gas', walletId, (await add('Fuel')).subWalletId)
  })

  it('gets no name that looks like one given at the same moment', async () => {
    const names = ['Cold', 'COLD', 'Соld', 'cоld', 'CoId']
    const made = await Promise.allSettled(names.map((name) => create(undefined, name)))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
    const { walletId } = await create(undefined, 'One of many')
    const { walletId: other } = await create(undefined, 'Another of many')
    const aliases = [walletId, other].map((id, i) =>
      world.db.asOrganisation(world.orgId, (tx) =>
        updateAlias(tx, { walletId: id, subWalletId: undefined, alias: ['Hot', 'Ноt'][i]!, nowMs: world.context.ports.clock.nowMs() }),
      ),
    )
    assert.equal((await Promise.allSettled(aliases)).filter(({ status }) => status === 'fulfilled').length, 1)
  })

  it('gives each sub-wallet a path and an address of its own', async () => {
    const { walletId } = await makeWallet(world)
    const runner = startKeys(world.context)
    const added = await Promise.all(
      ['Payroll', 'Reserve', 'Fees'].map((name, i) =>
        world.db.asOrganisation(world.orgId, (tx) => createSubWallet(tx, caller(), { key: keyFor(`sub-wallet-${walletId.slice(-8)}-${i}`), walletId, name })),
      ),
    )
    runner.poke()
    const addresses = async () =>
      world.db.asOrganisation(world.orgId, (tx) =>
        tx
          .selectFrom('address')
          .select(['address', 'path'])
          .where(
            'sub_wallet_id',
            'in',
            added.map((each) => each.subWalletId),
          )
          .execute(),
      )
    while ((await addresses()).length < 3) await world.context.ports.timer.sleep(10)
    await runner.stop()
    assert.deepEqual((await addresses()).map((each) => each.path.join('/')).sort(), ['1/0', '2/0', '3/0'])
    assert.equal(new Set((await addresses()).map((each) => each.address)).size, 3)
  })
})

describe('the making of a key', () => {
  it('survives the death of the server at any moment, and never uses a key whose making was cut off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }), async (deaths) => {
        const { walletId } = await create()
        let left = 0
        const die = () => {
          if (left > 0 && --left === 0) throw new Error('killed')
        }
        const { db, coSigners } = world.context
        const mortal: KeyNeeds = {
          ...world.context,
          db: {
            ...db,
            asOrganisation: async (orgId, act) => {
              die()
              const done = await db.asOrganisation(orgId, act)
              die()
              return done
            },
          },
          coSigners: {
            ...coSigners,
            call: async (...args) => {
              die()
              return coSigners.call(...args)
            },
            runSession: async (request) => {
              die()
              const results = await coSigners.runSession(request)
              die()
              return results
            },
          },
        }
        for (const after of deaths) {
          left = after
          // A death inside a step's own failure handling is one more way to die.
          await finish(walletId, mortal, 3).catch(() => {})
          left = 0
        }
        await finish(walletId)
        const key = await keyOf(walletId)
        assert.equal(key.walletState, 'active')
        const sessions = world.signers.requests.filter((each) => each.kind === 'generateKey')
        assert.equal(new Set(sessions.map((each) => Buffer.from(each.keyId).toString('hex'))).size, sessions.length)
      }),
      { numRuns: 12 },
    )
  })

  it('begins again under another id when a session fails, and gives up after five', async () => {
    const { walletId } = await create()
    const first = (await keyOf(walletId)).keyId
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'fault', party: 2, check: 'c15', message: 'a bad message' })
    }
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'wait')
    assert.ok(!equalBytes((await keyOf(walletId)).keyId, first))
    await finish(walletId)
    const key = await keyOf(walletId)
    assert.deepEqual([key.walletState, key.progress.reason], ['failed', 'a bad message'])
    assert.equal(world.signers.requests.length, 5)
  })

  it('is begun anew with the one in its place where a signer is replaced at any step, and ends with the address and the kit of that key alone', async () => {
    for (let taken = 1; taken <= 5; taken++) {
      const { walletId } = await create()
      for (let step = 0; step < taken; step++) assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'again')
      const before = await keyOf(walletId)
      assert.equal(before.progress.steps.filter(({ state }) => state === 'done').length, taken)
      await replaceThird(world)
      await finish(walletId)
      const after = await keyOf(walletId)
      assert.deepEqual([after.walletState, equalBytes(after.keyId, before.keyId), after.progress.generations], ['active', false, 0])
      const [kept] = await world.db.asOrganisation(world.orgId, (tx) =>
        tx.selectFrom('recovery_kit').select('kit').where('key_id', 'in', [before.keyId, after.keyId]).execute(),
      )
      const kit = decode(recoveryKitShape, kept!.kit)
      const { signers, fingerprint } = await world.db.asOrganisation(world.orgId, (tx) => currentPolicy(tx))
      assert.ok(equalBytes(kit.keyId, after.keyId) && verifyKeyRecord(after.statements, signers, fingerprint))
      const address = codecFor(CHAIN)!.addressFromKey(derivePublicKey(after.protocol, after.publicKey!, after.chainCode!, [0, 0]))
      assert.deepEqual(
        kit.addresses.map((each) => each.address),
        [address],
      )
    }
  })

  it('is put off while the signers follow different versions of the policy: what they refuse then is no decision', async () => {
    const { walletId } = await create()
    const { keyId } = await keyOf(walletId)
    world.signers.beforeSession = (request) => {
      world.signers.policyVersions.set(1, 1000n)
      throw world.signers.refusal(request, 1, 'c1', 'join 3 is not one that party 3 signed')
    }
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'wait')
    world.signers.beforeSession = () => {}
    const begun = await keyOf(walletId)
    assert.deepEqual([begun.walletState, equalBytes(begun.keyId, keyId)], ['creating', false], 'nobody knows who has a share')
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'wait')
    const put = await keyOf(walletId)
    assert.deepEqual([equalBytes(put.keyId, begun.keyId), put.progress.generations, world.signers.requests.length], [true, 1, 1])
    assert.match(put.progress.reason!, /^signer 1 does not follow the policy in force yet/)
    world.signers.policyVersions.delete(1)
    await finish(walletId)
    assert.equal((await keyOf(walletId)).walletState, 'active')
  })

  it('brings a signer that knows less of the log to its newest entry before a session begins, which it would refuse otherwise', async () => {
    const { walletId } = await create()
    const { logSizes } = world.signers
    world.signers.beforeSession = ({ parties }) => void logSizes.set(Number(parties.at(-1)), 0n)
    const sizes: bigint[][] = []
    world.signers.afterSession = ({ parties }) => void sizes.push(parties.map((party) => logSizes.get(Number(party)) ?? 0n))
    logSizes.set(1, 1n)
    await finish(walletId)
    assert.deepEqual([(await keyOf(walletId)).walletState, sizes.length], ['active', 4])
    for (const session of sizes) assert.deepEqual([new Set(session).size, session[0]! > 0n], [1, true])
  })

  it("repeats a pair's set-up that failed, with the same key", async () => {
    const { walletId } = await create()
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'again')
    const { keyId } = await keyOf(walletId)
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'fault', party: 2, check: '', message: 'lost' })
    }
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'wait')
    assert.deepEqual(
      (await keyOf(walletId)).progress.steps.map((step) => step.state),
      ['done', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting'],
    )
    world.signers.resetScript()
    await finish(walletId)
    assert.deepEqual([(await keyOf(walletId)).walletState, equalBytes((await keyOf(walletId)).keyId, keyId)], ['active', true])
  })

  it('waits for all three signers, and asks none while one is away', async () => {
    const { walletId } = await create()
    world.signers.setOnline(1, 2)
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'wait')
    assert.deepEqual(world.signers.requests, [])
    assert.equal((await keyOf(walletId)).walletState, 'creating')
  })

  it("ends with the signer's reason where one refuses", async () => {
    const { walletId } = await create()
    world.signers.beforeSession = (request) => {
      throw world.signers.refusal(request, 3, 'c3', 'the policy has expired')
    }
    assert.equal(await takeKeyStep(world.context, world.orgId, walletId), 'done')
    const key = await keyOf(walletId)
    assert.deepEqual([key.walletState, key.progress.reason], ['failed', 'signer 3: c3 the policy has expired'])
  })

  it('ends where a signer derives another address than the server', async () => {
    const { walletId } = await create()
    world.signers.addressSaid = (party, address) => (party === 2 ? '0x0000000000000000000000000000000000000001' : address)
    await finish(walletId)
    const key = await keyOf(walletId)
    assert.equal(key.walletState, 'failed')
    assert.match(key.progress.reason!, /^signer 2 derives the address 0x0{39}1, the server 0x/)
  })

  it('ends where a signer seals its share to somebody else', async () => {
    const { walletId } = await create()
    const { recipients } = world.signers
    world.signers.recipients = ['age1somebodyelse']
    await finish(walletId)
    world.signers.recipients = recipients
    assert.match((await keyOf(walletId)).progress.reason!, /other recipients than those named for it/)
  })

  it('ends where a signer asks for other officers together than the policy', async () => {
    const { walletId } = await create()
    world.signers.sealsForSeveral = true
    await finish(walletId)
    world.signers.sealsForSeveral = false
    assert.match((await keyOf(walletId)).progress.reason!, /other recipients than those named for it/)
  })
})
