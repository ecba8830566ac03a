import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { type BatchIntent, intentHash, isSignedByMachine, machineMessage, machineSignatureShape } from '@holdfast/intent'
import { partyOfMachine } from '@holdfast/policy'
import { coSignerCalls, isMarkOf, signMark } from '@holdfast/protocol/co-signer-calls'
import { ed25519 } from '@noble/curves/ed25519.js'
import { NOW_MS } from '../../signer/src/testing/organisation-of.ts'
import { approve, approveFor, delegate } from '../../signer/src/testing/people.ts'
import { signAnswer } from './callback/signed-form.ts'
import { Refused } from './checks/refused.ts'
import { ann, ben, CHAIN, ETHER, limitsOf, openWorld, orderOf, organisationWith, requestOf, STRANGER, SUPPLIER, wordOf } from './testing/world.ts'

const refusedAt = (check: string) => (cause: unknown) => {
  assert.ok(cause instanceof Refused, String(cause))
  assert.equal(cause.check, check, cause.message)
  return true
}

test('what people approved and the callback lets through is signed once, and answered the same for ever', async (t) => {
  const world = await openWorld(t)
  const coSigner = await world.open()
  const first = await coSigner.decide(world.request(1))
  assert.equal(wordOf(first), 'approve')
  assert.ok(first.kind === 'decided')
  const signed = decode(machineSignatureShape, first.spoken)
  assert.equal(signed.decision, 'approve')
  assert.ok(isSignedByMachine(signed, world.key.publicKey))
  assert.ok(isMarkOf(first.mark, { genesis: world.organisation.fingerprint, publicKey: world.key.publicKey }))
  const [asked = {}] = world.callback.asked
  assert.deepEqual([asked['type'], asked['amount'], asked['symbol'], asked['memo']], ['sign_start', '1', 'ETH', ''])
  // Also by another process on the same folder, hours after the order expired, and whatever the callback says by then.
  world.callback.answer = () => new Response('FAILURE')
  world.clock.nowMs += 90_000_000
  const again = await (await world.open()).decide(world.request(1))
  assert.deepEqual(again.kind === 'decided' && again.spoken, first.spoken)
  assert.equal(world.callback.asked.length, 1)
})

test('anything but the one word is a no, and no answer is neither', async (t) => {
  const world = await openWorld(t)
  const coSigner = await world.open()
  const said = ['SUCCESS\n', ' SUCCESS', 'success', 'SUCCESS!', '"SUCCESS"', '{"code":0,"msg":"SUCCESS"}', '', 'FAILURE', '\uFEFFSUCCESS']
  for (const [i, words] of said.entries()) {
    world.callback.answer = () => new Response(words)
    assert.match(wordOf(await coSigner.decide(world.request(10 + i))), /^reject: the callback answered 200/, JSON.stringify(words))
  }
  for (const status of [201, 302, 400, 404, 500]) {
    world.callback.answer = () => new Response('SUCCESS', { status, headers: { Location: 'http://127.0.0.1:1/' } })
    assert.match(wordOf(await coSigner.decide(world.request(100 + status))), new RegExp(`^reject: the callback answered ${status}`))
  }
  for (const status of [502, 503, 504]) {
    world.callback.answer = () => new Response('SUCCESS', { status })
    assert.match(wordOf(await coSigner.decide(world.request(1))), /^later/)
  }
  world.callback.answer = () => new Response('SUCCESS')
  assert.equal(wordOf(await coSigner.decide(world.request(1))), 'approve', 'asked again once it is back')
})

test('a callback that answers late, hangs up or is not there says nothing, and is asked again with the same id', async (t) => {
  const world = await openWorld(t)
  const slow = { ...world.config, callback: world.config.callback && { ...world.config.callback, timeoutMs: 100 } }
  const held: (() => void)[] = []
  world.callback.answer = () => new Promise((resolve) => held.push(() => resolve(new Response('SUCCESS'))))
  let coSigner = await world.open({ config: slow })
  assert.match(wordOf(await coSigner.decide(world.request(1))), /^later: the callback does not answer/)
  held.forEach((release) => release())
  assert.match(wordOf(await coSigner.decide(world.request(1))), /^later/, 'the late word counts for nothing')
  held.forEach((release) => release())
  coSigner = await world.open({ config: { callback: { form: 'field', url: 'http://127.0.0.1:1/', timeoutMs: 1_000 } } })
  assert.match(wordOf(await coSigner.decide(world.request(1))), /^later/)
  world.callback.answer = () => new Response('SUCCESS')
  assert.equal(wordOf(await (await world.open()).decide(world.request(1))), 'approve')
  assert.equal(new Set(world.callback.asked.map((each) => each['request_id'])).size, 1)
})

test('without a callback every order is refused', async (t) => {
  const world = await openWorld(t, {}, () => null)
  assert.match(wordOf(await (await world.open()).decide(world.request(1))), /^reject: no callback is configured/)
})

test('the signed form believes the callback alone, for the one question', async (t) => {
  const secretKey = new Uint8Array(32).fill(5)
  const key = ed25519.getPublicKey(secretKey)
  const world = await openWorld(t, {}, (url) => ({ form: 'signed', url, timeoutMs: 5_000, key }))
  const coSigner = await world.open()
  const yes = { decision: 'approve' as const, reason: '' }
  let earlier: unknown
  const lies: Record<string, (body: Uint8Array) => unknown> = {
    'another key': (body) => signAnswer(body, yes, new Uint8Array(32).fill(6)),
    'another question': () => signAnswer(new TextEncoder().encode('{}'), yes, secretKey),
    'a refusal turned': (body) => ({ ...signAnswer(body, { decision: 'refuse', reason: '' }, secretKey), decision: 'approve' }),
    'no signature': () => yes,
    'the plain word': () => 'SUCCESS',
    'too long a reason': (body) => ({ ...signAnswer(body, yes, secretKey), reason: 'x'.repeat(5_000) }),
  }
  for (const [name, lie] of Object.entries(lies)) {
    world.callback.answer = (body) => Response.json(lie(body))
    assert.match(wordOf(await coSigner.decide(world.request(1))), /^later/, name)
  }
  world.callback.answer = (body) => {
    earlier = signAnswer(body, yes, secretKey)
    return new Response('gone', { status: 503 })
  }
  assert.match(wordOf(await coSigner.decide(world.request(1))), /^later/)
  world.clock.nowMs += 1_000
  world.callback.answer = () => Response.json(earlier)
  assert.match(wordOf(await coSigner.decide(world.request(1))), /^later/, 'an answer to an earlier try')
  world.callback.answer = (body) => Response.json(signAnswer(body, yes, secretKey))
  assert.equal(wordOf(await coSigner.decide(world.request(1))), 'approve')
  world.callback.answer = (body) => Response.json(signAnswer(body, { decision: 'refuse', reason: 'unknown supplier' }, secretKey))
  assert.equal(wordOf(await coSigner.decide(world.request(2))), 'reject: the callback refuses: unknown supplier')
})

test('forged and foreign documents are answered by no decision, and the callback never hears of them', async (t) => {
  const world = await openWorld(t)
  const { organisation } = world
  const coSigner = await world.open()
  const intent = orderOf(organisation, 1)
  const good = approve(ann, intent, organisation.policy)
  const other = organisationWith(new Uint8Array(32).fill(9))
  const forged = { ...good, person: ben.person.id }
  const foreign = orderOf(other, 2)
  const ahead = orderOf(organisation, 3, { policyVersion: 2n })
  const hostile: [string, string, ReturnType<typeof requestOf>][] = [
    ['an approval in the name of another', 'approval', requestOf(intent, [forged])],
    ['an approval of another order', 'approval', requestOf(intent, [approve(ann, orderOf(organisation, 7), organisation.policy)])],
    ['a rejection', 'approval', requestOf(intent, [approve(ann, intent, organisation.policy, { decision: 'reject' })])],
    ['garbage among the approvals', 'approval', requestOf(intent, [good], { approvals: [new Uint8Array(40)] })],
    ['another organisation', 'genesis', requestOf(foreign, [approve(ann, foreign, other.policy)])],
    ['a version of the policy that it never saw', 'policy', requestOf(ahead, [approve(ann, ahead, organisation.policy)])],
    ['an order that has expired', 'time', requestOf(orderOf(organisation, 4, { expiresAtMs: BigInt(NOW_MS - 1) }), [])],
    ['an order that is not open yet', 'time', requestOf(orderOf(organisation, 5, { notBeforeMs: BigInt(NOW_MS + 1) }), [])],
    ['an asset in other words', 'order', requestOf(orderOf(organisation, 6, { asset: { ...intent.asset, decimals: 6n } }), [])],
    ['a rule that there is not', 'rule', requestOf(intent, [good], { rule: 'another' })],
    ['no order at all', 'order', requestOf(intent, [], { intent: new Uint8Array(100) })],
    ['bytes whose key nobody attests', 'bytes', requestOf(intent, [good], { unsigned: new Uint8Array(100) })],
  ]
  for (const [name, check, request] of hostile) await assert.rejects(coSigner.decide(request), refusedAt(check), name)
  assert.equal(world.callback.asked.length, 0)
  assert.equal(world.journal().register.orders.size, 0)
  assert.throws(() => coSigner.begin(other.record, null), refusedAt('genesis'))
  assert.throws(() => coSigner.follow(new Uint8Array(10)), refusedAt('policy'))
})

test('it speaks only as the machine that the policy names: this key, this kind, before its time is over', async (t) => {
  const world = await openWorld(t)
  for (const [name, organisation] of Object.entries({
    'another key': organisationWith(new Uint8Array(32).fill(9)),
    'another name': organisationWith(world.key.publicKey, { id: 'somebody' }),
    'its time is over': organisationWith(world.key.publicKey, { expiresAtMs: NOW_MS }),
  })) {
    const coSigner = await world.open({ of: organisation })
    const intent = orderOf(organisation, 1)
    await assert.rejects(coSigner.decide(requestOf(intent, [approve(ann, intent, organisation.policy)])), refusedAt('machine'), name)
  }
})

test('it waits for the people before its step', async (t) => {
  const world = await openWorld(t)
  const coSigner = await world.open()
  const intent = orderOf(world.organisation, 1)
  assert.match(wordOf(await coSigner.decide(requestOf(intent, []))), /^later: who asks for it, or people before this step/)
  assert.equal(world.callback.asked.length, 0)
})

test('it takes the word of a delegate for who named him, and waits where one human spoke twice', async (t) => {
  const decide = async (need: bigint, { untilMs = NOW_MS + 1000, own = false } = {}) => {
    const world = await openWorld(t)
    const organisation = organisationWith(world.key.publicKey, { need, deputies: [ben] })
    const coSigner = await world.open({ of: organisation })
    const intent = orderOf(organisation, 1)
    const named = delegate(ann, ben, organisation.fingerprint, { nowMs: NOW_MS, untilMs: BigInt(untilMs) })
    const votes = [...(own ? [approve(ben, intent, organisation.policy)] : []), approveFor(ben, ann, named, intent, organisation.policy)]
    return coSigner.decide(requestOf(intent, votes))
  }
  assert.equal(wordOf(await decide(1n)), 'approve')
  assert.match(wordOf(await decide(2n, { own: true })), /^later: /)
  await assert.rejects(decide(1n, { untilMs: NOW_MS }), refusedAt('approval'))
})

test('it waits for the machine that asks to have signed that it does, whoever says that it asked', async (t) => {
  const world = await openWorld(t)
  const secret = new Uint8Array(32).fill(51)
  const asker = { id: 'payouts', publicKey: ed25519.getPublicKey(secret) }
  const organisation = organisationWith(world.key.publicKey, { askedBy: asker })
  const coSigner = await world.open({ of: organisation })
  const intent = orderOf(organisation, 1, { initiator: partyOfMachine(asker) })
  const unasked = requestOf(intent, [approve(ann, intent, organisation.policy)])
  assert.match(wordOf(await coSigner.decide(unasked)), /^later: who asks for it/)
  const { genesis, policyHash } = intent
  const said = { genesis, intentHash: intentHash(intent), policyHash, machine: asker.id, decision: 'ask', signedAtMs: BigInt(NOW_MS) }
  const ask = encode(machineSignatureShape, { ...said, signature: signEd25519(machineMessage(said), secret) })
  assert.equal(wordOf(await coSigner.decide({ ...unasked, approvals: [...unasked.approvals, ask] })), 'approve')
  assert.equal(world.callback.asked.length, 1)
})

test('one order has one decision: the same order in other words is refused', async (t) => {
  const world = await openWorld(t)
  const coSigner = await world.open()
  assert.equal(wordOf(await coSigner.decide(world.request(1))), 'approve')
  await assert.rejects(coSigner.decide(world.request(1, { amount: 2n * ETHER })), refusedAt('order'))
  const [a, b] = await Promise.all([coSigner.decide(world.request(2)), coSigner.decide(world.request(2))])
  assert.deepEqual(a, b)
  assert.equal(world.callback.asked.length, 2, 'two who ask at once ask the callback once')
})

test('limits count what was begun, also over a restart, and the file counts at once', async (t) => {
  const world = await openWorld(t)
  let coSigner = await world.open()
  assert.match(wordOf(await coSigner.decide(world.request(1, { amount: 6n * ETHER }))), /^reject: 6 ETH is more than the 5 ETH of one order/)
  assert.equal(wordOf(await coSigner.decide(world.request(2, { amount: 5n * ETHER }))), 'approve')
  coSigner = await world.open()
  assert.match(wordOf(await coSigner.decide(world.request(3, { amount: 4n * ETHER }))), /^reject: 4 ETH with 5 ETH of the last 24 hours is more than the 8 ETH/)
  const both = await Promise.all([4, 5].map((number) => coSigner.decide(world.request(number, { amount: 2n * ETHER }))))
  assert.deepEqual(
    both.map(({ kind }) => kind),
    ['decided', 'decided'],
  )
  assert.equal(both.map(wordOf).filter((word) => word === 'approve').length, 1, 'two at once do not pass each other')
  await writeFile(
    world.config.files.limits,
    JSON.stringify(limitsOf({ destinations: { allow: 'any', deny: [{ network: 'eip155:31337', address: STRANGER }] } })),
  )
  assert.equal(wordOf(await coSigner.decide(world.request(6, { to: STRANGER, amount: 1n }))), `reject: the limits deny ${STRANGER}`)
  await writeFile(world.config.files.limits, '{"networks":')
  await assert.rejects(coSigner.decide(world.request(7, { amount: 1n })), /is not JSON/)
})

test('a folder that was put back decides nothing until a person has said so, and then nothing from before', async (t) => {
  const world = await openWorld(t)
  let coSigner = await world.open()
  await coSigner.decide(world.request(1))
  const newest = coSigner.mark
  coSigner.begin(world.organisation.record, newest)
  assert.equal(coSigner.obstacle, undefined)
  const { genesis } = newest.mark
  const ahead = signMark({ genesis, position: newest.mark.position + 5n, seal: new Uint8Array(32) }, world.key.secretKey)
  coSigner.begin(world.organisation.record, ahead)
  assert.match(coSigner.obstacle ?? '', /resume --past/)
  await assert.rejects(coSigner.decide(world.request(2)), refusedAt('journal'))
  const fork = signMark({ genesis, position: newest.mark.position, seal: new Uint8Array(32) }, world.key.secretKey)
  coSigner.begin(world.organisation.record, fork)
  assert.match(coSigner.obstacle ?? '', /another one/)
  assert.throws(() => coSigner.begin(world.organisation.record, signMark(ahead.mark, new Uint8Array(32).fill(1))), refusedAt('journal'))
  await world.journal().write({ kind: 'resumed', past: ahead.mark.position })
  coSigner = await world.open()
  coSigner.begin(world.organisation.record, ahead)
  assert.equal(coSigner.obstacle, undefined)
  await assert.rejects(coSigner.decide(world.request(2)), refusedAt('journal'))
  world.clock.nowMs += 60_000
  const later = world.request(3, { notBeforeMs: BigInt(world.clock.nowMs) })
  assert.match(wordOf(await coSigner.decide(later)), /^later: the folder was put back/)
})

test('it tells the callback once that an order was sent, and again only where the callback was not there', async (t) => {
  const world = await openWorld(t)
  const coSigner = await world.open()
  await coSigner.decide(world.request(1))
  const { intent } = world.request(1)
  world.callback.answer = () => new Response('', { status: 503 })
  assert.equal(await coSigner.sent(intent, '0xabc'), false)
  world.callback.answer = () => new Response('SUCCESS')
  assert.equal(await coSigner.sent(intent, '0xabc'), true)
  assert.equal(await coSigner.sent(intent, '0xabc'), true)
  assert.equal(await coSigner.sent(world.request(2).intent, '0xabc'), true, 'of what it never approved it says nothing')
  const told = world.callback.asked.filter((each) => each['type'] === 'sign_success')
  assert.deepEqual(
    told.map((each) => each['txid']),
    ['0xabc', '0xabc'],
  )
})

test('it says step by step what is missing', async (t) => {
  const world = await openWorld(t)
  const coSigner = await world.open()
  assert.deepEqual(
    (await coSigner.examine()).map(({ name, ok }) => [name, ok]),
    [
      ['journal', true],
      ['policy', true],
      ['limits', true],
      ['callback', true],
    ],
  )
  assert.equal(world.callback.asked[0]?.['type'], 'verify_public_hash')
  world.callback.answer = () => new Response('who?')
  assert.equal((await coSigner.examine()).at(-1)?.ok, false)
})

test('a batch is decided once for all of its lines: by what they pay together, and wherever each of them goes', async (t) => {
  const world = await openWorld(t, { destinations: { allow: 'any', deny: [{ network: CHAIN, address: STRANGER }] } })
  const { organisation } = world
  const coSigner = await world.open()
  const line = (i: number, to: string, ether: bigint) => ({ key: new Uint8Array(16).fill(i + 1), to, memo: null, amount: ether * ETHER })
  const batchOf = (number: number, lines: BatchIntent['lines']): BatchIntent => {
    const { genesis, orderId, keyId, path, from, asset, feeAsset, feeCap, slotRule, nonce, ...rest } = orderOf(organisation, number)
    const { notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, remark } = rest
    const validity = { notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, remark, nonce }
    return { kind: 'batch', genesis, orderId, keyId, path, from, asset, lines, together: 1n, feeAsset, feeCap, slotRule, ...validity }
  }
  const ask = (batch: BatchIntent) => coSigner.decide(requestOf(batch, [approve(ann, batch, organisation.policy)]))
  const good = batchOf(300, [line(0, SUPPLIER, 1n), line(1, SUPPLIER, 2n)])
  const answer = await ask(good)
  assert.equal(wordOf(answer), 'approve')
  assert.ok(answer.kind === 'decided')
  const signed = decode(machineSignatureShape, answer.spoken)
  assert.deepEqual(signed.intentHash, intentHash(good))
  const [asked = {}] = world.callback.asked
  assert.deepEqual(
    [asked['batch'], asked['amount'], asked['outputs']],
    [
      true,
      '3',
      [
        { address_to: SUPPLIER, amount: '1' },
        { address_to: SUPPLIER, amount: '2' },
      ],
    ],
  )
  const large = batchOf(301, [line(0, SUPPLIER, 3n), line(1, SUPPLIER, 3n)])
  assert.match(wordOf(await ask(large)), /^reject: 6 ETH is more than the 5 ETH of one order/)
  const stray = batchOf(302, [line(0, SUPPLIER, 1n), line(1, STRANGER, 1n)])
  assert.match(wordOf(await ask(stray)), /^reject: the limits deny/)
  const twice = batchOf(303, [line(0, SUPPLIER, 1n), line(0, SUPPLIER, 1n)])
  await assert.rejects(ask(twice), refusedAt('order'))
  await assert.rejects(
    coSigner.decide(requestOf(good, [], { unsigned: new Uint8Array(3), intent: requestOf(batchOf(304, good.lines), []).intent })),
    refusedAt('bytes'),
  )
  assert.equal(world.callback.asked.length, 1, 'the callback hears of no batch that the limits refuse')
  // A thousand lines still fit into the question.
  const many = batchOf(
    305,
    Array.from({ length: 1000 }, (_, i) => ({
      ...line(0, SUPPLIER, 0n),
      amount: 1n,
      key: new Uint8Array(16)
        .fill(9)
        .with(0, i & 255)
        .with(1, i >> 8),
    })),
  )
  const request = requestOf(many, [])
  assert.deepEqual(decode(coSignerCalls.decide.request, encode(coSignerCalls.decide.request, request)).intent, request.intent)
})
