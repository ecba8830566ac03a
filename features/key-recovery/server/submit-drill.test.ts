import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { decode, encode, toHex } from '@holdfast/encoding'
import { type Drill, drillDigest, drillRecordShape, kitHash, type RecoveryKit, recoveryKitShape } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { resetScript, makeWallet, openWorld, type Wallet, type World } from '../../testing/test-world.ts'
import { depositAddress, whyClosed } from '../../deposit-address/server/deposit-address.ts'
import { DRILL_INTERVAL_MS, recoveryStateOf } from '../../key/server/recovery-state.ts'
import { readWalletKeys } from '../../key/server/read-key.ts'
import { submitDrill } from './submit-drill.ts'

const DAY_MS = 24 * 3_600_000
let world: World
let wallet: Wallet
let kit: RecoveryKit
const now = () => world.context.ports.clock.nowMs()

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  kit = await world.db.asOrganisation(world.orgId, async (tx) => {
    const key = (await readWalletKeys(tx, wallet.walletId))[0]!
    return decode(recoveryKitShape, (await tx.selectFrom('recovery_kit').select('kit').where('key_id', '=', key.keyId).executeTakeFirstOrThrow()).kit)
  })
})
after(() => world.close())

/** A drill record as the recovery tool writes it with the rebuilt key. */
async function record(changes: Partial<Drill> = {}, secret = world.signers.keys.get(toHex(kit.keyId))!.secret): Promise<Uint8Array> {
  const genesis = await world.db.asOrganisation(world.orgId, async (tx) => (await tx.selectFrom('genesis').select('hash').executeTakeFirstOrThrow()).hash)
  const drill: Drill = { genesis, keyId: kit.keyId, epoch: kit.epoch, kitHash: kitHash(kit), addressesChecked: 1n, atMs: BigInt(now()), ...changes }
  return encode(drillRecordShape, {
    drill,
    signature: secp256k1.sign(drillDigest(drill), Buffer.from(secret.toString(16).padStart(64, '0'), 'hex'), { prehash: false }),
  })
}

const submit = (encoded: Uint8Array) => world.db.asOrganisation(world.orgId, (tx) => submitDrill(tx, world.context.ports, wallet.walletId, encoded))
const address = () =>
  world.db.asOrganisation(world.orgId, (tx) =>
    depositAddress(tx, world.context.networks, { subWalletId: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', language: 'en_US', nowMs: now() }),
  )
const refusedFor = (reason: RegExp) => (error: unknown) => error instanceof AppError && error.code === '100004' && reason.test(String(error.details.reason))

describe('a deposit address', () => {
  it('is shown once a drill has proven the kit; when the next drill is overdue it stays, and no new one is opened until it is made', async () => {
    const closed = await address()
    assert.deepEqual([closed.enableDeposit, closed.address], [false, null])
    assert.match(closed.text, /until the recovery kit of this wallet has been verified/)
    await submit(await record())
    assert.deepEqual([(await address()).enableDeposit, (await address()).address, (await address()).text], [true, wallet.address, ''])
    world.clock.aheadMs += DRILL_INTERVAL_MS + 1
    const overdue = await address()
    assert.deepEqual([overdue.enableDeposit, overdue.address], [true, wallet.address])
    assert.match(overdue.text, /drill of this wallet is overdue/)
    const recovery = recoveryStateOf({ epoch: 0n, usable: true, written: true, verifiedAtMs: now() - DRILL_INTERVAL_MS - 1 }, now())
    const made = (addressMadeAtMs: number) =>
      whyClosed({ walletState: 'active', recovery, addressMadeAtMs, isTaken: false, isAttested: true, language: 'en_US' })
    assert.equal(made(now() - DAY_MS), undefined)
    assert.match(made(now()) ?? '', /Deposits are closed because the recovery drill is overdue/)
    await submit(await record())
    assert.equal((await address()).enableDeposit, true)
  })

  it("needs a proof of the key's present epoch, not in the future and not too old", () => {
    const key = { epoch: 2n, usable: true, written: true }
    assert.equal(recoveryStateOf({ ...key, verifiedAtMs: 1000 }, 1000).depositsOpen, true)
    assert.equal(recoveryStateOf({ ...key, verifiedAtMs: 1000 }, 999).depositsOpen, false)
    assert.equal(recoveryStateOf({ ...key, verifiedAtMs: 1000 }, 999 + DRILL_INTERVAL_MS).depositsOpen, true)
    assert.equal(recoveryStateOf({ ...key, verifiedAtMs: 1000 }, 1000 + DRILL_INTERVAL_MS).depositsOpen, false)
    assert.equal(recoveryStateOf({ ...key, usable: false, verifiedAtMs: 1000 }, 1000).depositsOpen, false)
    assert.equal(recoveryStateOf({ ...key, written: false, verifiedAtMs: null }, 1000).depositsOpen, false)
  })
})

describe('a drill', () => {
  it('is refused for anything that is not the proof of now, for this kit, by this key', async () => {
    const other = secp256k1.utils.randomSecretKey()
    const day = 86_400_000n
    const refused: [string, Uint8Array, RegExp][] = [
      ['another key', await record({}, BigInt(`0x${toHex(other)}`)), /not signed by the key/],
      ['another kit', await record({ kitHash: new Uint8Array(32) }), /another kit/],
      ['another epoch', await record({ epoch: kit.epoch + 1n }), /of epoch \d+ of the key/],
      ['another key id', await record({ keyId: new Uint8Array(32) }), /another wallet/],
      ['another organisation', await record({ genesis: new Uint8Array(32) }), /another organisation/],
      ['the future', await record({ atMs: BigInt(now()) + day }), /future/],
      ['long ago', await record({ atMs: BigInt(now()) - 8n * day }), /too old/],
      ['before the kit', await record({ atMs: BigInt(now()) - day }), /too old/],
      ['no record', Uint8Array.of(1, 2, 3), /not a drill record/],
      ['a record with a byte more', Uint8Array.of(...(await record()), 0), /not a drill record/],
    ]
    for (const [name, encoded, reason] of refused) await assert.rejects(submit(encoded), refusedFor(reason), name)
    const good = await record()
    for (let i = 0; i < good.length; i += 7) await assert.rejects(submit(good.with(i, good[i]! ^ 1)), AppError, `byte ${i}`)
    assert.equal((await address()).enableDeposit, false)
  })

  it('serves once', async () => {
    const once = await record()
    await submit(once)
    await assert.rejects(submit(once), refusedFor(/taken before/))
  })

  it('is written to the log', async () => {
    const encoded = await record()
    await submit(encoded)
    const rows = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('log_entry').select('bytes').orderBy('sequence', 'desc').limit(1).execute())
    assert.ok(toHex(rows[0]!.bytes).includes(toHex(encoded)))
  })
})
