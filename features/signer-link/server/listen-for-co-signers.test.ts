import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connectLink, linkPublicKey, on } from '@holdfast/link'
import { nodePorts as ports } from '@holdfast/ports/node'
import { signerCalls } from '@holdfast/protocol'
import { listenForCoSigners } from './listen-for-co-signers.ts'

const newIdentity = () => ({ secretKey: ports.random.bytes(32) })
const genesis = ports.random.bytes(32)

/** A door, and machines that dial in; all end with the test. `name` is what a machine answers to `describe`. */
async function openDoor(t: TestContext, signers: { secretKey: Uint8Array }[]) {
  const me = newIdentity()
  const door = await listenForCoSigners({ ports, host: '127.0.0.1', port: 0, me, signerKeys: signers.map(linkPublicKey) })
  const { coSigners } = door
  t.after(() => door.close())
  const dial = (identity: { secretKey: Uint8Array }, name: string) => {
    const status = on(signerCalls.status, async () => ({
      pinned: true,
      policyVersion: BigInt(name.length),
      logSize: 0n,
      journal: 0n,
      locked: [],
      frozen: [],
      away: null,
    }))
    const pin = on(signerCalls.pinGenesis, async () => ({ message: new TextEncoder().encode(name), party: 3n, signature: new Uint8Array(64) }))
    const states: boolean[] = []
    const told = Promise.withResolvers<boolean>()
    const link = connectLink({
      ports,
      host: '127.0.0.1',
      port: door.port,
      serverKey: linkPublicKey(me),
      me: identity,
      handlers: [status, pin],
      onState: ({ connected }) => {
        states.push(connected)
        told.resolve(connected)
      },
    })
    t.after(() => link.close())
    return { isIn: told.promise, link }
  }
  const changed = () =>
    new Promise<void>((resolve) => {
      const forget = coSigners.onChange(() => {
        forget()
        resolve()
      })
    })
  return { coSigners, dial, changed }
}

test('before a founding the configured keys are let in; afterwards whom the policy names, and nobody else', async (t) => {
  const [one, two, old, newcomer] = [newIdentity(), newIdentity(), newIdentity(), newIdentity()]
  const { coSigners, dial, changed } = await openDoor(t, [one, two, old])
  const keysOf = (...identities: { secretKey: Uint8Array }[]) => identities.map(linkPublicKey)
  assert.equal(await dial(one, '1').isIn, true)
  const before = dial(old, 'old machine')
  assert.equal(await before.isIn, true)
  assert.equal(await dial(newcomer, 'new').isIn, false)
  while (coSigners.online().length < 2) await changed()
  assert.deepEqual(coSigners.online(), [1, 3])

  coSigners.admit([{ genesis, signKeys: keysOf(one, two, newcomer) }])
  while (coSigners.online().includes(3)) await changed()
  before.link.close()
  assert.equal(await dial(old, 'old machine').isIn, false)
  assert.equal(await dial(newcomer, 'new').isIn, true)
  while (!coSigners.online().includes(3)) await changed()
  assert.equal((await coSigners.call(3, signerCalls.status, { genesis })).policyVersion, 3n)

  const other = ports.random.bytes(32)
  coSigners.admit([
    { genesis, signKeys: keysOf(one, two, newcomer) },
    { genesis: other, signKeys: keysOf(one, two, old) },
  ])
  assert.equal(await dial(old, 'old machine').isIn, true, 'another organisation still names it')
  for (;;) {
    const said = await coSigners.call(3, signerCalls.status, { genesis: other }).catch(() => undefined)
    if (said) {
      assert.equal(said.policyVersion, 11n)
      break
    }
    await changed()
  }
  assert.equal((await coSigners.call(3, signerCalls.status, { genesis })).policyVersion, 3n, 'each organisation is spoken of to its own signer')
  for (const [organisation, name] of [
    [genesis, 'new'],
    [other, 'old machine'],
  ] as const) {
    const { message } = await coSigners.call(3, signerCalls.pinGenesis, { record: new Uint8Array(1) }, organisation)
    assert.equal(new TextDecoder().decode(message), name, 'and is pinned by it')
  }
})
