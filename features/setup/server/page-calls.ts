import { AppError } from '@holdfast/contract'
import type { SystemTx } from '@holdfast/db'
import { decode, encode, EncodingFault, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { PageCalls } from '@holdfast/features/server-feature'
import { acceptanceShape, credentialShape } from '@holdfast/intent'
import { checkGenesis, genesisHash, GenesisRefused, genesisShape } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import * as z from 'zod'
import { buildGenesis } from './build-genesis.ts'
import { type Bearer, changeDraftAs, findDraft, keepGenesis } from './draft.ts'
import { pokeFounding } from './found-organisation.ts'
import { refuseWhereClosed } from './refuse-closed.ts'

const tokenBody = z.object({ token: z.string() })
const enrolBody = z.object({ token: z.string(), person_id: z.string(), credential: z.string().max(8192) })
const acceptBody = z.object({ token: z.string(), acceptance: z.string().max(16384) })

/** What the approval page may ask while an organisation is founded. It holds a member's token, nothing else. */
export function setupPageCalls(context: ServerContext): PageCalls {
  const now = () => context.ports.clock.nowMs()
  const whileOpen = async (tx: SystemTx, { draft }: Bearer, change: () => void) => {
    await refuseWhereClosed(tx, context.settings, draft)
    change()
  }
  return {
    'setup.get': async (body) => {
      const { token } = tokenBody.parse(body)
      return { setup: view(await findDraft(context.db, token, now()), context) }
    },
    'setup.enrol': async (body) => {
      const { token, person_id, credential } = enrolBody.parse(body)
      const bearer = await changeDraftAs(context.db, token, now(), (each, tx) => whileOpen(tx, each, () => enrol(each, person_id, credential)))
      if (bearer.draft.members.every((member) => member.credential)) await prepareGenesis(bearer, context, now())
      return { setup: view(await findDraft(context.db, token, now()), context) }
    },
    'setup.accept': async (body) => {
      const { token, acceptance } = acceptBody.parse(body)
      const bearer = await changeDraftAs(context.db, token, now(), (each, tx) => whileOpen(tx, each, () => accept(each, acceptance)))
      if (bearer.draft.state === 'pinning') pokeFounding(context)
      return { setup: view(bearer, context) }
    },
  }
}

function enrol({ draft, actsFor }: Bearer, personId: string, credential: string): void {
  const member = draft.members.find((each) => each.personId === personId)
  if (!member || !actsFor(personId)) throw new AppError('resource_not_found')
  if (draft.state !== 'enrolling') throw new AppError('state_changed')
  decodeOr(credential, (bytes) => decode(credentialShape, bytes))
  member.credential = credential
}

// The document is made once, when the last key is there; a signer that is away leaves the draft as it is, to be asked again.
async function prepareGenesis({ draft }: Bearer, context: ServerContext, nowMs: number): Promise<void> {
  if (draft.genesis) return
  const genesis = await buildGenesis(draft, context, nowMs)
  await keepGenesis(context.db, draft, toHex(encode(genesisShape, genesis)))
}

function accept({ draft, actsFor }: Bearer, hex: string): void {
  if (!draft.genesis || draft.state !== 'accepting') throw new AppError('state_changed')
  const acceptance = decodeOr(hex, (bytes) => decode(acceptanceShape, bytes))
  const member = draft.members.find((each) => equalBytes(uuidToBytes(each.personId), acceptance.person))
  if (!member || !actsFor(member.personId)) throw new AppError('resource_not_found')
  member.acceptance = hex
  const genesis = decode(genesisShape, fromHex(draft.genesis))
  const acceptances = draft.members.flatMap((each) => (each.acceptance ? [decode(acceptanceShape, fromHex(each.acceptance))] : []))
  try {
    checkGenesis({ genesis, acceptances })
    draft.state = 'pinning'
  } catch (cause) {
    if (!(cause instanceof GenesisRefused)) throw cause
    // Only missing acceptances may be missing: the one just given must hold.
    if (!cause.message.startsWith('not yet accepted by')) throw new AppError('signature_check_failed', { cause })
  }
}

function decodeOr<T>(hex: string, read: (bytes: Uint8Array) => T): T {
  try {
    return read(fromHex(hex))
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new AppError('invalid_parameters', { cause, details: { field: 'document', reason: cause.message } })
    throw cause
  }
}

function view({ draft, actsFor, founder }: Bearer, { settings }: ServerContext) {
  return {
    name: draft.name,
    demo: draft.demo,
    state: draft.state,
    members: draft.members.map((member) => ({
      person_id: member.personId,
      name: member.name,
      enrolled: member.credential !== undefined,
      accepted: member.acceptance !== undefined,
      mine: !founder && actsFor(member.personId),
    })),
    genesis: draft.genesis ?? null,
    fingerprint: draft.genesis ? toHex(genesisHash(decode(genesisShape, fromHex(draft.genesis)))) : null,
    console_url: settings.consoleOrigin,
    invite: null,
  }
}
