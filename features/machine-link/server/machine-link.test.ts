import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { codecFor } from '@holdfast/chain-evm/codec'
import { AppError, type Endpoint } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'
import { batchOf } from '@holdfast/features/batch-transfer/server'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { intentHash, machineMessage, machineSignatureShape } from '@holdfast/intent'
import { linkPublicKey } from '@holdfast/link'
import type { ChildProcess } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import { verifyEvidence } from '@holdfast/protocol'
import { known, type OrderId, uuidToBytes } from '@holdfast/units'
import { createKey, type CoSignerKey } from '../../../apps/co-signer/src/state/sealed-key.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { submitBatch, uploadBatch } from '../../batch-transfer/contract.ts'
import { batchTransferEndpoints } from '../../batch-transfer/server/routes.ts'
import { advance } from '../../batch-transfer/server/run-batches.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import {
  approvalOf,
  approvalOn,
  approveAs,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  pageCalls,
  reaches,
  requestWithdrawal,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { startTransfers } from '../../transfer/server/run-transfers.ts'
import { listenForMachines, type MachineDoor } from './machine-door.ts'
import { coSignerStatus, examineCoSigner, startMachineLink } from './run-machine-link.ts'

const PROGRAM = fileURLToPath(new URL('../../../apps/co-signer/src/alone.ts', import.meta.url))
const PASSWORD = 'correct horse battery'
const serverIdentity = { secretKey: new Uint8Array(32).fill(77) }
const running: ChildProcess[] = []
const ends: (() => Promise<void>)[] = []
const asked: Record<string, unknown>[] = []

let world: World
let wallet: Wallet
let door: MachineDoor
let folder: string
let key: CoSignerKey
/** What the callback answers. */
let answer: () => Promise<Response> | Response

/** Starts the co-signer as a process of its own. */
function startCoSigner(): ChildProcess {
  const child = nodePorts.process.spawn(process.execPath, [PROGRAM, 'run', '--config', join(folder, 'co-signer.json')], {
    env: { CO_SIGNER_PASSWORD: PASSWORD },
    logPath: join(folder, 'log'),
  })
  running.push(child)
  return child
}

async function killAll(): Promise<void> {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await nodePorts.timer.sleep(50)
}

const says = async (orderId: string, by: number, decision?: 'reject') =>
  approveAs(world, await approvalOf(world, orderId, world.members[by] as Member, decision))
const askedByAnn = async (amount = '1') => (await requestWithdrawal(world, wallet, { amount })).order.row.id
const isOnline = () => world.db.readOrganisation(world.orgId, async (tx) => (await coSignerStatus(world.context, tx))[0]?.online ?? false)

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'machine-link-'))
  key = await createKey(nodePorts, join(folder, 'key'), PASSWORD, 2 ** 4)
  const guard = { id: 'guard', name: 'Guard', kind: 'coSigner', publicKey: key.publicKey, purpose: '', expiresAtMs: 4_000_000_000_000n }
  world = await openWorld({
    machines: [guard],
    namedRules: (members) => [
      namedRule('payments', {
        steps: [
          { need: 1n, who: members.map(({ id }) => personOf({ id: uuidToBytes(id) })) },
          { need: 1n, who: [{ kind: 'machine' as const, id: 'guard' }] },
        ],
      }),
    ],
  })
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
  const { ports, db } = world.context
  const report = () => {}
  door = await listenForMachines({ ports, db, host: '127.0.0.1', port: 0, me: serverIdentity, report })
  const callback = await nodePorts.net.serveHttp('127.0.0.1', 0, async (request) => {
    asked.push((await request.json()) as Record<string, unknown>)
    return answer()
  })
  const relay = startMachineLink(world.context, { proposals, report })
  const transfers = startTransfers(world.context, report)
  ends.push(
    () => callback.close(),
    () => transfers.stop(),
    () => relay.stop(),
    () => door.close(),
  )
  const { genesis_hash: fingerprint } = await db.asSystem((tx) =>
    tx.selectFrom('organisation').select('genesis_hash').where('id', '=', world.orgId).executeTakeFirstOrThrow(),
  )
  const config = {
    organisation: toHex(fingerprint ?? new Uint8Array(0)),
    machine: 'guard',
    server: { host: '127.0.0.1', port: door.port, key: toHex(linkPublicKey(serverIdentity)) },
    callback: { form: 'field', url: `http://127.0.0.1:${callback.port}/`, timeoutMs: 5_000 },
  }
  const limits = {
    networks: [world.network.chain],
    assets: [{ network: world.network.chain, contract: null, perOrder: '5', perDay: '50' }],
    destinations: { allow: 'any' },
  }
  await writeFile(join(folder, 'co-signer.json'), JSON.stringify(config))
  await writeFile(join(folder, 'limits.json'), JSON.stringify(limits))
})
afterEach(killAll)
after(async () => {
  await killAll()
  for (const end of ends.reverse()) await end()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a payment by a rule with a step of people and one of a co-signer', () => {
  it('goes through with both, and with neither alone', async () => {
    answer = () => new Response('SUCCESS')
    const id = await askedByAnn()
    assert.deepEqual(await says(id, 1), { state: 'approving', missing: 1 })
    assert.equal(await isOnline(), false)
    startCoSigner()
    await reaches(world, id, 'pending')
    assert.equal(await isOnline(), true)
    await until(() => asked.some((each) => each['type'] === 'sign_success'))
    assert.deepEqual(
      asked.map((each) => each['type']),
      ['sign_start', 'sign_success'],
    )
    assert.equal(asked[0]?.['withdraw_id'], id)
    const steps = await examineCoSigner(world.context, world.orgId, 'guard')
    assert.deepEqual(
      steps.map(({ name, ok }) => `${name} ${ok}`),
      ['connected true', 'journal true', 'policy true', 'limits true', 'callback true'],
    )
    const alone = await askedByAnn()
    asked.length = 0
    await nodePorts.timer.sleep(1_500)
    assert.equal((await orderOf(world, alone)).state, 'approving')
    assert.equal(asked.length, 0, 'it is not asked before the people')
  })

  it('tells pages when it comes and when it goes', async () => {
    const told = async () => {
      const all = world.db.asOrganisation(world.orgId, (tx) =>
        tx.selectFrom('outbox').select('sequence').where('org_id', '=', tx.orgId).where('topic', '=', 'machine.changed').execute(),
      )
      return (await all).length
    }
    await until(async () => !(await isOnline()))
    await nodePorts.timer.sleep(1_500)
    const away = await told()
    startCoSigner()
    await until(isOnline)
    await until(async () => (await told()) > away)
    const here = await told()
    await killAll()
    await until(async () => (await told()) > here)
    assert.equal(await isOnline(), false)
  })

  it('ends where the callback or the limits say no', async () => {
    startCoSigner()
    answer = () => new Response('FAILURE')
    const refused = await askedByAnn()
    await says(refused, 1)
    await reaches(world, refused, 'rejected')
    answer = () => new Response('SUCCESS')
    const large = await askedByAnn('6')
    await says(large, 1)
    await reaches(world, large, 'rejected')
  })

  it('is decided once, however often the co-signer and its callback die in the middle', async () => {
    asked.length = 0
    const ids = [await askedByAnn(), await askedByAnn(), await askedByAnn()]
    for (const id of ids) await says(id, 1)
    answer = () => new Promise(() => {})
    for (let i = 0; i < 3; i++) {
      const before = asked.length
      startCoSigner()
      await until(() => asked.length > before)
      await killAll()
    }
    answer = () => new Response('', { status: 503 })
    startCoSigner()
    await until(() => asked.length > 6)
    answer = () => new Response('SUCCESS')
    for (const id of ids) await reaches(world, id, 'pending')
    const starts = asked.filter((each) => each['type'] === 'sign_start')
    assert.equal(new Set(starts.map((each) => each['request_id'])).size, ids.length, 'each order has one id, however often it is asked for')
  })
})

it('a batch of payments waits for the co-signer too, which decides on all of its lines at once, and the signers count its word', async () => {
  answer = () => new Response('SUCCESS')
  const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
  const call = async (endpoint: Endpoint, input: object): Promise<Record<string, string>> => {
    const caller = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' }
    return endpoints.find((each) => each.endpoint === endpoint)?.handler(caller as never, input as never) as never
  }
  const file = new File(['address,amount', ...[1, 2, 3].map((i) => `\n0x${String(i).repeat(40)},0.1`)], 'payroll.csv')
  const coin = { sub_wallet_id: wallet.subWalletId, chain: world.network.chain, symbol: 'ETH' }
  const { batch_id: id = '' } = await call(uploadBatch, { ...coin, file })
  const submit = () => call(submitBatch, { batch_id: id, mode: 'single', execution: 'strict', fee_tier: 'normal', remark: '' })
  const announced = (version: string) => world.db.asOrganisation(world.orgId, (tx) => tx.updateTable('machine_link').set({ version }).execute())
  await announced('1.0.0')
  await assert.rejects(submit(), (cause) => cause instanceof AppError && cause.code === '300195' && cause.details.version === '1.0.0')
  await announced('1.1.0')
  await submit()
  const rowOf = () => world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('batch_transfer').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
  const { intent } = known(batchOf(await rowOf()), 'a batch')
  assert.deepEqual(await approveAs(world, approvalOn(world, intent, world.members[1])), { state: 'approving', missing: 1 })
  startCoSigner()
  await until(async () => (await rowOf()).state === 'approved')
  const question = asked.find((each) => each['withdraw_id'] === id) ?? {}
  assert.deepEqual([question['type'], question['withdraw_id'], question['batch'], question['amount']], ['sign_start', id, true, '0.3'])
  assert.equal((question['outputs'] as unknown[]).length, 3)
  await advance(world.context, world.orgId, id)
  const orders = await world.db.asSystem((tx) => tx.selectFrom('transfer_order').select('id').where('batch_id', '=', id).execute())
  assert.equal(orders.length, 3)
  const [{ id: first }] = orders as [{ id: OrderId }]
  await reaches(world, first, 'pending')
  const report = verifyEvidence(await evidenceOf(world, first), { codecFor })
  assert.deepEqual(report.approvedBy.toSorted(), [world.members[1].name, 'Guard (co-signer)'].toSorted())
})

it('what a stolen co-signer key signs satisfies its step only', async () => {
  const id = await askedByAnn()
  const { intent } = await orderOf(world, id)
  const said = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: intent.policyHash,
    machine: 'guard',
    decision: 'approve',
    signedAtMs: BigInt(world.context.ports.clock.nowMs()),
  }
  const stolen = toHex(encode(machineSignatureShape, { ...said, signature: signEd25519(machineMessage(said), key.secretKey) }))
  assert.deepEqual(await pageCalls(world)['order.approve']?.({ approval: stolen }), { state: 'approving', missing: 1 })
  assert.equal((await orderOf(world, id)).state, 'approving')
})
