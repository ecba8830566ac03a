import { AppError, type Language } from '@holdfast/contract'
import { nextNumber, type OrganisationTx } from '@holdfast/db'
import { decode, encode } from '@holdfast/encoding'
import { claimRequest, type RequestKey } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { appliedTokens, assetsOf, readWalletPins } from '@holdfast/features/network/server'
import type { PolicyChangeIntent } from '@holdfast/intent'
import { eligibleIn, fillSteps, type Policy, policyShape } from '@holdfast/policy'
import { newId, uuidToBytes } from '@holdfast/units'
import type { PolicyDraft } from '../../contract.ts'
import { policyErrors } from '../../errors.ts'
import { quorumsOfChange } from './change-quorums.ts'
import { faultOfSize } from './fault-of-size.ts'
import { currentPolicy, type PolicyInForce } from '../current-policy.ts'
import { DraftRefused, type MakePolicy, nextPolicy, PeopleRefused, readDirectory } from './next-policy.ts'
import { type PolicyChange, policyChanges } from './policy-change.ts'
import { policyWords } from '../policy-words.ts'
import { type ServedPage, servedPages } from '../served-pages.ts'

/**
 * How long a change can be approved, and how long a signer that was away can still take it over: a signer takes no change
 * outside this time, by its own clock.
 */
const LIFE_MS = 30 * 24 * 3_600_000
/** An approver's clock may be this far behind ours and their approval still counts as made after the order. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

type Needs = Pick<ServerContext, 'ports' | 'networks' | 'settings'>

/** What networks and signers told before the transaction began, for they are not asked inside one: the wallets of tokens (`readWalletPins`), the pages that are served. */
export type Told = { wallets: Policy['assets']; served: readonly ServedPage[] }
type Caller = Told & { personId: string; language: Language }
/** What a change is to say: a draft of this feature, or what makes the next version itself. */
type Drafted = PolicyDraft | MakePolicy
export type Proposal = Caller & { key: RequestKey; draft: Drafted; demandSecondFactor: () => Promise<void> }

/** The wallets of all tokens that the organisation has or asked for, as the networks tell them now, and the approval pages that signers serve now. */
export async function toldNow(context: Pick<ServerContext, 'db' | 'networks' | 'coSigners'>, orgId: string): Promise<Told> {
  const { db, networks } = context
  const { applied, inForce } = await db.asOrganisation(orgId, async (tx) => ({ applied: await appliedTokens(tx), inForce: await currentPolicy(tx) }))
  const wallets = await readWalletPins(networks, [...networks.list().flatMap((network) => assetsOf(network, orgId)), ...applied])
  return { wallets, served: await servedPages(context, inForce) }
}

/** The intent a draft would become, with what it would need. Throws DraftRefused. */
export async function draftIntent(
  tx: OrganisationTx,
  { ports, networks, settings }: Needs,
  { personId, language, wallets, served, draft }: Caller & { draft: Drafted },
): Promise<{ inForce: PolicyInForce; next: Policy; intent: PolicyChangeIntent }> {
  const nowMs = ports.clock.nowMs()
  const words = policyWords[language]
  const inForce = await currentPolicy(tx)
  const pages = { served, first: settings.approvalOrigin }
  const around = { directory: await readDirectory(tx), networks, applied: await appliedTokens(tx), wallets, pages, nowMs, words }
  const next = typeof draft === 'function' ? await draft(inForce, around) : nextPolicy(draft, inForce, around)
  const newPolicy = encode(policyShape, next)
  const tooLarge = faultOfSize(next, newPolicy, inForce, words)
  if (tooLarge) throw new DraftRefused(tooLarge)
  const intent: PolicyChangeIntent = {
    kind: 'policyChange',
    genesis: inForce.fingerprint,
    orderId: uuidToBytes(newId(nowMs, ports.random)),
    newPolicy,
    notBeforeMs: BigInt(nowMs - CLOCK_TOLERANCE_MS),
    expiresAtMs: BigInt(nowMs + LIFE_MS),
    policyVersion: inForce.policy.version,
    policyHash: inForce.hash,
    initiator: uuidToBytes(personId),
    nonce: ports.random.bytes(32),
  }
  const short = quorumsOfChange({ intent, next }, inForce.policy).some(({ steps }) => fillSteps(steps, eligibleIn(steps)).missing > 0)
  if (short) throw new PeopleRefused(words.tooFewForYou)
  return { inForce, next, intent }
}

/**
 * Proposes the next version of the policy: makes its intent, which nothing can change afterwards, and writes it to the log. The same
 * request again answers the change it made. Throws AppError `policy_refused` or `strategy_personnel_error` with the reason, `policy_change_open` while another waits.
 */
export async function proposePolicyChange(tx: OrganisationTx, needs: Needs, proposal: Proposal): Promise<{ change: PolicyChange; fresh: boolean }> {
  const nowMs = needs.ports.clock.nowMs()
  const id = newId(nowMs, needs.ports.random)
  const { fresh, resultId } = await claimRequest(tx, { key: proposal.key, kind: 'policy_change', resultId: id, nowMs })
  if (!fresh) {
    const change = await policyChanges.read(tx, resultId)
    if (!change) throw new AppError('duplicate_request')
    return { change, fresh }
  }
  await proposal.demandSecondFactor()
  // The number is taken under a lock that every proposal of the organisation takes, so that two cannot both find none open.
  await nextNumber(tx, 'policy_change')
  const open = await tx.selectFrom('policy_change').select('id').where('org_id', '=', tx.orgId).where('is_final', '=', false).executeTakeFirst()
  if (open) throw new AppError(policyErrors.policy_change_open)
  const { inForce, intent } = await draftIntent(tx, needs, proposal).catch((cause: unknown) => {
    const told = { cause, details: { reason: cause instanceof DraftRefused ? cause.message : '' } }
    if (cause instanceof PeopleRefused) throw new AppError(policyErrors.strategy_personnel_error, told)
    if (cause instanceof DraftRefused) throw new AppError(policyErrors.policy_refused, told)
    throw cause
  })
  const made = { ...intent, orderId: uuidToBytes(id) }
  const { personId } = proposal
  const next = decode(policyShape, made.newPolicy)
  const deciders = quorumsOfChange({ intent: made, next }, inForce.policy).flatMap(({ eligible }) => eligible)
  const opening = { id, intent: made, initiator: personId, walletId: null, words: [`v${next.version}`], deciders }
  const change = await policyChanges.open(tx, needs, opening, (common) =>
    tx
      .insertInto('policy_change')
      .values({ ...common, base_version: inForce.policy.version, initiator: personId })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  return { change, fresh }
}
