import { AppError, type Language } from '@holdfast/contract'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { pageUrl } from '@holdfast/features/approval-page/contract'
import { approvalPages } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy, isRecipient } from '@holdfast/features/policy/server'
import { createAddressLimits, handle, type HandledEndpoint } from '@holdfast/http'
import { describePolicy, genesisHash, genesisShape, PolicyRefused } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid, newId } from '@holdfast/units'
import { createSetup, getOrganisation, getSetup, getSetupState } from '../contract.ts'
import { hasDemoKeys } from './demo-keys.ts'
import { checkMembers } from './check-members.ts'
import { checkRecipients } from './check-recipients.ts'
import { buildGenesis } from './build-genesis.ts'
import { type Draft, EVERYBODY, findDraft, founderToken, insertDraft, keepGenesis, memberToken, tokenHash } from './draft.ts'
import { templateOf } from './founding-template.ts'
import { inviteUrls } from './invite-urls.ts'
import { foundingNow, refuseWhereClosed } from './refuse-closed.ts'

const PARTIES = [1, 2, 3]
/** Each beginning is kept for a week, and nobody is signed in who begins. */
const PER_ADDRESS = { burst: 60, perSecond: 0.1 }
const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** Founding, and the organisation once it is founded. */
export function setupEndpoints(context: ServerContext): HandledEndpoint[] {
  const { ports, db } = context
  const founders = createAddressLimits(ports.clock, PER_ADDRESS)
  return [
    handle(getSetupState, async () => ({
      founding: await db.asSystem((tx) => foundingNow(tx, context.settings)),
      demo: context.settings.demoRecipients !== null,
      assets: context.networks
        .list()
        .flatMap(({ chain, name, assets }) => assets.map(({ contract, symbol }) => ({ chain, network: name, asset: contract ?? '', symbol }))),
    })),
    handle(createSetup, async ({ language, ip }, input) => {
      founders.demand(ip)
      await db.asSystem((tx) => refuseWhereClosed(tx, context.settings, input))
      const recovery = input.recovery ?? (input.demo ? context.settings.demoRecipients : null)
      if (!recovery)
        throw new AppError('invalid_parameters', {
          details: { field: 'recovery', reason: 'give the age recipients that each signer seals its recovery share to' },
        })
      if (input.threshold > input.members.length - 1) {
        throw new AppError('invalid_parameters', {
          details: { field: 'threshold', reason: `it can be at most ${input.members.length - 1}, because the person who asks never approves` },
        })
      }
      checkMembers(input.members)
      const recoveryThreshold = input.recovery_threshold ?? 1
      checkRecipients(recovery, recoveryThreshold)
      const stranger = recovery.flat().find((each) => !isRecipient(each))
      if (stranger !== undefined) {
        throw new AppError('invalid_parameters', {
          details: { field: 'recovery', reason: `${stranger.slice(0, 40)}… is not an age recipient: copy it whole, as it was shown to the officer` },
        })
      }
      const nowMs = ports.clock.nowMs()
      const id = newId(nowMs, ports.random)
      const token = founderToken(id, ports.random.bytes(16))
      const members = input.members.map((name) => ({ personId: newId(nowMs, ports.random), name }))
      const tokens = members.map(({ personId }) => [tokenHash(memberToken(token, personId)), personId])
      const draft: Draft = {
        id,
        organisationId: newId(nowMs, ports.random),
        name: input.name,
        demo: input.demo,
        threshold: input.threshold,
        recovery,
        recoveryThreshold,
        ...(input.template && { template: templateOf(input.template, context.networks, language) }),
        state: 'enrolling',
        members,
        founderTokenHash: tokenHash(token),
        memberTokens: Object.fromEntries(input.demo ? [[tokenHash(memberToken(token, EVERYBODY)), EVERYBODY]] : tokens),
        pinnedBy: [],
      }
      await insertDraft(db, draft, nowMs)
      return { setup_token: token, setup: await viewOf(draft, token, context, language) }
    }),
    handle(getSetup, async ({ language }, { setup_token: token }) => {
      const { draft, founder } = await findDraft(db, token, ports.clock.nowMs())
      if (!founder) throw new AppError('resource_not_found')
      // A signer that was away when the last key came in is asked again here.
      if (draft.state === 'enrolling' && draft.members.every((member) => member.credential)) {
        const genesis = await buildGenesis(draft, context, ports.clock.nowMs()).catch((cause) => {
          if (cause instanceof PolicyRefused) throw new AppError('invalid_parameters', { cause, details: { field: 'policy', reason: cause.message } })
          return undefined
        })
        if (genesis) Object.assign(draft, await keepGenesis(db, draft, toHex(encode(genesisShape, genesis))))
      }
      return { setup: await viewOf(draft, token, context, language) }
    }),
    handle(getOrganisation, async ({ orgId, language }) => {
      const [inForce, people, organisation] = await db.readOrganisation(orgId, (tx) =>
        Promise.all([
          currentPolicy(tx),
          tx.selectFrom('person').select(['id', 'name', 'role']).where('org_id', '=', tx.orgId).orderBy('created_at').orderBy('id').execute(),
          tx.selectFrom('organisation').select(['id', 'name', 'demo']).where('id', '=', tx.orgId).executeTakeFirstOrThrow(),
        ]),
      )
      const credentials = new Map(inForce.policy.people.map((each) => [bytesToUuid(each.id), each.credentials]))
      return {
        organization_id: organisation.id,
        name: organisation.name,
        demo: hasDemoKeys(organisation.demo, inForce.genesis.policy, inForce.policy),
        fingerprint: toHex(inForce.fingerprint),
        policy_version: Number(inForce.policy.version),
        description: describePolicy(inForce.policy, LOCALE[language]),
        people: people.map((person) => ({
          person_id: person.id,
          name: person.name,
          role: person.role,
          credentials: (credentials.get(person.id) ?? []).map(({ kind, label }) => ({ kind, label })),
        })),
        signers: await Promise.all(
          inForce.signers.map(async ({ party, name, operator }) => {
            const status = await context.coSigners.call(Number(party), signerCalls.status, { genesis: inForce.fingerprint }).catch(() => undefined)
            return {
              party: Number(party),
              name,
              operator,
              online: status !== undefined,
              pinned: status?.pinned ?? true,
              locked: (status?.locked.length ?? 0) > 0,
            }
          }),
        ),
        approval_origins: approvalPages(context, inForce.policy),
      }
    }),
  ]
}

async function viewOf(draft: Draft, token: string, context: ServerContext, language: Language) {
  const genesis = draft.genesis ? decode(genesisShape, fromHex(draft.genesis)) : undefined
  const linkFor = (role: string) => pageUrl(context.settings.approvalOrigin, 'setup', memberToken(token, role))
  const invites = draft.state === 'ready' ? await inviteUrls(draft, token, context) : undefined
  const online = context.coSigners.online()
  return {
    setup_id: draft.id,
    name: draft.name,
    demo: draft.demo,
    state: draft.state,
    threshold: draft.threshold,
    members: draft.members.map((member) => ({
      person_id: member.personId,
      name: member.name,
      enrolled: member.credential !== undefined,
      accepted: member.acceptance !== undefined,
      approval_url: draft.demo ? null : linkFor(member.personId),
      sign_in_url: invites?.get(member.personId) ?? null,
    })),
    demo_url: draft.demo ? linkFor(EVERYBODY) : null,
    genesis: draft.genesis ?? null,
    fingerprint: genesis ? toHex(genesisHash(genesis)) : null,
    description: genesis ? describePolicy(genesis.policy, LOCALE[language]) : [],
    signers: PARTIES.map((party) => {
      const named = genesis?.signers.find((signer) => signer.party === BigInt(party))
      return {
        party,
        name: named?.name ?? `signer-${party}`,
        operator: named?.operator ?? '',
        online: online.includes(party),
        pinned: draft.pinnedBy.includes(party),
      }
    }),
  }
}
