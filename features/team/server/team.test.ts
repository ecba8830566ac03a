import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import type { ErrorName } from '@holdfast/features/error-catalogue'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import { createSessionFeature } from '@holdfast/features/session/server'
import { currentPolicy, readDirectory } from '@holdfast/features/policy/server'
import { credentialShape } from '@holdfast/intent'
import { newId } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { type Member, openWorld, SECOND_PAGE, type World } from '../../testing/test-world.ts'
import { changeRole, removeMember, resumeMember, suspendMember } from './change-member.ts'
import type { Actor } from './guards.ts'
import { inviteMember, renewInvite } from './invite-member.ts'
import { answerForKey, createKeyLink, keyPageCalls } from './key-links.ts'
import { listPeople, maskAccount, memberView, openMembers } from './list-members.ts'
import { memberDetail, readMember } from './member-detail.ts'
import { endOutOfOffice, readOutOfOffice, saveOutOfOffice } from './out-of-office.ts'
import { insertSampleRows } from '../../../packages/db/src/testing/sample-rows.ts'
import { callAs } from '../../testing/call-as.ts'
import { keyOf } from '../../testing/request-key.ts'
import { getMember, listMembers } from '../contract.ts'
import { teamEndpoints } from './routes.ts'

let world: World
let ann: Member
let ben: Member
let cleo: Member
let owner: Actor
let admin: Actor

const refusedAs =
  (name: ErrorName, reason = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.errorName, name)
    if (error.details.reason !== undefined) assert.match(String(error.details.reason), reason)
    return true
  }
const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const nothing = async () => {}
const invite = (name: string, changes: object = {}, actor = owner, requestId = `invite-${name}`) =>
  world.db.asSystem((tx) =>
    inviteMember(
      tx,
      world.context,
      world.orgId,
      actor,
      {
        key: keyOf(requestId, { name, ...changes }),
        name,
        account: `${name.toLowerCase()}@acme`,
        role: 'approver',
        approver: true,
        language: 'en-US',
        ...changes,
      },
      nothing,
    ),
  )
const role = (personId: string, to: 'owner' | 'admin' | 'viewer' | 'approver', actor = owner) =>
  world.db.asSystem((tx) => changeRole(tx, world.context, world.orgId, actor, { personId, role: to }))
const suspend = (personId: string, actor = owner) =>
  world.db.asSystem((tx) => suspendMember(tx, world.context, world.orgId, actor, { personId, remark: 'on leave' }))
const remove = (personId: string, actor = owner) => world.db.asSystem((tx) => removeMember(tx, world.context, world.orgId, actor, { personId, remark: 'left' }))
const stateOf = async (personId: string) => (await inOrganisation((tx) => readMember(tx, personId))).state
const detailOf = (personId: string) =>
  inOrganisation(async (tx) =>
    memberDetail(
      {
        tx,
        members: await openMembers(tx, { seen: new Map(), nowMs: world.context.ports.clock.nowMs(), showsAccounts: true }),
        language: 'en_US',
        networks: world.context.networks,
      },
      await readMember(tx, personId),
    ),
  )
const openInvites = (personId: string) =>
  world.db.asSystem((tx) => tx.selectFrom('invite').select('token_hash').where('person_id', '=', personId).where('used_at', 'is', null).execute())
const tokenOf = (url: string | undefined) => url!.split('/').at(-1)!
const PAGE = 'http://approve.localhost:24000'
const page = (method: string, body: object, origin = PAGE) => keyPageCalls(world.context)[method]!({ ...body, origin })
const ownLink = (at = PAGE) => world.db.asSystem((tx) => createKeyLink(tx, world.context, { orgId: world.orgId, personId: cleo.id, page: at, madeBy: cleo.id }))
const newCredential = () => {
  const credential = {
    id: world.context.ports.random.bytes(32),
    kind: 'device',
    publicKey: p256.getPublicKey(p256.utils.randomSecretKey()),
    backupEligible: false,
    label: 'Browser key',
  }
  return { credential, hex: toHex(encode(credentialShape, credential)) }
}

describe('members', () => {
  before(async () => {
    world = await openWorld({ secondPage: true })
    ;[ann, ben, cleo] = world.members
    owner = { personId: ann.id, role: 'owner', language: 'en_US' }
    admin = { personId: ben.id, role: 'admin', language: 'en_US' }
    await inOrganisation((tx) => tx.updateTable('person').set({ role: 'owner' }).where('org_id', '=', world.orgId).where('id', '=', ann.id).execute())
  })
  after(() => world.close())

  it('the last active owner stays one: not demoted, not suspended, not removed, not even by themselves', async () => {
    await assert.rejects(role(ann.id, 'viewer'), refusedAs('last_owner'))
    const elsewhere = { ...owner, personId: ben.id }
    await assert.rejects(suspend(ann.id, elsewhere), refusedAs('last_owner'))
    await assert.rejects(remove(ann.id, elsewhere), refusedAs('last_owner'))
    await role(ben.id, 'owner')
    await role(ann.id, 'admin')
    await assert.rejects(role(ben.id, 'admin', elsewhere), refusedAs('last_owner'))
    await role(ann.id, 'owner', elsewhere)
    await role(ben.id, 'admin')
  })

  it('two owners who demote each other at the same moment leave one', async () => {
    await role(ben.id, 'owner')
    const outcomes = await Promise.allSettled([role(ann.id, 'admin', { ...owner, personId: ben.id }), role(ben.id, 'admin')])
    assert.deepEqual(outcomes.map((each) => each.status).sort(), ['fulfilled', 'rejected'])
    const owners = await inOrganisation((tx) => tx.selectFrom('person').select('id').where('org_id', '=', world.orgId).where('role', '=', 'owner').execute())
    assert.equal(owners.length, 1)
    await inOrganisation((tx) => tx.updateTable('person').set({ role: 'owner' }).where('org_id', '=', world.orgId).where('id', '=', ann.id).execute())
    await inOrganisation((tx) => tx.updateTable('person').set({ role: 'admin' }).where('org_id', '=', world.orgId).where('id', '=', ben.id).execute())
  })

  it('who will not be there says so, is warned of what nobody can complete then, and gives nobody a vote by it', async () => {
    const nowMs = world.context.ports.clock.nowMs()
    const away = (input: object, actor = admin) =>
      inOrganisation((tx) => saveOutOfOffice(tx, world.context, actor, { from: nowMs, to: nowMs + 86_400_000, note: '', ...input }))
    for (const [input, reason] of [
      [{ to: nowMs - 1 }, /later/],
      [{ to: nowMs + 400 * 86_400_000 }, /within a year/],
      [{ delegate: ben.id }, /somebody else/],
    ] as const)
      await assert.rejects(away(input), refusedAs('invalid_parameters', reason))
    await assert.rejects(away({ delegate: newId(nowMs, world.context.ports.random) }), refusedAs('resource_not_found'))
    const before = await inOrganisation(currentPolicy)
    const warnings = await away({ delegate: cleo.id, note: 'Ask Cleo' })
    assert.match(warnings[0]!, /^rule “payments” needs 2 .* only Ann, Cleo could give one$/)
    assert.deepEqual((await inOrganisation(currentPolicy)).hash, before.hash)
    const detail = await detailOf(ben.id)
    assert.deepEqual(detail.out_of_office, {
      from: nowMs,
      to: nowMs + 86_400_000,
      delegate: { user_id: cleo.id, name: 'Cleo' },
      note: 'Ask Cleo',
      now: true,
    })
    const at = (ms: number) => inOrganisation((tx) => readOutOfOffice(tx, ms))
    assert.equal((await at(nowMs - 1)).get(ben.id)!.now, false)
    assert.equal((await at(nowMs + 86_400_000)).size, 0)
    await inOrganisation((tx) => endOutOfOffice(tx, world.context, admin))
    await inOrganisation((tx) => endOutOfOffice(tx, world.context, admin))
    assert.equal((await detailOf(ben.id)).out_of_office, null)
  })

  it('an administrator makes no owner, touches none, and suspends not themselves', async () => {
    await assert.rejects(role(cleo.id, 'owner', admin), refusedAs('owner_only'))
    await assert.rejects(role(ann.id, 'viewer', admin), refusedAs('owner_only'))
    await assert.rejects(suspend(ann.id, admin), refusedAs('owner_only'))
    await assert.rejects(invite('Mallory', { role: 'owner' }, admin), refusedAs('owner_only'))
    await assert.rejects(suspend(ben.id, admin), refusedAs('own_account'))
  })

  it('nobody is suspended whom a rule cannot do without, and the rule is named', async () => {
    await assert.rejects(
      suspend(cleo.id),
      refusedAs('quorum_would_break', /rule “payments” needs 2 approvals apart from the requester's.*Ann, Ben.*changing the policy needs 2/),
    )
    assert.equal(await stateOf(cleo.id), 'active')
    const { against } = await detailOf(cleo.id)
    assert.equal(against.suspend.length, 2)
    assert.match(against.suspend[0]!, /^Rule “payments” needs 2 .* Propose a policy change first\.$/)
    const named = /^The policy names Cleo: approver of rule “payments”, may make requests under rule “payments”, governs the policy\. Propose/
    assert.match(against.remove[0]!, named)
  })

  it('nobody is removed while the policy names them: the signers would still count their key', async () => {
    await assert.rejects(remove(cleo.id), refusedAs('named_in_policy', /approver of rule “payments”/))
  })

  it('a change of the policy stays possible: the last who could propose one keeps the role that lets them', async () => {
    await role(cleo.id, 'viewer')
    await role(ben.id, 'viewer')
    // Ann alone may propose now, and her own word never counts: Ben and Cleo can still approve.
    await role(ben.id, 'admin')
    await role(cleo.id, 'admin')
    const { events } = await detailOf(ben.id)
    assert.deepEqual([events[0]!.kind, events[0]!.from, events[0]!.to, events[0]!.actor], ['role_changed', 'viewer', 'admin', 'Ann'])
  })

  it('a new member gets a link to join and one to make a key at each approval page; each is worth something once', async () => {
    const links = await invite('Dora')
    assert.match(links.sign_in_url!, /^http:\/\/localhost:24001\/login#invite=[\w-]{43}$/)
    assert.match(links.key_links[0]!.url, /^http:\/\/approve\.localhost:24000\/#\/key\/[0-9a-f]{64}$/)
    assert.deepEqual(
      links.key_links.map((each) => [each.page, new URL(each.url).origin]),
      [PAGE, SECOND_PAGE.origin].map((origin) => [origin, origin]),
    )
    assert.equal(await stateOf(links.user_id), 'invited')
    const again = await invite('Dora')
    assert.equal(again.user_id, links.user_id, 'the same request is the same member')
    await assert.rejects(page('key.get', { token: tokenOf(links.key_links[0]?.url) }), refusedAs('invite_invalid'), 'the first link is worth nothing any more')
    await assert.rejects(invite('Dora', {}, owner, 'another-request'), refusedAs('account_taken'))
    const token = tokenOf(again.key_links[0]?.url)
    const offer = (await page('key.get', { token })) as { offer: { name: string; genesis: string } }
    assert.deepEqual([offer.offer.name, offer.offer.genesis], ['Dora', toHex((await inOrganisation((tx) => currentPolicy(tx))).fingerprint)])
    const { credential, hex } = newCredential()
    await page('key.enrol', { token, credential: hex })
    await page('key.enrol', { token, credential: hex })
    await assert.rejects(page('key.enrol', { token, credential: newCredential().hex }), refusedAs('invite_invalid'), 'used')
    const { keys, approver, events } = await detailOf(again.user_id)
    assert.deepEqual([keys.length, keys[0]!.fingerprint, keys[0]!.in_policy, approver], [1, toHex(credential.publicKey), false, false])
    assert.deepEqual(
      events.map((each) => each.kind),
      ['key_enrolled', 'invited'],
    )
    const directory = await inOrganisation((tx) => readDirectory(tx))
    assert.equal(directory.keys.filter((each) => each.personId === again.user_id).length, 1)
  })

  it('a key made with a link of somebody else is not said to be made by its person, and waits for their word', async () => {
    const { key_links: keyLinks } = await world.db.asSystem((tx) =>
      renewInvite(tx, world.context, world.orgId, admin, { personId: cleo.id, approver: true }, nothing),
    )
    const { credential, hex } = newCredential()
    await page('key.enrol', { token: tokenOf(keyLinks[0]?.url), credential: hex })
    const before = await detailOf(cleo.id)
    const [event] = before.events
    assert.deepEqual([event!.kind, event!.actor], ['key_enrolled', 'Ben'], 'Ben had the link; that Cleo made the key nobody knows')
    const originOf = async () => (await detailOf(cleo.id)).keys.find((key) => key.fingerprint === toHex(credential.publicKey))?.origin
    assert.deepEqual(await originOf(), { link_by: 'Ben', answer: 'waiting' })
    const keyId = toHex(credential.id)
    const made = async () => (await inOrganisation((tx) => readDirectory(tx))).keys.find((each) => toHex(each.credential.id) === keyId)
    assert.deepEqual([(await made())!.confirmed, (await made())!.linkBy], [false, 'Ben'])
    const answer = (personId: string, isMine: boolean) => inOrganisation((tx) => answerForKey(tx, world.context, { personId, keyId, isMine }))
    await assert.rejects(answer(ben.id, true), refusedAs('resource_not_found'), 'nobody else answers for her')
    await answer(cleo.id, true)
    assert.deepEqual([(await made())!.confirmed, await originOf()], [true, { link_by: 'Ben', answer: 'confirmed' }])
    await assert.rejects(answer(cleo.id, false), refusedAs('resource_not_found'), 'said once')
    assert.deepEqual((await detailOf(cleo.id)).events[0]!.kind, 'key_confirmed')
  })

  it('a key that its person says is not theirs is never offered to a policy', async () => {
    const { key_links: keyLinks } = await world.db.asSystem((tx) =>
      renewInvite(tx, world.context, world.orgId, admin, { personId: cleo.id, approver: true }, nothing),
    )
    const { credential, hex } = newCredential()
    await page('key.enrol', { token: tokenOf(keyLinks[0]?.url), credential: hex })
    await inOrganisation((tx) => answerForKey(tx, world.context, { personId: cleo.id, keyId: toHex(credential.id), isMine: false }))
    const directory = await inOrganisation((tx) => readDirectory(tx))
    assert.equal(
      directory.keys.some((each) => toHex(each.credential.id) === toHex(credential.id)),
      false,
    )
    assert.equal((await detailOf(cleo.id)).events[0]!.kind, 'key_denied')
  })

  it('a key made with a link of one own needs no further word', async () => {
    const { url } = await ownLink()
    const { credential, hex } = newCredential()
    await page('key.enrol', { token: tokenOf(url), credential: hex })
    const directory = await inOrganisation((tx) => readDirectory(tx))
    assert.equal(directory.keys.find((each) => toHex(each.credential.id) === toHex(credential.id))!.confirmed, true)
    assert.equal((await detailOf(cleo.id)).events[0]!.actor, 'Cleo')
  })

  it('a key link is for one page: opened at another it is worth nothing, and a newer link for one page leaves that for the other', async () => {
    const away = SECOND_PAGE.origin
    const [first, second] = [tokenOf((await ownLink()).url), tokenOf((await ownLink(away)).url)]
    await assert.rejects(page('key.get', { token: second }), refusedAs('invite_invalid'), 'opened at the first page')
    await assert.rejects(page('key.enrol', { token: second, credential: newCredential().hex }), refusedAs('invite_invalid'))
    await assert.rejects(page('key.get', { token: first }, away), refusedAs('invite_invalid'))
    await page('key.get', { token: first })
    const { credential, hex } = newCredential()
    await page('key.enrol', { token: second, credential: hex }, away)
    await page('key.get', { token: first })
    const made = (await inOrganisation((tx) => readDirectory(tx))).keys.find((each) => toHex(each.credential.id) === toHex(credential.id))
    assert.equal(made?.page, away)
    assert.equal((await detailOf(cleo.id)).keys.find((key) => key.key_id === toHex(credential.id))?.page, away)
    await ownLink()
    await assert.rejects(page('key.get', { token: first }), refusedAs('invite_invalid'), 'a newer link for its page')
  })

  it('of two invitations of one account at the same moment, one is an account and the other hears that it is taken', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    const outcomes = await Promise.allSettled(names.map((name) => invite('Elif', {}, owner, `at-once-${name}`)))
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.equal(refusals.length, names.length - 1)
    for (const refusal of refusals) assert.ok(refusedAs('account_taken')(refusal))
  })

  it('nobody is invited under a name that looks like another member’s, also where both are invited at the same moment', async () => {
    await assert.rejects(invite('Аnn'.replace('nn', 'NN')), refusedAs('name_taken'))
    await assert.rejects(invite('CIeo', { account: 'another@acme' }), refusedAs('name_taken'))
    const names = ['Olivia Ko', 'OIivia Ko', 'Оlivia Ko', 'olivia-ko']
    const outcomes = await Promise.allSettled(names.map((name, i) => invite(name, { account: `olivia.${i}@acme` }, owner, `alike-at-once-${i}`)))
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.equal(refusals.length, names.length - 1)
    for (const refusal of refusals) assert.ok(refusedAs('name_taken')(refusal))
  })

  it('a key that somebody has already, or that is no key, is not taken, and the link stays good', async () => {
    const { policy } = await inOrganisation((tx) => currentPolicy(tx))
    const known = policy.people[0]!.credentials[0]!
    const { url } = await ownLink()
    const token = tokenOf(url)
    const { credential } = newCredential()
    const bad = [
      { ...credential, publicKey: known.publicKey },
      { ...credential, id: known.id },
    ]
    for (const each of bad)
      await assert.rejects(page('key.enrol', { token, credential: toHex(encode(credentialShape, each)) }), refusedAs('registration_failed'))
    const wrong = [
      { ...credential, publicKey: new Uint8Array(33).fill(5) },
      { ...credential, kind: 'other' },
      { ...credential, id: new Uint8Array(3) },
    ]
    for (const each of wrong)
      await assert.rejects(page('key.enrol', { token, credential: toHex(encode(credentialShape, each)) }), refusedAs('invalid_parameters'))
    await assert.rejects(page('key.enrol', { token, credential: 'zz' }), refusedAs('invalid_parameters'))
    for (const token of ['', 'x', '0'.repeat(64)]) await assert.rejects(page('key.get', { token }), refusedAs('invite_invalid'))
    await page('key.get', { token })
    world.clock.aheadMs = 8 * 86_400_000
    await assert.rejects(page('key.get', { token }), refusedAs('invite_invalid'), 'after a week')
    world.clock.aheadMs = 0
    assert.equal(fromHex(token).length, 32)
  })

  it('a suspended member is out at once and comes back; a removed one is out for good, and their links with them', async () => {
    const { user_id: personId, key_links: keyLinks, sign_in_url: signIn } = await invite('Emil')
    const session = createSessionFeature({ ports: world.context.ports, db: world.db, secretKeys: [new Uint8Array(32)], demo: false })
    const token = world.context.ports.random.bytes(32)
    const nowMs = world.context.ports.clock.nowMs()
    await world.db.asSystem(async (tx) => {
      await tx
        .insertInto('session')
        .values({
          id: token,
          org_id: world.orgId,
          person_id: personId,
          ip: '',
          user_agent: '',
          created_at: nowMs,
          last_seen_at: nowMs,
          expires_at: nowMs + 60_000,
        })
        .execute()
      await tx.updateTable('person').set({ state: 'active' }).where('org_id', '=', world.orgId).where('id', '=', personId).execute()
    })
    assert.ok(await session.authority.resolve(token, false))
    assert.deepEqual(await suspend(personId), [toHex(token)])
    assert.equal(await session.authority.resolve(token, false), undefined)
    await assert.rejects(page('key.get', { token: tokenOf(keyLinks[0]?.url) }), refusedAs('invite_invalid'))
    await inOrganisation((tx) => resumeMember(tx, world.context, owner, { personId, remark: '' }))
    assert.equal(await stateOf(personId), 'invited', 'who never chose a way to sign in is invited again')
    await page('key.get', { token: tokenOf(keyLinks[0]?.url) })
    assert.deepEqual(await remove(personId), [])
    assert.equal(await stateOf(personId), 'removed')
    await assert.rejects(page('key.get', { token: tokenOf(keyLinks[0]?.url) }), refusedAs('invite_invalid'))
    await assert.rejects(role(personId, 'admin'), refusedAs('resource_not_found'))
    assert.deepEqual([await openInvites(personId), signIn === null], [[], false])
    const { rows } = await inOrganisation((tx) => listPeople(tx, { page_no: 1, page_size: 50 }, { showsAccounts: false }))
    assert.ok(!rows.some((each) => each.id === personId), 'who left is not listed unless asked for')
  })

  it('who has joined gets no new link to sign in from others', async () => {
    const renewing = (personId: string, approver: boolean) =>
      world.db.asSystem((tx) => renewInvite(tx, world.context, world.orgId, owner, { personId, approver }, nothing))
    await assert.rejects(renewing(ben.id, false), refusedAs('state_changed'))
    const links = await renewing(ben.id, true)
    assert.deepEqual([links.sign_in_url, links.key_links.length], [null, 2])
  })

  it('asking once more for an invitation is no way into the account of who has joined, and needs a code as the first one did', async () => {
    const asked = { name: 'Frida', account: 'frida@acme', role: 'viewer' as const, approver: false, language: 'en-US' as const, key: keyOf('invite-frida') }
    let codes = 0
    const again = (actor: Actor) => world.db.asSystem((tx) => inviteMember(tx, world.context, world.orgId, actor, asked, async () => void codes++))
    const { user_id: personId } = await again(admin)
    await again(admin)
    assert.equal(codes, 2)
    await role(personId, 'owner')
    await assert.rejects(again(admin), refusedAs('owner_only'), 'an invited owner is asked again by owners alone')
    await inOrganisation((tx) => tx.updateTable('person').set({ state: 'active' }).where('org_id', '=', world.orgId).where('id', '=', personId).execute())
    for (const actor of [admin, owner]) await assert.rejects(again(actor), refusedAs(actor === admin ? 'owner_only' : 'state_changed'))
    await role(personId, 'viewer')
    await assert.rejects(again(admin), refusedAs('state_changed'), 'a link would be a way into their account')
    assert.deepEqual(await openInvites(personId), [])
  })

  it('a link to join that was made before its person became an owner leads nowhere', async () => {
    const { user_id: personId } = await invite('Greta', { role: 'viewer', approver: false }, admin)
    assert.equal((await openInvites(personId)).length, 1)
    await role(personId, 'owner')
    assert.deepEqual(await openInvites(personId), [])
  })

  it('belongs to one organisation: nothing of another is read or changed', async () => {
    const other = await insertSampleRows(world.db, 'other')
    await assert.rejects(role(other.personId, 'admin'), refusedAs('resource_not_found'))
    await assert.rejects(suspend(other.personId), refusedAs('resource_not_found'))
    await assert.rejects(remove(other.personId), refusedAs('resource_not_found'))
    await assert.rejects(detailOf(other.personId), refusedAs('resource_not_found'))
  })

  it('is listed and read by whoever may, with account names and devices only where the reader has the right to them, or is the person', async () => {
    const endpoints = teamEndpoints(world.context, {} as never)
    const as = (permissions: string[], personId = ann.id) => ({ orgId: world.orgId, personId, permissions })
    const names = async (permissions: string[], keyword = 'ben') =>
      (await callAs(endpoints, listMembers, { keyword } as never, as(permissions))).list.map((each) => [each.nick_name, each.account_masked])
    assert.deepEqual([await names([]), await names(['member.write'])], [[['Ben', 'b***n@acme']], [['Ben', 'ben@acme']]])
    assert.deepEqual([await names([], 'ben@acm'), await names(['member.write'], 'ben@acm')], [[], [['Ben', 'ben@acme']]], 'no masked name is searched')
    const read = (permissions: string[], personId = ann.id) => callAs(endpoints, getMember, { user_id: ben.id }, as(permissions, personId))
    assert.deepEqual([(await read([])).devices, Array.isArray((await read(['login_history.read'])).devices)], [null, true])
    assert.deepEqual([(await read([], ben.id)).account_masked, Array.isArray((await read([], ben.id)).devices)], ['ben@acme', true])
    await assert.rejects(callAs(endpoints, getMember, { user_id: newId(1, world.context.ports.random) }, as([])), refusedAs('resource_not_found'))
    const foreign = newId(2, world.context.ports.random)
    await assert.rejects(callAs(endpoints, listMembers, { wallet_id: foreign } as never, as([])), refusedAs('wallet_not_found'))
  })

  it('lists say who approves what, and hide account names from those who manage nobody', async () => {
    const views = await inOrganisation(async (tx) => {
      const members = await openMembers(tx, { seen: new Map([[ben.id, 5]]), nowMs: 0, showsAccounts: false })
      return (await listPeople(tx, { keyword: 'BEN', page_no: 1, page_size: 10 }, members)).rows.map((row) => memberView(members, row))
    })
    assert.equal(views.length, 1)
    const [view] = views
    assert.deepEqual(
      [view!.nick_name, view!.account_masked, view!.approver, view!.rules, view!.governs, view!.last_seen_at, view!.keys[0]!.in_policy],
      ['Ben', 'b***n@acme', true, ['payments'], true, 5, true],
    )
    assert.deepEqual(['dora@example.com', 'ab@x', 'alone'].map(maskAccount), ['d***a@example.com', '***@x', 'a***e'])
    const wild = await inOrganisation((tx) => listPeople(tx, { keyword: '%', page_no: 1, page_size: 10 }, { showsAccounts: true }))
    assert.equal(wild.total, 0, 'a sign of the pattern language means itself')
  })
})
