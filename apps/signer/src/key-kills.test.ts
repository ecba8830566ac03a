import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { decode, toHex } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import { type Signed, signatureResultShape, type SignRequest } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { generateKey, PAIRS, PARTIES, resultOf, runSession } from './testing/cluster.ts'
import { found, type Founded } from './testing/founded-cluster.ts'
import { reshareRequest, setUpPairs } from './testing/key-change-of.ts'
import { drawsOf, KILLS, noncesOf, runAgain, runThroughKill, SEED } from './testing/kill-at.ts'
import { openProcesses, type SignerProcesses } from './testing/signer-processes.ts'
import { tokenOrder } from './testing/token-order.ts'

const OPERATIONS = ['refresh', 'repair', 'sign', 'generateKey', 'setUp'] as const
type Operation = (typeof OPERATIONS)[number]

let founded: Founded
let at: SignerProcesses
before(async () => {
  founded = await found(nodePorts.clock.nowMs())
  at = await openProcesses(founded)
})
after(async () => {
  await at?.close()
  await founded?.remove()
})

let salt = 0
const nonce = noncesOf(SEED)
const genesis = () => founded.organisation.fingerprint
const keyId = () => founded.key.keyId
const epochsOf = (party: number) => at.calls.get(party)!.keyEpochs({ genesis: genesis(), keyId: keyId() })

/** Every nonce point that was ever given out, with what was signed by it. */
const nonces = new Map<string, string>()

const orderOf = (epoch: bigint, parties: readonly bigint[]) => tokenOrder(at, founded.key, { parties, epoch, salt: salt++ })

async function sign(request: { kind: 'sign' } & SignRequest): Promise<void> {
  const outcomes = await runSession(at.calls, { ...request, nonce: nonce() })
  for (const party of request.parties) {
    const { signatures, statement } = decode(signatureResultShape, resultOf(outcomes, Number(party)))
    assert.ok(statement)
    const r = toHex(signatures[0]!.r)
    const signed = toHex(sha256(request.unsigned))
    assert.equal(nonces.get(r) ?? signed, signed, 'one nonce signed two transactions')
    nonces.set(r, signed)
  }
}

/** The next epoch as a server makes it: whatever is done already is not done again. */
class Change {
  readonly options: Parameters<typeof reshareRequest>[1]
  readonly fromEpoch: bigint
  statements: Signed[] | undefined
  constructor(fromEpoch: bigint, lost: number | null) {
    const dealers = [1n, 2n, 3n].filter((party) => Number(party) !== lost)
    this.fromEpoch = fromEpoch
    this.options = { fromEpoch, action: lost === null ? 'refresh' : 'repair', dealers, salt: salt++ }
  }

  async run(): Promise<void> {
    const epoch = this.fromEpoch + 1n
    const asked = { genesis: genesis(), keyId: keyId(), epoch }
    if (!this.statements) {
      for (const party of PARTIES) {
        const calls = at.calls.get(party)!
        const { pinned } = await calls.status({ genesis: genesis() })
        if (!pinned) await calls.pinGenesis({ record: founded.organisation.record })
      }
      const ready = await Promise.all(PARTIES.map(epochsOf))
      const first = ready[0]!.staged
      const isStaged = ready.every(({ staged }) => staged && first && staged.epoch === epoch && toHex(staged.key) === toHex(first.key))
      if (!isStaged) {
        at.time.nowMs = nodePorts.clock.nowMs()
        const outcomes = await runSession(at.calls, await reshareRequest(at, this.options))
        for (const party of PARTIES) resultOf(outcomes, party)
      }
      await setUpPairs(at, asked)
      this.statements = await Promise.all(PARTIES.map((party) => at.calls.get(party)!.attestEpoch(asked)))
    }
    for (const party of PARTIES) await at.calls.get(party)!.activateEpoch({ ...asked, statements: this.statements })
  }
}

/** What holds at every instant: all have one epoch, or those that have not gone over have the next one ready. */
async function assertNeverMixed(lost: number | null): Promise<void> {
  // Whoever was killed before it had pinned the organisation again holds nothing yet.
  const isFresh = lost !== null && !(await at.calls.get(lost)!.status({ genesis: genesis() })).pinned
  const looked = PARTIES.filter((party) => !(party === lost && isFresh))
  const all = await Promise.all(looked.map(async (party) => ({ party, ...(await epochsOf(party)) })))
  const holding = all.filter(({ party, active }) => !(party === lost && active === null))
  const newest = holding.map(({ active }) => active ?? -1n).reduce((a, b) => (a > b ? a : b))
  for (const { party, active, staged } of holding) {
    assert.ok(active === newest || staged?.epoch === newest, `signer ${party} has epoch ${active}, others ${newest}, and cannot follow`)
  }
}

describe('signers that are killed', () => {
  it(`lose no key, mix no epochs and use no nonce twice, at ${KILLS} points of every operation (seed ${SEED})`, async () => {
    const draw = drawsOf(SEED)
    let epoch = 0n
    for (let i = 0; i < KILLS; i++) {
      const operation: Operation = OPERATIONS[i % OPERATIONS.length]!
      const lost = operation === 'repair' ? 1 + draw(3) : null
      if (lost !== null) {
        at.kill(lost)
        await rm(`${at.root}/${lost}/organisations/${toHex(genesis())}`, { recursive: true, force: true })
        await at.revive(lost)
      }
      const change = new Change(epoch, lost)
      const pair = PAIRS[draw(3)]!
      const order = operation === 'sign' ? await orderOf(epoch, pair) : undefined
      const run = async () => {
        if (operation === 'refresh' || operation === 'repair') return change.run()
        if (operation === 'sign') return sign(order!)
        if (operation === 'setUp') return setUpPairs(at, { genesis: genesis(), keyId: keyId(), epoch })
        const made = await generateKey(at.calls, { genesis: genesis(), keyId: nonce(), nonce: nonce() })
        for (const party of PARTIES) resultOf(made, party)
      }
      const victim = operation === 'sign' ? Number(pair[draw(2)]) : 1 + draw(3)
      const where = `kill ${i} in ${operation}: signer ${victim}`
      const failed = await runThroughKill(at, run, {
        victim,
        n: draw(operation === 'refresh' || operation === 'repair' ? 24 : 5),
        afterMs: draw(40),
      })
      await assertNeverMixed(lost)
      if (failed) await runAgain(run).catch((cause: unknown) => assert.fail(`${where}: does not go on: ${String(cause)} (it ended with ${String(failed)})`))
      if (operation === 'refresh' || operation === 'repair') epoch += 1n
      for (const party of PARTIES) assert.equal((await epochsOf(party)).active, epoch, where)
      await sign(await orderOf(epoch, PAIRS[i % 3]!))
    }
    for (const parties of PAIRS) await sign(await orderOf(epoch, parties))
  })
})
