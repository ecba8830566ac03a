import { actForOrganisation, type Database, type SystemTx } from '@holdfast/db'
import { decode, encode, equalBytes, fromHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog } from '@holdfast/features/evidence/server'
import { acceptanceShape } from '@holdfast/intent'
import { checkGenesis, type GenesisRecord, genesisRecordShape, genesisShape, policyHash, policyShape } from '@holdfast/policy'
import { openSigned, pinStatementShape, signerCalls } from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { changeDraft, type Draft, draftsToFound } from './draft.ts'
import { refuseWhereClosed } from './refuse-closed.ts'

const RETRY_MS = 1_000

const pokes = new WeakMap<Database, () => void>()

/** Has the work of this process look now for what can be founded. */
export function pokeFounding({ db }: Pick<ServerContext, 'db'>): void {
  pokes.get(db)?.()
}

/** Founds the organisations whose members have all accepted, again and again until all three signers have pinned each. */
export function startFounding(context: ServerContext): { stop(): Promise<void> } {
  let stopped = false
  let cancel = () => {}
  let running = Promise.resolve()
  const round = async () => {
    const drafts = await draftsToFound(context.db, context.ports.clock.nowMs()).catch(() => [])
    // A signer that is away, or a database that is busy, is a reason to try again and no failure of the founding.
    for (const draft of drafts) await foundOrganisation(draft, context).catch(() => undefined)
    if (stopped) return
    cancel = context.ports.timer.after(RETRY_MS, poke)
  }
  const poke = () => {
    if (stopped) return
    cancel()
    running = running.then(round)
  }
  poke()
  pokes.set(context.db, poke)
  return {
    stop: async () => {
      stopped = true
      pokes.delete(context.db)
      cancel()
    },
  }
}

async function foundOrganisation(draft: Draft, context: ServerContext): Promise<void> {
  const record: GenesisRecord = {
    kind: 'founding',
    genesis: decode(genesisShape, fromHex(known(draft.genesis, 'the founding document'))),
    acceptances: draft.members.map((member) => decode(acceptanceShape, fromHex(known(member.acceptance, `the acceptance of ${member.name}`)))),
  }
  const fingerprint = checkGenesis(record)
  const bytes = encode(genesisRecordShape, record)
  for (const signer of record.genesis.signers) {
    const party = Number(signer.party)
    if (draft.pinnedBy.includes(party)) continue
    const signed = await context.coSigners.call(party, signerCalls.pinGenesis, { record: bytes })
    const statement = openSigned(pinStatementShape, signed, signer.signKey)
    if (!statement || !equalBytes(statement.genesis, fingerprint) || statement.party !== signer.party) throw new Error(`${signer.name} pinned something else`)
    await changeDraft(context.db, draft, ({ pinnedBy }) => void (pinnedBy.includes(party) || pinnedBy.push(party)))
  }
  await changeDraft(context.db, draft, async (present, tx) => {
    await refuseWhereClosed(tx, context.settings, present)
    await createOrganisation(tx, present, record, fingerprint, context.ports.clock.nowMs())
    present.state = 'ready'
  })
}

async function createOrganisation(tx: SystemTx, draft: Draft, record: GenesisRecord, fingerprint: Uint8Array, nowMs: number): Promise<void> {
  const { genesis } = record
  const created = await tx
    .insertInto('organisation')
    .values({ id: draft.organisationId, name: draft.name, state: 'active', genesis_hash: fingerprint, demo: draft.demo, created_at: nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (created.numInsertedOrUpdatedRows === 0n) return
  await actForOrganisation(tx, draft.organisationId, async (organisation) => {
    await organisation
      .insertInto('person')
      .values(
        draft.members.map((member, i) => ({
          org_id: draft.organisationId,
          id: member.personId,
          name: member.name,
          login: loginOf(i, draft),
          role: i === 0 ? ('owner' as const) : ('admin' as const),
          state: 'invited' as const,
          language: 'en-US' as const,
          failed_logins: 0,
          created_at: nowMs,
          updated_at: nowMs,
        })),
      )
      .execute()
    const bytes = encode(genesisRecordShape, record)
    await organisation.insertInto('genesis').values({ org_id: draft.organisationId, bytes, hash: fingerprint, created_at: nowMs }).execute()
    await organisation
      .insertInto('policy_version')
      .values({
        org_id: draft.organisationId,
        version: 1n,
        bytes: encode(policyShape, genesis.policy),
        hash: policyHash(genesis.policy),
        change: null,
        created_at: nowMs,
      })
      .execute()
    await appendToLog(organisation, { genesis: fingerprint, type: 'genesis', body: bytes, atMs: nowMs })
  })
}

const plainName = (value: string): string =>
  value
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.+|\.+$/g, '')

/**
 * An account name to sign in with by password: readable, of this member alone also where two names come to the same letters, and unique on this server by
 * the organisation's id.
 */
export function loginOf(member: number, { name, members, organisationId }: Pick<Draft, 'name' | 'members' | 'organisationId'>): string {
  const plain = members.map((each) => plainName(each.name))
  const own = at(plain, member)
  const isAlone = own !== '' && plain.filter((each) => each === own).length === 1
  return `${isAlone ? own : `${own || 'member'}-${member + 1}`}@${plainName(name) || 'org'}-${organisationId.slice(-6)}`
}
