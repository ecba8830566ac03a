import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { encode, toHex } from '@holdfast/encoding'
import { PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { requestHash, sessionRequestShape, type Signed } from '@holdfast/protocol'
import { createCalls } from '../../calls/calls.ts'
import { sessionRandomness } from '../../sessions/session-randomness.ts'
import { copyFolder, openSigner, PARTIES, TestTime } from '../cluster.ts'
import { type Founded, openOffice } from '../founded-cluster.ts'

/** A generator that gives the same bytes from the same point of its memory on, as that of a process does. */
function generatorInMemory(): { bytes(length: number): Uint8Array } {
  let counter = 0
  return { bytes: (length) => new Uint8Array(createHash('shake256', { outputLength: length }).update(`memory/${counter++}`).digest()) }
}

/** What a session's protocol draws. `get` gives the founded organisation, which exists once the tests run. */
export function sessionRandomnessSuite(get: () => Founded): void {
  describe('the randomness of a session', () => {
    it('does not come back where the memory of a signer is set back: the same session of the same generator has other messages', async (t) => {
      const office = await openOffice(t, get())
      const { fingerprint: genesis } = get().organisation
      const keyId = new Uint8Array(32).fill(0x51)
      const request = {
        kind: 'generateKey' as const,
        protocol: PROTOCOL,
        genesis,
        keyId,
        epoch: 0n,
        parties: PARTIES.map(BigInt),
        purpose: 'payments',
        nonce: keyId,
      }
      const encoded = encode(sessionRequestShape, request)
      const peers: Signed[] = []
      for (const party of [2, 3]) peers.push(await office.calls.get(party)!.openSession({ request: encoded }))
      const startOfCopy = async () => {
        const root = await mkdtemp(join(tmpdir(), 'holdfast-copy-'))
        t.after(() => rm(root, { recursive: true, force: true }))
        await copyFolder(get().root, root)
        const time = new TestTime()
        Object.defineProperty(time, 'ports', { value: { ...time.ports, random: generatorInMemory() } })
        const signer = await openSigner(root, 1, time)
        const calls = createCalls(signer)
        const join1 = await calls.openSession({ request: encoded })
        const turn = await calls.startSession({ requestHash: requestHash(request), joins: [join1, ...peers], words: [] })
        await signer.close()
        return turn
      }
      const [first, second] = [await startOfCopy(), await startOfCopy()]
      assert.equal(toHex(first.session), toHex(second.session), 'it is one session, twice')
      assert.notEqual(toHex(first.outgoing[0]!.message), toHex(second.outgoing[0]!.message))
    })

    it('is as good as the better of its two generators, and differs between signers and sessions even where both are stuck', () => {
      const stuck = { bytes: (length: number) => new Uint8Array(length).fill(7) }
      const working = nodePorts.random
      const me = { secretKey: new Uint8Array(32).fill(1), publicKey: new Uint8Array(32) }
      const [here, there] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(4)]
      const drawn = [
        sessionRandomness({ random: stuck, kernelRandom: stuck }, me, here),
        sessionRandomness({ random: stuck, kernelRandom: stuck }, me, there),
        sessionRandomness({ random: stuck, kernelRandom: stuck }, { ...me, secretKey: new Uint8Array(32).fill(2) }, here),
        sessionRandomness({ random: working, kernelRandom: stuck }, me, here),
        sessionRandomness({ random: working, kernelRandom: stuck }, me, here),
        sessionRandomness({ random: stuck, kernelRandom: nodePorts.kernelRandom }, me, here),
        sessionRandomness({ random: stuck, kernelRandom: nodePorts.kernelRandom }, me, here),
      ].map((draw) => toHex(draw(32)))
      assert.equal(new Set(drawn).size, drawn.length)
    })

    it('is refused where a generator gives nothing', () => {
      const none = { bytes: () => new Uint8Array(0) }
      const me = { secretKey: new Uint8Array(32).fill(1), publicKey: new Uint8Array(32) }
      for (const ports of [
        { random: none, kernelRandom: nodePorts.kernelRandom },
        { random: nodePorts.random, kernelRandom: none },
      ]) {
        assert.throws(() => sessionRandomness(ports, me, new Uint8Array(32)))
      }
    })
  })
}
