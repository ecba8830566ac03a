import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { intentHash, machineMessage, machineSignatureShape } from '@holdfast/intent'
import { linkPublicKey } from '@holdfast/link'
import type { ChildProcess } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import { uuidToBytes } from '@holdfast/units'
import { createKey, type CoSignerKey } from '../../../apps/co-signer/src/state/sealed-key.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import {
  approvalOf,
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
