import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { decode, encode, equalBytes, toHex } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readWalletKeys } from '@holdfast/features/key/server'
import { type KeyChangeIntent, renderIntent } from '@holdfast/intent'
import { approvalContext } from '@holdfast/policy'
import { type Drill, drillDigest, drillRecordShape, kitHash, recoveryKitShape } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { replaceThird } from '../../testing/replace-signer.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { resetScript, makeWallet, type Member, openWorld, approveAs as handIn, type Wallet, approvalOn, type World } from '../../testing/test-world.ts'
import { depositAddress } from '../../deposit-address/server/deposit-address.ts'
import { checkDueShares, checkShares } from './check-shares.ts'
import { type KeyChange, keyChanges } from './key-change.ts'
import { keyChangeView, signerStates } from './key-change-view.ts'
import { keyReminders } from './key-reminders.ts'
import { agedKeys, proposeDueRefreshes } from './propose-due-refreshes.ts'
import { type KeyProposal, proposeKeyChange } from './propose-key-change.ts'
import { endStaleKeyChange, startKeyChanges } from './run-key-changes.ts'
import { readKit, submitDrill } from './submit-drill.ts'
import { takeChangeStep } from './take-change-step.ts'
import { keyOf } from '../../testing/request-key.ts'

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member

before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members
})
beforeEach(async () => {
  resetScript(world)
  world.signers.epochs.before = () => {}
  world.signers.epochs.retired.length = 0
  wallet = await makeWallet(world)
})
after(() => world.close())

const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const now = () => world.context.ports.clock.nowMs()
const keyNow = () => inOrganisation(async (tx) => (await readWalletKeys(tx, wallet.walletId))[0]!)
const changeNow = async ({ row }: KeyChange) => (await inOrganisation((tx) => keyChanges.read(tx, row.id)))!

async function propose(asked: Partial<KeyProposal> = {}): Promise<KeyChange> {
  const whole = {
    personId: ann.id,
    language: 'en_US' as const,
    key: keyOf(`propose-${toHex(world.context.ports.random.bytes(8))}`),
    walletId: wallet.walletId,
    action: 'refresh' as const,
    party: undefined,
    demandSecondFactor: async () => {},
  }
  return (await inOrganisation((tx) => proposeKeyChange(tx, world.context, { ...whole, ...asked }))).change
}

const approveAs = ({ intent }: KeyChange, member: Member, decision?: 'approve' | 'reject') => handIn(world, approvalOn(world, intent, member, decision))

async function approved(asked: Partial<KeyProposal> = {}): Promise<KeyChange> {
  const change = await propose(asked)
  for (const member of [ben, cleo]) await approveAs(change, member)
  return changeNow(change)
}

async function carryOut(change: KeyChange): Promise<KeyChange> {
  while ((await takeChangeStep(world.context, world.orgId, change.row.id)) === 'again') {
    /* goes on */
  }
  return changeNow(change)
}

async function drill(): Promise<void> {
  const key = await keyNow()
  const kit = decode(recoveryKitShape, new Uint8Array((await inOrganisation((tx) => readKit(tx, key)))!.kit))
  const genesis = await inOrganisation(async (tx) => (await currentPolicy(tx)).fingerprint)
  const words: Drill = { genesis, keyId: key.keyId, epoch: key.epoch, kitHash: kitHash(kit), addressesChecked: 1n, atMs: BigInt(now()) }
  const secret = world.signers.keys.get(toHex(key.keyId))!.secret
  const signature = secp256k1.sign(drillDigest(words), Buffer.from(secret.toString(16).padStart(64, '0'), 'hex'), { prehash: false })
  await inOrganisation((tx) => submitDrill(tx, world.context.ports, wallet.walletId, encode(drillRecordShape, { drill: words, signature })))
}
const address = () =>
  inOrganisation((tx) =>
    depositAddress(tx, world.context.networks, { subWalletId: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', language: 'en_US', nowMs: now() }),
  )
const refusedAs =
  (name: string, reason = /./) =>
  (error: unknown) =>
    error instanceof AppError && error.errorName === name && (error.details.reason === undefined || reason.test(String(error.details.reason)))

describe('an order for new shares', () => {
  it('is approved by those who govern, never by the one who asked; then the key has its next epoch and a kit of it', async () => {
    await drill()
    const given = (await address()).address
    assert.ok(given)
    const change = await propose()
    await assert.rejects(approveAs(change, ann), refusedAs('invalid_parameters', /may not approve/))
    assert.deepEqual(await approveAs(change, ben), { state: 'approving', missing: 1 })
    assert.deepEqual(await approveAs(change, cleo), { state: 'approved', missing: 0 })
    const before = await keyNow()
    const done = await carryOut(change)
    const after = await keyNow()
    assert.deepEqual([done.row.state, after.epoch, after.statements.length], ['active', 1n, 3])
    assert.ok(equalBytes(after.publicKey!, before.publicKey!))
    const closed = await address()
    assert.deepEqual([closed.address, closed.enableDeposit], [given, true], 'what was given out stays')
    assert.match(closed.text, /verify the new recovery kit/)
    const { log } = { log: await inOrganisation((tx) => tx.selectFrom('log_entry').select('bytes').execute()) }
    for (const part of [done.row.intent, done.row.statements!]) assert.ok(log.some(({ bytes }) => toHex(bytes).includes(toHex(part))))
  })

  it('closes an address that nobody has seen until the new kit is proven', async () => {
    await carryOut(await approved())
    assert.equal((await address()).enableDeposit, false)
    await drill()
    assert.equal((await address()).enableDeposit, true)
  })

  it('has the old shares deleted only once the new kit is proven', async () => {
    const change = await carryOut(await approved())
    const work = startKeyChanges(world.context)
    try {
      assert.equal(world.signers.epochs.retired.length, 0)
      await drill()
      work.poke()
      while ((await changeNow(change)).row.state !== 'done') await new Promise((resolve) => setImmediate(resolve))
    } finally {
      await work.stop()
    }
    const { keyId } = await keyNow()
    assert.deepEqual(
      world.signers.epochs.retired.filter((each) => equalBytes(each.keyId, keyId)).map(({ party, epoch }) => [party, epoch]),
      [1, 2, 3].map((party) => [party, 0n]),
    )
  })

  it('goes on where it was, wherever it was cut off: each signer ends with one epoch, the same', async () => {
    for (const broken of ['key-epochs', 'attest-epoch', 'activate-epoch']) {
      for (const party of [1, 2, 3]) {
        wallet = await makeWallet(world, `Wallet ${broken} ${party}`)
        let failed = false
        world.signers.epochs.before = (name, asked) => {
          if (failed || name !== broken || asked !== party) return
          failed = true
          throw new CoSignerError({ kind: 'unavailable', party, check: '', message: 'gone' })
        }
        const change = await approved()
        const stopped = await carryOut(change)
        assert.deepEqual([failed, stopped.row.state], [true, 'approved'], broken)
        assert.equal((await keyNow()).epoch, 0n)
        assert.equal((await carryOut(change)).row.state, 'active', broken)
        const { keyId, epoch } = await keyNow()
        assert.deepEqual(
          [1, 2, 3].map((each) => world.signers.epochs.of(each, keyId).active),
          [epoch, epoch, epoch],
        )
      }
    }
  })

  it('is run once more where the signers hold shares of different runs', async () => {
    const change = await approved()
    let spoiled = false
    world.signers.epochs.before = (name, party) => {
      if (spoiled || name !== 'key-epochs' || party !== 1) return
      spoiled = true
      const held = world.signers.epochs.of(2, change.intent.keyId)
      held.staged = { ...held.staged!, key: new Uint8Array(32) }
    }
    const again = await carryOut(change)
    assert.deepEqual([again.row.state, again.progress.steps.map((each) => each.state)], ['approved', Array.from({ length: 7 }, () => 'waiting')])
    assert.equal((await carryOut(change)).row.state, 'active')
  })

  it('waits for a signer that is away, and is ended by one that refuses', async () => {
    const change = await approved()
    world.signers.setOnline(1, 2)
    assert.equal(await takeChangeStep(world.context, world.orgId, change.row.id), 'wait')
    world.signers.setOnline(1, 2, 3)
    world.signers.beforeSession = (request) => {
      throw world.signers.refusal(request, 3, 'c1', 'this signer signs with epoch 4 of the key')
    }
    const { row } = await carryOut(change)
    assert.deepEqual([row.state, row.reason], ['refused', 'c1: this signer signs with epoch 4 of the key'])
  })

  it('is one at a time for a key, is taken back by who asked, rejected by one, and ends with its time', async () => {
    const first = await propose()
    await assert.rejects(propose(), refusedAs('key_change_open'))
    await assert.rejects(
      inOrganisation((tx) => keyChanges.withdraw(tx, world.context, { id: first.row.id, personId: ben.id, remark: '' })),
      refusedAs('not_permitted'),
    )
    await inOrganisation((tx) => keyChanges.withdraw(tx, world.context, { id: first.row.id, personId: ann.id, remark: 'not now' }))
    const second = await propose({ action: 'repair', party: 3 })
    assert.deepEqual((second.intent as KeyChangeIntent).dealers, [1n, 2n])
    assert.equal((await approveAs(second, cleo, 'reject')).state, 'rejected')
    await assert.rejects(propose({ party: 2 }), refusedAs('key_change_refused', /names the one signer/))
    await assert.rejects(propose({ action: 'repair' }), refusedAs('key_change_refused', /names the one signer/))
    const third = await propose()
    world.clock.aheadMs += 8 * 86_400_000
    try {
      await assert.rejects(approveAs(third, ben), refusedAs('approval_expired'))
      await inOrganisation((tx) => endStaleKeyChange(tx, world.context, third.row.id))
      assert.equal((await changeNow(third)).row.state, 'expired')
    } finally {
      world.clock.aheadMs = 0
    }
  })
})

describe('the check of shares', () => {
  it('keeps when all three showed their shares, and what failed', async () => {
    const read = async () => {
      const { keyId } = await keyNow()
      return inOrganisation((tx) => tx.selectFrom('share_check').selectAll().where('key_id', '=', keyId).executeTakeFirst())
    }
    await checkShares(world.context, world.orgId, await keyNow(), null)
    const good = await read()
    assert.deepEqual([good?.fault, good?.checked_at], [null, good?.tried_at])
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'cheat', party: 2, check: 'c15', message: 'proof that it has its share of the key' })
    }
    await checkShares(world.context, world.orgId, await keyNow(), null)
    const bad = await read()
    assert.deepEqual([bad?.fault_party, bad?.checked_at], [2, good?.checked_at])
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'unavailable', party: 1, check: '', message: 'another session with this key is under way' })
    }
    assert.ok(await checkShares(world.context, world.orgId, await keyNow(), ann.id))
    const busy = await read()
    assert.deepEqual([busy?.fault_party, busy?.tried_at], [2, bad?.tried_at], 'a signer that is busy says nothing about its share')
    resetScript(world)
    assert.equal(await checkShares(world.context, world.orgId, await keyNow(), ann.id), null)
    const asked = await read()
    assert.deepEqual([asked?.fault, asked?.asked_by, Number(asked?.next_at) - Number(asked?.tried_at)], [null, ann.id, 24 * 3_600_000])
  })

  it('and what each signer has of the key is shown: one that begins anew is there and holds nothing, one that is away says nothing', async () => {
    const { keyId } = await keyNow()
    world.signers.setOnline(1, 2)
    world.signers.epochs.before = (_name, party) => {
      if (party === 2) throw new CoSignerError({ kind: 'refused', party, check: 'c2', message: 'this signer has not pinned that organisation' })
    }
    try {
      const states = await signerStates(world.context, await inOrganisation(currentPolicy), keyId)
      assert.deepEqual(
        states.map(({ online, active }) => [online, active]),
        [
          [true, 0],
          [true, null],
          [false, null],
        ],
      )
    } finally {
      world.signers.setOnline(1, 2, 3)
      world.signers.epochs.before = () => {}
    }
  })

  it('is made on its schedule, and people are reminded of one that failed or is late', async () => {
    const sessions = () => world.signers.requests.filter((each) => each.kind === 'shareCheck' && equalBytes(each.keyId, keyId)).length
    const { keyId } = await keyNow()
    const kinds = () =>
      inOrganisation(async (tx) => (await keyReminders(tx, world.context)).filter((each) => each.wallet_id === wallet.walletId).map((each) => each.kind))
    const due = () => checkDueShares(world.context, () => false)
    try {
      await due()
      assert.equal(sessions(), 0, 'a new key is left to its first orders')
      world.clock.aheadMs = 2 * 3_600_000
      await due()
      await due()
      assert.equal(sessions(), 1)
      assert.deepEqual(await kinds(), ['drill_first'])
      await drill()
      assert.deepEqual(await kinds(), [])
      world.clock.aheadMs += 49 * 3_600_000
      assert.deepEqual(await kinds(), ['check_late'])
      world.signers.beforeSession = () => {
        throw new CoSignerError({ kind: 'cheat', party: 3, check: 'c15', message: 'proof that it has its share of the key' })
      }
      await due()
      assert.deepEqual(await kinds(), ['check_failed'])
    } finally {
      world.clock.aheadMs = 0
    }
  })
})

describe('what the server does on its schedule', () => {
  const day = 24 * 3_600_000
  const scheduled = () =>
    inOrganisation((tx) => tx.selectFrom('key_change').selectAll().where('wallet_id', '=', wallet.walletId).orderBy('created_at').execute())
  const proposeDue = () => proposeDueRefreshes(world.context, () => false)

  it("proposes new shares for old ones in nobody's name; they come to be by the approvals that any such order needs", async () => {
    try {
      await drill()
      await proposeDue()
      assert.equal((await scheduled()).length, 0)
      world.clock.aheadMs = 89 * day
      await drill()
      world.clock.aheadMs = 91 * day
      await proposeDue()
      await proposeDue()
      const [row, ...others] = await scheduled()
      assert.deepEqual([row?.state, row?.initiator, others.length], ['approving', null, 0])
      const change = await changeNow({ row } as KeyChange)
      const view = await inOrganisation((tx) => keyChangeView({ tx, context: world.context, language: 'en_US', personId: ann.id }, change))
      assert.deepEqual([view.scheduled, view.initiator.name, view.mine, view.quorum.waiting.length], [true, 'the schedule', 'decide', 3])
      assert.match(JSON.stringify(renderIntent(change.intent, approvalContext(world.policy), 'en-US')), /nobody: the server proposes it on its schedule/)
      assert.equal(await takeChangeStep(world.context, world.orgId, change.row.id), 'done')
      assert.equal((await keyNow()).epoch, 0n, 'nothing without approvals')
      await approveAs(change, ann)
      await approveAs(change, ben)
      assert.equal((await carryOut(await changeNow(change))).row.state, 'active')
    } finally {
      world.clock.aheadMs = 0
    }
  })

  it('is silent for a month after a no, and proposes nothing for a key whose recovery is not proven', async () => {
    try {
      world.clock.aheadMs = 91 * day
      await proposeDue()
      assert.equal((await scheduled()).length, 0)
      await drill()
      await proposeDue()
      await approveAs(await changeNow({ row: (await scheduled())[0]! } as KeyChange), ben, 'reject')
      await proposeDue()
      assert.equal((await scheduled()).length, 1)
      world.clock.aheadMs += 31 * day
      await proposeDue()
      assert.equal((await scheduled()).length, 2)
    } finally {
      world.clock.aheadMs = 0
    }
  })

  it('comes to every key in time, also where more of them are old than one round looks at', async () => {
    try {
      const second = await makeWallet(world)
      world.clock.aheadMs = day
      const found = new Set<string>()
      for (let round = 0; round < 200 && found.size < 2; round++)
        for (const { id } of await agedKeys(world.context, now(), 1)) if ([wallet.walletId, second.walletId].includes(id as never)) found.add(id)
      assert.equal(found.size, 2)
    } finally {
      world.clock.aheadMs = 0
    }
  })

  it('reminds of the drill from fifteen days before it is due', async () => {
    const kinds = () => inOrganisation(async (tx) => (await keyReminders(tx, world.context)).filter((each) => each.wallet_id === wallet.walletId))
    try {
      await drill()
      world.clock.aheadMs = 74 * day
      assert.deepEqual(await kinds(), [])
      world.clock.aheadMs = 75 * day + 60_000
      assert.deepEqual(
        (await kinds()).map((each) => each.kind),
        ['drill_soon'],
      )
      world.clock.aheadMs = 90 * day + 60_000
      assert.deepEqual(
        (await kinds()).map((each) => each.kind),
        ['drill_overdue'],
      )
    } finally {
      world.clock.aheadMs = 0
    }
  })
})

describe('a signer that is replaced while new shares are being made', () => {
  it('has no part in them: where one that stays signs with them already both do, where none does nobody will, and a repair follows', async () => {
    const cutOff = async (broken: string, party: number): Promise<{ change: KeyChange; of: Wallet }> => {
      wallet = await makeWallet(world, `Cut off at ${broken}`)
      let failed = false
      world.signers.epochs.before = (name, asked) => {
        if (failed || name !== broken || asked !== party) return
        failed = true
        throw new CoSignerError({ kind: 'unavailable', party, check: '', message: 'gone' })
      }
      return { change: await carryOut(await approved()), of: wallet }
    }
    const half = await cutOff('activate-epoch', 2)
    const unsaid = await cutOff('attest-epoch', 3)
    const { keyId } = half.change.intent
    assert.deepEqual(
      [1, 2].map((party) => world.signers.epochs.of(party, keyId).active),
      [1n, 0n],
    )
    await replaceThird(world)
    const work = startKeyChanges(world.context)
    for (const { change } of [half, unsaid]) {
      while ((await changeNow(change)).row.state === 'approved') await new Promise((resolve) => setImmediate(resolve))
      const ended = await changeNow(change)
      const view = await inOrganisation((tx) => keyChangeView({ tx, context: world.context, language: 'en_US', personId: ann.id }, ended))
      assert.deepEqual([view.state, /Repair signer 3 to give it a share/.test(view.reason!)], ['superseded', true])
    }
    await work.stop()
    assert.deepEqual(
      [1, 2].map((party) => world.signers.epochs.of(party, keyId).active),
      [1n, 1n],
    )
    for (const [{ of }, epoch] of [
      [half, 1n],
      [unsaid, 0n],
    ] as const) {
      wallet = of
      assert.equal((await keyNow()).epoch, epoch)
      assert.equal((await carryOut(await approved({ action: 'repair', party: 3 }))).row.state, 'active')
      assert.equal((await keyNow()).epoch, epoch + 1n)
    }
  })
})
