import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'
import { credentialShape } from '@holdfast/intent'
import { p256 } from '@noble/curves/nist.js'
import { type Member, openWorld, type World } from '../../testing/test-world.ts'
import { createKeyLink, keyPageCalls } from './key-links.ts'

const PAGE = 'http://approve.localhost:24000'
const DAY_MS = 86_400_000
let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

/** Makes a key for one person with a link that another had made. */
async function makeKey(person: Member, madeBy: Member): Promise<void> {
  const { url } = await world.db.asSystem((tx) => createKeyLink(tx, world.context, { orgId: world.orgId, personId: person.id, page: PAGE, madeBy: madeBy.id }))
  const publicKey = p256.getPublicKey(p256.utils.randomSecretKey())
  const credential = { id: world.context.ports.random.bytes(32), kind: 'device', publicKey, backupEligible: false, label: 'Browser key' }
  const token = url.split('/').at(-1)
  await keyPageCalls(world.context)['key.enrol']!({ token, origin: PAGE, credential: toHex(encode(credentialShape, credential)) })
}

const isRefused = (error: unknown) => error instanceof AppError && error.errorName === 'registration_failed'

it('nobody makes keys without end, but those that others made for them, and those of former days, never keep a person from making theirs', async () => {
  const [ann, ben] = world.members
  for (let i = 0; i < 16; i++) await makeKey(ben, ann)
  await assert.rejects(makeKey(ben, ann), isRefused)
  for (let i = 0; i < 16; i++) await makeKey(ben, ben)
  await assert.rejects(makeKey(ben, ben), isRefused)
  world.clock.aheadMs = 31 * DAY_MS
  await makeKey(ben, ben)
  world.clock.aheadMs = 0
})
