import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { type Approval, approvalShape, type Intent, intentHash, intentShape, pushChallenge, pushShape } from '@holdfast/intent'
import { type Link, linkPublicKey, listenLink, on } from '@holdfast/link'
import { genesisShape, policyShape } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { PROTOCOL } from '@holdfast/mpc'
import { openSigned, pageCall, pinStatementShape, type SessionRequest, sessionRequestShape, signerCalls } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { type Config, initSigner, startSigner } from './index.ts'
import { draftOf } from './testing/order-of.ts'
import { organisationOf, type TestOrganisation } from './testing/organisation-of.ts'
import { approve, assertWith } from './testing/people.ts'
import { tempFolder } from './testing/temp-folder.ts'
import { writePage } from './testing/write-page.ts'
import { ann, ben, cleo, key, outsider, signSecrets } from './testing/world-of.ts'

const host = '127.0.0.1'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

type Reply = { status: number; headers: Record<string, unknown>; text: string }
type Sent = { method?: string; path: string; headers: Record<string, string>; body?: string; from?: string }
const send = (port: number, options: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', path, headers, body = '', from = host } = options
    const outgoing = httpRequest({ host, port, method, path, headers, localAddress: from }, (incoming) => {
      let text = ''
      incoming
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/** What the server of the test answers to the page's calls, and its links to the signer: the newest, and the next to come. */
type Server = {
  answer: (method: string, body: Record<string, unknown>) => { status: number; body: unknown }
  asked: string[]
  /** No call is answered before this. */
  held?: Promise<void>
  link: Link
  nextLink: PromiseWithResolvers<Link>
}

/** A signer process in this process: started from its configuration, linked to a server, serving its page. */
async function startOne(t: TestContext) {
  const dataFolder = await tempFolder(t)
  const serverIdentity = { secretKey: nodePorts.random.bytes(32) }
  const storage = { dataFolder, identityPath: `${dataFolder}/identity`, vaultKey: { kind: 'file' as const, path: `${dataFolder}/vault-key` } }
  const publicKey = fromHex(await initSigner(nodePorts, storage))
  const server: Server = {
    answer: () => ({ status: 400, body: { error: 'nothing here' } }),
    asked: [],
    link: undefined as never,
    nextLink: Promise.withResolvers(),
  }
  const onLink = (link: Link) => {
    server.link = link
    server.nextLink.resolve(link)
  }
  const page = on(pageCall, async ({ method, body }) => {
    server.asked.push(method)
    await server.held
    const { status, body: reply } = server.answer(method, JSON.parse(body) as Record<string, unknown>)
    return { status: BigInt(status), body: JSON.stringify(reply) }
  })
  const listening = await listenLink({ ports: nodePorts, host, port: 0, me: serverIdentity, allowed: [publicKey], handlers: [page], onLink })
  const port = await freePort()
  const origin = `http://approve.localhost:${port}`
  const config: Config = {
    ...storage,
    party: 1,
    name: 'North',
    operator: 'North Data Ltd',
    server: {
      host,
      port: listening.port,
      key: linkPublicKey(serverIdentity),
    },
    peers: null,
    genesisPins: 'any',
    approval: { host, port, origin, rpId: 'approve.localhost', trustedProxies: ['127.0.0.2'] },
  }
  const pageFolder = `${dataFolder}/page`
  await nodePorts.disk.makeFolder(pageFolder)
  await writePage(pageFolder)
  const running = await startSigner({ ports: nodePorts, config, pageFolder, say: () => {} })
  t.after(async () => {
    await running.close()
    await listening.close()
  })
  await server.nextLink.promise
  const organisation = organisationOf({
    nowMs: nodePorts.clock.nowMs(),
    members: [ann, ben, cleo],
    signKeys: [publicKey, ...signSecrets.slice(1).map((secret) => ed25519.getPublicKey(secret))],
  })
  const own = { host: `approve.localhost:${port}`, origin, 'content-type': 'application/json' }
  const post = async (method: string, body: unknown, headers: Record<string, string> = own) => {
    const { status, text } = await send(port, { method: 'POST', path: `/api/${method}`, headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
    return { status, body: JSON.parse(text) as Record<string, any> }
  }
  return {
    running,
    server,
    organisation,
    publicKey,
    port,
    own,
    post,
    get: (path: string, headers: Record<string, string> = own) => send(port, { path, headers }),
  }
}

describe('a started signer', () => {
  it('answers the server over the link, and refuses with a signed statement', async (t) => {
    const { server, organisation, publicKey } = await startOne(t)
    const call = { timeoutMs: 5000 }
    const described = await server.link.call(signerCalls.describe, {}, call)
    assert.deepEqual([described.name, toHex(described.signKey), described.approvalRpId], ['North', toHex(publicKey), 'approve.localhost'])
    const pinned = await server.link.call(signerCalls.pinGenesis, { record: organisation.record }, call)
    assert.ok(openSigned(pinStatementShape, pinned, publicKey))
    await assert.rejects(
      server.link.call(signerCalls.attestKey, { genesis: new Uint8Array(32), keyId: new Uint8Array(32), epoch: 0n }, call),
      (cause: { kind: string; check: string; statement: unknown }) => {
        assert.deepEqual([cause.kind, cause.check, cause.statement !== null], ['refused', 'c2', true])
        return true
      },
    )
  })

  it('ends its sessions when the link is lost, so that the next server finds the key free', async (t) => {
    const { server, organisation } = await startOne(t)
    const call = { timeoutMs: 5000 }
    await server.link.call(signerCalls.pinGenesis, { record: organisation.record }, call)
    const request = (nonce: number): SessionRequest => ({
      kind: 'generateKey',
      protocol: PROTOCOL,
      genesis: organisation.fingerprint,
      keyId: new Uint8Array(32).fill(7),
      epoch: 0n,
      parties: [1n, 2n, 3n],
      purpose: 'payments',
      nonce: new Uint8Array(32).fill(nonce),
    })
    const open = (nonce: number) => server.link.call(signerCalls.openSession, { request: encode(sessionRequestShape, request(nonce)) }, call)
    await open(1)
    await assert.rejects(open(2), /another session with this key is under way/)
    server.nextLink = Promise.withResolvers()
    server.link.close()
    await server.nextLink.promise
    await open(2)
  })
})

describe('the approval origin', () => {
  it('serves the page with headers that let nothing else run, and its hash to the server', async (t) => {
    const { get, server } = await startOne(t)
    const page = await get('/')
    assert.equal(page.status, 200)
    const policy = String(page.headers['content-security-policy'])
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'sha256-",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(rule), rule)
    assert.deepEqual(
      ['cross-origin-opener-policy', 'x-content-type-options', 'referrer-policy', 'cache-control'].map((name) => page.headers[name]),
      ['same-origin', 'nosniff', 'no-referrer', 'no-store'],
    )
    assert.equal((await get('/page.js')).headers['content-type'], 'text/javascript; charset=utf-8')
    const worker = await get('/sw.js')
    assert.deepEqual(
      [worker.status, worker.headers['content-type'], worker.headers['content-security-policy']],
      [200, 'text/javascript; charset=utf-8', "default-src 'none'"],
    )
    assert.equal((await get('/manifest.webmanifest')).headers['content-type'], 'application/manifest+json')
    const { pageHash } = await server.link.call(signerCalls.describe, {}, { timeoutMs: 5000 })
    assert.equal(toHex(pageHash!), toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(page.text)))))
  })

  it('answers under its own name and its listening address only, and calls only from its own page', async (t) => {
    const { get, post, own, port, server } = await startOne(t)
    const names = [`localhost:${port}`, `0.0.0.0:${port}`, '127.0.0.1', 'approve.localhost', 'evil.example']
    for (const name of names) assert.equal((await get('/', { ...own, host: name })).status, 421, name)
    const body = { token: 'x' }
    const address = `127.0.0.1:${port}`
    const origins = ['http://console.localhost:24000', 'null', `https://approve.localhost:${port}`, `http://${address}`]
    for (const origin of origins) {
      assert.equal((await post('setup.get', body, { ...own, origin })).status, 403, origin)
      assert.equal((await post('setup.get', body, { ...own, origin, host: address })).status, 403, `${origin} at the address`)
    }
    const { origin: _, ...withoutOrigin } = own
    assert.equal((await post('setup.get', body, withoutOrigin)).status, 403)
    assert.equal((await post('setup.get', body, { ...own, 'content-type': 'text/plain' })).status, 415)
    assert.equal((await get('/api/setup.get')).status, 404)
    for (const path of ['/index.html', '/../vault-key', '/api/', '/api/setup.get/x']) assert.equal((await get(path)).status, 404, path)
    assert.deepEqual(server.asked, [], 'nothing of it reached the server')
  })

  it('tells the server the language of whoever reads the page, so that its refusals are in it', async (t) => {
    const { server, own, post } = await startOne(t)
    const languages: unknown[] = []
    server.answer = (_, { language }) => {
      languages.push(language)
      return { status: 400, body: { error: 'nothing here' } }
    }
    for (const language of ['zh-CN', 'en-US', 'fr']) await post('order.get', { hash: 'f'.repeat(64) }, { ...own, 'accept-language': language })
    await post('order.get', { hash: 'f'.repeat(64) })
    assert.equal((await post('order.get', { hash: 'f'.repeat(64), language: 'zh_CN' })).status, 400, 'it is no field of a call')
    assert.deepEqual(languages, ['zh_CN', 'en_US', 'en_US', 'en_US'])
  })

  it('refuses by a code, which the page says in its reader’s language, and in a sentence for logs', async (t) => {
    const { post, server } = await startOne(t)
    const refused = async (method: string, body: unknown) => (await post(method, body)).body
    assert.deepEqual(await refused('order.get', { hash: 'x' }), { error: 'An order is named by 64 hexadecimal digits.', code: 'page-order-name' })
    assert.deepEqual(await refused('order.get', {}), { error: 'Give exactly these texts: hash.', code: 'page-other-fields', given: { fields: 'hash' } })
    assert.equal((await refused('order.approve', { approval: '00' })).code, 'page-unreadable')
    server.answer = () => ({ status: 400, body: { error: '没有此订单' } })
    assert.deepEqual(await refused('order.get', { hash: 'f'.repeat(64) }), { error: '没有此订单' }, 'the server has the language already')
    const coded = { error: 'made under another policy version', code: 'approval-other-policy' }
    server.answer = () => ({ status: 400, body: { ...coded, more: 'x' } })
    assert.deepEqual(await refused('order.get', { hash: 'f'.repeat(64) }), coded, 'the server refuses by the same rules for signatures')
    server.answer = () => ({ status: 400, body: {} })
    assert.equal((await refused('order.get', { hash: 'f'.repeat(64) })).code, 'page-server-silent')
  })

  it('passes on the wish to be told on a device when its owner has signed it just now, and no other', async (t) => {
    const { post, server, organisation } = await startOne(t)
    await server.link.call(signerCalls.pinGenesis, { record: organisation.record }, { timeoutMs: 5000 })
    server.answer = (method, body) => ({ status: 200, body: method === 'push.key' ? { key: 'the key', more: 1 } : { on: true, body } })
    assert.deepEqual((await post('push.key', {})).body, { key: 'the key' })
    const wish = (member: typeof ann, atMs: number) => {
      const statement = { endpoint: 'https://push.example/1', on: true, serverKey: new Uint8Array(65), atMs: BigInt(atMs), nonce: new Uint8Array(32) }
      return toHex(encode(pushShape, { statement, assertion: assertWith(member.keys[0], pushChallenge(statement)) }))
    }
    const nowMs = nodePorts.clock.nowMs()
    assert.deepEqual((await post('push.set', { push: wish(ann, nowMs) })).body, { on: true })
    assert.equal((await post('push.set', { push: wish(ann, nowMs - 310_000) })).body.code, 'waiting-out-of-time')
    assert.equal((await post('push.set', { push: wish(outsider, nowMs) })).body.code, 'waiting-strange-key')
    assert.equal((await post('push.set', { push: '00' })).body.code, 'page-unreadable')
    assert.deepEqual(server.asked, ['push.key', 'push.set'])
  })

  it('answers one network only so often, by the address that the proxy names, and others as before', async (t) => {
    const { port, own, server } = await startOne(t)
    const ask = (forwarded: string) => {
      const headers = { ...own, 'x-forwarded-for': forwarded }
      return send(port, { method: 'POST', path: '/api/order.get', headers, body: JSON.stringify({ hash: 'f'.repeat(64) }), from: '127.0.0.2' })
    }
    const statuses: (number | undefined)[] = []
    // A stranger who owns one /64 changes the address with each request. Several come at once, so that a slow machine is not slower than what is allowed.
    while (!statuses.includes(429) && statuses.length < 4_000) {
      const eight = Array.from({ length: 8 }, (_, i) => ask(`2001:db8::${(statuses.length + i).toString(16)}`))
      for (const { status } of await Promise.all(eight)) statuses.push(status)
    }
    assert.ok(statuses.includes(429))
    assert.ok(server.asked.length < statuses.length, `${server.asked.length} of ${statuses.length} calls reached the server`)
    assert.equal((await ask('198.51.100.1')).status, 400)
  })

  it('asks the server for so many strangers at one time, and tells the others that it is busy', async (t) => {
    const { port, own, server } = await startOne(t)
    const held = Promise.withResolvers<void>()
    const allOthersAnswered = Promise.withResolvers<void>()
    server.held = held.promise
    const statuses: number[] = []
    const asked = Array.from({ length: 40 }, async (_, i) => {
      const request = { method: 'POST', path: '/api/setup.get', headers: own, body: JSON.stringify({ token: 'x' }), from: `127.0.0.${10 + (i % 4)}` }
      statuses.push((await send(port, request)).status)
      if (statuses.length === 24) allOthersAnswered.resolve()
    })
    await allOthersAnswered.promise
    assert.deepEqual(new Set(statuses), new Set([503]))
    held.resolve()
    await Promise.all(asked)
    assert.deepEqual(new Set(statuses.slice(24)), new Set([400]))
    assert.equal(server.asked.length, 16)
  })

  it('refuses bodies that are no JSON, too large, or not exactly what a call takes', async (t) => {
    const { post, server } = await startOne(t)
    assert.equal((await post('setup.get', '{')).status, 400)
    assert.equal((await post('setup.get', { token: 'x'.repeat(70_000) })).status, 413)
    for (const body of [null, [], {}, { token: 1 }, { token: 'x', more: 'y' }, { other: 'x' }]) assert.equal((await post('setup.get', body)).status, 400)
    assert.equal((await post('sign.anything', { token: 'x' })).status, 404)
    assert.deepEqual(server.asked, [])
  })

  it('says that it cannot reach the server when it cannot', async (t) => {
    const { post, server } = await startOne(t)
    server.link.close()
    assert.equal((await post('setup.get', { token: 'x' })).status, 503)
  })
})

describe('a set-up shown on the page', () => {
  const view = (organisation: TestOrganisation, changes: Record<string, unknown> = {}) => ({
    setup: {
      name: 'Acme',
      demo: false,
      state: 'accepting',
      members: [],
      genesis: toHex(encode(genesisShape, organisation.genesis)),
      fingerprint: 'f'.repeat(64),
      console_url: '',
      invite: null,
      ...changes,
    },
  })

  it('has the fingerprint this signer computes, whatever the server says', async (t) => {
    const { post, server, organisation } = await startOne(t)
    server.answer = () => ({ status: 200, body: view(organisation) })
    assert.equal((await post('setup.get', { token: 'x' })).body.setup.fingerprint, toHex(organisation.fingerprint))
    server.answer = () => ({ status: 200, body: view(organisation, { genesis: null }) })
    assert.equal((await post('setup.get', { token: 'x' })).body.setup.fingerprint, null)
  })

  it('is not shown when its document does not name this signer', async (t) => {
    const { post, server } = await startOne(t)
    const stranger = organisationOf({ members: [ann, ben], signKeys: signSecrets.map((secret) => ed25519.getPublicKey(secret)) })
    server.answer = () => ({ status: 200, body: view(stranger) })
    const { status, body } = await post('setup.accept', { token: 'x', acceptance: '00' })
    assert.deepEqual([status, /does not name this signer/.test(body.error)], [400, true])
  })

  it("passes on the server's reason", async (t) => {
    const { post, server } = await startOne(t)
    server.answer = () => ({ status: 400, body: { error: 'This link is not valid any more.' } })
    assert.deepEqual(await post('setup.get', { token: 'x' }), { status: 400, body: { error: 'This link is not valid any more.' } })
  })
})

describe('an order on the page', () => {
  async function withOrder(t: TestContext) {
    const started = await startOne(t)
    const { server, organisation } = started
    await server.link.call(signerCalls.pinGenesis, { record: organisation.record }, { timeoutMs: 5000 })
    const { intent } = draftOf({ fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann, nowMs: nodePorts.clock.nowMs() })
    const state = { intent: intent as Intent, approvals: [] as string[] }
    server.answer = (method, body) => {
      if (method === 'order.approve') state.approvals.push(body.approval as string)
      return {
        status: 200,
        body:
          method === 'order.get'
            ? {
                intent: toHex(encode(intentShape, state.intent)),
                approvals: state.approvals,
                state: 'pending',
                policy: 'ff',
              }
            : { state: 'pending', missing: 2 - state.approvals.length },
      }
    }
    return { ...started, intent, state, hash: toHex(intentHash(intent)), approvalOf: (approval: Approval) => toHex(encode(approvalShape, approval)) }
  }

  it('comes with the policy of this signer, not of the server', async (t) => {
    const { post, hash, organisation } = await withOrder(t)
    const { status, body } = await post('order.get', { hash })
    assert.deepEqual([status, body.state], [200, 'pending'])
    assert.deepEqual(decode(policyShape, fromHex(body.policy)), organisation.policy)
  })

  it('is not shown when the server gives another order than was asked for', async (t) => {
    const { post, hash, state, intent } = await withOrder(t)
    state.intent = { ...intent, amount: intent.amount + 1n }
    assert.deepEqual([(await post('order.get', { hash })).status, (await post('order.get', { hash: 'zz' })).status], [400, 400])
  })

  it('is approved by a good approval, which is passed on; a bad one goes nowhere', async (t) => {
    const { post, intent, organisation, approvalOf, state } = await withOrder(t)
    const good = approve(ben, intent, organisation.policy)
    assert.deepEqual(await post('order.approve', { approval: approvalOf(good) }), { status: 200, body: { state: 'pending', missing: 1 } })
    const bad = [
      approve(outsider, intent, organisation.policy),
      approve(ben, intent, organisation.policy, { twist: { origin: 'http://console.localhost' } }),
      { ...good, signedAtMs: good.signedAtMs + 1n },
    ]
    for (const approval of bad) assert.equal((await post('order.approve', { approval: approvalOf(approval) })).status, 400)
    assert.equal((await post('order.approve', { approval: '00' })).status, 400)
    assert.equal(state.approvals.length, 1)
  })

  it('is not approved by a passkey whose counter went back', async (t) => {
    const { post, intent, organisation, approvalOf, state, running } = await withOrder(t)
    const by = (counter: number, signedAtMs: bigint) =>
      approvalOf(approve(ben, intent, organisation.policy, { key: ben.keys[1], twist: { counter }, changes: { signedAtMs } }))
    const approve10 = by(10, intent.notBeforeMs + 1000n)
    for (let i = 0; i < 2; i++) assert.equal((await post('order.approve', { approval: approve10 })).status, 200, 'the same again is heard again')
    const { status, body } = await post('order.approve', { approval: by(3, intent.notBeforeMs + 2000n) })
    assert.deepEqual([status, /there may be a copy/.test(body.error)], [400, true])
    assert.equal(state.approvals.length, 2)
    const { register } = [...running.signer.organisations.values()][0]!
    assert.deepEqual(
      [...register.counters.values()].map(({ counter }) => counter),
      [10],
    )
  })

  it('that somebody rejects here stays rejected for this signer, whatever the server does with the rejection', async (t) => {
    const { post, intent, organisation, approvalOf, running } = await withOrder(t)
    const rejection = approvalOf(approve(cleo, intent, organisation.policy, { decision: 'reject' }))
    await post('order.approve', { approval: rejection })
    await post('order.approve', { approval: rejection })
    const { register } = [...running.signer.organisations.values()][0]!
    assert.deepEqual(register.vetoes.get(toHex(intentHash(intent))), [cleo.person.id])
  })
})
