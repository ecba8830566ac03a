import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from '@holdfast/encoding'
import { type KeyStatement, openSigned, signedShape, keyStatementShape, type SignRequest } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { type Cluster, copyFolder, cosignAll, generateKey, openCluster, PAIRS, PARTIES, resultOf, runSession } from './cluster.ts'
import { Log } from './log-of.ts'
import { approvalsOf, draftOf, type OrderOptions, requestOf } from './order-of.ts'
import { DAY_MS, NOW_MS, organisationOf, type TestOrganisation, TOKEN } from './organisation-of.ts'
import { DAY_MAX, ORDER_MAX, ann, ben, cleo } from './world-of.ts'

/** Three signers that have pinned an organisation, made a key, and set up all pairs. Made once; every test works on copies. */
export type Founded = { root: string; organisation: TestOrganisation; key: KeyStatement; identities: string[]; remove(): Promise<void> }

const nonceOf = (text: string) => sha256(new TextEncoder().encode(text))

export async function found(nowMs = NOW_MS): Promise<Founded> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-founded-'))
  const cluster = await openCluster(root)
  cluster.time.nowMs = nowMs
  const identities = [await generateHybridIdentity(), await generateX25519Identity(), await generateX25519Identity()]
  const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
  const members = [ann, ben, cleo]
  const everyone = members.map((member) => member.person.id)
  const rule = { kind: 'transfer' as const, chain: null, maxAmount: ORDER_MAX, initiators: everyone, approvers: everyone, threshold: 2n }
  const organisation = organisationOf({
    nowMs,
    members,
    signKeys: PARTIES.map((party) => cluster.signers.get(party)!.options.identity.publicKey),
    policy: {
      rules: [
        { ...rule, id: 'coin', asset: '', window: { lengthMs: BigInt(DAY_MS), maxAmount: DAY_MAX } },
        { ...rule, id: 'token', asset: TOKEN.contract!, window: null },
      ],
      recovery: recipients.map((recipient, i) => ({ kind: 'single', party: BigInt(i + 1), recipients: [recipient] })),
    },
  })
  const { fingerprint, record } = organisation
  for (const party of PARTIES) await cluster.calls.get(party)!.pinGenesis({ record })
  const keyId = nonceOf('first key')
  const made = await generateKey(cluster.calls, { genesis: fingerprint, keyId, nonce: nonceOf('generate') })
  const statement = decode(signedShape, resultOf(made, 1))
  const key = openSigned(keyStatementShape, statement, organisation.genesis.signers[0]!.signKey)!
  for (const parties of PAIRS) {
    const set = await runSession(cluster.calls, {
      kind: 'pairSetup',
      genesis: fingerprint,
      keyId,
      epoch: 0n,
      parties: [...parties],
      nonce: nonceOf(`set up ${parties.join()}`),
    })
    for (const party of parties) resultOf(set, Number(party))
  }
  await cluster.close()
  return { root, organisation, key, identities, remove: () => rm(root, { recursive: true, force: true }) }
}

/** An organisation at work: three signers on a copy of the founded folders, and the log its server keeps. */
export type Office = Cluster & {
  founded: Founded
  log: Log
  request(options?: OfficeOrder): Promise<{ kind: 'sign' } & SignRequest>
  requestWithoutCosigning(options?: OfficeOrder): { kind: 'sign' } & SignRequest
}
export type OfficeOrder = Partial<OrderOptions> & { parties?: bigint[]; fee?: bigint }

export async function openOffice(t: { after(callback: () => Promise<void>): void }, founded: Founded): Promise<Office> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-office-'))
  await copyFolder(founded.root, root)
  const cluster = await openCluster(root)
  const { organisation, key } = founded
  const log = new Log(organisation.fingerprint)
  log.append('genesis', organisation.record)
  let orders = 0
  const requestWithoutCosigning = (options: OfficeOrder = {}) => {
    const salt = options.salt ?? orders
    const initiator = options.initiator ?? ann
    const draft = draftOf({ fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator, salt, nonce: BigInt(salt), ...options })
    if (options.fee !== undefined) draft.transaction.maxFeePerGas = options.fee
    const approvers = organisation.members.filter((member) => member !== initiator)
    return requestOf({ key, draft, approvals: approvalsOf(draft, organisation.policy, approvers), log, parties: options.parties, salt: orders++ }).request
  }
  const office: Office = {
    ...cluster,
    founded,
    log,
    requestWithoutCosigning,
    request: async (options) => {
      const request = requestWithoutCosigning(options)
      await cosignAll(office, log)
      return request
    },
  }
  t.after(async () => {
    await office.close()
    await rm(root, { recursive: true, force: true })
  })
  return office
}

export const journalOf = (office: Cluster, party: number) => [...office.signers.get(party)!.organisations.values()][0]!.journal
