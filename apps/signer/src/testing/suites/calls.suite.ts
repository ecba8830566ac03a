import assert from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { bitcoinChain } from '@holdfast/chain-bitcoin/codec'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import type { PolicyChangeIntent } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { parseCheckpoint, verifyCosignature } from '@holdfast/log'
import { derivePublicKey, PROTOCOL } from '@holdfast/mpc'
import { genesisRecordShape, type Policy, policyChangeRecordShape, policyHash, policyShape } from '@holdfast/policy'
import { addressesStatementShape, addressStatementShape, addressTree, openSigned, pinStatementShape, sessionRequestShape } from '@holdfast/protocol'
import { createCalls } from '../../calls/calls.ts'
import { applyPolicy, cosignAll, openCluster, openSigner, restart, resultOf, runSession, TestTime } from '../cluster.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { Log } from '../log-of.ts'
import { CHAIN, DAY_MS, NOW_MS, organisationOf, TRX } from '../organisation-of.ts'
import { approve, makeMember, type Member } from '../people.ts'
import { tempFolder } from '../temp-folder.ts'
import { ann, ben, cleo, outsider } from '../world-of.ts'

/** What the server may ask besides sessions. `get` gives the founded organisation, which exists once the tests run. */
export function callSuite(get: () => Founded): void {
  const refused =
    (check: string, words = /./) =>
    (cause: PeerError) => {
      assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
      assert.match(cause.message, words)
      return true
    }
  const callsOf = (office: Office, party = 1) => office.calls.get(party)!
  const signKeyOf = (party: number) => get().organisation.genesis.signers[party - 1]!.signKey

  describe('pinning an organisation', () => {
    /** A new cluster, and a document that names its signers. */
    async function newCluster(t: Parameters<typeof openOffice>[0], changes: Parameters<typeof openCluster>[1] = {}) {
      const cluster = await openCluster(await tempFolder(t), changes)
      t.after(() => cluster.close())
      const signKeys = [1, 2, 3].map((party) => cluster.signers.get(party)!.options.identity.publicKey)
      return { cluster, signKeys, pin: (record: Uint8Array) => cluster.calls.get(1)!.pinGenesis({ record }) }
    }
    const members = [ann, ben]

    it('is stated under signature, survives a restart and can be asked for again', async (t) => {
      const { cluster, signKeys, pin } = await newCluster(t)
      const { record, fingerprint } = organisationOf({ members, signKeys })
      const statement = openSigned(pinStatementShape, await pin(record), signKeys[0]!)!
      assert.deepEqual([toHex(statement.genesis), statement.party], [toHex(fingerprint), 1n])
      await pin(record)
      await restart(cluster, 1)
      assert.equal((await cluster.calls.get(1)!.status({ genesis: fingerprint })).pinned, true)
      assert.ok(await cluster.calls.get(1)!.pinGenesis({ record }))
    })

    it('is refused unless the owner of the signer allows that organisation', async (t) => {
      const { cluster, signKeys, pin } = await newCluster(t, { genesisPins: [] })
      const { record, fingerprint } = organisationOf({ members, signKeys })
      await assert.rejects(pin(record), refused('c2', /SIGNER_GENESIS_PINS/))
      Object.assign(cluster.signers.get(1)!.options.config, { genesisPins: [fingerprint] })
      assert.ok(await pin(record))
    })

    it('is refused when the document does not name this signer, in its place, with its key', async (t) => {
      const { signKeys, pin } = await newCluster(t)
      const [one, two, three] = signKeys as [Uint8Array, Uint8Array, Uint8Array]
      for (const keys of [
        [two, one, three],
        [two, three, new Uint8Array(32).fill(1)],
      ])
        await assert.rejects(pin(organisationOf({ members, signKeys: keys }).record), refused('c2', /does not name this signer/))
    })

    it('is refused when the document names peers this signer was not told of', async (t) => {
      const { cluster, signKeys, pin } = await newCluster(t)
      const { record } = organisationOf({ members, signKeys })
      Object.assign(cluster.signers.get(1)!.options.config, { peers: [signKeys[1]!] })
      await assert.rejects(pin(record), refused('c2', /SIGNER_PEERS/))
      Object.assign(cluster.signers.get(1)!.options.config, { peers: [signKeys[1]!, signKeys[2]!] })
      assert.ok(await pin(record))
    })

    it('is refused for a second document of one organisation, also when both come at once', async (t) => {
      const { signKeys, pin } = await newCluster(t)
      const [one, other] = [organisationOf({ members, signKeys }), organisationOf({ members, signKeys, threshold: 1 })]
      const pinned = await Promise.allSettled([pin(one.record), pin(other.record)])
      assert.deepEqual(
        pinned.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      )
      await assert.rejects(pin(other.record), refused('c2', /another document/))
      assert.ok(await pin(organisationOf({ name: 'Other', members, signKeys }).record))
    })

    it('is refused for a document that not everybody has accepted, or that is none', async (t) => {
      const { signKeys, pin } = await newCluster(t)
      const record = decode(genesisRecordShape, organisationOf({ members, signKeys }).record)
      await assert.rejects(pin(encode(genesisRecordShape, { ...record, acceptances: record.acceptances.slice(1) })), refused('c2', /not yet accepted by Ann/))
      await assert.rejects(pin(Uint8Array.of(1)), refused('c2'))
    })

    it('comes before everything else', async (t) => {
      const { cluster } = await newCluster(t)
      const genesis = new Uint8Array(32).fill(3)
      const calls = cluster.calls.get(1)!
      assert.deepEqual(await calls.status({ genesis }), { pinned: false, policyVersion: 0n, logSize: 0n, journal: 0n, locked: [], frozen: [], away: null })
      await assert.rejects(calls.cosignCheckpoint({ genesis, size: 0n, root: genesis, oldSize: 0n, proof: [] }), refused('c2'))
      await assert.rejects(calls.attestKey({ genesis, keyId: genesis, epoch: 0n }), refused('c2'))
    })

    it('of an organisation whose policy names no recovery recipients makes no key', async (t) => {
      const { cluster, signKeys, pin } = await newCluster(t)
      const { record, fingerprint } = organisationOf({
        members,
        signKeys,
        policy: {
          recovery: [
            { kind: 'single', party: 1n, recipients: [] },
            { kind: 'single', party: 2n, recipients: ['age1x'] },
          ],
        },
      })
      await pin(record)
      const request = {
        kind: 'generateKey' as const,
        protocol: PROTOCOL,
        genesis: fingerprint,
        keyId: fingerprint,
        epoch: 0n,
        parties: [1n, 2n, 3n],
        purpose: 'payments',
        nonce: fingerprint,
      }
      await assert.rejects(cluster.calls.get(1)!.openSession({ request: encode(sessionRequestShape, request) }), refused('c3', /recovery/))
    })
  })

  describe('a change of policy', () => {
    /** The next version of the founded policy, proposed by Ann and signed by those given. */
    function changeOf(
      changes: Partial<Policy>,
      signers: Member[],
      { newSigners = [], intent: intentChanges = {} }: { newSigners?: Member[]; intent?: Partial<PolicyChangeIntent> } = {},
    ): Uint8Array {
      const { policy, fingerprint } = get().organisation
      const next = { ...policy, genesis: fingerprint, version: 2n, previous: policyHash(policy), ...changes } as Policy
      const intent: PolicyChangeIntent = {
        kind: 'policyChange',
        genesis: fingerprint,
        orderId: new Uint8Array(16),
        newPolicy: encode(policyShape, next),
        notBeforeMs: BigInt(NOW_MS - 1000),
        expiresAtMs: BigInt(NOW_MS + DAY_MS),
        policyVersion: 1n,
        policyHash: policyHash(policy),
        initiator: ann.person.id,
        nonce: new Uint8Array(32),
        ...intentChanges,
      }
      const { kind: _, ...body } = intent
      return encode(policyChangeRecordShape, {
        intent: body,
        approvals: signers.map((member) => approve(member, intent, policy)),
        newApprovals: newSigners.map((member) => approve(member, intent, policy)),
      })
    }
    const genesis = () => get().organisation.fingerprint
    const apply = (office: Office, record: Uint8Array) => applyPolicy(office.calls, genesis(), record, [1])

    it('signed by those who govern is in force at once and after a restart; orders made before it are refused', async (t) => {
      const office = await openOffice(t, get())
      const record = changeOf({ expiresAtMs: BigInt(NOW_MS + 9 * DAY_MS) }, [ben, cleo])
      assert.deepEqual(await apply(office, record), [2n])
      assert.deepEqual(await apply(office, record), [2n], 'asked for again, it changes nothing')
      await assert.rejects(callsOf(office).openSession({ request: encode(sessionRequestShape, await office.request()) }), refused('c3'))
      await restart(office, 1)
      assert.equal((await callsOf(office).status({ genesis: genesis() })).policyVersion, 2n)
    })

    it('puts a signer that has not heard of it out of every session with one that has', async (t) => {
      const office = await openOffice(t, get())
      await apply(office, changeOf({}, [ben, cleo]))
      const request = { kind: 'pairSetup' as const, genesis: genesis(), keyId: get().key.keyId, epoch: 0n, parties: [1n, 2n], nonce: genesis() }
      const outcomes = await runSession(office.calls, request)
      assert.ok(refused('c12', /policy version 2/)(outcomes.get(2) as PeerError))
    })

    it('is refused for every other version, quorum, time or people', async (t) => {
      const office = await openOffice(t, get())
      const bad: [Uint8Array, RegExp][] = [
        [changeOf({}, [ben]), /lacks 1 approval/],
        [changeOf({}, [ann, ben]), /lacks 1 approval/],
        [changeOf({ version: 3n }, [ben, cleo]), /version 3/],
        [changeOf({ version: 1n }, [ben, cleo]), /version 1/],
        [changeOf({ previous: new Uint8Array(32) }, [ben, cleo]), /another version/],
        [changeOf({ genesis: new Uint8Array(32) }, [ben, cleo]), /another organisation/],
        [changeOf({}, [ben, cleo], { intent: { expiresAtMs: BigInt(NOW_MS - 1) } }), /signed outside|not open/],
        [changeOf({}, [ben, cleo], { intent: { notBeforeMs: BigInt(NOW_MS + 1) } }), /not open/],
        [
          changeOf(
            { people: [...get().organisation.policy.people, outsider.person], governance: { approvers: [outsider.person.id, ben.person.id], threshold: 1n } },
            [ben, cleo],
          ),
          /lacks 1 approval/,
        ],
        [Uint8Array.of(7), /./],
      ]
      for (const [record, words] of bad) await assert.rejects(apply(office, record), refused('c3', words))
      assert.equal((await callsOf(office).status({ genesis: genesis() })).policyVersion, 1n)
    })

    it('that brings in new governors needs them too', async (t) => {
      const office = await openOffice(t, get())
      const dora = makeMember('Dora')
      const changes = {
        people: [...get().organisation.policy.people, dora.person],
        governance: { approvers: [dora.person.id, ben.person.id], threshold: 2n },
      }
      await assert.rejects(apply(office, changeOf(changes, [ben, cleo], { newSigners: [ben] })), refused('c3', /who are to govern/))
      assert.deepEqual(await apply(office, changeOf(changes, [ben, cleo], { newSigners: [ben, dora] })), [2n])
    })
  })

  describe('signing checkpoints of the log', () => {
    it('follows the log as it grows, across a restart', async (t) => {
      const office = await openOffice(t, get())
      for (let i = 0; i < 5; i++) {
        office.log.append('intent', Uint8Array.of(i))
        const lines = await cosignAll(office, office.log)
        const note = parseCheckpoint(office.log.note(lines))
        assert.ok([1, 2, 3].every((party) => verifyCosignature(note, `signer-${party}`, signKeyOf(party))))
        if (i === 2) await restart(office, 1)
      }
      assert.equal((await callsOf(office).status({ genesis: office.log.genesis })).logSize, 6n)
    })

    it('is refused for a log that was forked, shrunk or rewritten, and that is written down', async (t) => {
      const office = await openOffice(t, get())
      const { genesis } = office.log
      for (let i = 0; i < 4; i++) office.log.append('intent', Uint8Array.of(i))
      await cosignAll(office, office.log)
      const fork = new Log(genesis)
      for (let i = 0; i < 9; i++) fork.append('intent', Uint8Array.of(99, i))
      const calls = callsOf(office)
      const ask = (size: number, proof = fork.tree.consistencyProof(Math.min(5, size), size)) =>
        calls.cosignCheckpoint({
          genesis,
          size: BigInt(size),
          root: fork.tree.root(size),
          oldSize: 5n,
          proof,
        })
      await assert.rejects(ask(9), refused('c11', /does not continue/))
      await assert.rejects(ask(5), refused('c11', /does not continue/))
      await assert.rejects(ask(4, []), refused('c11', /shrunk/))
      const { journal } = await calls.status({ genesis })
      await assert.rejects(ask(8), refused('c11'))
      assert.equal((await calls.status({ genesis })).journal, journal + 1n)
    })

    it('tells a caller that is behind where this signer is', async (t) => {
      const office = await openOffice(t, get())
      await cosignAll(office, office.log)
      const { size, root } = office.log.checkpoint
      await assert.rejects(callsOf(office).cosignCheckpoint({ genesis: office.log.genesis, size: BigInt(size), root, oldSize: 0n, proof: [] }), {
        kind: 'fault',
        message: /at size 1 of the log/,
      })
    })

    it('lets nothing be signed by a proof against a checkpoint of somebody else', async (t) => {
      const office = await openOffice(t, get())
      const request = office.requestWithoutCosigning()
      await assert.rejects(callsOf(office).openSession({ request: encode(sessionRequestShape, request) }), refused('c11'))
      await cosignAll(office, office.log, [1])
      assert.ok(await callsOf(office).openSession({ request: encode(sessionRequestShape, request) }))
      await assert.rejects(callsOf(office, 2).openSession({ request: encode(sessionRequestShape, request) }), refused('c11'))
    })
  })

  describe('what a signer states', () => {
    it("of an address, all three state of the same path, and it is the key's", async (t) => {
      const office = await openOffice(t, get())
      const { keyId, publicKey, chainCode } = get().key
      const asked = { genesis: get().organisation.fingerprint, keyId, epoch: 0n, path: [0n, 3n], chain: CHAIN }
      for (const party of [1, 2, 3]) {
        const statement = openSigned(addressStatementShape, await callsOf(office, party).attestAddress(asked), signKeyOf(party))!
        assert.equal(statement.address, codecFor(CHAIN)!.addressFromKey(derivePublicKey(PROTOCOL, publicKey, chainCode, [0, 3])))
      }
      const onTron = openSigned(addressStatementShape, await callsOf(office).attestAddress({ ...asked, chain: TRX.chain }), signKeyOf(1))!
      assert.match(onTron.address, /^T/)
      await assert.rejects(callsOf(office).attestAddress({ ...asked, chain: 'tron:0xcd8690dc' }), { kind: 'fault' }, 'another network of TRON, of one key')
      const bitcoin = { ...asked, chain: bitcoinChain('mainnet') }
      await assert.rejects(callsOf(office).attestAddress(bitcoin), { kind: 'fault', message: /would be one of theirs as well/ }, 'another network of Bitcoin')
      await assert.rejects(callsOf(office).attestAddress({ ...asked, chain: 'bip122:1' }), { kind: 'fault' })
      await assert.rejects(callsOf(office).attestAddress({ ...asked, epoch: 1n }), { kind: 'fault' })
      const far = [[], [0n], [0n, 1_048_576n], [65_535n, 256n], [65_536n, 0n], [0n, 3n, 0n], [541_384_986n, 1_013_003_342n], [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n]]
      for (const path of far)
        await assert.rejects(callsOf(office).attestAddress({ ...asked, path }), { kind: 'fault', message: /no address is given out there/ })
    })

    it("of addresses in number, all three state of the same paths, and they are the key's", async (t) => {
      const office = await openOffice(t, get())
      const { keyId, publicKey, chainCode } = get().key
      const asked = { genesis: get().organisation.fingerprint, keyId, epoch: 0n, chain: CHAIN, subWallet: 2n, first: 19n, count: 5n }
      const addresses = [19, 20, 21, 22, 23].map((i) => codecFor(CHAIN)!.addressFromKey(derivePublicKey(PROTOCOL, publicKey, chainCode, [2, i])))
      for (const party of [1, 2, 3]) {
        const statement = openSigned(addressesStatementShape, await callsOf(office, party).attestAddresses(asked), signKeyOf(party))!
        const { root, ...said } = statement
        const { epoch: _, ...wanted } = asked
        assert.deepEqual(said, { ...wanted, party: BigInt(party) })
        assert.deepEqual(root, addressTree(addresses).root())
      }
      for (const far of [{ first: 1_048_572n }, { subWallet: 65_535n, first: 252n }, { subWallet: 65_536n, first: 0n }])
        await assert.rejects(callsOf(office).attestAddresses({ ...asked, ...far }), { kind: 'fault', message: /no address is given out there/ })
      for (const count of [0n, 1001n]) await assert.rejects(callsOf(office).attestAddresses({ ...asked, count }), { kind: 'fault', message: /at once/ })
      await assert.rejects(callsOf(office).attestAddresses({ ...asked, epoch: 1n }), { kind: 'fault' })
      await assert.rejects(callsOf(office).attestAddresses({ ...asked, chain: 'bip122:1' }), { kind: 'fault' })
    })

    it('of itself, names its key and its page', async (t) => {
      const office = await openOffice(t, get())
      const { party, signKey, approvalOrigin } = await callsOf(office, 2).describe({})
      assert.deepEqual([party, toHex(signKey), approvalOrigin], [2n, toHex(signKeyOf(2)), null])
    })
  })

  describe('a damaged folder', () => {
    const organisationPath = (root: string, party: number) => `${root}/${party}/organisations/${toHex(get().organisation.fingerprint)}`
    const sharePath = (root: string, party: number) => `${organisationPath(root, party)}/vault/share-${toHex(get().key.keyId)}-0.sealed`

    it('stops the signer at its start, with the name of the file', async (t) => {
      const root = await tempFolder(t)
      await cp(get().root, root, { recursive: true })
      const path = sharePath(root, 1)
      const start = () => openSigner(root, 1, new TestTime()).then((signer) => signer.close())
      const named = (file: string) => (cause: Error) => cause.message.startsWith(file)
      await start()
      const whole = await readFile(path)
      await writeFile(
        path,
        whole.map((byte, i) => (i === 300 ? byte ^ 1 : byte)),
      )
      await assert.rejects(start(), named(path))
      await writeFile(path, await readFile(sharePath(root, 2)))
      await assert.rejects(start(), named(path))
      await rm(path)
      await assert.rejects(start(), named(path))
      await writeFile(path, whole)
      const folder = organisationPath(root, 1)
      for (const file of ['journal', 'journal.head']) await rm(`${folder}/${file}`)
      await assert.rejects(start(), named(folder))
    })
  })

  describe('a signer without its pair set-up', () => {
    it('says so, and signs when it was made again', async (t) => {
      const office = await openOffice(t, get())
      const { fingerprint } = get().organisation
      await rm(`${office.root}/1/organisations/${toHex(fingerprint)}/vault/pair-seeds-${toHex(get().key.keyId)}-0-2.sealed`)
      const outcomes = await runSession(office.calls, await office.request())
      assert.equal((outcomes.get(1) as PeerError).kind, 'unavailable')
      const setup = await runSession(office.calls, {
        kind: 'pairSetup',
        genesis: fingerprint,
        keyId: get().key.keyId,
        epoch: 0n,
        parties: [1n, 2n],
        nonce: fingerprint,
      })
      assert.equal(resultOf(setup, 1).length, 0)
      assert.ok(resultOf(await runSession(office.calls, await office.request()), 1))
    })

    it("whose set-up is another than the peer's, ends the session as a fault and not as cheating", async (t) => {
      const office = await openOffice(t, get())
      const { fingerprint } = get().organisation
      const seeds = `1/organisations/${toHex(fingerprint)}/vault/pair-seeds-${toHex(get().key.keyId)}-0-2.sealed`
      await runSession(office.calls, { kind: 'pairSetup', genesis: fingerprint, keyId: get().key.keyId, epoch: 0n, parties: [1n, 2n], nonce: fingerprint })
      await cp(`${get().root}/${seeds}`, `${office.root}/${seeds}`)
      const outcomes = await runSession(office.calls, await office.request())
      assert.deepEqual(
        [1, 2].map((party) => (outcomes.get(party) as PeerError).kind),
        ['fault', 'fault'],
      )
      assert.deepEqual((await callsOf(office).status({ genesis: fingerprint })).locked, [])
    })
  })

  describe('calls', () => {
    it('of a signer whose journal cannot be written say that it is unavailable, and nothing is signed', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request()
      await office.signers.get(1)!.close()
      const calls = createCalls(office.signers.get(1)!)
      await assert.rejects(calls.openSession({ request: encode(sessionRequestShape, request) }), { kind: 'unavailable' })
    })
  })
}
